use super::{Print, Printer};
use crate::tree::Statement;

impl Print for Statement<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("");
    }
}
