//! `DROP`, and `USE`.

use guardbee_hiveql::tree::{Drop, DropBehavior, DropObject, Existence, Identifier, QualifiedName};
use guardbee_model::{DiagnosticCode, HiveVersion, Name, Operation};

use crate::catalog::{CatalogChange, Table};
use crate::context::dataset_kind;
use crate::effects::{DatasetKind, FunctionName, FunctionOrigin, Object, WriteAction};

use super::{Analyzer, NamedTable};

impl Analyzer<'_, '_> {
    pub(super) fn drop(&mut self, drop: &Drop<'_>) {
        match drop.object {
            DropObject::Database { name, behavior } => self.drop_database(name, behavior, drop.if_exists),
            DropObject::DataConnector(name) => {
                self.operation(Operation::DropDataConnector);
                self.read_object(Object::DataConnector(name.name()));
                self.write_object(Object::DataConnector(name.name()), WriteAction::Drop);
            }
            DropObject::Table { name, .. } => self.drop_table(&name, drop.if_exists),
            DropObject::View(name) => {
                self.operation(Operation::DropView);
                self.drop_view(&name, DatasetKind::View, drop.if_exists);
            }
            DropObject::MaterializedView(name) => {
                self.operation(Operation::DropMaterializedView);
                self.drop_view(&name, DatasetKind::MaterializedView, drop.if_exists);
            }
            DropObject::Function { temporary, name } => self.drop_function(temporary, &name, drop.if_exists),
            DropObject::Macro(name) => self.drop_macro(name, drop.if_exists),
            DropObject::Index { table, .. } => {
                self.operation(Operation::DropIndex);
                let table = self.existing_table(&table);
                self.read_table(&table, None);
            }
            DropObject::Catalog(name) => {
                self.operation(Operation::DropCatalog);
                self.write_object(Object::Service(name.name()), WriteAction::Drop);
            }
            DropObject::ScheduledQuery(name) => {
                self.operation(Operation::DropScheduledQuery);
                self.write_object(Object::Service(name.name()), WriteAction::Drop);
            }
        }
    }

    pub(super) fn use_database(&mut self, database: Identifier<'_>) {
        self.operation(Operation::SwitchDatabase);
        let name = self.existing_database(database);
        self.read_database(&name);
        self.change(CatalogChange::UseDatabase(name));
    }

    fn drop_database(
        &mut self,
        identifier: Identifier<'_>,
        behavior: Option<DropBehavior>,
        if_exists: Existence,
    ) {
        self.operation(Operation::DropDatabase);
        let name = identifier.name();
        if !self.has_database(&name) {
            if if_exists == Existence::Required {
                self.expect_database(&name, identifier.span());
            }
            return;
        }
        self.read_database(&name);
        self.write_database(&name, WriteAction::Drop);
        if behavior == Some(DropBehavior::Cascade) {
            self.drop_content(&name);
        }
        match self.reason_to_keep(&name, behavior) {
            Some(reason) => self.outcome.warning(DiagnosticCode::SEMANTIC, identifier.span(), reason),
            None => self.change(CatalogChange::RemoveDatabase(name)),
        }
    }

    /// Why Hive will not drop a database.
    fn reason_to_keep(&self, name: &Name, behavior: Option<DropBehavior>) -> Option<String> {
        if name.as_str() == "default" {
            return Some("the default database cannot be dropped".to_owned());
        }
        let is_empty = self.context.catalog.tables(name).next().is_none();
        (behavior != Some(DropBehavior::Cascade) && !is_empty)
            .then(|| format!("database `{name}` has tables, and stays without `CASCADE`"))
    }

    fn drop_content(&mut self, database: &Name) {
        let catalog = self.context.catalog;
        let mut tables: Vec<&Table> = catalog.tables(database).map(|table| &**table).collect();
        tables.sort_unstable_by(|left, right| left.name.table.cmp(&right.name.table));
        for table in tables {
            let object = Object::Table(table.name.clone());
            self.outcome.write_new(object, dataset_kind(table), WriteAction::Drop, None);
        }
        let mut functions: Vec<&FunctionName> = catalog
            .functions()
            .map(|function| &function.name)
            .filter(|function| function.database.as_ref() == Some(database))
            .collect();
        functions.sort_unstable();
        for function in functions {
            let object = Object::Function(function.clone());
            self.outcome.write_new(object, DatasetKind::Other, WriteAction::Drop, None);
        }
    }

