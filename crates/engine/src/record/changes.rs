//! What becomes of datasets and their columns: made, renamed, gone.

use guardbee_analysis::catalog::{CatalogChange, Table};
use guardbee_analysis::partition_values;
use guardbee_hiveql::tree::{
    AlterTable, BinaryOperator, Drop, DropObject, Existence, PartitionItem, PartitionOperator,
    PartitionSpecification, PartitionTransform, QualifiedName, Statement, TableChange, ViewChange,
};
use guardbee_lineage::{DatasetChange, DatasetName};
use guardbee_model::{Name, TableName};

use crate::named::table_name;

use super::names::Names;
use super::partition;

/// The changes of a statement in order.
pub(super) fn changes(names: &Names<'_>, tree: Option<&Statement<'_>>) -> Vec<DatasetChange> {
    let mut changes: Vec<DatasetChange> = Vec::new();
    for change in &names.effects.changes {
        match change {
            CatalogChange::PutDatabase(database)
                if names.before.catalog().database(&database.name).is_none() =>
            {
                changes.push(made(tree, Names::database(&database.name), Vec::new()));
            }
            CatalogChange::RemoveDatabase(name) => {
                changes.push(DatasetChange::Drop { dataset: Names::database(name) });
            }
            CatalogChange::PutTable(table) => put(names, tree, table, &mut changes),
            // A temporary table is only a step on the way: what was made of it is still made of what it was.
            CatalogChange::RemoveTable(table) if !names.before.is_temporary(table) => {
                changes.push(DatasetChange::Drop { dataset: names.found(table) });
            }
            CatalogChange::RenameTable { from, to } => {
                let to = names.renamed(from, to);
                changes.push(DatasetChange::Rename { from: names.found(from), to });
            }
            _ => {}
        }
    }
    match tree {
        Some(Statement::AlterTable(alter)) => altered(names, alter, &mut changes),
        Some(Statement::AlterView(alter)) => {
            let view = table_name(&alter.name, names.before.database());
            match alter.change {
                ViewChange::As { .. } if changes.is_empty() => {
                    let columns = target_columns(names);
                    changes.push(DatasetChange::Ensure { dataset: names.found(&view), columns });
                }
                _ => {}
            }
        }
        Some(Statement::Drop(drop)) => dropped_unknown(names, drop, &mut changes),
        _ => {}
    }
    changes
}

/// Does a specification name one partition (or all of one value), rather than compare?
pub(super) fn is_exact(specification: &PartitionSpecification<'_>) -> bool {
    let is_exact = |item: &PartitionItem<'_>| {
        let is_equal = matches!(
            item.value,
            Some((PartitionOperator::Comparison(BinaryOperator::Equal | BinaryOperator::DoubleEqual), _))
        );
        is_equal && matches!(item.key, PartitionTransform::Column(_))
    };
    specification.items.iter().all(is_exact)
        && partition_values(specification)
            .iter()
            .all(|(_, value)| value.as_ref().is_some_and(|value| !value.is_empty()))
}

fn put(names: &Names<'_>, tree: Option<&Statement<'_>>, table: &Table, changes: &mut Vec<DatasetChange>) {
    let dataset = names.left(&table.name);
    let columns = || table.all_columns().map(|column| column.name.clone()).collect::<Vec<Name>>();
    match tree {
        Some(Statement::AlterTable(alter)) if is_column_rename(alter) => {}
        Some(Statement::CreateView(create)) if create.or_replace => {
            changes.extend(dropped_columns(names, table, &dataset));
            changes.push(DatasetChange::Ensure { dataset, columns: columns() });
        }
        Some(Statement::CreateTable(_) | Statement::CreateView(_) | Statement::CreateMaterializedView(_)) => {
            changes.push(made(tree, dataset, columns()));
        }
        _ => {
            let before = names.before.table(&table.name);
            let is_new = |name: &Name| before.is_none_or(|before| before.column(name).is_none());
            let columns = columns();
            let has_new = columns.iter().any(is_new) || before.is_none();
            changes.extend(dropped_columns(names, table, &dataset));
            if has_new {
                changes.push(DatasetChange::Ensure { dataset, columns });
            }
        }
    }
}

