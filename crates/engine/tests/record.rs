//! What is remembered of statements: files of statements with their runs as text.
//!
//! `UPDATE_EXPECTED=1` writes what really comes of the statements into the files.

#[path = "record/describe.rs"]
mod describe;

use std::path::Path;
use std::sync::Arc;

use guardbee_analysis::{Catalog, Session};
use guardbee_engine::record::{KeyBase, Occasion, SessionTables, Succeeded, run};
use guardbee_lineage::Context;
use guardbee_model::Timestamp;
use guardbee_testkit::statement_files::differences;

#[test]
fn statements_leave_the_runs_that_the_files_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/record");
    let differences = differences(&folder, "runs", |version| {
        let mut session = Session::new(Catalog::new(), version);
        let mut tables = SessionTables::new("one".into());
        move |ordinal, statement| left_by(&mut session, &mut tables, statement, ordinal)
    });
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
}

fn left_by(session: &mut Session, tables: &mut SessionTables, text: &str, ordinal: u32) -> Vec<String> {
    let before = session.clone();
    let analysis = session.analyze(text);
    let found = analysis.diagnostics.iter().map(|found| format!("finding: {}", found.message));
    let mut lines: Vec<String> = found.collect();
    let Some(effects) = analysis.effects else { return lines };
    let base = KeyBase::new(Timestamp(1_000), "etl", &["test"]);
    let occasion = Occasion {
        key: base.key(ordinal),
        started_at: None,
        ended_at: Timestamp(1_000),
        context: Arc::new(Context::default()),
    };
    let statement =
        Succeeded { text, effects: &effects, before: &before, tables, default_file_system: "hdfs://nn:8020" };
    match run(statement, occasion) {
        Some(run) => lines.extend(describe::describe(&run)),
        None => lines.push("nothing".to_owned()),
    }
    tables.follow(&effects, &before);
    lines
}
