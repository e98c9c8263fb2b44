//! One SELECT: its list, and what decides about its rows.

use std::borrow::Cow;

use guardbee_hiveql::tree::{
    Call, Expression, Grouping, ItemAlias, LiteralKind, Projection, Select, SelectItem, SetQuantifier,
    Transform, TransformOutput,
};
use guardbee_model::{Name, Span};

use crate::effects::{Command, Derivation, Purpose};
use crate::lookup::GrowingIndex;
use crate::types::Type;

use super::analyzer::{
    Aggregates, Aliases, Analyzer, Environment, Optimization, Place, SelectList, Tally, Typed,
};
use super::flow::{Flow, Value};
use super::name::{bare, folded};
use super::origin::TableId;
use super::scope::{OutputColumn, Rows, RowsOrigin, Scope, Visibility, Whole};
use super::window::Windows;

/// Does a query make groups of rows?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Groups {
    /// It says by what, or it calls functions that nobody knows.
    Given,
    /// All rows are one group, since aggregate functions are called.
    One,
    None,
}

fn groups_of(select: &Select<'_>, list: Tally) -> Groups {
    let is_given = select.group_by.is_some() || select.quantifier == Some(SetQuantifier::Distinct);
    match list {
        _ if is_given => Groups::Given,
        Tally { aggregates: 0, unsure: 0, .. } => Groups::None,
        Tally { aggregates: 0, .. } => Groups::Given,
        _ => Groups::One,
    }
}

/// The select list in the making.
#[derive(Debug, Default)]
pub(super) struct Output {
    pub columns: Vec<OutputColumn>,
    pub open: Vec<TableId>,
    index: GrowingIndex<Name>,
}

impl Output {
    const fn list(&self) -> SelectList<'_> {
        SelectList { columns: self.columns.as_slice(), index: &self.index }
    }
}

