//! Queries, from `WITH` to `LIMIT`.

use super::window::{print_keys, print_sort_by};
use super::{Print, Printer};
use crate::tree::{
    CommonTableExpression, FromFirstBlock, GroupBy, Grouping, GroupingSet, ItemAlias, Limit, NamedWindow,
    Offset, Parentheses, PlainQuery, Projection, Query, QueryBody, ScriptColumn, Select, SelectItem,
    SetOperand, SetOperator, SetQuantifier, Tail, Transform, TransformOutput, TransformSpelling, Values,
};

impl Print for Query<'_> {
    fn print(&self, printer: &mut Printer) {
        if !self.ctes.is_empty() {
            printer.word("WITH");
            printer.nodes(self.ctes);
        }
        match self.body {
            QueryBody::Plain(plain) => plain.print(printer),
            QueryBody::FromFirst(query) => {
                query.first.print(printer);
                for (operator, quantifier, block) in query.rest {
                    print_set_operator(*operator, *quantifier, printer);
                    block.print(printer);
                }
            }
        }
    }
}

impl Print for CommonTableExpression<'_> {
    fn print(&self, printer: &mut Printer) {
        self.name.print(printer);
        if !self.columns.is_empty() {
            printer.parenthesized_nodes(self.columns);
        }
        printer.word("AS");
        printer.parenthesized(self.query);
    }
}

impl Print for PlainQuery<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.maybe(self.insert);
        self.set.first.print(printer);
        for (operator, quantifier, operand) in self.set.rest {
            print_set_operator(*operator, *quantifier, printer);
            operand.print(printer);
        }
        self.tail.print(printer);
    }
}

fn print_set_operator(operator: SetOperator, quantifier: Option<SetQuantifier>, printer: &mut Printer) {
    printer.word(match operator {
        SetOperator::Union => "UNION",
        SetOperator::Intersect => "INTERSECT",
        SetOperator::Except => "EXCEPT",
        SetOperator::Minus => "MINUS",
    });
    printer.maybe(quantifier.as_ref());
}

impl Print for SetOperand<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Select(select) => select.print(printer),
            Self::Query(query) => printer.parenthesized(*query),
            Self::Values(values) => values.print(printer),
        }
    }
}

impl Print for FromFirstBlock<'_> {
    fn print(&self, printer: &mut Printer) {
        self.from.print(printer);
        for branch in self.branches {
            printer.maybe(branch.insert);
            branch.select.print(printer);
        }
    }
}

impl Print for Select<'_> {
    fn print(&self, printer: &mut Printer) {
        print_projection(self, printer);
        printer.maybe(self.from.as_ref());
        printer.maybe(self.lateral_view.as_ref());
        printer.optional("WHERE", self.filter.as_ref());
        printer.maybe(self.group_by.as_ref());
        printer.optional("HAVING", self.having.as_ref());
        if !self.windows.is_empty() {
            printer.word("WINDOW");
            printer.nodes(self.windows);
        }
        printer.optional("QUALIFY", self.qualify.as_ref());
        self.tail.print(printer);
    }
}

fn print_projection(select: &Select<'_>, printer: &mut Printer) {
    let is_select = match select.projection {
        Projection::Items(_) => true,
        Projection::Transform(transform) => transform.spelling == TransformSpelling::SelectTransform,
    };
    printer.word_if(is_select, "SELECT");
    printer.hint(select.hint);
    printer.maybe(select.quantifier.as_ref());
    match select.projection {
        Projection::Items(items) => printer.nodes(items),
        Projection::Transform(transform) => transform.print(printer),
    }
}

impl Print for SelectItem<'_> {
    fn print(&self, printer: &mut Printer) {
        self.expression.print(printer);
        match self.alias {
            None => {}
            Some(ItemAlias::As(name)) => {
                printer.word("AS");
                name.print(printer);
            }
            Some(ItemAlias::Bare(name)) => name.print(printer),
            Some(ItemAlias::List(names)) => {
                printer.word("AS");
                printer.parenthesized_nodes(names);
            }
        }
    }
}

