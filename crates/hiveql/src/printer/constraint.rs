//! Constraints of tables and columns.

use super::{Print, Printer};
use crate::tree::{
    ColumnConstraint, ColumnRule, ConstraintStates, Reliance, TableConstraint, TableRule, Validation,
};

impl Print for TableConstraint<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.optional("CONSTRAINT", self.name.as_ref());
        self.rule.print(printer);
        self.states.print(printer);
    }
}

impl Print for TableRule<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::PrimaryKey(columns) => printer.columns("PRIMARY KEY", columns),
            Self::Unique(columns) => printer.columns("UNIQUE", columns),
            Self::ForeignKey { columns, table, references } => {
                printer.columns("FOREIGN KEY", columns);
                printer.worded("REFERENCES", table);
                printer.parenthesized_nodes(references);
            }
            Self::Check(condition) => printer.worded("CHECK", condition),
        }
    }
}

impl Print for ColumnConstraint<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.optional("CONSTRAINT", self.name.as_ref());
        self.rule.print(printer);
        self.states.print(printer);
    }
}

impl Print for ColumnRule<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::NotNull => printer.word("NOT NULL"),
            Self::Unique => printer.word("UNIQUE"),
            Self::PrimaryKey => printer.word("PRIMARY KEY"),
            Self::Default(value) => printer.worded("DEFAULT", value),
            Self::Check(condition) => printer.worded("CHECK", condition),
            Self::References { table, column } => {
                printer.worded("REFERENCES", table);
                printer.parenthesized(column);
            }
        }
    }
}

impl Print for ConstraintStates {
    fn print(&self, printer: &mut Printer) {
        printer.maybe(self.enable.as_ref());
        match self.validate {
            Some(Validation::Validate) => printer.word("VALIDATE"),
            Some(Validation::NoValidate) => printer.word("NOVALIDATE"),
            None => {}
        }
        match self.rely {
            Some(Reliance::Rely) => printer.word("RELY"),
            Some(Reliance::NoRely) => printer.word("NORELY"),
            None => {}
        }
    }
}
