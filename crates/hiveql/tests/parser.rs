//! Statements and what the parsers of Hive 2.3, 3.1, 4.0, 4.1 and 4.2 say to them.
//!
//! Each file under `tests/data/parser` holds, line by line:
//!
//! ```text
//! # a remark
//! YY--- a statement: Y where Hive 2.3, 3.1, 4.0, 4.1, 4.2 takes it, G where only Guardbee does,
//!       - where neither does
//!   = how the statement above is printed, if it is written otherwise
//!   ! 4.0 12..17 message (hint): the diagnostic of one version for the statement above
//!   !! 4.0 12..17 message (hint): the same, of Guardbee
//! ```
//!
//! What a version takes is also printed and read again, and must give an equal tree. What Hive takes
//! says the same to Guardbee.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use guardbee_hiveql::parser::{Dialect, ParserSettings, parse_statement};
use guardbee_hiveql::printer::print_statement;
use guardbee_hiveql::tree::Arena;
use guardbee_model::{Diagnostic, HiveVersion};

#[test]
fn parses_as_hive_does() {
    let mut failures = String::new();
    let mut statements = 0;
    for path in data_files() {
        let text = fs::read_to_string(&path).expect("a readable data file");
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut statement = None;
        for (index, line) in text.lines().enumerate() {
            let outcome = match (line.get(..2), statement) {
                (None | Some("# "), _) => Ok(()),
                (Some("  "), Some(statement)) => check_detail(statement, line.trim_start()),
                _ => {
                    statements += 1;
                    let read = Judged::read(line);
                    statement = Some(read);
                    read.check()
                }
            };
            if let Err(failure) = outcome {
                let _ = writeln!(failures, "{file}:{}: {line}\n    {failure}", index + 1);
            }
        }
    }
    assert!(statements > 0, "no statements found");
    assert!(failures.is_empty(), "\n{failures}");
}

fn data_files() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/parser");
    let entries = fs::read_dir(directory).expect("the data directory");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a data file").path()).collect();
    files.sort();
    files
}

/// A statement with the verdicts of the five versions.
#[derive(Clone, Copy)]
struct Judged<'t> {
    verdicts: &'t str,
    sql: &'t str,
}

impl<'t> Judged<'t> {
    fn read(line: &'t str) -> Self {
        let (verdicts, sql) = line.split_once(' ').expect("verdicts and a statement");
        let are_verdicts = verdicts.len() == 5 && verdicts.bytes().all(|verdict| b"Y-G".contains(&verdict));
        assert!(are_verdicts, "no verdicts: {line}");
        Self { verdicts, sql }
    }

    fn verdicts(self) -> impl Iterator<Item = (HiveVersion, u8)> {
        HiveVersion::ALL.into_iter().zip(self.verdicts.bytes())
    }

    /// The last version that takes the statement, and in which dialect.
    fn accepting(self) -> ParserSettings {
        let accepting = self.verdicts().filter(|&(_, verdict)| verdict != b'-').last();
        let (version, verdict) = accepting.expect("a version that takes the statement");
        settings(version, if verdict == b'Y' { Dialect::Hive } else { Dialect::Guardbee })
    }

    fn check(self) -> Result<(), String> {
        self.verdicts().try_for_each(|(version, verdict)| {
            let hive = settings(version, Dialect::Hive);
            let guardbee = settings(version, Dialect::Guardbee);
            match verdict {
                b'Y' => self.check_taken(hive).and_then(|()| self.check_same(hive, guardbee)),
                b'G' => self.check_refused(hive).and_then(|()| self.check_taken(guardbee)),
                _ => self.check_refused(hive).and_then(|()| self.check_refused(guardbee)),
            }
        })
    }

    fn check_taken(self, settings: ParserSettings) -> Result<(), String> {
        let version = settings.version;
        let arena = Arena::new();
        let statement = parse_statement(&arena, self.sql, settings)
            .map_err(|error| format!("{version} refuses: {}", shown(&error)))?;
        let printed = print_statement(&statement);
        match parse_statement(&arena, &printed, settings) {
            Ok(again) if again == statement => Ok(()),
            Ok(again) => Err(unequal(version, &printed, &statement, &again)),
            Err(error) => Err(format!("{version} does not take `{printed}`: {error:?}")),
        }
    }

    fn check_refused(self, settings: ParserSettings) -> Result<(), String> {
        match parse_statement(&Arena::new(), self.sql, settings) {
            Ok(_) => Err(format!("{} takes it ({:?})", settings.version, settings.dialect)),
            Err(_) => Ok(()),
        }
    }

    fn check_same(self, one: ParserSettings, other: ParserSettings) -> Result<(), String> {
        let arena = Arena::new();
        if parse_statement(&arena, self.sql, one) == parse_statement(&arena, self.sql, other) {
            return Ok(());
        }
        Err(format!("{} says something else beside Hive", one.version))
    }
}

fn check_detail(judged: Judged<'_>, detail: &str) -> Result<(), String> {
    let arena = Arena::new();
    if let Some(expected) = detail.strip_prefix("= ") {
        let statement = parse_statement(&arena, judged.sql, judged.accepting()).map_err(|e| shown(&e))?;
        let printed = print_statement(&statement);
        return if printed == expected { Ok(()) } else { Err(format!("is printed as {printed}")) };
    }
    let (mark, rest) = detail.split_once(' ').expect("`=`, `!` or `!!`");
    let (version, expected) = rest.split_once(' ').expect("`! version diagnostic`");
    let version = version.parse().expect("a version");
    let dialect = if mark == "!!" { Dialect::Guardbee } else { Dialect::Hive };
    match parse_statement(&arena, judged.sql, settings(version, dialect)) {
        Err(error) if shown(&error) == expected => Ok(()),
        Err(error) => Err(format!("says {}", shown(&error))),
        Ok(_) => Err(format!("{version} takes it")),
    }
}

fn settings(version: HiveVersion, dialect: Dialect) -> ParserSettings {
    ParserSettings { version, dialect, ..ParserSettings::default() }
}

fn shown(error: &Diagnostic) -> String {
    let mut text = format!("{}..{} {}", error.span.start, error.span.end, error.message);
    if let Some(hint) = &error.hint {
        let _ = write!(text, " ({hint})");
    }
    text
}

fn unequal(
    version: HiveVersion,
    printed: &str,
    left: &impl std::fmt::Debug,
    right: &impl std::fmt::Debug,
) -> String {
    format!("{version} reads `{printed}` otherwise:\n    {left:?}\n    {right:?}")
}
