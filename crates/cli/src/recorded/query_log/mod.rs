//! The forms that query logs have: JSON lines, HiveServer2's own log, scripts.

mod hive_server;
mod json_lines;
mod script;
mod text;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

use guardbee_model::Timestamp;
use smol_str::SmolStr;

use crate::arguments::LogForm;

use hive_server::HiveServer;
use script::ScriptReader;
use text::{Line, next_line};

pub use json_lines::{json_line, payload};

/// The longest line or statement that is read; a store keeps no longer ones.
const LONGEST_BYTES: usize = 32 << 20;
/// The form of a log is told by no more than this of its start.
const START_BYTES: u64 = 64 << 10;

/// A statement that ran, as a log tells of it. What is absent, the log does not say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LoggedStatement {
    /// From 1 on.
    pub line: u64,
    pub time: Option<Timestamp>,
    pub user: Option<SmolStr>,
    pub groups: Vec<SmolStr>,
    pub database: Option<SmolStr>,
    /// Of its run; absent: the query id.
    pub key: Option<SmolStr>,
    pub query_id: Option<SmolStr>,
    pub session: Option<SmolStr>,
    pub host: Option<SmolStr>,
    pub client_address: Option<SmolStr>,
    pub text: String,
}

/// A piece of a log that is no statement, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadPiece {
    pub line: u64,
    pub reason: String,
    pub payload: Vec<u8>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    Statement(LoggedStatement),
    Bad(BadPiece),
}

/// Reads a log piece by piece, and holds no more of it than a few of them.
pub struct LogReader {
    source: Box<dyn BufRead>,
    reading: Reading,
    line: u64,
    taken: u64,
}

enum Reading {
    Jsonl,
    HiveServer(Box<HiveServer>),
    Script(ScriptReader),
}

impl LogReader {
    /// Opens a log; `-` is standard input. Its form is told by its name or else its first line, where it is not given.
    ///
    /// # Errors
    /// What the system says.
    pub fn open(path: &Path, form: Option<LogForm>) -> io::Result<Self> {
        if path.as_os_str() == "-" {
            return Self::of(Box::new(io::stdin()), "-", form);
        }
        let file = File::open(path)?;
        if file.metadata()?.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        Self::of(Box::new(file), &path.display().to_string(), form)
    }

    fn of(mut source: Box<dyn Read>, name: &str, form: Option<LogForm>) -> io::Result<Self> {
        let mut start = first_lines(&mut *source)?;
        if start.starts_with(b"\xef\xbb\xbf") {
            start.drain(..3);
        }
        let form = form.unwrap_or_else(|| form_of(name, &String::from_utf8_lossy(&start)));
        let reading = match form {
            LogForm::Jsonl => Reading::Jsonl,
            LogForm::Hiveserver2 => Reading::HiveServer(Box::default()),
            LogForm::Sql => Reading::Script(ScriptReader::default()),
        };
        let source = Box::new(BufReader::with_capacity(1 << 16, Cursor::new(start).chain(source)));
        Ok(Self { source, reading, line: 0, taken: 0 })
    }

    #[must_use]
    pub const fn form(&self) -> LogForm {
        match self.reading {
            Reading::Jsonl => LogForm::Jsonl,
            Reading::HiveServer(_) => LogForm::Hiveserver2,
            Reading::Script(_) => LogForm::Sql,
        }
    }

    /// How many bytes were read since this was asked last.
    pub fn taken_bytes(&mut self) -> u64 {
        std::mem::take(&mut self.taken)
    }

    /// The next piece of the log.
    ///
    /// # Errors
    /// What the system says.
    pub fn next(&mut self) -> io::Result<Option<Piece>> {
        if let Reading::Script(script) = &mut self.reading {
            return script.next(&mut *self.source, &mut self.taken);
        }
        loop {
            let Some((line, taken)) = next_line(&mut *self.source)? else { return Ok(None) };
            self.line += 1;
            self.taken += taken;
            let piece = match (line, &mut self.reading) {
                (Line::Cut(start), _) => Some(Piece::Bad(BadPiece {
                    line: self.line,
                    reason: too_long("line"),
                    payload: start.into_bytes(),
                })),
                (Line::Whole(line), Reading::HiveServer(server)) => server.line(self.line, &line),
                (Line::Whole(line), _) if line.trim().is_empty() => None,
                (Line::Whole(line), _) => Some(match json_line(self.line, &line) {
                    Ok(statement) => Piece::Statement(statement),
                    Err(reason) => {
                        Piece::Bad(BadPiece { line: self.line, reason, payload: line.into_bytes() })
                    }
                }),
            };
            if piece.is_some() {
                return Ok(piece);
            }
        }
    }
}

fn too_long(what: &str) -> String {
    format!("the {what} has more than {} MiB", LONGEST_BYTES >> 20)
}

/// The start of a source, up to the end of its first line that is not blank.
fn first_lines(source: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    let mut part = [0; 4096];
    loop {
        let count = source.read(&mut part)?;
        start.extend_from_slice(part.get(..count).unwrap_or_default());
        let has_line = start.trim_ascii_start().contains(&b'\n');
        if count == 0 || has_line || start.len() as u64 >= START_BYTES {
            return Ok(start);
        }
    }
}

