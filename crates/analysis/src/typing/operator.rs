//! Types of operators.

use guardbee_hiveql::tree::BinaryOperator;

use super::common::{digits, numeric_rank};
use crate::types::Type;

/// The type of `left operator right`.
pub(crate) fn binary(operator: BinaryOperator, left: &Type, right: &Type) -> Type {
    match operator {
        BinaryOperator::Or
        | BinaryOperator::And
        | BinaryOperator::Equal
        | BinaryOperator::DoubleEqual
        | BinaryOperator::NullSafeEqual
        | BinaryOperator::NotEqual
        | BinaryOperator::BangEqual
        | BinaryOperator::Less
        | BinaryOperator::LessOrEqual
        | BinaryOperator::Greater
        | BinaryOperator::GreaterOrEqual
        | BinaryOperator::IsDistinctFrom
        | BinaryOperator::IsNotDistinctFrom => Type::Boolean,
        BinaryOperator::Concatenate => Type::String,
        BinaryOperator::BitOr | BinaryOperator::BitXor | BinaryOperator::BitAnd => wider(left, right),
        BinaryOperator::IntegerDivide => integer_division(left, right),
        BinaryOperator::Divide => division(left, right),
        BinaryOperator::Plus | BinaryOperator::Minus => sum(operator, left, right),
        BinaryOperator::Multiply => arithmetic(left, right, |(p1, s1), (p2, s2)| {
            bounded(u16::from(p1) + u16::from(p2) + 1, u16::from(s1) + u16::from(s2))
        }),
        BinaryOperator::Modulo => arithmetic(left, right, |(p1, s1), (p2, s2)| {
            let scale = s1.max(s2);
            bounded(u16::from((p1 - s1.min(p1)).min(p2 - s2.min(p2))) + u16::from(scale), u16::from(scale))
        }),
    }
}

fn sum(operator: BinaryOperator, left: &Type, right: &Type) -> Type {
    match (left, right) {
        (Type::IntervalYearMonth, Type::IntervalYearMonth) => Type::IntervalYearMonth,
        (Type::IntervalDayTime, Type::IntervalDayTime) => Type::IntervalDayTime,
        (Type::Date, Type::IntervalYearMonth) | (Type::IntervalYearMonth, Type::Date) => Type::Date,
        (Type::Date | Type::Timestamp, Type::IntervalYearMonth | Type::IntervalDayTime)
        | (Type::IntervalYearMonth | Type::IntervalDayTime, Type::Date | Type::Timestamp) => Type::Timestamp,
        (Type::TimestampLocalTimeZone, _) | (_, Type::TimestampLocalTimeZone) => Type::TimestampLocalTimeZone,
        (Type::Date | Type::Timestamp, Type::Date | Type::Timestamp) if operator == BinaryOperator::Minus => {
            Type::IntervalDayTime
        }
        _ => arithmetic(left, right, |(p1, s1), (p2, s2)| {
            let scale = s1.max(s2);
            let whole = (p1 - s1.min(p1)).max(p2 - s2.min(p2));
            bounded(u16::from(whole) + u16::from(scale) + 1, u16::from(scale))
        }),
    }
}

/// Decimals by their own rule, other numbers by the wider of both, text as double.
fn arithmetic(left: &Type, right: &Type, decimal: impl Fn((u8, u8), (u8, u8)) -> Type) -> Type {
    let has_decimal = matches!(left, Type::Decimal { .. }) || matches!(right, Type::Decimal { .. });
    match (has_decimal, digits(left), digits(right)) {
        (true, Some(left), Some(right)) => decimal(left, right),
        _ => wider(left, right),
    }
}

fn wider(left: &Type, right: &Type) -> Type {
    match (left, right) {
        (Type::Unknown, _) | (_, Type::Unknown) => Type::Unknown,
        (Type::Void, Type::Void) => Type::Double,
        (Type::Void, other) | (other, Type::Void) => other.clone(),
        _ => match (numeric_rank(left), numeric_rank(right)) {
            (Some(a), Some(b)) => {
                if a >= b {
                    left.clone()
                } else {
                    right.clone()
                }
            }
            _ => Type::Double,
        },
    }
}

fn division(left: &Type, right: &Type) -> Type {
    let has_decimal = matches!(left, Type::Decimal { .. }) || matches!(right, Type::Decimal { .. });
    match (has_decimal, digits(left), digits(right)) {
        (_, None, _) | (_, _, None) if *left == Type::Unknown || *right == Type::Unknown => Type::Unknown,
        (true, Some((p1, s1)), Some((p2, s2))) => {
            let scale = (u16::from(s1) + u16::from(p2) + 1).max(6);
            bounded(u16::from(p1 - s1.min(p1)) + u16::from(s2) + scale, scale)
        }
        _ => Type::Double,
    }
}

fn integer_division(left: &Type, right: &Type) -> Type {
    match wider(left, right) {
        integer @ (Type::TinyInt | Type::SmallInt | Type::Int | Type::BigInt) => integer,
        _ => Type::BigInt,
    }
}

/// 38 digits at most; digits behind the point give way, down to six.
fn bounded(precision: u16, scale: u16) -> Type {
    let (precision, scale) = if precision > 38 {
        let whole = precision - scale.min(precision);
        (38, (38_u16.saturating_sub(whole)).max(scale.min(6)))
    } else {
        (precision.max(1), scale)
    };
    Type::Decimal {
        precision: u8::try_from(precision).unwrap_or(38),
        scale: u8::try_from(scale.min(precision)).unwrap_or(0),
    }
}
