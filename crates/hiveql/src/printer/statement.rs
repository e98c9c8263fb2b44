//! Whole statements: each kind prints itself in a file of its own.

use super::{Print, Printer};
use crate::tree::Statement;

impl Print for Statement<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Query(query) => query.print(printer),
            _ => {}
        }
    }
}
