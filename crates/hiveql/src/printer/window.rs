//! Calls, windows and sort orders.

use super::{Print, Printer};
use crate::tree::{
    Call, Direction, Expression, Frame, FrameBound, FrameUnit, NullOrder, NullTreatment, NullsPlace,
    Partitioning, SetQuantifier, SortKey, Window, WindowSpecification,
};

impl Print for Call<'_> {
    fn print(&self, printer: &mut Printer) {
        if let Some(database) = self.database {
            database.print(printer);
            printer.dot();
        }
        self.function.print(printer);
        printer.glued("(");
        if let Some(quantifier) = self.quantifier {
            quantifier.print(printer);
        }
        printer.list(self.arguments, |printer, argument| argument.print(printer));
        if let Some((treatment, NullsPlace::Inside)) = self.nulls {
            treatment.print(printer);
        }
        printer.glued(")");
        if let Some((treatment, NullsPlace::Behind)) = self.nulls {
            treatment.print(printer);
        }
        if !self.within_group.is_empty() {
            printer.word("WITHIN GROUP (");
            printer.order_by(self.within_group);
            printer.glued(")");
        }
        if let Some(over) = self.over {
            printer.word("OVER");
            over.print(printer);
        }
    }
}

impl Print for SetQuantifier {
    fn print(&self, printer: &mut Printer) {
        printer.word(match self {
            Self::All => "ALL",
            Self::Distinct => "DISTINCT",
        });
    }
}

impl Print for NullTreatment {
    fn print(&self, printer: &mut Printer) {
        printer.word(match self {
            Self::Respect => "RESPECT NULLS",
            Self::Ignore => "IGNORE NULLS",
        });
    }
}

impl Print for Window<'_> {
    fn print(&self, printer: &mut Printer) {
        match *self {
            Self::Named(name) => name.print(printer),
            Self::Specified(specification) => printer.parenthesized(specification),
        }
    }
}

impl Print for WindowSpecification<'_> {
    fn print(&self, printer: &mut Printer) {
        if let Some(base) = self.base {
            base.print(printer);
        }
        if let Some(partitioning) = self.partitioning {
            partitioning.print(printer);
        }
        if let Some(frame) = self.frame {
            frame.print(printer);
        }
    }
}

impl Print for Partitioning<'_> {
    fn print(&self, printer: &mut Printer) {
        match *self {
            Self::PartitionBy { keys, order } => {
                print_keys("PARTITION BY", keys, printer);
                printer.order_by(order);
            }
            Self::DistributeBy { keys, sort } => {
                print_keys("DISTRIBUTE BY", keys, printer);
                print_sort_by(sort, printer);
            }
            Self::ClusterBy { keys } => print_keys("CLUSTER BY", keys, printer),
        }
    }
}

/// `PARTITION BY a, b` and kin, unless there are no keys.
pub(super) fn print_keys(words: &str, keys: &[Expression<'_>], printer: &mut Printer) {
    if !keys.is_empty() {
        printer.word(words);
        printer.list(keys, |printer, key| key.print(printer));
    }
}

/// `SORT BY a, b`, unless there are no keys. Hive takes a parenthesis behind the words to hold all keys,
/// so a first key that starts with one makes another necessary.
pub(super) fn print_sort_by(keys: &[SortKey<'_>], printer: &mut Printer) {
    if !keys.is_empty() {
        printer.word("SORT BY");
        printer.list_in_clear_parentheses(keys, |printer, key| key.print(printer));
    }
}

impl Print for SortKey<'_> {
    fn print(&self, printer: &mut Printer) {
        self.expression.print(printer);
        match self.direction {
            None => {}
            Some(Direction::Ascending) => printer.word("ASC"),
            Some(Direction::Descending) => printer.word("DESC"),
        }
        if let Some(nulls) = self.nulls {
            nulls.print(printer);
        }
    }
}

impl Print for NullOrder {
    fn print(&self, printer: &mut Printer) {
        printer.word(match self {
            Self::First => "NULLS FIRST",
            Self::Last => "NULLS LAST",
        });
    }
}

impl Print for Frame<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word(match self.unit {
            FrameUnit::Rows => "ROWS",
            FrameUnit::Range => "RANGE",
        });
        match self.end {
            None => self.start.print(printer),
            Some(end) => {
                printer.word("BETWEEN");
                self.start.print(printer);
                printer.word("AND");
                end.print(printer);
            }
        }
    }
}

impl Print for FrameBound<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::UnboundedPreceding => printer.word("UNBOUNDED PRECEDING"),
            Self::UnboundedFollowing => printer.word("UNBOUNDED FOLLOWING"),
            Self::CurrentRow => printer.word("CURRENT ROW"),
            Self::Preceding(distance) => {
                distance.print(printer);
                printer.word("PRECEDING");
            }
            Self::Following(distance) => {
                distance.print(printer);
                printer.word("FOLLOWING");
            }
        }
    }
}
