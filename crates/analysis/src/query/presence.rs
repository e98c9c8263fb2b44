//! Columns of which the conditions of a query leave no NULL: for them Hive 4 answers `IS NOT NULL`.
//!
//! Hive 4 writes `a IS NOT NULL` into the conditions of joins that need it, remembers it with what an arm or a
//! subquery gives, and puts TRUE where the same is asked of a value. It forgets about it where the column is
//! compared with constants as well, since that condition takes the place of the other. `IS NULL` stays.

use guardbee_hiveql::tree::{
    BinaryOperator, Call, Chain, Expression, In, InSet, Is, JoinKind, Negation, Truth, UnaryOperator,
};

use crate::effects::Derivation;
use crate::types::Type;
use crate::typing;

use super::analyzer::Analyzer;
use super::equality::{self, Comparison, Equalities, Reach};
use super::flow::Presence;
use super::name::bare;
use super::scope::{Content, JoinedOn, Scope, Slot};

type Column = equality::Place;

/// More columns than this are not followed from one to the other.
const MANY: usize = 200;

/// What the conditions of one query block say about NULL in columns.
#[derive(Debug)]
struct Facts {
    /// A condition asks for it.
    asked: Vec<Column>,
    /// A join needs it.
    joined: Vec<Column>,
    /// Compared with constants.
    bounded: Vec<Column>,
    /// Compared with another column of the same relation.
    compared: Vec<Column>,
    /// Conditions hold for no row that an outer join fills up with NULL here; nobody asks where there is none.
    demanded: Vec<usize>,
    joins: Joins,
}

impl Facts {
    fn of(joins: Joins) -> Self {
        let (asked, joined, bounded, compared) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { asked, joined, bounded, compared, demanded: Vec::new(), joins }
    }

    fn demand(&mut self, (relation, _): Column) {
        if self.joins == Joins::Outer {
            self.demanded.push(relation);
        }
    }

    const fn is_empty(&self) -> bool {
        self.asked.is_empty() && self.joined.is_empty() && self.bounded.is_empty()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joins {
    Inner,
    /// There are outer joins among them.
    Outer,
}

/// Does the opposite of the condition hold?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sense {
    Holds,
    Fails,
}

impl Sense {
    const fn negated(self) -> Self {
        match self {
            Self::Holds => Self::Fails,
            Self::Fails => Self::Holds,
        }
    }