impl<'c> Analyzer<'c, '_> {
    pub(super) fn select<'p>(&mut self, environment: Environment<'p, 'c>, select: &'p Select<'p>) -> Rows {
        let scope = match &select.from {
            Some(from) => self.relations_of(environment, from),
            None => Scope::inside(environment.outer),
        };
        self.select_from(environment, select, scope)
    }

    /// A SELECT whose FROM has been read.
    pub(super) fn select_from<'p>(
        &mut self,
        environment: Environment<'p, 'c>,
        select: &'p Select<'p>,
        mut scope: Scope<'p>,
    ) -> Rows {
        if let Some(view) = &select.lateral_view {
            self.lateral_view(environment, &mut scope, view);
        }
        let parts = std::mem::take(&mut scope.parts);
        let having = select.having.as_ref().filter(|_| select.group_by.is_some());
        self.pin(environment.context.version(), &mut scope, select.filter.as_ref(), having);
        let windows = Windows::new(select.windows);
        let place = Place { windows: Some(&windows), ..Place::new(environment, &scope) };
        self.tally = Tally::default();
        let mut output = self.projection(place, &select.projection);
        let groups = groups_of(select, self.tally);
        let mark = self.mark();
        self.decide_by_clauses(place, select, groups, output.list());
        let influences = self.rows_since(mark, parts);
        if super::body::is_ranked(&select.tail) {
            super::body::forget_presence(&mut output.columns);
        }
        let origin = if scope.relations.is_empty() { RowsOrigin::Nothing } else { RowsOrigin::Relations };
        Rows { columns: output.columns.into(), open: output.open, influences, origin }
    }

    fn decide_by_clauses<'p>(
        &mut self,
        place: Place<'p, 'c>,
        select: &'p Select<'p>,
        groups: Groups,
        list: SelectList<'_>,
    ) {
        if let Some(filter) = &select.filter {
            let step = |analyzer: &mut Self| analyzer.decide(place, filter, Purpose::Filter);
            let here = if place.scope.outer.is_none() { Aggregates::Refused } else { Aggregates::Taken };
            self.with_aggregates(here, step);
        }
        self.decide_by_groups(place, select, list);
        let with_aliases = Place { aliases: Aliases::Last(list), ..place };
        if let Some(having) = &select.having {
            self.tally = Tally::default();
            self.decide(with_aliases, having, Purpose::Filter);
            self.check_having(place, having, groups);
        }
        if let Some(qualify) = &select.qualify {
            self.decide(with_aliases, qualify, Purpose::Filter);
        }
        if select.quantifier == Some(SetQuantifier::Distinct) {
            for column in list.columns {
                self.push_value(&column.value, Flow::influence(Purpose::GroupBy));
            }
        }
        self.decide_by_tail(place, &select.tail, list);
    }

    fn decide_by_groups<'p>(&mut self, place: Place<'p, 'c>, select: &'p Select<'p>, list: SelectList<'_>) {
        let Some(group_by) = &select.group_by else { return };
        let by_position = place.environment.context.settings.group_by_position();
        let place = Place { aliases: Aliases::Last(list), ..place };
        let sets = match group_by.grouping {
            Grouping::Sets(sets) => sets,
            _ => &[],
        };
        for key in group_by.keys.iter().chain(sets.iter().flat_map(|set| set.keys)) {
            match position(key, list.columns).filter(|_| by_position) {
                Some(column) => self.push_value(&column.value, Flow::influence(Purpose::GroupBy)),
                None => self.decide(place, key, Purpose::GroupBy),
            }
        }
    }

    pub(super) fn projection<'p>(&mut self, place: Place<'p, 'c>, projection: &'p Projection<'p>) -> Output {
        let mut output = Output::default();
        match projection {
            Projection::Items(items) => {
                output.columns.reserve(items.len());
                for (number, item) in items.iter().enumerate() {
                    self.select_item(place, number, item, &mut output);
                }
                if let ([item], [column]) = (items, output.columns.as_mut_slice()) {
                    name_lone_window(item, column);
                }
            }
            Projection::Transform(transform) => self.transform(place, transform, &mut output),
        }
        output
    }

    fn select_item<'p>(
        &mut self,
        place: Place<'p, 'c>,
        number: usize,
        item: &'p SelectItem<'p>,
        output: &mut Output,
    ) {
        let expression = bare(&item.expression);
        if let Expression::AllColumns(stars) = expression {
            return self.expand_star(place, stars, output);
        }
        if self.expand_pattern(place, expression, output) {
            return;
        }
        if let Expression::Call(call) = expression
            && let Some(columns) = self.table_function_item(place, call, item.alias.as_ref())
        {
            output.columns.extend(columns);
            return;
        }
        let name = item_name(item, number);
        let missing = self.missing;
        let mut value = self.evaluate(place, expression);
        if self.missing > missing && !output.columns.is_empty() && !self.is_second_reading {
            value = self.evaluate_beside(place, expression, output);
        }
        let span = if is_column(expression) {
            Span::default()
        } else {
            item.expression.span(place.environment.source)
        };
        output.columns.push(OutputColumn { name, value, expression: span });
    }

    /// Other dialects let an item use the names of those before it. Hive does not, which has been
    /// reported by now; still it is better known what was meant.
    fn evaluate_beside<'p>(
        &mut self,
        place: Place<'p, 'c>,
        expression: &Expression<'p>,
        output: &Output,
    ) -> Value {
        let place = Place { aliases: Aliases::Last(output.list()), ..place };
        self.is_second_reading = true;
        let value = self.in_foreign_text(|analyzer| analyzer.evaluate(place, expression));
        self.is_second_reading = false;
        value
    }

    /// A script takes all its arguments and may make anything of them.
    fn transform<'p>(&mut self, place: Place<'p, 'c>, transform: &'p Transform<'p>, output: &mut Output) {
        let mark = self.mark();
        let flow = Flow::value(Derivation::Transformation);
        for argument in transform.arguments {
            self.collect(place, argument, flow);
        }
        self.script = true;
        self.optimization = Optimization::GivenUp;
        let value = self.value_since(mark, Typed::varying(Type::String));
        self.mark_consumed(&value);
        let command = transform.command.value();
        if !self.origins.is_inside_views() {
            self.outcome.effects.commands.push(Command::Script(command.into()));
        }
        let mut add = |name: Name, data_type: Type| {
            let value = Value { data_type, ..value.clone() };
            output.columns.push(OutputColumn { name, value, expression: Span::default() });
        };
        match transform.output {
            TransformOutput::Default => {
                add(Name::from_static("key"), Type::String);
                add(Name::from_static("value"), Type::String);
            }
            TransformOutput::Names { names, .. } => {
                for name in names {
                    add(name.name(), Type::String);
                }
            }
            TransformOutput::Typed { columns, .. } => {
                for column in columns {
                    add(column.name.name(), Type::of(&column.data_type));
                }
            }
        }
    }

    /// What `COUNT(*)` counts: the rows of these tables.
    pub(super) fn whole_tables(&mut self, scope: &Scope<'_>) -> Whole {
        if let Some(known) = scope.whole.get() {
            return known;
        }
        let mark = self.mark();
        for relation in scope.relations.iter().filter(|relation| relation.visibility == Visibility::Visible) {
            self.push_whole(relation);
        }
        let value = self.value_since(mark, Typed::varying(Type::Unknown));
        let whole = Whole { sources: value.sources, kind: value.kind };
        scope.whole.set(Some(whole));
        whole
    }
}

