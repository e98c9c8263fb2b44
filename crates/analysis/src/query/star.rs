//! `*`, `t.*` and columns by a pattern.

use guardbee_hiveql::tree::{AllColumns, Expression, Identifier};
use guardbee_model::{Diagnostic, DiagnosticCode, Name, Span};
use rustc_hash::FxHashSet;

use super::analyzer::{Analyzer, Place};
use super::flow::Flow;
use super::name::folded;
use super::origin::{ColumnId, TableId};
use super::pattern::Pattern;
use super::scope::{Content, Found, OutputColumn, Relation, Scope, Slot, Visibility};
use super::select::{Output, is_pattern};

impl<'c> Analyzer<'c, '_> {
    /// Adds the columns that a star in a select list stands for.
    pub(super) fn expand_star<'p>(
        &mut self,
        place: Place<'p, 'c>,
        stars: &AllColumns<'p>,
        output: &mut Output,
    ) {
        match stars.qualifier {
            [] => self.expand_scope(place.scope, output),
            qualifier => self.expand_qualified(place, qualifier, stars.location.span(), output),
        }
    }

    /// All columns of a scope: first those that USING made one, then the others by relation.
    pub(super) fn expand_scope(&mut self, scope: &Scope<'_>, output: &mut Output) {
        let before = output.columns.len();
        for merged in &scope.merged {
            output.columns.push(OutputColumn {
                name: merged.name.clone(),
                value: merged.value.clone(),
                expression: Span::default(),
            });
        }
        for (number, relation) in scope.relations.iter().enumerate() {
            if relation.visibility == Visibility::Visible {
                self.expand_relation(scope, number, relation, output);
            }
        }
        if before > 0 || scope.relations.len() > 1 {
            rename_doubles(output, before);
        }
    }

    fn expand_qualified<'p>(
        &mut self,
        place: Place<'p, 'c>,
        qualifier: &[Identifier<'p>],
        span: Span,
        output: &mut Output,
    ) {
        let (database, alias) = match qualifier {
            [alias] => (None, folded(alias)),
            [database, alias, ..] => (Some(folded(database)), folded(alias)),
            [] => return,
        };
        let Some((scope, number)) = place.scope.relation(database.as_deref(), &alias) else {
            self.report(|| {
                let message = format!("no table here is called `{alias}`");
                Diagnostic::error(DiagnosticCode::UNKNOWN_TABLE, span, message)
            });
            return;
        };
        let before = output.columns.len();
        if let Some(relation) = scope.relations.get(number) {
            self.expand_relation_whole(scope, number, relation, output);
        }
        if before > 0 {
            rename_doubles(output, before);
        }
    }

    /// The columns of one relation but for those that USING made one with others.
    fn expand_relation(
        &mut self,
        scope: &Scope<'_>,
        number: usize,
        relation: &Relation,
        output: &mut Output,
    ) {
        let is_merged = |slot: Slot| scope.merged.iter().any(|merged| merged.parts.contains(&(number, slot)));
        self.expand(scope, number, relation, |slot, _| !is_merged(slot), output);
    }

    fn expand_relation_whole(
        &mut self,
        scope: &Scope<'_>,
        number: usize,
        relation: &Relation,
        output: &mut Output,
    ) {
        self.expand(scope, number, relation, |_, _| true, output);
    }

    fn expand(
        &mut self,
        scope: &Scope<'_>,
        number: usize,
        relation: &Relation,
        wanted: impl Fn(Slot, &Name) -> bool,
        output: &mut Output,
    ) {
        match &relation.content {
            Content::Table(table) => {
                if self.origins.is_open(*table) {
                    self.expand_unknown(*table, output);
                }
                for (column, definition) in self.origins.listed(*table) {
                    let slot = Slot::Base(column);
                    if wanted(slot, &definition.name) {
                        let resolved = self.resolve_slot(scope, number, slot);
                        let value = self.value_of(resolved);
                        let name = definition.name.clone();
                        output.columns.push(OutputColumn { name, value, expression: Span::default() });
                    }
                }
            }
            Content::View { columns, open, .. } | Content::Columns { columns, open } => {
                for (place, column) in columns.iter().enumerate() {
                    let slot = Slot::Output(u32::try_from(place).unwrap_or(u32::MAX));
                    if wanted(slot, &column.name) {
                        let resolved = self.resolve_slot(scope, number, slot);
                        let value = self.value_of(resolved);
                        let name = column.name.clone();
                        output.columns.push(OutputColumn { name, value, expression: Span::default() });
                    }
                }
                let has_star = columns.iter().any(|column| column.name.as_str() == "*");
                if !has_star {
                    for table in open.iter() {
                        self.expand_unknown(*table, output);
                    }
                } else {
                    output.open.extend(open.iter().copied());
                }
            }
        }
    }

    /// The columns of a table that the catalog lacks: one star for all of them.
    fn expand_unknown(&mut self, table: TableId, output: &mut Output) {
        let value = self.column_value(ColumnId::whole(table), crate::types::Type::Unknown);
        output.columns.push(OutputColumn {
            name: Name::from_static("*"),
            value,
            expression: Span::default(),
        });
        output.open.push(table);
    }

    /// A star as an argument: all columns flow into the call.
    pub(super) fn collect_star<'p>(&mut self, place: Place<'p, 'c>, stars: &AllColumns<'p>, flow: Flow) {
        let mut output = Output::default();
        self.expand_star(place, stars, &mut output);
        for column in &output.columns {
            self.push_value(&column.value, flow);
        }
    }

    /// Adds the columns whose names fit a quoted name that is a pattern, if there are any.
    ///
    /// Hive takes quoted names for patterns under `hive.support.quoted.identifiers=none` only. Where the
    /// script does not say, the server's configuration may, so a name that is no column is read as a
    /// pattern under every setting.
    pub(super) fn expand_pattern<'p>(
        &mut self,
        place: Place<'p, 'c>,
        expression: &Expression<'p>,
        output: &mut Output,
    ) -> bool {
        let (only, name) = match expression {
            Expression::Column(name) if is_pattern(name) => (None, **name),
            Expression::Field(field) if is_pattern(&field.name) => match &field.operand {
                Expression::Column(alias) => match place.scope.relation(None, &folded(alias)) {
                    Some((scope, relation)) => (Some((scope, relation)), field.name),
                    None => return false,
                },
                _ => return false,
            },
            _ => return false,
        };
        let found = match only {
            Some((scope, relation)) => scope.column_of(&self.origins, relation, &folded(&name)),
            None => place.scope.column(&self.origins, &folded(&name)),
        };
        let is_a_column = matches!(found, Found::Column { .. } | Found::Merged(_));
        let Some(pattern) = Pattern::new(&name.value()).filter(|_| !is_a_column) else { return false };
        let before = output.columns.len();
        let (scope, numbers) = match only {
            Some((scope, relation)) => (scope, relation..relation + 1),
            None => (place.scope, 0..place.scope.relations.len()),
        };
        for number in numbers {
            if let Some(relation) = scope.relations.get(number) {
                let is_known = match &relation.content {
                    Content::Table(table) => !self.origins.is_open(*table),
                    Content::View { .. } | Content::Columns { .. } => true,
                };
                if relation.visibility == Visibility::Visible && is_known {
                    self.expand(scope, number, relation, |_, name| pattern.matches(name), output);
                } else if let Content::Table(table) = relation.content {
                    self.expand_unknown(table, output);
                }
            }
        }
        output.columns.len() > before
    }

    /// All columns of a relation as they are.
    pub(super) fn relation_columns(&mut self, relation: &Relation) -> Output {
        let scope = Scope::of(vec![relation.clone()]);
        let mut output = Output::default();
        self.expand(&scope, 0, relation, |_, _| true, &mut output);
        output
    }
}

/// A column that a star brings under a name that is taken gets another, by its place.
fn rename_doubles(output: &mut Output, before: usize) {
    let mut taken: FxHashSet<Name> =
        output.columns.iter().take(before).map(|column| column.name.clone()).collect();
    for (place, column) in output.columns.iter_mut().enumerate().skip(before) {
        if column.name.as_str() != "*" && !taken.insert(column.name.clone()) {
            column.name = Name::fold(&format!("_col{place}"));
            taken.insert(column.name.clone());
        }
    }
}
