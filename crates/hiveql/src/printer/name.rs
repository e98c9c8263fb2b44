//! The small things that all statements are made of.

use super::{Print, Printer};
use crate::tree::{
    Existence, Identifier, Literal, PrincipalKind, PrincipalName, Property, QualifiedName, SortKey,
    StringLiteral,
};

impl Print for Identifier<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word(self.raw);
    }
}

impl Print for QualifiedName<'_> {
    fn print(&self, printer: &mut Printer) {
        if let Some(database) = &self.database {
            database.print(printer);
            printer.dot();
        }
        self.name.print(printer);
        if let Some(meta) = &self.meta {
            printer.dot();
            meta.print(printer);
        }
    }
}

impl Print for StringLiteral<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word(self.raw);
    }
}

impl Print for Literal<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word(self.raw);
    }
}

impl Print for Property<'_> {
    fn print(&self, printer: &mut Printer) {
        self.key.print(printer);
        if let Some(value) = &self.value {
            printer.word("=");
            value.print(printer);
        }
    }
}

impl Print for PrincipalName<'_> {
    fn print(&self, printer: &mut Printer) {
        match self.kind {
            Some(PrincipalKind::User) => printer.word("USER"),
            Some(PrincipalKind::Group) => printer.word("GROUP"),
            Some(PrincipalKind::Role) => printer.word("ROLE"),
            None => {}
        }
        self.name.print(printer);
    }
}

impl Printer {
    /// Writes the node with the word before it, where there is one.
    pub(crate) fn optional<T: Print>(&mut self, word: &str, node: Option<&T>) {
        if let Some(node) = node {
            self.word(word);
            node.print(self);
        }
    }

    /// Writes the node behind words.
    pub(crate) fn worded<T: Print>(&mut self, words: &str, node: &T) {
        self.word(words);
        node.print(self);
    }

    /// Writes a literal or the like with the word before it, where there is one.
    pub(crate) fn optional_text(&mut self, word: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.word(word);
            self.word(text);
        }
    }

    /// Writes `ORDER BY key, ...` where there are keys.
    pub(crate) fn order_by(&mut self, keys: &[SortKey<'_>]) {
        if !keys.is_empty() {
            self.word("ORDER BY");
            self.nodes(keys);
        }
    }

    /// Writes the node where there is one.
    pub(crate) fn maybe<T: Print>(&mut self, node: Option<&T>) {
        if let Some(node) = node {
            node.print(self);
        }
    }

    /// Writes the word where `condition` holds.
    pub(crate) fn word_if(&mut self, condition: bool, word: &str) {
        if condition {
            self.word(word);
        }
    }

    /// Writes `item, item, ...` of nodes.
    pub(crate) fn nodes<T: Print>(&mut self, items: &[T]) {
        self.list(items, |printer, item| item.print(printer));
    }

    /// Writes `(item, item, ...)` of nodes.
    pub(crate) fn parenthesized_nodes<T: Print>(&mut self, items: &[T]) {
        self.parenthesized_list(items, |printer, item| item.print(printer));
    }

    /// Writes `name.name...`.
    pub(crate) fn path(&mut self, names: &[Identifier<'_>]) {
        for (index, name) in names.iter().enumerate() {
            if index > 0 {
                self.dot();
            }
            name.print(self);
        }
    }

    /// Writes `IF EXISTS` where a missing object is tolerated.
    pub(crate) fn if_exists(&mut self, existence: Existence) {
        self.word_if(existence == Existence::Tolerated, "IF EXISTS");
    }

    /// Writes `IF NOT EXISTS` where an object that is there is tolerated.
    pub(crate) fn if_not_exists(&mut self, existence: Existence) {
        self.word_if(existence == Existence::Tolerated, "IF NOT EXISTS");
    }
}
