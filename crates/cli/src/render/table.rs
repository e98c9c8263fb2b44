//! Effects for people: answers first, one line a fact, nothing wider than the terminal.

use std::fmt::Write as _;

use guardbee_analysis::effects::{
    Access, ColumnRead, Command, DatasetKind, Effects, FunctionOrigin, Object, PartitionValues, Read, Target,
    Write, WriteAction,
};

use guardbee_model::{DiagnosticCode, Severity};

use super::{columns, finding, words};
use crate::reading::{Finding, Report};
use crate::run::Rendered;
use crate::terminal::{Paint, Style, hanging, printable, shown_width};

/// How many columns of one read are shown; the other formats have them all.
const READ_COLUMNS_SHOWN: usize = 24;
/// How many partitions of one object are shown.
const PARTITIONS_SHOWN: usize = 3;
/// Where facts start, past their labels.
const FACT_INDENT: usize = 10;

/// The statements of one input on their way to the terminal.
#[derive(Debug, Default)]
pub struct Page {
    text: String,
    /// How the last statement was written.
    last: Shape,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// There was none yet.
    #[default]
    None,
    /// One line; such lines follow one another without a gap.
    Line,
    Block,
}

impl Rendered for Page {
    fn size_bytes(&self) -> usize {
        self.text.len()
    }

    fn hand_over(&mut self) -> Self {
        let next = Self { text: String::new(), last: self.last };
        std::mem::replace(self, next)
    }

    fn end_input(&mut self) {
        if self.last == Shape::Line {
            self.text.push('\n');
        }
    }
}

impl Page {
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Adds one statement: its head, what it reads and writes, where columns come from, its findings.
    pub fn add(&mut self, style: Style, report: &Report<'_>) {
        let mut block = String::new();
        let shape = write_statement(&mut block, style, report);
        if self.last == Shape::Line && shape == Shape::Block {
            self.text.push('\n');
        }
        self.text.push_str(&block);
        if shape == Shape::Block {
            self.text.push('\n');
        }
        self.last = shape;
    }
}

fn write_statement(out: &mut String, style: Style, report: &Report<'_>) -> Shape {
    let mut lines = 0;
    if let Some(effects) = &report.effects {
        let position = format!("{}:{}", printable(report.label), report.place.line);
        let head = words::head(report.statement(), effects);
        let mut facts = Facts { out: String::new(), style };
        facts.write(effects);
        let _ = write!(out, "{}  {head}", style.paint(Paint::Heading, &position));
        if let (Some(command), true) = (only_command(effects), facts.out.is_empty()) {
            let _ = write!(out, "  {command}");
        }
        let _ = write!(out, "\n{}", facts.out);
        lines += 1 + facts.out.lines().count();
    }
    for found in report.findings.iter().filter(|found| !found.is_repeated && !is_marked(found, report)) {
        finding::write(out, style, report.label, report.text, found);
        lines += 2;
    }
    if lines > 1 { Shape::Block } else { Shape::Line }
}

/// A command that does nothing else says so on the line of its head.
fn only_command(effects: &Effects) -> Option<String> {
    let [command] = effects.commands.as_slice() else { return None };
    let is_alone = effects.reads.is_empty() && effects.writes.is_empty() && effects.targets.is_empty();
    is_alone.then(|| words::command(command).1)
}

/// Is it said in the facts already that the table is not known? Where another name comes near, there is
/// more to say.
fn is_marked(found: &Finding, report: &Report<'_>) -> bool {
    let is_unknown = found.diagnostic.code == DiagnosticCode::UNKNOWN_TABLE
        && found.diagnostic.severity == Severity::Warning;
    let has_suggestion = found.diagnostic.hint.as_deref().is_some_and(|hint| hint.contains("did you mean"));
    let has_mark = report.effects.as_ref().is_some_and(|effects| {
        effects.reads.iter().any(|read| is_unknown_table(&read.object, read.kind))
            || effects.writes.iter().any(|write| is_unknown_table(&write.object, write.kind))
    });
    is_unknown && !has_suggestion && has_mark
}

fn is_unknown_table(object: &Object, kind: DatasetKind) -> bool {
    kind == DatasetKind::Unknown && matches!(object, Object::Table(_))
}

struct Facts {
    out: String,
    style: Style,
}

impl Facts {
    fn write(&mut self, effects: &Effects) {
        self.reads(effects);
        self.writes(effects);
        self.functions(effects);
        self.commands(effects);
        let is_one_of_several = effects.targets.len() > 1;
        for target in &effects.targets {
            let indent = if is_one_of_several { self.target_head(target) } else { 2 };
            columns::write(&mut self.out, self.style, target, indent);
        }
    }

    fn reads(&mut self, effects: &Effects) {
        let shown = || effects.reads.iter().filter(|read| read.object != Object::Server);
        let direct: Vec<String> =
            shown().filter(|read| read.access.is_direct()).map(|read| self.read(read)).collect();
        let through = shown().filter_map(|read| match &read.access {
            Access::Direct => None,
            Access::Through(views) => {
                let views: Vec<String> = views.iter().map(|view| printable(&view.to_string())).collect();
                Some(format!("{}  through {}", self.read(read), views.join(" > ")))
            }
        });
        let through: Vec<String> = through.collect();
        self.line("reads", &direct);
        for item in through {
            self.line(if direct.is_empty() { "reads" } else { "" }, &[item]);
        }
    }