/// The columns that a table had before and has no more.
fn dropped_columns(names: &Names<'_>, table: &Table, dataset: &DatasetName) -> Vec<DatasetChange> {
    let before = names.before.table(&table.name).into_iter().flat_map(|before| before.all_columns());
    let gone = before.filter(|column| table.column(&column.name).is_none());
    gone.map(|column| DatasetChange::DropColumn { dataset: dataset.clone(), column: column.name.clone() })
        .collect()
}

/// A new dataset, or one that may have been there before.
fn made(tree: Option<&Statement<'_>>, dataset: DatasetName, columns: Vec<Name>) -> DatasetChange {
    let may_be_there = match tree {
        Some(Statement::CreateDatabase(create)) => create.if_not_exists == Existence::Tolerated,
        Some(Statement::CreateTable(create)) => create.if_not_exists == Existence::Tolerated,
        Some(Statement::CreateView(create)) => {
            create.or_replace || create.if_not_exists == Existence::Tolerated
        }
        Some(Statement::CreateMaterializedView(create)) => create.if_not_exists == Existence::Tolerated,
        _ => true,
    };
    match may_be_there {
        true => DatasetChange::Ensure { dataset, columns },
        false => DatasetChange::Create { dataset, columns },
    }
}

fn is_column_rename(alter: &AlterTable<'_>) -> bool {
    matches!(&alter.change, TableChange::ChangeColumn(change) if change.old_name.name() != change.new_name.name())
}

fn altered(names: &Names<'_>, alter: &AlterTable<'_>, changes: &mut Vec<DatasetChange>) {
    let table = table_name(&alter.name, names.before.database());
    let dataset = names.found(&table);
    match &alter.change {
        // The columns of one partition are how its files are read, not the table's.
        TableChange::ChangeColumn(change) if alter.partition.is_none() && is_column_rename(alter) => {
            let (from, to) = (change.old_name.name(), change.new_name.name());
            changes.push(DatasetChange::RenameColumn { dataset, from, to });
        }
        TableChange::DropColumn { name, .. } if names.before.table(&table).is_none() => {
            changes.push(DatasetChange::DropColumn { dataset, column: name.name() });
        }
        TableChange::DropPartitions { partitions, .. } => {
            let exact = partitions.iter().filter(|partition| is_exact(partition));
            changes.extend(exact.map(|of| DatasetChange::DropPartition {
                dataset: dataset.clone(),
                partition: partition(&partition_values(of)),
            }));
        }
        TableChange::RenamePartition(to) => {
            let from = alter.partition.as_ref().filter(|from| is_exact(from) && is_exact(to));
            changes.extend(from.map(|of| DatasetChange::DropPartition {
                dataset: dataset.clone(),
                partition: partition(&partition_values(of)),
            }));
        }
        TableChange::ExchangePartition { partition: of, with } if is_exact(of) => {
            let from = names.found(&table_name(with, names.before.database()));
            let partition = partition(&partition_values(of));
            changes.push(DatasetChange::MovePartition { from, to: dataset, partition });
        }
        _ => {}
    }
}

/// What is dropped though the catalog does not have it was there if anything had been remembered of it.
fn dropped_unknown(names: &Names<'_>, drop: &Drop<'_>, changes: &mut Vec<DatasetChange>) {
    let table = |name: &QualifiedName<'_>| -> Option<TableName> {
        let table = table_name(name, names.before.database());
        names.before.table(&table).is_none().then_some(table)
    };
    let dataset = match &drop.object {
        DropObject::Table { name, .. } | DropObject::View(name) | DropObject::MaterializedView(name) => {
            table(name).map(|table| names.found(&table))
        }
        DropObject::Database { name, .. } => {
            let name = name.name();
            names.before.catalog().database(&name).is_none().then(|| Names::database(&name))
        }
        _ => None,
    };
    changes.extend(dataset.map(|dataset| DatasetChange::Drop { dataset }));
}

fn target_columns(names: &Names<'_>) -> Vec<Name> {
    let targets = names.effects.targets.iter();
    targets.flat_map(|target| &target.columns).map(|column| column.name.clone()).collect()
}
