//! What the datasets of a statement are called.

use std::sync::Arc;

use guardbee_analysis::catalog::{Table, TableKind};
use guardbee_analysis::effects::{Destination, Effects, Object};
use guardbee_analysis::{CatalogChange, Session};
use guardbee_lineage::{DatasetName, RunKey};
use guardbee_model::{Name, TableName};
use guardbee_policy::Uri;

use crate::named::Named;

use super::SessionTables;
use super::places::place;

/// A statement and all that is needed to name what it touches.
pub(super) struct Names<'a> {
    pub before: &'a Session,
    pub effects: &'a Effects,
    pub named: &'a Named,
    pub tables: &'a SessionTables,
    pub key: &'a RunKey,
    pub default_file_system: &'a str,
}

impl Names<'_> {
    /// A table as the statement finds it.
    pub fn found(&self, table: &TableName) -> DatasetName {
        match self.before.is_temporary(table) {
            true => self.tables.current(table),
            false => DatasetName::Table(table.clone()),
        }
    }

    /// A table as the statement leaves it: a temporary one hides a permanent one from the moment it is made.
    pub fn left(&self, table: &TableName) -> DatasetName {
        match (self.put(table).map(|put| &put.kind), self.before.is_temporary(table)) {
            (Some(TableKind::Temporary), false) => self.tables.next(table),
            (Some(TableKind::Temporary) | None, true) => self.tables.current(table),
            _ => DatasetName::Table(table.clone()),
        }
    }

    /// A table under the name that it gets.
    pub fn renamed(&self, from: &TableName, to: &TableName) -> DatasetName {
        match self.before.is_temporary(from) {
            true => self.tables.next(to),
            false => DatasetName::Table(to.clone()),
        }
    }

    /// The table that the statement makes or alters under a name.
    pub fn put(&self, table: &TableName) -> Option<&Arc<Table>> {
        self.effects.changes.iter().rev().find_map(|change| match change {
            CatalogChange::PutTable(put) if put.name == *table => Some(put),
            _ => None,
        })
    }

    /// What the catalog has under a name, as the statement leaves it.
    pub fn known(&self, table: &TableName) -> Option<&Arc<Table>> {
        self.put(table).or_else(|| self.before.table(table))
    }

    /// Does a partition that is there stay as it is?
    pub fn keeps_partitions(&self, table: &TableName) -> bool {
        self.named.kept_where_present.contains(table)
    }

    /// The datasets that an object that is read stands for.
    pub fn read(&self, object: &Object) -> Vec<DatasetName> {
        match object {
            Object::Table(table) => vec![self.found(table)],
            Object::Path(path) => self.paths(path),
            Object::Database(name) => vec![DatasetName::Database(name.clone())],
            _ => Vec::new(),
        }
    }

    pub fn destination(&self, destination: &Destination) -> Vec<DatasetName> {
        match destination {
            Destination::Table(table) => vec![self.left(table)],
            Destination::Directory(path) => self.paths(path),
            Destination::Result => vec![DatasetName::Result(self.key.clone())],
        }
    }

    /// Where a path leads: to a place on one machine, in the warehouse's file system, or to both where the
    /// statement names the same path in both. One that stands for no place is kept as it is written.
    pub fn paths(&self, path: &str) -> Vec<DatasetName> {
        let is_local = self.named.local_paths.iter().any(|local| local == path);
        let is_shared = !is_local || self.named.shared_paths.iter().any(|shared| shared == path);
        let local = is_local.then(|| Uri::requested(path, "file://"));
        let shared = is_shared.then(|| Uri::requested(path, self.default_file_system));
        let name = |place: Result<Uri, _>| match place {
            Ok(place) => Arc::from(place.with_port()),
            Err(_) => Arc::from(path),
        };
        local.into_iter().chain(shared).map(|place| DatasetName::Path(name(place))).collect()
    }

    /// Where a table lies once the statement is done, if anybody says so.
    pub fn place(&self, table: &TableName) -> Option<DatasetName> {
        match self.put(table) {
            Some(put) => place(put, self.before.catalog(), self.default_file_system),
            None => self.place_before(table),
        }
    }

    /// Where it lay before.
    pub fn place_before(&self, table: &TableName) -> Option<DatasetName> {
        place(self.before.table(table)?, self.before.catalog(), self.default_file_system)
    }

    /// The path that columns of files come from.
    pub fn file(&self, path: &str) -> DatasetName {
        let place = self.paths(path).into_iter().next();
        place.unwrap_or_else(|| DatasetName::Path(Arc::from(path)))
    }

    pub fn database(name: &Name) -> DatasetName {
        DatasetName::Database(name.clone())
    }
}
