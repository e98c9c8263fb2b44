//! Joins by the names of columns: USING.

use guardbee_hiveql::tree::JoinKind;
use guardbee_model::{Diagnostic, DiagnosticCode, Name, Span};

use crate::effects::{Derivation, Purpose};

use super::analyzer::Analyzer;
use super::flow::{Flow, Value};
use super::scope::{Found, Merged, Scope, Slot};

impl<'c> Analyzer<'c, '_> {
    /// Makes one column of those of that name left and right of a join.
    pub(super) fn merge_column<'p>(
        &mut self,
        scope: &mut Scope<'p>,
        left: usize,
        kind: JoinKind,
        name: Name,
        span: Span,
    ) {
        let previous = scope.merged.iter().position(|merged| merged.name == name);
        let earlier = previous.map(|place| scope.merged.remove(place));
        let (left_values, mut parts) = match earlier {
            Some(merged) => (vec![merged.value], merged.parts),
            None => self.columns_named(scope, 0..left, &name),
        };
        let (right_values, right_parts) = self.columns_named(scope, left..scope.relations.len(), &name);
        let (Some(left_value), Some(right_value)) = (left_values.first(), right_values.first()) else {
            self.report(|| {
                let message = format!("both sides of the join need a column `{name}`");
                Diagnostic::error(DiagnosticCode::UNKNOWN_COLUMN, span, message)
            });
            return;
        };
        let mark = self.mark();
        self.push_value(left_value, Flow::influence(Purpose::Join));
        self.push_value(right_value, Flow::influence(Purpose::Join));
        let rows = self.rows_since(mark, Vec::new());
        scope.parts.push(rows);
        let value = match kind {
            JoinKind::Right | JoinKind::RightOuter => right_value.clone(),
            JoinKind::Full | JoinKind::FullOuter => {
                self.combined(&[left_value.clone(), right_value.clone()], Derivation::Transformation)
            }
            _ => left_value.clone(),
        };
        parts.extend(right_parts);
        scope.merged.push(Merged { name, value, parts });
    }

    fn columns_named<'p>(
        &mut self,
        scope: &Scope<'p>,
        relations: std::ops::Range<usize>,
        name: &Name,
    ) -> (Vec<Value>, Vec<(usize, Slot)>) {
        let (mut values, mut parts) = (Vec::new(), Vec::new());
        for relation in relations {
            let found = match scope.column_of(&self.origins, relation, name) {
                Found::Column { slot, .. } => Ok(slot),
                Found::Open(table) => Err(table),
                _ => continue,
            };
            let resolved = match found {
                Ok(slot) => {
                    parts.push((relation, slot));
                    self.resolve_slot(scope, relation, slot)
                }
                Err(table) => self.extra_column(table, name, crate::types::Type::Unknown),
            };
            let value = self.value_of(resolved);
            values.push(value);
        }
        (values, parts)
    }
}