/// The column that a number in GROUP BY or ORDER BY means.
pub(super) fn position<'o>(
    expression: &Expression<'_>,
    columns: &'o [OutputColumn],
) -> Option<&'o OutputColumn> {
    let Expression::Literal(literal) = expression else { return None };
    if literal.kind != LiteralKind::Integer {
        return None;
    }
    let place = literal.raw.parse::<usize>().ok()?;
    columns.get(place.checked_sub(1)?)
}

/// The name that Hive gives a column of the select list.
fn item_name(item: &SelectItem<'_>, number: usize) -> Name {
    match item.alias {
        Some(ItemAlias::As(name) | ItemAlias::Bare(name)) => return name.name(),
        Some(ItemAlias::List([name])) => return name.name(),
        _ => {}
    }
    match bare(&item.expression) {
        Expression::Column(name) => name.name(),
        Expression::Field(field) => field.name.name(),
        Expression::Cast(cast) => column_name(&cast.operand).unwrap_or_else(|| Name::fold(&numbered(number))),
        Expression::Call(call) => match call.arguments {
            [only] if names_a_type(call) => column_name(only),
            _ => None,
        }
        .unwrap_or_else(|| Name::fold(&numbered(number))),
        _ => Name::fold(&numbered(number)),
    }
}

fn column_name(expression: &Expression<'_>) -> Option<Name> {
    match bare(expression) {
        Expression::Column(name) => Some(name.name()),
        Expression::Field(field) => Some(field.name.name()),
        _ => None,
    }
}

/// A window function that is all there is in the list gives its own name to the column.
fn name_lone_window(item: &SelectItem<'_>, column: &mut OutputColumn) {
    if let (Expression::Call(call), None) = (bare(&item.expression), item.alias)
        && call.over.is_some()
    {
        column.name = Name::fold(&format!("{}_window_0", call.function.value()));
    }
}

/// `date(a)` and kin are casts, and named as such.
fn names_a_type(call: &Call<'_>) -> bool {
    const TYPES: [&str; 4] = ["date", "timestamp", "binary", "decimal"];
    TYPES.iter().any(|name| call.function.raw.eq_ignore_ascii_case(name))
}

fn numbered(number: usize) -> Cow<'static, str> {
    const FIRST: [&str; 10] = ["_c0", "_c1", "_c2", "_c3", "_c4", "_c5", "_c6", "_c7", "_c8", "_c9"];
    FIRST.get(number).map_or_else(|| Cow::Owned(format!("_c{number}")), |name| Cow::Borrowed(*name))
}

/// Is it a column, or a field of one?
pub(super) fn is_column(expression: &Expression<'_>) -> bool {
    match expression {
        Expression::Column(_) => true,
        Expression::Field(field) => is_column(bare(&field.operand)),
        _ => false,
    }
}

/// Is a name no plain word, so that it may be a pattern for several columns?
pub(super) fn is_pattern(name: &guardbee_hiveql::tree::Identifier<'_>) -> bool {
    name.is_quoted()
        && folded(name).bytes().any(|byte| !byte.is_ascii_alphanumeric() && byte != b'_' && byte.is_ascii())
}
