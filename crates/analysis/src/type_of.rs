//! From a type as written to a type as known.

use std::sync::Arc;

use guardbee_hiveql::tree::{DataType, PrimitiveType};

use crate::types::Type;

impl Type {
    /// The type that a text names. `DECIMAL` without arguments is `DECIMAL(10,0)`, as in Hive.
    #[must_use]
    pub fn of(data_type: &DataType<'_>) -> Self {
        match data_type {
            DataType::Primitive(primitive) => Self::of_primitive(*primitive),
            DataType::Char(length) => Self::Char(number(length)),
            DataType::Varchar(length) => Self::Varchar(number(length)),
            DataType::Decimal { precision, scale } => {
                Self::Decimal { precision: precision.map_or(10, small), scale: scale.map_or(0, small) }
            }
            DataType::TimestampLocalTimeZone => Self::TimestampLocalTimeZone,
            DataType::Array(element) => Self::Array(Arc::new(Self::of(element))),
            DataType::Map(entry) => Self::Map(Arc::new((Self::of(&entry.0), Self::of(&entry.1)))),
            DataType::Struct(fields) => Self::Struct(
                fields.iter().map(|field| (field.name.name(), Self::of(&field.data_type))).collect(),
            ),
            DataType::Union(members) => Self::Union(members.iter().map(Self::of).collect()),
        }
    }

    const fn of_primitive(primitive: PrimitiveType) -> Self {
        match primitive {
            PrimitiveType::TinyInt => Self::TinyInt,
            PrimitiveType::SmallInt => Self::SmallInt,
            PrimitiveType::Int => Self::Int,
            PrimitiveType::BigInt => Self::BigInt,
            PrimitiveType::Boolean => Self::Boolean,
            PrimitiveType::Float => Self::Float,
            PrimitiveType::Real | PrimitiveType::Double | PrimitiveType::DoublePrecision => Self::Double,
            PrimitiveType::Date => Self::Date,
            PrimitiveType::DateTime | PrimitiveType::Timestamp => Self::Timestamp,
            PrimitiveType::String => Self::String,
            PrimitiveType::Binary => Self::Binary,
            PrimitiveType::Variant => Self::Variant,
        }
    }
}

/// A length as written; one that is no number, or none that fits, is as large as can be.
fn number(text: &str) -> u32 {
    text.parse().unwrap_or(u32::MAX)
}

fn small(text: &str) -> u8 {
    text.parse().unwrap_or(u8::MAX)
}