impl Print for Transform<'_> {
    fn print(&self, printer: &mut Printer) {
        match self.spelling {
            TransformSpelling::SelectTransform => {
                printer.word("TRANSFORM");
                printer.parenthesized_nodes(self.arguments);
            }
            TransformSpelling::Map => {
                printer.word("MAP");
                printer.nodes(self.arguments);
            }
            TransformSpelling::Reduce => {
                printer.word("REDUCE");
                printer.nodes(self.arguments);
            }
        }
        self.input_format.print(printer);
        printer.optional("RECORDWRITER", self.record_writer.as_ref());
        printer.word("USING");
        self.command.print(printer);
        self.output.print(printer);
        self.output_format.print(printer);
        printer.optional("RECORDREADER", self.record_reader.as_ref());
    }
}

impl Print for TransformOutput<'_> {
    fn print(&self, printer: &mut Printer) {
        let parenthesized = match self {
            Self::Default => return,
            Self::Names { parenthesized, .. } | Self::Typed { parenthesized, .. } => *parenthesized,
        };
        printer.word("AS");
        printer.word_if(parenthesized == Parentheses::Present, "(");
        match self {
            Self::Default => {}
            Self::Names { names, .. } => printer.nodes(names),
            Self::Typed { columns, .. } => printer.nodes(columns),
        }
        if parenthesized == Parentheses::Present {
            printer.glued(")");
        }
    }
}

impl Print for ScriptColumn<'_> {
    fn print(&self, printer: &mut Printer) {
        self.name.print(printer);
        self.data_type.print(printer);
        printer.optional("COMMENT", self.comment.as_ref());
    }
}

impl Print for Values<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("VALUES");
        for (row_number, row) in self.rows().enumerate() {
            let names = if row_number == 0 { self.names } else { &[] };
            if row_number > 0 {
                printer.glued(",");
            }
            printer.word("(");
            for (column, cell) in row.iter().enumerate() {
                if column > 0 {
                    printer.glued(",");
                }
                cell.print(printer);
                printer.optional("AS", names.get(column).and_then(Option::as_ref));
            }
            printer.glued(")");
        }
    }
}

impl Print for GroupBy<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("GROUP BY");
        match self.grouping {
            Grouping::Rollup => printer.word("ROLLUP"),
            Grouping::Cube => printer.word("CUBE"),
            Grouping::Plain if self.keys.is_empty() => {}
            _ => {
                printer.nodes(self.keys);
                return self.grouping.print(printer);
            }
        }
        printer.parenthesized_nodes(self.keys);
    }
}

impl Print for Grouping<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::WithRollup => printer.word("WITH ROLLUP"),
            Self::WithCube => printer.word("WITH CUBE"),
            Self::Sets(sets) => {
                printer.word("GROUPING SETS");
                printer.parenthesized_nodes(sets);
            }
            Self::Plain | Self::Rollup | Self::Cube => {}
        }
    }
}

impl Print for GroupingSet<'_> {
    fn print(&self, printer: &mut Printer) {
        match self.parenthesized {
            Parentheses::Present => printer.parenthesized_nodes(self.keys),
            Parentheses::Absent => printer.nodes(self.keys),
        }
    }
}

impl Print for NamedWindow<'_> {
    fn print(&self, printer: &mut Printer) {
        self.name.print(printer);
        printer.word("AS");
        self.window.print(printer);
    }
}

impl Print for Tail<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.order_by(self.order_by);
        print_keys("CLUSTER BY", self.cluster_by, printer);
        print_keys("DISTRIBUTE BY", self.distribute_by, printer);
        print_sort_by(self.sort_by, printer);
        printer.maybe(self.limit.as_ref());
    }
}

impl Print for Limit<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("LIMIT");
        if let Some(Offset::Comma(offset)) = self.offset {
            offset.print(printer);
            printer.glued(",");
        }
        self.count.print(printer);
        if let Some(Offset::Word(offset)) = self.offset {
            printer.word("OFFSET");
            offset.print(printer);
        }
    }
}
