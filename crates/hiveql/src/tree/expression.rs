//! Expressions.

use guardbee_model::Span;

use super::{DataType, Identifier, Literal, Location, Query, StringLiteral};

/// An expression: 24 bytes, so that a row of literals costs little more than its text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Expression<'a> {
    Literal(Literal<'a>),
    /// A bare name: a column, a table alias (the left side of a [`Field`]), or under some settings a string.
    Column(&'a Identifier<'a>),
    /// `operand.name`: a column of a table alias, or a field of a struct. Resolution tells which.
    Field(&'a Field<'a>),
    /// `operand[index]`.
    Index(&'a Index<'a>),
    Call(&'a Call<'a>),
    Cast(&'a Cast<'a>),
    Case(&'a Case<'a>),
    Unary(&'a Unary<'a>),
    /// Operators of one level between operands, left to right.
    Chain(&'a Chain<'a>),
    Between(&'a Between<'a>),
    In(&'a In<'a>),
    Like(&'a Like<'a>),
    /// `operand IS [NOT] NULL | TRUE | FALSE | UNKNOWN`.
    Is(&'a Is<'a>),
    /// `operand = ANY|SOME|ALL (query)`.
    Quantified(&'a Quantified<'a>),
    Exists(&'a Subquery<'a>),
    Subquery(&'a Subquery<'a>),
    /// `DATE '...'`, `TIMESTAMP '...'`, `TIMESTAMPLOCALTZ '...'`.
    TypedLiteral(&'a TypedLiteral<'a>),
    Interval(&'a Interval<'a>),
    /// `EXTRACT(unit FROM operand)`.
    Extract(&'a Extract<'a>),
    /// `FLOOR(operand TO unit)`.
    Floor(&'a Floor<'a>),
    /// `TRIM([BOTH|LEADING|TRAILING] [characters] FROM operand)`.
    Trim(&'a Trim<'a>),
    /// `(a, b)`, a row or struct.
    Tuple(&'a Tuple<'a>),
    Parenthesized(&'a Parenthesized<'a>),
    /// `?` of a prepared statement.
    Parameter(Location),
    /// `*` or `t.*` as an argument; the prefix is a table alias or `db.table`.
    AllColumns(&'a AllColumns<'a>),
}

impl Expression<'_> {
    /// Where the expression stands in `source`, the text that the tree was read from.
    #[must_use]
    pub fn span(&self, source: &str) -> Span {
        match self {
            Self::Literal(literal) => {
                let start = (literal.raw.as_ptr() as usize).wrapping_sub(source.as_ptr() as usize);
                match (u32::try_from(start), u32::try_from(literal.raw.len())) {
                    (Ok(start), Ok(length)) if start as usize <= source.len() => {
                        Span::new(start, start + length)
                    }
                    _ => Span::default(),
                }
            }
            Self::Column(name) => name.span(),
            Self::Field(node) => node.location.0,
            Self::Index(node) => node.location.0,
            Self::Call(node) => node.location.0,
            Self::Cast(node) => node.location.0,
            Self::Case(node) => node.location.0,
            Self::Unary(node) => node.location.0,
            Self::Chain(node) => node.location.0,
            Self::Between(node) => node.location.0,
            Self::In(node) => node.location.0,
            Self::Like(node) => node.location.0,
            Self::Is(node) => node.location.0,
            Self::Quantified(node) => node.location.0,
            Self::Exists(node) | Self::Subquery(node) => node.location.0,
            Self::TypedLiteral(node) => node.location.0,
            Self::Interval(node) => node.location.0,
            Self::Extract(node) => node.location.0,
            Self::Floor(node) => node.location.0,
            Self::Trim(node) => node.location.0,
            Self::Tuple(node) => node.location.0,
            Self::Parenthesized(node) => node.location.0,
            Self::Parameter(location) => location.0,
            Self::AllColumns(node) => node.location.0,
        }
    }
}

/// `operand.name`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Field<'a> {
    pub operand: Expression<'a>,
    pub name: Identifier<'a>,
    pub location: Location,
}

/// `operand[index]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Index<'a> {
    pub operand: Expression<'a>,
    pub index: Expression<'a>,
    pub location: Location,
}

/// A call of a function by name.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Call<'a> {
    pub database: Option<Identifier<'a>>,
    pub function: Identifier<'a>,
    pub quantifier: Option<SetQuantifier>,
    /// `f(*)` is one [`Expression::AllColumns`].
    pub arguments: &'a [Expression<'a>],
    pub nulls: Option<(NullTreatment, NullsPlace)>,
    /// `WITHIN GROUP (ORDER BY ...)`.
    pub within_group: &'a [SortKey<'a>],
    pub over: Option<Window<'a>>,
    pub location: Location,
}

