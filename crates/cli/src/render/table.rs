//! Effects for people: answers first, one line a fact, nothing wider than the terminal.

use std::fmt::Write as _;

use guardbee_analysis::effects::{
    Access, Command, Destination, Effects, FunctionOrigin, Influence, Masking, Object, Origin,
    PartitionValues, Purpose, Read, Target, TargetColumn, Write, WriteAction,
};

use super::Report;
use super::finding::{self, printable};
use crate::place::Places;
use crate::terminal::{Paint, Style};

/// How many columns of one target are shown; the other formats have them all.
const COLUMNS_SHOWN: usize = 60;
/// How many columns of one read are shown.
const READ_COLUMNS_SHOWN: usize = 24;
/// The longest expression shown.
const EXPRESSION_WIDTH: usize = 60;

/// Writes one statement: its head, what it reads and writes, where columns come from, its findings.
pub fn write(out: &mut String, style: Style, report: &Report<'_>) {
    if let Some(effects) = &report.analysis.effects {
        write_head(out, style, report, effects);
        let mut facts = Facts { out, style };
        facts.reads(effects);
        facts.writes(effects);
        facts.functions(effects);
        facts.commands(effects);
        for target in &effects.targets {
            facts.target(target, effects.targets.len() > 1);
        }
    }
    let mut places = Places::new(report.text);
    for diagnostic in &report.analysis.diagnostics {
        finding::write(out, style, report.label, report.text, &mut places, diagnostic);
    }
    if !out.is_empty() {
        out.push('\n');
    }
}

fn write_head(out: &mut String, style: Style, report: &Report<'_>, effects: &Effects) {
    let position = format!("{}:{}", report.label, report.place.line);
    let operation = effects.operation.as_str();
    let verb = first_word(report.span.text(report.text));
    let head = if operation.eq_ignore_ascii_case(&verb) {
        operation.to_owned()
    } else {
        format!("{verb}  {operation}")
    };
    let _ = writeln!(out, "{}  {head}", style.paint(Paint::Heading, &position));
}

/// The statement's first word in upper case, comments before it passed over.
fn first_word(statement: &str) -> String {
    let mut rest = statement.trim_start();
    while let Some(comment) = rest.strip_prefix("--") {
        rest = comment.split_once('\n').map_or("", |(_, after)| after).trim_start();
    }
    let word: String = rest
        .chars()
        .take_while(|character| character.is_alphanumeric() || "_!".contains(*character))
        .collect();
    word.to_uppercase()
}

struct Facts<'o> {
    out: &'o mut String,
    style: Style,
}

