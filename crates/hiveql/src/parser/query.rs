//! Queries: what selects, alone or into tables and directories.
//!
//! Hive tells three kinds of query apart, and so does this file: a whole query (`query`: with `WITH`, `INSERT` or
//! `FROM` in front), one that only selects (`select_statement`, as expressions and set operations take it), and
//! one operand of a set operation.

use guardbee_model::HiveVersion;

use super::select::TailOwner;
use super::{Parse, Parser};
use crate::keyword::{Keyword, Place};
use crate::token::TokenKind;
use crate::tree::{
    CommonTableExpression, Expression, FromFirstBlock, FromFirstBranch, FromFirstQuery, Identifier, Insert,
    Limit, Literal, LiteralKind, Offset, PlainQuery, Query, QueryBody, SetChain, SetOperand, SetOperator,
    SetQuantifier, Tail,
};

/// How much more stack a query takes than a plain expression.
const LEVELS_OF_QUERY: u32 = 2;

impl<'a> Parser<'a> {
    /// `[WITH ...] [INSERT ...] SELECT ...`, `[WITH ...] FROM ... SELECT ...`.
    pub(crate) fn query(&mut self) -> Parse<&'a Query<'a>> {
        self.nested_by(LEVELS_OF_QUERY, |parser| {
            let start = parser.start();
            let ctes = if parser.at_keyword(Keyword::With) { parser.common_tables()? } else { &[] };
            let body = match parser.keyword() {
                Some(Keyword::From) => QueryBody::FromFirst(parser.from_first_query()?),
                Some(Keyword::Insert) => {
                    let insert = parser.insert()?;
                    QueryBody::Plain(parser.inserted_query(insert)?)
                }
                _ if parser.at_set_operand() => QueryBody::Plain(parser.plain_query(None)?),
                _ => return Err(parser.expected_keywords(&[Keyword::Select, Keyword::From, Keyword::With])),
            };
            Ok(parser.arena.alloc(Query { ctes, body, location: parser.since(start) }) as &Query<'_>)
        })
    }

    /// A query without `WITH`, `INSERT` and `FROM` in front.
    pub(crate) fn select_statement(&mut self) -> Parse<&'a Query<'a>> {
        self.nested_by(LEVELS_OF_QUERY, |parser| {
            let start = parser.start();
            let plain = parser.plain_query(None)?;
            Ok(parser.query_of(plain, start))
        })
    }

    /// Goes on with a query that starts with one in parentheses, from `start` on.
    pub(super) fn select_statement_from(&mut self, first: &'a Query<'a>, start: u32) -> Parse<&'a Query<'a>> {
        let plain = self.plain_query_from(SetOperand::Query(first), None)?;
        Ok(self.query_of(plain, start))
    }

    fn query_of(&self, plain: &'a PlainQuery<'a>, start: u32) -> &'a Query<'a> {
        let body = QueryBody::Plain(plain);
        self.arena.alloc(Query { ctes: &[], body, location: self.since(start) })
    }

    /// `WITH name [(columns)] AS (query), ...`.
    fn common_tables(&mut self) -> Parse<&'a [CommonTableExpression<'a>]> {
        self.bump();
        self.comma_list(|parser| {
            let name = parser.identifier(Place::Cte, "the name of a common table expression")?;
            let columns = parser.columns_of_common_table()?;
            parser.expect_keyword(Keyword::As)?;
            let query = parser.parenthesized(Self::query)?;
            Ok(CommonTableExpression { name, columns, query })
        })
    }

