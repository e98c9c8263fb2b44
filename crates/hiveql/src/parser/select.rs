//! `SELECT` and its clauses.

use guardbee_model::HiveVersion;

use super::operand::is_query_alone;
use super::{Parse, Parser};
use crate::keyword::{Keyword, Place};
use crate::token::TokenKind;
use crate::tree::{
    Expression, FromClause, GroupBy, Grouping, GroupingSet, Identifier, ItemAlias, LateralView, NamedWindow,
    Parentheses, Projection, Select, SelectItem, Tail,
};

impl<'a> Parser<'a> {
    /// A select with its own `FROM`.
    pub(super) fn select_with_from(&mut self, tail_owner: TailOwner) -> Parse<&'a Select<'a>> {
        let start = self.start();
        let head = self.select_head()?;
        let from = if self.at_keyword(Keyword::From) { Some(self.from_clause()?) } else { None };
        self.select_behind(head, Source { from, lateral_view: None }, tail_owner, start)
    }

    /// A select that reads the `FROM` in front of it.
    pub(super) fn select_of_branch(&mut self) -> Parse<&'a Select<'a>> {
        let start = self.start();
        let head = self.select_head()?;
        let lateral_view = self.optional_lateral_view()?;
        self.select_behind(head, Source { from: None, lateral_view }, TailOwner::Select, start)
    }

    /// The rest of a select, from `WHERE` on.
    fn select_behind(
        &mut self,
        head: SelectHead<'a>,
        source: Source<'a>,
        tail_owner: TailOwner,
        start: u32,
    ) -> Parse<&'a Select<'a>> {
        let clauses = self.clauses()?;
        let tail = self.tail_of_select(tail_owner)?;
        Ok(self.finish_select(&head, &source, &clauses, tail, start))
    }