    fn read(&self, read: &Read) -> String {
        let columns = columns_read(&read.columns);
        let mut text = self.style.paint(Paint::Name, &words::object(&read.object));
        if !columns.is_empty() {
            let _ = write!(text, " ({columns})");
        }
        text + &self.mark(&read.object, read.kind) + &partitions(&read.partitions)
    }

    fn writes(&mut self, effects: &Effects) {
        let items: Vec<String> = effects
            .writes
            .iter()
            .filter(|write| {
                write.object != Object::Server
                    && !matches!(write.action, WriteAction::CreateInside | WriteAction::AlterInside)
            })
            .map(|write| self.written(write))
            .collect();
        self.line("writes", &items);
    }

    fn written(&self, write: &Write) -> String {
        let mut text = self.style.paint(Paint::Name, &words::object(&write.object));
        if !write.columns.is_empty() {
            let columns: Vec<String> = write.columns.iter().map(|column| printable(column)).collect();
            let _ = write!(text, " ({})", columns.join(", "));
        }
        text.push_str(&self.mark(&write.object, write.kind));
        let _ = write!(text, "{} ({})", partitions(&write.partitions), write.action.as_str());
        text
    }

    fn mark(&self, object: &Object, kind: DatasetKind) -> String {
        match is_unknown_table(object, kind) {
            true => format!(" {}", self.style.paint(Paint::Warning, "[unknown]")),
            false => String::new(),
        }
    }

    /// Only functions that somebody made: the built-in ones are no news. One that is created is among the
    /// writes.
    fn functions(&mut self, effects: &Effects) {
        let is_written = |function| {
            effects
                .writes
                .iter()
                .any(|write| matches!(&write.object, Object::Function(name) if name == function))
        };
        let items: Vec<String> = effects
            .functions
            .iter()
            .filter(|function| !is_written(&function.function))
            .filter_map(|function| {
                let origin = match function.origin {
                    FunctionOrigin::BuiltIn => return None,
                    FunctionOrigin::User => "user function",
                    FunctionOrigin::Macro => "macro",
                    FunctionOrigin::Unknown => "unknown function",
                };
                let name = self.style.paint(Paint::Name, &printable(&function.function.to_string()));
                Some(format!("{name} ({origin})"))
            })
            .collect();
        self.line("calls", &items);
    }

    fn commands(&mut self, effects: &Effects) {
        if only_command(effects).is_some() {
            return;
        }
        let mut lines: Vec<(&str, Vec<String>)> = Vec::new();
        for command in effects.commands.iter().filter(|command| !matches!(command, Command::Setting { .. })) {
            let (word, text) = words::command(command);
            match lines.last_mut() {
                Some((last, items)) if *last == word => items.push(text),
                _ => lines.push((word, vec![text])),
            }
        }
        for (word, items) in lines {
            self.line(word, &items);
        }
    }

    /// Names one target of several, and says how far in its columns stand.
    fn target_head(&mut self, target: &Target) -> usize {
        let mut name = self.style.paint(Paint::Name, &words::destination(&target.destination));
        if !target.partition.is_empty() {
            let _ = write!(name, "  {}", words::partition(&target.partition));
        }
        self.line("into", &[format!("{name} ({})", target.action.as_str())]);
        4
    }

    /// `  label   item   item`: on one line where they fit it, else each on its own.
    fn line(&mut self, label: &str, items: &[String]) {
        if items.is_empty() {
            return;
        }
        let room = self.style.width.saturating_sub(FACT_INDENT);
        let joined = items.join("   ");
        let lines: Vec<String> = if shown_width(&joined) <= room {
            vec![joined]
        } else {
            items.iter().flat_map(|item| hanging(item, room, 2)).collect()
        };
        for (index, line) in lines.iter().enumerate() {
            let label = if index == 0 { label } else { "" };
            let _ = writeln!(self.out, "{}", format!("  {label:7} {line}").trim_end());
        }
    }
}

/// The columns that count, then those that an outer query drops.
fn columns_read(columns: &[ColumnRead]) -> String {
    let list = |is_dropped: bool| {
        let meant: Vec<&ColumnRead> =
            columns.iter().filter(|column| column.is_dropped() == is_dropped).collect();
        let mut names: Vec<String> =
            meant.iter().take(READ_COLUMNS_SHOWN).map(|column| printable(&column.name)).collect();
        if meant.len() > READ_COLUMNS_SHOWN {
            names.push(format!("… {} more", meant.len() - READ_COLUMNS_SHOWN));
        }
        names.join(", ")
    };
    match (list(false), list(true)) {
        (used, dropped) if dropped.is_empty() => used,
        (used, dropped) if used.is_empty() => format!("dropped: {dropped}"),
        (used, dropped) => format!("{used}; dropped: {dropped}"),
    }
}

fn partitions(partitions: &[PartitionValues]) -> String {
    let mut text = String::new();
    for partition in partitions.iter().take(PARTITIONS_SHOWN) {
        let _ = write!(text, "  {}", words::partition(partition));
    }
    if partitions.len() > PARTITIONS_SHOWN {
        let _ = write!(text, "  … {} more partitions", partitions.len() - PARTITIONS_SHOWN);
    }
    text
}
