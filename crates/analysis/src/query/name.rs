//! Resolving names of columns, fields and relations in expressions.

use std::borrow::Cow;

use guardbee_hiveql::tree::{Expression, Field, Identifier};
use guardbee_model::{Diagnostic, DiagnosticCode, Name};

use crate::effects::{Derivation, DerivationKind, Pinning};
pub(super) use crate::partition::bare;
use crate::types::Type;

use super::analyzer::{Aggregates, Aliases, Analyzer, Passing, Place, Typed, leaf};
use super::expression::at_least;
use super::flow::{Constancy, Edge, Flow, InfluenceEdge, Kind, Presence, Standing, Value};
use super::origin::{ColumnId, TableId};
use super::scope::{Candidates, Content, Extent, Found, OutputColumn, Scope, Slot};
use super::virtual_column;

/// What a name stands for.
pub(super) enum Resolved {
    /// A column of a table.
    Column(ColumnId, Type, Presence),
    /// A column of a subquery, view or join.
    Value(Value),
    /// Something that has no source, such as the number of a grouping.
    Sourceless(Type),
    /// No column in sight: what was wrong has been reported.
    Nothing,
}

/// The name as Hive compares it; it costs no memory where it is in lower case already.
pub(super) fn folded<'a>(identifier: &Identifier<'a>) -> Cow<'a, str> {
    let value = identifier.value();
    if value.bytes().any(|byte| byte.is_ascii_uppercase() || !byte.is_ascii()) {
        Cow::Owned(value.to_lowercase())
    } else {
        value
    }
}