    fn clauses(&mut self) -> Parse<Clauses<'a>> {
        let filter = self.optional_where()?;
        let group_by = if self.at_keyword(Keyword::Group) { Some(self.group_by()?) } else { None };
        let having = self.condition_behind(Keyword::Having)?;
        let windows = if self.at_keyword(Keyword::Window) { self.named_windows()? } else { &[] };
        let qualify = self.optional_qualify()?;
        Ok(Clauses { filter, group_by, having, windows, qualify })
    }

    fn finish_select(
        &self,
        head: &SelectHead<'a>,
        source: &Source<'a>,
        clauses: &Clauses<'a>,
        tail: Tail<'a>,
        start: u32,
    ) -> &'a Select<'a> {
        self.arena.alloc(Select {
            hint: head.hint,
            quantifier: head.quantifier,
            projection: head.projection,
            from: source.from,
            lateral_view: source.lateral_view,
            filter: clauses.filter,
            group_by: clauses.group_by,
            having: clauses.having,
            windows: clauses.windows,
            qualify: clauses.qualify,
            tail,
            location: self.since(start),
        })
    }

    fn tail_of_select(&mut self, owner: TailOwner) -> Parse<Tail<'a>> {
        let is_own = match owner {
            TailOwner::Select => true,
            TailOwner::SelectAlone => !self.at_set_operator(),
            TailOwner::SetOperation => false,
        };
        if is_own { self.tail() } else { Ok(Tail::default()) }
    }

    /// `WHERE condition`, where it stands.
    pub(crate) fn optional_where(&mut self) -> Parse<Option<Expression<'a>>> {
        self.condition_behind(Keyword::Where)
    }

    fn optional_qualify(&mut self) -> Parse<Option<Expression<'a>>> {
        if self.at_keyword(Keyword::Qualify) && self.version() < HiveVersion::V4_0 {
            return Err(self.needs_version("`QUALIFY`", HiveVersion::V4_0, self.token().span));
        }
        self.condition_behind(Keyword::Qualify)
    }

    fn condition_behind(&mut self, word: Keyword) -> Parse<Option<Expression<'a>>> {
        if self.eat_keyword(word) { self.expression().map(Some) } else { Ok(None) }
    }

    // What is selected.

    fn select_head(&mut self) -> Parse<SelectHead<'a>> {
        if !self.eat_keyword(Keyword::Select) {
            let projection = Projection::Transform(self.map_or_reduce()?);
            return Ok(SelectHead { hint: None, quantifier: None, projection });
        }
        let hint = self.optional_hint()?;
        if self.at_keyword(Keyword::Transform) {
            let projection = Projection::Transform(self.select_transform()?);
            return Ok(SelectHead { hint, quantifier: None, projection });
        }
        let quantifier = self.set_quantifier();
        let items = self.select_items()?;
        Ok(SelectHead { hint, quantifier, projection: Projection::Items(items) })
    }

    fn select_items(&mut self) -> Parse<&'a [SelectItem<'a>]> {
        let mut items = vec![self.select_item()?];
        while self.at(TokenKind::Comma) && !self.at_lateral_view() {
            self.bump();
            items.push(self.select_item()?);
            self.forget_consumed();
        }
        Ok(self.arena.list(&items))
    }

    /// `/*+ ... */`. Hive looks into it later, and past what it does not know.
    pub(super) fn optional_hint(&mut self) -> Parse<Option<&'a str>> {
        if !self.at(TokenKind::HintStart) {
            return Ok(None);
        }
        let start = self.bump().span.end;
        while !matches!(self.kind(), TokenKind::HintEnd | TokenKind::Eof) {
            self.bump();
            self.forget_consumed();
        }
        let end = self.expect(TokenKind::HintEnd, "`*/`")?.span.start;
        Ok(Some(guardbee_model::Span::new(start, end).text(self.source)))
    }

    fn select_item(&mut self) -> Parse<SelectItem<'a>> {
        let start = self.start();
        if let Some(expression) = self.star() {
            return Ok(SelectItem { expression, alias: None, location: self.since(start) });
        }
        let expression = self.expression()?;
        let alias = self.item_alias()?;
        Ok(SelectItem { expression, alias, location: self.since(start) })
    }

    fn item_alias(&mut self) -> Parse<Option<ItemAlias<'a>>> {
        if self.eat_keyword(Keyword::As) {
            return match self.kind() {
                TokenKind::LeftParenthesis => self.alias_list().map(|names| Some(ItemAlias::List(names))),
                _ => self.identifier(Place::AsAlias, "an alias").map(|name| Some(ItemAlias::As(name))),
            };
        }
        Ok(self.bare_alias(Place::BareAlias).map(ItemAlias::Bare))
    }

    fn alias_list(&mut self) -> Parse<&'a [Identifier<'a>]> {
        self.parenthesized_list(|parser| parser.identifier(Place::AsAlias, "an alias"))
    }

    /// A name that is no start of the next clause, where one stands.
    pub(super) fn bare_alias(&mut self, place: Place) -> Option<Identifier<'a>> {
        if !self.at_identifier(place) || self.at_tail() {
            return None;
        }
        let alias = self.take_identifier();
        self.note_alias(alias.span());
        Some(alias)
    }

    // GROUP BY.

    fn group_by(&mut self) -> Parse<GroupBy<'a>> {
        self.bump();
        self.expect_keyword(Keyword::By)?;
        match self.keyword() {
            Some(Keyword::Rollup) => self.standard_rollup(Grouping::Rollup),
            Some(Keyword::Cube) => self.standard_rollup(Grouping::Cube),
            _ if self.at(TokenKind::LeftParenthesis) && self.peek(1) == TokenKind::RightParenthesis => {
                self.bump();
                self.bump();
                Ok(GroupBy { keys: &[], grouping: Grouping::Plain })
            }
            _ => self.keys_with_grouping(),
        }
    }

    /// `ROLLUP (a, b)`, `CUBE (a, b)`.
    fn standard_rollup(&mut self, grouping: Grouping<'a>) -> Parse<GroupBy<'a>> {
        self.bump();
        let keys = self.parenthesized_list(Self::expression)?;
        Ok(GroupBy { keys, grouping })
    }

    /// `a, b [WITH ROLLUP|CUBE] [GROUPING SETS (...)]`.
    fn keys_with_grouping(&mut self) -> Parse<GroupBy<'a>> {
        let keys = self.expressions_or_defaults()?;
        let summary = self.rollup_behind_keys()?;
        let sets = self.grouping_sets()?;
        // Hive takes both together and then forgets the sets.
        let grouping = match (summary, sets) {
            (Some(summary), _) => summary,
            (None, Some(sets)) => Grouping::Sets(sets),
            (None, None) => Grouping::Plain,
        };
        Ok(GroupBy { keys, grouping })
    }

    fn rollup_behind_keys(&mut self) -> Parse<Option<Grouping<'a>>> {
        if !self.eat_keyword(Keyword::With) {
            return Ok(None);
        }
        let grouping = match self.keyword() {
            Some(Keyword::Rollup) => Grouping::WithRollup,
            Some(Keyword::Cube) => Grouping::WithCube,
            _ => return Err(self.expected_keywords(&[Keyword::Rollup, Keyword::Cube])),
        };
        self.bump();
        Ok(Some(grouping))
    }

    fn grouping_sets(&mut self) -> Parse<Option<&'a [GroupingSet<'a>]>> {
        if !self.eat_keywords(&[Keyword::Grouping, Keyword::Sets]) {
            return Ok(None);
        }
        self.parenthesized_list(Self::grouping_set).map(Some)
    }

    /// `a` or `(a, b)`; a parenthesis always holds a whole set, unless it is that of a query.
    fn grouping_set(&mut self) -> Parse<GroupingSet<'a>> {
        let is_query = self.version() < HiveVersion::V4_0 && self.at_query_in_parentheses();
        if !self.at(TokenKind::LeftParenthesis) || is_query {
            let expression = self.expression()?;
            return Ok(self.single_grouping_set(expression));
        }
        let start = self.start();
        self.bump();
        let mut keys = Vec::new();
        if !matches!(self.kind(), TokenKind::Comma | TokenKind::RightParenthesis) {
            let contents = self.nested(|parser| parser.parenthesized_contents(Self::expression))?;
            if is_query_alone(&contents) && self.version() >= HiveVersion::V4_0 {
                let operand = self.close_atom(contents, start)?;
                let expression = self.expression_from(operand, start)?;
                return Ok(self.single_grouping_set(expression));
            }
            keys.push(self.expression_of(contents, start));
        }
        // Hive takes a comma in front, too.
        while self.eat(TokenKind::Comma) {
            keys.push(self.expression()?);
        }
        self.expect(TokenKind::RightParenthesis, "`)`")?;
        Ok(GroupingSet { keys: self.arena.list(&keys), parenthesized: Parentheses::Present })
    }

    fn single_grouping_set(&self, expression: Expression<'a>) -> GroupingSet<'a> {
        GroupingSet { keys: self.arena.list(&[expression]), parenthesized: Parentheses::Absent }
    }
}

/// `SELECT [hint] [ALL|DISTINCT] items`.
struct SelectHead<'a> {
    hint: Option<&'a str>,
    quantifier: Option<crate::tree::SetQuantifier>,
    projection: Projection<'a>,
}

/// What stands between the source and the tail of a select.
struct Clauses<'a> {
    filter: Option<Expression<'a>>,
    group_by: Option<GroupBy<'a>>,
    having: Option<Expression<'a>>,
    windows: &'a [NamedWindow<'a>],
    qualify: Option<Expression<'a>>,
}

/// Where a select takes its rows from.
struct Source<'a> {
    from: Option<FromClause<'a>>,
    lateral_view: Option<LateralView<'a>>,
}

/// Whose `ORDER BY`, `LIMIT` and kin stand behind a select.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TailOwner {
    /// Its own.
    Select,
    /// Its own, unless a set operator follows: then they belong to the set operation.
    SelectAlone,
    /// Those of the set operation that it is an operand of.
    SetOperation,
}