    /// Hive 4 also lists the database that the table is, or would be, in.
    fn drop_table(&mut self, name: &QualifiedName<'_>, if_exists: Existence) {
        self.operation(Operation::DropTable);
        let table = self.table(name);
        if self.version() >= HiveVersion::V4_0 && self.has_database(&table.name.database) {
            self.write_database(&table.name.database, WriteAction::AlterInside);
        }
        self.drop_dataset(&table, DatasetKind::Table, name, if_exists);
    }

    fn drop_view(&mut self, name: &QualifiedName<'_>, kind: DatasetKind, if_exists: Existence) {
        let view = self.table(name);
        self.drop_dataset(&view, kind, name, if_exists);
    }

    /// Without `IF EXISTS`, dropping what is not there only fails where
    /// `hive.exec.drop.ignorenonexistent` is off, and it is on unless set; so that is a remark at most.
    fn drop_dataset(
        &mut self,
        table: &NamedTable<'_>,
        kind: DatasetKind,
        name: &QualifiedName<'_>,
        if_exists: Existence,
    ) {
        if table.table.is_none() {
            if if_exists == Existence::Required && !self.ignores_missing() {
                self.existing_table(name);
            }
            return;
        }
        self.read_table(table, None);
        self.write_table(table, WriteAction::Drop, None);
        if table.kind == kind {
            self.change(CatalogChange::RemoveTable(table.name.clone()));
        } else {
            self.outcome.warning(
                DiagnosticCode::SEMANTIC,
                name.span(),
                format!("`{}` is no {} and stays", table.name, kind_word(kind)),
            );
        }
    }

    const fn ignores_missing(&self) -> bool {
        self.context.settings.drop_ignores_missing
    }

    fn drop_function(&mut self, temporary: bool, name: &QualifiedName<'_>, if_exists: Existence) {
        self.operation(Operation::DropFunction);
        let database = (!temporary).then(|| self.database_of(name));
        let function = FunctionName { database: database.clone(), name: name.name.name() };
        let home = if temporary { self.context.session } else { self.context.catalog };
        let is_known = home.function(&function).is_some();
        if !is_known {
            if if_exists == Existence::Required && !self.ignores_missing() {
                self.outcome.warning(
                    DiagnosticCode::UNKNOWN_FUNCTION,
                    name.span(),
                    format!("function `{function}` does not exist"),
                );
            }
            return;
        }
        if let Some(database) = &function.database {
            self.database_of_function(database, WriteAction::AlterInside);
        }
        self.outcome.function(function.clone(), FunctionOrigin::User);
        self.write_object(Object::Function(function.clone()), WriteAction::Drop);
        self.change(CatalogChange::RemoveFunction(function));
    }

    /// Hive lists the current database even where there is no such macro.
    fn drop_macro(&mut self, identifier: Identifier<'_>, if_exists: Existence) {
        self.operation(Operation::DropMacro);
        let database = self.context.database.clone();
        self.write_database(&database, WriteAction::AlterInside);
        let name = identifier.name();
        if self.context.session.macro_named(&name).is_none() {
            if if_exists == Existence::Required && !self.ignores_missing() {
                self.outcome.warning(
                    DiagnosticCode::UNKNOWN_FUNCTION,
                    identifier.span(),
                    format!("macro `{name}` does not exist"),
                );
            }
            return;
        }
        self.outcome.function(FunctionName { database: None, name: name.clone() }, FunctionOrigin::Macro);
        self.change(CatalogChange::RemoveMacro(name));
    }
}

const fn kind_word(kind: DatasetKind) -> &'static str {
    match kind {
        DatasetKind::Table => "table",
        DatasetKind::View => "view",
        DatasetKind::MaterializedView => "materialized view",
        DatasetKind::Other | DatasetKind::Unknown => "dataset",
    }
}
