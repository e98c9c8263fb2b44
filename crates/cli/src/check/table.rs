//! Answers for people: the verdict first, then what it rests on, then what would change it.

use std::fmt::Write as _;
use std::time::Duration;

use guardbee_model::{Severity, Span};

use super::explain_tree;
use crate::place::Place;
use crate::render::finding::{self, Mark};
use crate::terminal::{Paint, Style, hanging, printable, shortened, shown_width};
use crate::wire::check::{
    Advice, Basis, DataObligation, HeldEntry, ObligationKind, PrincipalName, PrincipalType, Reason,
    RightKind, Statement, Summary, Verdict, Way,
};

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

/// How much of what an answer rests on is told?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Explanation {
    Short,
    Whole,
}

/// An answer about a statement, with what was asked.
pub struct Answered<'a> {
    pub statement: &'a Statement,
    pub user: &'a str,
    /// The text that the statement stands in.
    pub text: &'a str,
    /// Where it stands there.
    pub span: Span,
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
    pub fn statement(&mut self, style: Style, answered: &Answered<'_>, explanation: Explanation) -> String {
        let statement = answered.statement;
        let mut lines = Lines { style, text: String::new() };
        let mistake = statement.mistake();
        match mistake {
            Some(found) => {
                // Whatever keeps the statement from running is an error here.
                let mark = Mark {
                    place: Place { line: found.line, column: found.column },
                    severity: Severity::Error,
                    message: &found.message,
                    hint: found.hint.as_deref(),
                    span: Span::new(found.start, found.end),
                };
                finding::write_mark(&mut lines.text, style, &statement.file, answered.text, &mark);
            }
            None => lines.add(0, &self.heading(style, answered)),
        }
        if explanation == Explanation::Whole && statement.outcome != Verdict::Error {
            lines.text.push_str(&explain_tree::tree(style, answered.user, &statement.reasons));
        }
        match (statement.outcome, explanation) {
            (Verdict::Allowed, _) => lines.obligations(statement),
            (Verdict::Denied, Explanation::Short) => lines.refusal(statement, answered.user),
            (Verdict::Error, _) if mistake.is_none() => lines.hint(statement),
            (Verdict::Denied | Verdict::Error, _) => {}
        }
        if let Some(remedy) = &statement.remedy {
            lines.remedy(remedy, answered.user);
        }
        let is_block = lines.text.lines().count() > 1;
        let gap = if !self.is_empty && (is_block || self.was_block) { "\n" } else { "" };
        self.was_block = is_block;
        self.is_empty = false;
        format!("{gap}{}", lines.text)
    }

    fn heading(&self, style: Style, answered: &Answered<'_>) -> String {
        let statement = answered.statement;
        let mut out = String::new();
        if self.position == Position::Shown {
            let position = format!("{}:{}", printable(&statement.file), statement.line);
            let _ = write!(out, "{}  ", style.paint(Paint::Heading, &position));
        }
        let verdict = statement.outcome.as_str();
        let paint = if statement.is_allowed() { Paint::Good } else { Paint::Bad };
        let _ = write!(out, "{}", style.paint(paint, verdict));
        out.push_str(&" ".repeat(9 - verdict.len()));
        let missing = statement.missing_sentence();
        match (statement.outcome, &statement.problem, &missing) {
            (Verdict::Denied, _, Some(missing)) => out.push_str(&printable(missing)),
            (Verdict::Denied | Verdict::Error, Some(problem), _) => {
                out.push_str(&printable(&problem.message));
            }
            _ => out.push_str(statement.operation.as_deref().unwrap_or_default()),
        }
        if statement.is_allowed() && missing.is_none() && self.position == Position::Shown {
            let text = answered.span.text(answered.text).split_whitespace().collect::<Vec<_>>().join(" ");
            let room = style.width.saturating_sub(shown_width(&out) + 2);
            if room > 8 {
                let text = shortened(&printable(&text), room);
                let _ = write!(out, "  {}", style.paint(Paint::Dim, &text));
            }
        }
        if statement.is_allowed()
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

    fn obligations(&mut self, statement: &Statement) {
        for obligation in &statement.obligations {
            self.add(INDENT, &obligation_text(self.style, obligation));
        }
    }

    fn hint(&mut self, statement: &Statement) {
        if let Some(hint) = statement.problem.as_ref().and_then(|problem| problem.hint.as_deref()) {
            self.add(INDENT, &printable(hint));
        }
    }

    /// What is held instead, or the denials where nothing but these refuses it.
    fn refusal(&mut self, statement: &Statement, user: &str) {
        let has_grants = statement.remedy.as_ref().is_some_and(Advice::has_grants);
        let mut said = Vec::new();
        for reason in statement.reasons.iter().filter(|reason| !reason.held) {
            let lines = match reason.basis {
                Basis::Denied if !has_grants => reason.entries.iter().map(denial_text).collect(),
                _ => nearby_lines(reason, user),
            };
            for line in lines {
                if !said.contains(&line) {
                    self.add(INDENT, &printable(&line));
                    said.push(line);
                }
            }
        }
        if statement.reasons.is_empty() {
            self.hint(statement);
        }
    }

    fn remedy(&mut self, remedy: &Advice, user: &str) {
        if remedy.switch_roles_on {
            let user = printable(user);
            self.add(INDENT, &format!("it would be allowed with every role of {user} switched on"));
            return;
        }
        for statement in &remedy.grants {
            let statement = self.style.paint(Paint::Name, &printable(statement));
            self.add(INDENT, &format!("least grant that would allow it:  {statement}"));
        }
        if !remedy.has_grants() {
            self.add(INDENT, "no grant helps while that stands");
            return;
        }
        for held in &remedy.denials {
            let text = format!("or: {} would still refuse it", denial_text(held));
            self.add(INDENT, &printable(&text));
        }
    }
}

