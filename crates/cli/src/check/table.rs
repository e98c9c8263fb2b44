//! Answers for people: the verdict first, then what it rests on, then what would change it.

use std::fmt::Write as _;
use std::time::Duration;

use guardbee_engine::Outcome;
use guardbee_engine::entry_statements;
use guardbee_engine::explain::{Explained, Held, Remedy};
use guardbee_policy::decision::{Basis, Obligation};
use guardbee_policy::requirement::Right;
use guardbee_policy::{Entry, Policy, Principal};

use super::Report;
use super::explain_tree;
use crate::place::Places;
use crate::render::finding;
use crate::terminal::{Paint, Style, hanging, printable, shortened, shown_width};
use crate::wire::check::Summary;

/// How many grants that are held nearby are named for one thing that is missing.
const NEARBY_SHOWN: usize = 3;
const INDENT: usize = 2;

/// Does each answer say where its statement stands?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    Shown,
    /// There is one statement only, and it stands on the command line.
    Unneeded,
}

/// The answers on their way to the terminal.
#[derive(Debug)]
pub struct Page {
    position: Position,
    /// Was the last answer more than a line?
    was_block: bool,
    is_empty: bool,
}

impl Page {
    #[must_use]
    pub const fn new(position: Position) -> Self {
        Self { position, was_block: false, is_empty: true }
    }

    /// One statement's answer.
    pub fn statement(
        &mut self,
        style: Style,
        report: &Report<'_>,
        places: &Places<'_>,
        with_reasons: bool,
    ) -> String {
        let mut lines = Lines { style, text: String::new() };
        let mistake = report.mistake(places);
        match &mistake {
            Some(found) => finding::write(&mut lines.text, style, report.label, report.text, found),
            None => lines.add(0, &self.heading(style, report)),
        }
        if with_reasons && report.checked.outcome != Outcome::Error {
            let reasons = report.reasons();
            lines.text.push_str(&explain_tree::tree(style, report.policy, &report.identity.user, &reasons));
        }
        let remedy = report.remedy();
        match report.checked.outcome {
            Outcome::Allowed => lines.obligations(report),
            Outcome::Denied if !with_reasons => lines.refusal(report, &report.reasons(), remedy.as_ref()),
            Outcome::Denied => {}
            Outcome::Error if mistake.is_none() => lines.hint(report),
            Outcome::Error => {}
        }
        if let Some(remedy) = &remedy {
            lines.remedy(report, remedy);
        }
        let is_block = lines.text.lines().count() > 1;
        let gap = if !self.is_empty && (is_block || self.was_block) { "\n" } else { "" };
        self.was_block = is_block;
        self.is_empty = false;
        format!("{gap}{}", lines.text)
    }

    fn heading(&self, style: Style, report: &Report<'_>) -> String {
        let mut out = String::new();
        if self.position == Position::Shown {
            let position = format!("{}:{}", printable(report.label), report.place.line);
            let _ = write!(out, "{}  ", style.paint(Paint::Heading, &position));
        }
        let checked = &report.checked;
        let paint = if checked.is_allowed() { Paint::Good } else { Paint::Bad };
        let _ = write!(out, "{}", style.paint(paint, checked.outcome.as_str()));
        out.push_str(&" ".repeat(9 - checked.outcome.as_str().len()));
        let missing = report.missing_sentence();
        match (checked.outcome, &checked.problem, &missing) {
            (Outcome::Denied, _, Some(missing)) => out.push_str(&printable(missing)),
            (Outcome::Denied | Outcome::Error, Some(problem), _) => {
                out.push_str(&printable(&problem.message))
            }
            _ => {
                let operation = checked.effects.as_ref().map(|effects| effects.operation.as_str());
                out.push_str(operation.unwrap_or_default());
            }
        }
        if checked.is_allowed() && missing.is_none() && self.position == Position::Shown {
            let statement = report.span.text(report.text).split_whitespace().collect::<Vec<_>>().join(" ");
            let room = style.width.saturating_sub(shown_width(&out) + 2);
            if room > 8 {
                let statement = shortened(&printable(&statement), room);
                let _ = write!(out, "  {}", style.paint(Paint::Dim, &statement));
            }
        }
        if checked.is_allowed()
            && let Some(missing) = &missing
        {
            let _ = write!(out, "  though what it explains {}", printable(missing));
        }
        out
    }

