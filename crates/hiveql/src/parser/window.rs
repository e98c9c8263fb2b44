//! Windows, and the clauses that bring rows together and sort them.

use super::operand::is_query_alone;
use super::{Parse, Parser};
use crate::keyword::{Keyword, Place};
use crate::token::TokenKind;
use crate::tree::{
    Direction, Expression, Frame, FrameBound, FrameUnit, Literal, LiteralKind, NamedWindow, NullOrder,
    Partitioning, SortKey, Window, WindowSpecification,
};

/// How much more stack a window takes than a plain expression.
const LEVELS_OF_WINDOW: u32 = 3;

impl<'a> Parser<'a> {
    /// `OVER name`, `OVER (...)`.
    pub(super) fn over(&mut self) -> Parse<Window<'a>> {
        self.expect_keyword(Keyword::Over)?;
        self.window()
    }

    /// `WINDOW name AS (...), ...`.
    pub(super) fn named_windows(&mut self) -> Parse<&'a [NamedWindow<'a>]> {
        self.expect_keyword(Keyword::Window)?;
        self.comma_list(|parser| {
            let name = parser.identifier(Place::Window, "a window name")?;
            parser.expect_keyword(Keyword::As)?;
            Ok(NamedWindow { name, window: parser.window()? })
        })
    }

    fn window(&mut self) -> Parse<Window<'a>> {
        if self.at(TokenKind::LeftParenthesis) {
            let specification = self.nested_by(LEVELS_OF_WINDOW, Self::window_specification)?;
            return Ok(Window::Specified(self.arena.alloc(specification)));
        }
        self.identifier(Place::Window, "a window name or `(`").map(Window::Named)
    }

    /// `([base] [partitioning] [frame])`.
    fn window_specification(&mut self) -> Parse<WindowSpecification<'a>> {
        self.parenthesized(|parser| {
            let has_base = parser.at_identifier(Place::Window) && parser.peek_keyword(1) != Some(Keyword::By);
            let base = has_base.then(|| parser.take_identifier());
            let partitioning = parser.partitioning()?;
            let frame = parser.frame()?;
            Ok(WindowSpecification { base, partitioning, frame })
        })
    }

    /// `PARTITION BY` and kin, where one of them stands.
    pub(super) fn partitioning(&mut self) -> Parse<Option<Partitioning<'a>>> {
        if self.peek_keyword(1) != Some(Keyword::By) {
            return Ok(None);
        }
        let partitioning = match self.keyword() {
            Some(Keyword::Partition) => {
                let keys = self.keys_by()?;
                let order = self.optional_order_by()?;
                Partitioning::PartitionBy { keys, order }
            }
            Some(Keyword::Order) => Partitioning::PartitionBy { keys: &[], order: self.order_by()? },
            Some(Keyword::Distribute) => {
                let keys = self.keys_by()?;
                let sort =
                    if self.at_keywords(&[Keyword::Sort, Keyword::By]) { self.sort_by()? } else { &[] };
                Partitioning::DistributeBy { keys, sort }
            }
            Some(Keyword::Sort) => Partitioning::DistributeBy { keys: &[], sort: self.sort_by()? },
            Some(Keyword::Cluster) => Partitioning::ClusterBy { keys: self.keys_by()? },
            _ => return Ok(None),
        };
        Ok(Some(partitioning))
    }

    /// `DISTRIBUTE BY a, b` and kin. Keys in parentheses come out as one tuple.
    pub(super) fn keys_by(&mut self) -> Parse<&'a [Expression<'a>]> {
        self.bump();
        self.expect_keyword(Keyword::By)?;
        if !self.at(TokenKind::LeftParenthesis) {
            return self.expressions_or_defaults();
        }
        let start = self.start();
        self.bump();
        let contents = self.nested(|parser| parser.parenthesized_contents(Self::expression_or_default))?;
        let is_operand = is_query_alone(&contents);
        let keys = self.close_atom(contents, start)?;
        if !is_operand {
            return Ok(self.arena.list(&[keys]));
        }
        let first = self.expression_from(keys, start)?;
        self.more_expressions(first)
    }

    /// `ORDER BY a, b`.
    pub(crate) fn order_by(&mut self) -> Parse<&'a [SortKey<'a>]> {
        self.expect_keywords(&[Keyword::Order, Keyword::By])?;
        self.comma_list(Self::sort_key)
    }

    /// `ORDER BY a, b`, where it stands.
    pub(crate) fn optional_order_by(&mut self) -> Parse<&'a [SortKey<'a>]> {
        if self.at_keyword(Keyword::Order) { self.order_by() } else { Ok(&[]) }
    }

    /// `SORT BY a, b`, `SORT BY (a, b)`.
    pub(super) fn sort_by(&mut self) -> Parse<&'a [SortKey<'a>]> {
        self.expect_keywords(&[Keyword::Sort, Keyword::By])?;
        if self.at(TokenKind::LeftParenthesis) && !self.at_query_in_parentheses() {
            self.parenthesized_list(Self::sort_key)
        } else {
            self.comma_list(Self::sort_key)
        }
    }

    /// `expression [ASC|DESC] [NULLS FIRST|LAST]`.
    fn sort_key(&mut self) -> Parse<SortKey<'a>> {
        let expression = self.expression()?;
        let (direction, nulls) = self.sort_order()?;
        Ok(SortKey { expression, direction, nulls })
    }

    /// `[ASC|DESC] [NULLS FIRST|LAST]`.
    pub(super) fn sort_order(&mut self) -> Parse<(Option<Direction>, Option<NullOrder>)> {
        let direction = match self.keyword() {
            Some(Keyword::Asc) => Some(Direction::Ascending),
            Some(Keyword::Desc) => Some(Direction::Descending),
            _ => None,
        };
        if direction.is_some() {
            self.bump();
        }
        let nulls = if self.eat_keyword(Keyword::Nulls) { Some(self.null_order()?) } else { None };
        Ok((direction, nulls))
    }

    pub(crate) fn null_order(&mut self) -> Parse<NullOrder> {
        let order = match self.keyword() {
            Some(Keyword::First) => NullOrder::First,
            Some(Keyword::Last) => NullOrder::Last,
            _ => return Err(self.expected_keywords(&[Keyword::First, Keyword::Last])),
        };
        self.bump();
        Ok(order)
    }

    /// `ROWS|RANGE start`, `ROWS|RANGE BETWEEN start AND end`.
    fn frame(&mut self) -> Parse<Option<Frame<'a>>> {
        let unit = match self.keyword() {
            Some(Keyword::Rows) => FrameUnit::Rows,
            Some(Keyword::Range) => FrameUnit::Range,
            _ => return Ok(None),
        };
        self.bump();
        if !self.eat_keyword(Keyword::Between) {
            let start = self.frame_bound()?;
            return match start {
                FrameBound::Following(_) | FrameBound::UnboundedFollowing => {
                    Err(self.unexpected("`PRECEDING`"))
                }
                _ => Ok(Some(Frame { unit, start, end: None })),
            };
        }
        let start = self.frame_bound()?;
        self.expect_keyword(Keyword::And)?;
        let end = Some(self.frame_bound()?);
        Ok(Some(Frame { unit, start, end }))
    }

    fn frame_bound(&mut self) -> Parse<FrameBound<'a>> {
        if self.eat_keyword(Keyword::Current) {
            self.expect_keyword(Keyword::Row)?;
            return Ok(FrameBound::CurrentRow);
        }
        let distance = match self.kind() {
            TokenKind::Keyword(Keyword::Unbounded) => {
                self.bump();
                None
            }
            TokenKind::Integer => Some(self.frame_distance(LiteralKind::Integer)),
            TokenKind::Decimal => Some(self.frame_distance(LiteralKind::Number)),
            _ => return Err(self.unexpected("`UNBOUNDED`, `CURRENT ROW` or a number")),
        };
        let is_preceding = self.at_keyword(Keyword::Preceding);
        if !is_preceding && !self.at_keyword(Keyword::Following) {
            return Err(self.expected_keywords(&[Keyword::Preceding, Keyword::Following]));
        }
        self.bump();
        Ok(match distance {
            None if is_preceding => FrameBound::UnboundedPreceding,
            None => FrameBound::UnboundedFollowing,
            Some(distance) if is_preceding => FrameBound::Preceding(distance),
            Some(distance) => FrameBound::Following(distance),
        })
    }

    fn frame_distance(&mut self, kind: LiteralKind) -> Expression<'a> {
        let raw = self.bump().span.text(self.source);
        Expression::Literal(Literal { kind, raw })
    }
}