fn nearby_lines(reason: &Reason, user: &str) -> Vec<String> {
    let object = &reason.object;
    match reason.kind {
        RightKind::Administration => {
            return vec!["it is for administrators, the members of role admin".to_owned()];
        }
        RightKind::Ownership => return vec![format!("{user} does not own {object}")],
        RightKind::Nobody => return vec!["the rule book allows it to nobody".to_owned()],
        RightKind::Privilege => {}
    }
    let ways = &reason.nearby_ways;
    if ways.is_empty() {
        return vec![format!("{user} holds nothing on {object}")];
    }
    let mut lines: Vec<String> = ways.iter().take(NEARBY_SHOWN).map(way_text).collect();
    let more = ways.len().saturating_sub(NEARBY_SHOWN);
    if more > 0 {
        lines.push(format!("and {more} more; `--explain` shows all"));
    }
    lines
}

/// `ana is in group analysts, which holds role reader`.
pub fn path_text(path: &[PrincipalName]) -> String {
    let Some((user, rest)) = path.split_first() else { return String::new() };
    let mut out = user.name.clone();
    for (place, principal) in rest.iter().enumerate() {
        let verb = match principal.principal_type {
            PrincipalType::Group => "is in",
            _ if principal.is_public() => "is in, as everybody,",
            PrincipalType::User | PrincipalType::Role => "holds",
        };
        let link = if place == 0 { " " } else { ", which " };
        let _ = write!(out, "{link}{verb} {principal}");
    }
    if rest.is_empty() { format!("{out} holds") } else { out }
}

/// `ana holds role reader: SELECT (name, dept) on TABLE hr.emp (entries 17, 18)`.
fn way_text(way: &Way) -> String {
    let ids: Vec<String> = way.entries.iter().map(u64::to_string).collect();
    let word = if ids.len() == 1 { "entry" } else { "entries" };
    let without_holder = |statement: &String| {
        let text = statement.strip_prefix("GRANT ").unwrap_or(statement);
        text.split_once(" TO ").map_or(text, |(what, _)| what).to_owned()
    };
    let texts: Vec<String> = way.sql.iter().map(without_holder).collect();
    format!("{}: {} ({word} {})", path_text(&way.path), texts.join("; "), ids.join(", "))
}

/// `hr.emp.ssn carries tag pii; DENY SELECT ON TAG pii TO GROUP analysts (entry 40)`.
pub fn denial_text(held: &HeldEntry) -> String {
    let carrier = held.carrier.as_ref().map(|carrier| {
        let tag = held.tag.as_deref().unwrap_or_default().to_lowercase();
        format!("{carrier} carries {tag}; ")
    });
    let member = match held.path.as_slice() {
        [_] | [] => String::new(),
        path => format!("{}: ", path_text(path)),
    };
    let statement = held.sql.as_deref().unwrap_or_default();
    format!("{}{member}{statement} (entry {})", carrier.unwrap_or_default(), held.entry)
}

/// What has to be done to what is read.
pub fn obligation_text(style: Style, obligation: &DataObligation) -> String {
    let DataObligation { kind, table, column, expression, policy } = obligation;
    let name = column.as_ref().map_or_else(|| table.clone(), |column| format!("{table}.{column}"));
    let (verb, rule) = match kind {
        ObligationKind::RowFilter => ("only rows where", "row filter"),
        ObligationKind::ColumnMask => ("shown as", "column mask"),
    };
    format!(
        "{}  {verb} {}  {}",
        style.paint(Paint::Name, &printable(&name)),
        printable(expression),
        style.paint(Paint::Dim, &printable(&format!("{rule} {policy}")))
    )
}
