//! `CREATE TABLE` and the clauses that other statements share with it.

use super::{Print, Printer};
use crate::tree::{
    Buckets, ColumnDefinition, ColumnLabel, CreateTable, Direction, FileFormat, Identifier, PartitionColumns,
    Property, SkewedBy, SkewedValue, SortColumn, Storage, StorageHandler, TableClause, TableContent,
    TableElement, TableModifiers, WriteKeys, WriteOrder,
};

impl Print for CreateTable<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("CREATE");
        self.modifiers.print(printer);
        printer.word("TABLE");
        printer.if_not_exists(self.if_not_exists);
        self.name.print(printer);
        self.content.print(printer);
        for clause in self.clauses {
            clause.print(printer);
        }
    }
}

impl Print for TableModifiers {
    fn print(&self, printer: &mut Printer) {
        printer.word_if(self.managed, "MANAGED");
        printer.word_if(self.temporary, "TEMPORARY");
        printer.word_if(self.transactional, "TRANSACTIONAL");
        printer.word_if(self.external, "EXTERNAL");
    }
}

impl Print for TableContent<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Columns([]) => {}
            Self::Columns(elements) => printer.parenthesized_nodes(elements),
            Self::Like(name) => printer.worded("LIKE", name),
            Self::LikeFile { format, path } => {
                printer.worded("LIKE FILE", format);
                path.print(printer);
            }
        }
    }
}

impl Print for TableElement<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Column(column) => column.print(printer),
            Self::Constraint(constraint) => constraint.print(printer),
        }
    }
}

impl Print for ColumnDefinition<'_> {
    fn print(&self, printer: &mut Printer) {
        self.name.print(printer);
        self.data_type.print(printer);
        printer.maybe(self.constraint);
        printer.optional("COMMENT", self.comment.as_ref());
    }
}

impl Print for ColumnLabel<'_> {
    fn print(&self, printer: &mut Printer) {
        self.name.print(printer);
        printer.optional("COMMENT", self.comment.as_ref());
    }
}

impl Print for TableClause<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Comment(comment) => printer.worded("COMMENT", comment),
            Self::PartitionedBy(columns) => {
                printer.word("PARTITIONED BY");
                columns.print(printer);
            }
            Self::PartitionedBySpec(transforms) => {
                printer.word("PARTITIONED BY SPEC");
                printer.parenthesized_nodes(transforms);
            }
            Self::ClusteredBy(buckets) => buckets.print(printer),
            Self::WriteOrderedBy(order) => order.print(printer),
            Self::Skewed(skewed) => skewed.print(printer),
            Self::RowFormat(format) => format.print(printer),
            Self::Stored(storage) => storage.print(printer),
            Self::Location(location) => printer.worded("LOCATION", location),
            Self::Properties(properties) => printer.properties("TBLPROPERTIES", Some(properties)),
            Self::As { query, .. } => printer.worded("AS", *query),
        }
    }
}

impl Print for PartitionColumns<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Typed(columns) => printer.parenthesized_nodes(columns),
            Self::Named(names) => printer.parenthesized_nodes(names),
        }
    }
}

impl Print for Buckets<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.columns("CLUSTERED BY", self.columns);
        if !self.sorted_by.is_empty() {
            printer.word("SORTED BY");
            printer.parenthesized_nodes(self.sorted_by);
        }
        printer.bucket_count(self.count);
    }
}

impl Print for WriteOrder<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("WRITE");
        printer.word_if(self.locally, "LOCALLY");
        printer.word("ORDERED BY");
        match self.keys {
            WriteKeys::Columns(columns) => printer.nodes(columns),
            WriteKeys::Zorder(columns) => printer.columns("ZORDER", columns),
        }
    }
}

impl Print for SortColumn<'_> {
    fn print(&self, printer: &mut Printer) {
        self.name.print(printer);
        match self.direction {
            Some(Direction::Ascending) => printer.word("ASC"),
            Some(Direction::Descending) => printer.word("DESC"),
            None => {}
        }
        printer.maybe(self.nulls.as_ref());
    }
}

impl Print for SkewedBy<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.columns("SKEWED BY", self.columns);
        printer.word("ON");
        printer.parenthesized_nodes(self.values);
        printer.word_if(self.stored_as_directories, "STORED AS DIRECTORIES");
    }
}

impl Print for SkewedValue<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Constant(constant) => constant.print(printer),
            Self::Row(constants) => printer.parenthesized_nodes(constants),
        }
    }
}

impl Print for Storage<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::As(format) => printer.worded("STORED AS", format),
            Self::By { handler, properties, stored_as } => {
                printer.worded("STORED BY", handler);
                printer.properties("WITH SERDEPROPERTIES", *properties);
                printer.optional("STORED AS", stored_as.as_ref());
            }
        }
    }
}

impl Print for StorageHandler<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Class(class) => class.print(printer),
            Self::Named(name) => name.print(printer),
        }
    }
}

impl Print for FileFormat<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Named(name) => name.print(printer),
            Self::Classes { input, output, serde, drivers } => {
                printer.worded("INPUTFORMAT", input);
                printer.worded("OUTPUTFORMAT", output);
                printer.optional("SERDE", serde.as_ref());
                if let Some((input, output)) = drivers {
                    printer.worded("INPUTDRIVER", input);
                    printer.worded("OUTPUTDRIVER", output);
                }
            }
        }
    }
}

impl Printer {
    /// Writes `words (a, b)`.
    pub(super) fn columns(&mut self, words: &str, columns: &[Identifier<'_>]) {
        self.word(words);
        self.parenthesized_nodes(columns);
    }

    /// Writes `words ('key' = 'value', ...)`, where there are properties.
    pub(super) fn properties(&mut self, words: &str, properties: Option<&[Property<'_>]>) {
        if let Some(properties) = properties {
            self.word(words);
            self.parenthesized_nodes(properties);
        }
    }

    pub(super) fn bucket_count(&mut self, count: &str) {
        self.word("INTO");
        self.word(count);
        self.word("BUCKETS");
    }
}
