//! Diagnostics for people: they point into the text.

use std::fmt::Write as _;

use guardbee_model::{Diagnostic, Severity};

use crate::place::{Places, underlined};
use crate::terminal::{Paint, Style};

/// Writes `file:line:column  error  message`, the line, a caret under the place, and the hint.
pub fn write(
    out: &mut String,
    style: Style,
    label: &str,
    text: &str,
    places: &mut Places<'_>,
    finding: &Diagnostic,
) {
    let place = places.of(finding.span.start);
    let (word, paint) = match finding.severity {
        Severity::Error => ("error", Paint::Bad),
        Severity::Warning => ("warning", Paint::Warning),
    };
    let position = format!("{label}:{}:{}", place.line, place.column);
    let _ = writeln!(
        out,
        "{}  {}  {}",
        style.paint(Paint::Heading, &position),
        style.paint(paint, word),
        printable(&finding.message)
    );
    let line = Places::line_text(text, finding.span.start);
    let excerpt =
        Excerpt::of(line, place.column as usize, underlined(line, place.column, finding.span), style.width);
    let _ = writeln!(out, "    {}", excerpt.text);
    let marks = "^".repeat(excerpt.marked);
    let hint = finding.hint.as_deref().map(printable).unwrap_or_default();
    let _ = writeln!(
        out,
        "    {}{}{}{hint}",
        " ".repeat(excerpt.before),
        style.paint(paint, &marks),
        if hint.is_empty() { "" } else { " " },
    );
}

/// The part of a line that fits the terminal, with the marked place in it.
struct Excerpt {
    text: String,
    /// Characters before the mark.
    before: usize,
    marked: usize,
}

impl Excerpt {
    fn of(line: &str, column: usize, marked: usize, width: usize) -> Self {
        let room = width.saturating_sub(6).max(20);
        let lead = column.saturating_sub(1);
        let skipped = if lead + marked.min(room / 2) > room { lead.saturating_sub(room / 3) } else { 0 };
        let mut text: String = line.chars().skip(skipped).take(room).map(visible).collect();
        let mut before = lead - skipped;
        if skipped > 0 {
            text.insert(0, '…');
            before += 1;
        }
        if line.chars().count() > skipped + room {
            text.push('…');
        }
        Self { text, before, marked: marked.min(room.saturating_sub(lead - skipped)).max(1) }
    }
}

/// A control character would move the caret or the terminal; each is shown as one character.
const fn visible(character: char) -> char {
    match character {
        '\t' => ' ',
        '\0'..='\x1f' | '\x7f'..='\u{9f}' => '\u{fffd}',
        _ => character,
    }
}

/// Text from a file, fit for a terminal: no control characters.
#[must_use]
pub fn printable(text: &str) -> String {
    text.chars().map(visible).collect()
}
