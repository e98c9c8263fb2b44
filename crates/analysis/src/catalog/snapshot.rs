//! The catalog as one immutable value.

use std::fmt;
use std::sync::Arc;

use guardbee_model::{Name, TableName};
use rpds::HashTrieMapSync;
use rustc_hash::FxBuildHasher;

use super::{CatalogChange, Database, Function, Macro, Table};
use crate::effects::FunctionName;

type Map<K, V> = HashTrieMapSync<K, V, FxBuildHasher>;

/// All that is known of a warehouse. Cloning is cheap, and a clone never sees later changes.
#[derive(Clone)]
pub struct Catalog {
    databases: Map<Name, Arc<DatabaseContent>>,
    functions: Map<FunctionName, Arc<Function>>,
    macros: Map<Name, Arc<Macro>>,
    prepared: Map<Name, Prepared>,
    /// What lies exported where.
    exports: Map<Arc<str>, Arc<Table>>,
}

/// A prepared statement.
#[derive(Debug, Clone, PartialEq)]
pub struct Prepared {
    pub text: Arc<str>,
    /// The database that names without one belong to in the text.
    pub database: Name,
}

/// What differs between two catalogs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changed {
    pub databases: Vec<Name>,
    pub tables: Vec<TableName>,
}

#[derive(Clone)]
struct DatabaseContent {
    database: Database,
    tables: Map<Name, Arc<Table>>,
}

impl Default for Catalog {
    fn default() -> Self {
        Self::new()
    }
}

impl Catalog {
    /// Nothing but the database `default`.
    #[must_use]
    pub fn new() -> Self {
        let mut catalog = Self::empty();
        catalog.apply(&CatalogChange::PutDatabase(Database::new(Name::from_static("default"))));
        catalog
    }

    /// Nothing at all, as a session's own things start: only a warehouse has databases.
    pub(crate) fn empty() -> Self {
        Self {
            databases: Map::default(),
            functions: Map::default(),
            macros: Map::default(),
            prepared: Map::default(),
            exports: Map::default(),
        }
    }

    #[must_use]
    pub fn database(&self, name: &str) -> Option<&Database> {
        self.databases.get(name).map(|content| &content.database)
    }

    pub fn databases(&self) -> impl Iterator<Item = &Database> {
        self.databases.values().map(|content| &content.database)
    }

    #[must_use]
    pub fn table(&self, database: &str, table: &str) -> Option<&Arc<Table>> {
        self.databases.get(database)?.tables.get(table)
    }

    /// The tables and views of one database, in no order.
    pub fn tables(&self, database: &str) -> impl Iterator<Item = &Arc<Table>> {
        self.databases.get(database).into_iter().flat_map(|content| content.tables.values())
    }

    /// How many tables and views one database has.
    #[must_use]
    pub fn count_tables(&self, database: &str) -> usize {
        self.databases.get(database).map_or(0, |content| content.tables.size())
    }

    #[must_use]
    pub fn function(&self, name: &FunctionName) -> Option<&Arc<Function>> {
        self.functions.get(name)
    }

    pub fn functions(&self) -> impl Iterator<Item = &Arc<Function>> {
        self.functions.values()
    }

    #[must_use]
    pub fn macro_named(&self, name: &str) -> Option<&Arc<Macro>> {
        self.macros.get(name)
    }

    #[must_use]
    pub fn has_macros(&self) -> bool {
        !self.macros.is_empty()
    }

    #[must_use]
    pub fn prepared(&self, name: &str) -> Option<&Prepared> {
        self.prepared.get(name)
    }

    /// The table whose files were exported to a path.
    #[must_use]
    pub fn exported(&self, path: &str) -> Option<&Arc<Table>> {
        self.exports.get(path)
    }

