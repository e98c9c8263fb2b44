//! `LATERAL VIEW` and `LATERAL TABLE`.

use guardbee_model::HiveVersion;

use super::{Parse, Parser};
use crate::keyword::{Keyword, Place};
use crate::token::TokenKind;
use crate::tree::{Expression, Identifier, LateralSource, LateralView, Outer};

impl<'a> Parser<'a> {
    /// Does `[,] LATERAL` stand here? The comma came with Hive 3.1.
    pub(super) fn at_lateral_view(&mut self) -> bool {
        match self.kind() {
            TokenKind::Keyword(keyword) => keyword == Keyword::Lateral,
            TokenKind::Comma => {
                self.peek_keyword(1) == Some(Keyword::Lateral) && self.version() >= HiveVersion::V3_1
            }
            _ => false,
        }
    }

    /// `[,] LATERAL VIEW ...`, where it stands.
    pub(super) fn optional_lateral_view(&mut self) -> Parse<Option<LateralView<'a>>> {
        if !self.at_lateral_view() {
            return Ok(None);
        }
        let start = self.start();
        let is_behind_comma = self.eat(TokenKind::Comma);
        self.bump();
        match self.keyword() {
            Some(Keyword::View) => self.lateral_view(start, is_behind_comma).map(Some),
            Some(Keyword::Table) => self.lateral_table(start).map(Some),
            _ => Err(self.expected_keywords(&[Keyword::View, Keyword::Table])),
        }
    }

    /// `VIEW [OUTER] f(...) alias [AS a, b]`.
    fn lateral_view(&mut self, start: u32, is_behind_comma: bool) -> Parse<LateralView<'a>> {
        self.bump();
        let is_outer = !is_behind_comma && self.eat_keyword(Keyword::Outer);
        let outer = if is_outer { Outer::Outer } else { Outer::Plain };
        let source = self.nested(|parser| parser.lateral_call(outer))?;
        let alias = self.identifier(Place::LateralAlias, "an alias")?;
        let columns = if self.eat_keyword(Keyword::As) { self.lateral_columns()? } else { &[] };
        Ok(LateralView { source, alias, columns, location: self.since(start) })
    }

    fn lateral_call(&mut self, outer: Outer) -> Parse<LateralSource<'a>> {
        if self.at_keyword(Keyword::Trim) && self.version() >= HiveVersion::V4_0 && self.is_call() {
            match self.trim_or_call()? {
                Expression::Trim(trim) => return Ok(LateralSource::Trim { outer, trim }),
                Expression::Call(call) => return Ok(LateralSource::View { outer, call }),
                _ => return Err(self.unexpected("a function")),
            }
        }
        self.function_call().map(|call| LateralSource::View { outer, call })
    }

    /// `a, b`; a comma behind which no name stands belongs to a join or to the next view.
    fn lateral_columns(&mut self) -> Parse<&'a [Identifier<'a>]> {
        let mut columns = vec![self.identifier(Place::LateralAlias, "a column name")?];
        while self.at(TokenKind::Comma) && self.peek_identifier(1, Place::LateralAlias) {
            self.bump();
            columns.push(self.take_identifier());
        }
        Ok(self.arena.list(&columns))
    }

    /// `TABLE(VALUES ...) [AS] alias [(a, b)]`.
    fn lateral_table(&mut self, start: u32) -> Parse<LateralView<'a>> {
        if self.version() < HiveVersion::V3_1 {
            let span = self.token().span;
            return Err(self.needs_version("`LATERAL TABLE`", HiveVersion::V3_1, span));
        }
        self.bump();
        let values = self.parenthesized(Self::values)?;
        self.eat_keyword(Keyword::As);
        let alias = self.identifier(Place::LateralAlias, "an alias")?;
        let columns = if self.at(TokenKind::LeftParenthesis) { self.column_list()? } else { &[] };
        let source = LateralSource::Values(values);
        Ok(LateralView { source, alias, columns, location: self.since(start) })
    }
}
