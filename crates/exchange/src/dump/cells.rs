//! The cells of a row with their types, and what is wrong with those that have others.

use std::sync::Arc;

use super::{Cell, Row, WantedTable};
use crate::{Place, Report, ReportLine};

/// Reads the cells of a row by their places among the wanted columns. What is wrong goes into the report, and the
/// answer is none.
pub struct CellReader<'r> {
    pub row: Row<'r>,
    /// The tables that were wanted, for the names in messages.
    pub tables: &'r [WantedTable],
    pub file: &'r Arc<str>,
    pub report: &'r mut Report,
}

impl CellReader<'_> {
    #[must_use]
    pub fn place(&self) -> Place {
        Place { file: self.file.clone(), line: self.row.line, column: None }
    }

    /// Reports a cell. `what` completes "`COLUMN` in a row of `TABLE` ...".
    pub fn wrong(&mut self, at: usize, what: &str) {
        let table = self.tables.get(self.row.table);
        let column = table.and_then(|table| table.columns.get(at)).copied().unwrap_or_default();
        let table = table.map_or("", |table| table.name);
        let message = format!("`{column}` in a row of `{table}` {what}");
        self.report.push(ReportLine::error("bad-value", message).at(self.place()));
    }

    /// The text of a cell: `Some(None)` where it is absent or NULL, none where it is of no use.
    pub fn optional(&mut self, at: usize) -> Option<Option<String>> {
        match self.row.cells.get(at) {
            None | Some(Cell::Absent | Cell::Null) => Some(None),
            Some(Cell::Text(text)) => Some(Some(text.clone())),
            Some(Cell::Unusable(why)) => {
                self.wrong(at, why.message());
                None
            }
        }
    }

    /// A text that must be there.
    pub fn text(&mut self, at: usize) -> Option<String> {
        let text = self.optional(at)?;
        if text.as_ref().is_none_or(String::is_empty) {
            self.wrong(at, "is empty or missing");
            return None;
        }
        text
    }

    /// A whole number that must be there.
    pub fn integer(&mut self, at: usize) -> Option<i64> {
        let text = self.text(at)?;
        let number = text.parse().ok();
        if number.is_none() {
            self.wrong(at, &format!("is no number: `{}`", shortened(&text)));
        }
        number
    }
}

/// As much of a text as a message takes.
#[must_use]
pub fn shortened(text: &str) -> String {
    text.chars().take(64).collect()
}