    fn columns_of_common_table(&mut self) -> Parse<&'a [Identifier<'a>]> {
        if !self.at(TokenKind::LeftParenthesis) {
            return Ok(&[]);
        }
        let start = self.start();
        let columns = self.column_list()?;
        if self.version() < HiveVersion::V4_0 {
            let span = self.since(start).span();
            let what = "a common table expression with column names";
            return Err(self.needs_version(what, HiveVersion::V4_0, span));
        }
        Ok(columns)
    }

    /// `(a, b)`.
    pub(crate) fn column_list(&mut self) -> Parse<&'a [Identifier<'a>]> {
        self.parenthesized_list(|parser| parser.identifier(Place::Column, "a column name"))
    }

    /// The query behind `INSERT`. Up to Hive 3, `VALUES` stands here and is no query elsewhere.
    fn inserted_query(&mut self, insert: &'a Insert<'a>) -> Parse<&'a PlainQuery<'a>> {
        if !self.at_keyword(Keyword::Values) || self.version() >= HiveVersion::V4_0 {
            return self.plain_query(Some(insert));
        }
        let values = self.values()?;
        let set = SetChain { first: SetOperand::Values(self.arena.alloc(values)), rest: &[] };
        Ok(self.arena.alloc(PlainQuery { insert: Some(insert), set, tail: Tail::default() }))
    }

    // Set operations.

    fn plain_query(&mut self, insert: Option<&'a Insert<'a>>) -> Parse<&'a PlainQuery<'a>> {
        let first = self.set_operand(TailOwner::SelectAlone)?;
        self.plain_query_from(first, insert)
    }

    fn plain_query_from(
        &mut self,
        first: SetOperand<'a>,
        insert: Option<&'a Insert<'a>>,
    ) -> Parse<&'a PlainQuery<'a>> {
        let has_own_tail = matches!(first, SetOperand::Select(select) if select.tail != Tail::default());
        let (rest, tail) = if has_own_tail {
            (&[] as &[_], Tail::default())
        } else {
            let rest = if self.at_set_operator() { self.set_operations()? } else { &[] };
            (rest, self.tail()?)
        };
        Ok(self.arena.alloc(PlainQuery { insert, set: SetChain { first, rest }, tail }))
    }

    fn set_operations(&mut self) -> Parse<&'a [(SetOperator, Option<SetQuantifier>, SetOperand<'a>)]> {
        let mut rest = Vec::new();
        while let Some(operator) = self.set_operator() {
            self.bump();
            let quantifier = self.set_quantifier();
            rest.push((operator, quantifier, self.set_operand(TailOwner::SetOperation)?));
            self.forget_consumed();
        }
        Ok(self.arena.list(&rest))
    }

    pub(super) fn at_set_operator(&self) -> bool {
        self.set_operator().is_some()
    }

    fn set_operator(&self) -> Option<SetOperator> {
        match self.keyword()? {
            Keyword::Union => Some(SetOperator::Union),
            Keyword::Intersect => Some(SetOperator::Intersect),
            Keyword::Except => Some(SetOperator::Except),
            Keyword::Minus => Some(SetOperator::Minus),
            _ => None,
        }
    }

    fn at_set_operand(&self) -> bool {
        matches!(
            self.kind(),
            TokenKind::LeftParenthesis
                | TokenKind::Keyword(Keyword::Select | Keyword::Map | Keyword::Reduce | Keyword::Values)
        )
    }

    fn set_operand(&mut self, tail_owner: TailOwner) -> Parse<SetOperand<'a>> {
        match self.kind() {
            TokenKind::Keyword(Keyword::Select | Keyword::Map | Keyword::Reduce) => {
                self.select_with_from(tail_owner).map(SetOperand::Select)
            }
            TokenKind::Keyword(Keyword::Values) => {
                let values = self.values_of_query()?;
                Ok(SetOperand::Values(self.arena.alloc(values)))
            }
            TokenKind::LeftParenthesis => self.parenthesized_select().map(SetOperand::Query),
            _ => Err(self.expected_keywords(&[Keyword::Select, Keyword::Values])),
        }
    }

    // What stands at the end.

    /// Does something that ends a query in parentheses, or goes on with it, stand here?
    pub(super) fn at_behind_query(&mut self) -> bool {
        self.at_set_operator() || self.at_tail()
    }

    /// Does `ORDER BY`, `CLUSTER BY`, `DISTRIBUTE BY`, `SORT BY` or `LIMIT` stand here? Most of the words may be
    /// names, too.
    pub(super) fn at_tail(&mut self) -> bool {
        match self.keyword() {
            Some(Keyword::Order) => true,
            Some(Keyword::Cluster | Keyword::Distribute | Keyword::Sort) => {
                self.peek_keyword(1) == Some(Keyword::By)
            }
            Some(Keyword::Limit) => matches!(self.peek(1), TokenKind::Integer | TokenKind::Decimal),
            _ => false,
        }
    }

    pub(super) fn tail(&mut self) -> Parse<Tail<'a>> {
        let order_by = self.optional_order_by()?;
        let cluster_by = if self.at_keyword(Keyword::Cluster) { self.keys_by()? } else { &[] };
        let distribute_by = if self.at_keyword(Keyword::Distribute) { self.keys_by()? } else { &[] };
        let sort_by = if self.at_keyword(Keyword::Sort) { self.sort_by()? } else { &[] };
        let limit = self.optional_limit()?;
        Ok(Tail { order_by, cluster_by, distribute_by, sort_by, limit })
    }

    /// `LIMIT n`, `LIMIT offset, n`, `LIMIT n OFFSET offset`, where one of them stands.
    pub(crate) fn optional_limit(&mut self) -> Parse<Option<Limit<'a>>> {
        if !self.eat_keyword(Keyword::Limit) {
            return Ok(None);
        }
        let first = self.number_literal("a number of rows")?;
        let limit = if self.eat(TokenKind::Comma) {
            Limit { count: self.number_literal("a number of rows")?, offset: Some(Offset::Comma(first)) }
        } else if self.eat_keyword(Keyword::Offset) {
            Limit { count: first, offset: Some(Offset::Word(self.number_literal("a number of rows")?)) }
        } else {
            Limit { count: first, offset: None }
        };
        Ok(Some(limit))
    }

    pub(super) fn number_literal(&mut self, what: &str) -> Parse<Expression<'a>> {
        let kind = if self.at(TokenKind::Integer) { LiteralKind::Integer } else { LiteralKind::Number };
        let raw = self.number(what)?;
        Ok(Expression::Literal(Literal { kind, raw }))
    }

    // Queries that start with FROM.

    fn from_first_query(&mut self) -> Parse<&'a FromFirstQuery<'a>> {
        let first = self.from_first_block()?;
        let mut rest = Vec::new();
        while let Some(operator) = self.set_operator() {
            self.bump();
            let quantifier = self.set_quantifier();
            rest.push((operator, quantifier, self.from_first_block()?));
            self.forget_consumed();
        }
        Ok(self.arena.alloc(FromFirstQuery { first, rest: self.arena.list(&rest) }))
    }

    /// `FROM source branch ...`.
    fn from_first_block(&mut self) -> Parse<FromFirstBlock<'a>> {
        let from = self.from_clause()?;
        let mut branches = vec![self.from_first_branch()?];
        while self.at_branch() {
            branches.push(self.from_first_branch()?);
            self.forget_consumed();
        }
        Ok(FromFirstBlock { from, branches: self.arena.list(&branches) })
    }

    fn at_branch(&self) -> bool {
        matches!(self.keyword(), Some(Keyword::Insert | Keyword::Select | Keyword::Map | Keyword::Reduce))
    }

    fn from_first_branch(&mut self) -> Parse<FromFirstBranch<'a>> {
        let insert = if self.at_keyword(Keyword::Insert) { Some(self.insert()?) } else { None };
        let select = self.select_of_branch()?;
        Ok(FromFirstBranch { insert, select })
    }
}