impl<'c> Analyzer<'c, '_> {
    /// The value of an expression that is no more than a column.
    pub(super) fn plain_column<'p>(
        &mut self,
        place: Place<'p, 'c>,
        expression: &Expression<'p>,
    ) -> Option<Value> {
        let resolved = match bare(expression) {
            Expression::Column(name) => self.resolve_bare(place, name),
            Expression::Field(field) => {
                let (relation, scope) = relation_of(place, field)?;
                self.resolve_in(scope, relation, &field.name)
            }
            _ => return None,
        };
        Some(self.value_of(resolved))
    }

    pub(super) fn value_of(&mut self, resolved: Resolved) -> Value {
        match resolved {
            Resolved::Column(column, data_type, presence) => {
                Value { presence, ..self.column_value(column, data_type) }
            }
            Resolved::Value(value) => value,
            Resolved::Sourceless(data_type) => {
                Value { constancy: Constancy::Varying, ..Value::constant(data_type) }
            }
            Resolved::Nothing => Value::unknown(),
        }
    }

    /// Lets a bare name flow into the expression at hand.
    pub(super) fn collect_column<'p>(
        &mut self,
        place: Place<'p, 'c>,
        name: &Identifier<'p>,
        flow: Flow,
    ) -> Typed {
        self.count_free_column();
        let resolved = self.resolve_bare(place, name);
        self.push_resolved(resolved, flow)
    }

    fn count_free_column(&mut self) {
        self.tally.free_columns += u32::from(self.aggregates == Aggregates::Taken);
    }

    /// Lets `operand.name` flow into the expression at hand: a column of a relation, or a field of a struct.
    pub(super) fn collect_field<'p>(&mut self, place: Place<'p, 'c>, field: &Field<'p>, flow: Flow) -> Typed {
        if let Some((relation, scope)) = relation_of(place, field) {
            self.count_free_column();
            let resolved = self.resolve_in(scope, relation, &field.name);
            return self.push_resolved(resolved, flow);
        }
        let operand = self.collect(place, &field.operand, flow.derived(Derivation::Transformation));
        let name = folded(&field.name);
        let data_type = field_type(&operand.data_type, &name);
        let data_type = data_type.unwrap_or_else(|| {
            self.report_missing_field(field, &operand.data_type);
            Type::Unknown
        });
        Typed { data_type, constancy: operand.constancy }
    }

    pub(super) fn push_resolved(&mut self, resolved: Resolved, flow: Flow) -> Typed {
        match resolved {
            Resolved::Column(column, data_type, _) => {
                self.push_column(column, flow);
                Typed::varying(data_type)
            }
            Resolved::Value(value) => {
                self.push_value(&value, flow);
                Typed { data_type: value.data_type, constancy: value.constancy }
            }
            Resolved::Sourceless(data_type) => Typed::varying(data_type),
            Resolved::Nothing => Typed::varying(Type::Unknown),
        }
    }

    fn resolve_bare<'p>(&mut self, place: Place<'p, 'c>, identifier: &Identifier<'p>) -> Resolved {
        let name = folded(identifier);
        if let Aliases::First(columns) = place.aliases
            && let Some(column) = columns.named(&name)
        {
            return Resolved::Value(column.value.clone());
        }
        let found = place.scope.column(&self.origins, &name);
        match found {
            Found::Missing => self.resolve_absent(place, identifier, &name),
            found => self.resolve_found(place.scope, found, identifier, &name),
        }
    }

    /// A name that no relation lists.
    fn resolve_absent<'p>(
        &mut self,
        place: Place<'p, 'c>,
        identifier: &Identifier<'p>,
        name: &str,
    ) -> Resolved {
        if let Aliases::Last(columns) = place.aliases
            && let Some(column) = columns.named(name)
        {
            return Resolved::Value(column.value.clone());
        }
        if name == virtual_column::GROUPING_ID {
            return Resolved::Sourceless(Type::BigInt);
        }
        if let Some(resolved) = self.resolve_virtual(place.scope, name) {
            return resolved;
        }
        if name == "default" && !identifier.is_quoted() {
            return Resolved::Sourceless(Type::Unknown);
        }
        self.missing += 1;
        self.report_missing_column(place, identifier, name);
        let candidates = place.scope.tables(&self.origins);
        self.unresolved_column(name, candidates)
    }

    /// A column that nobody can place still leaves its edge, which says so.
    fn unresolved_column(&mut self, name: &str, candidates: Candidates) -> Resolved {
        if candidates.extent == Extent::First {
            self.report_many_candidates();
        }
        Resolved::Column(
            self.origins.unresolved(Name::fold(name), candidates.tables),
            Type::Unknown,
            Presence::Unsure,
        )
    }

    /// A virtual column belongs to the first table in sight.
    fn resolve_virtual(&mut self, scope: &Scope<'_>, name: &str) -> Option<Resolved> {
        let data_type = virtual_column::type_of(name)?;
        let mut scope = Some(scope);
        while let Some(current) = scope {
            let table = current.relations.iter().find_map(|relation| match relation.content {
                Content::Table(table) => Some(table),
                _ => None,
            });
            if let Some(table) = table {
                return Some(self.extra_column(table, name, data_type));
            }
            scope = current.outer;
        }
        None
    }

    pub(super) fn extra_column(&mut self, table: TableId, name: &str, data_type: Type) -> Resolved {
        let column = self.origins.extra(table, &Name::fold(name), &data_type);
        self.origins.touch(column);
        Resolved::Column(column, data_type, Presence::Unsure)
    }

    /// A column of one relation by its name.
    pub(super) fn resolve_in<'p>(
        &mut self,
        scope: &'p Scope<'p>,
        relation: usize,
        identifier: &Identifier<'p>,
    ) -> Resolved {
        let name = folded(identifier);
        match scope.column_of(&self.origins, relation, &name) {
            Found::Missing => {
                let table = scope.relations.get(relation).and_then(|relation| match relation.content {
                    Content::Table(table) => Some(table),
                    _ => None,
                });
                if let (Some(table), Some(data_type)) = (table, virtual_column::type_of(&name)) {
                    return self.extra_column(table, &name, data_type);
                }
                self.report_missing_in(scope, relation, identifier, &name);
                let candidates = scope.table_of(&self.origins, relation);
                self.unresolved_column(&name, candidates)
            }
            found => self.resolve_found(scope, found, identifier, &name),
        }
    }

    fn resolve_found<'p>(
        &mut self,
        around: &Scope<'p>,
        found: Found<'p>,
        identifier: &Identifier<'p>,
        name: &str,
    ) -> Resolved {
        match found {
            Found::Column { scope, relation, slot } => self.resolve_slot(scope, relation, slot),
            Found::Doubled { scope, relation, slot } => {
                self.report(|| {
                    let message = format!("the query has more than one column `{name}`");
                    Diagnostic::error(DiagnosticCode::AMBIGUOUS, identifier.span(), message)
                        .with_hint("give each of them a name of its own")
                });
                self.resolve_slot(scope, relation, slot)
            }
            Found::Merged(merged) => Resolved::Value(merged.value.clone()),
            Found::Open(table) => {
                let data_type = virtual_column::type_of(name).unwrap_or(Type::Unknown);
                self.extra_column(table, name, data_type)
            }
            Found::Unplaced(candidates) => self.unresolved_column(name, candidates),
            Found::Ambiguous => {
                self.report(|| {
                    Diagnostic::error(
                        DiagnosticCode::AMBIGUOUS,
                        identifier.span(),
                        format!("`{name}` is a column of more than one table here"),
                    )
                    .with_hint(format!("write it with the name of its table: `t.{name}`"))
                });
                let candidates = around.tables(&self.origins);
                self.unresolved_column(name, candidates)
            }
            Found::Missing => Resolved::Nothing,
        }
    }

    /// A column of a relation by its place.
    pub(super) fn resolve_slot(&mut self, scope: &Scope<'_>, relation: usize, slot: Slot) -> Resolved {
        let mut resolved = self.resolve_free_slot(scope, relation, slot);
        if self.passing == Passing::Computed && scope.relations.len() > 1 {
            let value = self.value_of(resolved);
            let kind = Kind { as_written: DerivationKind::Expression, ..Kind::SIMPLE };
            resolved = Resolved::Value(at_least(value, kind));
        }
        if scope.is_pinned(relation, slot) {
            let value = self.value_of(resolved);
            return Resolved::Value(self.pinned(&value));
        }
        match &mut resolved {
            Resolved::Column(_, _, presence) | Resolved::Value(Value { presence, .. }) => {
                *presence = scope.presence(relation, slot, *presence);
            }
            Resolved::Sourceless(_) | Resolved::Nothing => {}
        }
        resolved
    }

    /// A value of which a condition leaves one only: to Hive it is a constant.
    pub(super) fn pinned(&mut self, value: &Value) -> Value {
        let mark = self.mark();
        for edge in self.edges.get(value.sources) {
            self.edge_stack.push(Edge { pinning: Pinning::Pinned, ..*edge });
        }
        let sealed = self.value_since(mark, Typed::constant(Type::Unknown));
        Value {
            sources: sealed.sources,
            kind: Kind { optimized: DerivationKind::Simple, ..value.kind },
            constancy: Constancy::Constant,
            presence: Presence::Unsure,
            ..value.clone()
        }
    }

    fn resolve_free_slot(&mut self, scope: &Scope<'_>, relation: usize, slot: Slot) -> Resolved {
        let Some(relation) = scope.relations.get(relation) else { return Resolved::Nothing };
        match (&relation.content, slot) {
            (_, Slot::Base(column)) => {
                self.origins.touch(column);
                let data_type = self.origins.column_type(column);
                Resolved::Column(column, data_type, Presence::Unsure)
            }
            (Content::Columns { columns, .. }, Slot::Output(place)) => columns
                .get(place as usize)
                .map_or(Resolved::Nothing, |column| Resolved::Value(column.value.clone())),
            (Content::View { view, columns, .. }, Slot::Output(place)) => {
                let (view, column) = (*view, columns.get(place as usize).cloned());
                column.map_or(Resolved::Nothing, |column| {
                    Resolved::Value(self.through_view(view, place, &column))
                })
            }
            (Content::Table(_), Slot::Output(_)) => Resolved::Nothing,
        }
    }

    /// A view's column as its reader sees it: the same sources on a longer way, and the view's column passed.
    /// Columns of views inside of it, which the sources pass as well, are its own matter
    /// ([`Self::mark_inner_views`]): so a value's set does not grow with the depth of views.
    fn through_view(&mut self, view: TableId, place: u32, column: &OutputColumn) -> Value {
        let own = self.view_column(view, place, column);
        self.origins.touch(own);
        let mark = self.mark();
        let sources = self.edges.get(column.value.sources).iter();
        for edge in sources.filter(|edge| edge.standing == Standing::Origin) {
            let path = self.origins.prefixed(view, edge.path);
            self.edge_stack.push(Edge { path, ..*edge });
        }
        self.edge_stack.push(Edge { standing: Standing::Passed, ..leaf(own) });
        let influences = self.influences.get(column.value.influences).iter();
        for influence in influences.filter(|influence| influence.standing == Standing::Origin) {
            let path = self.origins.prefixed(view, influence.path);
            self.influence_stack.push(InfluenceEdge { path, ..*influence });
        }
        let sealed = self.value_since(mark, Typed::varying(Type::Unknown));
        Value { sources: sealed.sources, influences: sealed.influences, ..column.value.clone() }
    }

    pub(super) fn view_column(&mut self, view: TableId, place: u32, column: &OutputColumn) -> ColumnId {
        if self.origins.is_open(view) {
            self.origins.extra(view, &column.name, &column.value.data_type)
        } else {
            ColumnId::new(view, place)
        }
    }

    /// A value made of several others, such as a column of a full join with USING.
    pub(super) fn combined(&mut self, values: &[Value], derivation: Derivation) -> Value {
        let mark = self.mark();
        for value in values {
            self.push_value(value, Flow::value(derivation));
        }
        let data_type = values.first().map_or(Type::Unknown, |value| value.data_type.clone());
        let value = self.value_since(mark, Typed::varying(data_type));
        Value { kind: value.kind.max(Kind::EXPRESSION), ..value }
    }
}

/// The relation that the left side of a field names, if it names one.
fn relation_of<'p>(place: Place<'p, '_>, field: &Field<'p>) -> Option<(usize, &'p Scope<'p>)> {
    let (database, alias) = match &field.operand {
        Expression::Column(name) => (None, folded(name)),
        Expression::Field(inner) => match &inner.operand {
            Expression::Column(database) => (Some(folded(database)), folded(&inner.name)),
            _ => return None,
        },
        _ => return None,
    };
    let (scope, relation) = place.scope.relation(database.as_deref(), &alias)?;
    Some((relation, scope))
}

/// The type of a field of a struct; `array<struct>` gives an array of the field.
fn field_type(data_type: &Type, name: &str) -> Option<Type> {
    match data_type {
        Type::Unknown | Type::Void | Type::Variant => Some(Type::Unknown),
        Type::Struct(fields) => {
            fields.iter().find(|(field, _)| field.as_str() == name).map(|(_, data_type)| data_type.clone())
        }
        Type::Array(element) => field_type(element, name).map(|field| Type::Array(field.into())),
        _ => None,
    }
}
