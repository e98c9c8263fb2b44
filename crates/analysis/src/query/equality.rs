//! Columns of which the conditions of a query leave one value only.

use std::sync::Arc;

use guardbee_hiveql::tree::{
    BinaryOperator, Expression, InSet, JoinKind, LiteralKind, Negation, Truth, TypedLiteralType,
    UnaryOperator,
};

use guardbee_model::HiveVersion;

use crate::effects::PartitionValues;
use crate::partition::constant_text;
use crate::types::Type;

use super::analyzer::Analyzer;
use super::flow::Constancy;
use super::name::{bare, folded};
use super::origin::{ColumnId, Origins, TableId};
use super::scope::{Content, Found, JoinedOn, Readers, Scope, Slot, Visibility};

/// More conditions than this are not looked at one against the other.
const MANY_EQUALITIES: usize = 200;

/// A column of a scope, by its relation.
pub(super) type Place = (usize, Slot);

/// What the conditions of one query block say, each of them for every row.
#[derive(Debug, Default)]
pub(super) struct Equalities {
    version: HiveVersion,
    /// `column = constant`, with the text of the constant where it has one.
    fixed: Vec<(Place, Option<Arc<str>>)>,
    /// `column = column` and `column = constant` of whichever reach, with the place of the condition among those of
    /// the joins, or behind them.
    pub compared: Vec<(Comparison, usize)>,
    place: usize,
    /// `column = column`, where the first decides about the second.
    pub equal: Vec<(Place, Place)>,
}

/// What an equality compares; a side that is no column of this scope is nothing.
#[derive(Debug, Clone, Copy)]
pub(super) enum Comparison {
    Columns(Option<Place>, Option<Place>),
    Constant(Place),
}

/// Which relations a condition says something about for every row that it is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    All,
    /// The right side of a left join: what is left of it is kept anyway.
    From(usize),
    /// The left side of a right join.
    UpTo(usize),
    None,
}

impl Reach {
    pub(super) const fn of(join: &JoinedOn<'_>) -> Self {
        match join.kind {
            JoinKind::Comma | JoinKind::Join | JoinKind::Inner | JoinKind::Cross | JoinKind::LeftSemi => {
                Self::All
            }
            JoinKind::Left | JoinKind::LeftOuter => Self::From(join.left),
            JoinKind::Right | JoinKind::RightOuter => Self::UpTo(join.left),
            JoinKind::Full | JoinKind::FullOuter => Self::None,
        }
    }

    const fn holds(self, relation: usize) -> bool {
        match self {
            Self::All => true,
            Self::From(first) => relation >= first,
            Self::UpTo(end) => relation < end,
            Self::None => false,
        }
    }
}