    /// What came of all of it: `12 files, 148 statements, 3 denied`.
    pub fn total(&self, style: Style, counts: Summary, elapsed: Duration) -> String {
        if self.position == Position::Unneeded {
            return String::new();
        }
        let counted = |count: u64, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        let mut parts = Vec::new();
        if counts.files > 0 {
            parts.push(counted(counts.files, "file"));
        }
        parts.push(counted(counts.statements, "statement"));
        if counts.statements > 0 && counts.denied + counts.errors + counts.unreadable_files == 0 {
            parts.push(style.paint(Paint::Good, "all allowed"));
        }
        if counts.denied > 0 {
            parts.push(style.paint(Paint::Bad, &format!("{} denied", counts.denied)));
        }
        if counts.errors > 0 {
            parts.push(style.paint(Paint::Bad, &counted(counts.errors, "error")));
        }
        if counts.unreadable_files > 0 {
            parts.push(style.paint(Paint::Bad, &format!("{} unreadable", counts.unreadable_files)));
        }
        let facts = parts.join(", ");
        let time = format!("{} ms", elapsed.as_millis());
        let gap = style.width.min(100).saturating_sub(shown_width(&facts) + time.len()).max(3);
        let before = if self.is_empty { "" } else { "\n" };
        format!("{before}{facts}{:gap$}{}\n", "", style.paint(Paint::Dim, &time))
    }
}

/// Lines no wider than the terminal.
struct Lines {
    style: Style,
    text: String,
}

impl Lines {
    fn add(&mut self, indent: usize, text: &str) {
        let width = self.style.width.saturating_sub(indent);
        for line in hanging(text, width, 2) {
            let _ = writeln!(self.text, "{:indent$}{line}", "");
        }
    }

    fn obligations(&mut self, report: &Report<'_>) {
        for obligation in &report.checked.decision.obligations {
            self.add(INDENT, &obligation_text(self.style, obligation));
        }
    }

    fn hint(&mut self, report: &Report<'_>) {
        if let Some(hint) = report.checked.problem.as_ref().and_then(|problem| problem.hint.as_deref()) {
            self.add(INDENT, &printable(hint));
        }
    }

    /// What is held instead, or the denials where nothing but these refuses it.
    fn refusal(&mut self, report: &Report<'_>, reasons: &[Explained], remedy: Option<&Remedy>) {
        let has_grants = matches!(remedy, Some(Remedy::Change { grants, .. }) if !grants.is_empty());
        let mut said = Vec::new();
        for reason in reasons.iter().filter(|reason| !reason.missing.is_empty()) {
            let lines = match reason.basis {
                Basis::Denied if !has_grants => {
                    reason.entries.iter().map(|held| denial_text(report.policy, held)).collect()
                }
                _ => nearby_lines(report, reason),
            };
            for line in lines {
                if !said.contains(&line) {
                    self.add(INDENT, &printable(&line));
                    said.push(line);
                }
            }
        }
        if reasons.is_empty() {
            self.hint(report);
        }
    }

    fn remedy(&mut self, report: &Report<'_>, remedy: &Remedy) {
        let (grants, denials) = match remedy {
            Remedy::SwitchRolesOn => {
                let user = printable(&report.identity.user);
                self.add(INDENT, &format!("it would be allowed with every role of {user} switched on"));
                return;
            }
            Remedy::Change { grants, denials } => (grants, denials),
        };
        for statement in entry_statements(report.policy, grants) {
            let statement = self.style.paint(Paint::Name, &printable(&statement));
            self.add(INDENT, &format!("least grant that would allow it:  {statement}"));
        }
        if grants.is_empty() {
            self.add(INDENT, "no grant helps while that stands");
            return;
        }
        for held in denials {
            let text = format!("or: {} would still refuse it", denial_text(report.policy, held));
            self.add(INDENT, &printable(&text));
        }
    }
}