    const fn with(self, negation: Negation) -> Self {
        match negation {
            Negation::Plain => self,
            Negation::Negated => self.negated(),
        }
    }
}

impl<'c> Analyzer<'c, '_> {
    /// Notes in the scope what its conditions say about NULL.
    pub(super) fn note_presence<'p>(
        &self,
        scope: &mut Scope<'p>,
        equalities: &Equalities,
        conditions: impl Iterator<Item = &'p Expression<'p>>,
    ) {
        let is_inner = scope.conditions.iter().all(|join| Reach::of(join) == Reach::All);
        let mut facts = Facts::of(if is_inner { Joins::Inner } else { Joins::Outer });
        for condition in conditions {
            self.add_facts(scope, condition, &mut facts);
        }
        self.add_equalities_of(scope, equalities, scope.conditions.len(), &mut facts);
        let mut end = scope.relations.len();
        let mut padded = Vec::new();
        for (place, join) in scope.conditions.iter().enumerate().rev() {
            if reach(join, end, &facts) == Reach::All {
                self.add_equalities_of(scope, equalities, place, &mut facts);
                self.add_facts(scope, join.condition, &mut facts);
            } else {
                padded.push(match join.kind {
                    JoinKind::Left | JoinKind::LeftOuter => join.left..end,
                    JoinKind::Right | JoinKind::RightOuter => 0..join.left,
                    _ => 0..end,
                });
            }
            end = join.left;
        }
        if let Some(first) = scope.first_lateral {
            padded.push(0..first);
            let stays = |(relation, _): &Column| *relation >= first;
            facts.asked.retain(stays);
            facts.joined.retain(stays);
            facts.bounded.retain(stays);
        }
        scope.padded = padded;
        if !facts.is_empty() {
            scope.presence = self.settle(scope, facts, equalities);
        }
    }

    /// What is left of the facts, in order.
    fn settle(
        &self,
        scope: &Scope<'_>,
        mut facts: Facts,
        equalities: &Equalities,
    ) -> Vec<(Column, Presence)> {
        let known = facts.asked.iter().chain(&facts.joined);
        let bounded_inside = known.filter(|column| self.inside(scope, **column) == Presence::Bounded);
        facts.bounded.extend(bounded_inside.copied().collect::<Vec<_>>());
        spread(&mut facts.bounded, &equalities.equal);
        facts.asked.retain(|column| !facts.compared.contains(column));
        let bounded = facts.bounded.into_iter().map(|column| (column, Presence::Bounded));
        let certain = facts.asked.into_iter().chain(facts.joined).map(|column| (column, Presence::Certain));
        let mut presence: Vec<(Column, Presence)> = bounded.chain(certain).collect();
        presence.sort_by_key(|(column, _)| *column);
        presence.dedup_by_key(|(column, _)| *column);
        presence
    }

    /// What is known of a column inside of the query that gives it.
    pub(super) fn inside(&self, scope: &Scope<'_>, (relation, slot): Column) -> Presence {
        let content = scope.relations.get(relation).map(|relation| &relation.content);
        match (content, slot) {
            (Some(Content::View { columns, .. } | Content::Columns { columns, .. }), Slot::Output(place)) => {
                columns.get(place as usize).map_or(Presence::Unsure, |column| column.value.presence)
            }
            _ => Presence::Unsure,
        }
    }

    /// What the equalities of one condition say, whose columns have been looked up.
    fn add_equalities_of(
        &self,
        scope: &Scope<'_>,
        equalities: &Equalities,
        condition: usize,
        facts: &mut Facts,
    ) {
        let start = equalities.compared.partition_point(|(_, place)| *place < condition);
        let own = equalities.compared.iter().skip(start).take_while(|(_, place)| *place == condition);
        for (comparison, _) in own {
            match *comparison {
                Comparison::Constant(column) => {
                    facts.bounded.push(column);
                    facts.demand(column);
                }
                Comparison::Columns(left, right) => {
                    left.into_iter().chain(right).for_each(|column| facts.demand(column));
                    self.add_equal(scope, left, right, facts);
                }
            }
        }
    }

    fn add_equal(&self, scope: &Scope<'_>, left: Option<Column>, right: Option<Column>, facts: &mut Facts) {
        if let (Some(left), Some(right)) = (left, right)
            && left.0 == right.0
        {
            facts.compared.extend([left, right]);
            return;
        }
        let type_of = |side: Option<Column>| side.map_or(Type::Unknown, |column| self.type_at(scope, column));
        let types = (type_of(left), type_of(right));
        facts.joined.extend(left.filter(|_| stays_as_it_is(&types.0, &types.1)));
        facts.joined.extend(right.filter(|_| stays_as_it_is(&types.1, &types.0)));
    }

    /// What one condition says, if it holds for every row.
    fn add_facts<'p>(&self, scope: &Scope<'p>, condition: &Expression<'p>, facts: &mut Facts) {
        let mut waiting = Vec::new();
        let mut next = Some((bare(condition), Sense::Holds));
        while let Some((condition, sense)) = next.take().or_else(|| waiting.pop()) {
            match condition {
                Expression::Chain(chain) => match (chain.rest, sense) {
                    ([(BinaryOperator::And, _), ..], Sense::Holds) => {
                        waiting.extend(operands(chain).map(|operand| (operand, sense)));
                    }
                    ([(BinaryOperator::Or, _), ..], Sense::Holds) => {
                        self.add_alternatives(scope, chain, facts);
                    }
                    ([(operator, right)], Sense::Holds)
                        if equality::is_equality(*operator)
                            && is_looked_up(bare(&chain.first), bare(right)) => {}
                    ([(operator, right)], _) => {
                        self.add_comparison(
                            scope,
                            bare(&chain.first),
                            (*operator, sense),
                            bare(right),
                            facts,
                        );
                    }
                    _ => {}
                },
                Expression::Unary(unary)
                    if matches!(unary.operator, UnaryOperator::Not | UnaryOperator::Bang) =>
                {
                    waiting.push((bare(&unary.operand), sense.negated()));
                }
                Expression::In(node) => self.add_membership(scope, node, sense, facts),
                Expression::Between(between) => {
                    self.add_bounds(scope, &between.operand, &[between.low, between.high], facts);
                }
                Expression::Like(like) => self.add_demand(scope, &like.operand, facts),
                Expression::Column(_) | Expression::Field(_) if sense == Sense::Holds => {
                    self.add_asked(scope, condition, facts);
                }
                _ => {
                    let question = question(condition);
                    if let Some((operand, _)) = question.filter(|(_, asked)| *asked == sense) {
                        self.add_asked(scope, operand, facts);
                    }
                }
            }
        }
    }

    fn add_asked<'p>(&self, scope: &Scope<'p>, operand: &Expression<'p>, facts: &mut Facts) {
        self.add_demand(scope, operand, facts);
        self.each_column(scope, operand, is_answered_by_operands, |column| {
            if self.is_passed(scope, column) {
                facts.asked.push(column);
            }
        });
    }

    fn add_demand<'p>(&self, scope: &Scope<'p>, operand: &Expression<'p>, facts: &mut Facts) {
        if facts.joins == Joins::Outer {
            self.each_column(scope, operand, is_strict, |(relation, _)| facts.demanded.push(relation));
        }
    }

    fn add_comparison<'p>(
        &self,
        scope: &Scope<'p>,
        left: &Expression<'p>,
        (operator, sense): (BinaryOperator, Sense),
        right: &Expression<'p>,
        facts: &mut Facts,
    ) {
        if !is_comparison(operator) {
            return;
        }
        let holds_if_equal = is_unequal(operator) == (sense == Sense::Fails);
        match (equality::is_constant(left), equality::is_constant(right)) {
            (true, true) => {}
            (true, false) if holds_if_equal && equality::is_true(left) => self.add_asked(scope, right, facts),
            (false, true) if holds_if_equal && equality::is_true(right) => self.add_asked(scope, left, facts),
            (true, false) => self.add_bounded(scope, right, facts),
            (false, true) => self.add_bounded(scope, left, facts),
            (false, false) => {
                self.add_demand(scope, left, facts);
                self.add_demand(scope, right, facts);
                if self.is_inside_one_relation(scope, left, right) {
                    self.each_column(scope, left, is_strict, |column| facts.compared.push(column));
                    self.each_column(scope, right, is_strict, |column| facts.compared.push(column));
                } else if holds_if_equal {
                    self.add_joined(scope, left, right, facts);
                    self.add_joined(scope, right, left, facts);
                }
            }
        }
    }

    fn is_inside_one_relation<'p>(
        &self,
        scope: &Scope<'p>,
        left: &Expression<'p>,
        right: &Expression<'p>,
    ) -> bool {
        let only_relation_of = |side: &Expression<'p>| {
            let (mut first, mut are_equal) = (None, true);
            self.each_column(scope, side, is_strict, |(relation, _)| {
                are_equal &= *first.get_or_insert(relation) == relation;
            });
            first.filter(|_| are_equal)
        };
        let left = only_relation_of(left);
        left.is_some() && left == only_relation_of(right)
    }

    /// A join asks for the values that it compares as they are compared: of a column that is converted first
    /// it says nothing.
    fn add_joined<'p>(
        &self,
        scope: &Scope<'p>,
        side: &Expression<'p>,
        other: &Expression<'p>,
        facts: &mut Facts,
    ) {
        let (own, other) = (self.plain_type(scope, side), self.plain_type(scope, other));
        if stays_as_it_is(&own, &other) {
            self.each_column(scope, side, is_answered_by_operands, |column| facts.joined.push(column));
        }
    }

    fn add_membership<'p>(&self, scope: &Scope<'p>, node: &In<'p>, sense: Sense, facts: &mut Facts) {
        match node.set {
            InSet::List(items) => self.add_bounds(scope, &node.operand, items, facts),
            InSet::Query(_) if sense.with(node.negation) == Sense::Holds => {
                self.add_demand(scope, &node.operand, facts);
                let add = |column| facts.joined.push(column);
                self.each_column(scope, &node.operand, is_answered_by_operands, add);
            }
            InSet::Query(_) => {}
        }
    }

    /// `a = 1 OR a > 5` bounds `a`; with any other column it says nothing.
    fn add_alternatives<'p>(&self, scope: &Scope<'p>, chain: &Chain<'p>, facts: &mut Facts) {
        let mut alternatives = Facts::of(Joins::Inner);
        let mut count = 0_usize;
        for operand in operands(chain) {
            count += 1;
            match operand {
                Expression::Chain(inner) => {
                    if let [(operator, right)] = inner.rest {
                        let compared = (*operator, Sense::Holds);
                        let left = bare(&inner.first);
                        self.add_comparison(scope, left, compared, bare(right), &mut alternatives);
                    }
                }
                Expression::In(node) => self.add_membership(scope, node, Sense::Holds, &mut alternatives),
                _ => return,
            }
        }
        if let Some(first) = alternatives.bounded.first().copied()
            && alternatives.bounded.len() == count
            && alternatives.bounded.iter().all(|column| *column == first)
        {
            facts.bounded.push(first);
            facts.demanded.push(first.0);
        }
    }

    fn add_bounds<'p>(
        &self,
        scope: &Scope<'p>,
        operand: &Expression<'p>,
        bounds: &[Expression<'p>],
        facts: &mut Facts,
    ) {
        if bounds.iter().all(|bound| equality::is_constant(bare(bound))) {
            self.add_bounded(scope, operand, facts);
        }
    }

    fn add_bounded<'p>(&self, scope: &Scope<'p>, operand: &Expression<'p>, facts: &mut Facts) {
        self.add_demand(scope, operand, facts);
        let operand = match bare(operand) {
            Expression::Cast(cast) => bare(&cast.operand),
            operand => operand,
        };
        facts.bounded.extend(self.column_here(scope, operand));
    }

    /// Visits the columns of this very scope that an expression is computed from by nothing but what `enters`
    /// lets pass.
    fn each_column<'p>(
        &self,
        scope: &Scope<'p>,
        expression: &Expression<'p>,
        enters: fn(&Expression<'_>) -> bool,
        mut visit: impl FnMut(Column),
    ) {
        let mut waiting = Vec::new();
        let mut next = Some(bare(expression));
        while let Some(expression) = next.take().or_else(|| waiting.pop()) {
            match expression {
                Expression::Column(_) | Expression::Field(_) => {
                    if let Some(column) = self.column_here(scope, expression) {
                        visit(column);
                    }
                }
                nested if !enters(nested) => {}
                Expression::Chain(chain) => waiting.extend(operands(chain)),
                Expression::Unary(unary) => next = Some(bare(&unary.operand)),
                Expression::Cast(cast) => next = Some(bare(&cast.operand)),
                _ => {}
            }
        }
    }

    /// The type of an expression, where it can be told without computing it.
    fn plain_type<'p>(&self, scope: &Scope<'p>, expression: &Expression<'p>) -> Type {
        let of_operand = |operand: &Expression<'p>| match bare(operand) {
            Expression::Cast(cast) => Type::of(&cast.data_type),
            operand => {
                self.column_here(scope, operand).map_or(Type::Unknown, |column| self.type_at(scope, column))
            }
        };
        match bare(expression) {
            Expression::Chain(chain) if is_answered_by_operands(expression) => {
                let types = operands(chain).filter(|operand| !equality::is_constant(operand)).map(of_operand);
                types.reduce(|left, right| typing::common(&left, &right)).unwrap_or(Type::Unknown)
            }
            operand => of_operand(operand),
        }
    }

    /// Is a column of a subquery no more than a column there, or what an aggregate function gave? A condition
    /// on anything else Hive moves into the subquery, where it asks for something else.
    fn is_passed(&self, scope: &Scope<'_>, (relation, slot): Column) -> bool {
        let content = scope.relations.get(relation).map(|relation| &relation.content);
        match (content, slot) {
            (Some(Content::View { columns, .. } | Content::Columns { columns, .. }), Slot::Output(place)) => {
                let value = columns.get(place as usize).map(|column| &column.value);
                value.is_some_and(|value| {
                    let edges = self.edges.get(value.sources);
                    value.kind.is_script()
                        || edges.iter().all(|edge| edge.derivation != Derivation::Transformation)
                })
            }
            _ => true,
        }
    }
}

