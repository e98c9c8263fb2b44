//! `DESCRIBE`.

use super::{Print, Printer};
use crate::tree::{Describe, DescribedFunction, Detail};

impl Print for Describe<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("DESCRIBE");
        match self {
            Self::Table { detail, table, partition, path } => {
                printer.maybe(detail.as_ref());
                table.print(printer);
                printer.maybe(partition.as_ref());
                printer.path(path);
            }
            Self::Catalog { extended, name } => printer.described("CATALOG", *extended, name),
            Self::Database { extended, name } => printer.described("DATABASE", *extended, name),
            Self::DataConnector { extended, name } => printer.described("CONNECTOR", *extended, name),
            Self::Function { extended, name } => printer.described("FUNCTION", *extended, name),
        }
    }
}

impl Print for Detail {
    fn print(&self, printer: &mut Printer) {
        printer.word(match self {
            Self::Extended => "EXTENDED",
            Self::Formatted => "FORMATTED",
            Self::Pretty => "PRETTY",
        });
    }
}

impl Print for DescribedFunction<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word(self.raw);
    }
}

impl Printer {
    fn described(&mut self, word: &str, extended: bool, name: &impl Print) {
        self.word(word);
        self.word_if(extended, "EXTENDED");
        name.print(self);
    }
}
