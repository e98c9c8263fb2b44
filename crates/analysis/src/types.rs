//! Data types of columns and expressions.

use std::fmt;
use std::sync::Arc;

use guardbee_model::Name;

/// A Hive type. What cannot be told is [`Type::Unknown`], which fits everywhere.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Type {
    Unknown,
    Void,
    Boolean,
    TinyInt,
    SmallInt,
    Int,
    BigInt,
    Float,
    Double,
    Decimal { precision: u8, scale: u8 },
    String,
    Char(u32),
    Varchar(u32),
    Binary,
    Date,
    Timestamp,
    TimestampLocalTimeZone,
    IntervalYearMonth,
    IntervalDayTime,
    Variant,
    Array(Arc<Type>),
    Map(Arc<(Type, Type)>),
    Struct(Arc<[(Name, Type)]>),
    Union(Arc<[Type]>),
}

/// How many types a type may be made of, and how deep, before it counts as unknown.
const MOST_PARTS: u32 = 10_000;
const GREATEST_DEPTH: u32 = 200;

impl Type {
    /// The type itself, or [`Type::Unknown`] where it is too large to be of use.
    ///
    /// What a call gives goes through here: statements that build on each other's results would else double
    /// a type with every statement (`struct(c, c)`), or nest it without end (`array(c)`).
    pub(crate) fn if_of_use(self) -> Self {
        let mut parts = MOST_PARTS;
        if self.is_within(GREATEST_DEPTH, &mut parts) { self } else { Self::Unknown }
    }

    fn is_within(&self, depth: u32, parts: &mut u32) -> bool {
        let (Some(inner), Some(rest)) = (depth.checked_sub(1), parts.checked_sub(1)) else { return false };
        *parts = rest;
        match self {
            Self::Array(element) => element.is_within(inner, parts),
            Self::Map(entry) => entry.0.is_within(inner, parts) && entry.1.is_within(inner, parts),
            Self::Struct(fields) => fields.iter().all(|(_, field)| field.is_within(inner, parts)),
            Self::Union(members) => members.iter().all(|member| member.is_within(inner, parts)),
            _ => true,
        }
    }
}

impl fmt::Display for Type {
    /// Hive's own spelling: `map<string,array<int>>`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("unknown"),
            Self::Void => f.write_str("void"),
            Self::Boolean => f.write_str("boolean"),
            Self::TinyInt => f.write_str("tinyint"),
            Self::SmallInt => f.write_str("smallint"),
            Self::Int => f.write_str("int"),
            Self::BigInt => f.write_str("bigint"),
            Self::Float => f.write_str("float"),
            Self::Double => f.write_str("double"),
            Self::Decimal { precision, scale } => write!(f, "decimal({precision},{scale})"),
            Self::String => f.write_str("string"),
            Self::Char(length) => write!(f, "char({length})"),
            Self::Varchar(length) => write!(f, "varchar({length})"),
            Self::Binary => f.write_str("binary"),
            Self::Date => f.write_str("date"),
            Self::Timestamp => f.write_str("timestamp"),
            Self::TimestampLocalTimeZone => f.write_str("timestamp with local time zone"),
            Self::IntervalYearMonth => f.write_str("interval_year_month"),
            Self::IntervalDayTime => f.write_str("interval_day_time"),
            Self::Variant => f.write_str("variant"),
            Self::Array(element) => write!(f, "array<{element}>"),
            Self::Map(entry) => write!(f, "map<{},{}>", entry.0, entry.1),
            Self::Struct(fields) => {
                f.write_str("struct<")?;
                for (index, (name, field)) in fields.iter().enumerate() {
                    write!(f, "{}{name}:{field}", if index == 0 { "" } else { "," })?;
                }
                f.write_str(">")
            }
            Self::Union(members) => {
                f.write_str("uniontype<")?;
                for (index, member) in members.iter().enumerate() {
                    write!(f, "{}{member}", if index == 0 { "" } else { "," })?;
                }
                f.write_str(">")
            }
        }
    }
}
