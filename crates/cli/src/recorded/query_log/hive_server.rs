//! HiveServer2's own log. It tells of a statement when it executes it and when it has; one that failed or never ended is
//! none that ran. A statement goes on over lines that have no time of their own.

use std::collections::{HashMap, VecDeque};

use guardbee_lineage::utc;
use guardbee_model::Timestamp;
use smol_str::SmolStr;

use super::{BadPiece, LONGEST_BYTES, LoggedStatement, Piece, payload};

/// So many statements may be under way at once, and so long may their texts be together. Of more, the one that began
/// first is given up.
const MOST_UNDER_WAY: usize = 10_000;
const MOST_UNDER_WAY_BYTES: usize = 2 * LONGEST_BYTES;

/// A line that HiveServer2 logs: when, by which thread, what.
struct LogLine<'l> {
    time: Timestamp,
    thread: &'l str,
    message: &'l str,
}

/// `2026-11-29 02:14:05,123 INFO  [HiveServer2-Background-Pool: Thread-65]: ql.Driver (Driver.java:execute(1735)) - ...`,
/// with or without `T` and an offset in the time, and whatever the logger's name looks like.
fn log_line(line: &str) -> Option<LogLine<'_>> {
    let starts_with_date = line.get(..4).is_some_and(|year| year.bytes().all(|byte| byte.is_ascii_digit()));
    if !starts_with_date {
        return None;
    }
    let end = line.char_indices().skip(10).find(|(_, character)| {
        !matches!(character, '0'..='9' | ':' | '.' | ',' | '+' | '-' | 'T' | 'Z' | ' ')
    });
    let (time, rest) = line.split_at_checked(end?.0)?;
    let time = utc::parse(time.trim())?;
    let (_, rest) = rest.split_once('[')?;
    let (thread, rest) = rest.split_once(']')?;
    Some(LogLine { time, thread, message: rest })
}

/// Is it a line as the server writes them?
#[must_use]
pub fn is_log_line(line: &str) -> bool {
    log_line(line).is_some()
}

/// A statement that the server has begun to execute.
struct Begun {
    statement: LoggedStatement,
    number: u64,
    has_failed: bool,
    is_too_long: bool,
}

/// Follows the lines of a log.
#[derive(Default)]
pub struct HiveServer {
    begun: HashMap<SmolStr, Begun>,
    /// Query ids in the order in which they began, with the numbers of those; some have ended since.
    order: VecDeque<(u64, SmolStr)>,
    count: u64,
    text_bytes: usize,
    by_thread: HashMap<String, SmolStr>,
    /// The statement that goes on in lines without a time.
    open: Option<SmolStr>,
}

impl HiveServer {
    /// What a line makes known.
    pub fn line(&mut self, number: u64, line: &str) -> Option<Piece> {
        let Some(found) = log_line(line) else {
            self.go_on(line);
            return self.give_up();
        };
        self.open = None;
        if let Some((id, rest)) = command(found.message, "Executing command(queryId=") {
            let statement = LoggedStatement {
                line: number,
                time: Some(found.time),
                query_id: Some(id.clone()),
                text: rest.trim_start_matches(':').trim_start().to_owned(),
                ..LoggedStatement::default()
            };
            self.begin(&id, found.thread, statement);
            self.open = Some(id);
            return self.give_up();
        }
        if let Some((id, _)) = command(found.message, "Completed executing command(queryId=") {
            let done = self.end(&id).filter(|done| !done.has_failed)?;
            let statement = LoggedStatement { time: Some(found.time), ..done.statement };
            return Some(match done.is_too_long {
                false => Piece::Statement(statement),
                true => bad(&statement, &super::too_long("statement")),
            });
        }
        if found.message.contains("FAILED: ") {
            let failed = self.by_thread.get(found.thread).and_then(|id| self.begun.get_mut(id));
            if let Some(failed) = failed {
                failed.has_failed = true;
            }
        }
        None
    }

    fn begin(&mut self, id: &SmolStr, thread: &str, statement: LoggedStatement) {
        self.end(id);
        self.count += 1;
        self.text_bytes += statement.text.len();
        self.order.push_back((self.count, id.clone()));
        self.begun.insert(
            id.clone(),
            Begun { statement, number: self.count, has_failed: false, is_too_long: false },
        );
        if self.by_thread.len() > MOST_UNDER_WAY {
            self.by_thread.retain(|_, id| self.begun.contains_key(id));
        }
        self.by_thread.insert(thread.to_owned(), id.clone());
        if self.order.len() > 2 * MOST_UNDER_WAY {
            let begun = &self.begun;
            self.order.retain(|(number, id)| begun.get(id).is_some_and(|begun| begun.number == *number));
        }
    }

    fn go_on(&mut self, line: &str) {
        let Some(known) = self.open.as_ref().and_then(|id| self.begun.get_mut(id)) else { return };
        if known.statement.text.len() + line.len() >= LONGEST_BYTES {
            known.is_too_long = true;
            return;
        }
        known.statement.text.push('\n');
        known.statement.text.push_str(line);
        self.text_bytes += 1 + line.len();
    }

    fn end(&mut self, id: &str) -> Option<Begun> {
        let done = self.begun.remove(id)?;
        self.text_bytes -= done.statement.text.len();
        Some(done)
    }

    /// The statement that began first, where too many are under way to wait for its end.
    fn give_up(&mut self) -> Option<Piece> {
        while self.begun.len() > MOST_UNDER_WAY || self.text_bytes > MOST_UNDER_WAY_BYTES {
            let (number, id) = self.order.pop_front()?;
            if self.begun.get(&id).is_none_or(|begun| begun.number != number) {
                continue;
            }
            let given_up = self.end(&id)?;
            if !given_up.has_failed {
                return Some(bad(
                    &given_up.statement,
                    "it was not known to end when too many others had begun",
                ));
            }
        }
        None
    }
}

fn bad(statement: &LoggedStatement, reason: &str) -> Piece {
    Piece::Bad(BadPiece { line: statement.line, reason: reason.to_owned(), payload: payload(statement) })
}

/// The query id behind a phrase, and what follows its parenthesis.
fn command<'m>(message: &'m str, phrase: &str) -> Option<(SmolStr, &'m str)> {
    let (_, rest) = message.split_once(phrase)?;
    let (id, rest) = rest.split_once(')')?;
    Some((SmolStr::new(id), rest))
}
