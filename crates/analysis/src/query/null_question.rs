//! `IS NOT NULL` as a value, which Hive 4 answers where conditions have seen to it ([`super::presence`]).

use guardbee_hiveql::tree::{Chain, Expression, UnaryOperator};
use guardbee_model::HiveVersion;

use crate::effects::{Derivation, Pinning};
use crate::types::Type;

use super::analyzer::{Analyzer, Place, Typed};
use super::equality;
use super::expression::both;
use super::flow::{Constancy, Flow, Presence, Role};
use super::name::bare;
use super::presence::{Sense, is_answered_by_operands, operands, question};

type Column = equality::Place;

impl<'c> Analyzer<'c, '_> {
    /// `a IS NOT NULL` as a value: nothing where the expression asks for something else, or Hive does not answer.
    pub(super) fn collect_presence_question<'p>(
        &mut self,
        place: Place<'p, 'c>,
        expression: &Expression<'p>,
        flow: Flow,
    ) -> Option<Typed> {
        let Role::Value(_) = flow.role else { return None };
        if place.environment.context.version() < HiveVersion::V4_0 || self.negations > 0 {
            return None;
        }
        let mut sense = Sense::Holds;
        let mut asking = expression;
        if let Expression::Unary(unary) = expression
            && matches!(unary.operator, UnaryOperator::Not | UnaryOperator::Bang)
        {
            sense = Sense::Fails;
            asking = bare(&unary.operand);
        }
        let (operand, _) = question(asking).filter(|(_, asked)| *asked == sense)?;
        if let Expression::Call(call) = asking {
            self.note_call(place.environment, call);
        }
        let constancy = self.collect_presence(place, operand, flow.derived(Derivation::Transformation));
        Some(Typed { data_type: Type::Boolean, constancy })
    }

    /// Conditions with OR between them of which one always holds, as in `a IS NOT NULL OR b`: nothing flows out of
    /// them.
    pub(super) fn collect_fulfilled<'p>(
        &mut self,
        place: Place<'p, 'c>,
        chain: &Chain<'p>,
        flow: Flow,
    ) -> Option<Typed> {
        let (Role::Value(_), 0) = (flow.role, self.negations) else { return None };
        let is_new = place.environment.context.version() >= HiveVersion::V4_0;
        if !is_new || !operands(chain).any(|operand| self.always_holds(place, operand)) {
            return None;
        }
        let start = self.edge_stack.len();
        for operand in operands(chain) {
            self.collect(place, operand, flow);
        }
        self.pin_since(start);
        Some(Typed::constant(Type::Boolean))
    }

    /// Does a condition ask for what others have seen to?
    pub(super) fn always_holds<'p>(&self, place: Place<'p, 'c>, condition: &Expression<'p>) -> bool {
        let Some(column) = self.asked_column(place, condition) else { return false };
        let inside = self.inside(place.scope, column);
        place.scope.presence(column.0, column.1, inside) == Presence::Certain
    }

    /// Is this the column that a condition asks for?
    pub(super) fn asks_for<'p>(
        &self,
        place: Place<'p, 'c>,
        condition: &Expression<'p>,
        column: &Expression<'p>,
    ) -> bool {
        self.asked_column(place, condition) == self.column_here(place.scope, bare(column))
    }

    /// The column of which a condition says that it is not NULL.
    fn asked_column<'p>(&self, place: Place<'p, 'c>, condition: &Expression<'p>) -> Option<Column> {
        let (condition, sense) = match bare(condition) {
            Expression::Unary(unary)
                if matches!(unary.operator, UnaryOperator::Not | UnaryOperator::Bang) =>
            {
                (bare(&unary.operand), Sense::Fails)
            }
            condition => (condition, Sense::Holds),
        };
        let (operand, _) = question(condition).filter(|(_, asked)| *asked == sense)?;
        self.column_here(place.scope, bare(operand))
    }

    /// Hive puts a value in the place of what flowed in since then.
    fn pin_since(&mut self, start: usize) {
        for edge in self.edge_stack.iter_mut().skip(start) {
            edge.pinning = Pinning::Pinned;
        }
    }

    /// Lets an expression flow into the question whether it is NULL, and says whether Hive knows that it is not.
    fn collect_presence<'p>(
        &mut self,
        place: Place<'p, 'c>,
        operand: &Expression<'p>,
        flow: Flow,
    ) -> Constancy {
        let operand = bare(operand);
        let start = self.edge_stack.len();
        let constancy = match operand {
            Expression::Chain(chain) if is_answered_by_operands(operand) => {
                let step = |analyzer: &mut Self| {
                    operands(chain)
                        .map(|operand| analyzer.collect_presence(place, operand, flow))
                        .fold(Constancy::Constant, both)
                };
                self.deeper(chain.location.span(), step).unwrap_or(Constancy::Varying)
            }
            Expression::Unary(unary) if is_answered_by_operands(operand) => {
                let step = |analyzer: &mut Self| analyzer.collect_presence(place, &unary.operand, flow);
                self.deeper(unary.location.span(), step).unwrap_or(Constancy::Varying)
            }
            operand => {
                let value = self.plain_column(place, operand);
                let constancy = match &value {
                    Some(value) => {
                        self.push_value(value, flow);
                        let is_sure = value.presence == Presence::Certain;
                        if is_sure { Constancy::Constant } else { value.constancy }
                    }
                    None => self.collect(place, operand, flow).constancy,
                };
                if question(operand).is_some() { Constancy::Constant } else { constancy }
            }
        };
        if constancy == Constancy::Varying {
            return constancy;
        }
        self.pin_since(start);
        Constancy::Constant
    }
}
