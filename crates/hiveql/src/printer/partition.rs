//! Partitions and their values.

use super::expression::binary_operator;
use super::{Print, Printer};
use crate::tree::{PartitionItem, PartitionOperator, PartitionSpecification, PartitionTransform};

impl Print for PartitionSpecification<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("PARTITION");
        self.print_selection(printer);
    }
}

impl PartitionSpecification<'_> {
    /// Writes the conditions in parentheses, without the word before them.
    pub(crate) fn print_selection(&self, printer: &mut Printer) {
        printer.parenthesized_list(self.items, |printer, item| item.print(printer));
    }
}

impl Print for PartitionItem<'_> {
    fn print(&self, printer: &mut Printer) {
        self.key.print(printer);
        if let Some((operator, value)) = self.value {
            printer.word(match operator {
                PartitionOperator::Comparison(operator) => binary_operator(operator),
                PartitionOperator::Like => "LIKE",
            });
            value.print(printer);
        }
    }
}

impl Print for PartitionTransform<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Column(name) => name.print(printer),
            Self::Function { name, argument, column } => {
                name.print(printer);
                printer.glued("(");
                if let Some(argument) = argument {
                    argument.print(printer);
                    printer.glued(",");
                }
                column.print(printer);
                printer.glued(")");
            }
        }
    }
}
