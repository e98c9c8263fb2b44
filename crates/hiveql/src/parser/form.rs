//! Operands with words of their own: `CASE`, `CAST`, `FLOOR`, `EXTRACT`, `TRIM`.

use guardbee_model::HiveVersion;

use super::{Parse, Parser};
use crate::keyword::Keyword;
use crate::token::TokenKind;
use crate::tree::{Case, Cast, Expression, Extract, Floor, StringLiteral, TimeUnit, Trim, TrimSide};

const A_UNIT: &str = "a unit of time such as `DAY`";

const UNITS_OF_FLOOR: &[Keyword] = &[
    Keyword::Year,
    Keyword::Quarter,
    Keyword::Month,
    Keyword::Week,
    Keyword::Day,
    Keyword::Hour,
    Keyword::Minute,
    Keyword::Second,
];

const UNITS_OF_EXTRACT: &[Keyword] = &[
    Keyword::Year,
    Keyword::Quarter,
    Keyword::Month,
    Keyword::Week,
    Keyword::Day,
    Keyword::Dayofweek,
    Keyword::Hour,
    Keyword::Minute,
    Keyword::Second,
];

impl<'a> Parser<'a> {
    /// `CASE [operand] WHEN ... THEN ... [ELSE ...] END`.
    pub(super) fn case(&mut self) -> Parse<Expression<'a>> {
        let start = self.start();
        self.bump();
        let operand = if self.at_keyword(Keyword::When) { None } else { Some(self.expression()?) };
        let mut branches = vec![self.case_branch()?];
        while self.at_keyword(Keyword::When) {
            branches.push(self.case_branch()?);
            self.forget_consumed();
        }
        let otherwise = if self.eat_keyword(Keyword::Else) { Some(self.expression()?) } else { None };
        if !self.eat_keyword(Keyword::End) {
            return Err(self.expected_keywords(&[Keyword::When, Keyword::Else, Keyword::End]));
        }
        let branches = self.arena.list(&branches);
        let location = self.since(start);
        Ok(Expression::Case(self.arena.alloc(Case { operand, branches, otherwise, location })))
    }

    fn case_branch(&mut self) -> Parse<(Expression<'a>, Expression<'a>)> {
        self.expect_keyword(Keyword::When)?;
        let condition = self.expression()?;
        self.expect_keyword(Keyword::Then)?;
        Ok((condition, self.expression()?))
    }

    /// `CAST(operand AS type [FORMAT '...'])`.
    pub(crate) fn cast(&mut self) -> Parse<Expression<'a>> {
        let start = self.start();
        self.bump();
        self.expect(TokenKind::LeftParenthesis, "`(`")?;
        let operand = self.expression()?;
        self.expect_keyword(Keyword::As)?;
        let data_type =
            if self.version() < HiveVersion::V4_0 { self.primitive_type() } else { self.data_type() }?;
        let format = self.cast_format()?;
        self.expect(TokenKind::RightParenthesis, "`)`")?;
        let location = self.since(start);
        Ok(Expression::Cast(self.arena.alloc(Cast { operand, data_type, format, location })))
    }

    fn cast_format(&mut self) -> Parse<Option<StringLiteral<'a>>> {
        let word = self.token();
        if !self.eat_keyword(Keyword::Format) {
            return Ok(None);
        }
        if self.version() < HiveVersion::V4_0 {
            return Err(self.needs_version("`FORMAT` in a cast", HiveVersion::V4_0, word.span));
        }
        self.string("a format in quotes").map(Some)
    }

    /// `FLOOR(operand [TO unit])`; without a unit it is a call like any other.
    pub(super) fn floor(&mut self) -> Parse<Expression<'a>> {
        let start = self.start();
        let function = self.take_identifier();
        self.expect(TokenKind::LeftParenthesis, "`(`")?;
        let operand = self.expression()?;
        let unit = if self.eat_keyword(Keyword::To) { Some(self.floor_unit()?) } else { None };
        self.expect(TokenKind::RightParenthesis, "`)`")?;
        let location = self.since(start);
        Ok(match unit {
            Some(unit) => Expression::Floor(self.arena.alloc(Floor { operand, unit, location })),
            None => self.plain_call(function, &[operand], location),
        })
    }

    fn floor_unit(&mut self) -> Parse<TimeUnit> {
        match self.time_unit() {
            Some(TimeUnit::DayOfWeek) | None => Err(self.expected_among(A_UNIT, UNITS_OF_FLOOR)),
            Some(unit) => {
                self.bump();
                Ok(unit)
            }
        }
    }

    /// `EXTRACT(unit FROM operand)`.
    pub(super) fn extract(&mut self) -> Parse<Expression<'a>> {
        let start = self.start();
        self.bump();
        self.expect(TokenKind::LeftParenthesis, "`(`")?;
        let Some(unit) = self.time_unit() else {
            return Err(self.expected_among(A_UNIT, UNITS_OF_EXTRACT));
        };
        self.bump();
        self.expect_keyword(Keyword::From)?;
        let operand = self.expression()?;
        self.expect(TokenKind::RightParenthesis, "`)`")?;
        let location = self.since(start);
        Ok(Expression::Extract(self.arena.alloc(Extract { unit, operand, location })))
    }

    fn time_unit(&self) -> Option<TimeUnit> {
        match self.keyword()? {
            Keyword::Year => Some(TimeUnit::Year),
            Keyword::Quarter => Some(TimeUnit::Quarter),
            Keyword::Month => Some(TimeUnit::Month),
            Keyword::Week => Some(TimeUnit::Week),
            Keyword::Day => Some(TimeUnit::Day),
            Keyword::Dayofweek => Some(TimeUnit::DayOfWeek),
            Keyword::Hour => Some(TimeUnit::Hour),
            Keyword::Minute => Some(TimeUnit::Minute),
            Keyword::Second => Some(TimeUnit::Second),
            _ => None,
        }
    }

    /// `TRIM([BOTH|LEADING|TRAILING] [characters] FROM operand)`, or a call of the function.
    pub(super) fn trim_or_call(&mut self) -> Parse<Expression<'a>> {
        let start = self.start();
        let is_plain = matches!(
            self.peek(2),
            TokenKind::RightParenthesis
                | TokenKind::Star
                | TokenKind::Keyword(Keyword::Distinct)
                | TokenKind::Keyword(Keyword::All)
        );
        if is_plain {
            return self.call();
        }
        let function = self.take_identifier();
        self.bump();
        let side = self.trim_side();
        let characters = if self.at_keyword(Keyword::From) { None } else { Some(self.expression_or_star()?) };
        match characters {
            Some(first) if side.is_none() && !self.at_keyword(Keyword::From) => {
                self.call_behind(function, start, first)
            }
            _ => self.trim_from(side, characters, start),
        }
    }

    fn trim_from(
        &mut self,
        side: Option<TrimSide>,
        characters: Option<Expression<'a>>,
        start: u32,
    ) -> Parse<Expression<'a>> {
        self.expect_keyword(Keyword::From)?;
        let operand = self.expression_or_star()?;
        self.expect(TokenKind::RightParenthesis, "`)`")?;
        let location = self.since(start);
        Ok(Expression::Trim(self.arena.alloc(Trim { side, characters, operand, location })))
    }

    fn trim_side(&mut self) -> Option<TrimSide> {
        let side = match self.keyword()? {
            Keyword::Both => TrimSide::Both,
            Keyword::Leading => TrimSide::Leading,
            Keyword::Trailing => TrimSide::Trailing,
            _ => return None,
        };
        self.bump();
        Some(side)
    }
}
