//! `ALTER TABLE`.

use super::{Print, Printer};
use crate::tree::{
    AddedPartition, AlterTable, ChangeColumn, ColumnDefinition, ColumnPosition, Compact, DropBehavior,
    Existence, PartitionSpecification, Property, SkewedLocation, TableChange,
};

impl Print for AlterTable<'_> {
    fn print(&self, printer: &mut Printer) {
        let is_optimize = matches!(self.change, TableChange::RewriteData(_));
        printer.word(if is_optimize { "OPTIMIZE TABLE" } else { "ALTER TABLE" });
        self.name.print(printer);
        printer.maybe(self.partition.as_ref());
        self.change.print(printer);
    }
}

impl Print for TableChange<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Rename(name) => printer.worded("RENAME TO", name),
            Self::RenamePartition(partition) => printer.worded("RENAME TO", partition),
            Self::AddColumns { columns, behavior } => {
                printer.new_columns("ADD COLUMNS", columns, *behavior);
            }
            Self::ReplaceColumns { columns, behavior } => {
                printer.new_columns("REPLACE COLUMNS", columns, *behavior);
            }
            Self::ChangeColumn(change) => change.print(printer),
            Self::UpdateColumns(behavior) => {
                printer.word("UPDATE COLUMNS");
                printer.maybe(behavior.as_ref());
            }
            Self::DropColumn { name, if_exists, behavior } => {
                printer.word("DROP COLUMN");
                printer.if_exists(*if_exists);
                name.print(printer);
                printer.maybe(behavior.as_ref());
            }
            Self::AddConstraint(constraint) => printer.worded("ADD", *constraint),
            Self::DropConstraint(name) => printer.worded("DROP CONSTRAINT", name),
            Self::AddPartitions { if_not_exists, partitions } => {
                printer.add_partitions(*if_not_exists, partitions);
            }
            Self::DropPartitions { if_exists, partitions, purge, replication } => {
                printer.drop_partitions(*if_exists, partitions);
                printer.word_if(*purge, "PURGE");
                printer.maybe(replication.as_ref());
            }
            Self::ExchangePartition { partition, with } => {
                printer.worded("EXCHANGE", partition);
                printer.worded("WITH TABLE", with);
            }
            Self::PartitionColumnType(column) => {
                printer.word("PARTITION COLUMN");
                printer.parenthesized(column);
            }
            Self::Touch(partitions) => printer.partitions("TOUCH", partitions),
            Self::Archive(partitions) => printer.partitions("ARCHIVE", partitions),
            Self::Unarchive(partitions) => printer.partitions("UNARCHIVE", partitions),
            Self::SetProperties(properties) => printer.properties("SET TBLPROPERTIES", Some(properties)),
            Self::UnsetProperties { if_exists, keys } => printer.unset_properties(*if_exists, keys),
            Self::SetSerde { class, properties } => {
                printer.worded("SET SERDE", class);
                printer.properties("WITH SERDEPROPERTIES", *properties);
            }
            Self::SetSerdeProperties(properties) => {
                printer.properties("SET SERDEPROPERTIES", Some(properties));
            }
            Self::UnsetSerdeProperties(keys) => printer.properties("UNSET SERDEPROPERTIES", Some(keys)),
            Self::SetFileFormat(format) => printer.worded("SET FILEFORMAT", format),
            Self::SetLocation(location) => printer.worded("SET LOCATION", location),
            Self::SetOwner(owner) => printer.worded("SET OWNER", owner),
            Self::ClusteredBy(buckets) => buckets.print(printer),
            Self::NotClustered => printer.word("NOT CLUSTERED"),
            Self::NotSorted => printer.word("NOT SORTED"),
            Self::IntoBuckets(count) => printer.bucket_count(count),
            Self::Skewed(skewed) => skewed.print(printer),
            Self::NotSkewed => printer.word("NOT SKEWED"),
            Self::NotStoredAsDirectories => printer.word("NOT STORED AS DIRECTORIES"),
            Self::SetSkewedLocation(locations) => {
                printer.word("SET SKEWED LOCATION");
                printer.parenthesized_nodes(locations);
            }
            Self::Concatenate => printer.word("CONCATENATE"),
            Self::Compact(compact) => {
                printer.word("COMPACT");
                compact.print(printer);
            }
            Self::RewriteData(compact) => {
                printer.word("REWRITE DATA");
                compact.print(printer);
            }
            Self::UpdateStatistics(properties) => {
                printer.properties("UPDATE STATISTICS SET", Some(properties));
            }
            Self::UpdateColumnStatistics { column, properties, comment } => {
                printer.worded("UPDATE STATISTICS FOR COLUMN", column);
                printer.properties("SET", Some(properties));
                printer.optional("COMMENT", comment.as_ref());
            }
            Self::SetPartitionSpec(transforms) => {
                printer.word("SET PARTITION SPEC");
                printer.parenthesized_nodes(transforms);
            }
            Self::Execute(operation) => printer.worded("EXECUTE", *operation),
            Self::CreateReference(reference) => printer.create_reference(reference),
            Self::DropReference { kind, name, if_exists } => {
                printer.word("DROP");
                kind.print(printer);
                printer.if_exists(*if_exists);
                name.print(printer);
            }
            Self::RenameReference { kind, name, to } => {
                printer.word("RENAME");
                kind.print(printer);
                name.print(printer);
                printer.worded("TO", to);
            }
            Self::ReplaceReference(reference) => printer.replace_reference(reference),
            Self::Convert { to, properties } => {
                printer.worded("CONVERT TO", to);
                printer.properties("TBLPROPERTIES", *properties);
            }
        }
    }
}

