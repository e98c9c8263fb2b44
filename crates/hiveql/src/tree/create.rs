//! Statements that create and drop datasets.

use super::{
    DataType, Direction, Existence, Expression, FileFormat, Identifier, Literal, Location, NullOrder,
    PartitionSpecification, PrincipalName, Property, QualifiedName, Query, RowFormatting, SourceText,
    StringLiteral,
};

/// What a table, its columns or a view say of themselves: `COMMENT '...'`.
pub type Comment<'a> = Option<StringLiteral<'a>>;

/// `CREATE [REMOTE] DATABASE [IF NOT EXISTS] name clauses`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CreateDatabase<'a> {
    pub name: Identifier<'a>,
    pub if_not_exists: Existence,
    /// `CREATE REMOTE DATABASE ... USING connector`.
    pub connector: Option<Identifier<'a>>,
    pub comment: Comment<'a>,
    pub location: Option<StringLiteral<'a>>,
    pub managed_location: Option<StringLiteral<'a>>,
    pub properties: Option<&'a [Property<'a>]>,
}

/// `CREATE CATALOG name LOCATION '...' [COMMENT '...'] [PROPERTIES (...)]`, Hive 4.1 and later; properties
/// from 4.2 on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CreateCatalog<'a> {
    pub name: Identifier<'a>,
    pub if_not_exists: Existence,
    pub location: StringLiteral<'a>,
    pub comment: Comment<'a>,
    pub properties: Option<&'a [Property<'a>]>,
}

/// `CREATE DATACONNECTOR [IF NOT EXISTS] name TYPE '...' URL '...'`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CreateDataConnector<'a> {
    pub name: Identifier<'a>,
    pub if_not_exists: Existence,
    pub connector_type: StringLiteral<'a>,
    pub url: StringLiteral<'a>,
    pub comment: Comment<'a>,
    pub properties: Option<&'a [Property<'a>]>,
}

/// `CREATE [TEMPORARY] [MANAGED|EXTERNAL|TRANSACTIONAL] TABLE`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CreateTable<'a> {
    pub modifiers: TableModifiers,
    pub if_not_exists: Existence,
    pub name: QualifiedName<'a>,
    pub content: TableContent<'a>,
    /// The clauses that follow, in the order of the text (Hive wants one order, with some freedom).
    pub clauses: &'a [TableClause<'a>],
    pub location: Location,
}

/// The words between `CREATE` and `TABLE`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TableModifiers {
    pub temporary: bool,
    pub external: bool,
    pub managed: bool,
    pub transactional: bool,
}

/// Where the columns of a new table come from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TableContent<'a> {
    /// `(a INT, ...)`, and none where a SerDe or a query tells them.
    Columns(&'a [TableElement<'a>]),
    /// `LIKE t`.
    Like(QualifiedName<'a>),
    /// `LIKE FILE ORC 'path'`.
    LikeFile { format: Identifier<'a>, path: StringLiteral<'a> },
}

/// Kept small: a table may have a hundred thousand of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TableElement<'a> {
    Column(ColumnDefinition<'a>),
    Constraint(&'a TableConstraint<'a>),
}

/// `name type [constraint] [COMMENT '...']`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ColumnDefinition<'a> {
    pub name: Identifier<'a>,
    pub data_type: DataType<'a>,
    pub constraint: Option<&'a ColumnConstraint<'a>>,
    pub comment: Comment<'a>,
}

/// `name [COMMENT '...']`, a column whose type comes from a query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ColumnLabel<'a> {
    pub name: Identifier<'a>,
    pub comment: Comment<'a>,
}

/// `[CONSTRAINT name] rule [states]` behind a column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ColumnConstraint<'a> {
    /// `CONSTRAINT name`.
    pub name: Option<Identifier<'a>>,
    pub rule: ColumnRule<'a>,
    pub states: ConstraintStates,
}

