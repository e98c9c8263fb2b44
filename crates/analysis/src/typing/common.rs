//! The type that values of several types have together: branches of CASE, arms of UNION.

use std::sync::Arc;

use crate::types::Type;

/// The type that holds values of both.
pub(crate) fn common(left: &Type, right: &Type) -> Type {
    if left == right {
        return left.clone();
    }
    match (left, right) {
        (Type::Unknown, _) | (_, Type::Unknown) => Type::Unknown,
        (Type::Void, other) | (other, Type::Void) => other.clone(),
        (Type::Char(a), Type::Char(b)) => Type::Char(*a.max(b)),
        (Type::Varchar(a) | Type::Char(a), Type::Varchar(b) | Type::Char(b)) => Type::Varchar(*a.max(b)),
        (Type::Date, Type::Timestamp) | (Type::Timestamp, Type::Date) => Type::Timestamp,
        (Type::Date | Type::Timestamp, Type::TimestampLocalTimeZone)
        | (Type::TimestampLocalTimeZone, Type::Date | Type::Timestamp) => Type::TimestampLocalTimeZone,
        (Type::Array(a), Type::Array(b)) => Type::Array(Arc::new(common(a, b))),
        (Type::Map(a), Type::Map(b)) => Type::Map(Arc::new((common(&a.0, &b.0), common(&a.1, &b.1)))),
        (Type::Struct(a), Type::Struct(b)) if a.len() == b.len() => Type::Struct(
            a.iter().zip(b.iter()).map(|((name, a), (_, b))| (name.clone(), common(a, b))).collect(),
        ),
        _ => match (numeric_rank(left), numeric_rank(right)) {
            (Some(a), Some(b)) => wider(left, a, right, b),
            _ => Type::String,
        },
    }
}

/// Where a numeric type stands in Hive's order of widening.
pub(super) const fn numeric_rank(data_type: &Type) -> Option<u8> {
    Some(match data_type {
        Type::TinyInt => 0,
        Type::SmallInt => 1,
        Type::Int => 2,
        Type::BigInt => 3,
        Type::Decimal { .. } => 4,
        Type::Float => 5,
        Type::Double => 6,
        _ => return None,
    })
}

/// A numeric type as decimal digits: all, and those behind the point.
pub(super) const fn digits(data_type: &Type) -> Option<(u8, u8)> {
    Some(match data_type {
        Type::TinyInt => (3, 0),
        Type::SmallInt => (5, 0),
        Type::Int => (10, 0),
        Type::BigInt => (19, 0),
        Type::Decimal { precision, scale } => (*precision, *scale),
        _ => return None,
    })
}

fn wider(left: &Type, left_rank: u8, right: &Type, right_rank: u8) -> Type {
    let has_decimal = matches!(left, Type::Decimal { .. }) || matches!(right, Type::Decimal { .. });
    if let (true, Some((p1, s1)), Some((p2, s2))) = (has_decimal, digits(left), digits(right)) {
        let scale = s1.max(s2);
        let precision = (p1 - s1.min(p1)).max(p2 - s2.min(p2)).saturating_add(scale).min(38);
        return Type::Decimal { precision, scale: scale.min(precision) };
    }
    if left_rank >= right_rank { left.clone() } else { right.clone() }
}
