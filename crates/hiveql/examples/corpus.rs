//! `corpus FILE.jsonl[.gz] [--all]`: reads every statement of a golden file that Hive ran, and lists those that
//! our parser refuses or whose printed text does not give the same tree again.
//!
//! Each statement is read as the version that recorded it does. Statements that Hive rejected or did not
//! run are left out; with `--all`, those that failed while they ran or were not recorded are tried, too.

#[path = "../tests/golden/mod.rs"]
mod golden;

use std::process::ExitCode;
use std::time::Instant;

use guardbee_hiveql::parser::{ParserSettings, parse_statement};
use guardbee_hiveql::printer::print_statement;
use guardbee_hiveql::tree::Arena;

use golden::{Wanted, statements_of};

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
    let wanted = if arguments.any(|argument| argument == "--all") { Wanted::All } else { Wanted::Accepted };
    let statements = match statements_of(&path, wanted) {
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

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
