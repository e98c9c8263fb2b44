//! Queries: everything that selects, alone or into tables and directories.

use super::{
    Call, DataType, Expression, Identifier, Insert, Location, Partitioning, Property, QualifiedName,
    SetQuantifier, SortKey, StringLiteral, Trim, Window,
};

/// `[WITH ...] body`: a whole query with what it writes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Query<'a> {
    pub ctes: &'a [CommonTableExpression<'a>],
    pub body: QueryBody<'a>,
    pub location: Location,
}

/// A query without its `WITH`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum QueryBody<'a> {
    /// `[INSERT ...] SELECT ...`, also set operations, `VALUES` and parenthesised queries.
    Plain(&'a PlainQuery<'a>),
    /// `FROM ... INSERT ... SELECT ... INSERT ... SELECT ...`, also `FROM ... SELECT|MAP|REDUCE ...`;
    /// several of them joined by set operations.
    FromFirst(&'a FromFirstQuery<'a>),
}

/// `name [(columns)] AS (query)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CommonTableExpression<'a> {
    pub name: Identifier<'a>,
    pub columns: &'a [Identifier<'a>],
    pub query: &'a Query<'a>,
}

/// Selects joined by set operators, what sorts and limits their result, and where it goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlainQuery<'a> {
    pub insert: Option<&'a Insert<'a>>,
    pub set: SetChain<'a>,
    /// `ORDER BY`, `LIMIT` and kin behind a set operation or a parenthesised query. With a single
    /// [`Select`] they are part of it, and this is empty.
    pub tail: Tail<'a>,
}

/// `first UNION operand EXCEPT operand ...`, to be read from left to right: all set operators bind alike.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SetChain<'a> {
    pub first: SetOperand<'a>,
    pub rest: &'a [(SetOperator, Option<SetQuantifier>, SetOperand<'a>)],
}

/// `UNION`, `INTERSECT`, `EXCEPT`, `MINUS`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SetOperator {
    Union,
    Intersect,
    Except,
    Minus,
}

/// What a set operator joins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SetOperand<'a> {
    Select(&'a Select<'a>),
    /// `(query)`.
    Query(&'a Query<'a>),
    Values(&'a Values<'a>),
}

/// `ORDER BY`, `CLUSTER BY`, `DISTRIBUTE BY`, `SORT BY` and `LIMIT` at the end of a select or set operation.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tail<'a> {
    pub order_by: &'a [SortKey<'a>],
    pub cluster_by: &'a [Expression<'a>],
    pub distribute_by: &'a [Expression<'a>],
    pub sort_by: &'a [SortKey<'a>],
    pub limit: Option<Limit<'a>>,
}

/// `LIMIT count`, `LIMIT offset, count`, `LIMIT count OFFSET offset`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limit<'a> {
    pub count: Expression<'a>,
    pub offset: Option<Offset<'a>>,
}

/// What `LIMIT` leaves out at the start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Offset<'a> {
    /// `LIMIT offset, count`.
    Comma(Expression<'a>),
    /// `LIMIT count OFFSET offset`.
    Word(Expression<'a>),
}

/// `SELECT ... FROM ...` (or `MAP`/`REDUCE`), one block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Select<'a> {
    /// The text between `/*+` and `*/`.
    pub hint: Option<&'a str>,
    pub quantifier: Option<SetQuantifier>,
    pub projection: Projection<'a>,
    /// Absent without `FROM`, and in the branches of a FROM-first query.
    pub from: Option<FromClause<'a>>,
    /// `LATERAL VIEW` of a FROM-first branch (`FROM t INSERT ... SELECT ... LATERAL VIEW ...`).
    pub lateral_view: Option<LateralView<'a>>,
    pub filter: Option<Expression<'a>>,
    pub group_by: Option<GroupBy<'a>>,
    pub having: Option<Expression<'a>>,
    pub windows: &'a [NamedWindow<'a>],
    pub qualify: Option<Expression<'a>>,
    pub tail: Tail<'a>,
    pub location: Location,
}

