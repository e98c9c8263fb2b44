//! What an analysis may look at beside the statement itself.

use std::sync::Arc;

use guardbee_hiveql::tree::QualifiedName;
use guardbee_model::{HiveVersion, Name, TableName};

use crate::catalog::{Catalog, Function, Macro, Table, TableKind};
use crate::effects::{DatasetKind, FunctionName, FunctionOrigin};
use crate::functions::{self, BuiltIn};
use crate::settings::Settings;
use crate::slips::Slips;

/// The world of one statement. It is small and copied freely; nothing is ever changed through it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context<'c> {
    /// What everybody sees.
    pub catalog: &'c Catalog,
    /// What only this session has, and what hides the rest: temporary tables and functions, macros.
    pub session: &'c Catalog,
    /// The database that names without one belong to.
    pub database: &'c Name,
    pub settings: &'c Settings,
    pub macros: MacroScope<'c>,
    /// What misspelt names of tables may mean.
    pub slips: &'c Slips,
}

/// Where macros are looked for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum MacroScope<'c> {
    Session,
    /// The text is this macro's body.
    Body(&'c Macro),
}

/// What a function's name stands for.
#[derive(Debug, Clone)]
pub(crate) enum Callee<'c> {
    Macro(&'c Arc<Macro>),
    /// Made by somebody: of the session, or of a database.
    User(&'c Arc<Function>),
    BuiltIn(&'static BuiltIn),
    /// Neither built in nor in the catalog.
    Unknown,
}

impl<'c> Context<'c> {
    pub(crate) const fn version(&self) -> HiveVersion {
        self.settings.parser.version
    }

    /// The same world for a text that belongs to another database, such as a view's.
    pub(crate) const fn in_database(self, database: &'c Name) -> Self {
        Self { database, ..self }
    }

    /// The name with the current database filled in. Blanks around a database do not count; `` `db.t` `` in
    /// one pair of quotes is `db.t` to Hive 3 and older; later versions refuse it.
    pub(crate) fn table_name(&self, name: &QualifiedName<'_>) -> TableName {
        let table = name.name.name();
        match &name.database {
            Some(database) => TableName::new(Name::fold(database.value().trim()), table),
            None => match table.split_once('.') {
                Some((database, table)) => TableName::new(Name::fold(database), Name::fold(table)),
                None => TableName::new(self.database.clone(), table),
            },
        }
    }

    /// A table or view; one of the session hides one of the catalog.
    pub(crate) fn table(&self, name: &TableName) -> Option<&'c Arc<Table>> {
        self.session
            .table(&name.database, &name.table)
            .or_else(|| self.catalog.table(&name.database, &name.table))
    }

    pub(crate) fn kind(&self, name: &TableName) -> DatasetKind {
        self.table(name).map_or(DatasetKind::Unknown, |table| dataset_kind(table))
    }

    /// What a call of `[database.]function` reaches.
    pub(crate) fn callee(&self, database: Option<&Name>, function: &Name) -> Callee<'c> {
        let Some(database) = database else { return self.callee_without_database(function) };
        let name = FunctionName { database: Some(database.clone()), name: function.clone() };
        self.catalog.function(&name).map_or(Callee::Unknown, Callee::User)
    }

    fn callee_without_database(&self, function: &Name) -> Callee<'c> {
        let definition = match self.macros {
            MacroScope::Session => self.session.macro_named(function),
            MacroScope::Body(around) => around.bound.get(function),
        };
        if let Some(definition) = definition {
            return Callee::Macro(definition);
        }
        let temporary = FunctionName { database: None, name: function.clone() };
        if let Some(function) = self.session.function(&temporary) {
            return Callee::User(function);
        }
        if let Some(built_in) = functions::built_in(function, self.version()) {
            return Callee::BuiltIn(built_in);
        }
        let permanent = FunctionName { database: Some(self.database.clone()), name: temporary.name };
        match self.catalog.function(&permanent) {
            Some(function) => Callee::User(function),
            None => Callee::Unknown,
        }
    }
}

impl Callee<'_> {
    pub(crate) const fn origin(&self) -> FunctionOrigin {
        match self {
            Self::Macro(_) => FunctionOrigin::Macro,
            Self::User(_) => FunctionOrigin::User,
            Self::BuiltIn(_) => FunctionOrigin::BuiltIn,
            Self::Unknown => FunctionOrigin::Unknown,
        }
    }
}

pub(crate) const fn dataset_kind(table: &Table) -> DatasetKind {
    match table.kind {
        TableKind::Managed | TableKind::External | TableKind::Temporary => DatasetKind::Table,
        TableKind::View(_) => DatasetKind::View,
        TableKind::MaterializedView(_) => DatasetKind::MaterializedView,
    }
}
