//! Types of literals.

use guardbee_hiveql::tree::{Literal, LiteralKind};
use guardbee_model::HiveVersion;

use crate::types::Type;

/// The type that Hive gives a literal.
pub(crate) fn literal(literal: &Literal<'_>, version: HiveVersion) -> Type {
    match literal.kind {
        LiteralKind::Null => Type::Void,
        LiteralKind::True | LiteralKind::False => Type::Boolean,
        LiteralKind::String | LiteralKind::CharacterSet => Type::String,
        LiteralKind::Integer => integer(literal.raw),
        LiteralKind::TinyInt => Type::TinyInt,
        LiteralKind::SmallInt => Type::SmallInt,
        LiteralKind::BigInt => Type::BigInt,
        LiteralKind::Number if version < HiveVersion::V3_1 => Type::Double,
        LiteralKind::Number if literal.raw.contains(['e', 'E']) => Type::Double,
        LiteralKind::Number | LiteralKind::Decimal => decimal(literal.raw),
        LiteralKind::Double => Type::Double,
    }
}

fn integer(raw: &str) -> Type {
    if raw.parse::<i32>().is_ok() {
        Type::Int
    } else if raw.parse::<i64>().is_ok() {
        Type::BigInt
    } else {
        decimal(raw)
    }
}

/// As many digits as the number needs, without zeros at its ends.
fn decimal(raw: &str) -> Type {
    let digits = raw.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let whole = whole.trim_start_matches('0').len();
    let scale = fraction.trim_end_matches('0').len();
    let precision = (whole + scale).max(1);
    match (u8::try_from(precision), u8::try_from(scale)) {
        (Ok(precision @ ..=38), Ok(scale)) => Type::Decimal { precision, scale },
        _ => Type::Double,
    }
}