impl Facts<'_> {
    fn reads(&mut self, effects: &Effects) {
        let direct: Vec<String> = effects
            .reads
            .iter()
            .filter(|read| is_shown(&read.object) && read.access.is_direct())
            .map(|read| self.read(read))
            .collect();
        self.line("reads", &direct, "   ");
        for read in effects.reads.iter().filter(|read| is_shown(&read.object)) {
            if let Access::Through(views) = &read.access {
                let views: Vec<String> = views.iter().map(|view| printable(&view.to_string())).collect();
                let text = format!("{}   through {}", self.read(read), views.join(" > "));
                self.line("", &[text], "");
            }
        }
    }

    fn read(&self, read: &Read) -> String {
        let name = self.style.paint(Paint::Name, &printable(&read.object.to_string()));
        let mut columns: Vec<String> = read
            .columns
            .iter()
            .take(READ_COLUMNS_SHOWN)
            .map(|column| printable(&column.name) + if column.is_dropped() { " (dropped)" } else { "" })
            .collect();
        if read.columns.len() > READ_COLUMNS_SHOWN {
            columns.push(format!("… {} more", read.columns.len() - READ_COLUMNS_SHOWN));
        }
        let mut text = name;
        if !columns.is_empty() {
            let _ = write!(text, " ({})", columns.join(", "));
        }
        for partition in &read.partitions {
            let _ = write!(text, " {}", partition_text(partition));
        }
        text
    }

    fn writes(&mut self, effects: &Effects) {
        let items: Vec<String> = effects
            .writes
            .iter()
            .filter(|write| {
                is_shown(&write.object)
                    && !matches!(write.action, WriteAction::CreateInside | WriteAction::AlterInside)
            })
            .map(|write| self.written(write))
            .collect();
        self.line("writes", &items, "   ");
    }

    fn written(&self, write: &Write) -> String {
        let mut text = self.style.paint(Paint::Name, &printable(&write.object.to_string()));
        for partition in &write.partitions {
            let _ = write!(text, "  {}", partition_text(partition));
        }
        if !write.columns.is_empty() {
            let columns: Vec<String> = write.columns.iter().map(|column| printable(column)).collect();
            let _ = write!(text, " ({})", columns.join(", "));
        }
        let _ = write!(text, " ({})", write.action.as_str());
        text
    }

    /// Only functions that somebody made: the built-in ones are no news.
    fn functions(&mut self, effects: &Effects) {
        let items: Vec<String> = effects
            .functions
            .iter()
            .filter_map(|function| {
                let origin = match function.origin {
                    FunctionOrigin::BuiltIn => return None,
                    FunctionOrigin::User => "user function",
                    FunctionOrigin::Macro => "macro",
                    FunctionOrigin::Unknown => "unknown function",
                };
                Some(format!("{} ({origin})", printable(&function.function.to_string())))
            })
            .collect();
        self.line("calls", &items, "   ");
    }

    fn commands(&mut self, effects: &Effects) {
        for command in &effects.commands {
            let (word, text) = match command {
                Command::AddResource(path) => ("adds", path.to_string()),
                Command::DeleteResource(path) => ("removes", path.to_string()),
                Command::FileSystem(arguments) => ("dfs", arguments.to_string()),
                Command::Shell(line) => ("shell", line.to_string()),
                Command::Script(line) => ("script", line.to_string()),
                Command::Setting { key, value } => ("sets", format!("{key} = {value}")),
                Command::Source(file) => ("runs", file.to_string()),
                Command::Compile => ("compiles", "code into the server".to_owned()),
                Command::Other(word) => ("asks", word.to_string()),
            };
            self.line(word, &[printable(&text)], "");
        }
    }

    fn target(&mut self, target: &Target, is_one_of_several: bool) {
        if is_one_of_several {
            let name = destination(&target.destination);
            let partition = if target.partition.is_empty() {
                String::new()
            } else {
                format!("  {}", partition_text(&target.partition))
            };
            let _ = writeln!(self.out, "  into {}{partition}", self.style.paint(Paint::Name, &name));
        }
        self.columns(&target.columns);
        self.influences(&target.influences);
    }

    fn columns(&mut self, columns: &[TargetColumn]) {
        let shown = columns.get(..COLUMNS_SHOWN.min(columns.len())).unwrap_or(columns);
        let rows: Vec<(String, String, String)> = shown.iter().map(column_row).collect();
        let name_width = rows.iter().map(|row| row.0.chars().count()).max().unwrap_or(0).min(30);
        let source_width =
            rows.iter().map(|row| row.1.chars().count()).max().unwrap_or(0).min(self.style.width / 2);
        for (name, sources, how) in rows {
            let text = format!("  {name:name_width$}  <- {sources:source_width$}   {how}");
            self.wrapped(text.trim_end(), name_width + 7);
        }
        if columns.len() > shown.len() {
            let more = format!("  … {} more columns (--format json has all)", columns.len() - shown.len());
            let _ = writeln!(self.out, "{}", self.style.paint(Paint::Dim, &more));
        }
    }

    fn influences(&mut self, influences: &[Influence]) {
        let phrases: Vec<String> = [
            (Purpose::Filter, "filtered by"),
            (Purpose::Join, "joined on"),
            (Purpose::GroupBy, "grouped by"),
            (Purpose::Sort, "sorted by"),
            (Purpose::Window, "windowed by"),
            (Purpose::Conditional, "chosen by"),
        ]
        .into_iter()
        .filter_map(|(purpose, words)| {
            let columns: Vec<String> = influences
                .iter()
                .filter(|influence| influence.purpose == purpose)
                .map(|influence| origin(&influence.origin))
                .collect();
            (!columns.is_empty()).then(|| format!("{words} {}", columns.join(", ")))
        })
        .collect();
        if !phrases.is_empty() {
            self.wrapped(&format!("  {}", phrases.join("; ")), 4);
        }
    }

    /// `  label   item   item`, broken between items where it gets too wide.
    fn line(&mut self, label: &str, items: &[String], gap: &str) {
        if items.is_empty() {
            return;
        }
        let lead = format!("  {label:7} ");
        self.wrapped(&(lead + &items.join(gap)), 10);
    }

    /// Writes a line, broken at blanks so that it fits, with the rest hanging at `indent`.
    fn wrapped(&mut self, text: &str, indent: usize) {
        let mut width = 0;
        let lead = text.len() - text.trim_start().len();
        for (index, word) in text.split_inclusive(' ').enumerate() {
            let length = shown_width(word.trim_end());
            if index > lead && width > indent && width + length > self.style.width {
                while self.out.ends_with(' ') {
                    self.out.pop();
                }
                let _ = write!(self.out, "\n{}", " ".repeat(indent));
                width = indent;
                if word.trim().is_empty() {
                    continue;
                }
            }
            self.out.push_str(word);
            width += length + word.len() - word.trim_end().len();
        }
        while self.out.ends_with(' ') {
            self.out.pop();
        }
        self.out.push('\n');
    }
}

