//! `INSERT`, `UPDATE`, `DELETE` and `MERGE`.

use super::{Print, Printer};
use crate::tree::{
    Assignment, Delete, Insert, InsertDirectory, InsertMode, InsertTable, InsertTarget, Locality, Merge,
    MergeAction, MergeBranch, TableWord, Update,
};

impl Print for Insert<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word(match self.mode {
            InsertMode::Into => "INSERT INTO",
            InsertMode::Overwrite => "INSERT OVERWRITE",
        });
        match self.target {
            InsertTarget::Table(table) => table.print(printer),
            InsertTarget::Directory(directory) => directory.print(printer),
        }
    }
}

impl Print for InsertTable<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word_if(self.table_word == TableWord::Present, "TABLE");
        self.name.print(printer);
        printer.maybe(self.partition.as_ref());
        printer.if_not_exists(self.if_not_exists);
        if !self.columns.is_empty() {
            printer.parenthesized_nodes(self.columns);
        }
    }
}

impl Print for InsertDirectory<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word_if(self.local == Locality::Local, "LOCAL");
        printer.word("DIRECTORY");
        self.path.print(printer);
        self.row_format.print(printer);
        printer.maybe(self.storage.as_ref());
    }
}

impl Print for Update<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("UPDATE");
        self.name.print(printer);
        print_assignments(self.assignments, printer);
        printer.optional("WHERE", self.filter.as_ref());
    }
}

fn print_assignments(assignments: &[Assignment<'_>], printer: &mut Printer) {
    printer.word("SET");
    printer.list(assignments, |printer, assignment| {
        assignment.column.print(printer);
        printer.word("=");
        assignment.value.print(printer);
    });
}

impl Print for Delete<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("DELETE FROM");
        self.name.print(printer);
        printer.optional("WHERE", self.filter.as_ref());
    }
}

impl Print for Merge<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("MERGE");
        printer.hint(self.hint);
        printer.word("INTO");
        self.target.print(printer);
        printer.maybe(self.target_alias.as_ref());
        printer.word("USING");
        self.source.print(printer);
        printer.word("ON");
        self.condition.print(printer);
        for branch in self.branches {
            branch.print(printer);
        }
    }
}

impl Print for MergeBranch<'_> {
    fn print(&self, printer: &mut Printer) {
        let is_insert = matches!(self.action, MergeAction::Insert { .. });
        printer.word(if is_insert { "WHEN NOT MATCHED" } else { "WHEN MATCHED" });
        printer.optional("AND", self.condition.as_ref());
        printer.word("THEN");
        match self.action {
            MergeAction::Update(assignments) => {
                printer.word("UPDATE");
                print_assignments(assignments, printer);
            }
            MergeAction::Delete => printer.word("DELETE"),
            MergeAction::Insert { columns, values } => {
                printer.word("INSERT");
                if !columns.is_empty() {
                    printer.parenthesized_nodes(columns);
                }
                printer.word("VALUES");
                printer.parenthesized_nodes(values);
            }
        }
    }
}
