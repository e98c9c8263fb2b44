//! Operands of expressions: everything that stands between operators, with its fields and indexes.

use guardbee_model::HiveVersion;

use super::{Parse, Parser};
use crate::keyword::{Keyword, Place};
use crate::token::TokenKind;
use crate::tree::{
    AllColumns, Expression, Field, Identifier, Index, Parenthesized, PlainQuery, Query, QueryBody, SetChain,
    SetOperand, Subquery, Tail, Tuple, Unary, UnaryOperator,
};

/// What stands in parentheses, as far as its first part goes.
pub(super) enum Contents<'a> {
    Query(&'a Query<'a>),
    /// The first of a list of expressions.
    Expression(Expression<'a>),
}

impl<'a> Parser<'a> {
    /// An operand with its signs.
    pub(super) fn operand(&mut self) -> Parse<Expression<'a>> {
        let operator = match self.kind() {
            TokenKind::Minus => UnaryOperator::Minus,
            TokenKind::Plus => UnaryOperator::Plus,
            TokenKind::Tilde => UnaryOperator::Tilde,
            _ => {
                let start = self.start();
                let atom = self.atom()?;
                return self.accesses(atom, start);
            }
        };
        let start = self.start();
        self.bump();
        let operand = self.nested(Self::operand)?;
        Ok(Expression::Unary(self.arena.alloc(Unary { operator, operand, location: self.since(start) })))
    }

    /// `.field` and `[index]` behind an operand.
    pub(super) fn accesses(&mut self, mut operand: Expression<'a>, start: u32) -> Parse<Expression<'a>> {
        loop {
            operand = match self.kind() {
                TokenKind::Dot => {
                    self.bump();
                    let name = self.identifier(Place::QualifiedColumn, "a column or field name")?;
                    let location = self.since(start);
                    Expression::Field(self.arena.alloc(Field { operand, name, location }))
                }
                TokenKind::LeftBracket => {
                    self.bump();
                    let index = self.nested(Self::expression)?;
                    self.expect(TokenKind::RightBracket, "`]`")?;
                    let location = self.since(start);
                    Expression::Index(self.arena.alloc(Index { operand, index, location }))
                }
                _ => return Ok(operand),
            };
            self.grow()?;
        }
    }

    fn atom(&mut self) -> Parse<Expression<'a>> {
        match self.kind() {
            TokenKind::Identifier | TokenKind::QuotedIdentifier => self.column_or_call(),
            TokenKind::Keyword(keyword) => self.worded_atom(keyword),
            TokenKind::LeftParenthesis => self.nested(Self::parenthesized_atom),
            _ => self.literal(),
        }
    }

    fn worded_atom(&mut self, keyword: Keyword) -> Parse<Expression<'a>> {
        match keyword {
            Keyword::Case => self.nested(Self::case),
            Keyword::Cast => self.nested(Self::cast),
            Keyword::Floor => self.nested(Self::floor),
            Keyword::Extract => self.nested(Self::extract),
            Keyword::Interval => self.worded_literal(keyword),
            Keyword::Null
            | Keyword::True
            | Keyword::False
            | Keyword::Date
            | Keyword::Timestamp
            | Keyword::CurrentDate
            | Keyword::CurrentTimestamp
                if !self.is_call() =>
            {
                self.worded_literal(keyword)
            }
            Keyword::Timestamplocaltz if self.peek(1) == TokenKind::String => self.worded_literal(keyword),
            Keyword::Trim if self.version() >= HiveVersion::V4_0 && self.is_call() => {
                self.nested(Self::trim_or_call)
            }
            Keyword::All | Keyword::Any if self.peek_keyword(2) == Some(Keyword::Select) => {
                let what = format!("a comparison with `{}`", keyword.as_str());
                self.requires(HiveVersion::V4_0, &what, self.start())?;
                Err(self.unexpected("an expression"))
            }
            // `ALL (a)` and kin are no calls, although they look so.
            Keyword::All | Keyword::Distinct | Keyword::Not => Err(self.unexpected("an expression")),
            _ if keyword.may_name(self.version(), Place::QualifiedColumn) => self.column_or_call(),
            _ if keyword.may_name(self.version(), Place::Function) && self.is_call() => {
                self.nested(Self::call)
            }
            _ => Err(self.unexpected("an expression")),
        }
    }

    pub(super) fn is_call(&mut self) -> bool {
        self.peek(1) == TokenKind::LeftParenthesis
    }

    /// A name: of a column, of a function in front of `(`, of a database in front of a function.
    fn column_or_call(&mut self) -> Parse<Expression<'a>> {
        let is_call = match self.peek(1) {
            TokenKind::LeftParenthesis => true,
            TokenKind::Dot => {
                self.peek(3) == TokenKind::LeftParenthesis && self.peek_identifier(2, Place::QualifiedColumn)
            }
            _ => false,
        };
        if is_call {
            return self.nested(Self::call);
        }
        let name = self.take_identifier();
        Ok(Expression::Column(self.arena.alloc(name)))
    }

    // Parentheses.

    /// `(expression)`, `(a, b)`, `(query)`, `(1) DAY`.
    fn parenthesized_atom(&mut self) -> Parse<Expression<'a>> {
        let start = self.start();
        if self.at_parenthesized_interval() {
            return self.parenthesized_interval();
        }
        self.bump();
        let contents = self.contents_of_atom()?;
        self.close_atom(contents, start)
    }

    /// The rest of an operand whose parenthesis at `start` is open.
    pub(super) fn close_atom(&mut self, contents: Contents<'a>, start: u32) -> Parse<Expression<'a>> {
        match contents {
            Contents::Query(query) => {
                self.expect(TokenKind::RightParenthesis, "`)`")?;
                let location = self.since(start);
                Ok(Expression::Subquery(self.arena.alloc(Subquery { query, location })))
            }
            Contents::Expression(inner) if self.eat(TokenKind::RightParenthesis) => {
                let location = self.since(start);
                Ok(Expression::Parenthesized(self.arena.alloc(Parenthesized { inner, location })))
            }
            Contents::Expression(first) => {
                let items = self.more_expressions(first)?;
                self.expect(TokenKind::RightParenthesis, "`)`")?;
                let location = self.since(start);
                Ok(Expression::Tuple(self.arena.alloc(Tuple { items, location })))
            }
        }
    }

    /// What stands behind a `(`, up to the `)` or the first comma; `item` reads what is no query.
    ///
    /// Whether several parentheses hold a query or an expression that starts with a query, as in
    /// `((SELECT 1) + 1)`, shows only behind the query; so it is read once, and then decided.
    pub(super) fn parenthesized_contents(
        &mut self,
        item: fn(&mut Self) -> Parse<Expression<'a>>,
    ) -> Parse<Contents<'a>> {
        if !self.at_query() {
            return Ok(Contents::Expression(item(self)?));
        }
        if !self.at(TokenKind::LeftParenthesis) {
            return Ok(Contents::Query(self.select_statement()?));
        }
        let start = self.start();
        self.bump();
        let atom = match self.nested(Self::contents_of_atom)? {
            Contents::Query(query) => {
                self.expect(TokenKind::RightParenthesis, "`)`")?;
                if self.at(TokenKind::RightParenthesis) || self.at_behind_query() {
                    return Ok(Contents::Query(self.select_statement_from(query, start)?));
                }
                let location = self.since(start);
                Expression::Subquery(self.arena.alloc(Subquery { query, location }))
            }
            contents => self.close_atom(contents, start)?,
        };
        Ok(Contents::Expression(self.expression_from(atom, start)?))
    }

    fn contents_of_atom(&mut self) -> Parse<Contents<'a>> {
        self.parenthesized_contents(Self::expression_or_default)
    }

    /// The contents of parentheses that were opened behind `start`, as one expression in a list.
    pub(super) fn expression_of(&mut self, contents: Contents<'a>, start: u32) -> Expression<'a> {
        match contents {
            Contents::Expression(expression) => expression,
            Contents::Query(query) => {
                let location = self.since(start);
                Expression::Subquery(self.arena.alloc(Subquery { query: unwrapped(query), location }))
            }
        }
    }

    /// Does `(SELECT ...` stand here?
    pub(super) fn at_query_in_parentheses(&mut self) -> bool {
        let (inner, after) = (self.peek(1), self.peek(2));
        self.is_query_start(inner, after)
    }

    /// Does a query without `WITH` start here, perhaps behind parentheses?
    fn at_query(&mut self) -> bool {
        let (inner, after) = match self.kind() {
            TokenKind::LeftParenthesis => {
                let run = self.parentheses();
                (run.inner, run.after_inner)
            }
            TokenKind::Keyword(_) => (self.kind(), self.peek(1)),
            _ => return false,
        };
        self.is_query_start(inner, after)
    }

    fn is_query_start(&self, first: TokenKind, second: TokenKind) -> bool {
        match first {
            TokenKind::Keyword(Keyword::Select | Keyword::Reduce) => true,
            // Else it is the function.
            TokenKind::Keyword(Keyword::Map) => second != TokenKind::LeftParenthesis,
            TokenKind::Keyword(Keyword::Values) => self.version() >= HiveVersion::V4_0,
            _ => false,
        }
    }

    /// `(query)`, where nothing but a query fits.
    pub(super) fn parenthesized_select(&mut self) -> Parse<&'a Query<'a>> {
        self.parenthesized(Self::select_statement)
    }

    // Lists.

    /// `first, ...`, the first being read.
    pub(super) fn more_expressions(&mut self, first: Expression<'a>) -> Parse<&'a [Expression<'a>]> {
        if !self.at(TokenKind::Comma) {
            return Ok(self.arena.list(&[first]));
        }
        let mut items = vec![first];
        while self.eat(TokenKind::Comma) {
            items.push(self.expression_or_default()?);
            self.forget_consumed();
        }
        Ok(self.arena.list(&items))
    }

    pub(super) fn expressions_or_defaults(&mut self) -> Parse<&'a [Expression<'a>]> {
        let first = self.expression_or_default()?;
        self.more_expressions(first)
    }

    /// An expression, or `DEFAULT`, which from Hive 4 on is a value by itself in lists and rows.
    pub(super) fn expression_or_default(&mut self) -> Parse<Expression<'a>> {
        if self.at_default() { Ok(self.take_default()) } else { self.expression() }
    }

    pub(super) fn at_default(&mut self) -> bool {
        self.at_keyword(Keyword::Default)
            && self.version() >= HiveVersion::V4_0
            && self.peek(1) != TokenKind::Dot
    }

    pub(super) fn take_default(&mut self) -> Expression<'a> {
        let name = self.take_identifier();
        Expression::Column(self.arena.alloc(name))
    }

    /// An expression, `*`, or `t.*`, as calls and scripts take them.
    pub(super) fn expression_or_star(&mut self) -> Parse<Expression<'a>> {
        match self.star() {
            Some(star) => Ok(star),
            None => self.expression(),
        }
    }

    /// `*`, `t.*`, `db.t.*`, where one of them stands.
    pub(super) fn star(&mut self) -> Option<Expression<'a>> {
        let parts = self.parts_before_star()?;
        let start = self.start();
        let mut qualifier: Vec<Identifier<'a>> = Vec::with_capacity(parts);
        for _ in 0..parts {
            qualifier.push(self.take_identifier());
            self.bump();
        }
        self.bump();
        let qualifier = self.arena.list(&qualifier);
        Some(Expression::AllColumns(self.arena.alloc(AllColumns { qualifier, location: self.since(start) })))
    }

    fn parts_before_star(&mut self) -> Option<usize> {
        let most = if self.version() >= HiveVersion::V4_0 { 3 } else { 2 };
        for parts in 0..=most {
            if self.peek(2 * parts) == TokenKind::Star {
                return Some(parts);
            }
            let goes_on = self.peek(2 * parts + 1) == TokenKind::Dot
                && self.peek_identifier(2 * parts, Place::QualifiedTable);
            if !goes_on {
                return None;
            }
        }
        None
    }
}

/// Whether the parentheses around these contents are those of a query, `(SELECT ...)`. Those of `((SELECT ...))`
/// may as well be those of a list with one query in it, and are to Hive, where it looks for a list first.
pub(super) fn is_query_alone(contents: &Contents<'_>) -> bool {
    match contents {
        Contents::Query(query) => std::ptr::eq(unwrapped(query), *query),
        Contents::Expression(_) => false,
    }
}

/// The query in the parentheses that another one consists of.
fn unwrapped<'a>(query: &'a Query<'a>) -> &'a Query<'a> {
    match query.body {
        QueryBody::Plain(PlainQuery {
            set: SetChain { first: SetOperand::Query(inner), rest: [] },
            tail,
            ..
        }) if *tail == Tail::default() => inner,
        _ => query,
    }
}
