//! Statements that ask for metadata: SHOW, DESCRIBE, EXPLAIN; and what speaks to the server itself.

use super::{
    Expression, Identifier, Limit, Location, PartitionSpecification, PrincipalName, PrivilegeObject,
    QualifiedName, SortKey, Statement, StringLiteral,
};

/// `SHOW ...`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Show<'a> {
    /// `SHOW CATALOGS [LIKE 'p']`, Hive 4.1 and later.
    Catalogs {
        pattern: Option<PatternText<'a>>,
    },
    /// `SHOW DATABASES|SCHEMAS [LIKE 'p']`.
    Databases {
        pattern: Option<PatternText<'a>>,
    },
    /// `SHOW CONNECTORS`.
    DataConnectors,
    /// `SHOW [EXTENDED] TABLES [FROM|IN db] [[LIKE] 'p' | WHERE 'TABLE_TYPE' = '...']`.
    Tables {
        extended: bool,
        database: Option<Identifier<'a>>,
        filter: Option<TableFilter<'a>>,
    },
    Views {
        database: Option<Identifier<'a>>,
        pattern: Option<Pattern<'a>>,
    },
    MaterializedViews {
        database: Option<Identifier<'a>>,
        pattern: Option<Pattern<'a>>,
    },
    /// `SHOW [SORTED] COLUMNS FROM|IN t [FROM|IN db] [[LIKE] 'p']`.
    Columns {
        sorted: bool,
        table: QualifiedName<'a>,
        database: Option<Identifier<'a>>,
        pattern: Option<Pattern<'a>>,
    },
    /// `SHOW FUNCTIONS [[LIKE] 'p']`.
    Functions {
        pattern: Option<Pattern<'a>>,
    },
    /// `SHOW PARTITIONS t [PARTITION (...)] [WHERE ...] [ORDER BY ...] [LIMIT n]`.
    Partitions(&'a ShowPartitions<'a>),
    CreateTable(QualifiedName<'a>),
    CreateDatabase(Identifier<'a>),
    /// `SHOW TABLE EXTENDED [FROM|IN db] LIKE 'p' [PARTITION (...)]`.
    TableStatus {
        database: Option<Identifier<'a>>,
        table: PatternText<'a>,
        partition: Option<PartitionSpecification<'a>>,
    },
    /// `SHOW TBLPROPERTIES t [('key')]`.
    TableProperties {
        table: QualifiedName<'a>,
        key: Option<StringLiteral<'a>>,
    },
    /// `SHOW LOCKS [scope] [EXTENDED]`.
    Locks {
        scope: ShowScope<'a>,
        extended: bool,
    },
    Transactions,
    /// `SHOW COMPACTIONS ...` with the filters of Hive 4.
    Compactions(&'a ShowCompactions<'a>),
    /// `SHOW CONF 'key'`.
    Conf(StringLiteral<'a>),
    /// `SHOW [FORMATTED] INDEX|INDEXES ON t [FROM|IN db]`, Hive 2.3.
    Indexes {
        formatted: bool,
        table: PatternText<'a>,
        database: Option<Identifier<'a>>,
    },
    ResourcePlans,
    ResourcePlan(Identifier<'a>),
    Roles,
    CurrentRoles,
    /// `SHOW ROLE GRANT principal`.
    RoleGrant(PrincipalName<'a>),
    /// `SHOW PRINCIPALS role`.
    Principals(Identifier<'a>),
    /// `SHOW GRANT [principal] [ON object | ON ALL]`.
    Grant {
        principal: Option<PrincipalName<'a>>,
        object: Option<GrantFilter<'a>>,
    },
    /// `SHOW PROCESSLIST`, which Hive 4 answers before its parser is asked.
    ProcessList,
    /// Our own: `SHOW TAGS [ON object]`, `SHOW ROW FILTERS [ON t]`, `SHOW COLUMN MASKS [ON t]`.
    Tags(Option<PrivilegeObject<'a>>),
    RowFilters(Option<QualifiedName<'a>>),
    ColumnMasks(Option<QualifiedName<'a>>),
}

/// The object of a `SHOW GRANT`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum GrantFilter<'a> {
    All,
    Object { object: PrivilegeObject<'a>, columns: &'a [Identifier<'a>] },
}

/// A name or string that lists are narrowed by, where `LIKE` may be left out before it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pattern<'a> {
    pub like: bool,
    pub text: PatternText<'a>,
}

/// A pattern in quotes, or a name in its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PatternText<'a> {
    String(StringLiteral<'a>),
    Name(QualifiedName<'a>),
}

/// What `SHOW TABLES` and kin are narrowed by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TableFilter<'a> {
    Pattern(Pattern<'a>),
    /// `WHERE table_type = 'MANAGED_TABLE'`.
    Where {
        key: Identifier<'a>,
        value: StringLiteral<'a>,
    },
}

/// `SHOW PARTITIONS table ...`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShowPartitions<'a> {
    pub table: QualifiedName<'a>,
    pub partition: Option<PartitionSpecification<'a>>,
    pub filter: Option<Expression<'a>>,
    pub order_by: &'a [SortKey<'a>],
    pub limit: Option<Limit<'a>>,
}

/// What locks or compactions are listed of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ShowScope<'a> {
    All,
    Database(Identifier<'a>),
    /// `t [column.path] [PARTITION (...)]`. Hive reads a path here and makes nothing of it.
    Table {
        table: QualifiedName<'a>,
        path: &'a [Identifier<'a>],
        partition: Option<PartitionSpecification<'a>>,
    },
}

/// `SHOW COMPACTIONS ...`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ShowCompactions<'a> {
    /// `SHOW COMPACTIONS COMPACTIONID = n`.
    ById(&'a str),
    Filtered(CompactionFilter<'a>),
}

/// `SHOW COMPACTIONS [scope] [POOL 'p'] [TYPE 't'] [STATUS 's'] [ORDER BY ...] [LIMIT n]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CompactionFilter<'a> {
    pub scope: ShowScope<'a>,
    pub pool: Option<StringLiteral<'a>>,
    pub kind: Option<StringLiteral<'a>>,
    pub status: Option<StringLiteral<'a>>,
    pub order_by: &'a [SortKey<'a>],
    pub limit: Option<Limit<'a>>,
}

impl CompactionFilter<'_> {
    /// All compactions.
    pub const ALL: Self =
        Self { scope: ShowScope::All, pool: None, kind: None, status: None, order_by: &[], limit: None };
}

/// `DESCRIBE ...`, also spelt `DESC`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Describe<'a> {
    /// `DESCRIBE [EXTENDED|FORMATTED] t [PARTITION (...)] [column.path]`.
    Table {
        detail: Option<Detail>,
        table: QualifiedName<'a>,
        partition: Option<PartitionSpecification<'a>>,
        /// A column, and fields inside it; `$elem$`, `$key$` and `$value$` reach into collections.
        path: &'a [Identifier<'a>],
    },
    /// `DESCRIBE CATALOG [EXTENDED] c`, Hive 4.1 and later.
    Catalog {
        extended: bool,
        name: Identifier<'a>,
    },
    Database {
        extended: bool,
        name: Identifier<'a>,
    },
    DataConnector {
        extended: bool,
        name: Identifier<'a>,
    },
    /// `DESCRIBE FUNCTION [EXTENDED] f`; operators such as `+` and strings are names here.
    Function {
        extended: bool,
        name: DescribedFunction<'a>,
    },
}

/// What `DESCRIBE FUNCTION` names: a function or an operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DescribedFunction<'a> {
    /// A name, a quoted name, a string or an operator, as written.
    pub raw: &'a str,
    pub location: Location,
}

/// How much `DESCRIBE` tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Detail {
    Extended,
    Formatted,
    /// Hive 2.3 only.
    Pretty,
}

