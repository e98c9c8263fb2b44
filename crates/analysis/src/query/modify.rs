//! UPDATE, DELETE and MERGE: statements that change rows in place.

use guardbee_hiveql::tree::{
    Assignment, Delete, Expression, Identifier, Merge, MergeAction, MergeBranch, QualifiedName, TableAlias,
    Update,
};
use guardbee_model::{Diagnostic, DiagnosticCode, HiveVersion, Name, Span, TableName};

use crate::catalog::{Column, Table};
use crate::effects::{Destination, Purpose, Target, TargetColumn, WriteAction};
use crate::lookup::Lookup;
use crate::types::Type;

use super::analyzer::{Analyzer, Environment, Optimization, Place};
use super::flow::RowsId;
use super::name::bare;
use super::origin::{ColumnId, TableId};
use super::result::{Cell, Reading};
use super::scope::{Content, OutputColumn, Relation, Scope, Slot, Visibility};
use super::select::is_column;

/// The table that is changed.
struct Changed {
    id: TableId,
    name: TableName,
}

impl<'c> Analyzer<'c, '_> {
    pub(super) fn update<'p>(&mut self, environment: Environment<'p, 'c>, update: &'p Update<'p>) {
        let mut scope = Scope::default();
        let changed = self.changed_table(environment, &mut scope, &update.name, None);
        self.pin(environment.context.version(), &mut scope, update.filter.as_ref(), None);
        let place = Place::new(environment, &scope);
        let values = self.assigned(place, update.assignments);
        let rows = self.filtered_rows(place, update.filter.as_ref(), Vec::new());
        self.add_update(place, &changed, &values, rows);
    }

    pub(super) fn delete<'p>(&mut self, environment: Environment<'p, 'c>, delete: &'p Delete<'p>) {
        let mut scope = Scope::default();
        let changed = self.changed_table(environment, &mut scope, &delete.name, None);
        self.pin(environment.context.version(), &mut scope, delete.filter.as_ref(), None);
        let place = Place::new(environment, &scope);
        let rows = self.filtered_rows(place, delete.filter.as_ref(), Vec::new());
        self.add_delete(environment, &changed, rows);
    }

    pub(super) fn merge<'p>(&mut self, environment: Environment<'p, 'c>, merge: &'p Merge<'p>) {
        let mut scope = Scope::default();
        let changed = self.changed_table(environment, &mut scope, &merge.target, merge.target_alias.as_ref());
        self.table_factor(environment, &mut scope, &merge.source.factor);
        for view in merge.source.lateral_views {
            self.lateral_view(environment, &mut scope, view);
        }
        let parts = std::mem::take(&mut scope.parts);
        self.pin(environment.context.version(), &mut scope, None, None);
        let place = Place::new(environment, &scope);
        let mark = self.mark();
        self.decide(place, &merge.condition, Purpose::Join);
        let joined = self.rows_since(mark, parts);
        if environment.context.version() < HiveVersion::V4_0 {
            self.optimization = Optimization::GivenUp;
        }
        for branch in merge.branches {
            self.merge_branch(place, &changed, branch, joined);
        }
    }

    fn merge_branch<'p>(
        &mut self,
        place: Place<'p, 'c>,
        changed: &Changed,
        branch: &'p MergeBranch<'p>,
        joined: RowsId,
    ) {
        let environment = place.environment;
        match &branch.action {
            MergeAction::Update(assignments) => {
                let values = self.assigned(place, assignments);
                let rows = self.filtered_rows(place, branch.condition.as_ref(), vec![joined]);
                self.add_update(place, changed, &values, rows);
            }
            MergeAction::Delete => {
                let rows = self.filtered_rows(place, branch.condition.as_ref(), vec![joined]);
                self.add_delete(environment, changed, rows);
            }
            MergeAction::Insert { columns, values } => {
                let values = self.merged_values(place, values);
                let rows = self.filtered_rows(place, branch.condition.as_ref(), vec![joined]);
                self.add_merge_insert(environment, changed, columns, &values, rows);
            }
        }
    }

    fn changed_table<'p>(
        &mut self,
        environment: Environment<'p, 'c>,
        scope: &mut Scope<'p>,
        name: &QualifiedName<'p>,
        alias: Option<&TableAlias<'p>>,
    ) -> Changed {
        let table_name = environment.context.table_name(name);
        let id = self.origins.table(&environment.context, table_name.clone());
        self.origins.touch_table(id);
        if self.origins.definition(id).is_none() {
            self.report_unknown_table(&environment.context, id, name.span());
        }
        let (alias, database) = match alias {
            Some(alias) => (alias.name.name(), None),
            None => (table_name.table.clone(), Some(table_name.database.clone())),
        };
        let content = Content::Table(id);
        scope.relations.push(Relation { alias, database, content, visibility: Visibility::Visible });
        Changed { id, name: table_name }
    }

    /// The columns that SET names, with their values.
    fn assigned<'p>(
        &mut self,
        place: Place<'p, 'c>,
        assignments: &'p [Assignment<'p>],
    ) -> Vec<(Name, OutputColumn)> {
        assignments
            .iter()
            .map(|assignment| {
                let name = assignment.column.name();
                let column = self.expression_column(place, &assignment.value, name.clone());
                (name, column)
            })
            .collect()
    }

    fn merged_values<'p>(&mut self, place: Place<'p, 'c>, values: &'p [Expression<'p>]) -> Vec<OutputColumn> {
        let mut output = super::select::Output::default();
        for value in values {
            match bare(value) {
                Expression::AllColumns(stars) => self.expand_star(place, stars, &mut output),
                value => output.columns.push(self.expression_column(place, value, Name::default())),
            }
        }
        output.columns
    }

    fn expression_column<'p>(
        &mut self,
        place: Place<'p, 'c>,
        expression: &Expression<'p>,
        name: Name,
    ) -> OutputColumn {
        let value = self.evaluate(place, expression);
        let span = if is_column(bare(expression)) {
            Span::default()
        } else {
            expression.span(place.environment.source)
        };
        OutputColumn { name, value, expression: span }
    }

    fn filtered_rows<'p>(
        &mut self,
        place: Place<'p, 'c>,
        filter: Option<&'p Expression<'p>>,
        parts: Vec<RowsId>,
    ) -> RowsId {
        let mark = self.mark();
        if let Some(filter) = filter {
            self.decide(place, filter, Purpose::Filter);
        }
        self.rows_since(mark, parts)
    }

    /// The columns that SET leaves alone stay what they are.
    fn add_update(
        &mut self,
        place: Place<'_, 'c>,
        changed: &Changed,
        values: &[(Name, OutputColumn)],
        rows: RowsId,
    ) {
        let environment = place.environment;
        let (mut columns, mut kept) = (Vec::new(), Vec::new());
        let assigned: Lookup<'_> = values.iter().map(|(name, _)| name.as_str()).collect();
        for (column, definition) in self.origins.listed(changed.id) {
            if !assigned.contains(&definition.name) {
                kept.push(self.kept_column(place, column, definition));
            }
        }
        let table = self.origins.definition(changed.id).map(|table| &**table);
        let types = table.map(Table::lookup).unwrap_or_default();
        for (name, column) in values {
            let data_type = type_at(table, types.place(name));
            if data_type.is_none() && table.is_some_and(|table| !table.columns.is_empty()) {
                self.report_missing_target(changed, name, column.expression);
            }
            let cell = Cell { name: name.clone(), query_name: None, column: Some(column), data_type };
            columns.push(self.target_column(environment.source, &cell, Reading::Reads));
        }
        self.push_change(changed, WriteAction::Update, columns, rows);
        if let Some(target) = self.outcome.effects.targets.last_mut() {
            target.kept = kept;
        }
        let names: Vec<Name> = values.iter().map(|(name, _)| name.clone()).collect();
        self.note_insert(&environment, &changed.name, WriteAction::Update, &Vec::new(), &names);
    }

    fn kept_column(&mut self, place: Place<'_, 'c>, column: ColumnId, definition: &Column) -> TargetColumn {
        let mut value = self.column_value(column, definition.data_type.clone());
        if place.scope.is_pinned(0, Slot::Base(column)) {
            value = self.pinned(&value);
        }
        let name = definition.name.clone();
        let kept = OutputColumn { name: name.clone(), value, expression: Span::default() };
        let cell = Cell { name, query_name: None, column: Some(&kept), data_type: None };
        self.target_column(place.environment.source, &cell, Reading::Keeps)
    }

    fn add_delete(&mut self, environment: Environment<'_, 'c>, changed: &Changed, rows: RowsId) {
        self.push_change(changed, WriteAction::Delete, Vec::new(), rows);
        self.note_insert(&environment, &changed.name, WriteAction::Delete, &Vec::new(), &[]);
    }

    fn add_merge_insert(
        &mut self,
        environment: Environment<'_, 'c>,
        changed: &Changed,
        listed: &[Identifier<'_>],
        values: &[OutputColumn],
        rows: RowsId,
    ) {
        let listed: Vec<Name> = listed.iter().map(Identifier::name).collect();
        let table = self.origins.definition(changed.id).map(|table| &**table);
        let types = table.map(Table::lookup).unwrap_or_default();
        let all: Vec<&Name> =
            table.into_iter().flat_map(Table::all_columns).map(|column| &column.name).collect();
        let is_wrong = (!listed.is_empty() && listed.len() != values.len())
            || (listed.is_empty() && !all.is_empty() && all.len() != values.len());
        if is_wrong && values.iter().all(|value| value.name.as_str() != "*") {
            let wanted = if listed.is_empty() { all.len() } else { listed.len() };
            let span = values.first().map_or(Span::default(), |value| value.expression);
            self.report(|| {
                let message = format!("`{}` takes {wanted} columns here, not {}", changed.name, values.len());
                Diagnostic::error(DiagnosticCode::SEMANTIC, span, message)
            });
        }
        let name_at = |place: usize| {
            let all = all.get(place).copied();
            if listed.is_empty() { all } else { listed.get(place) }.cloned().unwrap_or_default()
        };
        let mut columns: Vec<TargetColumn> = Vec::new();
        for (place, column) in values.iter().enumerate() {
            let name = name_at(place);
            let data_type = type_at(table, types.place(&name));
            let cell = Cell { name, query_name: None, column: Some(column), data_type };
            columns.push(self.target_column(environment.source, &cell, Reading::Reads));
        }
        let given: Lookup<'_> = listed.iter().map(Name::as_str).collect();
        for name in all.into_iter().filter(|name| !listed.is_empty() && !given.contains(name)) {
            let cell = Cell { name: name.clone(), query_name: None, column: None, data_type: None };
            columns.push(self.target_column(environment.source, &cell, Reading::Reads));
        }
        self.push_change(changed, WriteAction::Insert, columns, rows);
        self.note_insert(&environment, &changed.name, WriteAction::Insert, &Vec::new(), &listed);
    }

    fn push_change(
        &mut self,
        changed: &Changed,
        action: WriteAction,
        columns: Vec<TargetColumn>,
        rows: RowsId,
    ) {
        let influences = self.row_influences(rows);
        let destination = Destination::Table(changed.name.clone());
        let target =
            Target { destination, action, partition: Vec::new(), columns, kept: Vec::new(), influences };
        self.outcome.effects.targets.push(target);
    }

    fn report_missing_target(&mut self, changed: &Changed, name: &Name, span: Span) {
        self.report(|| {
            let message = format!("`{}` has no column `{name}`", changed.name);
            Diagnostic::error(DiagnosticCode::UNKNOWN_COLUMN, span, message)
        });
    }
}

fn type_at(table: Option<&Table>, place: Option<usize>) -> Option<&Type> {
    table.zip(place).and_then(|(table, place)| table.column_at(place)).map(|column| &column.data_type)
}
