//! `ALTER TABLE` in all its forms.

use std::sync::Arc;

use guardbee_hiveql::tree::{
    AddedPartition, AlterTable, ChangeColumn, ColumnDefinition, ColumnPosition, PartitionSpecification,
    QualifiedName, ReferenceKind, StringLiteral, TableChange,
};
use guardbee_model::{DiagnosticCode, HiveVersion, Operation};

use crate::catalog::{CatalogChange, Column, Table};
use crate::effects::{DatasetKind, WriteAction};

use super::create_table::{bucket_columns, defined_column, defined_columns};
use super::properties::{follow_external, set, unset};
use super::storage::schema_columns;
use super::{Analyzer, NamedTable, text};
use crate::partition::{optional, partition_values};

impl Analyzer<'_, '_> {
    pub(super) fn alter_table(&mut self, alter: &AlterTable<'_>) {
        self.operation(operation(alter));
        let table = if is_unlisted(&alter.change, self.version()) {
            self.table(&alter.name)
        } else {
            self.existing_table(&alter.name)
        };
        self.expect_no_view(&table, &alter.name);
        match alter.change {
            TableChange::Rename(to) => self.rename_table(&table, &to),
            TableChange::AddPartitions { partitions, .. } => self.add_partitions(&table, partitions),
            TableChange::DropPartitions { partitions, .. } => self.drop_partitions(&table, partitions),
            TableChange::RenamePartition(to) => {
                self.read_table(&table, None);
                self.write_table(&table, WriteAction::Alter, optional(alter.partition.as_ref()));
                self.write_table(&table, WriteAction::Alter, Some(partition_values(&to)));
            }
            TableChange::ExchangePartition { partition, with } => {
                self.exchange_partition(&table, &partition, &with);
            }
            TableChange::Touch(partitions) => self.each_partition(&table, WriteAction::Touch, partitions),
            TableChange::Archive(partitions) | TableChange::Unarchive(partitions) => {
                self.each_partition(&table, WriteAction::Alter, partitions);
            }
            _ => {
                self.alter(&table, alter.partition.as_ref(), &alter.change);
                self.write_locations(&alter.change);
            }
        }
        if alter.partition.is_none() {
            self.put_altered(&table, &alter.change);
        }
    }

    fn expect_no_view(&mut self, table: &NamedTable<'_>, name: &QualifiedName<'_>) {
        if table.kind == DatasetKind::View {
            self.outcome.error_with_hint(
                DiagnosticCode::SEMANTIC,
                name.span(),
                format!("`{}` is a view", table.name),
                "use `ALTER VIEW`",
            );
        }
    }

    /// What most forms do: read the table, and write it or one of its partitions.
    fn alter(
        &mut self,
        table: &NamedTable<'_>,
        partition: Option<&PartitionSpecification<'_>>,
        change: &TableChange<'_>,
    ) {
        if is_unlisted(change, self.version()) {
            return;
        }
        self.read_table(table, None);
        self.write_table(table, WriteAction::Alter, optional(partition));
    }

    fn write_locations(&mut self, change: &TableChange<'_>) {
        match change {
            TableChange::SetLocation(location) => self.write_path(location, WriteAction::Touch),
            TableChange::SetSkewedLocation(locations) => {
                for location in *locations {
                    self.write_path(&location.path, WriteAction::Touch);
                }
            }
            _ => {}
        }
    }

    /// Hive 4 lists the new name and its database; older versions only the old name before it runs.
    pub(super) fn rename_table(&mut self, table: &NamedTable<'_>, to: &QualifiedName<'_>) {
        let span = to.span();
        let to = self.context.table_name(to);
        self.read_table(table, None);
        self.write_table(table, WriteAction::Alter, None);
        if self.version() >= HiveVersion::V4_0 {
            self.write_view(&to, table.kind, WriteAction::Create);
        }
        if self.context.table(&to).is_some() {
            self.outcome.warning(
                DiagnosticCode::ALREADY_EXISTS,
                span,
                format!("table `{to}` exists already"),
            );
            return;
        }
        self.change(CatalogChange::RenameTable { from: table.name.clone(), to });
    }

