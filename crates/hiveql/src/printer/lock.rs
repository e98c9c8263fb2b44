//! Locks, and `ABORT`.

use super::{Print, Printer};
use crate::tree::{Abort, Lock, LockMode};

impl Print for Lock<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Table { table, partition, mode } => {
                printer.worded("LOCK TABLE", table);
                printer.maybe(partition.as_ref());
                mode.print(printer);
            }
            Self::UnlockTable { table, partition } => {
                printer.worded("UNLOCK TABLE", table);
                printer.maybe(partition.as_ref());
            }
            Self::Database { database, mode } => {
                printer.worded("LOCK DATABASE", database);
                mode.print(printer);
            }
            Self::UnlockDatabase(database) => printer.worded("UNLOCK DATABASE", database),
        }
    }
}

impl Print for LockMode {
    fn print(&self, printer: &mut Printer) {
        printer.word(match self {
            Self::Shared => "SHARED",
            Self::Exclusive => "EXCLUSIVE",
        });
    }
}

impl Print for Abort<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Transactions(numbers) => printer.numbers("ABORT TRANSACTIONS", numbers),
            Self::Compactions(numbers) => printer.numbers("ABORT COMPACTIONS", numbers),
            Self::KillQuery(queries) => {
                printer.word("KILL QUERY");
                for query in *queries {
                    query.print(printer);
                }
            }
        }
    }
}

impl Printer {
    fn numbers(&mut self, words: &str, numbers: &[&str]) {
        self.word(words);
        for number in numbers {
            self.word(number);
        }
    }
}
