//! Where the columns of a target come from: a row for each, its cells aligned.

use std::collections::HashSet;
use std::fmt::Write as _;

use guardbee_analysis::effects::{Influence, Origin, Purpose, Target, TargetColumn};

use super::words;
use crate::terminal::{Paint, Style, padded, printable, shortened, shown_width, wrapped};

/// How many columns of one target are shown; the other formats have them all.
const COLUMNS_SHOWN: usize = 60;
/// Longer names do not widen the first cell for all rows.
const WIDEST_NAME: usize = 30;
/// How much of an expression should be seen before the cell of sources takes more room.
const EXPRESSION_WANTED: usize = 24;
/// Less of an expression says nothing.
const SHORTEST_EXPRESSION: usize = 8;
const ARROW: &str = "  <- ";
const GAP: usize = 3;

/// Writes the columns of a target, and the columns that decide about all of them.
pub fn write(out: &mut String, style: Style, target: &Target, indent: usize) {
    let shown = target.columns.get(..COLUMNS_SHOWN.min(target.columns.len())).unwrap_or(&[]);
    let rows: Vec<Row> = shown.iter().map(Row::of).collect();
    let layout = Layout::of(&rows, style.width, indent);
    for row in &rows {
        layout.write(out, style, row);
    }
    if target.columns.len() > shown.len() {
        let more = format!("… {} more columns (--format json has all)", target.columns.len() - shown.len());
        let _ = writeln!(out, "{:indent$}{}", "", style.paint(Paint::Dim, &more));
    }
    write_influences(out, style, &target.influences, indent);
}

/// `filtered by a, b; joined on c`: on one line where that fits, else a line for each.
fn write_influences(out: &mut String, style: Style, influences: &[Influence], indent: usize) {
    let phrases = phrases(influences);
    let room = style.width.saturating_sub(indent);
    let joined = phrases.join("; ");
    let lines = if shown_width(&joined) <= room { vec![joined] } else { phrases };
    for line in lines.iter().filter(|line| !line.is_empty()) {
        for (index, part) in wrapped(line, room.saturating_sub(2)).iter().enumerate() {
            let hang = indent + if index == 0 { 0 } else { 2 };
            let _ = writeln!(out, "{:hang$}{part}", "");
        }
    }
}

fn phrases(influences: &[Influence]) -> Vec<String> {
    let phrase = |purpose: Purpose| {
        let meant = influences.iter().filter(|influence| influence.purpose == purpose);
        let columns = names(meant.map(|influence| &influence.origin));
        (!columns.is_empty()).then(|| format!("{} {}", words::purpose(purpose), columns.join(", ")))
    };
    Purpose::ALL.into_iter().filter_map(phrase).collect()
}

/// The names of columns, each once.
fn names<'o>(origins: impl Iterator<Item = &'o Origin>) -> Vec<String> {
    let mut seen = HashSet::new();
    origins.map(words::origin).filter(|name| seen.insert(name.clone())).collect()
}

struct Row {
    name: String,
    sources: String,
    derivation: String,
    expression: String,
    /// What decides about this column alone.
    decided: String,
}

impl Row {
    fn of(column: &TargetColumn) -> Self {
        let sources = names(column.sources.iter().map(|source| &source.origin));
        let name = printable(&column.name);
        Self {
            name: if name.is_empty() { "?".to_owned() } else { name },
            sources: if sources.is_empty() { "(no column)".to_owned() } else { sources.join(", ") },
            derivation: words::derivation(column),
            expression: column.expression.as_deref().map(flat).unwrap_or_default(),
            decided: phrases(&column.influences).join("; "),
        }
    }
}

/// An expression on one line. Of a long one the start is enough.
fn flat(expression: &str) -> String {
    let start: String = expression.chars().take(1000).collect();
    printable(&start.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// How wide the cells are.
struct Layout {
    indent: usize,
    name: usize,
    sources: usize,
    derivation: usize,
    /// What is left for expressions; nothing where they go onto lines of their own.
    expression: Option<usize>,
}

impl Layout {
    fn of(rows: &[Row], width: usize, indent: usize) -> Self {
        let widest =
            |cell: fn(&Row) -> &str| rows.iter().map(|row| shown_width(cell(row))).max().unwrap_or(0);
        let name = widest(|row| &row.name).min(WIDEST_NAME);
        let derivation = widest(|row| &row.derivation);
        let longest_source =
            rows.iter().flat_map(|row| row.sources.split(' ')).map(shown_width).max().unwrap_or(0);
        let expression = widest(|row| &row.expression);
        let room = width.saturating_sub(indent + name + ARROW.len());
        let wanted =
            derivation + GAP + if expression == 0 { 0 } else { 2 + expression.min(EXPRESSION_WANTED) };
        let sources = widest(|row| &row.sources).min(room.saturating_sub(wanted).max(longest_source));
        let left = room.checked_sub(sources + GAP + derivation);
        match left {
            Some(left) => Self { indent, name, sources, derivation, expression: Some(left) },
            None => Self { indent, name, sources: room, derivation, expression: None },
        }
    }

    fn write(&self, out: &mut String, style: Style, row: &Row) {
        let lead = format!("{:indent$}{}{ARROW}", "", padded(&row.name, self.name), indent = self.indent);
        let hang = self.indent + self.name + ARROW.len();
        let sources = wrapped(&row.sources, self.sources);
        let how = self.how(row);
        for (index, line) in sources.iter().enumerate() {
            let lead = if index == 0 { lead.clone() } else { " ".repeat(hang) };
            let line = match (index, self.expression) {
                (0, Some(_)) => format!("{lead}{}{:GAP$}{how}", padded(line, self.sources), ""),
                _ => format!("{lead}{line}"),
            };
            let _ = writeln!(out, "{}", line.trim_end());
        }
        if self.expression.is_none() {
            let _ = writeln!(out, "{:hang$}{how}", "");
        }
        if !row.decided.is_empty() {
            for line in wrapped(&row.decided, style.width.saturating_sub(hang)) {
                let _ = writeln!(out, "{:hang$}{}", "", style.paint(Paint::Dim, &line));
            }
        }
    }

    fn how(&self, row: &Row) -> String {
        let room = match self.expression {
            Some(left) => left.saturating_sub(2),
            None => self.sources.saturating_sub(self.derivation + 2),
        };
        if row.expression.is_empty() || room < SHORTEST_EXPRESSION.min(shown_width(&row.expression)) {
            return row.derivation.clone();
        }
        format!("{}  {}", padded(&row.derivation, self.derivation), shortened(&row.expression, room))
    }
}
