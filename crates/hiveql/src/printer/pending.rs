//! Nodes whose printing is on its way.

use super::{Print, Printer};
use crate::tree::Limit;

impl Print for Limit<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("LIMIT");
    }
}