/// Is a value compared without being converted?
fn stays_as_it_is(own: &Type, other: &Type) -> bool {
    match (own, other) {
        (_, Type::Unknown) => true,
        (Type::String, other) => matches!(other, Type::String | Type::Char(_) | Type::Varchar(_)),
        (own, other) => typing::common(own, other) == *own,
    }
}

/// Which rows of the relations the condition of a join holds for, where conditions after it throw out some of
/// those that it fills up with NULL.
fn reach(join: &JoinedOn<'_>, end: usize, facts: &Facts) -> Reach {
    let demands = |from: usize, to: usize| facts.demanded.iter().any(|place| (from..to).contains(place));
    match Reach::of(join) {
        Reach::From(first) if demands(first, end) => Reach::All,
        Reach::UpTo(first) if demands(0, first) => Reach::All,
        Reach::None if demands(0, join.left) && demands(join.left, end) => Reach::All,
        other => other,
    }
}

/// What holds for a column holds for those that it is equal to.
fn spread(columns: &mut Vec<Column>, equal: &[(Column, Column)]) {
    if equal.len() > MANY || columns.is_empty() {
        return;
    }
    let mut grows = true;
    while grows {
        grows = false;
        for (one, other) in equal {
            if columns.contains(one) && !columns.contains(other) {
                columns.push(*other);
                grows = true;
            }
        }
    }
}