    /// The databases and tables that came, changed or went since another state of the catalog. What the two share costs
    /// nothing to compare.
    #[must_use]
    pub fn changed_since(&self, before: &Self) -> Changed {
        let mut changed = Changed::default();
        for (name, content) in self.databases.iter() {
            let old = before.databases.get(name);
            if old.is_some_and(|old| Arc::ptr_eq(old, content)) {
                continue;
            }
            if old.is_none_or(|old| old.database != content.database) {
                changed.databases.push(name.clone());
            }
            let old_tables = old.map(|old| &old.tables);
            let is_same = |name: &Name, table: &Arc<Table>| {
                old_tables.and_then(|old| old.get(name)).is_some_and(|old| Arc::ptr_eq(old, table))
            };
            let new = content.tables.iter().filter(|(name, table)| !is_same(name, table));
            let gone = old_tables.into_iter().flat_map(Map::iter);
            let gone = gone.filter(|(name, _)| !content.tables.contains_key(*name));
            changed.tables.extend(new.chain(gone).map(|(_, table)| table.name.clone()));
        }
        for (name, content) in before.databases.iter().filter(|(name, _)| !self.databases.contains_key(*name))
        {
            changed.databases.push(name.clone());
            changed.tables.extend(content.tables.values().map(|table| table.name.clone()));
        }
        changed
    }

    /// Makes one change. What concerns a session alone (its database, its settings) is passed over.
    pub fn apply(&mut self, change: &CatalogChange) {
        match change {
            CatalogChange::PutDatabase(database) => self.put_database(database),
            CatalogChange::RemoveDatabase(name) => {
                self.databases.remove_mut(name);
            }
            CatalogChange::PutTable(table) => self.put_table(table.clone()),
            CatalogChange::RemoveTable(name) => self.remove_table(name),
            CatalogChange::RenameTable { from, to } => self.rename_table(from, to),
            CatalogChange::PutFunction(function) => {
                self.functions.insert_mut(function.name.clone(), Arc::new(function.clone()));
            }
            CatalogChange::RemoveFunction(name) => {
                self.functions.remove_mut(name);
            }
            CatalogChange::PutMacro(definition) => {
                self.macros.insert_mut(definition.name.clone(), Arc::new(definition.clone()));
            }
            CatalogChange::RemoveMacro(name) => {
                self.macros.remove_mut(name);
            }
            CatalogChange::Prepare { name, text, database } => {
                let prepared = Prepared { text: text.clone(), database: database.clone() };
                self.prepared.insert_mut(name.clone(), prepared);
            }
            CatalogChange::PutExport { path, table } => {
                self.exports.insert_mut(path.clone(), table.clone());
            }
            CatalogChange::UseDatabase(_) | CatalogChange::Setting { .. } | CatalogChange::ResetSettings => {}
        }
    }

    fn put_database(&mut self, database: &Database) {
        let tables =
            self.databases.get(&database.name).map(|content| content.tables.clone()).unwrap_or_default();
        let content = DatabaseContent { database: database.clone(), tables };
        self.databases.insert_mut(database.name.clone(), Arc::new(content));
    }

    /// A table of a database that was never created brings its database along.
    fn put_table(&mut self, table: Arc<Table>) {
        if !self.databases.contains_key(&table.name.database) {
            self.put_database(&Database::new(table.name.database.clone()));
        }
        if let Some(content) = self.databases.get_mut(&table.name.database) {
            Arc::make_mut(content).tables.insert_mut(table.name.table.clone(), table);
        }
    }

    fn remove_table(&mut self, name: &TableName) {
        if let Some(content) = self.databases.get_mut(&name.database) {
            Arc::make_mut(content).tables.remove_mut(&name.table);
        }
    }

    fn rename_table(&mut self, from: &TableName, to: &TableName) {
        let Some(table) = self.table(&from.database, &from.table) else { return };
        let renamed = Arc::new(Table { name: to.clone(), ..Table::clone(table) });
        self.remove_table(from);
        self.put_table(renamed);
    }
}

impl fmt::Debug for Catalog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Catalog")
            .field("databases", &self.databases.size())
            .field("functions", &self.functions.size())
            .field("macros", &self.macros.size())
            .finish_non_exhaustive()
    }
}