fn nearby_lines(report: &Report<'_>, reason: &Explained) -> Vec<String> {
    let resource = &reason.requirement.resource;
    match reason.requirement.right {
        Right::Administration => {
            return vec!["it is for administrators, the members of role admin".to_owned()];
        }
        Right::Ownership => return vec![format!("{} does not own {resource}", report.identity.user)],
        Right::Nobody(_) => return vec!["the rule book allows it to nobody".to_owned()],
        Right::AnyOf { .. } => {}
    }
    if reason.nearby.is_empty() {
        return vec![format!("{} holds nothing on {resource}", report.identity.user)];
    }
    let groups = grouped(&reason.nearby);
    let more = groups.len().saturating_sub(NEARBY_SHOWN);
    let mut lines: Vec<String> = groups
        .iter()
        .take(NEARBY_SHOWN)
        .map(|(path, entries)| format!("{}: {}", path_text(path), privileges_text(report.policy, entries)))
        .collect();
    if more > 0 {
        lines.push(format!("and {more} more; `--explain` shows all"));
    }
    lines
}

/// The entries of one way together, in their order.
fn grouped(held: &[Held]) -> Vec<(Vec<Principal>, Vec<Entry>)> {
    let mut groups: Vec<(Vec<Principal>, Vec<Entry>)> = Vec::new();
    for held in held {
        match groups.iter_mut().find(|(path, _)| *path == held.path) {
            Some((_, entries)) => entries.push(held.entry.clone()),
            None => groups.push((held.path.clone(), vec![held.entry.clone()])),
        }
    }
    groups
}

/// `ana is in group analysts, which holds role reader`.
pub fn path_text(path: &[Principal]) -> String {
    let Some((user, rest)) = path.split_first() else { return String::new() };
    let mut out = user.name().to_owned();
    for (place, principal) in rest.iter().enumerate() {
        let verb = match principal {
            Principal::Group(_) => "is in",
            _ if *principal == Principal::public() => "is in, as everybody,",
            _ => "holds",
        };
        let link = if place == 0 { " " } else { ", which " };
        let _ = write!(out, "{link}{verb} {principal}");
    }
    if rest.is_empty() { format!("{out} holds") } else { out }
}

/// `SELECT (name, dept) on TABLE hr.emp (entries 17, 18)`.
pub fn privileges_text(policy: &Policy, entries: &[Entry]) -> String {
    let ids: Vec<String> = entries.iter().map(|entry| entry.id.0.to_string()).collect();
    let of = format!("({} {})", if ids.len() == 1 { "entry" } else { "entries" }, ids.join(", "));
    let statements = entry_statements(policy, entries);
    let texts: Vec<&str> = statements
        .iter()
        .map(|statement| {
            let text = statement.strip_prefix("GRANT ").unwrap_or(statement);
            text.split_once(" TO ").map_or(text, |(what, _)| what)
        })
        .collect();
    format!("{} {of}", texts.join("; "))
}

/// `hr.emp.ssn carries tag pii; DENY SELECT ON TAG pii TO GROUP analysts (entry 40)`.
pub fn denial_text(policy: &Policy, held: &Held) -> String {
    let statement = entry_statements(policy, std::slice::from_ref(&held.entry)).join("; ");
    let carrier = held.carrier.as_ref().map(|carrier| {
        let tag = held.entry.scope.to_string().to_lowercase();
        format!("{carrier} carries {tag}; ")
    });
    let member = match held.path.as_slice() {
        [_] | [] => String::new(),
        path => format!("{}: ", path_text(path)),
    };
    format!("{}{member}{statement} ({})", carrier.unwrap_or_default(), held.entry.id)
}

/// What has to be done to what is read.
pub fn obligation_text(style: Style, obligation: &Obligation) -> String {
    match obligation {
        Obligation::Filter { table, policy, condition } => format!(
            "{}  only rows where {}  {}",
            style.paint(Paint::Name, &printable(&table.to_string())),
            printable(condition),
            style.paint(Paint::Dim, &printable(&format!("row filter {policy}")))
        ),
        Obligation::Mask { table, column, policy, expression } => format!(
            "{}  shown as {}  {}",
            style.paint(Paint::Name, &printable(&format!("{table}.{column}"))),
            printable(expression),
            style.paint(Paint::Dim, &printable(&format!("column mask {policy}")))
        ),
    }
}
