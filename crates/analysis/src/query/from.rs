//! FROM: tables, subqueries and joins become the relations of a scope.

use std::rc::Rc;

use guardbee_hiveql::tree::{
    DerivedTable, FromClause, Identifier, Join, JoinCondition, JoinKind, QualifiedName, Sample, SourceStep,
    TableAlias, TableFactor, TableReference, TableSource, UniqueJoinSource,
};
use guardbee_model::{Diagnostic, DiagnosticCode, Span};

use crate::catalog::TableKind;
use crate::effects::Purpose;

use super::analyzer::{Analyzer, Environment, Optimization, Place, leaf};
use super::flow::{Edge, RowsId, Standing};
use super::name::folded;
use super::origin::{ColumnId, PathId, TableId};
use super::scope::{Content, JoinedOn, OutputColumn, Relation, Rows, Scope, Visibility};

/// More relations than this are not compared for equal names.
const MANY_RELATIONS: usize = 500;

impl<'c> Analyzer<'c, '_> {
    pub(super) fn relations_of<'p>(
        &mut self,
        environment: Environment<'p, 'c>,
        from: &'p FromClause<'p>,
    ) -> Scope<'p> {
        let mut scope = Scope::inside(environment.outer);
        match from {
            FromClause::Source(source) => self.table_source(environment, &mut scope, source),
            FromClause::UniqueJoin(sources) => self.unique_join(environment, &mut scope, sources),
        }
        scope
    }

    pub(super) fn table_source<'p>(
        &mut self,
        environment: Environment<'p, 'c>,
        scope: &mut Scope<'p>,
        source: &'p TableSource<'p>,
    ) {
        self.table_factor(environment, scope, &source.first);
        for step in source.rest {
            match step {
                SourceStep::Join(join) => self.join(environment, scope, join),
                SourceStep::LateralView(view) => self.lateral_view(environment, scope, view),
            }
        }
    }

    pub(super) fn table_factor<'p>(
        &mut self,
        environment: Environment<'p, 'c>,
        scope: &mut Scope<'p>,
        factor: &'p TableFactor<'p>,
    ) {
        match factor {
            TableFactor::Table(table) => self.table_reference(environment, scope, table),
            TableFactor::Subquery(derived) => self.derived_table(environment, scope, derived),
            TableFactor::Joined(source) => {
                let span = Span::default();
                self.deeper(span, |analyzer| analyzer.table_source(environment, scope, source));
            }
            TableFactor::PartitionedFunction(function) => {
                self.partitioned_function(environment, scope, function);
            }
            TableFactor::Values(table) => {
                let rows = self.values(environment, &table.values);
                let rows = renamed(rows, table.columns);
                self.add_rows(scope, rows, &table.alias, table.location.span());
            }
        }
    }

    fn derived_table<'p>(
        &mut self,
        environment: Environment<'p, 'c>,
        scope: &mut Scope<'p>,
        derived: &'p DerivedTable<'p>,
    ) {
        let rows = self.query(environment, derived.query);
        self.add_rows(scope, rows, &derived.alias, derived.location.span());
    }

    /// Makes rows a relation under their alias.
    pub(super) fn add_rows(&mut self, scope: &mut Scope<'_>, rows: Rows, alias: &TableAlias<'_>, span: Span) {
        scope.parts.push(rows.influences);
        self.add_relation(scope, Relation::columns(alias.name.name(), rows.columns, rows.open), span);
    }

    pub(super) fn add_relation(&mut self, scope: &mut Scope<'_>, relation: Relation, span: Span) {
        let is_taken = !relation.alias.is_empty()
            && scope.relations.len() < MANY_RELATIONS
            && scope.relations.iter().any(|known| known.alias == relation.alias);
        if is_taken {
            self.report(|| {
                let message = format!("two tables here are called `{}`", relation.alias);
                Diagnostic::error(DiagnosticCode::AMBIGUOUS, span, message)
                    .with_hint("give one of them an alias")
            });
        }
        scope.relations.push(relation);
    }

    pub(super) fn table_reference<'p>(
        &mut self,
        environment: Environment<'p, 'c>,
        scope: &mut Scope<'p>,
        reference: &'p TableReference<'p>,
    ) {
        let place = scope.relations.len();
        self.named_relation(environment, scope, &reference.name, reference.alias.as_ref());
        if reference.sample.is_some() {
            self.optimization = Optimization::GivenUp;
        }
        if let Some(Sample::Bucket { on, .. }) = reference.sample {
            let relations = scope.relations.get(place..).unwrap_or(&[]).to_vec();
            let own = Scope::of(relations);
            let mark = self.mark();
            for key in on {
                self.decide(Place::new(environment, &own), key, Purpose::Filter);
            }
            let rows = self.rows_since(mark, Vec::new());
            scope.parts.push(rows);
        }
    }

    /// A table, view or common table expression by its name.
    fn named_relation<'p>(
        &mut self,
        environment: Environment<'p, 'c>,
        scope: &mut Scope<'p>,
        name: &QualifiedName<'p>,
        alias: Option<&TableAlias<'p>>,
    ) {
        if name.database.is_none()
            && let Some(rows) = self.common_table(environment, &name.name)
        {
            let alias = alias.map_or_else(|| name.name.name(), |alias| alias.name.name());
            scope.parts.push(rows.influences);
            let relation = Relation::columns(alias, rows.columns.clone(), rows.open.clone());
            self.add_relation(scope, relation, name.span());
            return;
        }
        let table_name = environment.context.table_name(name);
        let (alias, database) = match alias {
            Some(alias) => (alias.name.name(), None),
            None => (table_name.table.clone(), Some(table_name.database.clone())),
        };
        let table = self.origins.table(&environment.context, table_name);
        self.origins.touch_table(table);
        let (content, rows) = self.table_content(environment, table, name);
        scope.parts.push(rows);
        let relation = Relation { alias, database, content, visibility: Visibility::Visible };
        self.add_relation(scope, relation, name.span());
    }

    fn table_content<'p>(
        &mut self,
        environment: Environment<'p, 'c>,
        table: TableId,
        name: &QualifiedName<'p>,
    ) -> (Content, RowsId) {
        let Some(definition) = self.origins.definition(table) else {
            self.report_unknown_table(&environment.context, table, name.span());
            return (Content::Table(table), RowsId::FREE);
        };
        if name.meta.as_ref().is_some_and(is_metadata) {
            return (Content::Columns { columns: Rc::default(), open: vec![table] }, RowsId::FREE);
        }
        if let TableKind::View(view) = &definition.kind
            && let Some(rows) = self.view(environment.context, table, definition, view)
        {
            let influences = self.rows.through(table, rows.influences);
            let content =
                Content::View { view: table, columns: rows.columns.clone(), open: rows.open.clone() };
            return (content, influences);
        }
        (Content::Table(table), RowsId::FREE)
    }

    fn join<'p>(&mut self, environment: Environment<'p, 'c>, scope: &mut Scope<'p>, join: &'p Join<'p>) {
        let left = scope.relations.len();
        self.table_factor(environment, scope, &join.right.factor);
        for view in join.right.lateral_views {
            self.lateral_view(environment, scope, view);
        }
        match &join.condition {
            JoinCondition::On(condition) => {
                scope.conditions.push(JoinedOn { kind: join.kind, condition, left });
                let mark = self.mark();
                self.decide(Place::new(environment, scope), condition, Purpose::Join);
                let rows = self.rows_since(mark, Vec::new());
                scope.parts.push(rows);
            }
            JoinCondition::Using(columns) => {
                for column in *columns {
                    self.merge_column(scope, left, join.kind, column.name(), column.span());
                }
            }
            JoinCondition::Absent => {}
        }
        if join.kind == JoinKind::LeftSemi {
            scope.hide_from(left);
        }
    }

    fn unique_join<'p>(
        &mut self,
        environment: Environment<'p, 'c>,
        scope: &mut Scope<'p>,
        sources: &'p [UniqueJoinSource<'p>],
    ) {
        self.optimization = Optimization::GivenUp;
        for source in sources {
            self.table_reference(environment, scope, &source.source);
        }
        let mark = self.mark();
        for key in sources.iter().flat_map(|source| source.keys) {
            self.decide(Place::new(environment, scope), key, Purpose::Join);
        }
        let rows = self.rows_since(mark, Vec::new());
        scope.parts.push(rows);
    }

    /// The tables that a relation's rows come from, each as a whole.
    pub(super) fn push_whole(&mut self, relation: &Relation) {
        let whole = |column: ColumnId, path: PathId| Edge { path, ..leaf(ColumnId::whole(column.table)) };
        match &relation.content {
            Content::Table(table) => self.edge_stack.push(whole(ColumnId::whole(*table), PathId::DIRECT)),
            Content::View { view, columns, .. } => {
                for column in columns.iter() {
                    self.script |= column.value.kind.is_script();
                    for edge in self.edges.get(column.value.sources) {
                        if edge.standing == Standing::Origin && edge.column.has_table() {
                            let path = self.origins.prefixed(*view, edge.path);
                            self.edge_stack.push(whole(edge.column, path));
                        }
                    }
                }
            }
            Content::Columns { columns, .. } => {
                for column in columns.iter() {
                    self.script |= column.value.kind.is_script();
                    for edge in self.edges.get(column.value.sources) {
                        if edge.standing == Standing::Origin && edge.column.has_table() {
                            self.edge_stack.push(whole(edge.column, edge.path));
                        }
                    }
                }
            }
        }
    }
}

/// Rows whose columns have other names.
pub(super) fn renamed(rows: Rows, names: &[Identifier<'_>]) -> Rows {
    if names.is_empty() {
        return rows;
    }
    let columns: Vec<OutputColumn> = rows
        .columns
        .iter()
        .enumerate()
        .map(|(place, column)| {
            let name = names.get(place).map_or_else(|| column.name.clone(), Identifier::name);
            OutputColumn { name, ..column.clone() }
        })
        .collect();
    Rows { columns: columns.into(), ..rows }
}

/// The third part of a name stands for a table of metadata, unless it names a branch or tag of the data.
fn is_metadata(meta: &Identifier<'_>) -> bool {
    let name = folded(meta);
    !name.starts_with("branch_") && !name.starts_with("tag_")
}