impl Analyzer<'_, '_> {
    /// Notes in the scope which of its columns have one value only, and for partitioned tables which
    /// partitions are left over.
    pub(super) fn pin<'p>(
        &mut self,
        version: HiveVersion,
        scope: &mut Scope<'p>,
        filter: Option<&'p Expression<'p>>,
        having: Option<&'p Expression<'p>>,
    ) {
        let equalities = self.equalities(version, scope, filter, having);
        self.pin_partitions(scope, &equalities);
        if scope.readers == Readers::Several {
            return;
        }
        if version >= HiveVersion::V4_0 {
            self.note_presence(scope, &equalities, filter.into_iter().chain(having));
        }
        scope.pinned = self.closure(scope, equalities);
        if let Some(first) = scope.first_lateral {
            scope.pinned.retain(|(relation, _)| *relation >= first);
        }
        scope.pinned.sort_unstable();
    }

    fn equalities<'p>(
        &self,
        version: HiveVersion,
        scope: &Scope<'p>,
        filter: Option<&'p Expression<'p>>,
        having: Option<&'p Expression<'p>>,
    ) -> Equalities {
        let mut equalities = Equalities { version, ..Equalities::default() };
        for (place, join) in scope.conditions.iter().enumerate() {
            equalities.place = place;
            self.add_equalities(scope, join.condition, Reach::of(join), &mut equalities);
        }
        equalities.place = scope.conditions.len();
        for condition in filter.into_iter().chain(having) {
            self.add_equalities(scope, condition, Reach::All, &mut equalities);
        }
        equalities
    }

    fn add_equalities<'p>(
        &self,
        scope: &Scope<'p>,
        condition: &Expression<'p>,
        reach: Reach,
        equalities: &mut Equalities,
    ) {
        let mut waiting = Vec::new();
        let mut next = Some(bare(condition));
        let is_whole = matches!(next, Some(Expression::Unary(_)));
        while let Some(condition) = next.take().or_else(|| waiting.pop()) {
            match condition {
                Expression::Chain(chain) => match chain.rest {
                    [(BinaryOperator::And, _), ..] => {
                        next = Some(bare(&chain.first));
                        waiting.extend(chain.rest.iter().map(|(_, operand)| bare(operand)));
                    }
                    [(operator, right)] if is_equality(*operator) => {
                        self.add_equality(scope, bare(&chain.first), bare(right), reach, equalities);
                    }
                    _ => {}
                },
                Expression::Is(is) if is.truth == Truth::Null && is.negation == Negation::Plain => {
                    self.add_null(scope, &is.operand, reach, equalities);
                }
                Expression::Call(call) if call.function.raw.eq_ignore_ascii_case("isnull") => {
                    if let [only] = call.arguments {
                        self.add_null(scope, only, reach, equalities);
                    }
                }
                Expression::Unary(unary)
                    if matches!(unary.operator, UnaryOperator::Not | UnaryOperator::Bang) =>
                {
                    // Before 4.0 Hive sees through a negated IS NOT NULL only where there is no other condition.
                    let operand = bare(&unary.operand);
                    let is_seen = is_whole || equalities.version >= HiveVersion::V4_0;
                    if is_seen || matches!(operand, Expression::Chain(_) | Expression::In(_)) {
                        self.add_opposite(scope, operand, reach, equalities);
                    }
                }
                Expression::In(node) if node.negation == Negation::Plain => {
                    if let InSet::List([only]) = node.set {
                        self.add_equality(scope, bare(&node.operand), bare(only), reach, equalities);
                    }
                }
                _ => {}
            }
        }
    }

    /// What a condition that does not hold says.
    fn add_opposite<'p>(
        &self,
        scope: &Scope<'p>,
        condition: &Expression<'p>,
        reach: Reach,
        equalities: &mut Equalities,
    ) {
        match condition {
            Expression::Is(is) if is.truth == Truth::Null && is.negation == Negation::Negated => {
                self.add_null(scope, &is.operand, reach, equalities);
            }
            Expression::Call(call) if call.function.raw.eq_ignore_ascii_case("isnotnull") => {
                if let [only] = call.arguments {
                    self.add_null(scope, only, reach, equalities);
                }
            }
            Expression::Chain(chain) => {
                if let [(BinaryOperator::NotEqual, right)] = chain.rest {
                    self.add_equality(scope, bare(&chain.first), bare(right), reach, equalities);
                }
            }
            Expression::In(node) if node.negation == Negation::Negated => {
                if let InSet::List([only]) = node.set {
                    self.add_equality(scope, bare(&node.operand), bare(only), reach, equalities);
                }
            }
            _ => {}
        }
    }

    fn add_null<'p>(
        &self,
        scope: &Scope<'p>,
        operand: &Expression<'p>,
        reach: Reach,
        equalities: &mut Equalities,
    ) {
        let place = self.column_here(scope, bare(operand));
        if let Some(place) = place.filter(|(relation, _)| reach.holds(*relation)) {
            equalities.fixed.push((place, None));
        }
    }

    fn add_equality<'p>(
        &self,
        scope: &Scope<'p>,
        left: &Expression<'p>,
        right: &Expression<'p>,
        reach: Reach,
        equalities: &mut Equalities,
    ) {
        let (column, constant) = if is_constant(right) { (left, right) } else { (right, left) };
        if !is_constant(constant) {
            let places = (self.column_here(scope, left), self.column_here(scope, right));
            if is_name(left) && is_name(right) {
                let compared = Comparison::Columns(places.0, places.1);
                equalities.compared.push((compared, equalities.place));
            }
            if let (Some(left), Some(right)) = places {
                let pairs = [(left, right), (right, left)].into_iter();
                equalities.equal.extend(pairs.filter(|(_, decided)| reach.holds(decided.0)));
            }
            return;
        }
        let place = self.column_here(scope, column);
        if let Some(place) = place.filter(|_| !is_true(constant)) {
            equalities.compared.push((Comparison::Constant(place), equalities.place));
        }
        if let Some(place) = place.filter(|(relation, _)| reach.holds(*relation))
            && keeps_column(equalities.version, &self.type_at(scope, place), constant)
        {
            equalities.fixed.push((place, constant_text(constant)));
        }
    }

    pub(super) fn column_here<'p>(&self, scope: &Scope<'p>, expression: &Expression<'p>) -> Option<Place> {
        scope.own_slot(&self.origins, expression)
    }

    pub(super) fn type_at(&self, scope: &Scope<'_>, (relation, slot): Place) -> Type {
        let content = scope.relations.get(relation).map(|relation| &relation.content);
        match (content, slot) {
            (_, Slot::Base(column)) => self.origins.column_type(column),
            (Some(Content::View { columns, .. } | Content::Columns { columns, .. }), Slot::Output(place)) => {
                columns.get(place as usize).map_or(Type::Unknown, |column| column.value.data_type.clone())
            }
            _ => Type::Unknown,
        }
    }

    fn is_constant_at(scope: &Scope<'_>, (relation, slot): Place) -> bool {
        let content = scope.relations.get(relation).map(|relation| &relation.content);
        match (content, slot) {
            (Some(Content::View { columns, .. } | Content::Columns { columns, .. }), Slot::Output(place)) => {
                columns
                    .get(place as usize)
                    .is_some_and(|column| column.value.constancy == Constancy::Constant)
            }
            _ => false,
        }
    }

    /// What is equal to a constant, and what is equal to that.
    fn closure(&self, scope: &Scope<'_>, equalities: Equalities) -> Vec<Place> {
        let mut pinned: Vec<Place> = equalities.fixed.into_iter().map(|(place, _)| place).collect();
        if equalities.equal.len() > MANY_EQUALITIES {
            return pinned;
        }
        let mut grows = true;
        while grows {
            grows = false;
            for (one, other) in &equalities.equal {
                let is_known = pinned.contains(one) || Self::is_constant_at(scope, *one);
                if is_known
                    && !pinned.contains(other)
                    && self.type_at(scope, *one) == self.type_at(scope, *other)
                {
                    pinned.push(*other);
                    grows = true;
                }
            }
        }
        pinned
    }

    fn pin_partitions(&mut self, scope: &Scope<'_>, equalities: &Equalities) {
        let partitioned: Vec<(usize, TableId)> = scope
            .relations
            .iter()
            .enumerate()
            .filter_map(|(place, relation)| match relation.content {
                Content::Table(table) if relation.visibility == Visibility::Visible => Some((place, table)),
                _ => None,
            })
            .filter(|(_, table)| self.origins.definition(*table).is_some_and(|table| table.is_partitioned()))
            .collect();
        for (place, table) in partitioned {
            let value_of = |column: ColumnId| {
                let pinned = (place, Slot::Base(column));
                let fixed = equalities.fixed.iter().find(|(known, _)| *known == pinned);
                fixed.and_then(|(_, value)| value.clone())
            };
            let pinned: PartitionValues = self
                .origins
                .partition_columns(table)
                .filter_map(|(column, name)| Some((name.clone(), Some(value_of(column)?))))
                .collect();
            self.origins.pin(table, pinned);
        }
    }
}