/// What a select gives: items, or what a script makes of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Projection<'a> {
    Items(&'a [SelectItem<'a>]),
    /// `SELECT TRANSFORM (...) USING`, `MAP ... USING`, `REDUCE ... USING`.
    Transform(&'a Transform<'a>),
}

/// One element of a select list; stars are [`Expression::AllColumns`], and regex columns are
/// [`Expression::Column`] (or a field of a table alias) whose quoted name is a pattern.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SelectItem<'a> {
    pub expression: Expression<'a>,
    pub alias: Option<ItemAlias<'a>>,
    pub location: Location,
}

/// What an item is called.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ItemAlias<'a> {
    /// `expression AS name`.
    As(Identifier<'a>),
    /// `expression name`.
    Bare(Identifier<'a>),
    /// `AS (a, b)`, for functions that return several columns.
    List(&'a [Identifier<'a>]),
}

/// A script that rows are sent through.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transform<'a> {
    pub spelling: TransformSpelling,
    pub arguments: &'a [Expression<'a>],
    pub input_format: RowFormatting<'a>,
    pub record_writer: Option<StringLiteral<'a>>,
    pub command: StringLiteral<'a>,
    pub output: TransformOutput<'a>,
    pub output_format: RowFormatting<'a>,
    pub record_reader: Option<StringLiteral<'a>>,
}

/// Which word a transformation starts with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TransformSpelling {
    /// `SELECT TRANSFORM (a, b)`.
    SelectTransform,
    /// `MAP a, b`.
    Map,
    /// `REDUCE a, b`.
    Reduce,
}

/// The columns that a script gives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TransformOutput<'a> {
    /// No `AS`: `key`, `value`.
    Default,
    /// `AS (a, b)` or `AS a, b`.
    Names { names: &'a [Identifier<'a>], parenthesized: Parentheses },
    /// `AS (a INT, b STRING)` or `AS a INT, b STRING`.
    Typed { columns: &'a [ScriptColumn<'a>], parenthesized: Parentheses },
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScriptColumn<'a> {
    pub name: Identifier<'a>,
    pub data_type: DataType<'a>,
    pub comment: Option<StringLiteral<'a>>,
}

/// Are there parentheses around the list?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Parentheses {
    Present,
    Absent,
}

/// `ROW FORMAT ...` of tables, directories and scripts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RowFormatting<'a> {
    Unspecified,
    Serde { class: StringLiteral<'a>, properties: Option<&'a [Property<'a>]> },
    Delimited(&'a DelimitedFormat<'a>),
}

/// `ROW FORMAT DELIMITED ...`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DelimitedFormat<'a> {
    pub fields: Option<StringLiteral<'a>>,
    pub fields_escaped: Option<StringLiteral<'a>>,
    pub collection_items: Option<StringLiteral<'a>>,
    pub map_keys: Option<StringLiteral<'a>>,
    pub lines: Option<StringLiteral<'a>>,
    pub null_as: Option<StringLiteral<'a>>,
}

/// What stands behind `FROM`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FromClause<'a> {
    Source(&'a TableSource<'a>),
    /// `FROM UNIQUEJOIN PRESERVE a (a.key), b (b.key)`.
    UniqueJoin(&'a [UniqueJoinSource<'a>]),
}

/// A table of `UNIQUEJOIN`, with its keys.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UniqueJoinSource<'a> {
    pub preserve: Preservation,
    pub source: TableReference<'a>,
    pub keys: &'a [Expression<'a>],
}

/// Does `UNIQUEJOIN` keep the rows without a match?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Preservation {
    Plain,
    Preserve,
}

/// Tables joined from left to right: `first JOIN next ON ... , next LATERAL VIEW ...`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TableSource<'a> {
    pub first: TableFactor<'a>,
    /// Joins and lateral views, in the order of the text.
    pub rest: &'a [SourceStep<'a>],
}

/// What follows the first table of `FROM`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SourceStep<'a> {
    Join(Join<'a>),
    LateralView(LateralView<'a>),
}

/// A join with what stands before it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Join<'a> {
    pub kind: JoinKind,
    pub right: JoinOperand<'a>,
    pub condition: JoinCondition<'a>,
    pub location: Location,
}