/// What a constraint asks of a column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ColumnRule<'a> {
    NotNull,
    Unique,
    PrimaryKey,
    Default(Expression<'a>),
    /// The condition with its parentheses, which only Hive 3.1 lets out.
    Check(Expression<'a>),
    References {
        table: QualifiedName<'a>,
        column: Identifier<'a>,
    },
}

/// `[CONSTRAINT name] rule [states]` beside the columns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TableConstraint<'a> {
    pub name: Option<Identifier<'a>>,
    pub rule: TableRule<'a>,
    pub states: ConstraintStates,
}

/// What a constraint asks of a table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TableRule<'a> {
    PrimaryKey(&'a [Identifier<'a>]),
    Unique(&'a [Identifier<'a>]),
    ForeignKey { columns: &'a [Identifier<'a>], table: QualifiedName<'a>, references: &'a [Identifier<'a>] },
    Check(Expression<'a>),
}

/// `ENABLE|DISABLE [VALIDATE|NOVALIDATE] [RELY|NORELY]`; `ENFORCED` spellings are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ConstraintStates {
    pub enable: Option<Enablement>,
    pub validate: Option<Validation>,
    pub rely: Option<Reliance>,
}

/// `ENABLE`, `DISABLE`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Enablement {
    Enable,
    Disable,
    /// `ENFORCED`.
    Enforced,
    /// `NOT ENFORCED`.
    NotEnforced,
}

/// `VALIDATE`, `NOVALIDATE`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Validation {
    Validate,
    NoValidate,
}

/// `RELY`, `NORELY`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reliance {
    Rely,
    NoRely,
}

/// What may follow the columns of a new table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TableClause<'a> {
    Comment(StringLiteral<'a>),
    PartitionedBy(PartitionColumns<'a>),
    /// `PARTITIONED BY SPEC (bucket(4, a), b)`.
    PartitionedBySpec(&'a [PartitionTransform<'a>]),
    ClusteredBy(Buckets<'a>),
    WriteOrderedBy(WriteOrder<'a>),
    Skewed(SkewedBy<'a>),
    RowFormat(RowFormatting<'a>),
    Stored(Storage<'a>),
    Location(StringLiteral<'a>),
    Properties(&'a [Property<'a>]),
    As {
        query: &'a Query<'a>,
        query_text: SourceText<'a>,
    },
}

/// Who keeps the rows, and in which files.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Storage<'a> {
    /// `STORED AS format`.
    As(FileFormat<'a>),
    /// `STORED BY 'class' [WITH SERDEPROPERTIES (...)] [STORED AS format]` (also `STORED BY ICEBERG`).
    By {
        handler: StorageHandler<'a>,
        properties: Option<&'a [Property<'a>]>,
        stored_as: Option<Identifier<'a>>,
    },
}

/// Who keeps a table's data: a class, or a format that has one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum StorageHandler<'a> {
    Class(StringLiteral<'a>),
    Named(Identifier<'a>),
}

/// What stands in `PARTITIONED BY (...)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PartitionColumns<'a> {
    Typed(&'a [ColumnDefinition<'a>]),
    /// `PARTITIONED BY (a, b)` of CTAS and materialized views.
    Named(&'a [Identifier<'a>]),
}

/// A partition made from a column, as in `BUCKET(8, a)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PartitionTransform<'a> {
    Column(Identifier<'a>),
    /// `year(a)`, `bucket(4, a)`, `truncate(3, a)`.
    Function {
        name: Identifier<'a>,
        argument: Option<Literal<'a>>,
        column: Identifier<'a>,
    },
}

/// `CLUSTERED BY (a) [SORTED BY (b DESC)] INTO 4 BUCKETS`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Buckets<'a> {
    pub columns: &'a [Identifier<'a>],
    pub sorted_by: &'a [SortColumn<'a>],
    pub count: &'a str,
}

/// How writers of a table order its rows: `WRITE [LOCALLY] ORDERED BY ...`, Hive 4.1 and later.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WriteOrder<'a> {
    pub locally: bool,
    pub keys: WriteKeys<'a>,
}

/// What `WRITE ORDERED BY` sorts by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum WriteKeys<'a> {
    /// `a, b DESC`.
    Columns(&'a [SortColumn<'a>]),
    /// `ZORDER(a, b)`, Hive 4.2 and later.
    Zorder(&'a [Identifier<'a>]),
}

