//! What was recorded, for people.

use std::fmt::Write as _;
use std::time::Duration;

use guardbee_engine::Outcome;

use crate::terminal::{Paint, Style, hanging, padded, printable, shown_width};
use crate::wire::recording::{ImportSummary, Line, RecordSummary};

/// More datasets of one statement are counted, not named.
const MOST_NAMED: usize = 6;

/// One line a statement, and what came of all.
#[must_use]
pub fn page(style: Style, lines: &[Line], summary: RecordSummary, elapsed: Duration) -> String {
    let mut out = String::new();
    let shown: Vec<&Line> =
        lines.iter().filter(|line| line.run.is_some() || line.outcome != Outcome::Allowed).collect();
    let widest = |cell: fn(&Line) -> usize| shown.iter().map(|line| cell(line)).max().unwrap_or(0);
    let place = widest(|line| shown_width(&printable(&line.place))).min(48);
    for line in shown {
        let (word, paint) = match line.outcome {
            Outcome::Allowed => ("allowed", Paint::Good),
            Outcome::Denied => ("denied", Paint::Bad),
            Outcome::Error => ("error", Paint::Bad),
        };
        let mut text = style.paint(Paint::Heading, &padded(&printable(&line.place), place));
        let _ = write!(text, "  {}  ", style.paint(paint, &padded(word, 7)));
        match &line.problem {
            Some(problem) => text.push_str(&printable(problem)),
            None => text.push_str(&flow(line)),
        }
        for row in hanging(&text, style.width, 4) {
            let _ = writeln!(out, "{row}");
        }
    }
    out + &total(style, summary, elapsed, lines.is_empty())
}

fn flow(line: &Line) -> String {
    let named = |names: &[String]| {
        let mut text: Vec<String> = names.iter().take(MOST_NAMED).map(|name| printable(name)).collect();
        if names.len() > MOST_NAMED {
            text.push(format!("and {} more", names.len() - MOST_NAMED));
        }
        text.join(", ")
    };
    match (line.outputs.is_empty(), line.inputs.is_empty()) {
        (true, true) => line.operation.to_owned(),
        (true, false) => format!("{}  reads {}", line.operation, named(&line.inputs)),
        (false, true) => format!("{}  {}", line.operation, named(&line.outputs)),
        (false, false) => {
            format!("{}  {} <- {}", line.operation, named(&line.outputs), named(&line.inputs))
        }
    }
}

fn total(style: Style, summary: RecordSummary, elapsed: Duration, is_empty: bool) -> String {
    let mut parts = vec![
        counted(summary.statements, "statement"),
        style.paint(Paint::Good, &format!("{} recorded", summary.recorded)),
    ];
    let others = [
        (summary.known, "known before", Paint::Dim),
        (summary.nothing, "without data", Paint::Dim),
        (summary.denied, "denied", Paint::Bad),
        (summary.errors, "in error", Paint::Bad),
        (summary.buried, "with the dead letters", Paint::Bad),
        (summary.unreadable_files, "unreadable", Paint::Bad),
    ];
    add_others(&mut parts, style, &others);
    let before = if is_empty { "" } else { "\n" };
    format!("{before}{}", last_line(style, &parts, elapsed))
}

/// What came of query logs.
#[must_use]
pub fn import_total(style: Style, summary: ImportSummary, elapsed: Duration) -> String {
    let mut parts = vec![
        counted(summary.files, "file"),
        counted(summary.statements, "statement"),
        style.paint(Paint::Good, &format!("{} recorded", summary.recorded)),
    ];
    let others = [
        (summary.known, "known before", Paint::Dim),
        (summary.nothing, "without data", Paint::Dim),
        (summary.buried, "with the dead letters", Paint::Bad),
        (summary.unreadable_files, "unreadable", Paint::Bad),
    ];
    add_others(&mut parts, style, &others);
    last_line(style, &parts, elapsed)
}

fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn add_others(parts: &mut Vec<String>, style: Style, others: &[(u64, &str, Paint)]) {
    let counted = others.iter().filter(|(count, ..)| *count > 0);
    parts.extend(counted.map(|(count, what, paint)| style.paint(*paint, &format!("{count} {what}"))));
}

fn last_line(style: Style, parts: &[String], elapsed: Duration) -> String {
    let facts = parts.join(", ");
    let time = format!("{} ms", elapsed.as_millis());
    let gap = style.width.min(100).saturating_sub(shown_width(&facts) + time.len()).max(3);
    format!("{facts}{:gap$}{}\n", "", style.paint(Paint::Dim, &time))
}
