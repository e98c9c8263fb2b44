//! Statements of a query log, decided by the policy that is and the one that is planned.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use guardbee_model::plain_words;
use guardbee_questions::policy::{Past, PastLine};

use crate::arguments::Appearance;
use crate::check::obligation_text;
use crate::input;
use crate::output::say;
use crate::progress::Progress;
use crate::terminal::{Paint, Style, hanging, printable, shortened};
use crate::wire::policy::{PastCase, PastDocument, Shift};

/// A line of a log that is longer is not read.
const LONGEST_LINE_BYTES: u64 = 16 << 20;
/// So many bad lines are named; the rest is counted.
const BAD_LINES_NAMED: u64 = 10;

/// Somebody who takes the lines of a log.
pub trait TakesPast {
    fn take(&mut self, line: PastLine);

    /// Counts a line that is no statement, and says how many there were.
    fn pass_over(&mut self) -> u64;
}

impl TakesPast for Past {
    fn take(&mut self, line: PastLine) {
        Self::take(self, line);
    }

    fn pass_over(&mut self) -> u64 {
        Self::pass_over(self)
    }
}

/// Lines that somebody else decides about.
#[derive(Debug, Default)]
pub struct PastLines {
    pub lines: Vec<PastLine>,
    pub bad: u64,
}

impl TakesPast for PastLines {
    fn take(&mut self, line: PastLine) {
        self.lines.push(line);
    }

    fn pass_over(&mut self) -> u64 {
        self.bad += 1;
        self.bad
    }
}

/// Hands every statement of the logs on. Bad lines are named on standard error, and passed over.
///
/// # Errors
/// A log that cannot be read.
pub fn read(logs: &[PathBuf], past: &mut impl TakesPast, appearance: Appearance) -> anyhow::Result<()> {
    for log in logs {
        take(past, log, appearance).map_err(|error| {
            anyhow::anyhow!("cannot read the log `{}`: {}", log.display(), input::reason(&error))
        })?;
    }
    Ok(())
}

fn take(past: &mut impl TakesPast, log: &Path, appearance: Appearance) -> io::Result<()> {
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
        let mut pass_over = |reason: &str| {
            if past.pass_over() <= BAD_LINES_NAMED {
                let text = format!("{}:{number}: passed over: {reason}", log.display());
                progress.aside(|| say(&printable(&text)));
            }
        };
        if !is_whole {
            let limit = LONGEST_LINE_BYTES >> 20;
            pass_over(&format!("it is longer than {limit} MiB"));
            skip_line(&mut reader)?;
        } else if !bytes.trim_ascii().is_empty() {
            match serde_json::from_slice::<PastLine>(&bytes) {
                Ok(line) => past.take(line),
                Err(error) => pass_over(&reason(&error)),
            }
        }
    }
    progress.finish();
    Ok(())
}

/// What is decided otherwise, the most frequent first.
#[must_use]
pub fn text(style: Style, past: &PastDocument, limit: usize) -> String {
    let mut out = format!("\n{}\n", style.paint(Paint::Heading, "Past statements"));
    let changed = past.now_refused + past.now_allowed + past.seen_otherwise;
    let _ = writeln!(out, "  {} read, {changed} decided otherwise", past.statements);
    for (shift, count, title) in [
        (Shift::NowRefused, past.now_refused, "now refused"),
        (Shift::NowAllowed, past.now_allowed, "now allowed"),
        (Shift::SeenOtherwise, past.seen_otherwise, "other rows or masks"),
    ] {
        if count == 0 {
            continue;
        }
        let paint = if shift == Shift::NowRefused { Paint::Bad } else { Paint::Warning };
        let _ = writeln!(out, "  {}", style.paint(paint, &format!("{title}: {count}")));
        let of_shift = || past.cases.iter().filter(|case| case.shift == shift);
        of_shift().take(limit).for_each(|case| out.push_str(&case_text(style, case)));
        let more = of_shift().count().saturating_sub(limit);
        if more > 0 {
            let _ = writeln!(out, "    and {more} more; --limit shows them");
        }
    }
    if past.not_kept > 0 {
        let _ = writeln!(out, "  {} of them are only counted", past.not_kept);
    }
    if past.unjudged > 0 {
        let _ = writeln!(out, "  {} cannot be read as statements", past.unjudged);
    }
    if past.bad_lines > 0 {
        let lines = if past.bad_lines == 1 { "line was" } else { "lines were" };
        let text = format!("{} bad {lines} passed over", past.bad_lines);
        let _ = writeln!(out, "  {}", style.paint(Paint::Bad, &text));
    }
    out
}

fn case_text(style: Style, case: &PastCase) -> String {
    let mut out = String::new();
    let sql = case.sql.split_whitespace().collect::<Vec<_>>().join(" ");
    let times = if case.count == 1 { String::new() } else { format!("{} times, last ", case.count) };
    let last = case.last.as_deref().unwrap_or_default();
    let head = format!("{}  {times}{last}", case.user);
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
    let (before, after) = (&case.obligations_before, &case.obligations_after);
    let gone = before.iter().filter(|old| !after.contains(old)).map(|old| ('-', old));
    let new = after.iter().filter(|new| !before.contains(new)).map(|new| ('+', new));
    for (sign, obligation) in gone.chain(new) {
        add(&format!("{sign} {}", obligation_text(style, obligation)));
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
    plain_words(&text.replace(" at line 1 column ", ", column "))
}