/// How rows of two sides are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JoinKind {
    Comma,
    /// `JOIN`.
    Join,
    /// `INNER JOIN`.
    Inner,
    Cross,
    /// `LEFT JOIN`, with or without `OUTER`.
    Left,
    LeftOuter,
    Right,
    RightOuter,
    Full,
    FullOuter,
    LeftSemi,
}

/// The right side of a join: a table with lateral views of its own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JoinOperand<'a> {
    pub factor: TableFactor<'a>,
    /// `JOIN t LATERAL VIEW ... ON ...`: the views that stand before the condition.
    pub lateral_views: &'a [LateralView<'a>],
}

/// `ON condition`, `USING (columns)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum JoinCondition<'a> {
    Absent,
    On(Expression<'a>),
    Using(&'a [Identifier<'a>]),
}

/// One thing that rows come from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TableFactor<'a> {
    Table(&'a TableReference<'a>),
    /// `(query) [AS] alias`.
    Subquery(&'a DerivedTable<'a>),
    /// `(a JOIN b ON ...)`.
    Joined(&'a TableSource<'a>),
    /// `f(ON source PARTITION BY ... args) alias`.
    PartitionedFunction(&'a PartitionedTableFunction<'a>),
    /// `(VALUES (1, 2), (3, 4)) AS t (a, b)` of Hive 2.3, `TABLE(VALUES ...)` of later ones.
    Values(&'a ValuesTable<'a>),
}

/// `db.t [(properties)] [TABLESAMPLE ...] [FOR SYSTEM_TIME AS OF ...] [[AS] alias]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TableReference<'a> {
    pub name: QualifiedName<'a>,
    /// `t('key'='value')`, table properties in a query; none where there are no parentheses.
    pub properties: &'a [Property<'a>],
    pub sample: Option<Sample<'a>>,
    pub as_of: Option<AsOf<'a>>,
    pub alias: Option<TableAlias<'a>>,
    pub location: Location,
}

/// `[AS] alias`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TableAlias<'a> {
    pub spelling: AliasSpelling,
    pub name: Identifier<'a>,
}

/// Is the word `AS` there?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AliasSpelling {
    As,
    Bare,
}

/// `TABLESAMPLE (...)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sample<'a> {
    /// `TABLESAMPLE (BUCKET x OUT OF y [ON ...])`.
    Bucket { bucket: &'a str, out_of: &'a str, on: &'a [Expression<'a>] },
    /// `TABLESAMPLE (10 PERCENT)`.
    Percent(&'a str),
    /// `TABLESAMPLE (10 ROWS)`.
    Rows(&'a str),
    /// `TABLESAMPLE (10M)`.
    Bytes(&'a str),
}

/// Time travel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AsOf<'a> {
    /// `FOR SYSTEM_TIME AS OF expression`.
    SystemTime(Expression<'a>),
    /// `FOR SYSTEM_VERSION AS OF expression`.
    SystemVersion(Expression<'a>),
}

/// `(query) alias` in `FROM`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DerivedTable<'a> {
    pub query: &'a Query<'a>,
    pub alias: TableAlias<'a>,
    pub location: Location,
}

/// `function(ON input PARTITION BY ... arguments)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PartitionedTableFunction<'a> {
    pub function: Identifier<'a>,
    pub input: TableFunctionInput<'a>,
    pub partitioning: Option<Partitioning<'a>>,
    pub arguments: &'a [(Identifier<'a>, Expression<'a>)],
    pub alias: Option<Identifier<'a>>,
    pub location: Location,
}

/// What a partitioned table function reads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TableFunctionInput<'a> {
    Table(&'a TableReference<'a>),
    Subquery(&'a DerivedTable<'a>),
    Function(&'a PartitionedTableFunction<'a>),
}

/// `VALUES (...), ...` as a table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ValuesTable<'a> {
    pub spelling: ValuesSpelling,
    pub values: Values<'a>,
    pub alias: TableAlias<'a>,
    pub columns: &'a [Identifier<'a>],
    pub location: Location,
}