    pub(super) fn add_partitions(&mut self, table: &NamedTable<'_>, partitions: &[AddedPartition<'_>]) {
        for added in partitions {
            if let Some(location) = &added.location {
                self.read_path(location);
            }
            self.write_table(table, WriteAction::Alter, Some(partition_values(&added.partition)));
        }
    }

    pub(super) fn drop_partitions(
        &mut self,
        table: &NamedTable<'_>,
        partitions: &[PartitionSpecification<'_>],
    ) {
        self.read_table(table, None);
        for partition in partitions {
            self.write_table(table, WriteAction::Alter, Some(partition_values(partition)));
        }
    }

    /// The partition leaves the table named behind `WITH` and comes to the one that is altered.
    fn exchange_partition(
        &mut self,
        table: &NamedTable<'_>,
        partition: &PartitionSpecification<'_>,
        with: &QualifiedName<'_>,
    ) {
        let source = self.existing_table(with);
        let values = partition_values(partition);
        self.read_table(&source, Some(values.clone()));
        self.write_table(table, WriteAction::Alter, Some(values));
    }

    fn each_partition(
        &mut self,
        table: &NamedTable<'_>,
        action: WriteAction,
        partitions: &[PartitionSpecification<'_>],
    ) {
        self.read_table(table, None);
        if partitions.is_empty() {
            self.write_table(table, action, None);
        }
        for partition in partitions {
            self.write_table(table, action, Some(partition_values(partition)));
        }
    }

    fn put_altered(&mut self, table: &NamedTable<'_>, change: &TableChange<'_>) {
        let Some(old) = table.table else { return };
        if let Some(new) = altered(old, change) {
            self.change(CatalogChange::PutTable(Arc::new(new)));
        }
    }
}

/// Forms that older versions hand to their hooks without any object, and without a look at whether
/// the table exists.
const fn is_unlisted(change: &TableChange<'_>, version: HiveVersion) -> bool {
    let is_old = matches!(version, HiveVersion::V2_3 | HiveVersion::V3_1);
    is_old
        && matches!(
            change,
            TableChange::AddConstraint(_)
                | TableChange::DropConstraint(_)
                | TableChange::Compact(_)
                | TableChange::SetOwner(_)
                | TableChange::UpdateColumnStatistics { .. }
        )
        || matches!(change, TableChange::UpdateColumns(_))
}

fn operation(alter: &AlterTable<'_>) -> Operation {
    let of_partition = alter.partition.is_some();
    let either = |table, partition| if of_partition { partition } else { table };
    match alter.change {
        TableChange::Rename(_) => Operation::AlterTableRename,
        TableChange::RenamePartition(_) => Operation::AlterTableRenamePartition,
        TableChange::AddColumns { .. } => Operation::AlterTableAddColumns,
        TableChange::ReplaceColumns { .. } => Operation::AlterTableReplaceColumns,
        TableChange::ChangeColumn(_) => Operation::AlterTableRenameColumn,
        TableChange::UpdateColumns(_) => Operation::AlterTableUpdateColumns,
        TableChange::DropColumn { .. } => Operation::AlterTableDropColumn,
        TableChange::AddConstraint(_) => Operation::AlterTableAddConstraint,
        TableChange::DropConstraint(_) => Operation::AlterTableDropConstraint,
        TableChange::AddPartitions { .. } => Operation::AlterTableAddPartitions,
        TableChange::DropPartitions { .. } => Operation::AlterTableDropPartitions,
        TableChange::ExchangePartition { .. } => Operation::AlterTableExchangePartition,
        TableChange::PartitionColumnType(_) => Operation::AlterTablePartitionColumnType,
        TableChange::Touch(_) => Operation::AlterTableTouch,
        TableChange::Archive(_) => Operation::AlterTableArchive,
        TableChange::Unarchive(_) => Operation::AlterTableUnarchive,
        TableChange::SetProperties(_) | TableChange::UnsetProperties { .. } => {
            Operation::AlterTableProperties
        }
        TableChange::SetSerde { .. } => {
            either(Operation::AlterTableSerializer, Operation::AlterPartitionSerializer)
        }
        TableChange::SetSerdeProperties(_) | TableChange::UnsetSerdeProperties { .. } => {
            either(Operation::AlterTableSerdeProperties, Operation::AlterPartitionSerdeProperties)
        }
        TableChange::SetFileFormat(_) => {
            either(Operation::AlterTableFileFormat, Operation::AlterPartitionFileFormat)
        }
        TableChange::SetLocation(_) => {
            either(Operation::AlterTableLocation, Operation::AlterPartitionLocation)
        }
        TableChange::SetOwner(_) => Operation::AlterTableOwner,
        TableChange::ClusteredBy(_) | TableChange::NotClustered | TableChange::NotSorted => {
            Operation::AlterTableClusterSort
        }
        TableChange::IntoBuckets(_) => {
            either(Operation::AlterTableBucketCount, Operation::AlterPartitionBucketCount)
        }
        TableChange::Skewed(_) | TableChange::NotSkewed | TableChange::NotStoredAsDirectories => {
            Operation::AlterTableSkewed
        }
        TableChange::SetSkewedLocation(_) => Operation::AlterTableOrPartitionSkewedLocation,
        TableChange::Concatenate => either(Operation::AlterTableMerge, Operation::AlterPartitionMerge),
        TableChange::Compact(_) | TableChange::RewriteData(_) => Operation::AlterTableCompact,
        TableChange::UpdateStatistics(_) | TableChange::UpdateColumnStatistics { .. } => {
            either(Operation::AlterTableUpdateTableStatistics, Operation::AlterTableUpdatePartitionStatistics)
        }
        TableChange::SetPartitionSpec(_) => Operation::AlterTableSetPartitionSpec,
        TableChange::Execute(_) => Operation::AlterTableExecute,
        TableChange::CreateReference(reference) => match reference.kind {
            ReferenceKind::Branch => Operation::AlterTableCreateBranch,
            ReferenceKind::Tag => Operation::AlterTableCreateTag,
        },
        TableChange::DropReference { kind, .. } => match kind {
            ReferenceKind::Branch => Operation::AlterTableDropBranch,
            ReferenceKind::Tag => Operation::AlterTableDropTag,
        },
        TableChange::RenameReference { .. } => Operation::AlterTableRenameBranch,
        TableChange::ReplaceReference(_) => Operation::AlterTableReplaceSnapshotReference,
        TableChange::Convert { .. } => Operation::AlterTableConvert,
    }
}

/// The table as it is after the change, where the change concerns what a catalog keeps.
fn altered(old: &Table, change: &TableChange<'_>) -> Option<Table> {
    let table = match change {
        TableChange::AddColumns { columns, .. } => {
            Table { columns: added(&old.columns, columns), ..old.clone() }
        }
        TableChange::ReplaceColumns { columns, .. } => {
            Table { columns: defined_columns(columns), ..old.clone() }
        }
        TableChange::ChangeColumn(change) => Table { columns: changed(&old.columns, change), ..old.clone() },
        TableChange::DropColumn { name, .. } => {
            let gone = name.name();
            let kept = old.columns.iter().filter(|column| column.name != gone).cloned();
            Table { columns: kept.collect(), ..old.clone() }
        }
        TableChange::PartitionColumnType(definition) => {
            let new = defined_column(definition);
            let columns = old
                .partition_columns
                .iter()
                .map(|column| if column.name == new.name { new.clone() } else { column.clone() });
            Table { partition_columns: columns.collect(), ..old.clone() }
        }
        TableChange::SetProperties(list) => {
            let mut table = old.clone();
            set(&mut table.properties, list);
            follow_external(&mut table);
            if let Some(columns) = schema_columns([list]) {
                table.columns = columns;
            }
            table
        }
        TableChange::SetSerde { properties: Some(list), .. } | TableChange::SetSerdeProperties(list) => {
            Table { columns: schema_columns([list])?, ..old.clone() }
        }
        TableChange::UnsetProperties { keys, .. } => {
            let mut table = old.clone();
            unset(&mut table.properties, keys);
            table
        }
        TableChange::ClusteredBy(buckets) => {
            Table { bucket_columns: bucket_columns(Some(buckets)), ..old.clone() }
        }
        TableChange::NotClustered => Table { bucket_columns: Arc::default(), ..old.clone() },
        TableChange::SetLocation(location) => at_location(old, location),
        TableChange::SetOwner(owner) => Table { owner: Some(Arc::from(&*owner.name.value())), ..old.clone() },
        TableChange::Convert { properties, .. } => {
            let mut table = old.clone();
            set(&mut table.properties, properties.unwrap_or_default());
            table
        }
        _ => return None,
    };
    Some(table)
}

fn at_location(old: &Table, location: &StringLiteral<'_>) -> Table {
    Table { location: Some(text(location)), ..old.clone() }
}

fn added(columns: &[Column], definitions: &[ColumnDefinition<'_>]) -> Arc<[Column]> {
    let new = definitions.iter().map(defined_column);
    columns.iter().cloned().chain(new).collect()
}

fn changed(columns: &[Column], change: &ChangeColumn<'_>) -> Arc<[Column]> {
    let old_name = change.old_name.name();
    let mut columns = columns.to_vec();
    let Some(place) = columns.iter().position(|column| column.name == old_name) else {
        return columns.into();
    };
    let mut column = columns.remove(place);
    column.name = change.new_name.name();
    column.data_type = crate::types::Type::of(&change.data_type);
    if let Some(comment) = &change.comment {
        column.comment = Some(text(comment));
    }
    let place = match change.position {
        None => place,
        Some(ColumnPosition::First) => 0,
        Some(ColumnPosition::After(name)) => {
            let name = name.name();
            columns.iter().position(|column| column.name == name).map_or(place, |before| before + 1)
        }
    };
    columns.insert(place, column);
    columns.into()
}