/// `column [ASC|DESC] [NULLS FIRST|LAST]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SortColumn<'a> {
    pub name: Identifier<'a>,
    pub direction: Option<Direction>,
    pub nulls: Option<NullOrder>,
}

/// `SKEWED BY (a, b) ON ((1, 2), (3, 4)) [STORED AS DIRECTORIES]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SkewedBy<'a> {
    pub columns: &'a [Identifier<'a>],
    pub values: &'a [SkewedValue<'a>],
    pub stored_as_directories: bool,
}

/// A value, or a list of one for each column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SkewedValue<'a> {
    /// `1`.
    Constant(Expression<'a>),
    /// `(1, 2)`.
    Row(&'a [Expression<'a>]),
}

/// `CREATE [OR REPLACE] VIEW name ... AS query`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CreateView<'a> {
    pub or_replace: bool,
    pub if_not_exists: Existence,
    pub name: QualifiedName<'a>,
    pub columns: &'a [ColumnLabel<'a>],
    pub comment: Comment<'a>,
    pub partitioned_on: Option<ViewPartitioning<'a>>,
    pub properties: Option<&'a [Property<'a>]>,
    pub query: &'a Query<'a>,
    /// The query's text, kept as Hive keeps it in the metastore.
    pub query_text: SourceText<'a>,
}

/// What stands behind `PARTITIONED ON`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ViewPartitioning<'a> {
    /// `PARTITIONED ON (a, b)`.
    Columns(&'a [Identifier<'a>]),
    /// `PARTITIONED ON SPEC (year(a))`, Hive 4 and later.
    Spec(&'a [PartitionTransform<'a>]),
}

/// `CREATE MATERIALIZED VIEW name ... AS query`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CreateMaterializedView<'a> {
    pub if_not_exists: Existence,
    pub name: QualifiedName<'a>,
    /// `ENABLE REWRITE` in Hive 2.3, `DISABLE REWRITE` from 3.1 on: each the opposite of the default.
    pub rewrite: Option<Enablement>,
    /// In the order of the text, which Hive prescribes.
    pub clauses: &'a [MaterializedViewClause<'a>],
    pub query: &'a Query<'a>,
    pub query_text: SourceText<'a>,
}

/// What may stand between the name of a materialized view and its query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MaterializedViewClause<'a> {
    Comment(StringLiteral<'a>),
    PartitionedOn(ViewPartitioning<'a>),
    ClusteredOn(&'a [Identifier<'a>]),
    DistributedOn { columns: &'a [Identifier<'a>], sorted_on: &'a [Identifier<'a>] },
    RowFormat(RowFormatting<'a>),
    Stored(Storage<'a>),
    Location(StringLiteral<'a>),
    Properties(&'a [Property<'a>]),
}

/// `CREATE SCHEDULED QUERY name schedule ... AS statement`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CreateScheduledQuery<'a> {
    pub name: Identifier<'a>,
    pub schedule: Schedule<'a>,
    pub executed_as: Option<StringLiteral<'a>>,
    pub enabled: Option<Enablement>,
    pub query: &'a super::Statement<'a>,
    pub query_text: SourceText<'a>,
}

/// `CRON '...'`, `EVERY n unit`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Schedule<'a> {
    Cron(StringLiteral<'a>),
    /// `EVERY [n] MINUTE [AT '...' | OFFSET BY '...']`.
    Every {
        count: Option<&'a str>,
        unit: super::IntervalUnit,
        offset: Option<ScheduleOffset<'a>>,
    },
}

/// When an interval of a schedule starts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ScheduleOffset<'a> {
    At(StringLiteral<'a>),
    OffsetBy(StringLiteral<'a>),
}

/// `CREATE TEMPORARY MACRO name(a INT, ...) expression`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CreateMacro<'a> {
    pub name: Identifier<'a>,
    pub parameters: &'a [ColumnDefinition<'a>],
    pub body: Expression<'a>,
    pub body_text: SourceText<'a>,
}

