//! Statements of a query log, decided by the policy that is and the one that is planned.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use guardbee_engine::impact::{Case, Impact, PastStatement, Shift};
use guardbee_policy::Policy;
use serde::Deserialize;
use smol_str::SmolStr;

use super::source::Warehouse;
use crate::arguments::Appearance;
use crate::check::obligation_text;
use crate::input;
use crate::output::say;
use crate::progress::Progress;
use crate::terminal::{Paint, Style, hanging, printable, shortened};
use crate::wire::policy::PastDocument;

/// A line of a log that is longer is not read.
const LONGEST_LINE_BYTES: u64 = 16 << 20;
/// So many bad lines are named; the rest is counted.
const BAD_LINES_NAMED: u64 = 10;

/// One line of a query log. What else it holds is passed over.
#[derive(Debug, Deserialize)]
struct Line {
    time: Option<serde_json::Value>,
    user: String,
    #[serde(default)]
    groups: Vec<String>,
    database: Option<String>,
    sql: String,
}

/// What came of a log.
pub struct Past {
    impact: Impact,
    bad_lines: u64,
}

/// Decides every statement of the logs twice. Bad lines are named on standard error, and passed over.
///
/// # Errors
/// A log that cannot be read.
pub fn decided(
    logs: &[PathBuf],
    before: &Policy,
    after: &Policy,
    warehouse: &Warehouse,
    appearance: Appearance,
) -> anyhow::Result<Past> {
    let impact = Impact::new(before.clone(), after.clone(), || warehouse.options());
    let mut past = Past { impact, bad_lines: 0 };
    for log in logs {
        past.take(log, appearance).map_err(|error| {
            anyhow::anyhow!("cannot read the log `{}`: {}", log.display(), input::reason(&error))
        })?;
    }
    Ok(past)
}

impl Past {
    fn take(&mut self, log: &Path, appearance: Appearance) -> io::Result<()> {
        let (size, source): (u64, Box<dyn Read>) = if log.as_os_str() == "-" {
            (0, Box::new(io::stdin()))
        } else {
            let file = File::open(log)?;
            (file.metadata()?.len(), Box::new(file))
        };
        let progress = Progress::of_bytes(size, appearance);
        let mut reader = BufReader::with_capacity(1 << 16, source);
        let mut bytes = Vec::new();
        for number in 1_u64.. {
            bytes.clear();
            let read = reader.by_ref().take(LONGEST_LINE_BYTES).read_until(b'\n', &mut bytes)?;
            if read == 0 {
                break;
            }
            progress.advance(read as u64);
            let is_whole = bytes.ends_with(b"\n") || (read as u64) < LONGEST_LINE_BYTES;
            if !is_whole {
                let limit = LONGEST_LINE_BYTES >> 20;
                self.bad_line(log, number, &format!("it is longer than {limit} MiB"), &progress);
                skip_line(&mut reader)?;
            } else if !bytes.trim_ascii().is_empty() {
                match serde_json::from_slice::<Line>(&bytes) {
                    Ok(line) => self.statement(line),
                    Err(error) => self.bad_line(log, number, &reason(&error), &progress),
                }
            }
        }
        progress.finish();
        Ok(())
    }

    fn statement(&mut self, line: Line) {
        let time = line.time.map(|time| match time {
            serde_json::Value::String(text) => SmolStr::new(text),
            other => SmolStr::new(other.to_string()),
        });
        let statement = PastStatement {
            user: line.user.into(),
            groups: line.groups.into_iter().map(SmolStr::from).collect(),
            database: line.database.map(SmolStr::from),
            sql: line.sql,
        };
        self.impact.take(statement, time);
    }

    fn bad_line(&mut self, log: &Path, number: u64, reason: &str, progress: &Progress) {
        self.bad_lines += 1;
        if self.bad_lines <= BAD_LINES_NAMED {
            let text = format!("{}:{number}: passed over: {reason}", log.display());
            progress.aside(|| say(&printable(&text)));
        }
    }