/// `DISTINCT`, `ALL`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SetQuantifier {
    All,
    Distinct,
}

/// `IGNORE NULLS`, `RESPECT NULLS`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NullTreatment {
    Respect,
    Ignore,
}

/// `RESPECT NULLS` and `IGNORE NULLS` may stand inside or behind the parentheses of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NullsPlace {
    Inside,
    Behind,
}

/// `OVER name` or `OVER (...)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Window<'a> {
    Named(Identifier<'a>),
    Specified(&'a WindowSpecification<'a>),
}

/// What stands in the parentheses of `OVER` and of the `WINDOW` clause.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WindowSpecification<'a> {
    /// A window that this one starts from.
    pub base: Option<Identifier<'a>>,
    pub partitioning: Option<Partitioning<'a>>,
    pub frame: Option<Frame<'a>>,
}

/// How rows are brought together and sorted before a window, a table function or a script sees them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Partitioning<'a> {
    /// `PARTITION BY ... [ORDER BY ...]`; either list may be empty.
    PartitionBy {
        keys: &'a [Expression<'a>],
        order: &'a [SortKey<'a>],
    },
    /// `DISTRIBUTE BY ... [SORT BY ...]`; either list may be empty.
    DistributeBy {
        keys: &'a [Expression<'a>],
        sort: &'a [SortKey<'a>],
    },
    ClusterBy {
        keys: &'a [Expression<'a>],
    },
}

/// `ROWS|RANGE BETWEEN start AND end`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame<'a> {
    pub unit: FrameUnit,
    pub start: FrameBound<'a>,
    /// Present after `BETWEEN`.
    pub end: Option<FrameBound<'a>>,
}

/// What a frame counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FrameUnit {
    Rows,
    Range,
}

/// Where a frame starts or ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FrameBound<'a> {
    UnboundedPreceding,
    UnboundedFollowing,
    CurrentRow,
    Preceding(Expression<'a>),
    Following(Expression<'a>),
}

/// An element of `ORDER BY` and `SORT BY`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SortKey<'a> {
    pub expression: Expression<'a>,
    pub direction: Option<Direction>,
    pub nulls: Option<NullOrder>,
}

/// `ASC`, `DESC`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    Ascending,
    Descending,
}

/// `NULLS FIRST`, `NULLS LAST`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NullOrder {
    First,
    Last,
}

/// `CAST(operand AS type)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cast<'a> {
    pub operand: Expression<'a>,
    pub data_type: DataType<'a>,
    pub format: Option<StringLiteral<'a>>,
    pub location: Location,
}

/// `CASE [operand] WHEN ... THEN ... [ELSE ...] END`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Case<'a> {
    pub operand: Option<Expression<'a>>,
    pub branches: &'a [(Expression<'a>, Expression<'a>)],
    pub otherwise: Option<Expression<'a>>,
    pub location: Location,
}

/// An operator with one operand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unary<'a> {
    pub operator: UnaryOperator,
    pub operand: Expression<'a>,
    pub location: Location,
}

/// The operators with one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnaryOperator {
    /// `NOT`, or `!` where a version knows it.
    Not,
    Bang,
    Plus,
    Minus,
    Tilde,
}

/// `first op operand op operand ...`, operators of one level, to be read from left to right.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chain<'a> {
    pub first: Expression<'a>,
    pub rest: &'a [(BinaryOperator, Expression<'a>)],
    pub location: Location,
}

/// The operators with two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BinaryOperator {
    Or,
    And,
    Equal,
    /// `==`.
    DoubleEqual,
    /// `<=>`.
    NullSafeEqual,
    /// `<>`.
    NotEqual,
    /// `!=`.
    BangEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    IsDistinctFrom,
    IsNotDistinctFrom,
    /// `||`.
    Concatenate,
    BitOr,
    BitXor,
    BitAnd,
    Plus,
    Minus,
    Multiply,
    Divide,
    Modulo,
    /// `DIV`.
    IntegerDivide,
}

/// Is `NOT` there?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Negation {
    Plain,
    Negated,
}

/// `operand [NOT] BETWEEN low AND high`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Between<'a> {
    pub operand: Expression<'a>,
    pub negation: Negation,
    pub low: Expression<'a>,
    pub high: Expression<'a>,
    pub location: Location,
}