impl Print for ChangeColumn<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("CHANGE");
        printer.word_if(self.column_word, "COLUMN");
        self.old_name.print(printer);
        self.new_name.print(printer);
        self.data_type.print(printer);
        printer.maybe(self.constraint);
        printer.optional("COMMENT", self.comment.as_ref());
        match &self.position {
            Some(ColumnPosition::First) => printer.word("FIRST"),
            Some(ColumnPosition::After(name)) => printer.worded("AFTER", name),
            None => {}
        }
        printer.maybe(self.behavior.as_ref());
    }
}

impl Print for AddedPartition<'_> {
    fn print(&self, printer: &mut Printer) {
        self.partition.print(printer);
        printer.optional("LOCATION", self.location.as_ref());
    }
}

impl Print for SkewedLocation<'_> {
    fn print(&self, printer: &mut Printer) {
        self.key.print(printer);
        printer.worded("=", &self.path);
    }
}

impl Print for Compact<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.maybe(self.kind.as_ref());
        if let Some(count) = self.buckets {
            printer.word("CLUSTERED");
            printer.bucket_count(count);
        }
        printer.word_if(self.and_wait, "AND WAIT");
        printer.optional("POOL", self.pool.as_ref());
        printer.properties("WITH OVERWRITE TBLPROPERTIES", self.overwrite_properties);
        printer.optional("WHERE", self.filter.as_ref());
        printer.order_by(self.order_by);
    }
}

impl Printer {
    fn new_columns(&mut self, words: &str, columns: &[ColumnDefinition<'_>], behavior: Option<DropBehavior>) {
        self.word(words);
        self.parenthesized_nodes(columns);
        self.maybe(behavior.as_ref());
    }

    /// Writes `word PARTITION (...) PARTITION (...)`.
    fn partitions(&mut self, word: &str, partitions: &[PartitionSpecification<'_>]) {
        self.word(word);
        for partition in partitions {
            partition.print(self);
        }
    }

    pub(super) fn add_partitions(&mut self, if_not_exists: Existence, partitions: &[AddedPartition<'_>]) {
        self.word("ADD");
        self.if_not_exists(if_not_exists);
        for partition in partitions {
            partition.print(self);
        }
    }

    pub(super) fn drop_partitions(
        &mut self,
        if_exists: Existence,
        partitions: &[PartitionSpecification<'_>],
    ) {
        self.word("DROP");
        self.if_exists(if_exists);
        self.nodes(partitions);
    }

    pub(super) fn unset_properties(&mut self, if_exists: Existence, keys: &[Property<'_>]) {
        self.word("UNSET TBLPROPERTIES");
        self.if_exists(if_exists);
        self.parenthesized_nodes(keys);
    }
}
