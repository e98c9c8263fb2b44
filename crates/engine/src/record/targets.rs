//! Where data goes.

use std::sync::Arc;

use guardbee_analysis::catalog::Table;
use guardbee_analysis::effects::{Destination, Object, WriteAction};
use guardbee_analysis::partition_values;
use guardbee_hiveql::tree::{
    AddedPartition, AlterTable, PartitionSpecification, QualifiedName, Statement, TableChange, TableClause,
};
use guardbee_lineage::{DatasetChange, DatasetName, Partition, Target, WriteKind};
use guardbee_model::{Name, Operation, TableName};

use crate::named::table_name;

use super::changes::is_exact;
use super::columns::{add, add_whole, identity};
use super::names::Names;
use super::partition;

/// Each place that data goes to, once: what a statement does to one place is one write, in however many branches
/// it says so.
pub(super) fn targets(
    names: &Names<'_>,
    tree: Option<&Statement<'_>>,
    changes: &[DatasetChange],
) -> Vec<Target> {
    let mut targets: Vec<Target> = Vec::new();
    if defines_nothing(names, changes) {
        return targets;
    }
    for of in &names.effects.targets {
        let write = match (write_kind(names, of.action, changes), &of.destination) {
            (WriteKind::Overwrite, Destination::Table(table)) if names.keeps_partitions(table) => {
                WriteKind::Append
            }
            (write, _) => write,
        };
        for dataset in names.destination(&of.destination) {
            let partition = match of.partition.is_empty() {
                true => dynamic_partition(names, &dataset, of.action),
                false => partition(&of.partition),
            };
            at_place(&mut targets, dataset, write, partition, |target| add(target, names, of));
        }
    }
    if names.effects.targets.is_empty() {
        targets = written_whole(names, tree);
    }
    if let Some(tree) = tree {
        targets.extend(located(names, tree));
    }
    if let [target] = targets.as_mut_slice()
        && !names.effects.targets.is_empty()
    {
        add_unnamed_inputs(names, target);
    }
    targets
}

/// A view that is there already keeps its text.
fn defines_nothing(names: &Names<'_>, changes: &[DatasetChange]) -> bool {
    let is_definition =
        matches!(names.effects.operation, Operation::CreateView | Operation::CreateMaterializedView);
    is_definition && changes.is_empty()
}

/// Hands the target of a place over. What is changed in place is one target, whatever else is done to it.
fn at_place(
    targets: &mut Vec<Target>,
    dataset: DatasetName,
    write: WriteKind,
    partition: Partition,
    change: impl FnOnce(&mut Target),
) {
    let is_modified = |target: &Target| target.write == WriteKind::Modify || write == WriteKind::Modify;
    let known = targets.iter_mut().find(|target| {
        target.dataset == dataset
            && (is_modified(target) || (target.write == write && target.partition == partition))
    });
    match known {
        Some(target) => {
            if is_modified(target) {
                target.write = WriteKind::Modify;
                target.partition.clear();
            }
            change(target);
        }
        None => {
            let mut target = empty(dataset, write, partition);
            change(&mut target);
            targets.push(target);
        }
    }
}

pub(super) fn empty(dataset: DatasetName, write: WriteKind, partition: Partition) -> Target {
    Target { dataset, write, partition, columns: Vec::new(), influences: Vec::new(), whole: Vec::new() }
}

fn write_kind(names: &Names<'_>, action: WriteAction, changes: &[DatasetChange]) -> WriteKind {
    if matches!(names.effects.operation, Operation::CreateView | Operation::AlterViewAs) {
        return WriteKind::Define;
    }
    let may_be_there = matches!(changes, [DatasetChange::Ensure { .. }]);
    match action {
        // Nobody knows whether `IF NOT EXISTS` made it or found it.
        WriteAction::Create if may_be_there && names.effects.operation == Operation::CreateTableAsSelect => {
            WriteKind::Append
        }
        WriteAction::Create | WriteAction::Overwrite => WriteKind::Overwrite,
        WriteAction::Update | WriteAction::Delete => WriteKind::Modify,
        WriteAction::Truncate => WriteKind::Truncate,
        _ => WriteKind::Append,
    }
}