/// `EXPLAIN [option ...] statement`. `REWRITE` stands alone, before a query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Explain<'a> {
    pub options: &'a [ExplainOption],
    pub statement: &'a Statement<'a>,
}

/// A word between `EXPLAIN` and the statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExplainOption {
    Extended,
    Formatted,
    Dependency,
    Authorization,
    Logical,
    Rewrite,
    Analyze,
    ReOptimization,
    Locks,
    Ast,
    Debug,
    Cbo,
    CboCost,
    CboJoinCost,
    Ddl,
    /// `VECTORIZATION [ONLY] [SUMMARY|OPERATOR|EXPRESSION|DETAIL]`.
    Vectorization {
        only: bool,
        level: Option<VectorizationLevel>,
    },
}

/// How much `EXPLAIN VECTORIZATION` tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VectorizationLevel {
    Summary,
    Operator,
    Expression,
    Detail,
}

/// `LOCK`/`UNLOCK TABLE|DATABASE`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Lock<'a> {
    Table { table: QualifiedName<'a>, partition: Option<PartitionSpecification<'a>>, mode: LockMode },
    UnlockTable { table: QualifiedName<'a>, partition: Option<PartitionSpecification<'a>> },
    Database { database: Identifier<'a>, mode: LockMode },
    UnlockDatabase(Identifier<'a>),
}

/// `SHARED`, `EXCLUSIVE`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LockMode {
    Shared,
    Exclusive,
}

/// `ABORT ...` and `KILL QUERY`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Abort<'a> {
    /// `ABORT TRANSACTIONS 1 2 3`. Hive takes any number here, such as `1e5`.
    Transactions(&'a [&'a str]),
    /// `ABORT COMPACTIONS 1 2 3`.
    Compactions(&'a [&'a str]),
    /// `KILL QUERY 'id' 'id'`.
    KillQuery(&'a [StringLiteral<'a>]),
}
