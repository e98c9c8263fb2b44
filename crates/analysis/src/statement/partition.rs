//! Partitions as statements name them.

use std::sync::Arc;

use guardbee_hiveql::tree::{
    BinaryOperator, Expression, LiteralKind, PartitionItem, PartitionOperator, PartitionSpecification,
    PartitionTransform, UnaryOperator,
};

use crate::effects::PartitionValues;

/// The columns of a specification with their values. A column without a value, or with one that is no
/// constant, takes its value from the data; one that is only compared (`ds > '1'`) is left out.
pub(crate) fn partition_values(specification: &PartitionSpecification<'_>) -> PartitionValues {
    specification
        .items
        .iter()
        .filter_map(|item| match item {
            PartitionItem { key: PartitionTransform::Column(column), value: None } => {
                Some((column.name(), None))
            }
            PartitionItem {
                key: PartitionTransform::Column(column),
                value:
                    Some((
                        PartitionOperator::Comparison(BinaryOperator::Equal | BinaryOperator::DoubleEqual),
                        value,
                    )),
            } => Some((column.name(), constant(value))),
            _ => None,
        })
        .collect()
}

pub(super) fn optional(specification: Option<&PartitionSpecification<'_>>) -> Option<PartitionValues> {
    specification.map(partition_values)
}

/// The text of a constant, as it stands in the partition's directory name.
pub(crate) fn constant(value: &Expression<'_>) -> Option<Arc<str>> {
    match value {
        Expression::Literal(literal) => match literal.kind {
            LiteralKind::String => Some(Arc::from(&*guardbee_hiveql::literal::unescape_string(literal.raw))),
            LiteralKind::Null | LiteralKind::CharacterSet => None,
            LiteralKind::True => Some(Arc::from("true")),
            LiteralKind::False => Some(Arc::from("false")),
            _ => Some(Arc::from(literal.raw.trim_end_matches(|c: char| c.is_ascii_alphabetic()))),
        },
        Expression::TypedLiteral(literal) => literal.value.map(|value| Arc::from(&*value.value())),
        Expression::Unary(unary) if unary.operator == UnaryOperator::Minus => {
            constant(&unary.operand).map(|text| Arc::from(format!("-{text}")))
        }
        Expression::Parenthesized(inner) => constant(&inner.inner),
        _ => None,
    }
}