/// Characters that take room; the codes of colours take none.
fn shown_width(word: &str) -> usize {
    let mut width = 0;
    let mut is_code = false;
    for character in word.chars() {
        match character {
            '\x1b' => is_code = true,
            'm' if is_code => is_code = false,
            _ if is_code => {}
            _ => width += 1,
        }
    }
    width
}

/// The databases that Hive lists beside tables say nothing to a reader.
const fn is_shown(object: &Object) -> bool {
    !matches!(object, Object::Server)
}

fn column_row(column: &TargetColumn) -> (String, String, String) {
    let sources: Vec<String> = column.sources.iter().map(|source| origin(&source.origin)).collect();
    let sources = if sources.is_empty() { "(no column)".to_owned() } else { sources.join(", ") };
    let derivation = column.sources.iter().map(|source| source.derivation).max();
    let mut how = derivation
        .map_or("constant", |derivation| match derivation {
            guardbee_analysis::effects::Derivation::Identity => "identity",
            guardbee_analysis::effects::Derivation::Transformation => "transformation",
            guardbee_analysis::effects::Derivation::Aggregation => "aggregation",
        })
        .to_owned();
    if !column.sources.is_empty() && column.sources.iter().all(|source| source.masking == Masking::Masked) {
        how.push_str(", masked");
    }
    if let Some(expression) = &column.expression {
        let _ = write!(how, "  {}", shortened(expression));
    }
    (printable(&column.name), sources, how)
}

fn shortened(expression: &str) -> String {
    let flat: Vec<&str> = expression.split_whitespace().collect();
    let flat = printable(&flat.join(" "));
    match flat.char_indices().nth(EXPRESSION_WIDTH) {
        Some((end, _)) => format!("{}…", flat.get(..end).unwrap_or(&flat)),
        None => flat,
    }
}

/// An origin as people read it; what the text alone cannot place has a question mark.
#[must_use]
pub fn origin(origin: &Origin) -> String {
    let text = match origin {
        Origin::Column { table, column } => format!("{table}.{column}"),
        Origin::FileColumn { path, column } => format!("{path}#{column}"),
        Origin::WholeTable(table) => format!("{table}.*"),
        Origin::Unresolved { column, candidates } if candidates.is_empty() => format!("?.{column}"),
        Origin::Unresolved { column, candidates } => {
            let tables: Vec<String> = candidates.iter().map(ToString::to_string).collect();
            format!("?.{column} ({})", tables.join(" or "))
        }
    };
    printable(&text)
}

/// Where rows go, as people read it.
#[must_use]
pub fn destination(destination: &Destination) -> String {
    match destination {
        Destination::Table(table) => printable(&table.to_string()),
        Destination::Directory(path) => printable(path),
        Destination::Result => "result".to_owned(),
    }
}

fn partition_text(values: &PartitionValues) -> String {
    let parts: Vec<String> = values
        .iter()
        .map(|(column, value)| match value {
            Some(value) => format!("{}='{}'", printable(column), printable(value)),
            None => format!("{} (dynamic)", printable(column)),
        })
        .collect();
    format!("partition {}", parts.join(", "))
}