/// The operand of `a IS NOT NULL` (which holds where `a` is there) and `a IS NULL` (which fails).
pub(super) fn question<'e, 'p>(expression: &'e Expression<'p>) -> Option<(&'e Expression<'p>, Sense)> {
    match expression {
        Expression::Is(is) => question_of_is(is),
        Expression::Call(call) => question_of_call(call),
        _ => None,
    }
}

fn question_of_is<'e, 'p>(is: &'e Is<'p>) -> Option<(&'e Expression<'p>, Sense)> {
    (is.truth == Truth::Null).then(|| (&is.operand, Sense::Fails.with(is.negation)))
}

fn question_of_call<'e, 'p>(call: &'e Call<'p>) -> Option<(&'e Expression<'p>, Sense)> {
    let [operand] = call.arguments else { return None };
    let is_called = |name: &str| call.database.is_none() && call.function.raw.eq_ignore_ascii_case(name);
    match () {
        () if is_called("isnotnull") => Some((operand, Sense::Holds)),
        () if is_called("isnull") => Some((operand, Sense::Fails)),
        () => None,
    }
}

pub(super) fn operands<'e, 'p>(chain: &'e Chain<'p>) -> impl Iterator<Item = &'e Expression<'p>> {
    std::iter::once(&chain.first).chain(chain.rest.iter().map(|(_, operand)| operand)).map(bare)
}