    /// As JSON has it.
    #[must_use]
    pub fn document(&self) -> PastDocument {
        PastDocument::of(&self.impact, self.bad_lines)
    }

    /// What is decided otherwise, the most frequent first.
    #[must_use]
    pub fn text(&self, style: Style, limit: usize) -> String {
        let totals = self.impact.totals();
        let cases = self.impact.cases();
        let mut out = format!("\n{}\n", style.paint(Paint::Heading, "Past statements"));
        let changed = totals.now_refused + totals.now_allowed + totals.seen_otherwise;
        let _ = writeln!(out, "  {} read, {changed} decided otherwise", totals.statements);
        for (shift, count, title) in [
            (Shift::NowRefused, totals.now_refused, "now refused"),
            (Shift::NowAllowed, totals.now_allowed, "now allowed"),
            (Shift::SeenOtherwise, totals.seen_otherwise, "other rows or masks"),
        ] {
            if count == 0 {
                continue;
            }
            let paint = if shift == Shift::NowRefused { Paint::Bad } else { Paint::Warning };
            let _ = writeln!(out, "  {}", style.paint(paint, &format!("{title}: {count}")));
            let of_shift = || cases.iter().filter(|case| case.shift == shift);
            of_shift().take(limit).for_each(|case| out.push_str(&case_text(style, case)));
            let more = of_shift().count().saturating_sub(limit);
            if more > 0 {
                let _ = writeln!(out, "    and {more} more; --limit shows them");
            }
        }
        if totals.not_kept > 0 {
            let _ = writeln!(out, "  {} of them are only counted", totals.not_kept);
        }
        if totals.unjudged > 0 {
            let _ = writeln!(out, "  {} cannot be read as statements", totals.unjudged);
        }
        if self.bad_lines > 0 {
            let lines = if self.bad_lines == 1 { "line was" } else { "lines were" };
            let text = format!("{} bad {lines} passed over", self.bad_lines);
            let _ = writeln!(out, "  {}", style.paint(Paint::Bad, &text));
        }
        out
    }
}

fn case_text(style: Style, case: &Case) -> String {
    let mut out = String::new();
    let sql = case.statement.sql.split_whitespace().collect::<Vec<_>>().join(" ");
    let times = if case.count == 1 { String::new() } else { format!("{} times, last ", case.count) };
    let last = case.last.as_deref().unwrap_or_default();
    let head = format!("{}  {times}{last}", case.statement.user);
    let _ = writeln!(out, "    {}", printable(head.trim_end()));
    let room = style.width.saturating_sub(6);
    let _ = writeln!(out, "      {}", style.paint(Paint::Dim, &shortened(&printable(&sql), room)));
    let mut add = |text: &str| {
        for line in hanging(text, room, 2) {
            let _ = writeln!(out, "      {line}");
        }
    };
    if !case.missing.is_empty() {
        let verb = if case.shift == Shift::NowAllowed { "needed" } else { "needs" };
        add(&printable(&format!("{verb} {}", case.missing.join(", "))));
    }
    if let Some((before, after)) = &case.obligations {
        let gone = before.iter().filter(|old| !after.contains(old)).map(|old| ('-', old));
        let new = after.iter().filter(|new| !before.contains(new)).map(|new| ('+', new));
        for (sign, obligation) in gone.chain(new) {
            add(&format!("{sign} {}", obligation_text(style, &obligation.into())));
        }
    }
    out
}

/// Reads to the end of a line without keeping it.
fn skip_line(reader: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = reader.fill_buf()?;
        let length = buffer.len();
        if length == 0 {
            return Ok(());
        }
        match memchr::memchr(b'\n', buffer) {
            Some(end) => {
                reader.consume(end + 1);
                return Ok(());
            }
            None => reader.consume(length),
        }
    }
}

/// What is wrong, with the place in the line alone.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.replace(" at line 1 column ", ", column ")
}
