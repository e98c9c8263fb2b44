//! The printer: from tree back to text, one canonical spelling for each construct.
//!
//! It promises that parsing what it prints gives an equal tree. Literals and names keep their spelling;
//! words are upper case; there is one blank between tokens, and none where none is usual.

mod alter;
mod alter_table;
mod constraint;
mod create;
mod create_table;
mod data_type;
mod describe;
mod dml;
mod drop;
mod explain;
mod expression;
mod from;
mod lock;
mod name;
mod partition;
mod policy;
mod privilege;
mod query;
mod replication;
mod resource_plan;
mod row_format;
mod show;
mod snapshot;
mod statement;
mod table_data;
mod transaction;
mod window;

use crate::tree::Statement;

/// The statement as text, without a `;`.
#[must_use]
pub fn print_statement(statement: &Statement<'_>) -> String {
    let mut printer = Printer::default();
    statement.print(&mut printer);
    printer.text
}

/// A node that can write itself.
pub(crate) trait Print {
    fn print(&self, printer: &mut Printer);
}

/// The text written so far.
#[derive(Debug, Default)]
pub(crate) struct Printer {
    text: String,
    /// The next word touches what stands before it.
    is_tight: bool,
}

impl Printer {
    /// Writes words or operators, with a blank before them unless the text starts or a parenthesis was
    /// just opened.
    pub(crate) fn word(&mut self, word: &str) {
        self.blank();
        self.text.push_str(word);
    }

    /// Writes something that follows directly: `,`, `)`, `(` of a call.
    pub(crate) fn glued(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Writes the dot of a name with several parts, which both its neighbours touch.
    pub(crate) fn dot(&mut self) {
        self.glued(".");
        self.is_tight = true;
    }

    /// Writes a hint, which is kept as it stands in the statement.
    pub(crate) fn hint(&mut self, hint: Option<&str>) {
        if let Some(hint) = hint {
            self.word("/*+");
            self.glued(hint);
            self.glued("*/");
        }
    }

    /// Writes a blank, unless what follows touches what stands before it.
    pub(crate) fn blank(&mut self) {
        let is_tight = std::mem::take(&mut self.is_tight);
        let needs_none = is_tight || self.text.is_empty() || self.text.ends_with(['(', '[', ' ']);
        if !needs_none {
            self.text.push(' ');
        }
    }

    /// Writes `item, item, ...`.
    pub(crate) fn list<T>(&mut self, items: &[T], mut print: impl FnMut(&mut Self, &T)) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.glued(",");
            }
            print(self, item);
        }
    }

    /// Writes `(item, item, ...)` behind a blank.
    pub(crate) fn parenthesized_list<T>(&mut self, items: &[T], print: impl FnMut(&mut Self, &T)) {
        self.word("(");
        self.list(items, print);
        self.glued(")");
    }

    /// Writes `(node)` behind a blank.
    pub(crate) fn parenthesized(&mut self, node: &impl Print) {
        self.word("(");
        node.print(self);
        self.glued(")");
    }

    /// Writes `(text)` without a blank, as behind the name of a type.
    pub(crate) fn in_parentheses(&mut self, text: &str) {
        self.glued("(");
        self.glued(text);
        self.glued(")");
    }

    /// Writes something whose first word touches what stands before it.
    pub(crate) fn tight(&mut self, print: impl FnOnce(&mut Self)) {
        self.is_tight = true;
        print(self);
        self.is_tight = false;
    }

    /// Writes `item, item, ...`, in parentheses if the first item starts with one.
    pub(crate) fn list_in_clear_parentheses<T>(&mut self, items: &[T], print: impl FnMut(&mut Self, &T)) {
        self.blank();
        let start = self.text.len();
        self.tight(|printer| printer.list(items, print));
        if self.text.get(start..).is_some_and(|written| written.starts_with('(')) {
            self.text.insert(start, '(');
            self.glued(")");
        }
    }
}
