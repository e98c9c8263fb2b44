//! `CREATE TABLE` in all its forms.

use std::sync::Arc;

use guardbee_hiveql::tree::{
    Buckets, ColumnDefinition, CreateTable, Existence, Identifier, PartitionColumns, Property, QualifiedName,
    Query, RowFormatting, Storage, StorageHandler, StringLiteral, TableClause, TableContent, TableElement,
};
use guardbee_model::{DiagnosticCode, HiveVersion, Name, Operation, TableName};

use crate::catalog::{CatalogChange, Column, Table, TableKind};
use crate::effects::{DatasetKind, Destination, Mode, Object, WriteAction};
use crate::lookup::Lookup;
use crate::query;
use crate::types::Type;

use super::properties::{follow_external, put, set};
use super::storage::{handler_class, schema_columns, with_handler_columns};
use super::{Analyzer, text};

/// What the clauses of a `CREATE TABLE` say, wherever they stand.
#[derive(Default)]
struct Clauses<'t> {
    partitioned_by: Option<PartitionColumns<'t>>,
    comment: Option<StringLiteral<'t>>,
    location: Option<StringLiteral<'t>>,
    buckets: Option<Buckets<'t>>,
    properties: &'t [Property<'t>],
    serde_properties: &'t [Property<'t>],
    handler: Option<StorageHandler<'t>>,
    query: Option<&'t Query<'t>>,
}

impl<'t> Clauses<'t> {
    fn of(clauses: &[TableClause<'t>]) -> Self {
        let mut found = Self::default();
        for clause in clauses {
            match clause {
                TableClause::PartitionedBy(columns) => found.partitioned_by = Some(*columns),
                TableClause::ClusteredBy(buckets) => found.buckets = Some(*buckets),
                TableClause::Comment(comment) => found.comment = Some(*comment),
                TableClause::Location(location) => found.location = Some(*location),
                TableClause::Properties(properties) => found.properties = properties,
                TableClause::Stored(Storage::By { handler, properties, .. }) => {
                    found.handler = Some(*handler);
                    found.serde_properties = properties.unwrap_or_default();
                }
                TableClause::RowFormat(RowFormatting::Serde { properties, .. }) => {
                    found.serde_properties = properties.unwrap_or_default();
                }
                TableClause::As { query, .. } => found.query = Some(query),
                TableClause::PartitionedBySpec(_)
                | TableClause::Skewed(_)
                | TableClause::RowFormat(_)
                | TableClause::WriteOrderedBy(_)
                | TableClause::Stored(Storage::As(_)) => {}
            }
        }
        found
    }
}

impl Analyzer<'_, '_> {
    pub(super) fn create_table(&mut self, create: &CreateTable<'_>) {
        let clauses = Clauses::of(create.clauses);
        self.operation(match clauses.query {
            Some(_) => Operation::CreateTableAsSelect,
            None => Operation::CreateTable,
        });
        let name = self.context.table_name(&create.name);
        if create.name.database.is_some() {
            self.expect_database(&name.database, create.name.span());
        }
        if self.is_already_there(create, &name) {
            return;
        }
        let (mut columns, partition_columns) = self.columns_of_new_table(create, &clauses, &name);
        if let Some(told) = schema_columns([clauses.serde_properties, clauses.properties]) {
            columns = told;
        }
        if let Some(handler) = &clauses.handler {
            columns = with_handler_columns(columns, handler);
        }
        if let Some(location) = &clauses.location {
            self.read_path(location);
        }
        self.outcome.write(Object::Table(name.clone()), DatasetKind::Table, WriteAction::Create, None);
        self.write_database(&name.database, WriteAction::CreateInside);
        let table = self.new_table(create, &clauses, name, columns, partition_columns);
        self.change(CatalogChange::PutTable(Arc::new(table)));
    }

    /// Is there a table of that name, so that the statement does nothing? With a query, Hive looks before
    /// it runs. A temporary table hides others and so stands in nobody's way; but with `IF NOT EXISTS` none
    /// is made where any table of that name is seen.
    fn is_already_there(&mut self, create: &CreateTable<'_>, name: &TableName) -> bool {
        let hides_others = create.modifiers.temporary && create.if_not_exists != Existence::Tolerated;
        let known = if hides_others {
            self.context.session.table(&name.database, &name.table)
        } else if create.modifiers.temporary {
            self.context.table(name)
        } else {
            self.context.catalog.table(&name.database, &name.table)
        };
        if known.is_none() {
            return false;
        }
        if create.if_not_exists == Existence::Tolerated {
            return true;
        }
        let message = format!("table `{name}` already exists");
        match (self.outcome.effects.operation, self.outcome.effects.mode) {
            (Operation::CreateTableAsSelect, Mode::Run) => {
                self.outcome.error(DiagnosticCode::ALREADY_EXISTS, create.name.span(), message);
            }
            _ => self.outcome.warning(DiagnosticCode::ALREADY_EXISTS, create.name.span(), message),
        }
        false
    }

