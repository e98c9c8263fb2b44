//! Whole statements: which operation each is, what it reads and writes, and what it changes.
//!
//! The objects are those that Hive's compiler hands to its hooks, version by version; what a query inside
//! a statement does comes from [`crate::query`].

mod administration;
mod alter;
mod alter_table;
mod create;
mod create_table;
mod data;
mod drop;
mod properties;
mod show;
mod storage;

use std::sync::Arc;

use guardbee_hiveql::tree::{
    CatalogAlteration, Explain, ExplainOption, Identifier, QualifiedName, Statement, StringLiteral,
};
use guardbee_model::{Diagnostic, DiagnosticCode, HiveVersion, Name, Operation, Span, TableName};

use crate::catalog::{CatalogChange, Table};
use crate::context::{Context, dataset_kind};
use crate::effects::{DatasetKind, Destination, Mode, Object, PartitionValues, WriteAction};
use crate::outcome::Outcome;
use crate::query;

/// What a statement does. `source` is the text that it was read from.
pub(crate) fn analyze_statement(context: Context<'_>, statement: &Statement<'_>, source: &str) -> Outcome {
    let mut analyzer = Analyzer { context, source, outcome: Outcome::new(Operation::Query) };
    analyzer.statement(statement);
    if analyzer.outcome.is_refused() {
        analyzer.outcome.effects.changes.clear();
    }
    analyzer.outcome
}

/// One statement under analysis.
struct Analyzer<'c, 's> {
    context: Context<'c>,
    source: &'s str,
    outcome: Outcome,
}

/// A table that a statement names, and what the catalog knows of it.
struct NamedTable<'c> {
    name: TableName,
    table: Option<&'c Arc<Table>>,
    kind: DatasetKind,
}

impl NamedTable<'_> {
    fn object(&self) -> Object {
        Object::Table(self.name.clone())
    }
}

