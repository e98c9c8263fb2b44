//! What is remembered of statements: files of statements with their runs as text.
//!
//! `UPDATE_EXPECTED=1` writes what really comes of the statements into the files.

#[path = "record/describe.rs"]
mod describe;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use guardbee_analysis::{Catalog, Session};
use guardbee_engine::record::{KeyBase, Occasion, SessionTables, Succeeded, run};
use guardbee_lineage::Context;
use guardbee_model::{HiveVersion, Timestamp};

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/record");
    let entries = std::fs::read_dir(folder).expect("the folder of the tests");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|end| end == "runs")).collect();
    files.sort();
    files
}

#[test]
fn statements_leave_the_runs_that_the_files_say() {
    let files = files();
    assert!(!files.is_empty());
    let differences: Vec<String> = files.iter().filter_map(|path| run_file(path)).collect();
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
}

fn run_file(path: &Path) -> Option<String> {
    let text = std::fs::read_to_string(path).expect("a readable file");
    let mut blocks = text.split("\n\n").map(str::trim_end);
    let header = blocks.next().unwrap_or_default();
    let version = header
        .lines()
        .find_map(|line| line.strip_prefix("version: "))
        .map_or(HiveVersion::default(), |version| version.parse().expect("a version of Hive"));
    let mut session = Session::new(Catalog::new(), version);
    let mut tables = SessionTables::new("one".into());
    let mut result = header.to_owned();
    for (ordinal, block) in (0..).zip(blocks) {
        result.push_str("\n\n");
        result.push_str(&run_block(&mut session, &mut tables, block, ordinal));
    }
    result.push('\n');
    if result == text {
        return None;
    }
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        std::fs::write(path, result).expect("a writable file");
        return None;
    }
    Some(difference(path, &text, &result))
}

fn run_block(session: &mut Session, tables: &mut SessionTables, block: &str, ordinal: u32) -> String {
    let statement: Vec<&str> = block.lines().filter_map(|line| line.strip_prefix("> ")).collect();
    let kept = block.lines().filter(|line| line.starts_with("> ") || line.starts_with('#'));
    let mut lines: Vec<String> = kept.map(str::to_owned).collect();
    if statement.is_empty() {
        return lines.join("\n");
    }
    let text = statement.join("\n");
    let before = session.clone();
    let analysis = session.analyze(&text);
    lines.extend(analysis.diagnostics.iter().map(|found| format!("finding: {}", found.message)));
    let Some(effects) = analysis.effects else {
        return lines.join("\n");
    };
    let base = KeyBase::new(Timestamp(1_000), "etl", &["test"]);
    let occasion = Occasion {
        key: base.key(ordinal),
        started_at: None,
        ended_at: Timestamp(1_000),
        context: Arc::new(Context::default()),
    };
    let statement = Succeeded {
        text: &text,
        effects: &effects,
        before: &before,
        tables,
        default_file_system: "hdfs://nn:8020",
    };
    match run(statement, occasion) {
        Some(run) => lines.extend(describe::describe(&run)),
        None => lines.push("nothing".to_owned()),
    }
    tables.follow(&effects, &before);
    lines.join("\n")
}

fn difference(path: &Path, expected: &str, got: &str) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (mut expected, mut got) = (expected.split("\n\n"), got.split("\n\n"));
    let mut differences = Vec::new();
    loop {
        let (expected, got) = match (expected.next(), got.next()) {
            (None, None) => break,
            (expected, got) => (expected.unwrap_or("(no block)"), got.unwrap_or("(no block)")),
        };
        if expected.trim_end() != got.trim_end() {
            differences.push(format!("{name}\n--- expected\n{expected}\n--- got\n{got}"));
        }
    }
    if differences.is_empty() {
        differences.push(format!("{name}: only blanks or line ends differ"));
    }
    differences.join("\n\n")
}
