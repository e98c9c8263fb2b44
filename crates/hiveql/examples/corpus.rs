//! `corpus FILE.jsonl[.gz] [--all]`: reads every statement of a golden file that Hive ran, and lists those that
//! our parser refuses or whose printed text does not give the same tree again.
//!
//! Each statement is read as the version that recorded it does. Statements that Hive rejected or did not
//! run are left out; with `--all`, those that failed while they ran or were not recorded are tried, too.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::process::ExitCode;
use std::time::Instant;

use flate2::read::GzDecoder;
use guardbee_hiveql::command::ClientCommand;
use guardbee_hiveql::lexer::QuotedIdentifiers;
use guardbee_hiveql::parser::{ParserSettings, parse_statement};
use guardbee_hiveql::printer::print_statement;
use guardbee_hiveql::tree::Arena;
use guardbee_model::HiveVersion;
use serde_json::Value;

#[derive(Default)]
struct Report {
    read: usize,
    refused: usize,
    changed: usize,
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(path) = arguments.next() else {
        eprintln!("usage: corpus FILE.jsonl[.gz] [--all]");
        return ExitCode::from(2);
    };
    let takes_all = arguments.any(|argument| argument == "--all");
    let statements = match statements_of(&path, takes_all) {
        Ok(statements) => statements,
        Err(error) => {
            eprintln!("cannot read `{path}`: {error}");
            return ExitCode::from(3);
        }
    };
    let mut report = Report::default();
    for (settings, sql) in &statements {
        report.add(*settings, sql);
    }
    println!(
        "{} statements, {} refused, {} changed by printing",
        report.read, report.refused, report.changed
    );
    measure(&statements);
    ExitCode::from(u8::from(report.refused + report.changed > 0))
}

impl Report {
    fn add(&mut self, settings: ParserSettings, sql: &str) {
        self.read += 1;
        let version = settings.version;
        let arena = Arena::new();
        let statement = match parse_statement(&arena, sql, settings) {
            Ok(statement) => statement,
            Err(mistake) => {
                self.refused += 1;
                println!(
                    "refused ({version}): {}\n    {} at {}",
                    one_line(sql),
                    mistake.message,
                    mistake.span.start
                );
                return;
            }
        };
        let printed = print_statement(&statement);
        match parse_statement(&arena, &printed, settings) {
            Ok(again) if again == statement => {}
            Ok(_) => {
                self.changed += 1;
                println!("changed ({version}): {}\n    {}", one_line(sql), one_line(&printed));
            }
            Err(mistake) => {
                self.changed += 1;
                println!(
                    "printed wrong ({version}): {}\n    {}\n    {} at {}",
                    one_line(sql),
                    one_line(&printed),
                    mistake.message,
                    mistake.span.start
                );
            }
        }
    }
}

/// How fast all of them are read, one arena serving them all.
fn measure(statements: &[(ParserSettings, String)]) {
    const ROUNDS: usize = 5;
    let mut arena = Arena::new();
    let start = Instant::now();
    for _ in 0..ROUNDS {
        for (settings, sql) in statements {
            let _ = std::hint::black_box(parse_statement(&arena, sql, *settings));
            arena.reset();
        }
    }
    let seconds = start.elapsed().as_secs_f64() / ROUNDS as f64;
    let bytes: usize = statements.iter().map(|(_, sql)| sql.len()).sum();
    println!(
        "{:.1} MB/s, {:.0} statements a second",
        bytes as f64 / seconds / 1e6,
        statements.len() as f64 / seconds
    );
}

fn statements_of(path: &str, takes_all: bool) -> std::io::Result<Vec<(ParserSettings, String)>> {
    let file = File::open(path)?;
    let reader: Box<dyn Read> =
        if path.ends_with(".gz") { Box::new(GzDecoder::new(file)) } else { Box::new(file) };
    let mut statements = Vec::new();
    for line in BufReader::new(reader).lines() {
        let record: Value = serde_json::from_str(&line?)?;
        let version = match record.get("recorded_by").and_then(Value::as_str) {
            Some("hive4") => HiveVersion::V4_0,
            _ => HiveVersion::V3_1,
        };
        let mut settings = ParserSettings { version, ..ParserSettings::default() };
        for statement in record.get("statements").and_then(Value::as_array).into_iter().flatten() {
            let Some(sql) = statement.get("sql").and_then(Value::as_str) else { continue };
            if ClientCommand::parse(sql).is_some() {
                settings.quoted_identifiers = quoting_after(sql, settings.quoted_identifiers);
            } else if takes_all || is_accepted(statement) {
                statements.push((settings, sql.to_owned()));
            }
        }
    }
    Ok(statements)
}

/// What quotes names behind a client command.
fn quoting_after(command: &str, before: QuotedIdentifiers) -> QuotedIdentifiers {
    let Some((_, value)) = command.split_once("hive.support.quoted.identifiers=") else {
        return before;
    };
    match value.trim() {
        "none" => QuotedIdentifiers::None,
        "standard" => QuotedIdentifiers::Standard,
        _ => QuotedIdentifiers::Column,
    }
}

/// Did Hive run the statement, so that its parser must have taken it?
fn is_accepted(statement: &Value) -> bool {
    let has =
        |key: &str| statement.get(key).is_some_and(|value| !value.is_null() && *value != Value::Bool(false));
    has("op") && has("scored") && !has("rejected_by") && !has("not_run")
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
