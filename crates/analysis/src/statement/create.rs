//! `CREATE` of everything but tables.

use std::sync::Arc;

use guardbee_hiveql::lexer::Lexer;
use guardbee_hiveql::token::TokenKind;
use guardbee_hiveql::tree::{
    CreateDataConnector, CreateDatabase, CreateFunction, CreateIndex, CreateMacro, CreateMaterializedView,
    CreateScheduledQuery, CreateView, Existence, Identifier, MaterializedViewClause, PartitionTransform,
    QualifiedName, Query, Statement, ViewPartitioning,
};
use guardbee_model::{DiagnosticCode, HiveVersion, Name, Operation, TableName};
use rustc_hash::FxHashMap;

use crate::catalog::{
    BoundMacros, CatalogChange, Column, Database, Function, Macro, Properties, Table, TableKind,
    ViewDefinition,
};
use crate::effects::{DatasetKind, Destination, FunctionName, FunctionOrigin, Object, WriteAction};
use crate::query;

use super::create_table::{defined_column, split_columns};
use super::properties::{properties, put};
use super::{Analyzer, text};

impl Analyzer<'_, '_> {
    pub(super) fn create_database(&mut self, create: &CreateDatabase<'_>) {
        self.operation(Operation::CreateDatabase);
        let name = create.name.name();
        let is_there = self.has_database(&name);
        let is_tolerated = is_there && create.if_not_exists == Existence::Tolerated;
        if is_tolerated && self.version() >= HiveVersion::V4_0 {
            return;
        }
        if let Some(connector) = create.connector {
            self.read_object(Object::DataConnector(connector.name()));
        }
        self.write_database(&name, WriteAction::Create);
        for location in create.location.iter().chain(&create.managed_location) {
            self.write_path(location, WriteAction::Touch);
        }
        if is_there {
            if !is_tolerated {
                self.outcome.warning(
                    DiagnosticCode::ALREADY_EXISTS,
                    create.name.span(),
                    format!("database `{name}` already exists"),
                );
            }
            return;
        }
        let mut properties = create.properties.map(properties).unwrap_or_default();
        if let Some(folder) = &create.managed_location {
            put(&mut properties, Arc::from("managed_location"), text(folder));
        }
        self.change(CatalogChange::PutDatabase(Database {
            comment: create.comment.as_ref().map(text),
            location: create.location.as_ref().map(text),
            properties,
            ..Database::new(name)
        }));
    }

    pub(super) fn create_data_connector(&mut self, create: &CreateDataConnector<'_>) {
        self.operation(Operation::CreateDataConnector);
        self.write_object(Object::DataConnector(create.name.name()), WriteAction::Create);
    }

    pub(super) fn create_view(&mut self, create: &CreateView<'_>) {
        self.operation(Operation::CreateView);
        let name = self.context.table_name(&create.name);
        let is_kept =
            create.if_not_exists == Existence::Tolerated && self.table(&create.name).table.is_some();
        if create.or_replace {
            self.expect_view(&create.name);
        }
        let labels: Vec<Name> = create.columns.iter().map(|label| label.name.name()).collect();
        let columns = self.view_query(&name, create.query, &labels);
        self.write_view(&name, DatasetKind::View, WriteAction::Create);
        if is_kept {
            return;
        }
        let (columns, partition_columns) =
            split_columns(columns, &partitioning(create.partitioned_on.as_ref()));
        self.change(CatalogChange::PutTable(Arc::new(Table {
            name,
            kind: TableKind::View(self.view_definition(&create.query_text)),
            columns,
            partition_columns,
            bucket_columns: Arc::default(),
            comment: create.comment.as_ref().map(text),
            location: None,
            owner: None,
            properties: create.properties.map(properties).unwrap_or_default(),
        })));
    }

    pub(super) fn create_materialized_view(&mut self, create: &CreateMaterializedView<'_>) {
        self.operation(Operation::CreateMaterializedView);
        let name = self.context.table_name(&create.name);
        let is_kept =
            create.if_not_exists == Existence::Tolerated && self.table(&create.name).table.is_some();
        let columns = self.view_query(&name, create.query, &[]);
        self.write_view(&name, DatasetKind::MaterializedView, WriteAction::Create);
        let clauses = MaterializedViewClauses::of(create.clauses);
        if let Some(location) = &clauses.location {
            self.read_object(Object::Path(location.clone()));
        }
        if is_kept {
            return;
        }
        let (columns, partition_columns) = split_columns(columns, &clauses.partitioned_on);
        self.change(CatalogChange::PutTable(Arc::new(Table {
            name,
            kind: TableKind::MaterializedView(self.view_definition(&create.query_text)),
            columns,
            partition_columns,
            bucket_columns: Arc::default(),
            comment: clauses.comment,
            location: clauses.location,
            owner: None,
            properties: clauses.properties,
        })));
    }

    /// Only a view can get another query.
    pub(super) fn expect_view(&mut self, name: &QualifiedName<'_>) {
        let view = self.table(name);
        if view.table.is_some() && view.kind != DatasetKind::View {
            self.outcome.error(
                DiagnosticCode::SEMANTIC,
                name.span(),
                format!("`{}` exists and is no view", view.name),
            );
        }
    }

    /// Adds what a view's query reads, and gives the view's columns.
    pub(super) fn view_query(&mut self, name: &TableName, query: &Query<'_>, labels: &[Name]) -> Vec<Column> {
        query::analyze_query(
            self.context,
            query,
            self.source,
            &Destination::Table(name.clone()),
            labels,
            &mut self.outcome,
        )
    }

