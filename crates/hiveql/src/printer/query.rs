use super::{Print, Printer};
use crate::tree::Query;

impl Print for Query<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("");
    }
}
