//! Tables that lie at a path: what is written to the table is written there.
//!
//! A run says of each write to such a table that it is one to the path as well, with the same columns, and of a table that
//! comes to lie at a path that it lies over it. So whoever reads the path, by whatever name, reads what was written to
//! the table, and the other way round.

use std::sync::Arc;

use guardbee_analysis::Catalog;
use guardbee_analysis::catalog::{CatalogChange, Database, Table, TableKind};
use guardbee_lineage::{DatasetChange, DatasetName, Derivation, Partition, Target, TargetColumn, WriteKind};
use guardbee_model::{Name, TableName};
use guardbee_policy::Uri;

use super::columns::identity;
use super::names::Names;
use super::targets::{empty, lying_over};

/// The key under which a database keeps the folder of its managed tables, where it has one of its own.
const MANAGED_LOCATION: &str = "managed_location";

/// Where a table lies: where it says, else in its database's folder if that says where it is.
pub(crate) fn place(table: &Table, catalog: &Catalog, default_file_system: &str) -> Option<DatasetName> {
    let has_files = matches!(table.kind, TableKind::Managed | TableKind::External | TableKind::Temporary);
    if !has_files {
        return None;
    }
    let path = match &table.location {
        Some(location) => location.to_string(),
        None => in_database(table, catalog.database(&table.name.database)?)?,
    };
    Some(DatasetName::Path(match Uri::requested(&path, default_file_system) {
        Ok(place) => Arc::from(place.with_port()),
        Err(_) => Arc::from(path),
    }))
}

fn in_database(table: &Table, database: &Database) -> Option<String> {
    let of_managed = || {
        let folder = database.properties.iter().find(|(key, _)| &**key == MANAGED_LOCATION);
        folder.map(|(_, folder)| folder)
    };
    let folder = match table.kind {
        TableKind::Managed => of_managed().or(database.location.as_ref()),
        TableKind::External => database.location.as_ref(),
        _ => None,
    }?;
    Some(format!("{}/{}", folder.trim_end_matches('/'), table.name.table))
}

/// Adds to what a statement writes what it does to the files of tables by that.
pub(super) fn add_files(names: &Names<'_>, changes: &[DatasetChange], targets: &mut Vec<Target>) {
    let written: Vec<Target> = targets.iter().filter_map(|target| in_files(names, target)).collect();
    targets.extend(written);
    for change in &names.effects.changes {
        match change {
            CatalogChange::PutTable(table) => targets.extend(newly_lying(names, table, targets)),
            CatalogChange::RenameTable { from, to } => targets.extend(renamed(names, from, to)),
            CatalogChange::RemoveTable(table) => targets.extend(removed(names, table)),
            _ => {}
        }
    }
    let dropped = changes.iter().filter_map(|change| partition_dropped(names, change));
    targets.extend(dropped);
}

/// A write to a table, as one to its files. The columns of the partition stand in the names of folders.
fn in_files(names: &Names<'_>, target: &Target) -> Option<Target> {
    let table = match &target.dataset {
        DatasetName::Table(table) | DatasetName::Temporary { table, .. } => table,
        _ => return None,
    };
    if matches!(target.write, WriteKind::Define | WriteKind::Locate) {
        return None;
    }
    let path = names.place(table)?;
    let mut written = Target { dataset: path, ..target.clone() };
    if !written.columns.is_empty() {
        let is_named = |name: &Name| target.columns.iter().any(|column| column.name == *name);
        let fixed = target.partition.iter().map(|(name, _)| name).filter(|name| !is_named(name));
        written.columns.extend(fixed.map(|name| made_of_nothing(name.clone())));
    }
    Some(written)
}

/// A column that is there, and nothing goes into it.
pub(crate) fn made_of_nothing(name: Name) -> TargetColumn {
    let (sources, influences) = (Vec::new(), Vec::new());
    TargetColumn { name, expression: None, derivation: Derivation::Expression, sources, influences }
}

/// A table that lies where it did not lie before, or with columns that it did not have.
fn newly_lying(names: &Names<'_>, table: &Table, targets: &[Target]) -> Option<Target> {
    let path = names.place(&table.name)?;
    let left = names.left(&table.name);
    let is_said = |target: &Target| target.write == WriteKind::Locate && target.dataset == left;
    if targets.iter().any(is_said) {
        return None;
    }
    let columns = table.all_columns().map(|column| column.name.clone());
    let before = names.before.table(&table.name).filter(|_| names.found(&table.name) == left);
    let before = before.filter(|_| names.place_before(&table.name).as_ref() == Some(&path));
    let Some(before) = before else {
        let columns: Vec<Name> = columns.collect();
        return Some(lying_over(left, &path, Partition::new(), &columns));
    };
    let new: Vec<Name> = columns.filter(|name| before.column(name).is_none()).collect();
    (!new.is_empty()).then(|| lying_over(left, &path, Partition::new(), &new))
}

/// A table without a place of its own goes to another folder with its name.
fn renamed(names: &Names<'_>, from: &TableName, to: &TableName) -> Vec<Target> {
    let Some(table) = names.before.table(from) else { return Vec::new() };
    let renamed = Table { name: to.clone(), ..Table::clone(table) };
    let place_after = place(&renamed, names.before.catalog(), names.default_file_system);
    let (Some(before), Some(after)) = (names.place_before(from), place_after) else { return Vec::new() };
    if before == after {
        return Vec::new();
    }
    let columns: Vec<Name> = table.all_columns().map(|column| column.name.clone()).collect();
    let mut moved = empty(after.clone(), WriteKind::Append, Partition::new());
    match columns.as_slice() {
        [] => moved.whole.push(before),
        columns => moved.columns = identity(&before, columns.iter().cloned()),
    }
    vec![moved, lying_over(names.renamed(from, to), &after, Partition::new(), &columns)]
}

/// The files of a table that Hive manages go with it.
fn removed(names: &Names<'_>, table: &TableName) -> Option<Target> {
    let known = names.before.table(table)?;
    let goes = matches!(known.kind, TableKind::Managed | TableKind::Temporary);
    let path = names.place_before(table).filter(|_| goes)?;
    Some(empty(path, WriteKind::Truncate, Partition::new()))
}

fn partition_dropped(names: &Names<'_>, change: &DatasetChange) -> Option<Target> {
    let DatasetChange::DropPartition { dataset: DatasetName::Table(table), partition } = change else {
        return None;
    };
    let path = names.place(table)?;
    let goes = names.known(table).is_some_and(|known| known.kind == TableKind::Managed);
    goes.then(|| empty(path, WriteKind::Truncate, partition.clone()))
}
