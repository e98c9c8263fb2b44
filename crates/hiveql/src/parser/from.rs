//! `FROM`: tables, subqueries, table functions, and how they are joined.

use guardbee_model::{Diagnostic, HiveVersion};

use super::{Parse, Parser};
use crate::keyword::{Keyword, Place};
use crate::token::TokenKind;
use crate::tree::{
    AliasSpelling, AsOf, DerivedTable, FromClause, Join, JoinCondition, JoinKind, JoinOperand,
    PartitionedTableFunction, Preservation, Property, Query, QueryBody, Sample, SetOperand, SourceStep,
    TableAlias, TableFactor, TableFunctionInput, TableReference, TableSource, Tail, UniqueJoinSource,
    ValuesSpelling, ValuesTable,
};

/// What parentheses in `FROM` turned out to hold.
enum Parenthesized<'a> {
    /// A query, whose alias is still to come.
    Query(&'a Query<'a>),
    /// `((SELECT ...) LIMIT 1)` and `((SELECT ...))`: Hive takes them for nothing but the first operand of a
    /// set operation.
    Operand(&'a Query<'a>),
    /// Joined tables.
    Source(&'a TableSource<'a>),
}

impl<'a> Parser<'a> {
    /// `FROM source`.
    pub(super) fn from_clause(&mut self) -> Parse<FromClause<'a>> {
        self.expect_keyword(Keyword::From)?;
        if self.eat_keyword(Keyword::Uniquejoin) {
            return self.unique_join();
        }
        let is_values = self.at(TokenKind::LeftParenthesis)
            && self.peek_keyword(1) == Some(Keyword::Values)
            && self.version() < HiveVersion::V3_1;
        if is_values {
            return self.only_values();
        }
        self.table_source().map(FromClause::Source)
    }

    /// `(VALUES ...) [AS] alias (a, b)`, which Hive 2.3 joins with nothing.
    fn only_values(&mut self) -> Parse<FromClause<'a>> {
        let start = self.start();
        let values = self.parenthesized(Self::values)?;
        let alias = self.required_alias()?;
        let columns = self.column_list()?;
        let location = self.since(start);
        let spelling = ValuesSpelling::Parenthesized;
        let table = self.arena.alloc(ValuesTable { spelling, values, alias, columns, location });
        let source = TableSource { first: TableFactor::Values(table), rest: &[] };
        Ok(FromClause::Source(self.arena.alloc(source)))
    }

    /// `a JOIN b ON ..., c`.
    fn table_source(&mut self) -> Parse<&'a TableSource<'a>> {
        if self.at(TokenKind::LeftParenthesis) {
            return match self.nested(Self::parenthesized_source)? {
                Parenthesized::Query(query) => {
                    let first = self.derived_table(query)?;
                    self.source_from(first)
                }
                Parenthesized::Operand(_) => Err(self.unexpected("a set operator")),
                Parenthesized::Source(inner) => self.joined_source(inner),
            };
        }
        let first = self.table_factor()?;
        self.source_from(first)
    }

    /// Goes on behind the first table: with lateral views, then with joins.
    fn source_from(&mut self, first: TableFactor<'a>) -> Parse<&'a TableSource<'a>> {
        let mut rest = Vec::new();
        while let Some(view) = self.optional_lateral_view()? {
            rest.push(SourceStep::LateralView(view));
        }
        self.joins(first, rest)
    }

    /// Goes on behind joins in parentheses, which take no lateral view.
    fn joined_source(&mut self, inner: &'a TableSource<'a>) -> Parse<&'a TableSource<'a>> {
        self.joins(TableFactor::Joined(inner), Vec::new())
    }

    fn joins(&mut self, first: TableFactor<'a>, mut rest: Vec<SourceStep<'a>>) -> Parse<&'a TableSource<'a>> {
        while let Some((kind, words)) = self.join_kind()? {
            let start = self.start();
            for _ in 0..words {
                self.bump();
            }
            let right = self.join_operand()?;
            let condition =
                if kind == JoinKind::Comma { JoinCondition::Absent } else { self.join_condition()? };
            rest.push(SourceStep::Join(Join { kind, right, condition, location: self.since(start) }));
            self.forget_consumed();
        }
        Ok(self.arena.alloc(TableSource { first, rest: self.arena.list(&rest) }))
    }

    /// The kind of join that stands next, and how many words say so.
    fn join_kind(&mut self) -> Parse<Option<(JoinKind, usize)>> {
        let (plain, outer) = match self.kind() {
            TokenKind::Comma => return Ok(Some((JoinKind::Comma, 1))),
            TokenKind::Keyword(Keyword::Join) => return Ok(Some((JoinKind::Join, 1))),
            TokenKind::Keyword(Keyword::Inner) => (JoinKind::Inner, None),
            TokenKind::Keyword(Keyword::Cross) => (JoinKind::Cross, None),
            TokenKind::Keyword(Keyword::Left) => (JoinKind::Left, Some(JoinKind::LeftOuter)),
            TokenKind::Keyword(Keyword::Right) => (JoinKind::Right, Some(JoinKind::RightOuter)),
            TokenKind::Keyword(Keyword::Full) => (JoinKind::Full, Some(JoinKind::FullOuter)),
            _ => return Ok(None),
        };
        match (self.peek_keyword(1), self.peek_keyword(2), outer) {
            (Some(Keyword::Join), ..) => Ok(Some((plain, 2))),
            (Some(Keyword::Outer), Some(Keyword::Join), Some(outer)) => Ok(Some((outer, 3))),
            (Some(Keyword::Semi), Some(Keyword::Join), _) if plain == JoinKind::Left => {
                Ok(Some((JoinKind::LeftSemi, 3)))
            }
            _ => Err(self.no_join(plain)),
        }
    }

    #[cold]
    fn no_join(&mut self, kind: JoinKind) -> Box<Diagnostic> {
        self.bump();
        match kind {
            JoinKind::Left if self.text().eq_ignore_ascii_case("anti") => {
                let diagnostic = *self.expected_keywords(&[Keyword::Join, Keyword::Outer, Keyword::Semi]);
                Box::new(diagnostic.with_hint("Hive writes an anti join as `NOT EXISTS (SELECT ...)`"))
            }
            JoinKind::Left => self.expected_keywords(&[Keyword::Join, Keyword::Outer, Keyword::Semi]),
            JoinKind::Right | JoinKind::Full => self.expected_keywords(&[Keyword::Join, Keyword::Outer]),
            _ => self.expected_keywords(&[Keyword::Join]),
        }
    }

    /// The right side of a join: one table, never joins in parentheses.
    pub(super) fn join_operand(&mut self) -> Parse<JoinOperand<'a>> {
        let factor = if self.at(TokenKind::LeftParenthesis) {
            self.nested(|parser| {
                let query = parser.parenthesized(Self::query_in_from)?;
                parser.derived_table(query)
            })?
        } else {
            self.table_factor()?
        };
        let mut lateral_views = Vec::new();
        while let Some(view) = self.optional_lateral_view()? {
            lateral_views.push(view);
        }
        Ok(JoinOperand { factor, lateral_views: self.arena.list(&lateral_views) })
    }

    fn join_condition(&mut self) -> Parse<JoinCondition<'a>> {
        if self.eat_keyword(Keyword::On) {
            return self.expression().map(JoinCondition::On);
        }
        if self.eat_keyword(Keyword::Using) {
            return self.column_list().map(JoinCondition::Using);
        }
        Ok(JoinCondition::Absent)
    }

    // Parentheses.

    /// `(query)`, or `(a JOIN b)`. Which of them `((SELECT ...` is shows only behind the query.
    fn parenthesized_source(&mut self) -> Parse<Parenthesized<'a>> {
        self.expect(TokenKind::LeftParenthesis, "`(`")?;
        let inner = if self.at_query_in_from() {
            Parenthesized::Query(self.query_in_from()?)
        } else if self.at(TokenKind::LeftParenthesis) {
            self.twice_parenthesized()?
        } else {
            Parenthesized::Source(self.table_source()?)
        };
        self.expect(TokenKind::RightParenthesis, "`)`")?;
        Ok(inner)
    }

    fn twice_parenthesized(&mut self) -> Parse<Parenthesized<'a>> {
        let start = self.start();
        match self.nested(Self::parenthesized_source)? {
            Parenthesized::Query(query) | Parenthesized::Operand(query) if self.at_set_operator() => {
                self.check_first_operand(query)?;
                Ok(Parenthesized::Query(self.select_statement_from(query, start)?))
            }
            Parenthesized::Query(query) | Parenthesized::Operand(query)
                if self.at(TokenKind::RightParenthesis) || self.at_tail() =>
            {
                Ok(Parenthesized::Operand(self.select_statement_from(query, start)?))
            }
            Parenthesized::Query(query) => {
                let first = self.derived_table(query)?;
                self.source_from(first).map(Parenthesized::Source)
            }
            Parenthesized::Operand(_) => Err(self.unexpected("a set operator")),
            Parenthesized::Source(inner) => self.joined_source(inner).map(Parenthesized::Source),
        }
    }

    /// Up to Hive 3, the first operand of a set operation in `FROM` is a bare select in its parentheses.
    fn check_first_operand(&self, query: &Query<'a>) -> Parse<()> {
        let is_bare = match query.body {
            QueryBody::Plain(plain) => {
                plain.set.rest.is_empty()
                    && plain.tail == Tail::default()
                    && !matches!(plain.set.first, SetOperand::Select(select) if select.tail != Tail::default())
            }
            QueryBody::FromFirst(_) => false,
        };
        if is_bare || self.version() >= HiveVersion::V4_0 { Ok(()) } else { Err(self.unexpected("an alias")) }
    }

    fn at_query_in_from(&self) -> bool {
        matches!(
            self.keyword(),
            Some(
                Keyword::With
                    | Keyword::Select
                    | Keyword::Map
                    | Keyword::Reduce
                    | Keyword::From
                    | Keyword::Values
            )
        )
    }

    fn query_in_from(&mut self) -> Parse<&'a Query<'a>> {
        if self.at_keyword(Keyword::Insert) { Err(self.unexpected("a query")) } else { self.query() }
    }

    /// `(query) [AS] alias`, the parentheses being read.
    fn derived_table(&mut self, query: &'a Query<'a>) -> Parse<TableFactor<'a>> {
        let alias = self.required_alias()?;
        let start = query.location.span().start;
        let location = self.since(start);
        Ok(TableFactor::Subquery(self.arena.alloc(DerivedTable { query, alias, location })))
    }

    fn required_alias(&mut self) -> Parse<TableAlias<'a>> {
        match self.subquery_alias()? {
            Some(alias) => Ok(alias),
            None => Err(self.unexpected("an alias")),
        }
    }

    /// `[AS] alias` where there must be one, so that every name fits.
    fn subquery_alias(&mut self) -> Parse<Option<TableAlias<'a>>> {
        if self.at_keyword(Keyword::As) {
            return self.table_alias();
        }
        if !self.at_identifier(Place::SubqueryAlias) {
            return Ok(None);
        }
        let name = self.take_identifier();
        self.note_alias(name.span());
        Ok(Some(TableAlias { spelling: AliasSpelling::Bare, name }))
    }

    // Tables.

    fn table_factor(&mut self) -> Parse<TableFactor<'a>> {
        if self.at_keyword(Keyword::Table) && self.peek(1) == TokenKind::LeftParenthesis {
            return self.values_table();
        }
        if self.at_partitioned_function() {
            let function = self.nested(Self::partitioned_function)?;
            return Ok(TableFactor::PartitionedFunction(function));
        }
        self.table_reference().map(TableFactor::Table)
    }

    /// `db.t [(properties)] [TABLESAMPLE ...] [FOR ... AS OF ...] [[AS] alias]`.
    fn table_reference(&mut self) -> Parse<&'a TableReference<'a>> {
        let start = self.start();
        let name = self.qualified_name(Place::FromTable, "a table name")?;
        let has_properties = self.at(TokenKind::LeftParenthesis) && self.peek(1) == TokenKind::String;
        let properties = if has_properties { self.properties_of_source()? } else { &[] };
        let sample = self.optional_sample()?;
        let as_of = self.optional_as_of()?;
        // In a table function, a word in front of a parenthesis is an argument, not an alias.
        let is_argument = matches!(self.kind(), TokenKind::Identifier | TokenKind::QuotedIdentifier)
            && self.peek(1) == TokenKind::LeftParenthesis;
        let alias = if is_argument { None } else { self.table_alias()? };
        let location = self.since(start);
        Ok(self.arena.alloc(TableReference { name, properties, sample, as_of, alias, location }))
    }

    /// `('key'='value', ...)` or `('key', ...)`: values for all keys or for none.
    fn properties_of_source(&mut self) -> Parse<&'a [Property<'a>]> {
        if self.peek(2) == TokenKind::Equal { self.properties() } else { self.property_keys() }
    }

    /// `TABLE(VALUES (1, 2), ...) [AS] alias [(a, b]`; Hive takes one more `)` at the end, in any case.
    fn values_table(&mut self) -> Parse<TableFactor<'a>> {
        let start = self.start();
        if self.version() < HiveVersion::V3_1 {
            let span = self.token().span;
            return Err(self.needs_version("`TABLE(VALUES ...)`", HiveVersion::V3_1, span));
        }
        self.bump();
        let values = self.parenthesized(Self::values)?;
        let alias = self.required_alias()?;
        let columns = if self.eat(TokenKind::LeftParenthesis) {
            self.comma_list(|parser| parser.identifier(Place::Column, "a column name"))?
        } else {
            &[]
        };
        self.expect(TokenKind::RightParenthesis, "`)`")?;
        let location = self.since(start);
        let spelling = ValuesSpelling::Table;
        let table = ValuesTable { spelling, values, alias, columns, location };
        Ok(TableFactor::Values(self.arena.alloc(table)))
    }

    // Samples and time travel.

    fn optional_sample(&mut self) -> Parse<Option<Sample<'a>>> {
        if !self.eat_keyword(Keyword::Tablesample) {
            return Ok(None);
        }
        self.parenthesized(Self::sample).map(Some)
    }

    fn sample(&mut self) -> Parse<Sample<'a>> {
        match self.kind() {
            TokenKind::Keyword(Keyword::Bucket) => self.bucket_sample(),
            TokenKind::ByteLength => Ok(Sample::Bytes(self.bump().span.text(self.source))),
            _ => {
                let number = self.number("`BUCKET`, a number or a number of bytes")?;
                let sample = match self.keyword() {
                    Some(Keyword::Percent) => Sample::Percent(number),
                    Some(Keyword::Rows) => Sample::Rows(number),
                    _ => return Err(self.expected_keywords(&[Keyword::Percent, Keyword::Rows])),
                };
                self.bump();
                Ok(sample)
            }
        }
    }

    /// `BUCKET x OUT OF y [ON a, b]`.
    fn bucket_sample(&mut self) -> Parse<Sample<'a>> {
        self.bump();
        let bucket = self.number("the number of a bucket")?;
        self.expect_keywords(&[Keyword::Out, Keyword::Of])?;
        let out_of = self.number("a number of buckets")?;
        let on = if self.eat_keyword(Keyword::On) { self.comma_list(Self::expression)? } else { &[] };
        Ok(Sample::Bucket { bucket, out_of, on })
    }

    /// `FOR SYSTEM_TIME AS OF expression`, `FOR SYSTEM_VERSION AS OF expression`.
    fn optional_as_of(&mut self) -> Parse<Option<AsOf<'a>>> {
        if !self.at_keyword(Keyword::For) {
            return Ok(None);
        }
        if self.version() < HiveVersion::V4_0 {
            return Err(self.needs_version("time travel", HiveVersion::V4_0, self.token().span));
        }
        self.bump();
        let word = self.keyword();
        if !matches!(word, Some(Keyword::SystemTime | Keyword::SystemVersion)) {
            return Err(self.expected_keywords(&[Keyword::SystemTime, Keyword::SystemVersion]));
        }
        self.bump();
        self.expect_keywords(&[Keyword::As, Keyword::Of])?;
        let point = self.expression()?;
        Ok(Some(match word {
            Some(Keyword::SystemTime) => AsOf::SystemTime(point),
            _ => AsOf::SystemVersion(point),
        }))
    }

    // Table functions.

    /// In Hive 2.3 the name must be none that is a keyword somewhere.
    fn at_partitioned_function(&mut self) -> bool {
        let is_name = match self.kind() {
            TokenKind::Keyword(_) if self.version() < HiveVersion::V3_1 => false,
            _ => self.at_identifier(Place::Table),
        };
        is_name && self.peek(1) == TokenKind::LeftParenthesis && self.peek_keyword(2) == Some(Keyword::On)
    }

    /// `f(ON input [partitioning] [name(argument), ...]) [alias]`.
    fn partitioned_function(&mut self) -> Parse<&'a PartitionedTableFunction<'a>> {
        let start = self.start();
        let function = self.take_identifier();
        self.bump();
        self.bump();
        let input = self.function_input()?;
        let partitioning = self.partitioning()?;
        let arguments =
            if self.at(TokenKind::RightParenthesis) { &[] } else { self.comma_list(Self::named_argument)? };
        self.expect(TokenKind::RightParenthesis, "`)`")?;
        // Else it is an argument of the function around this one.
        let has_alias = matches!(self.kind(), TokenKind::Identifier | TokenKind::QuotedIdentifier)
            && self.peek(1) != TokenKind::LeftParenthesis;
        let alias = has_alias.then(|| self.take_identifier());
        let location = self.since(start);
        let call = PartitionedTableFunction { function, input, partitioning, arguments, alias, location };
        Ok(self.arena.alloc(call))
    }

    fn function_input(&mut self) -> Parse<TableFunctionInput<'a>> {
        if self.at(TokenKind::LeftParenthesis) {
            let start = self.start();
            let query = self.parenthesized(Self::query_in_from)?;
            let alias = self.required_alias()?;
            let location = self.since(start);
            let table = self.arena.alloc(DerivedTable { query, alias, location });
            return Ok(TableFunctionInput::Subquery(table));
        }
        if self.at_partitioned_function() {
            return self.nested(Self::partitioned_function).map(TableFunctionInput::Function);
        }
        self.table_reference().map(TableFunctionInput::Table)
    }

    /// `name(expression)`; only a word that is no keyword is a name here.
    fn named_argument(&mut self) -> Parse<(crate::tree::Identifier<'a>, crate::tree::Expression<'a>)> {
        if !matches!(self.kind(), TokenKind::Identifier | TokenKind::QuotedIdentifier) {
            return Err(self.unexpected("an argument name or `)`"));
        }
        let name = self.take_identifier();
        let value = self.parenthesized(Self::expression)?;
        Ok((name, value))
    }

    // UNIQUEJOIN.

    /// `UNIQUEJOIN [PRESERVE] a (a.key), ...`, two tables at least.
    fn unique_join(&mut self) -> Parse<FromClause<'a>> {
        let mut sources = vec![self.unique_join_source()?];
        loop {
            self.expect(TokenKind::Comma, "`,`")?;
            sources.push(self.unique_join_source()?);
            if !self.at(TokenKind::Comma) {
                return Ok(FromClause::UniqueJoin(self.arena.list(&sources)));
            }
        }
    }

    fn unique_join_source(&mut self) -> Parse<UniqueJoinSource<'a>> {
        let preserve =
            if self.eat_keyword(Keyword::Preserve) { Preservation::Preserve } else { Preservation::Plain };
        let start = self.start();
        let name = self.qualified_name(Place::FromTable, "a table name")?;
        let sample = self.optional_sample()?;
        let alias = self.table_alias()?;
        let location = self.since(start);
        let source = TableReference { name, properties: &[], sample, as_of: None, alias, location };
        let keys = self.parenthesized_list(Self::expression)?;
        Ok(UniqueJoinSource { preserve, source, keys })
    }
}