impl<'c> Analyzer<'c, '_> {
    fn statement(&mut self, statement: &Statement<'_>) {
        match statement {
            Statement::Query(query) => {
                self.operation(Operation::Query);
                query::analyze_query(
                    self.context,
                    query,
                    self.source,
                    &Destination::Result,
                    &[],
                    &mut self.outcome,
                );
            }
            Statement::Explain(explain) => self.explain(explain),
            Statement::Load(load) => self.load(load),
            Statement::Export(export) => self.export(export),
            Statement::Import(import) => self.import(import),
            Statement::Update(update) => {
                self.operation(Operation::Query);
                query::analyze_update(self.context, update, self.source, &mut self.outcome);
            }
            Statement::Delete(delete) => {
                self.operation(Operation::Query);
                query::analyze_delete(self.context, delete, self.source, &mut self.outcome);
            }
            Statement::Merge(merge) => {
                self.operation(Operation::Query);
                query::analyze_merge(self.context, merge, self.source, &mut self.outcome);
            }
            Statement::Transaction(transaction) => self.transaction(transaction),
            Statement::Prepare(prepare) => self.prepare(prepare),
            Statement::Execute(execute) => self.execute(execute),
            Statement::Replication(replication) => self.replication(replication),
            Statement::Use(database) => self.use_database(*database),
            Statement::CreateCatalog(create) => {
                self.operation(Operation::CreateCatalog);
                self.write_object(Object::Service(create.name.name()), WriteAction::Create);
                self.write_path(&create.location, WriteAction::Touch);
            }
            Statement::AlterCatalog(alter) => {
                self.write_object(Object::Service(alter.name.name()), WriteAction::Alter);
                match &alter.change {
                    CatalogAlteration::Location(location) => {
                        self.operation(Operation::AlterCatalogLocation);
                        self.write_path(location, WriteAction::Touch);
                    }
                    CatalogAlteration::Properties(_) => self.operation(Operation::AlterCatalogProperties),
                }
            }
            Statement::CreateDatabase(create) => self.create_database(create),
            Statement::CreateDataConnector(create) => self.create_data_connector(create),
            Statement::CreateTable(create) => self.create_table(create),
            Statement::CreateView(create) => self.create_view(create),
            Statement::CreateMaterializedView(create) => self.create_materialized_view(create),
            Statement::CreateScheduledQuery(create) => self.create_scheduled_query(create),
            Statement::CreateFunction(create) => self.create_function(create),
            Statement::CreateMacro(create) => self.create_macro(create),
            Statement::CreateIndex(create) => self.create_index(create),
            Statement::Drop(drop) => self.drop(drop),
            Statement::Truncate(truncate) => self.truncate(truncate),
            Statement::AlterDatabase(alter) => self.alter_database(alter),
            Statement::AlterDataConnector(alter) => self.alter_data_connector(alter),
            Statement::AlterTable(alter) => self.alter_table(alter),
            Statement::AlterView(alter) => self.alter_view(alter),
            Statement::AlterMaterializedView(alter) => self.alter_materialized_view(alter),
            Statement::AlterIndex(alter) => self.alter_index(alter),
            Statement::AlterScheduledQuery(alter) => self.alter_scheduled_query(alter),
            Statement::Analyze(analyze) => self.analyze(analyze),
            Statement::Msck(msck) => self.msck(msck),
            Statement::Show(show) => self.show(show),
            Statement::Describe(describe) => self.describe(describe),
            Statement::Lock(lock) => self.lock(lock),
            Statement::Abort(abort) => self.abort(abort),
            Statement::ReloadFunctions => self.operation(Operation::ReloadFunction),
            Statement::Role(role) => self.role(role),
            Statement::Privilege(privilege) => self.privilege(privilege),
            Statement::Policy(policy) => self.policy(policy),
            Statement::ResourcePlan(plan) => self.resource_plan(plan),
        }
    }

    /// Hive judges and logs an explained statement as the statement itself; but nothing changes. No statement
    /// that may be explained explains another, so that this goes no deeper.
    fn explain(&mut self, explain: &Explain<'_>) {
        let mut mode = explain.options.iter().map(|option| match option {
            ExplainOption::Authorization => Mode::ExplainAuthorization,
            ExplainOption::Analyze => Mode::ExplainAnalyze,
            _ => Mode::Explain,
        });
        self.outcome.effects.mode = mode.next_back().unwrap_or(Mode::Explain);
        self.statement(explain.statement);
        self.outcome.effects.changes.clear();
    }

    fn version(&self) -> HiveVersion {
        self.context.version()
    }

    fn operation(&mut self, operation: Operation) {
        self.outcome.effects.operation = operation;
    }

    fn change(&mut self, change: CatalogChange) {
        self.outcome.effects.changes.push(change);
    }

    /// The table of that name, whether it exists or not.
    fn table(&self, name: &QualifiedName<'_>) -> NamedTable<'c> {
        self.table_named(self.context.table_name(name))
    }

    fn table_named(&self, name: TableName) -> NamedTable<'c> {
        let table = self.context.table(&name);
        NamedTable { name, kind: table.map_or(DatasetKind::Unknown, |table| dataset_kind(table)), table }
    }

    /// The table of that name; Hive refuses the statement where there is none.
    fn existing_table(&mut self, name: &QualifiedName<'_>) -> NamedTable<'c> {
        self.known_table(self.context.table_name(name), name.span())
    }

    fn known_table(&mut self, name: TableName, span: Span) -> NamedTable<'c> {
        let table = self.table_named(name);
        if table.table.is_none() && !self.is_remote(&table.name.database) {
            let message = format!("table `{}` does not exist", table.name);
            let found = Diagnostic::warning(DiagnosticCode::UNKNOWN_TABLE, span, message);
            self.outcome.diagnostics.push(match self.context.nearest_table(&table.name) {
                Some(meant) => found.with_hint(format!("did you mean `{meant}`?")),
                None => found,
            });
        }
        table
    }

    /// The database of that name; Hive refuses the statement where there is none.
    fn existing_database(&mut self, identifier: Identifier<'_>) -> Name {
        let name = identifier.name();
        self.expect_database(&name, identifier.span());
        name
    }

    fn expect_database(&mut self, name: &Name, span: Span) {
        if !self.has_database(name) {
            self.outcome.warning(
                DiagnosticCode::UNKNOWN_TABLE,
                span,
                format!("database `{name}` does not exist"),
            );
        }
    }

    /// Blanks around a quoted name do not count.
    fn has_database(&self, name: &Name) -> bool {
        self.context.catalog.database(name.trim()).is_some()
    }

    /// Is it a database that lives on another server, whose tables nobody declares?
    fn is_remote(&self, name: &Name) -> bool {
        let database = self.context.catalog.database(name);
        let properties = database.map(|database| database.properties.as_slice()).unwrap_or_default();
        properties.iter().any(|(key, _)| key.starts_with("connector."))
    }

    fn read_table(&mut self, table: &NamedTable<'_>, partition: Option<PartitionValues>) {
        self.outcome.read(table.object(), table.kind, partition);
    }

    fn write_table(
        &mut self,
        table: &NamedTable<'_>,
        action: WriteAction,
        partition: Option<PartitionValues>,
    ) {
        self.outcome.write(table.object(), table.kind, action, partition);
    }

    fn read_object(&mut self, object: Object) {
        self.outcome.read(object, DatasetKind::Other, None);
    }

    fn write_object(&mut self, object: Object, action: WriteAction) {
        self.outcome.write(object, DatasetKind::Other, action, None);
    }

    fn read_database(&mut self, name: &Name) {
        self.read_object(Object::Database(name.clone()));
    }

    fn write_database(&mut self, name: &Name, action: WriteAction) {
        self.write_object(Object::Database(name.clone()), action);
    }

    fn read_path(&mut self, path: &StringLiteral<'_>) {
        self.read_object(path_object(path));
    }

    fn write_path(&mut self, path: &StringLiteral<'_>, action: WriteAction) {
        self.write_object(path_object(path), action);
    }
}

fn path_object(path: &StringLiteral<'_>) -> Object {
    Object::Path(text(path))
}

fn text(literal: &StringLiteral<'_>) -> Arc<str> {
    Arc::from(&*literal.value())
}
