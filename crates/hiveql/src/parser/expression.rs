//! Expressions: operators between operands, by precedence climbing.
//!
//! Operators of one level between operands become one flat node, read in a loop. What stands
//! between the operators is read in `operand`.

use guardbee_model::HiveVersion;

use super::operand::Contents;
use super::operator::{Level, Operation};
use super::{Parse, Parser};
use crate::keyword::Keyword;
use crate::token::TokenKind;
use crate::tree::{
    Between, BinaryOperator, Chain, Expression, In, InSet, Is, Like, LikeOperator, LikeQuantifier, Negation,
    Quantified, Quantifier, Subquery, Truth, Unary, UnaryOperator,
};

impl<'a> Parser<'a> {
    pub(crate) fn expression(&mut self) -> Parse<Expression<'a>> {
        self.operators(Level::Or)
    }

    /// An expression without comparisons and logic, as `UPDATE ... SET` takes it.
    pub(super) fn sum(&mut self) -> Parse<Expression<'a>> {
        self.operators(Level::Sum)
    }

    /// Operands and the operators between them that bind as tight as `loosest` or tighter.
    fn operators(&mut self, loosest: Level) -> Parse<Expression<'a>> {
        self.nested(|parser| {
            let start = parser.start();
            let (first, below) = match parser.keyword() {
                Some(Keyword::Not) if loosest <= Level::Not => (parser.negation(), Level::Not),
                Some(Keyword::Exists) if loosest <= Level::Comparison => (parser.exists(), Level::Comparison),
                _ => (parser.operand(), Level::Operand),
            };
            parser.operators_behind(first?, start, loosest, below)
        })
    }

    /// Goes on with an expression whose first operand, from `start` on, is read.
    pub(super) fn expression_from(&mut self, first: Expression<'a>, start: u32) -> Parse<Expression<'a>> {
        let operand = self.accesses(first, start)?;
        self.operators_behind(operand, start, Level::Or, Level::Operand)
    }

    /// Goes on behind `left` with operators between the two levels.
    fn operators_behind(
        &mut self,
        mut left: Expression<'a>,
        start: u32,
        loosest: Level,
        mut below: Level,
    ) -> Parse<Expression<'a>> {
        while let Some((level, operation)) = self.operation() {
            if level < loosest || level >= below {
                break;
            }
            let read = match operation {
                Operation::Binary(operator) => self.chain(left, start, level, operator),
                Operation::Quantified(operator) => self.quantified(left, start, operator),
                Operation::In(negation) => self.in_set(left, start, negation),
                Operation::Between(negation) => self.between(left, start, negation),
                Operation::Like(negation, operator) => self.like_predicate(left, start, negation, operator),
                Operation::Truth => self.truth(left, start),
            };
            left = read?;
            self.grow()?;
            below = level;
        }
        Ok(left)
    }

    /// `first op operand op operand ...`, all of one level.
    fn chain(
        &mut self,
        first: Expression<'a>,
        start: u32,
        level: Level,
        operator: BinaryOperator,
    ) -> Parse<Expression<'a>> {
        self.take_operator(operator)?;
        let second = (operator, self.operators(level.tighter())?);
        let rest = match self.operator_of(level) {
            None => self.arena.list(&[second]),
            Some(next) => self.longer_chain(second, level, next)?,
        };
        Ok(Expression::Chain(self.arena.alloc(Chain { first, rest, location: self.since(start) })))
    }

    fn longer_chain(
        &mut self,
        second: (BinaryOperator, Expression<'a>),
        level: Level,
        next: BinaryOperator,
    ) -> Parse<&'a [(BinaryOperator, Expression<'a>)]> {
        let mut rest = vec![second];
        let mut operator = Some(next);
        while let Some(next) = operator {
            self.take_operator(next)?;
            rest.push((next, self.operators(level.tighter())?));
            self.forget_consumed();
            operator = self.operator_of(level);
        }
        Ok(self.arena.list(&rest))
    }

    /// The operator between two operands that stands next, if it is of this level and may be repeated.
    fn operator_of(&mut self, level: Level) -> Option<BinaryOperator> {
        match self.operation() {
            Some((found, Operation::Binary(operator))) if found == level && level != Level::Comparison => {
                Some(operator)
            }
            _ => None,
        }
    }

    fn take_operator(&mut self, operator: BinaryOperator) -> Parse<()> {
        match operator {
            BinaryOperator::IsDistinctFrom | BinaryOperator::IsNotDistinctFrom => self.take_distinct_from(),
            _ => {
                self.bump();
                Ok(())
            }
        }
    }

    fn take_distinct_from(&mut self) -> Parse<()> {
        let start = self.start();
        self.bump();
        self.eat_keyword(Keyword::Not);
        self.expect_keywords(&[Keyword::Distinct, Keyword::From])?;
        if self.version() < HiveVersion::V3_1 {
            let span = self.since(start).span();
            return Err(self.needs_version("`IS DISTINCT FROM`", HiveVersion::V3_1, span));
        }
        Ok(())
    }

    /// `NOT operand`, `! operand`.
    fn negation(&mut self) -> Parse<Expression<'a>> {
        let start = self.start();
        let operator = if self.text() == "!" { UnaryOperator::Bang } else { UnaryOperator::Not };
        self.bump();
        let operand = self.operators(Level::Not)?;
        Ok(Expression::Unary(self.arena.alloc(Unary { operator, operand, location: self.since(start) })))
    }

    /// `EXISTS (query)`.
    fn exists(&mut self) -> Parse<Expression<'a>> {
        let start = self.start();
        self.bump();
        let query = self.parenthesized_select()?;
        Ok(Expression::Exists(self.arena.alloc(Subquery { query, location: self.since(start) })))
    }

    /// `operand = ANY (query)`.
    fn quantified(
        &mut self,
        operand: Expression<'a>,
        start: u32,
        operator: BinaryOperator,
    ) -> Parse<Expression<'a>> {
        self.bump();
        let quantifier = match self.bump().kind.keyword() {
            Some(Keyword::Any) => Quantifier::Any,
            Some(Keyword::Some) => Quantifier::Some,
            _ => Quantifier::All,
        };
        let query = self.parenthesized_select()?;
        let location = self.since(start);
        let node = Quantified { operand, operator, quantifier, query, location };
        Ok(Expression::Quantified(self.arena.alloc(node)))
    }

    /// `operand [NOT] IN (...)`.
    fn in_set(&mut self, operand: Expression<'a>, start: u32, negation: Negation) -> Parse<Expression<'a>> {
        self.take_negatable(negation);
        let set = self.nested(Self::parenthesized_set)?;
        let location = self.since(start);
        Ok(Expression::In(self.arena.alloc(In { operand, negation, set, location })))
    }

    /// `operand [NOT] BETWEEN low AND high`.
    fn between(&mut self, operand: Expression<'a>, start: u32, negation: Negation) -> Parse<Expression<'a>> {
        self.take_negatable(negation);
        let low = self.operators(Level::BitOr)?;
        self.expect_keyword(Keyword::And)?;
        let high = self.operators(Level::BitOr)?;
        let location = self.since(start);
        Ok(Expression::Between(self.arena.alloc(Between { operand, negation, low, high, location })))
    }

    /// `operand [NOT] LIKE pattern`, `operand [NOT] LIKE ANY (...)`.
    fn like_predicate(
        &mut self,
        operand: Expression<'a>,
        start: u32,
        negation: Negation,
        operator: LikeOperator,
    ) -> Parse<Expression<'a>> {
        self.take_negatable(negation);
        let quantifier = if operator == LikeOperator::Like { self.like_quantifier() } else { None };
        let patterns = if quantifier.is_some() {
            self.bump();
            self.parenthesized(Self::expressions_or_defaults)?
        } else {
            self.arena.list(&[self.operators(Level::BitOr)?])
        };
        let location = self.since(start);
        let node = Like { operand, negation, operator, quantifier, patterns, location };
        Ok(Expression::Like(self.arena.alloc(node)))
    }

    fn like_quantifier(&self) -> Option<LikeQuantifier> {
        match self.keyword() {
            _ if self.version() < HiveVersion::V3_1 => None,
            Some(Keyword::Any) => Some(LikeQuantifier::Any),
            Some(Keyword::All) => Some(LikeQuantifier::All),
            _ => None,
        }
    }

    /// `operand IS [NOT] NULL | TRUE | FALSE | UNKNOWN`.
    fn truth(&mut self, operand: Expression<'a>, start: u32) -> Parse<Expression<'a>> {
        self.bump();
        let negation = if self.eat_keyword(Keyword::Not) { Negation::Negated } else { Negation::Plain };
        let (truth, since) = match self.keyword() {
            Some(Keyword::Null) => (Truth::Null, HiveVersion::V2_3),
            Some(Keyword::True) => (Truth::True, HiveVersion::V3_1),
            Some(Keyword::False) => (Truth::False, HiveVersion::V3_1),
            Some(Keyword::Unknown) => (Truth::Unknown, HiveVersion::V4_0),
            _ => return Err(self.expected_keywords(&[Keyword::Null, Keyword::True, Keyword::False])),
        };
        let word = self.bump();
        if self.version() < since {
            let what = format!("`IS {}`", word.kind.describe());
            return Err(self.needs_version(&what, since, self.since(start).span()));
        }
        let location = self.since(start);
        Ok(Expression::Is(self.arena.alloc(Is { operand, negation, truth, location })))
    }

    /// Takes `LIKE`, `IN` or `BETWEEN`, behind a `NOT` where there is one.
    fn take_negatable(&mut self, negation: Negation) {
        if negation == Negation::Negated {
            self.bump();
        }
        self.bump();
    }

    /// `(query)` or `(item, ...)` of `IN`.
    fn parenthesized_set(&mut self) -> Parse<InSet<'a>> {
        self.expect(TokenKind::LeftParenthesis, "`(`")?;
        let set = match self.parenthesized_contents(Self::expression_or_default)? {
            Contents::Query(query) => InSet::Query(query),
            Contents::Expression(first) => InSet::List(self.more_expressions(first)?),
        };
        self.expect(TokenKind::RightParenthesis, "`)`")?;
        Ok(set)
    }
}