/// Rows that bring the values of all partition columns replace only the partitions that they bring.
fn dynamic_partition(names: &Names<'_>, dataset: &DatasetName, action: WriteAction) -> Partition {
    let (DatasetName::Table(table) | DatasetName::Temporary { table, .. }) = dataset else {
        return Partition::new();
    };
    let brings_values = matches!(action, WriteAction::Insert | WriteAction::Overwrite | WriteAction::Load);
    let known = names.known(table).filter(|_| brings_values);
    let columns = known.into_iter().flat_map(|table| table.partition_columns.iter());
    columns.map(|column| (column.name.clone(), None)).collect()
}

/// Writes of which no column is known: tables that the catalog lacks, and what is emptied.
fn written_whole(names: &Names<'_>, tree: Option<&Statement<'_>>) -> Vec<Target> {
    let empties_columns = matches!(tree, Some(Statement::Truncate(truncate)) if !truncate.columns.is_empty());
    let mut targets = Vec::new();
    for write in &names.effects.writes {
        let kind = match (names.effects.operation, write.action) {
            (Operation::TruncateTable, WriteAction::Truncate) if empties_columns => WriteKind::Modify,
            (Operation::TruncateTable, WriteAction::Truncate) => WriteKind::Truncate,
            (Operation::Load, WriteAction::Overwrite) | (Operation::Export, WriteAction::Overwrite) => {
                WriteKind::Overwrite
            }
            (Operation::Load, WriteAction::Load)
            | (Operation::Import, WriteAction::Insert | WriteAction::Create) => WriteKind::Append,
            _ => continue,
        };
        let datasets = match &write.object {
            Object::Table(table) => vec![names.left(table)],
            Object::Path(path) => names.paths(path),
            _ => continue,
        };
        let whole: Vec<DatasetName> = match kind {
            WriteKind::Truncate | WriteKind::Modify => Vec::new(),
            _ => names.effects.reads.iter().flat_map(|read| names.read(&read.object)).collect(),
        };
        let mut partitions: Vec<Partition> = write.partitions.iter().map(partition).collect();
        if partitions.is_empty() {
            partitions.push(Partition::new());
        }
        for dataset in datasets {
            targets.extend(partitions.iter().map(|partition| Target {
                whole: whole.clone(),
                ..empty(dataset.clone(), kind, partition.clone())
            }));
        }
    }
    targets
}

/// Data that comes to a table by being where the table is said to lie, or from another table's partition.
fn located(names: &Names<'_>, tree: &Statement<'_>) -> Vec<Target> {
    match tree {
        Statement::CreateTable(create) if names.effects.targets.is_empty() => {
            let location = create.clauses.iter().find_map(|clause| match clause {
                TableClause::Location(location) => Some(location.value()),
                _ => None,
            });
            let table = table_name(&create.name, names.before.database());
            match location.filter(|_| names.put(&table).is_some()) {
                Some(path) => lying_at(names, &table, &path, None),
                None => Vec::new(),
            }
        }
        Statement::AlterTable(alter) => altered(names, alter),
        _ => Vec::new(),
    }
}

fn altered(names: &Names<'_>, alter: &AlterTable<'_>) -> Vec<Target> {
    let table = table_name(&alter.name, names.before.database());
    match &alter.change {
        // What lay elsewhere is there still: it comes back with the place.
        TableChange::SetLocation(location) => {
            lying_at(names, &table, &location.value(), alter.partition.as_ref())
        }
        TableChange::AddPartitions { partitions, .. } => {
            let with_location = |added: &AddedPartition<'_>| {
                let location = added.location?;
                Some(lying_at(names, &table, &location.value(), Some(&added.partition)))
            };
            partitions.iter().filter_map(with_location).flatten().collect()
        }
        TableChange::ExchangePartition { partition, with } => {
            exchanged(names, &table, partition, with).into_iter().collect()
        }
        TableChange::RenamePartition(to)
            if alter.partition.as_ref().is_some_and(is_exact) && is_exact(to) =>
        {
            vec![moved_within(names, &table, to)]
        }
        _ => Vec::new(),
    }
}

