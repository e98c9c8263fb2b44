//! The scores are those of the reference scorer beside the corpora, where it and python3 are there.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use guardbee_testkit::generate::Random;
use guardbee_testkit::golden::{GoldenRecord, GoldenStatement, read_golden};
use guardbee_testkit::score::{Options, print, read_predictions, score};
use serde_json::{Value, json};

fn corpus(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus").join(file)
}

/// Says so where the harness, which keeps what tests print to itself, cannot hide it.
fn left_out(reason: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "left out in score.rs: {reason}");
}

#[test]
fn agrees_with_the_reference() {
    let reference = corpus("score.py");
    let has_python = Command::new("python3").arg("--version").output().is_ok();
    if !reference.is_file() || !has_python {
        left_out("no reference scorer or no python3 here");
        return;
    }
    for name in ["hive-golden-dev.jsonl.gz", "hive401-generated-dev.jsonl.gz"] {
        let golden = corpus(name);
        let records =
            read_golden(&golden).expect("the corpus is there").map(|record| record.expect("a record"));
        let records: Vec<GoldenRecord> = records.collect();
        let predictions =
            std::env::temp_dir().join(format!("guardbee-score-{}-{name}.jsonl", std::process::id()));
        std::fs::write(&predictions, half_right(&records)).expect("the predictions can be written");

        let output = Command::new("python3").arg(&reference).args([&golden, &predictions]).output();
        let wanted = String::from_utf8(output.expect("the reference runs").stdout).expect("it prints text");
        let tally =
            score(&records, &read_predictions(&predictions).expect("predictions"), &Options::default());
        let mut got = Vec::new();
        print(&tally, 0, None, &mut got).expect("a buffer takes everything");
        std::fs::remove_file(&predictions).expect("the predictions can be removed");
        assert_eq!(String::from_utf8(got).expect("text"), wanted, "{name}");
        assert!(wanted.lines().count() > 10, "{wanted}");
    }
}

/// Predictions that say what Hive said, but for random mistakes of every sort.
fn half_right(records: &[GoldenRecord]) -> String {
    let mut random = Random::new(17);
    let mut lines = String::new();
    for record in records {
        for (index, statement) in record.statements.iter().enumerate() {
            if random.percent(93) {
                let line = prediction(&record.file, index, statement, &mut random);
                writeln!(lines, "{line}").expect("a string takes everything");
            }
        }
    }
    lines
}

fn prediction(file: &str, index: usize, statement: &GoldenStatement, random: &mut Random) -> Value {
    let error = (random.percent(4) || (statement.error.is_some() && random.percent(80))).then_some("no");
    let op = if random.percent(95) { statement.op.as_deref() } else { Some("SHOWTABLES") };
    let mut some = |list: &Option<Vec<String>>| -> Option<Vec<String>> {
        let mut entities = list.clone()?;
        entities.retain(|_| random.percent(95));
        Some(
            entities
                .into_iter()
                .map(|entity| if random.percent(50) { entity.to_uppercase() } else { entity })
                .collect(),
        )
    };
    let (inputs, outputs) = (some(&statement.inputs), some(&statement.outputs));
    let mut columns = Vec::new();
    for column in statement.lineage.iter().flatten() {
        let table = column.target_table.as_deref().unwrap_or("");
        let mut sources: Vec<String> = Vec::new();
        for source in column.sources.iter().filter(|_| random.percent(93)) {
            let name = source.column.as_deref().unwrap_or("*");
            sources.push(format!("default.{}.{name}", source.table.as_deref().unwrap_or("")));
        }
        let kind = if random.percent(90) { column.kind.as_deref() } else { None };
        if random.percent(95) {
            columns.push(json!({"target": format!("db.{table}.{}", column.target_column), "kind": kind, "sources": sources}));
        }
    }
    if random.percent(5) {
        columns.push(json!({"target": "t.extra", "sources": null}));
    }
    let mut prediction = json!({"file": file, "index": index, "op": op, "inputs": inputs, "outputs": outputs, "columns": columns, "error": error});
    if random.percent(50) {
        let predicates =
            statement.lineage.iter().flatten().flat_map(|column| column.predicates.iter().flatten());
        prediction["influences"] = predicates.filter(|_| random.percent(97)).cloned().collect();
    }
    prediction
}
