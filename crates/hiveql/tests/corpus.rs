//! Every statement that Hive's own tests ran is read, and what is printed of it gives the same tree.
//!
//! The corpora lie beside the repository; where they do not, the test says so and checks nothing.

#[allow(dead_code, reason = "the example that shares the module wants more of it")]
mod golden;

use std::fmt::Write as _;
use std::path::Path;

use golden::{Wanted, statements_of};
use guardbee_hiveql::parser::{ParserSettings, parse_statement};
use guardbee_hiveql::printer::print_statement;
use guardbee_hiveql::tree::Arena;
use guardbee_model::HiveVersion;

const FILES: [&str; 2] = ["hive-golden-dev.jsonl.gz", "hive31-golden-dev.jsonl.gz"];

#[test]
fn reads_and_prints_what_hive_ran() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    for file in FILES {
        let path = directory.join(file);
        let Ok(statements) = statements_of(&path.to_string_lossy(), Wanted::Accepted) else {
            eprintln!("skipped: there is no corpus `{file}` beside the repository");
            continue;
        };
        let mut failures = String::new();
        for (settings, sql) in &statements {
            if let Err(failure) = check(*settings, sql) {
                let _ = writeln!(failures, "{sql}\n    {failure}");
            }
        }
        assert!(failures.is_empty(), "{file}:\n{failures}");
    }
}

/// Some results were recorded by what was to become 4.0, and are marked as older.
fn check(settings: ParserSettings, sql: &str) -> Result<(), String> {
    let newer = ParserSettings { version: HiveVersion::V4_0, ..settings };
    check_in(settings, sql).or_else(|failure| check_in(newer, sql).map_err(|_| failure))
}

fn check_in(settings: ParserSettings, sql: &str) -> Result<(), String> {
    let arena = Arena::new();
    let statement = parse_statement(&arena, sql, settings).map_err(|mistake| mistake.message)?;
    let printed = print_statement(&statement);
    match parse_statement(&arena, &printed, settings) {
        Ok(again) if again == statement => Ok(()),
        Ok(_) => Err(format!("is another statement when printed: {printed}")),
        Err(mistake) => Err(format!("{} when printed: {printed}", mistake.message)),
    }
}