    pub(super) fn write_view(&mut self, name: &TableName, kind: DatasetKind, action: WriteAction) {
        self.outcome.write(Object::Table(name.clone()), kind, action, None);
        self.write_database(&name.database, WriteAction::CreateInside);
    }

    pub(super) fn view_definition(&self, query_text: &str) -> ViewDefinition {
        ViewDefinition { text: Arc::from(query_text), database: self.context.database.clone() }
    }

    /// What the query does is judged each time it runs, not here.
    pub(super) fn create_scheduled_query(&mut self, create: &CreateScheduledQuery<'_>) {
        self.operation(Operation::CreateScheduledQuery);
        self.scheduled(create.name, create.query, WriteAction::Create);
    }

    pub(super) fn scheduled(&mut self, name: Identifier<'_>, _query: &Statement<'_>, action: WriteAction) {
        self.write_object(Object::Service(name.name()), action);
    }

    pub(super) fn create_function(&mut self, create: &CreateFunction<'_>) {
        self.operation(Operation::CreateFunction);
        let database = (!create.temporary).then(|| self.database_of(&create.name));
        if let Some(database) = &database {
            self.expect_database(database, create.name.span());
            self.database_of_function(database, WriteAction::CreateInside);
        }
        let name = FunctionName { database, name: create.name.name.name() };
        self.outcome.function(name.clone(), FunctionOrigin::User);
        self.write_object(Object::Function(name.clone()), WriteAction::Create);
        for resource in create.resources {
            self.write_path(&resource.uri, WriteAction::Touch);
        }
        self.change(CatalogChange::PutFunction(Function {
            name,
            class: text(&create.class),
            resources: create.resources.iter().map(|resource| text(&resource.uri)).collect(),
        }));
    }

    /// The database of a permanent function.
    pub(super) fn database_of(&self, function: &QualifiedName<'_>) -> Name {
        function.database.as_ref().map_or_else(|| self.context.database.clone(), Identifier::name)
    }

    /// Hive 4 lists the database as read, older versions as written.
    pub(super) fn database_of_function(&mut self, database: &Name, action: WriteAction) {
        if self.version() >= HiveVersion::V4_0 {
            self.read_database(database)
        } else {
            self.write_database(database, action)
        }
    }

    pub(super) fn create_macro(&mut self, create: &CreateMacro<'_>) {
        self.operation(Operation::CreateMacro);
        let database = self.context.database.clone();
        self.write_database(&database, WriteAction::CreateInside);
        let name = create.name.name();
        self.outcome.function(FunctionName { database: None, name: name.clone() }, FunctionOrigin::Macro);
        let body: Arc<str> = Arc::from(&*create.body_text);
        let Some(bound) = BoundMacros::new(self.macros_named_in(&body)) else {
            let levels = BoundMacros::MAXIMUM_LEVELS;
            let message = format!("macros call each other more than {levels} levels deep");
            self.outcome.error(DiagnosticCode::LIMIT, create.name.span(), message);
            return;
        };
        let parameters = create.parameters.iter().map(defined_column).collect();
        self.change(CatalogChange::PutMacro(Macro { name, parameters, body, bound }));
    }

    /// The macros whose names stand in a text. One that is named and not called does no harm.
    fn macros_named_in(&self, text: &str) -> Vec<Arc<Macro>> {
        let mut found: FxHashMap<Name, Arc<Macro>> = FxHashMap::default();
        if self.context.session.has_macros() {
            let mut lexer = Lexer::new(text);
            loop {
                let token = lexer.next_token();
                if token.kind == TokenKind::Eof {
                    break;
                }
                let name = Name::fold(token.span.text(text).trim_matches('`'));
                if let Some(known) = self.context.session.macro_named(&name) {
                    found.insert(name, known.clone());
                }
            }
        }
        found.into_values().collect()
    }

    pub(super) fn create_index(&mut self, create: &CreateIndex<'_>) {
        self.operation(Operation::CreateIndex);
        let table = self.existing_table(&create.table);
        self.read_table(&table, None);
    }
}

/// What the clauses of a `CREATE MATERIALIZED VIEW` say.
#[derive(Default)]
struct MaterializedViewClauses<'t> {
    comment: Option<Arc<str>>,
    location: Option<Arc<str>>,
    properties: Properties,
    partitioned_on: Vec<Identifier<'t>>,
}

impl<'t> MaterializedViewClauses<'t> {
    fn of(clauses: &[MaterializedViewClause<'t>]) -> Self {
        let mut found = Self::default();
        for clause in clauses {
            match clause {
                MaterializedViewClause::Comment(comment) => found.comment = Some(text(comment)),
                MaterializedViewClause::Location(location) => found.location = Some(text(location)),
                MaterializedViewClause::Properties(list) => found.properties = properties(list),
                MaterializedViewClause::PartitionedOn(columns) => {
                    found.partitioned_on = partitioning(Some(columns));
                }
                MaterializedViewClause::ClusteredOn(_)
                | MaterializedViewClause::DistributedOn { .. }
                | MaterializedViewClause::RowFormat(_)
                | MaterializedViewClause::Stored(_) => {}
            }
        }
        found
    }
}

/// The columns that become partition columns. Those that only take part in a transform stay data.
fn partitioning<'t>(clause: Option<&ViewPartitioning<'t>>) -> Vec<Identifier<'t>> {
    match clause {
        None => Vec::new(),
        Some(ViewPartitioning::Columns(names)) => names.to_vec(),
        Some(ViewPartitioning::Spec(transforms)) => transforms
            .iter()
            .filter_map(|transform| match transform {
                PartitionTransform::Column(name) => Some(*name),
                PartitionTransform::Function { .. } => None,
            })
            .collect(),
    }
}
