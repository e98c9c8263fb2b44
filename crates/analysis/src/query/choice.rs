//! Choices that are none: `CASE` and `IF` whose values are all the same, or whose first condition always holds.

use std::mem::discriminant;

use guardbee_hiveql::tree::{Call, Case, Expression};
use guardbee_model::HiveVersion;

use crate::effects::{DerivationKind, Purpose};
use crate::types::Type;
use crate::typing;

use super::analyzer::{Analyzer, Place, Typed};
use super::equality;
use super::expression::{at_least, both};
use super::flow::{Constancy, Flow, Kind, Value};
use super::name::bare;

/// What decides, and the values that it chooses from, in the order of the text.
pub(super) struct Choice<'e, 'p> {
    conditions: Vec<&'e Expression<'p>>,
    values: Vec<&'e Expression<'p>>,
    form: Form,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `CASE WHEN condition THEN ...`.
    Searched,
    /// `CASE operand WHEN value THEN ...`.
    Compared,
    If,
}

impl<'e, 'p> Choice<'e, 'p> {
    pub(super) fn of(expression: &'e Expression<'p>) -> Option<Self> {
        match expression {
            Expression::Case(case) => Self::of_case(case),
            Expression::Call(call) => Self::of_call(call),
            _ => None,
        }
    }

    pub(super) fn of_case(case: &'e Case<'p>) -> Option<Self> {
        let otherwise = case.otherwise.as_ref()?;
        let (when, then) = case.branches.first()?;
        let next = case.branches.get(1).map_or(otherwise, |(_, then)| then);
        if !may_be_none(when, then, next) {
            return None;
        }
        let operand = case.operand.iter();
        let form = if case.operand.is_some() { Form::Compared } else { Form::Searched };
        let conditions = operand.chain(case.branches.iter().map(|(when, _)| when)).collect();
        let values = case.branches.iter().map(|(_, then)| then).chain([otherwise]).collect();
        Some(Self { conditions, values, form })
    }

    pub(super) fn of_call(call: &'e Call<'p>) -> Option<Self> {
        let [condition, then, otherwise] = call.arguments else { return None };
        let is_if = call.database.is_none() && call.function.raw.eq_ignore_ascii_case("if");
        (is_if && may_be_none(condition, then, otherwise)).then(|| Self {
            conditions: vec![condition],
            values: vec![then, otherwise],
            form: Form::If,
        })
    }
}

impl<'c> Analyzer<'c, '_> {
    /// The value that is always chosen, if there is one.
    pub(super) fn chosen<'e, 'p>(
        &self,
        place: Place<'p, 'c>,
        choice: &Choice<'e, 'p>,
    ) -> Option<&'e Expression<'p>> {
        let (first, others) = choice.values.split_first()?;
        let is_new = place.environment.context.version() >= HiveVersion::V4_0;
        if (is_new || choice.form != Form::If)
            && others.iter().all(|other| self.are_same(place, first, other))
        {
            return Some(first);
        }
        let condition = choice.conditions.first()?;
        // `if(a IS NOT NULL, a, b)` is `coalesce(a, b)` to Hive before it looks whether `a` is there.
        let is_sure = is_new
            && choice.form != Form::Compared
            && self.always_holds(place, condition)
            && !self.asks_for(place, condition, first);
        (is_sure && self.are_columns_of_one_type(place, &choice.values)).then_some(*first)
    }

    /// The value of such a choice as a whole.
    pub(super) fn evaluate_chosen<'p>(
        &mut self,
        place: Place<'p, 'c>,
        choice: &Choice<'_, 'p>,
        chosen: &Expression<'p>,
    ) -> Value {
        self.pass_over(place, choice, chosen);
        let kind = Kind { optimized: DerivationKind::Simple, ..Kind::EXPRESSION };
        at_least(self.evaluate(place, chosen), kind)
    }

    pub(super) fn collect_chosen<'p>(
        &mut self,
        place: Place<'p, 'c>,
        choice: &Choice<'_, 'p>,
        chosen: &Expression<'p>,
        flow: Flow,
    ) -> Typed {
        self.pass_over(place, choice, chosen);
        self.collect(place, chosen, flow).computed()
    }

    /// What is not chosen still has to be right, and its functions are called; but nothing flows out of it.
    fn pass_over<'p>(&mut self, place: Place<'p, 'c>, choice: &Choice<'_, 'p>, chosen: &Expression<'p>) {
        let mark = self.mark();
        let all = choice.conditions.iter().chain(&choice.values);
        for passed in all.filter(|passed| !std::ptr::eq(**passed, chosen)) {
            self.collect(place, passed, Flow::influence(Purpose::Conditional));
        }
        self.forget_since(mark);
    }

    /// `coalesce(a, 1, b)`: nothing that stands behind a constant is ever taken.
    pub(super) fn collect_coalesce<'p>(
        &mut self,
        place: Place<'p, 'c>,
        call: &Call<'p>,
        flow: Flow,
    ) -> Typed {
        let mut found = Typed::constant(Type::Void);
        let mut arguments = call.arguments.iter();
        for argument in arguments.by_ref() {
            let typed = self.collect(place, argument, flow);
            let data_type = typing::common(&found.data_type, &typed.data_type);
            found = Typed { data_type, constancy: both(found.constancy, typed.constancy) };
            if typed.constancy != Constancy::Varying && typed.data_type != Type::Void {
                break;
            }
        }
        let mark = self.mark();
        for argument in arguments {
            let typed = self.collect(place, argument, flow);
            found.data_type = typing::common(&found.data_type, &typed.data_type);
        }
        self.forget_since(mark);
        found
    }

    fn are_same<'p>(&self, place: Place<'p, 'c>, one: &Expression<'p>, other: &Expression<'p>) -> bool {
        let (one, other) = (bare(one), bare(other));
        let column = self.column_here(place.scope, one);
        if column.is_some() {
            return column == self.column_here(place.scope, other);
        }
        let source = place.environment.source;
        let text = |expression: &Expression<'p>| expression.span(source).text(source);
        let is_new = place.environment.context.version() >= HiveVersion::V4_0;
        is_new && !text(one).is_empty() && text(one) == text(other)
    }

    fn are_columns_of_one_type<'p>(&self, place: Place<'p, 'c>, values: &[&Expression<'p>]) -> bool {
        let type_of = |value: &Expression<'p>| {
            let column = self.column_here(place.scope, bare(value))?;
            Some(self.type_at(place.scope, column))
        };
        let mut types = values.iter().map(|value| type_of(value));
        let first = types.next().flatten();
        first.is_some() && types.all(|other| other == first)
    }
}

/// A first look that costs little: is the first condition one that Hive may answer, or are the first two values of
/// one form?
fn may_be_none(condition: &Expression<'_>, one: &Expression<'_>, other: &Expression<'_>) -> bool {
    let may_hold = matches!(bare(condition), Expression::Is(_) | Expression::Unary(_) | Expression::Call(_));
    let are_names = equality::is_name(bare(one)) && equality::is_name(bare(other));
    may_hold || are_names || discriminant(bare(one)) == discriminant(bare(other))
}