fn lying_at(
    names: &Names<'_>,
    table: &TableName,
    path: &str,
    of: Option<&PartitionSpecification<'_>>,
) -> Vec<Target> {
    let partition = of.map(|of| partition(&partition_values(of))).unwrap_or_default();
    let columns: Vec<Name> = names
        .known(table)
        .into_iter()
        .flat_map(|known| known.all_columns())
        .map(|column| column.name.clone())
        .filter(|name| !partition.iter().any(|(fixed, _)| fixed == name))
        .collect();
    let paths = names.paths(path).into_iter();
    paths.map(|path| lying_over(names.left(table), &path, partition.clone(), &columns)).collect()
}

/// A table over a path. Its columns are those of the files as far as anybody knows their names.
pub(super) fn lying_over(
    table: DatasetName,
    path: &DatasetName,
    partition: Partition,
    columns: &[Name],
) -> Target {
    let mut target = empty(table, WriteKind::Locate, partition);
    match columns {
        [] => add_whole(&mut target, path.clone()),
        columns => target.columns = identity(path, columns.iter().cloned()),
    }
    target
}

fn exchanged(
    names: &Names<'_>,
    table: &TableName,
    of: &PartitionSpecification<'_>,
    with: &QualifiedName<'_>,
) -> Option<Target> {
    if !is_exact(of) {
        return None;
    }
    let with = table_name(with, names.before.database());
    let columns_of = names.known(&with).or_else(|| names.known(table));
    Some(moved(names.found(&with), names.left(table), of, columns_of))
}

/// What is in a partition is there under other values after it was renamed.
fn moved_within(names: &Names<'_>, table: &TableName, to: &PartitionSpecification<'_>) -> Target {
    moved(names.found(table), names.left(table), to, names.known(table))
}

/// The rows of a partition as they are, but for the values in its name.
fn moved(
    from: DatasetName,
    to: DatasetName,
    of: &PartitionSpecification<'_>,
    columns_of: Option<&Arc<Table>>,
) -> Target {
    let mut target = empty(to, WriteKind::Append, partition(&partition_values(of)));
    match columns_of {
        Some(known) => {
            let fixed = &target.partition;
            let columns = known.all_columns().map(|column| column.name.clone());
            let moved: Vec<_> =
                columns.filter(|name| !fixed.iter().any(|(column, _)| column == name)).collect();
            target.columns = identity(&from, moved.into_iter());
        }
        None => add_whole(&mut target, from),
    }
    target
}

/// What is read and no column of the target names goes in as a whole: it decides how many rows there are.
fn add_unnamed_inputs(names: &Names<'_>, target: &mut Target) {
    // Where a new table is to lie is listed as read, and nothing goes in from there.
    let is_new = names.effects.operation == Operation::CreateTableAsSelect;
    let direct = names.effects.reads.iter().filter(|read| {
        let is_place = is_new && matches!(read.object, Object::Path(_));
        read.access.is_direct() && !super::is_staged(read) && !is_place
    });
    for dataset in direct.flat_map(|read| names.read(&read.object)) {
        if !is_named(names, target, &dataset) {
            add_whole(target, dataset);
        }
    }
}

fn is_named(names: &Names<'_>, target: &Target, dataset: &DatasetName) -> bool {
    let is_view = |through: &[TableName]| through.iter().any(|view| names.found(view) == *dataset);
    let by_source = target.columns.iter().flat_map(|column| &column.sources);
    let influences =
        target.columns.iter().flat_map(|column| &column.influences).chain(target.influences.iter());
    by_source.into_iter().any(|source| source.dataset == *dataset || is_view(&source.through))
        || influences.into_iter().any(|found| found.dataset == *dataset || is_view(&found.through))
}
