//! Data types.

use guardbee_model::HiveVersion;

use super::{Parse, Parser};
use crate::keyword::{Keyword, Place};
use crate::token::TokenKind;
use crate::tree::{DataType, PrimitiveType, StructField};

/// The words that types start with.
const TYPE_WORDS: &[Keyword] = &[
    Keyword::Tinyint,
    Keyword::Smallint,
    Keyword::Int,
    Keyword::Bigint,
    Keyword::Boolean,
    Keyword::Float,
    Keyword::Real,
    Keyword::Double,
    Keyword::Decimal,
    Keyword::Date,
    Keyword::Datetime,
    Keyword::Timestamp,
    Keyword::Timestamplocaltz,
    Keyword::String,
    Keyword::Varchar,
    Keyword::Char,
    Keyword::Binary,
    Keyword::Array,
    Keyword::Map,
    Keyword::Struct,
    Keyword::Uniontype,
    Keyword::Variant,
];

/// How much more stack a type takes than a plain expression.
const LEVELS_OF_TYPE: u32 = 2;

impl<'a> Parser<'a> {
    /// Any type, as columns have one.
    pub(crate) fn data_type(&mut self) -> Parse<DataType<'a>> {
        match self.keyword() {
            Some(Keyword::Array) => self.nested_by(LEVELS_OF_TYPE, Self::array_type),
            Some(Keyword::Map) => self.nested_by(LEVELS_OF_TYPE, Self::map_type),
            Some(Keyword::Struct) => self.nested_by(LEVELS_OF_TYPE, Self::struct_type),
            Some(Keyword::Uniontype) => self.nested_by(LEVELS_OF_TYPE, Self::union_type),
            Some(Keyword::Variant) if self.version() >= HiveVersion::V4_2 => {
                self.bump();
                Ok(DataType::Primitive(PrimitiveType::Variant))
            }
            _ => self.primitive_type(),
        }
    }

    /// A type that no other is part of, the only kind that keys of maps may have. `VARIANT` is none to Hive.
    pub(crate) fn primitive_type(&mut self) -> Parse<DataType<'a>> {
        let since = |version: HiveVersion| (self.version() < version).then_some(version);
        let (primitive, missing_until) = match self.keyword() {
            Some(Keyword::Tinyint) => (PrimitiveType::TinyInt, None),
            Some(Keyword::Smallint) => (PrimitiveType::SmallInt, None),
            Some(Keyword::Int) => (PrimitiveType::Int, None),
            Some(Keyword::Bigint) => (PrimitiveType::BigInt, None),
            Some(Keyword::Boolean) => (PrimitiveType::Boolean, None),
            Some(Keyword::Float) => (PrimitiveType::Float, None),
            Some(Keyword::Real) => (PrimitiveType::Real, since(HiveVersion::V4_0)),
            Some(Keyword::Date) => (PrimitiveType::Date, None),
            Some(Keyword::Datetime) => (PrimitiveType::DateTime, None),
            Some(Keyword::String) => (PrimitiveType::String, None),
            Some(Keyword::Binary) => (PrimitiveType::Binary, None),
            Some(Keyword::Double) => return Ok(self.double_type()),
            Some(Keyword::Timestamp) => return self.timestamp_type(),
            Some(Keyword::Timestamplocaltz) => return self.timestamp_with_local_zone(),
            Some(Keyword::Decimal) => return self.decimal_type(),
            Some(Keyword::Varchar) => return self.length_of_type().map(DataType::Varchar),
            Some(Keyword::Char) => return self.length_of_type().map(DataType::Char),
            _ => return Err(self.expected_among("a data type", TYPE_WORDS)),
        };
        if let Some(version) = missing_until {
            let what = format!("the type `{}`", self.text());
            return Err(self.needs_version(&what, version, self.token().span));
        }
        self.bump();
        Ok(DataType::Primitive(primitive))
    }

    fn double_type(&mut self) -> DataType<'a> {
        self.bump();
        let primitive = if self.eat_keyword(Keyword::Precision) {
            PrimitiveType::DoublePrecision
        } else {
            PrimitiveType::Double
        };
        DataType::Primitive(primitive)
    }

    /// `TIMESTAMP [WITH LOCAL TIME ZONE]`.
    fn timestamp_type(&mut self) -> Parse<DataType<'a>> {
        let start = self.start();
        self.bump();
        if !self.at_keywords(&[Keyword::With, Keyword::Local]) {
            return Ok(DataType::Primitive(PrimitiveType::Timestamp));
        }
        self.bump();
        self.expect_keywords(&[Keyword::Local, Keyword::Time, Keyword::Zone])?;
        if self.version() < HiveVersion::V3_1 {
            let span = self.since(start).span();
            return Err(self.needs_version("a timestamp with a time zone", HiveVersion::V3_1, span));
        }
        Ok(DataType::TimestampLocalTimeZone)
    }

    fn timestamp_with_local_zone(&mut self) -> Parse<DataType<'a>> {
        if self.version() < HiveVersion::V3_1 {
            let span = self.token().span;
            return Err(self.needs_version("a timestamp with a time zone", HiveVersion::V3_1, span));
        }
        self.bump();
        Ok(DataType::TimestampLocalTimeZone)
    }

    fn decimal_type(&mut self) -> Parse<DataType<'a>> {
        self.bump();
        if !self.eat(TokenKind::LeftParenthesis) {
            return Ok(DataType::Decimal { precision: None, scale: None });
        }
        let precision = Some(self.type_number()?);
        let scale = if self.eat(TokenKind::Comma) { Some(self.type_number()?) } else { None };
        self.expect(TokenKind::RightParenthesis, "`)`")?;
        Ok(DataType::Decimal { precision, scale })
    }

    /// `VARCHAR(n)`, `CHAR(n)`.
    fn length_of_type(&mut self) -> Parse<&'a str> {
        self.bump();
        self.parenthesized(Self::type_number)
    }

    /// Hive's parser takes any number here; what it says is looked at later.
    fn type_number(&mut self) -> Parse<&'a str> {
        self.number("a number")
    }

    fn array_type(&mut self) -> Parse<DataType<'a>> {
        self.bump();
        let element = self.in_angle_brackets(Self::data_type)?;
        Ok(DataType::Array(self.arena.alloc(element)))
    }

    fn map_type(&mut self) -> Parse<DataType<'a>> {
        self.bump();
        let pair = self.in_angle_brackets(|parser| {
            let key = parser.primitive_type()?;
            parser.expect(TokenKind::Comma, "`,`")?;
            Ok((key, parser.data_type()?))
        })?;
        Ok(DataType::Map(self.arena.alloc(pair)))
    }

    fn struct_type(&mut self) -> Parse<DataType<'a>> {
        self.bump();
        let fields = self.in_angle_brackets(|parser| parser.comma_list(Self::struct_field))?;
        Ok(DataType::Struct(fields))
    }

    fn union_type(&mut self) -> Parse<DataType<'a>> {
        self.bump();
        let members = self.in_angle_brackets(|parser| parser.comma_list(Self::data_type))?;
        Ok(DataType::Union(members))
    }

    /// `name: type [COMMENT '...']`.
    fn struct_field(&mut self) -> Parse<StructField<'a>> {
        let name = self.identifier(Place::StructField, "a field name")?;
        self.expect(TokenKind::Colon, "`:`")?;
        let data_type = self.data_type()?;
        let comment =
            if self.eat_keyword(Keyword::Comment) { Some(self.string("a comment in quotes")?) } else { None };
        Ok(StructField { name, data_type, comment })
    }

    fn in_angle_brackets<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        self.expect(TokenKind::Less, "`<`")?;
        let read = inner(self)?;
        self.expect(TokenKind::Greater, "`>`")?;
        Ok(read)
    }
}

/// Does a type start with this word?
pub(super) fn starts_type(keyword: Keyword) -> bool {
    TYPE_WORDS.contains(&keyword)
}
