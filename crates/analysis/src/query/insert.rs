//! Queries that write: INSERT in all its forms, and where the rows of the others go.

use guardbee_hiveql::tree::{
    FromClause, FromFirstBlock, Insert, InsertDirectory, InsertMode, InsertTable, InsertTarget, Query,
    QueryBody, SourceStep, TableFactor,
};
use guardbee_model::{Diagnostic, DiagnosticCode, HiveVersion, Name, Span, TableName};

use crate::catalog::{Column, Table};
use crate::effects::{DatasetKind, Destination, Object, PartitionValues, WriteAction};
use crate::lookup::Lookup;
use crate::partition::partition_values;
use crate::types::Type;

use super::analyzer::{Analyzer, Environment, Optimization};
use super::result::Cell;
use super::scope::{OutputColumn, Readers, Rows};

/// Where the rows of a branch without INSERT go.
#[derive(Clone, Copy)]
pub(super) struct Delivery<'p> {
    pub destination: &'p Destination,
    pub action: WriteAction,
    /// Names for its columns where the statement gives some.
    pub labels: &'p [Name],
}

impl<'c> Analyzer<'c, '_> {
    /// A query of a statement with all that it writes. The result is what the rows of a branch without
    /// INSERT look like; it is absent where there is no such branch or its columns are not all known.
    pub(super) fn write_query<'p>(
        &mut self,
        environment: Environment<'p, 'c>,
        query: &'p Query<'p>,
        delivery: Delivery<'p>,
    ) -> Option<Vec<Column>> {
        if query.ctes.is_empty() {
            return self.write_body(environment, query, delivery);
        }
        let definitions = self.definitions(environment, query.ctes);
        let inner = Environment { ctes: Some(&definitions), ..environment };
        self.write_body(inner, query, delivery)
    }

    fn write_body<'p>(
        &mut self,
        environment: Environment<'p, 'c>,
        query: &'p Query<'p>,
        delivery: Delivery<'p>,
    ) -> Option<Vec<Column>> {
        match &query.body {
            QueryBody::Plain(plain) => {
                let rows = self.plain_rows(environment, plain);
                match plain.insert {
                    Some(insert) => {
                        self.insert(environment, insert, &rows);
                        None
                    }
                    None => self.deliver(environment, rows, delivery),
                }
            }
            QueryBody::FromFirst(from_first) => {
                let blocks = std::iter::once(&from_first.first)
                    .chain(from_first.rest.iter().map(|(_, _, block)| block));
                let is_multiple = from_first.rest.is_empty() && from_first.first.branches.len() > 1;
                let inserts =
                    |block: &FromFirstBlock<'_>| block.branches.iter().any(|branch| branch.insert.is_some());
                if is_multiple || blocks.clone().any(inserts) {
                    for block in blocks {
                        self.insert_branches(environment, block, delivery);
                    }
                    return None;
                }
                let rows = self.rows_of_from_first(environment, from_first);
                self.deliver(environment, rows, delivery)
            }
        }
    }

    /// `FROM t INSERT ... SELECT ... INSERT ... SELECT ...`: each branch reads the same relations.
    fn insert_branches<'p>(
        &mut self,
        environment: Environment<'p, 'c>,
        block: &'p FromFirstBlock<'p>,
        delivery: Delivery<'p>,
    ) {
        let mut scope = self.relations_of(environment, &block.from);
        if block.branches.len() > 1 {
            scope.readers = Readers::Several;
            if !is_worth_optimizing(&block.from) {
                self.optimization = Optimization::GivenUp;
            }
        }
        for branch in block.branches {
            let rows = self.select_from(environment, branch.select, scope.extended());
            match branch.insert {
                Some(insert) => self.insert(environment, insert, &rows),
                None => {
                    self.deliver(environment, rows, delivery);
                }
            }
        }
    }

    /// Rows that go to the client, or to the table or view that the statement makes.
    fn deliver<'p>(
        &mut self,
        environment: Environment<'p, 'c>,
        rows: Rows,
        delivery: Delivery<'p>,
    ) -> Option<Vec<Column>> {
        let name = |place: usize, column: &OutputColumn| {
            delivery.labels.get(place).cloned().unwrap_or_else(|| column.name.clone())
        };
        let cells: Vec<Cell<'_>> = rows
            .columns
            .iter()
            .enumerate()
            .map(|(place, column)| {
                let name = name(place, column);
                let query_name = (name != column.name).then(|| column.name.clone());
                Cell { name, query_name, column: Some(column), data_type: None }
            })
            .collect();
        let columns = cells
            .iter()
            .zip(rows.columns.iter())
            .map(|(cell, column)| Column::new(cell.name.clone(), column.value.data_type.clone()))
            .collect();
        let destination = delivery.destination.clone();
        self.add_target(
            environment.source,
            destination,
            delivery.action,
            Vec::new(),
            &cells,
            rows.influences,
        );
        rows.open.is_empty().then_some(columns)
    }

    fn insert<'p>(&mut self, environment: Environment<'p, 'c>, insert: &'p Insert<'p>, rows: &Rows) {
        let action = match insert.mode {
            InsertMode::Into => WriteAction::Insert,
            InsertMode::Overwrite => WriteAction::Overwrite,
        };
        match insert.target {
            InsertTarget::Table(table) => {
                self.insert_table(environment, table, action, rows, insert.location.span());
            }
            InsertTarget::Directory(directory) => {
                self.insert_directory(environment, directory, action, rows);
            }
        }
    }

    fn insert_directory<'p>(
        &mut self,
        environment: Environment<'p, 'c>,
        directory: &InsertDirectory<'p>,
        action: WriteAction,
        rows: &Rows,
    ) {
        let path: std::sync::Arc<str> = directory.path.value().into();
        self.outcome.write(Object::Path(path.clone()), DatasetKind::Other, action, None);
        let cells: Vec<Cell<'_>> = rows
            .columns
            .iter()
            .map(|column| Cell {
                name: column.name.clone(),
                query_name: None,
                column: Some(column),
                data_type: None,
            })
            .collect();
        let destination = Destination::Directory(path);
        self.add_target(environment.source, destination, action, Vec::new(), &cells, rows.influences);
    }

    fn insert_table<'p>(
        &mut self,
        environment: Environment<'p, 'c>,
        insert: &InsertTable<'p>,
        action: WriteAction,
        rows: &Rows,
        span: Span,
    ) {
        let name = environment.context.table_name(&insert.name);
        let table = environment.context.table(&name);
        let partition = insert.partition.as_ref().map(partition_values).unwrap_or_default();
        let columns: Vec<Name> = insert.columns.iter().map(|column| column.name()).collect();
        self.check_columns(table.map(|table| &**table), &columns, insert);
        self.note_insert(&environment, &name, action, &partition, &columns);
        if table.is_none() {
            self.report_unknown_target(&environment.context, &name, insert.name.span());
        }
        let mut expected = expected_columns(table.map(|table| &**table), &columns, &partition);
        if environment.context.version() < HiveVersion::V4_0 {
            take_as_they_are(&mut expected, &partition);
        }
        let cells = match &expected {
            Some(expected) => self.cells(expected, rows, &name, span),
            None => unknown_cells(rows),
        };
        let mut cells = cells;
        if let Some(table) = table.filter(|_| !columns.is_empty()) {
            let given: Lookup<'_> = columns.iter().map(Name::as_str).collect();
            let missing = table.columns.iter().filter(|column| !given.contains(&column.name));
            cells.extend(missing.map(|column| Cell {
                query_name: None,
                name: column.name.clone(),
                column: None,
                data_type: None,
            }));
        }
        let destination = Destination::Table(name);
        self.add_target(environment.source, destination, action, partition, &cells, rows.influences);
    }

    /// Pairs the columns of the rows with those of the table, by place.
    pub(super) fn cells<'v>(
        &mut self,
        expected: &'v [(Name, Option<Type>)],
        rows: &'v Rows,
        table: &TableName,
        span: Span,
    ) -> Vec<Cell<'v>> {
        let is_open = !rows.open.is_empty() || rows.columns.iter().any(|column| column.name.as_str() == "*");
        if !is_open && expected.len() != rows.columns.len() {
            self.report(|| {
                let message = format!(
                    "`{table}` takes {} columns here, and the query gives {}",
                    expected.len(),
                    rows.columns.len()
                );
                Diagnostic::error(DiagnosticCode::SEMANTIC, span, message)
            });
        }
        let star = rows.columns.iter().position(|column| column.name.as_str() == "*");
        let paired = star.unwrap_or(usize::MAX);
        rows.columns
            .iter()
            .enumerate()
            .map(|(place, column)| match expected.get(place).filter(|_| place < paired) {
                Some((name, data_type)) => Cell {
                    name: name.clone(),
                    query_name: None,
                    column: Some(column),
                    data_type: data_type.as_ref(),
                },
                None => Cell {
                    name: column.name.clone(),
                    query_name: None,
                    column: Some(column),
                    data_type: None,
                },
            })
            .collect()
    }

    pub(super) fn note_insert(
        &mut self,
        environment: &Environment<'_, 'c>,
        name: &TableName,
        action: WriteAction,
        partition: &PartitionValues,
        columns: &[Name],
    ) {
        let object = Object::Table(name.clone());
        let partition = (!partition.is_empty()).then(|| partition.clone());
        let write = self.outcome.write(object, environment.context.kind(name), action, partition);
        if !columns.is_empty() {
            self.outcome.write_columns(write, columns);
        }
    }

    fn check_columns(&mut self, table: Option<&Table>, columns: &[Name], insert: &InsertTable<'_>) {
        let Some(table) = table.filter(|table| !table.columns.is_empty()) else { return };
        let known = table.lookup();
        for (column, identifier) in columns.iter().zip(insert.columns) {
            if !known.contains(column) {
                self.report(|| {
                    let message = format!("`{}` has no column `{column}`", table.name);
                    Diagnostic::error(DiagnosticCode::UNKNOWN_COLUMN, identifier.span(), message)
                });
            }
        }
    }
}