impl Scope<'_> {
    /// The column of this very scope that an expression is, if it is one.
    fn own_slot(&self, origins: &Origins<'_>, expression: &Expression<'_>) -> Option<Place> {
        let scope: &Scope<'_> = self;
        match expression {
            Expression::Column(name) => match scope.own_column(origins, &folded(name)) {
                Found::Column { relation, slot, .. } => Some((relation, slot)),
                _ => None,
            },
            Expression::Field(field) => {
                let Expression::Column(alias) = &field.operand else { return None };
                let relation = scope.own_relation(None, &folded(alias))?;
                match scope.column_of(origins, relation, &folded(&field.name)) {
                    Found::Column { relation, slot, .. } => Some((relation, slot)),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

pub(super) const fn is_equality(operator: BinaryOperator) -> bool {
    matches!(operator, BinaryOperator::Equal | BinaryOperator::DoubleEqual)
}

pub(super) fn is_true(expression: &Expression<'_>) -> bool {
    matches!(expression, Expression::Literal(literal) if literal.kind == LiteralKind::True)
}

/// May the expression be a column?
pub(super) const fn is_name(expression: &Expression<'_>) -> bool {
    matches!(expression, Expression::Column(_) | Expression::Field(_))
}

pub(super) fn is_constant(expression: &Expression<'_>) -> bool {
    match expression {
        Expression::Literal(literal) => literal.kind != LiteralKind::Null,
        Expression::TypedLiteral(literal) => literal.value.is_some(),
        Expression::Unary(unary) => {
            unary.operator == UnaryOperator::Minus && matches!(bare(&unary.operand), Expression::Literal(_))
        }
        Expression::Chain(chain) => {
            let is_number = |operand: &Expression<'_>| matches!(bare(operand), Expression::Literal(literal) if literal.kind == LiteralKind::Integer);
            is_number(&chain.first)
                && chain.rest.iter().all(|(operator, operand)| {
                    matches!(
                        operator,
                        BinaryOperator::Plus | BinaryOperator::Minus | BinaryOperator::Multiply
                    ) && is_number(operand)
                })
        }
        _ => false,
    }
}

/// Does Hive compare the column itself with the constant, and not a cast of it? From 4.0 on a condition that
/// compares with TRUE or FALSE is the column itself, or its opposite.
fn keeps_column(version: HiveVersion, column: &Type, constant: &Expression<'_>) -> bool {
    let is_number = matches!(
        column,
        Type::TinyInt
            | Type::SmallInt
            | Type::Int
            | Type::BigInt
            | Type::Float
            | Type::Double
            | Type::Decimal { .. }
    );
    match constant {
        Expression::Unary(_) | Expression::Chain(_) => is_number,
        Expression::TypedLiteral(literal) => match literal.literal_type {
            TypedLiteralType::Date | TypedLiteralType::CurrentDate => *column == Type::Date,
            TypedLiteralType::Timestamp | TypedLiteralType::CurrentTimestamp => *column == Type::Timestamp,
            TypedLiteralType::TimestampLocalTimeZone => *column == Type::TimestampLocalTimeZone,
        },
        Expression::Literal(literal) => match literal.kind {
            LiteralKind::String | LiteralKind::CharacterSet => {
                matches!(column, Type::String | Type::Char(_) | Type::Varchar(_)) || is_number
            }
            LiteralKind::True | LiteralKind::False => version < HiveVersion::V4_0 && *column == Type::Boolean,
            LiteralKind::Null => false,
            _ => is_number,
        },
        _ => false,
    }
}