/// `CREATE [TEMPORARY] FUNCTION name AS 'class' [USING resource, ...]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CreateFunction<'a> {
    pub temporary: bool,
    pub name: QualifiedName<'a>,
    pub class: StringLiteral<'a>,
    pub resources: &'a [FunctionResource<'a>],
}

/// `JAR|FILE|ARCHIVE 'path'`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FunctionResource<'a> {
    pub kind: ResourceKind,
    pub uri: StringLiteral<'a>,
}

/// What kind of file a resource is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ResourceKind {
    Jar,
    File,
    Archive,
}

/// `CREATE INDEX`, Hive 2.3 only.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CreateIndex<'a> {
    pub name: Identifier<'a>,
    pub table: QualifiedName<'a>,
    pub columns: &'a [Identifier<'a>],
    pub handler: StringLiteral<'a>,
    pub deferred_rebuild: bool,
    pub index_properties: Option<&'a [Property<'a>]>,
    pub in_table: Option<QualifiedName<'a>>,
    pub row_format: RowFormatting<'a>,
    pub storage: Option<Storage<'a>>,
    pub location: Option<StringLiteral<'a>>,
    pub table_properties: Option<&'a [Property<'a>]>,
    pub comment: Comment<'a>,
}

/// `DROP object [IF EXISTS] name ...`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drop<'a> {
    pub object: DropObject<'a>,
    pub if_exists: Existence,
}

/// What `DROP` takes away.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DropObject<'a> {
    Catalog(Identifier<'a>),
    Database { name: Identifier<'a>, behavior: Option<DropBehavior> },
    DataConnector(Identifier<'a>),
    Table { name: QualifiedName<'a>, purge: bool, replication: Option<ReplicationClause<'a>> },
    View(QualifiedName<'a>),
    MaterializedView(QualifiedName<'a>),
    Function { temporary: bool, name: QualifiedName<'a> },
    Macro(Identifier<'a>),
    Index { name: Identifier<'a>, table: QualifiedName<'a> },
    ScheduledQuery(Identifier<'a>),
}

/// `RESTRICT`, `CASCADE`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DropBehavior {
    Restrict,
    Cascade,
}

/// `FOR [METADATA] REPLICATION ('event')`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplicationClause<'a> {
    pub metadata_only: bool,
    pub event: StringLiteral<'a>,
}

/// `TRUNCATE [TABLE] name ...`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Truncate<'a> {
    /// `TRUNCATE [TABLE] t`.
    pub table_word: super::TableWord,
    pub name: QualifiedName<'a>,
    pub partition: Option<PartitionSpecification<'a>>,
    /// `COLUMNS (a, b)`.
    pub columns: &'a [Identifier<'a>],
    pub force: bool,
}

/// `ALTER DATABASE d SET ...`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AlterDatabase<'a> {
    pub name: Identifier<'a>,
    pub change: DatabaseChange<'a>,
}

/// What `ALTER DATABASE` does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DatabaseChange<'a> {
    Properties(&'a [Property<'a>]),
    Owner(PrincipalName<'a>),
    Location(StringLiteral<'a>),
    ManagedLocation(StringLiteral<'a>),
}

/// `ALTER CATALOG name SET LOCATION '...'`, Hive 4.1 and later.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AlterCatalog<'a> {
    pub name: Identifier<'a>,
    pub change: CatalogAlteration<'a>,
}

/// What `ALTER CATALOG` does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CatalogAlteration<'a> {
    Location(StringLiteral<'a>),
    /// Hive 4.2 and later.
    Properties(&'a [Property<'a>]),
}

/// `ALTER DATACONNECTOR name SET change`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AlterDataConnector<'a> {
    pub name: Identifier<'a>,
    pub change: DataConnectorChange<'a>,
}

/// What `ALTER DATACONNECTOR` does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DataConnectorChange<'a> {
    Properties(&'a [Property<'a>]),
    Owner(PrincipalName<'a>),
    Url(StringLiteral<'a>),
}