const fn is_comparison(operator: BinaryOperator) -> bool {
    matches!(
        operator,
        BinaryOperator::Equal
            | BinaryOperator::DoubleEqual
            | BinaryOperator::NotEqual
            | BinaryOperator::BangEqual
            | BinaryOperator::Less
            | BinaryOperator::LessOrEqual
            | BinaryOperator::Greater
            | BinaryOperator::GreaterOrEqual
    )
}

const fn is_unequal(operator: BinaryOperator) -> bool {
    matches!(operator, BinaryOperator::NotEqual | BinaryOperator::BangEqual)
}

/// Has an equality of these been dealt with already, with those that decide about values?
fn is_looked_up(left: &Expression<'_>, right: &Expression<'_>) -> bool {
    let is_side = |side: &Expression<'_>| {
        equality::is_name(side) || equality::is_constant(side) && !equality::is_true(side)
    };
    is_side(left) && is_side(right)
}

/// Is the value NULL exactly if one of its operands is, as far as Hive knows?
pub(super) fn is_answered_by_operands(expression: &Expression<'_>) -> bool {
    let passes = |operator: BinaryOperator| {
        let is_sum =
            matches!(operator, BinaryOperator::Plus | BinaryOperator::Minus | BinaryOperator::Multiply);
        is_sum || is_comparison(operator)
    };
    match expression {
        Expression::Chain(chain) => chain.rest.iter().all(|(operator, _)| passes(*operator)),
        Expression::Unary(unary) => matches!(unary.operator, UnaryOperator::Minus | UnaryOperator::Plus),
        _ => false,
    }
}

/// Is the value NULL if one of its operands is, to Hive's planner of joins?
fn is_strict(expression: &Expression<'_>) -> bool {
    is_answered_by_operands(expression) || matches!(expression, Expression::Cast(_))
}
