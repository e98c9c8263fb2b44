//! Expressions: what flows out of them, what decides in them, and which type they have.
//!
//! An expression is walked once. Columns that it uses are pushed onto stacks, with the role and the
//! derivation that the nodes above them give; nothing is built for the nodes themselves.

use guardbee_hiveql::tree::{
    Between, BinaryOperator, Call, Case, Chain, Expression, In, InSet, Index, Interval, IntervalUnit, Like,
    TimeUnit, TypedLiteral, TypedLiteralType, Unary, UnaryOperator,
};

use guardbee_model::{Diagnostic, DiagnosticCode, HiveVersion};

use crate::effects::{Derivation, DerivationKind, Purpose};
use crate::types::Type;
use crate::typing;

use super::analyzer::{Analyzer, Optimization, Place, Typed};
use super::choice::Choice;
use super::flow::{Constancy, Flow, Kind, Value};
use super::name::bare;
use super::scope::Readers;

impl<'c> Analyzer<'c, '_> {
    /// The value of a whole expression.
    pub(super) fn evaluate<'p>(&mut self, place: Place<'p, 'c>, expression: &Expression<'p>) -> Value {
        if let Some(value) = self.plain_column(place, expression) {
            return value;
        }
        match bare(expression) {
            Expression::Unary(unary) if unary.operator == UnaryOperator::Plus => {
                let step = |analyzer: &mut Self| analyzer.evaluate(place, &unary.operand);
                self.deeper(unary.location.span(), step).unwrap_or_else(Value::unknown)
            }
            Expression::Call(call) if let Some(argument) = signed_plus(call) => {
                self.note_call(place.environment, call);
                let step = |analyzer: &mut Self| analyzer.evaluate(place, argument);
                self.deeper(call.location.span(), step).unwrap_or_else(Value::unknown)
            }
            Expression::Unary(unary) if let Some(twice) = negated_twice(unary) => {
                let step = |analyzer: &mut Self| analyzer.evaluate(place, twice);
                let value = self.deeper(unary.location.span(), step).unwrap_or_else(Value::unknown);
                let optimized = match value.data_type {
                    Type::Boolean => DerivationKind::Simple,
                    _ => DerivationKind::Expression,
                };
                at_least(value, Kind { optimized, ..Kind::EXPRESSION })
            }
            nested @ (Expression::Case(_) | Expression::Call(_))
                if let Some(choice) = Choice::of(nested)
                    && let Some(chosen) = self.chosen(place, &choice) =>
            {
                let span = nested.span(place.environment.source);
                let step = |analyzer: &mut Self| analyzer.evaluate_chosen(place, &choice, chosen);
                self.deeper(span, step).unwrap_or_else(Value::unknown)
            }
            Expression::Cast(cast) => {
                let step = |analyzer: &mut Self| analyzer.evaluate(place, &cast.operand);
                let operand = self.deeper(cast.location.span(), step).unwrap_or_else(Value::unknown);
                self.cast_value(place.scope.readers, operand, Type::of(&cast.data_type))
            }
            _ => {
                let mark = self.mark();
                let typed = self.collect(place, expression, Flow::IDENTITY);
                self.value_since(mark, typed)
            }
        }
    }

    /// A cast to the type that a value has already is none. Where the type has parameters, only the optimizer
    /// sees that.
    fn cast_value(&mut self, readers: Readers, operand: Value, data_type: Type) -> Value {
        if operand.data_type == data_type {
            let kind = match (&data_type, readers) {
                (Type::Decimal { .. } | Type::Char(_) | Type::Varchar(_), Readers::One) => {
                    Kind { optimized: DerivationKind::Simple, ..Kind::EXPRESSION }
                }
                (Type::Decimal { .. } | Type::Char(_) | Type::Varchar(_), Readers::Several) => {
                    Kind::EXPRESSION
                }
                _ => return operand,
            };
            return at_least(operand, kind);
        }
        let mark = self.mark();
        self.push_value(&operand, Flow::value(Derivation::Transformation));
        let typed = Typed { data_type, constancy: operand.constancy };
        self.value_since(mark, typed.computed())
    }

    /// Lets an expression flow into the one at hand.
    pub(super) fn collect<'p>(
        &mut self,
        place: Place<'p, 'c>,
        expression: &Expression<'p>,
        flow: Flow,
    ) -> Typed {
        match bare(expression) {
            Expression::Literal(literal) => {
                Typed::literal(typing::literal(literal, place.environment.context.version()))
            }
            Expression::Column(name) => self.collect_column(place, name, flow),
            Expression::Parameter(_) => Typed::varying(Type::Unknown),
            Expression::TypedLiteral(literal) => typed_literal(literal),
            nested => {
                let span = nested.span(place.environment.source);
                let step = |analyzer: &mut Self| analyzer.collect_nested(place, nested, flow);
                self.deeper(span, step).unwrap_or(Typed::varying(Type::Unknown))
            }
        }
    }

    fn collect_nested<'p>(&mut self, place: Place<'p, 'c>, expression: &Expression<'p>, flow: Flow) -> Typed {
        if matches!(expression, Expression::Is(_) | Expression::Unary(_) | Expression::Call(_))
            && let Some(typed) = self.collect_presence_question(place, expression, flow)
        {
            return typed;
        }
        match expression {
            Expression::Field(field) => self.collect_field(place, field, flow),
            Expression::Index(index) => self.collect_index(place, index, flow),
            Expression::Call(call) => self.collect_call(place, call, flow),
            Expression::Cast(cast) => {
                let operand = self.collect(place, &cast.operand, flow.derived(Derivation::Transformation));
                Typed { data_type: Type::of(&cast.data_type), ..operand.computed() }
            }
            Expression::Case(case) => self.collect_case(place, case, flow),
            Expression::Unary(unary) => self.collect_unary(place, unary, flow),
            Expression::Chain(chain) => self.collect_chain(place, chain, flow),
            Expression::Between(between) => self.collect_between(place, between, flow),
            Expression::In(node) => self.collect_in(place, node, flow),
            Expression::Like(like) => self.collect_like(place, like, flow),
            Expression::Is(is) => self.collect_all(place, &[is.operand], flow, Type::Boolean),
            Expression::Quantified(node) => {
                self.collect_all(place, &[node.operand], flow, Type::Boolean);
                self.collect_query(place, node.query, flow.derived(Derivation::Transformation));
                Typed::varying(Type::Boolean)
            }
            Expression::Exists(subquery) => self.collect_exists(place, subquery.query),
            Expression::Subquery(subquery) => self.collect_query(place, subquery.query, flow),
            Expression::Interval(interval) => self.collect_interval(place, interval, flow),
            Expression::Extract(extract) => self.collect_all(place, &[extract.operand], flow, Type::Int),
            Expression::Floor(floor) => {
                let operand = self.collect(place, &floor.operand, flow.derived(Derivation::Transformation));
                Typed { data_type: Type::Timestamp, ..operand.computed() }
            }
            Expression::Trim(trim) => {
                let characters = trim.characters.as_slice();
                let typed = self.collect_all(place, &[trim.operand], flow, Type::String);
                let others = self.collect_all(place, characters, flow, Type::String);
                Typed { constancy: both(typed.constancy, others.constancy), ..typed }
            }
            Expression::Tuple(tuple) => {
                let typed = self.collect_all(place, tuple.items, flow, Type::Unknown);
                Typed { constancy: Constancy::Varying, ..typed }
            }
            Expression::AllColumns(stars) => {
                self.collect_star(place, stars, flow);
                Typed::varying(Type::Unknown)
            }
            Expression::Literal(_)
            | Expression::Column(_)
            | Expression::Parameter(_)
            | Expression::TypedLiteral(_)
            | Expression::Parenthesized(_) => self.collect(place, expression, flow),
        }
    }

    /// Lets several expressions flow through something that makes one value of this type of them.
    pub(super) fn collect_all<'p>(
        &mut self,
        place: Place<'p, 'c>,
        expressions: &[Expression<'p>],
        flow: Flow,
        data_type: Type,
    ) -> Typed {
        let flow = flow.derived(Derivation::Transformation);
        let mut constancy = Constancy::Constant;
        for expression in expressions {
            constancy = both(constancy, self.collect(place, expression, flow).constancy);
        }
        Typed { data_type, constancy }
    }

    fn collect_index<'p>(&mut self, place: Place<'p, 'c>, index: &Index<'p>, flow: Flow) -> Typed {
        let flow = flow.derived(Derivation::Transformation);
        let operand = self.collect(place, &index.operand, flow);
        self.collect(place, &index.index, flow);
        Typed::varying(match operand.data_type {
            Type::Array(element) => Type::clone(&element),
            Type::Map(entry) => entry.1.clone(),
            Type::Unknown | Type::Void | Type::Variant => Type::Unknown,
            other => {
                self.report(|| {
                    let message = format!("`{other}` has no elements: it is neither array nor map");
                    Diagnostic::error(DiagnosticCode::SEMANTIC, index.location.span(), message)
                });
                Type::Unknown
            }
        })
    }

    fn collect_case<'p>(&mut self, place: Place<'p, 'c>, case: &Case<'p>, flow: Flow) -> Typed {
        if let Some(choice) = Choice::of_case(case)
            && let Some(chosen) = self.chosen(place, &choice)
        {
            return self.collect_chosen(place, &choice, chosen, flow);
        }
        let condition = flow.deciding(Purpose::Conditional);
        let mut constancy = Constancy::Constant;
        if let Some(operand) = &case.operand {
            constancy = both(constancy, self.collect(place, operand, condition).constancy);
        }
        let mut data_type = Type::Void;
        for (when, then) in case.branches {
            constancy = both(constancy, self.collect(place, when, condition).constancy);
            let typed = self.collect(place, then, flow);
            constancy = both(constancy, typed.constancy);
            data_type = typing::common(&data_type, &typed.data_type);
        }
        if let Some(otherwise) = &case.otherwise {
            let typed = self.collect(place, otherwise, flow);
            constancy = both(constancy, typed.constancy);
            data_type = typing::common(&data_type, &typed.data_type);
        }
        Typed { data_type, constancy }
    }

    fn collect_unary<'p>(&mut self, place: Place<'p, 'c>, unary: &Unary<'p>, flow: Flow) -> Typed {
        let negates = u32::from(matches!(unary.operator, UnaryOperator::Not | UnaryOperator::Bang));
        self.negations += negates;
        let operand = self.collect(place, &unary.operand, flow.derived(Derivation::Transformation));
        self.negations -= negates;
        match unary.operator {
            UnaryOperator::Not | UnaryOperator::Bang => {
                Typed { data_type: Type::Boolean, ..operand.computed() }
            }
            UnaryOperator::Minus if place.environment.context.version() >= HiveVersion::V4_0 => operand,
            UnaryOperator::Plus | UnaryOperator::Minus | UnaryOperator::Tilde => operand.computed(),
        }
    }

    fn collect_chain<'p>(&mut self, place: Place<'p, 'c>, chain: &Chain<'p>, flow: Flow) -> Typed {
        let flow = flow.derived(Derivation::Transformation);
        if matches!(chain.rest, [(BinaryOperator::Or, _), ..])
            && let Some(typed) = self.collect_fulfilled(place, chain, flow)
        {
            return typed;
        }
        let mut typed = self.collect(place, &chain.first, flow);
        for (operator, operand) in chain.rest {
            self.note_null_safety(place, *operator);
            let right = self.collect(place, operand, flow);
            let data_type = typing::binary(*operator, &typed.data_type, &right.data_type);
            typed = Typed { data_type, constancy: both(typed.constancy, right.constancy) };
        }
        typed
    }

    /// Before Hive 4 its optimizer does not know this comparison.
    fn note_null_safety(&mut self, place: Place<'_, 'c>, operator: BinaryOperator) {
        let is_null_safe = matches!(
            operator,
            BinaryOperator::NullSafeEqual
                | BinaryOperator::IsDistinctFrom
                | BinaryOperator::IsNotDistinctFrom
        );
        if is_null_safe && place.environment.context.version() < HiveVersion::V4_0 {
            self.optimization = Optimization::GivenUp;
        }
    }

    fn collect_between<'p>(&mut self, place: Place<'p, 'c>, between: &Between<'p>, flow: Flow) -> Typed {
        self.collect_all(place, &[between.operand, between.low, between.high], flow, Type::Boolean)
    }

    fn collect_in<'p>(&mut self, place: Place<'p, 'c>, node: &In<'p>, flow: Flow) -> Typed {
        let operand = self.collect_all(place, &[node.operand], flow, Type::Boolean);
        match node.set {
            InSet::List(items) => {
                let items = self.collect_all(place, items, flow, Type::Boolean);
                Typed { constancy: both(operand.constancy, items.constancy), ..operand }
            }
            InSet::Query(query) => {
                self.collect_query(place, query, flow.derived(Derivation::Transformation));
                Typed::varying(Type::Boolean)
            }
        }
    }

    fn collect_like<'p>(&mut self, place: Place<'p, 'c>, like: &Like<'p>, flow: Flow) -> Typed {
        let operand = self.collect_all(place, &[like.operand], flow, Type::Boolean);
        let patterns = self.collect_all(place, like.patterns, flow, Type::Boolean);
        Typed { constancy: both(operand.constancy, patterns.constancy), ..operand }
    }

    fn collect_interval<'p>(&mut self, place: Place<'p, 'c>, interval: &Interval<'p>, flow: Flow) -> Typed {
        let data_type = match interval.unit {
            IntervalUnit::YearToMonth | IntervalUnit::Unit(TimeUnit::Year | TimeUnit::Month) => {
                Type::IntervalYearMonth
            }
            IntervalUnit::DayToSecond | IntervalUnit::Unit(_) => Type::IntervalDayTime,
        };
        self.collect_all(place, &[interval.value], flow, data_type)
    }
}

