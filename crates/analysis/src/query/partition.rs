//! Partitions that a statement names, or that its conditions leave over.

use std::sync::Arc;

use guardbee_hiveql::tree::{
    BinaryOperator, Expression, LiteralKind, PartitionOperator, PartitionSpecification, PartitionTransform,
};
use guardbee_model::Name;

use crate::catalog::Table;
use crate::effects::PartitionValues;

use super::analyzer::Analyzer;
use super::name::{bare, folded};
use super::origin::{ColumnId, TableId};
use super::scope::{Content, Found, Scope, Slot, Visibility};

impl Analyzer<'_, '_> {
    /// Notes for each partitioned table which of its partitions the condition leaves over.
    pub(super) fn pin_partitions<'p>(&mut self, scope: &'p Scope<'p>, filter: Option<&Expression<'p>>) {
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
        if partitioned.is_empty() {
            return;
        }
        let mut equalities = Vec::new();
        if let Some(filter) = filter {
            self.equalities(scope, filter, &mut equalities);
        }
        for (place, table) in partitioned {
            let pinned: PartitionValues = self
                .origins
                .partition_columns(table)
                .filter_map(|(column, name)| {
                    let equal =
                        equalities.iter().find(|(owner, known, _)| *owner == place && *known == column);
                    equal.map(|(_, _, value)| (name.clone(), Some(value.clone())))
                })
                .collect();
            self.origins.pin(table, pinned);
        }
    }

    /// The conditions `column = literal` that hold for every row.
    fn equalities<'p>(
        &self,
        scope: &'p Scope<'p>,
        filter: &Expression<'p>,
        equalities: &mut Vec<(usize, ColumnId, Arc<str>)>,
    ) {
        let mut waiting = vec![bare(filter)];
        while let Some(condition) = waiting.pop() {
            let Expression::Chain(chain) = condition else { continue };
            match chain.rest {
                [(BinaryOperator::And, _), ..] => {
                    waiting.push(bare(&chain.first));
                    waiting.extend(chain.rest.iter().map(|(_, operand)| bare(operand)));
                }
                [(BinaryOperator::Equal | BinaryOperator::DoubleEqual, right)] => {
                    let (left, right) = (bare(&chain.first), bare(right));
                    let value = constant_text(right).map(|value| (left, value));
                    let value = value.or_else(|| constant_text(left).map(|value| (right, value)));
                    if let Some((column, value)) = value {
                        if let Some((relation, column)) = self.base_column(scope, column) {
                            equalities.push((relation, column, value));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn base_column<'p>(
        &self,
        scope: &'p Scope<'p>,
        expression: &Expression<'p>,
    ) -> Option<(usize, ColumnId)> {
        let found = match expression {
            Expression::Column(name) => scope.column(&self.origins, &folded(name)),
            Expression::Field(field) => {
                let Expression::Column(alias) = &field.operand else { return None };
                let (owner, relation) = scope.relation(None, &folded(alias))?;
                if !std::ptr::eq(owner, scope) {
                    return None;
                }
                scope.column_of(&self.origins, relation, &folded(&field.name))
            }
            _ => return None,
        };
        match found {
            Found::Column { scope: owner, relation, slot: Slot::Base(column) }
                if std::ptr::eq(owner, scope) =>
            {
                Some((relation, column))
            }
            _ => None,
        }
    }
}

/// The partition that a statement names: values where they are given, none where rows bring them.
pub(super) fn partition_values(specification: &PartitionSpecification<'_>) -> PartitionValues {
    specification
        .items
        .iter()
        .filter_map(|item| {
            let PartitionTransform::Column(column) = &item.key else { return None };
            let value = match &item.value {
                Some((
                    PartitionOperator::Comparison(BinaryOperator::Equal | BinaryOperator::DoubleEqual),
                    value,
                )) => Some(constant_text(bare(value)).unwrap_or_else(|| Arc::from(""))),
                _ => None,
            };
            Some((column.name(), value))
        })
        .collect()
}

/// The columns of a named partition whose values the rows bring, with their types.
pub(super) fn dynamic_columns<'s>(
    specification: &'s PartitionValues,
    table: Option<&'s Table>,
) -> impl Iterator<Item = (Name, Option<crate::types::Type>)> + 's {
    specification.iter().filter(|(_, value)| value.is_none()).map(move |(name, _)| {
        let column = table.and_then(|table| table.column(name));
        (name.clone(), column.map(|column| column.data_type.clone()))
    })
}

/// What a literal stands for, as the value of a partition.
fn constant_text(expression: &Expression<'_>) -> Option<Arc<str>> {
    match expression {
        Expression::Literal(literal) => match literal.kind {
            LiteralKind::String => Some(guardbee_hiveql::literal::unescape_string(literal.raw).into()),
            LiteralKind::Null => None,
            _ => Some(literal.raw.into()),
        },
        Expression::TypedLiteral(literal) => literal.value.map(|value| value.value().into()),
        Expression::Unary(unary) => match (unary.operator, bare(&unary.operand)) {
            (guardbee_hiveql::tree::UnaryOperator::Minus, Expression::Literal(literal)) => {
                Some(format!("-{}", literal.raw).into())
            }
            _ => None,
        },
        _ => None,
    }
}
