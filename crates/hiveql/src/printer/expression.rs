use super::{Print, Printer};
use crate::tree::Expression;

impl Print for Expression<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("");
    }
}
