//! What stands behind `FROM`: tables, joins, lateral views, and what transforms them.

use super::{Print, Printer};
use crate::tree::{
    AliasSpelling, AsOf, DerivedTable, FromClause, Join, JoinCondition, JoinKind, JoinOperand, LateralSource,
    LateralView, Outer, PartitionedTableFunction, Preservation, Sample, SourceStep, TableAlias, TableFactor,
    TableFunctionInput, TableReference, TableSource, UniqueJoinSource, ValuesSpelling, ValuesTable,
};

impl Print for FromClause<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("FROM");
        match self {
            Self::Source(source) => source.print(printer),
            Self::UniqueJoin(sources) => {
                printer.word("UNIQUEJOIN");
                printer.nodes(sources);
            }
        }
    }
}

impl Print for UniqueJoinSource<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word_if(self.preserve == Preservation::Preserve, "PRESERVE");
        self.source.print(printer);
        printer.parenthesized_nodes(self.keys);
    }
}

impl Print for TableSource<'_> {
    fn print(&self, printer: &mut Printer) {
        self.first.print(printer);
        for step in self.rest {
            match step {
                SourceStep::Join(join) => join.print(printer),
                SourceStep::LateralView(view) => view.print(printer),
            }
        }
    }
}

impl Print for Join<'_> {
    fn print(&self, printer: &mut Printer) {
        match self.kind {
            JoinKind::Comma => printer.glued(","),
            JoinKind::Join => printer.word("JOIN"),
            JoinKind::Inner => printer.word("INNER JOIN"),
            JoinKind::Cross => printer.word("CROSS JOIN"),
            JoinKind::Left => printer.word("LEFT JOIN"),
            JoinKind::LeftOuter => printer.word("LEFT OUTER JOIN"),
            JoinKind::Right => printer.word("RIGHT JOIN"),
            JoinKind::RightOuter => printer.word("RIGHT OUTER JOIN"),
            JoinKind::Full => printer.word("FULL JOIN"),
            JoinKind::FullOuter => printer.word("FULL OUTER JOIN"),
            JoinKind::LeftSemi => printer.word("LEFT SEMI JOIN"),
        }
        self.right.print(printer);
        match self.condition {
            JoinCondition::Absent => {}
            JoinCondition::On(condition) => {
                printer.word("ON");
                condition.print(printer);
            }
            JoinCondition::Using(columns) => {
                printer.word("USING");
                printer.parenthesized_nodes(columns);
            }
        }
    }
}

impl Print for JoinOperand<'_> {
    fn print(&self, printer: &mut Printer) {
        self.factor.print(printer);
        for view in self.lateral_views {
            view.print(printer);
        }
    }
}

impl Print for TableFactor<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Table(table) => table.print(printer),
            Self::Subquery(table) => table.print(printer),
            Self::Joined(source) => printer.parenthesized(*source),
            Self::PartitionedFunction(function) => function.print(printer),
            Self::Values(table) => table.print(printer),
        }
    }
}

impl Print for TableReference<'_> {
    fn print(&self, printer: &mut Printer) {
        self.name.print(printer);
        if !self.properties.is_empty() {
            printer.parenthesized_nodes(self.properties);
        }
        printer.maybe(self.sample.as_ref());
        printer.maybe(self.as_of.as_ref());
        printer.maybe(self.alias.as_ref());
    }
}

impl Print for TableAlias<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word_if(self.spelling == AliasSpelling::As, "AS");
        self.name.print(printer);
    }
}

impl Print for DerivedTable<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.parenthesized(self.query);
        self.alias.print(printer);
    }
}

impl Print for Sample<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("TABLESAMPLE (");
        match *self {
            Self::Bucket { bucket, out_of, on } => {
                printer.word("BUCKET");
                printer.word(bucket);
                printer.word("OUT OF");
                printer.word(out_of);
                if !on.is_empty() {
                    printer.word("ON");
                    printer.nodes(on);
                }
            }
            Self::Percent(number) => {
                printer.word(number);
                printer.word("PERCENT");
            }
            Self::Rows(number) => {
                printer.word(number);
                printer.word("ROWS");
            }
            Self::Bytes(number) => printer.word(number),
        }
        printer.glued(")");
    }
}

impl Print for AsOf<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::SystemTime(point) => {
                printer.word("FOR SYSTEM_TIME AS OF");
                point.print(printer);
            }
            Self::SystemVersion(point) => {
                printer.word("FOR SYSTEM_VERSION AS OF");
                point.print(printer);
            }
        }
    }
}

impl Print for PartitionedTableFunction<'_> {
    fn print(&self, printer: &mut Printer) {
        self.function.print(printer);
        printer.glued("(");
        printer.word("ON");
        match self.input {
            TableFunctionInput::Table(table) => table.print(printer),
            TableFunctionInput::Subquery(table) => table.print(printer),
            TableFunctionInput::Function(function) => function.print(printer),
        }
        printer.maybe(self.partitioning.as_ref());
        printer.list(self.arguments, |printer, (name, value)| {
            name.print(printer);
            printer.glued("(");
            value.print(printer);
            printer.glued(")");
        });
        printer.glued(")");
        printer.maybe(self.alias.as_ref());
    }
}

impl Print for ValuesTable<'_> {
    fn print(&self, printer: &mut Printer) {
        match self.spelling {
            ValuesSpelling::Parenthesized => printer.parenthesized(&self.values),
            ValuesSpelling::Table => {
                printer.word("TABLE(");
                self.values.print(printer);
                printer.glued(")");
            }
        }
        self.alias.print(printer);
        match self.spelling {
            // Hive's grammar asks for the last parenthesis even where none is open.
            ValuesSpelling::Table if self.columns.is_empty() => printer.glued(")"),
            _ => printer.parenthesized_nodes(self.columns),
        }
    }
}

impl LateralView<'_> {
    fn print_view(&self, printer: &mut Printer, outer: Outer, function: &impl Print) {
        printer.word("LATERAL VIEW");
        printer.word_if(outer == Outer::Outer, "OUTER");
        function.print(printer);
        self.alias.print(printer);
        if !self.columns.is_empty() {
            printer.word("AS");
            printer.nodes(self.columns);
        }
    }
}

impl Print for LateralView<'_> {
    fn print(&self, printer: &mut Printer) {
        match &self.source {
            LateralSource::View { outer, call } => self.print_view(printer, *outer, *call),
            LateralSource::Trim { outer, trim } => self.print_view(printer, *outer, *trim),
            LateralSource::Values(values) => {
                printer.word("LATERAL TABLE(");
                values.print(printer);
                printer.glued(")");
                self.alias.print(printer);
                if !self.columns.is_empty() {
                    printer.parenthesized_nodes(self.columns);
                }
            }
        }
    }
}
