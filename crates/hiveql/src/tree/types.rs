//! Data types as written.

use super::{Identifier, StringLiteral};

/// A type as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DataType<'a> {
    Primitive(PrimitiveType),
    /// `CHAR(n)`; the number is kept as written, since Hive's parser takes any.
    Char(&'a str),
    /// `VARCHAR(n)`.
    Varchar(&'a str),
    /// `DECIMAL[(precision[, scale])]`; the word is printed as `DECIMAL`.
    Decimal {
        precision: Option<&'a str>,
        scale: Option<&'a str>,
    },
    /// `TIMESTAMP WITH LOCAL TIME ZONE`, also `TIMESTAMPLOCALTZ`.
    TimestampLocalTimeZone,
    Array(&'a DataType<'a>),
    Map(&'a (DataType<'a>, DataType<'a>)),
    Struct(&'a [StructField<'a>]),
    Union(&'a [DataType<'a>]),
}

/// A type that one word names.
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
    String,
    Binary,
    Variant,
}

/// `name: type [COMMENT '...']`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StructField<'a> {
    pub name: Identifier<'a>,
    pub data_type: DataType<'a>,
    pub comment: Option<StringLiteral<'a>>,
}