/// The form of a log, by its name or else its first line.
fn form_of(name: &str, start: &str) -> LogForm {
    let extension = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    match extension.as_str() {
        "jsonl" | "json" | "ndjson" => return LogForm::Jsonl,
        "sql" | "hql" | "q" => return LogForm::Sql,
        _ => {}
    }
    let first = start.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    if first.trim_start().starts_with('{') {
        LogForm::Jsonl
    } else if hive_server::is_log_line(first) {
        LogForm::Hiveserver2
    } else {
        LogForm::Sql
    }
}

#[cfg(test)]
mod tests {
    use guardbee_lineage::utc;

    use super::*;

    const LOG: &str = "\
2026-11-29T02:14:05,123  INFO [HiveServer2-Background-Pool: Thread-65] ql.Driver: Compiling command(queryId=hive_1): select 1
2026-11-29T02:14:05,200  INFO [HiveServer2-Background-Pool: Thread-65] ql.Driver: Executing command(queryId=hive_1): insert into t
select [a] from s
2026-11-29T02:14:06,000  INFO [HiveServer2-Background-Pool: Thread-66] ql.Driver: Executing command(queryId=hive_2): select 2
2026-11-29T02:14:06,500 ERROR [HiveServer2-Background-Pool: Thread-66] ql.Driver: FAILED: Execution Error, return code 2
2026-11-29T02:14:06,600  INFO [HiveServer2-Background-Pool: Thread-66] ql.Driver: Completed executing command(queryId=hive_2); Time taken: 0.6 seconds
2026-11-29T02:14:07,000  INFO [HiveServer2-Background-Pool: Thread-65] ql.Driver: Completed executing command(queryId=hive_1); Time taken: 1.8 seconds
2026-11-29T02:14:08,000  INFO [HiveServer2-Background-Pool: Thread-67] ql.Driver: Executing command(queryId=hive_3): select 3
";

    fn read(name: &str, text: &str) -> (LogForm, Vec<LoggedStatement>, Vec<BadPiece>) {
        let source = Box::new(Cursor::new(text.as_bytes().to_vec()));
        let mut reader = LogReader::of(source, name, None).expect("it is in memory");
        let (mut statements, mut bad) = (Vec::new(), Vec::new());
        while let Some(piece) = reader.next().expect("it is in memory") {
            match piece {
                Piece::Statement(statement) => statements.push(statement),
                Piece::Bad(piece) => bad.push(piece),
            }
        }
        (reader.form(), statements, bad)
    }

    #[test]
    fn statements_of_hive_server_are_those_that_ended_well() {
        let (form, statements, _) = read("hiveserver2.log", LOG);
        assert_eq!(form, LogForm::Hiveserver2);
        let [statement] = statements.as_slice() else { panic!("{statements:?}") };
        assert_eq!(statement.text, "insert into t\nselect [a] from s");
        assert_eq!(statement.query_id.as_deref(), Some("hive_1"));
        assert_eq!(statement.time, utc::parse("2026-11-29T02:14:07Z"));
    }

    #[test]
    fn older_servers_log_in_another_look() {
        let log = "\
2026-11-29 02:14:05,200 INFO  [HiveServer2-Background-Pool: Thread-65]: ql.Driver (Driver.java:execute(1735)) - Executing command(queryId=hive_1): drop table t
2026-11-29 02:14:05,300 INFO  [HiveServer2-Background-Pool: Thread-65]: ql.Driver (Driver.java:execute(2050)) - Completed executing command(queryId=hive_1); Time taken: 0.1 seconds
";
        let (form, statements, _) = read("hive.log.2026-11-29", log);
        assert_eq!((form, statements.len()), (LogForm::Hiveserver2, 1));
        assert_eq!(statements[0].text, "drop table t");
    }

    #[test]
    fn json_lines_say_what_is_wrong_with_them() {
        let (_, statements, bad) = read(
            "log.jsonl",
            "{\"time\":\"2026-11-29 02:14:05\",\"user\":\"ana\",\"sql\":\"select 1\",\"more\":1}\n\n{\"user\":\"bob\"}\n{\"sql\":\"x\",\"time\":\"soon\"}",
        );
        assert_eq!(statements.len(), 1);
        assert_eq!(statements[0].user.as_deref(), Some("ana"));
        let bad: Vec<(u64, &str)> = bad.iter().map(|bad| (bad.line, bad.reason.as_str())).collect();
        assert_eq!(bad, [(3, "missing field `sql`"), (4, "`time` is no moment")]);
    }

    #[test]
    fn statements_under_way_are_bounded() {
        let begin = |id: u32| {
            format!(
                "2026-11-29 02:14:05,200 INFO [T: {id}] x: Executing command(queryId=q{id}): select {id}\n"
            )
        };
        let mut log: String = (0..10_002).map(begin).collect();
        log +=
            "2026-11-29 02:14:06,000 INFO [T: 9] x: Completed executing command(queryId=q9); Time taken: 1\n";
        let (_, statements, bad) = read("hive.log", &log);
        assert_eq!(statements.len(), 1);
        let lines: Vec<u64> = bad.iter().map(|bad| bad.line).collect();
        assert_eq!(lines, [1, 2]);
        let given_up = std::str::from_utf8(&bad[1].payload).expect("it is JSON");
        assert_eq!(json_line(2, given_up).expect("it can be tried again").text, "select 1");
    }

    #[test]
    fn the_form_is_told_by_the_first_line_that_is_not_blank() {
        assert_eq!(read("log", "\u{feff}\n\n {\"sql\":\"select 1\"}").0, LogForm::Jsonl);
        assert_eq!(read("log", "").0, LogForm::Sql);
    }
}
