//! Transactions, and prepared statements.

use super::{Print, Printer};
use crate::tree::{Execute, Prepare, Transaction, TransactionMode};

impl Print for Transaction<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Start(modes) => {
                printer.word("START TRANSACTION");
                printer.nodes(modes);
            }
            Self::Commit { work } => {
                printer.word("COMMIT");
                printer.word_if(*work, "WORK");
            }
            Self::Rollback { work } => {
                printer.word("ROLLBACK");
                printer.word_if(*work, "WORK");
            }
            Self::SetAutocommit(true) => printer.word("SET AUTOCOMMIT TRUE"),
            Self::SetAutocommit(false) => printer.word("SET AUTOCOMMIT FALSE"),
        }
    }
}

impl Print for TransactionMode {
    fn print(&self, printer: &mut Printer) {
        printer.word(match self {
            Self::ReadOnly => "READ ONLY",
            Self::ReadWrite => "READ WRITE",
            Self::IsolationSnapshot => "ISOLATION LEVEL SNAPSHOT",
        });
    }
}

impl Print for Prepare<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.worded("PREPARE", &self.name);
        printer.worded("FROM", self.query);
    }
}

impl Print for Execute<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.worded("EXECUTE", &self.name);
        printer.word("USING");
        printer.nodes(self.arguments);
    }
}
