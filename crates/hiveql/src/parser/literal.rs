//! Literals and intervals.

use guardbee_model::HiveVersion;

use super::{Parse, Parser};
use crate::keyword::Keyword;
use crate::token::TokenKind;
use crate::tree::{
    Expression, Interval, IntervalSpelling, IntervalUnit, Literal, LiteralKind, Location, Parenthesized,
    StringLiteral, TimeUnit, TypedLiteral, TypedLiteralType,
};

impl<'a> Parser<'a> {
    /// What Hive calls a constant, as partition values and defaults of columns are.
    pub(crate) fn constant(&mut self) -> Parse<Expression<'a>> {
        match self.keyword() {
            // The worded form is an expression to Hive.
            Some(Keyword::Interval) => Err(self.unexpected("a literal")),
            Some(keyword) => self.worded_literal(keyword),
            None => self.literal(),
        }
    }

    /// A number, whatever its shape, but without a suffix.
    pub(crate) fn number(&mut self, what: &str) -> Parse<&'a str> {
        match self.kind() {
            TokenKind::Integer | TokenKind::Decimal => Ok(self.bump().span.text(self.source)),
            _ => Err(self.unexpected(what)),
        }
    }

    /// A literal that starts with no word.
    pub(super) fn literal(&mut self) -> Parse<Expression<'a>> {
        match self.kind() {
            TokenKind::String => self.string_or_interval(),
            TokenKind::Integer => self.number_or_interval(LiteralKind::Integer),
            TokenKind::Decimal => self.number_or_interval(LiteralKind::Number),
            TokenKind::IntegerSuffixed => Ok(self.take_literal(self.suffixed_integer())),
            TokenKind::DecimalSuffixed => Ok(self.take_literal(self.suffixed_decimal())),
            TokenKind::CharSetName => self.character_set_literal(),
            TokenKind::Question => self.parameter(),
            _ => Err(self.unexpected("an expression")),
        }
    }

    /// A literal that starts with this word.
    pub(super) fn worded_literal(&mut self, keyword: Keyword) -> Parse<Expression<'a>> {
        match keyword {
            Keyword::Null => Ok(self.take_literal(LiteralKind::Null)),
            Keyword::True => Ok(self.take_literal(LiteralKind::True)),
            Keyword::False => Ok(self.take_literal(LiteralKind::False)),
            Keyword::CurrentDate => Ok(self.current(TypedLiteralType::CurrentDate)),
            Keyword::CurrentTimestamp => Ok(self.current(TypedLiteralType::CurrentTimestamp)),
            Keyword::Date => self.typed_literal(TypedLiteralType::Date),
            Keyword::Timestamp => self.typed_literal(TypedLiteralType::Timestamp),
            Keyword::Timestamplocaltz if self.version() >= HiveVersion::V3_1 => {
                self.typed_literal(TypedLiteralType::TimestampLocalTimeZone)
            }
            Keyword::Interval => self.interval(),
            _ => Err(self.unexpected("a literal")),
        }
    }

    fn take_literal(&mut self, kind: LiteralKind) -> Expression<'a> {
        let raw = self.bump().span.text(self.source);
        Expression::Literal(Literal { kind, raw })
    }

    fn suffixed_integer(&self) -> LiteralKind {
        match self.text().as_bytes().last() {
            Some(b'Y' | b'y') => LiteralKind::TinyInt,
            Some(b'L' | b'l') => LiteralKind::BigInt,
            _ => LiteralKind::SmallInt,
        }
    }

    fn suffixed_decimal(&self) -> LiteralKind {
        match self.text().as_bytes() {
            [.., b'B' | b'b', _] => LiteralKind::Decimal,
            _ => LiteralKind::Double,
        }
    }

    /// `'a'`, `'a' 'b'` (one string to Hive), `'1' DAY`.
    fn string_or_interval(&mut self) -> Parse<Expression<'a>> {
        let start = self.start();
        let first = self.take_literal(LiteralKind::String);
        if !self.at(TokenKind::String) {
            return self.interval_of(first, start);
        }
        while self.eat(TokenKind::String) {}
        Ok(Expression::Literal(Literal { kind: LiteralKind::String, raw: self.text_since(start) }))
    }

    fn number_or_interval(&mut self, kind: LiteralKind) -> Parse<Expression<'a>> {
        let start = self.start();
        let number = self.take_literal(kind);
        self.interval_of(number, start)
    }

    /// `_utf8 0x41`.
    fn character_set_literal(&mut self) -> Parse<Expression<'a>> {
        let start = self.start();
        self.bump();
        self.expect(TokenKind::CharSetLiteral, "a hexadecimal literal")?;
        Ok(Expression::Literal(Literal { kind: LiteralKind::CharacterSet, raw: self.text_since(start) }))
    }

    /// `?`.
    fn parameter(&mut self) -> Parse<Expression<'a>> {
        let span = self.token().span;
        if self.version() < HiveVersion::V4_0 {
            return Err(self.needs_version("a parameter", HiveVersion::V4_0, span));
        }
        self.bump();
        Ok(Expression::Parameter(Location(span)))
    }

    fn current(&mut self, literal_type: TypedLiteralType) -> Expression<'a> {
        let location = Location(self.bump().span);
        Expression::TypedLiteral(self.arena.alloc(TypedLiteral { literal_type, value: None, location }))
    }

    /// `DATE '...'` and kin.
    fn typed_literal(&mut self, literal_type: TypedLiteralType) -> Parse<Expression<'a>> {
        let start = self.start();
        if self.peek(1) != TokenKind::String {
            return Err(self.unexpected("an expression"));
        }
        self.bump();
        let value: Option<StringLiteral<'a>> = Some(self.string("a string")?);
        let location = self.since(start);
        Ok(Expression::TypedLiteral(self.arena.alloc(TypedLiteral { literal_type, value, location })))
    }

    // Intervals.

    /// `INTERVAL '1' DAY`, `INTERVAL (expression) DAY`.
    fn interval(&mut self) -> Parse<Expression<'a>> {
        let start = self.start();
        self.bump();
        let value = match self.kind() {
            TokenKind::String => self.take_literal(LiteralKind::String),
            TokenKind::Integer => self.take_literal(LiteralKind::Integer),
            TokenKind::Decimal => self.take_literal(LiteralKind::Number),
            TokenKind::LeftParenthesis => self.nested(Self::interval_expression)?,
            _ => return Err(self.unexpected("a string, a number or `(`")),
        };
        let Some(unit) = self.interval_unit() else {
            return Err(self.expected_among("a unit of time such as `DAY`", INTERVAL_UNITS));
        };
        Ok(self.finish_interval(IntervalSpelling::Worded, value, unit, start))
    }

    fn interval_expression(&mut self) -> Parse<Expression<'a>> {
        let start = self.start();
        let inner = self.parenthesized(Self::expression)?;
        let location = self.since(start);
        Ok(Expression::Parenthesized(self.arena.alloc(Parenthesized { inner, location })))
    }

    /// The literal from `start` on, or the interval that it is with the unit behind it.
    fn interval_of(&mut self, value: Expression<'a>, start: u32) -> Parse<Expression<'a>> {
        Ok(match self.interval_unit() {
            Some(unit) => self.finish_interval(IntervalSpelling::Short, value, unit, start),
            None => value,
        })
    }

    /// Does `(1) DAY` stand here? Only a literal may be in the parentheses.
    pub(super) fn at_parenthesized_interval(&mut self) -> bool {
        matches!(self.peek(1), TokenKind::String | TokenKind::Integer | TokenKind::Decimal)
            && self.peek(2) == TokenKind::RightParenthesis
            && matches!(self.peek(3), TokenKind::Keyword(keyword) if single_unit(keyword).is_some())
    }

    pub(super) fn parenthesized_interval(&mut self) -> Parse<Expression<'a>> {
        let start = self.start();
        let value = self.interval_expression()?;
        self.interval_of(value, start)
    }

    fn finish_interval(
        &mut self,
        spelling: IntervalSpelling,
        value: Expression<'a>,
        unit: IntervalUnit,
        start: u32,
    ) -> Expression<'a> {
        let location = self.since(start);
        Expression::Interval(self.arena.alloc(Interval { spelling, value, unit, location }))
    }

    /// Takes the unit of an interval, where one stands.
    fn interval_unit(&mut self) -> Option<IntervalUnit> {
        let unit = single_unit(self.keyword()?)?;
        let range = match unit {
            TimeUnit::Year => Some((Keyword::Month, IntervalUnit::YearToMonth)),
            TimeUnit::Day => Some((Keyword::Second, IntervalUnit::DayToSecond)),
            _ => None,
        };
        self.bump();
        match range {
            Some((end, range)) if self.eat_keywords(&[Keyword::To, end]) => Some(range),
            _ => Some(IntervalUnit::Unit(unit)),
        }
    }
}

const INTERVAL_UNITS: &[Keyword] =
    &[Keyword::Year, Keyword::Month, Keyword::Day, Keyword::Hour, Keyword::Minute, Keyword::Second];

/// The units that an interval may be counted in.
const fn single_unit(keyword: Keyword) -> Option<TimeUnit> {
    match keyword {
        Keyword::Year => Some(TimeUnit::Year),
        Keyword::Month => Some(TimeUnit::Month),
        Keyword::Day => Some(TimeUnit::Day),
        Keyword::Hour => Some(TimeUnit::Hour),
        Keyword::Minute => Some(TimeUnit::Minute),
        Keyword::Second => Some(TimeUnit::Second),
        _ => None,
    }
}
