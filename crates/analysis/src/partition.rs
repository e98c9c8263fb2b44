//! Partitions as statements name them.

use std::sync::Arc;

use guardbee_hiveql::tree::{
    BinaryOperator, Expression, LiteralKind, PartitionOperator, PartitionSpecification, PartitionTransform,
    UnaryOperator,
};

use crate::effects::PartitionValues;

/// The columns of a specification with their values. A column without a value takes it from the rows; one
/// that is only compared (`ds > '1'`) is left out. A value that is no constant is there, though nobody knows
/// which.
#[must_use]
pub fn partition_values(specification: &PartitionSpecification<'_>) -> PartitionValues {
    specification
        .items
        .iter()
        .filter_map(|item| {
            let PartitionTransform::Column(column) = &item.key else { return None };
            let value = match &item.value {
                None => None,
                Some((
                    PartitionOperator::Comparison(BinaryOperator::Equal | BinaryOperator::DoubleEqual),
                    value,
                )) => Some(constant_text(value).unwrap_or_else(|| Arc::from(""))),
                Some(_) => return None,
            };
            Some((column.name(), value))
        })
        .collect()
}

/// As [`partition_values`], where a statement need not name a partition.
pub(crate) fn optional(specification: Option<&PartitionSpecification<'_>>) -> Option<PartitionValues> {
    specification.map(partition_values)
}

/// The text of a constant, as it stands in the name of a partition's directory.
pub(crate) fn constant_text(expression: &Expression<'_>) -> Option<Arc<str>> {
    match bare(expression) {
        Expression::Literal(literal) => match literal.kind {
            LiteralKind::String => Some(guardbee_hiveql::literal::unescape_string(literal.raw).into()),
            LiteralKind::Null | LiteralKind::CharacterSet => None,
            LiteralKind::True => Some(Arc::from("true")),
            LiteralKind::False => Some(Arc::from("false")),
            _ => Some(number_text(literal.raw).into()),
        },
        Expression::TypedLiteral(literal) => literal.value.map(|value| value.value().into()),
        Expression::Unary(unary) => match (unary.operator, bare(&unary.operand)) {
            (UnaryOperator::Minus, Expression::Literal(literal)) => {
                Some(format!("-{}", number_text(literal.raw)).into())
            }
            _ => None,
        },
        _ => None,
    }
}

/// A number without the letters that say its type.
fn number_text(raw: &str) -> &str {
    raw.trim_end_matches(|letter: char| letter.is_ascii_alphabetic())
}

/// The expression without parentheses around it.
pub(crate) fn bare<'e, 'p>(mut expression: &'e Expression<'p>) -> &'e Expression<'p> {
    while let Expression::Parenthesized(inner) = expression {
        expression = &inner.inner;
    }
    expression
}
