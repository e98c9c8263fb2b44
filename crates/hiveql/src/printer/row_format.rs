//! Row formats.

use super::{Print, Printer};
use crate::tree::{DelimitedFormat, RowFormatting};

impl Print for RowFormatting<'_> {
    fn print(&self, printer: &mut Printer) {
        match *self {
            Self::Unspecified => {}
            Self::Serde { class, properties } => {
                printer.word("ROW FORMAT SERDE");
                class.print(printer);
                if let Some(properties) = properties {
                    printer.word("WITH SERDEPROPERTIES");
                    printer.parenthesized_nodes(properties);
                }
            }
            Self::Delimited(format) => format.print(printer),
        }
    }
}

impl Print for DelimitedFormat<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("ROW FORMAT DELIMITED");
        printer.optional("FIELDS TERMINATED BY", self.fields.as_ref());
        printer.optional("ESCAPED BY", self.fields_escaped.as_ref());
        printer.optional("COLLECTION ITEMS TERMINATED BY", self.collection_items.as_ref());
        printer.optional("MAP KEYS TERMINATED BY", self.map_keys.as_ref());
        printer.optional("LINES TERMINATED BY", self.lines.as_ref());
        printer.optional("NULL DEFINED AS", self.null_as.as_ref());
    }
}