/// `operand [NOT] IN (...)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct In<'a> {
    pub operand: Expression<'a>,
    pub negation: Negation,
    pub set: InSet<'a>,
    pub location: Location,
}

/// What stands in the parentheses of `IN`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum InSet<'a> {
    List(&'a [Expression<'a>]),
    Query(&'a Query<'a>),
}

/// `operand [NOT] LIKE|RLIKE|REGEXP pattern`, also `LIKE ANY|ALL (...)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Like<'a> {
    pub operand: Expression<'a>,
    pub negation: Negation,
    pub operator: LikeOperator,
    /// Present in `LIKE ANY (...)` and `LIKE ALL (...)`.
    pub quantifier: Option<LikeQuantifier>,
    /// One without a quantifier.
    pub patterns: &'a [Expression<'a>],
    pub location: Location,
}

/// `LIKE`, `RLIKE`, `REGEXP`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LikeOperator {
    Like,
    RLike,
    Regexp,
}

/// `ANY`, `ALL` of a list of patterns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LikeQuantifier {
    Any,
    All,
}

/// `operand IS [NOT] NULL|TRUE|FALSE|UNKNOWN`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Is<'a> {
    pub operand: Expression<'a>,
    pub negation: Negation,
    pub truth: Truth,
    pub location: Location,
}

/// What `IS` asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Truth {
    Null,
    True,
    False,
    Unknown,
}

/// `operand = ANY (query)` and kin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quantified<'a> {
    pub operand: Expression<'a>,
    pub operator: BinaryOperator,
    pub quantifier: Quantifier,
    pub query: &'a Query<'a>,
    pub location: Location,
}

/// `ANY`, `ALL`, `SOME` of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Quantifier {
    Any,
    Some,
    All,
}

/// `(query)` as a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Subquery<'a> {
    pub query: &'a Query<'a>,
    pub location: Location,
}

/// `DATE '2024-01-01'` and kin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TypedLiteral<'a> {
    pub literal_type: TypedLiteralType,
    /// Absent in `CURRENT_DATE`, `CURRENT_TIMESTAMP` without parentheses.
    pub value: Option<StringLiteral<'a>>,
    pub location: Location,
}

/// The types that literals start with, and the two that need no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TypedLiteralType {
    Date,
    Timestamp,
    TimestampLocalTimeZone,
    CurrentDate,
    CurrentTimestamp,
}

/// `INTERVAL '1' DAY`, `INTERVAL (expression) DAY`, `1 DAY`, `(1) DAY`; parentheses are part of `value`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval<'a> {
    /// Is the word `INTERVAL` there?
    pub spelling: IntervalSpelling,
    pub value: Expression<'a>,
    pub unit: IntervalUnit,
    pub location: Location,
}

/// Is the word `INTERVAL` there?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IntervalSpelling {
    /// `INTERVAL value unit`.
    Worded,
    /// `value unit`.
    Short,
}

/// What an interval counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IntervalUnit {
    YearToMonth,
    DayToSecond,
    Unit(TimeUnit),
}

/// A unit of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TimeUnit {
    Year,
    Quarter,
    Month,
    Week,
    Day,
    DayOfWeek,
    Hour,
    Minute,
    Second,
}

/// `EXTRACT(unit FROM operand)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extract<'a> {
    pub unit: TimeUnit,
    pub operand: Expression<'a>,
    pub location: Location,
}

/// `FLOOR(operand TO unit)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Floor<'a> {
    pub operand: Expression<'a>,
    pub unit: TimeUnit,
    pub location: Location,
}

/// `TRIM([side] [characters] FROM operand)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trim<'a> {
    pub side: Option<TrimSide>,
    pub characters: Option<Expression<'a>>,
    pub operand: Expression<'a>,
    pub location: Location,
}

/// `LEADING`, `TRAILING`, `BOTH`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TrimSide {
    Both,
    Leading,
    Trailing,
}

/// `(a, b)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tuple<'a> {
    pub items: &'a [Expression<'a>],
    pub location: Location,
}

/// `(a)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parenthesized<'a> {
    pub inner: Expression<'a>,
    pub location: Location,
}

/// `*`, `t.*`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AllColumns<'a> {
    /// The parts before `.*`: none, `t`, `db.t`, and from Hive 4 on `db.t.meta`.
    pub qualifier: &'a [Identifier<'a>],
    pub location: Location,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_stay_small() {
        assert_eq!(size_of::<Expression<'_>>(), 24);
        assert_eq!(size_of::<Option<Expression<'_>>>(), 24);
    }
}
