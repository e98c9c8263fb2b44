//! Data types as written.

use super::{Identifier, StringLiteral};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DataType<'a> {
    Primitive(PrimitiveType),
    /// `CHAR(n)`.
    Char(u32),
    /// `VARCHAR(n)`.
    Varchar(u32),
    /// `DECIMAL[(precision[, scale])]`; the word is printed as `DECIMAL`.
    Decimal {
        precision: Option<u32>,
        scale: Option<u32>,
    },
    /// `TIMESTAMP WITH LOCAL TIME ZONE`, with the zone where one is named.
    TimestampLocalTimeZone(Option<StringLiteral<'a>>),
    Array(&'a DataType<'a>),
    Map(&'a (DataType<'a>, DataType<'a>)),
    Struct(&'a [StructField<'a>]),
    Union(&'a [DataType<'a>]),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PrimitiveType {
    TinyInt,
    SmallInt,
    Int,
    BigInt,
    Boolean,
    Float,
    Real,
    Double,
    DoublePrecision,
    Date,
    DateTime,
    Timestamp,
    IntervalYearMonth,
    IntervalDayTime,
    String,
    Binary,
    /// `VOID`, `VARIANT` and whatever a version adds without arguments.
    Void,
    Variant,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StructField<'a> {
    pub name: Identifier<'a>,
    pub data_type: DataType<'a>,
    pub comment: Option<StringLiteral<'a>>,
}