/// Of several inserts from one FROM, Hive's optimizer sees but the FROM: a join or a subquery, or nothing.
fn is_worth_optimizing(from: &FromClause<'_>) -> bool {
    let FromClause::Source(source) = from else { return false };
    match source.rest {
        [] => !matches!(source.first, TableFactor::Table(_)),
        steps => steps.iter().all(|step| matches!(step, SourceStep::Join(_))),
    }
}

/// The columns that an INSERT gives values for, in order; nothing where the table is not known and no
/// list is given.
fn expected_columns(
    table: Option<&Table>,
    listed: &[Name],
    partition: &PartitionValues,
) -> Option<Vec<(Name, Option<Type>)>> {
    let known = |column: &Column| (column.name.clone(), Some(column.data_type.clone()));
    let types = table.map(Table::lookup).unwrap_or_default();
    let with_type = |name: &Name| {
        let column = table.zip(types.place(name)).and_then(|(table, place)| table.column_at(place));
        (name.clone(), column.map(|column| column.data_type.clone()))
    };
    let mut expected: Vec<(Name, Option<Type>)> = match table {
        Some(table) if listed.is_empty() => {
            if table.columns.is_empty() {
                return None;
            }
            let mut expected: Vec<_> = table.columns.iter().map(known).collect();
            if partition.is_empty() {
                expected.extend(table.partition_columns.iter().map(known));
            }
            expected
        }
        _ if listed.is_empty() => return None,
        _ => listed.iter().map(with_type).collect(),
    };
    let given: Lookup<'_> = listed.iter().map(Name::as_str).collect();
    // The rows bring the values of partition columns that have none.
    let dynamic = partition.iter().filter(|(name, value)| value.is_none() && !given.contains(name));
    expected.extend(dynamic.map(|(name, _)| with_type(name)));
    Some(expected)
}

/// Before Hive 4 the values of partitions are not converted: they become texts anyway.
fn take_as_they_are(expected: &mut Option<Vec<(Name, Option<Type>)>>, partition: &PartitionValues) {
    for (name, data_type) in expected.iter_mut().flatten() {
        if partition.iter().any(|(known, _)| known == name) {
            *data_type = None;
        }
    }
}

/// The columns of a table that the catalog lacks are called as the rows' are.
fn unknown_cells(rows: &Rows) -> Vec<Cell<'_>> {
    rows.columns
        .iter()
        .map(|column| Cell {
            name: column.name.clone(),
            query_name: None,
            column: Some(column),
            data_type: None,
        })
        .collect()
}
