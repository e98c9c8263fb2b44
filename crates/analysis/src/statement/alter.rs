//! `ALTER` of everything but tables.

use std::sync::Arc;

use guardbee_hiveql::tree::{
    AlterDataConnector, AlterDatabase, AlterIndex, AlterMaterializedView, AlterScheduledQuery, AlterView,
    DataConnectorChange, DatabaseChange, IndexChange, MaterializedViewChange, ScheduledQueryChange,
    ViewChange,
};
use guardbee_model::{HiveVersion, Operation};

use crate::catalog::{CatalogChange, Database, Table, TableKind};
use crate::effects::{Access, DatasetKind, Destination, Object, WriteAction};

use super::properties::{put, set, unset};
use super::{Analyzer, NamedTable, text};

impl Analyzer<'_, '_> {
    pub(super) fn alter_database(&mut self, alter: &AlterDatabase<'_>) {
        self.operation(match alter.change {
            DatabaseChange::Properties(_) => Operation::AlterDatabase,
            DatabaseChange::Owner(_) => Operation::AlterDatabaseOwner,
            DatabaseChange::Location(_) | DatabaseChange::ManagedLocation(_) => {
                Operation::AlterDatabaseLocation
            }
        });
        let name = self.existing_database(alter.name);
        self.write_database(&name, WriteAction::Alter);
        if let DatabaseChange::Location(path) | DatabaseChange::ManagedLocation(path) = &alter.change {
            self.write_path(path, WriteAction::Touch);
        }
        if let Some(old) = self.context.catalog.database(&name) {
            self.change(CatalogChange::PutDatabase(altered_database(old, &alter.change)));
        }
    }

    /// Hive prints the change of an owner as that of a database's.
    pub(super) fn alter_data_connector(&mut self, alter: &AlterDataConnector<'_>) {
        self.operation(match alter.change {
            DataConnectorChange::Properties(_) => Operation::AlterDataConnector,
            DataConnectorChange::Owner(_) => Operation::AlterDatabaseOwner,
            DataConnectorChange::Url(_) => Operation::AlterDataConnectorUrl,
        });
        self.write_object(Object::DataConnector(alter.name.name()), WriteAction::Alter);
    }

    pub(super) fn alter_view(&mut self, alter: &AlterView<'_>) {
        let view = self.existing_table(&alter.name);
        match alter.change {
            ViewChange::As { query, query_text } => {
                if self.version() < HiveVersion::V4_0 {
                    self.expect_view(&alter.name);
                }
                self.operation(match self.version() {
                    HiveVersion::V2_3 => Operation::CreateView,
                    _ => Operation::AlterViewAs,
                });
                let columns = self.view_query(&view.name, query, &[]);
                self.write_view(&view.name, DatasetKind::View, WriteAction::Alter);
                if let Some(old) = view.table {
                    self.change(CatalogChange::PutTable(Arc::new(Table {
                        kind: TableKind::View(self.view_definition(&query_text)),
                        columns: columns.into(),
                        ..Table::clone(old)
                    })));
                }
            }
            ViewChange::Rename(to) => {
                self.operation(Operation::AlterViewRename);
                self.rename_table(&view, &to);
            }
            ViewChange::SetProperties(_) | ViewChange::UnsetProperties { .. } => {
                self.operation(Operation::AlterViewProperties);
                self.read_table(&view, None);
                self.write_table(&view, WriteAction::Alter, None);
                if let Some(old) = view.table {
                    self.change(CatalogChange::PutTable(Arc::new(altered_view(old, &alter.change))));
                }
            }
            ViewChange::AddPartitions { partitions, .. } => {
                self.operation(Operation::AlterTableAddPartitions);
                self.read_table(&view, None);
                self.read_behind(&view);
                self.add_partitions(&view, partitions);
            }
            ViewChange::DropPartitions { partitions, .. } => {
                self.operation(Operation::AlterTableDropPartitions);
                self.drop_partitions(&view, partitions);
            }
        }
    }

    /// Adds the tables behind a view as reads through it.
    fn read_behind(&mut self, view: &NamedTable<'_>) {
        let Some(table) = view.table else { return };
        let own = std::mem::take(&mut self.outcome.effects.reads);
        let targets = self.outcome.effects.targets.len();
        self.stored_query(table, &Destination::Result);
        self.outcome.effects.targets.truncate(targets);
        let behind = std::mem::replace(&mut self.outcome.effects.reads, own);
        self.outcome.effects.reads.extend(behind.into_iter().map(|mut read| {
            let views = match &read.access {
                Access::Direct => vec![view.name.clone()],
                Access::Through(views) => std::iter::once(&view.name).chain(views.iter()).cloned().collect(),
            };
            read.access = Access::Through(views.into());
            read
        }));
    }

    pub(super) fn alter_materialized_view(&mut self, alter: &AlterMaterializedView<'_>) {
        let view = self.existing_table(&alter.name);
        match alter.change {
            MaterializedViewChange::EnableRewrite | MaterializedViewChange::DisableRewrite => {
                self.operation(Operation::AlterMaterializedViewRewrite);
                self.read_table(&view, None);
                self.write_table(&view, WriteAction::Alter, None);
            }
            MaterializedViewChange::Rebuild => {
                self.operation(if self.version() >= HiveVersion::V4_0 {
                    Operation::AlterMaterializedViewRebuild
                } else {
                    Operation::Query
                });
                if let Some(table) = view.table {
                    self.rebuild(table);
                }
                self.write_table(&view, WriteAction::Overwrite, None);
            }
        }
    }

    pub(super) fn alter_index(&mut self, alter: &AlterIndex<'_>) {
        self.operation(match alter.change {
            IndexChange::Rebuild => Operation::AlterIndexRebuild,
            IndexChange::SetProperties(_) => Operation::AlterIndexProperties,
        });
        let table = self.existing_table(&alter.table);
        if let IndexChange::Rebuild = alter.change {
            self.read_table(&table, crate::partition::optional(alter.partition.as_ref()));
        }
    }

    pub(super) fn alter_scheduled_query(&mut self, alter: &AlterScheduledQuery<'_>) {
        self.operation(Operation::AlterScheduledQuery);
        match alter.change {
            ScheduledQueryChange::DefinedAs { query, .. } => {
                self.scheduled(alter.name, query, WriteAction::Alter);
            }
            _ => self.write_object(Object::Service(alter.name.name()), WriteAction::Alter),
        }
    }
}

fn altered_database(old: &Database, change: &DatabaseChange<'_>) -> Database {
    let mut database = old.clone();
    match change {
        DatabaseChange::Properties(list) => set(&mut database.properties, list),
        DatabaseChange::Owner(owner) => database.owner = Some(Arc::from(&*owner.name.value())),
        DatabaseChange::Location(path) => database.location = Some(text(path)),
        DatabaseChange::ManagedLocation(path) => {
            put(&mut database.properties, Arc::from("managed_location"), text(path));
        }
    }
    database
}

fn altered_view(old: &Table, change: &ViewChange<'_>) -> Table {
    let mut view = old.clone();
    match change {
        ViewChange::SetProperties(list) => set(&mut view.properties, list),
        ViewChange::UnsetProperties { keys, .. } => unset(&mut view.properties, keys),
        _ => {}
    }
    view
}
