//! What was recorded, for people.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use guardbee_engine::{Checked, Outcome, missing_text};
use guardbee_lineage::{DatasetChange, DatasetName, Run};
use guardbee_policy::Policy;

use crate::terminal::{Paint, Style, hanging, padded, printable, shown_width};
use crate::wire::lineage::{ImportSummary, RecordSummary};

/// More datasets of one statement are counted, not named.
const MOST_NAMED: usize = 6;

/// What came of one statement.
#[derive(Debug)]
pub struct Line {
    /// The script and line.
    pub place: Arc<str>,
    pub outcome: Outcome,
    pub operation: &'static str,
    /// The key of its run, where it leaves one.
    pub run: Option<String>,
    pub inputs: Vec<String>,
    pub outputs: Vec<String>,
    /// Why it may not run.
    pub problem: Option<String>,
}

impl Line {
    #[must_use]
    pub fn of(place: Arc<str>, checked: &Checked, run: Option<&Run>, policy: &Policy) -> Self {
        let missing = checked.decision.missing();
        let missing: Vec<String> = missing.map(|missing| missing_text(missing, policy.settings())).collect();
        let problem = match (checked.outcome, missing.is_empty()) {
            (Outcome::Allowed, _) => None,
            (Outcome::Denied, false) => Some(format!("needs {}", missing.join(", "))),
            _ => checked.problem.as_ref().map(ToString::to_string),
        };
        Self {
            place,
            outcome: checked.outcome,
            operation: checked.effects.as_ref().map_or("", |effects| effects.operation.as_str()),
            run: run.map(|run| run.key.0.to_string()),
            inputs: run.map(inputs).unwrap_or_default(),
            outputs: run.map(outputs).unwrap_or_default(),
            problem,
        }
    }
}

fn inputs(run: &Run) -> Vec<String> {
    let direct = run.inputs.iter().filter(|input| input.through.is_empty());
    direct.map(|input| input.dataset.to_string()).collect()
}

/// What it writes, or else what it makes, renames or removes.
fn outputs(run: &Run) -> Vec<String> {
    let written = run.targets.iter().map(|target| &target.dataset);
    let written = written.filter(|dataset| !matches!(dataset, DatasetName::Result(_)));
    let changed = run.changes.iter().map(|change| match change {
        DatasetChange::Create { dataset, .. }
        | DatasetChange::Ensure { dataset, .. }
        | DatasetChange::Drop { dataset }
        | DatasetChange::RenameColumn { dataset, .. }
        | DatasetChange::DropColumn { dataset, .. }
        | DatasetChange::DropPartition { dataset, .. }
        | DatasetChange::Rename { to: dataset, .. }
        | DatasetChange::MovePartition { to: dataset, .. } => dataset,
    });
    let mut outputs: Vec<String> = Vec::new();
    for output in written.chain(changed).map(ToString::to_string) {
        if !outputs.contains(&output) {
            outputs.push(output);
        }
    }
    outputs
}

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
