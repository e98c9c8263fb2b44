//! How tight operators bind.

use guardbee_model::HiveVersion;

use super::Parser;
use crate::keyword::Keyword;
use crate::token::TokenKind;
use crate::tree::{BinaryOperator, LikeOperator, Negation};

/// The levels of operators, from the loosest to the tightest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Or,
    And,
    Not,
    /// `IS NULL` and kin from Hive 4 on: `a = b IS NULL` asks whether the comparison is null.
    Truth,
    Equality,
    /// `<`, `LIKE`, `IN`, `BETWEEN`: one of them, and no second beside it.
    Comparison,
    BitOr,
    BitAnd,
    Concatenation,
    Sum,
    Product,
    BitXor,
    /// `IS NULL` and kin up to Hive 3: `a = b IS NULL` asks whether `b` is null.
    TightTruth,
    Operand,
}

impl Level {
    /// The level of the right operands of a chain of operators of this level.
    pub(super) const fn tighter(self) -> Self {
        match self {
            Self::Or => Self::And,
            Self::And => Self::Not,
            Self::Not => Self::Truth,
            Self::Truth => Self::Equality,
            Self::Equality => Self::Comparison,
            Self::Comparison => Self::BitOr,
            Self::BitOr => Self::BitAnd,
            Self::BitAnd => Self::Concatenation,
            Self::Concatenation => Self::Sum,
            Self::Sum => Self::Product,
            Self::Product => Self::BitXor,
            Self::BitXor => Self::TightTruth,
            Self::TightTruth | Self::Operand => Self::Operand,
        }
    }
}

/// What the next token makes of the operand before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operation {
    Binary(BinaryOperator),
    /// A comparison with `ANY`, `SOME` or `ALL` rows of a query.
    Quantified(BinaryOperator),
    In(Negation),
    Between(Negation),
    Like(Negation, LikeOperator),
    /// `IS [NOT] NULL | TRUE | FALSE | UNKNOWN`.
    Truth,
}

impl Parser<'_> {
    /// The operator that stands next, if one does.
    #[inline]
    pub(super) fn operation(&mut self) -> Option<(Level, Operation)> {
        match self.kind() {
            TokenKind::Keyword(keyword) => self.worded_operation(keyword),
            kind => self.symbolic_operation(kind),
        }
    }

    fn symbolic_operation(&mut self, kind: TokenKind) -> Option<(Level, Operation)> {
        let (level, operator) = match kind {
            TokenKind::Equal => return Some(self.comparison(Level::Equality, self.equal_spelling())),
            TokenKind::NotEqual => return Some(self.comparison(Level::Equality, self.not_equal_spelling())),
            TokenKind::Less => return Some(self.comparison(Level::Comparison, BinaryOperator::Less)),
            TokenKind::LessOrEqual => {
                return Some(self.comparison(Level::Comparison, BinaryOperator::LessOrEqual));
            }
            TokenKind::Greater => return Some(self.comparison(Level::Comparison, BinaryOperator::Greater)),
            TokenKind::GreaterOrEqual => {
                return Some(self.comparison(Level::Comparison, BinaryOperator::GreaterOrEqual));
            }
            TokenKind::NullSafeEqual => (Level::Equality, BinaryOperator::NullSafeEqual),
            TokenKind::Pipe => (Level::BitOr, BinaryOperator::BitOr),
            TokenKind::Ampersand => (Level::BitAnd, BinaryOperator::BitAnd),
            TokenKind::Concatenate => (Level::Concatenation, BinaryOperator::Concatenate),
            TokenKind::Plus => (Level::Sum, BinaryOperator::Plus),
            TokenKind::Minus => (Level::Sum, BinaryOperator::Minus),
            TokenKind::Star => (Level::Product, BinaryOperator::Multiply),
            TokenKind::Slash => (Level::Product, BinaryOperator::Divide),
            TokenKind::Percent => (Level::Product, BinaryOperator::Modulo),
            TokenKind::Caret => (Level::BitXor, BinaryOperator::BitXor),
            _ => return None,
        };
        Some((level, Operation::Binary(operator)))
    }

    fn worded_operation(&mut self, keyword: Keyword) -> Option<(Level, Operation)> {
        match keyword {
            Keyword::And => Some((Level::And, Operation::Binary(BinaryOperator::And))),
            Keyword::Or => Some((Level::Or, Operation::Binary(BinaryOperator::Or))),
            Keyword::Div => Some((Level::Product, Operation::Binary(BinaryOperator::IntegerDivide))),
            Keyword::Is => Some(self.is_operation()),
            Keyword::Not => {
                let negated = self.peek_keyword(1)?;
                predicate(negated, Negation::Negated).map(|operation| (Level::Comparison, operation))
            }
            _ => predicate(keyword, Negation::Plain).map(|operation| (Level::Comparison, operation)),
        }
    }

    /// `IS [NOT] DISTINCT FROM` compares two operands, every other `IS` asks about one.
    fn is_operation(&mut self) -> (Level, Operation) {
        let operator = match (self.peek_keyword(1), self.peek_keyword(2)) {
            (Some(Keyword::Distinct), _) => BinaryOperator::IsDistinctFrom,
            (Some(Keyword::Not), Some(Keyword::Distinct)) => BinaryOperator::IsNotDistinctFrom,
            _ if self.version() < HiveVersion::V4_0 => return (Level::TightTruth, Operation::Truth),
            _ => return (Level::Truth, Operation::Truth),
        };
        (Level::Equality, Operation::Binary(operator))
    }

    /// A comparison of two values, or of one with the rows of a query, which binds as `<` does.
    fn comparison(&mut self, level: Level, operator: BinaryOperator) -> (Level, Operation) {
        let is_quantified = self.version() >= HiveVersion::V4_0
            && matches!(self.peek_keyword(1), Some(Keyword::Any | Keyword::Some | Keyword::All));
        if is_quantified {
            (Level::Comparison, Operation::Quantified(operator))
        } else {
            (level, Operation::Binary(operator))
        }
    }

    fn equal_spelling(&self) -> BinaryOperator {
        if self.token().span.len() == 2 { BinaryOperator::DoubleEqual } else { BinaryOperator::Equal }
    }

    fn not_equal_spelling(&self) -> BinaryOperator {
        if self.text().starts_with('!') { BinaryOperator::BangEqual } else { BinaryOperator::NotEqual }
    }
}

/// What a keyword behind an operand asks about it, apart from the operators between two operands.
const fn predicate(keyword: Keyword, negation: Negation) -> Option<Operation> {
    match keyword {
        Keyword::In => Some(Operation::In(negation)),
        Keyword::Between => Some(Operation::Between(negation)),
        Keyword::Like => Some(Operation::Like(negation, LikeOperator::Like)),
        Keyword::Rlike => Some(Operation::Like(negation, LikeOperator::RLike)),
        Keyword::Regexp => Some(Operation::Like(negation, LikeOperator::Regexp)),
        _ => None,
    }
}