/// How a table of values is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ValuesSpelling {
    /// `(VALUES ...) t (a)`, Hive 2.3.
    Parenthesized,
    /// `TABLE(VALUES ...) t (a)`, Hive 3.1 and later.
    Table,
}

/// `VALUES (...), (...)`. Rows come in blocks, so that a statement of many million rows is never held
/// twice while it is read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Values<'a> {
    pub blocks: &'a [RowBlock<'a>],
    /// The names of columns that the first row gives, `(1 AS a, 2 b)`; none at all where it gives none.
    pub names: &'a [Option<Identifier<'a>>],
}

impl<'a> Values<'a> {
    /// The rows in order.
    pub fn rows(&self) -> impl Iterator<Item = &'a [Expression<'a>]> + use<'a> {
        self.blocks.iter().flat_map(RowBlock::rows)
    }
}

/// Some rows of a `VALUES`: all cells in a row, and where each row ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RowBlock<'a> {
    pub cells: &'a [Expression<'a>],
    /// For each row the number of cells up to its end.
    pub row_ends: &'a [u32],
}

impl<'a> RowBlock<'a> {
    /// The rows of the block in order.
    pub fn rows(&self) -> impl Iterator<Item = &'a [Expression<'a>]> + use<'a> {
        let cells = self.cells;
        let mut start = 0;
        self.row_ends.iter().map(move |&end| {
            let row = cells.get(start..end as usize).unwrap_or(&[]);
            start = end as usize;
            row
        })
    }
}

/// `LATERAL VIEW [OUTER] f(...) alias [AS a, b]`, `LATERAL TABLE(VALUES ...) [AS] alias [(a, b)]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LateralView<'a> {
    pub source: LateralSource<'a>,
    pub alias: Identifier<'a>,
    pub columns: &'a [Identifier<'a>],
    pub location: Location,
}

/// What a lateral view reads: a call, or a table of values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LateralSource<'a> {
    View {
        outer: Outer,
        call: &'a Call<'a>,
    },
    /// `TRIM(a FROM b)`: Hive 4 takes it for a call here, too, and only later finds that it makes no rows.
    Trim {
        outer: Outer,
        trim: &'a Trim<'a>,
    },
    Values(Values<'a>),
}

/// Is the word `OUTER` there?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outer {
    Plain,
    Outer,
}

/// `GROUP BY ...`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroupBy<'a> {
    /// None in `GROUP BY ()`.
    pub keys: &'a [Expression<'a>],
    pub grouping: Grouping<'a>,
}

/// How groups are made of the keys.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Grouping<'a> {
    Plain,
    /// `GROUP BY a, b WITH ROLLUP`.
    WithRollup,
    /// `GROUP BY a, b WITH CUBE`.
    WithCube,
    /// `GROUP BY ROLLUP (a, b)`.
    Rollup,
    /// `GROUP BY CUBE (a, b)`.
    Cube,
    /// `GROUP BY a, b GROUPING SETS ((a), (a, b))`; sets without parentheses hold one expression.
    Sets(&'a [GroupingSet<'a>]),
}

/// One set of `GROUPING SETS (...)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroupingSet<'a> {
    pub keys: &'a [Expression<'a>],
    pub parenthesized: Parentheses,
}

/// `WINDOW name AS (...)`, `WINDOW name AS other`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NamedWindow<'a> {
    pub name: Identifier<'a>,
    pub window: Window<'a>,
}

/// `FROM source INSERT ... SELECT ... INSERT ...`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FromFirstQuery<'a> {
    pub first: FromFirstBlock<'a>,
    pub rest: &'a [(SetOperator, Option<SetQuantifier>, FromFirstBlock<'a>)],
}

/// `FROM source` and the branches that read it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FromFirstBlock<'a> {
    pub from: FromClause<'a>,
    pub branches: &'a [FromFirstBranch<'a>],
}

/// One `[INSERT ...] SELECT ...` of a query that starts with `FROM`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FromFirstBranch<'a> {
    pub insert: Option<&'a Insert<'a>>,
    /// A select without a `FROM` of its own.
    pub select: &'a Select<'a>,
}