    fn columns_of_new_table(
        &mut self,
        create: &CreateTable<'_>,
        clauses: &Clauses<'_>,
        name: &TableName,
    ) -> (Arc<[Column]>, Arc<[Column]>) {
        match create.content {
            TableContent::Columns(elements) => match clauses.query {
                Some(query) => self.columns_of_query(query, elements, clauses.partitioned_by, name),
                None => {
                    let partition_columns = match clauses.partitioned_by {
                        Some(PartitionColumns::Typed(columns)) => defined_columns(columns),
                        Some(PartitionColumns::Named(_)) | None => Arc::default(),
                    };
                    (element_columns(elements), partition_columns)
                }
            },
            TableContent::Like(template) => self.columns_of_template(&template),
            TableContent::LikeFile { path, .. } => {
                self.read_path(&path);
                (Arc::default(), Arc::default())
            }
        }
    }

    /// Columns that `PARTITIONED BY` names move behind the others, in the order given there.
    fn columns_of_query(
        &mut self,
        query: &Query<'_>,
        elements: &[TableElement<'_>],
        partitioned_by: Option<PartitionColumns<'_>>,
        name: &TableName,
    ) -> (Arc<[Column]>, Arc<[Column]>) {
        let labels: Vec<Name> = elements
            .iter()
            .filter_map(|element| match element {
                TableElement::Column(column) => Some(column.name.name()),
                TableElement::Constraint(_) => None,
            })
            .collect();
        let columns = query::analyze_query(
            self.context,
            query,
            self.source,
            &Destination::Table(name.clone()),
            &labels,
            &mut self.outcome,
        );
        match partitioned_by {
            Some(PartitionColumns::Named(names)) => split_columns(columns, names),
            Some(PartitionColumns::Typed(definitions)) => (columns.into(), defined_columns(definitions)),
            None => (columns.into(), Arc::default()),
        }
    }

    /// `LIKE` a view gives a table of all the view's columns. Older versions find out that there is none
    /// only when they run.
    fn columns_of_template(&mut self, template: &QualifiedName<'_>) -> (Arc<[Column]>, Arc<[Column]>) {
        let template = if self.version() >= HiveVersion::V4_0 {
            self.existing_table(template)
        } else {
            self.table(template)
        };
        match template.table {
            Some(table) => (table.columns.clone(), table.partition_columns.clone()),
            None => (Arc::default(), Arc::default()),
        }
    }

    fn new_table(
        &self,
        create: &CreateTable<'_>,
        clauses: &Clauses<'_>,
        name: TableName,
        columns: Arc<[Column]>,
        partition_columns: Arc<[Column]>,
    ) -> Table {
        let mut table = Table {
            name,
            kind: match (create.modifiers.temporary, create.modifiers.external) {
                (true, _) => TableKind::Temporary,
                (false, true) => TableKind::External,
                (false, false) => TableKind::Managed,
            },
            columns,
            partition_columns,
            bucket_columns: bucket_columns(clauses.buckets.as_ref()),
            comment: clauses.comment.as_ref().map(text),
            location: clauses.location.as_ref().map(text),
            owner: None,
            properties: Vec::new(),
        };
        if let TableContent::Like(template) = create.content {
            self.inherit(&mut table, &template);
        }
        if create.modifiers.transactional {
            put(&mut table.properties, Arc::from("transactional"), Arc::from("true"));
        }
        if let Some(handler) = &clauses.handler {
            put(&mut table.properties, Arc::from("storage_handler"), handler_class(handler));
        }
        set(&mut table.properties, clauses.properties);
        follow_external(&mut table);
        table
    }

    /// A copy keeps how rows are stored, and with it what may be done with them.
    fn inherit(&self, table: &mut Table, template: &QualifiedName<'_>) {
        let Some(template) = self.table(template).table else { return };
        table.bucket_columns = template.bucket_columns.clone();
        let is_kept = |key: &str| {
            ["transactional", "transactional_properties", "storage_handler"]
                .iter()
                .any(|kept| key.eq_ignore_ascii_case(kept))
        };
        table.properties = template.properties.iter().filter(|(key, _)| is_kept(key)).cloned().collect();
    }
}

pub(super) fn defined_column(definition: &ColumnDefinition<'_>) -> Column {
    Column {
        name: definition.name.name(),
        data_type: Type::of(&definition.data_type),
        comment: definition.comment.as_ref().map(text),
    }
}

pub(super) fn bucket_columns(buckets: Option<&Buckets<'_>>) -> Arc<[Name]> {
    buckets.map(|buckets| buckets.columns.iter().map(Identifier::name).collect()).unwrap_or_default()
}

pub(super) fn defined_columns(definitions: &[ColumnDefinition<'_>]) -> Arc<[Column]> {
    definitions.iter().map(defined_column).collect()
}

/// Takes the named columns out of a list: what is left, and the named ones in the order of the names.
pub(super) fn split_columns(
    columns: Vec<Column>,
    names: &[Identifier<'_>],
) -> (Arc<[Column]>, Arc<[Column]>) {
    let names: Vec<Name> = names.iter().map(Identifier::name).collect();
    let taken: Lookup<'_> = names.iter().map(Name::as_str).collect();
    let (mut partition_columns, columns): (Vec<Column>, Vec<Column>) =
        columns.into_iter().partition(|column| taken.contains(&column.name));
    partition_columns.sort_by_key(|column| taken.place(&column.name));
    (columns.into(), partition_columns.into())
}

fn element_columns(elements: &[TableElement<'_>]) -> Arc<[Column]> {
    elements
        .iter()
        .filter_map(|element| match element {
            TableElement::Column(definition) => Some(defined_column(definition)),
            TableElement::Constraint(_) => None,
        })
        .collect()
}