/// The argument of `positive(a)`, which is `+a` and so no more than `a`.
fn signed_plus<'e, 'p>(call: &'e Call<'p>) -> Option<&'e Expression<'p>> {
    let is_plus = call.database.is_none() && call.function.raw.eq_ignore_ascii_case("positive");
    match call.arguments {
        [argument] if is_plus && call.over.is_none() => Some(argument),
        _ => None,
    }
}

/// What stands behind two negations.
fn negated_twice<'e, 'p>(unary: &'e Unary<'p>) -> Option<&'e Expression<'p>> {
    let is_negation = |unary: &Unary<'_>| matches!(unary.operator, UnaryOperator::Not | UnaryOperator::Bang);
    match bare(&unary.operand) {
        Expression::Unary(inner) if is_negation(unary) && is_negation(inner) => Some(&inner.operand),
        _ => None,
    }
}

pub(super) const fn both(left: Constancy, right: Constancy) -> Constancy {
    match (left, right) {
        (Constancy::Varying, _) | (_, Constancy::Varying) => Constancy::Varying,
        _ => Constancy::Constant,
    }
}

/// The stronger of two kinds.
pub(super) fn at_least(value: Value, kind: Kind) -> Value {
    Value { kind: value.kind.max(kind), ..value }
}

fn typed_literal(literal: &TypedLiteral<'_>) -> Typed {
    let typed = if literal.value.is_some() { Typed::literal } else { Typed::constant };
    typed(match literal.literal_type {
        TypedLiteralType::Date | TypedLiteralType::CurrentDate => Type::Date,
        TypedLiteralType::Timestamp | TypedLiteralType::CurrentTimestamp => Type::Timestamp,
        TypedLiteralType::TimestampLocalTimeZone => Type::TimestampLocalTimeZone,
    })
}
