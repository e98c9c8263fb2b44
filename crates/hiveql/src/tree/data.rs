//! Statements that move data without a query of their own shape: LOAD, EXPORT, IMPORT, UPDATE, DELETE,
//! MERGE, transactions, prepared statements.

use super::{
    Expression, Identifier, JoinOperand, Locality, Location, PartitionSpecification, QualifiedName, Query,
    ReplicationClause, SourceText, StringLiteral, TableAlias,
};

/// How files of a table are written and read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileFormat<'a> {
    /// `ORC`, `PARQUET`, `TEXTFILE`, a name.
    Named(Identifier<'a>),
    /// `INPUTFORMAT '...' OUTPUTFORMAT '...' [SERDE '...'] [INPUTDRIVER '...' OUTPUTDRIVER '...']`.
    Classes {
        input: StringLiteral<'a>,
        output: StringLiteral<'a>,
        serde: Option<StringLiteral<'a>>,
        drivers: Option<(StringLiteral<'a>, StringLiteral<'a>)>,
    },
}

/// `LOAD DATA [LOCAL] INPATH '...' [OVERWRITE] INTO TABLE t [PARTITION (...)] [INPUTFORMAT '...' SERDE '...']`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load<'a> {
    pub local: Locality,
    pub path: StringLiteral<'a>,
    pub overwrite: bool,
    pub name: QualifiedName<'a>,
    pub partition: Option<PartitionSpecification<'a>>,
    pub input_format: Option<(StringLiteral<'a>, StringLiteral<'a>)>,
}

/// `EXPORT TABLE name TO 'path'`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Export<'a> {
    pub name: QualifiedName<'a>,
    pub partition: Option<PartitionSpecification<'a>>,
    pub path: StringLiteral<'a>,
    pub replication: Option<ReplicationClause<'a>>,
}

/// `IMPORT [[EXTERNAL] TABLE t [PARTITION (...)]] FROM '...' [LOCATION '...']`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Import<'a> {
    /// Absent: the table is named in the exported files.
    pub target: Option<ImportTarget<'a>>,
    pub path: StringLiteral<'a>,
    pub target_location: Option<StringLiteral<'a>>,
}

/// The table that `IMPORT` names itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ImportTarget<'a> {
    pub external: bool,
    pub name: QualifiedName<'a>,
    pub partition: Option<PartitionSpecification<'a>>,
}

/// `UPDATE name SET assignment, ... [WHERE condition]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Update<'a> {
    pub name: QualifiedName<'a>,
    pub assignments: &'a [Assignment<'a>],
    pub filter: Option<Expression<'a>>,
    pub location: Location,
}

/// `column = expression`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Assignment<'a> {
    pub column: Identifier<'a>,
    pub value: Expression<'a>,
}

/// `DELETE FROM name [WHERE condition]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Delete<'a> {
    pub name: QualifiedName<'a>,
    pub filter: Option<Expression<'a>>,
    pub location: Location,
}

/// `MERGE INTO target USING source ON condition WHEN ...`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Merge<'a> {
    pub hint: Option<&'a str>,
    pub target: QualifiedName<'a>,
    pub target_alias: Option<TableAlias<'a>>,
    pub source: JoinOperand<'a>,
    pub condition: Expression<'a>,
    pub branches: &'a [MergeBranch<'a>],
    pub location: Location,
}

/// `WHEN [NOT] MATCHED [AND condition] THEN action`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MergeBranch<'a> {
    /// `AND condition`.
    pub condition: Option<Expression<'a>>,
    pub action: MergeAction<'a>,
}

/// What `MERGE` does with a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MergeAction<'a> {
    /// `WHEN MATCHED THEN UPDATE SET ...`.
    Update(&'a [Assignment<'a>]),
    /// `WHEN MATCHED THEN DELETE`.
    Delete,
    /// `WHEN NOT MATCHED THEN INSERT [(columns)] VALUES (...)`.
    Insert { columns: &'a [Identifier<'a>], values: &'a [Expression<'a>] },
}

/// Transaction statements.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Transaction<'a> {
    /// `START TRANSACTION [mode, ...]`.
    Start(&'a [TransactionMode]),
    Commit {
        work: bool,
    },
    Rollback {
        work: bool,
    },
    /// `SET AUTOCOMMIT TRUE|FALSE`.
    SetAutocommit(bool),
}

/// A word behind `START TRANSACTION`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TransactionMode {
    ReadOnly,
    ReadWrite,
    IsolationSnapshot,
}

/// `PREPARE name FROM query`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prepare<'a> {
    pub name: Identifier<'a>,
    pub query: &'a Query<'a>,
    pub query_text: SourceText<'a>,
}

/// `EXECUTE name USING a, b`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Execute<'a> {
    pub name: Identifier<'a>,
    pub arguments: &'a [Expression<'a>],
}

/// `REPL DUMP|LOAD|STATUS ...`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Replication<'a> {
    Dump {
        policy: ReplicationPolicy<'a>,
        /// `REPLACE policy`, Hive 4 and later.
        replaced: Option<ReplicationPolicy<'a>>,
        events: Option<EventRange<'a>>,
        with: &'a [super::Property<'a>],
    },
    Load {
        policy: Option<ReplicationPolicy<'a>>,
        source: ReplicationSource<'a>,
        with: &'a [super::Property<'a>],
    },
    Status {
        policy: ReplicationPolicy<'a>,
        with: &'a [super::Property<'a>],
    },
}

/// `db`, and which of its tables.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReplicationPolicy<'a> {
    pub database: Identifier<'a>,
    pub tables: ReplicatedTables<'a>,
}

/// Which tables of a database are replicated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ReplicatedTables<'a> {
    All,
    /// `db.t`, Hive 2.3 and 3.1.
    Table(Identifier<'a>),
    /// `db.'include'[.'exclude']`, Hive 4 and later.
    Matching {
        include: StringLiteral<'a>,
        exclude: Option<StringLiteral<'a>>,
    },
}

/// `FROM event [TO event] [LIMIT n]`, Hive 2.3 and 3.1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EventRange<'a> {
    pub from: &'a str,
    pub to: Option<&'a str>,
    pub limit: Option<&'a str>,
}

/// Where `REPL LOAD` finds what it loads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ReplicationSource<'a> {
    /// `FROM 'path'`, Hive 2.3 and 3.1.
    Path(StringLiteral<'a>),
    /// `[INTO db]`, Hive 4 and later.
    Policy { into: Option<Identifier<'a>> },
}

/// `ANALYZE TABLE t [PARTITION (...)] ...`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Analyze<'a> {
    pub name: QualifiedName<'a>,
    pub partition: Option<PartitionSpecification<'a>>,
    pub action: AnalyzeAction<'a>,
}

/// What `ANALYZE TABLE` does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AnalyzeAction<'a> {
    ComputeStatistics(StatisticsScope<'a>),
    /// `CACHE METADATA`.
    CacheMetadata,
}

/// What statistics are about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum StatisticsScope<'a> {
    Basic,
    NoScan,
    PartialScan,
    /// `FOR COLUMNS [a, b]`.
    Columns(&'a [Identifier<'a>]),
}

/// `MSCK [REPAIR] TABLE t [ADD|DROP|SYNC PARTITIONS [(condition)]]`, also `MSCK [REPAIR]` alone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Msck<'a> {
    pub repair: bool,
    /// Absent only in Hive 2.3 and 3.1.
    pub table: Option<QualifiedName<'a>>,
    pub action: Option<MsckAction>,
    /// `PARTITION (...), ...` in Hive 2.3, one without a table in 3.1; the one condition behind
    /// `PARTITIONS` from 4.0 on.
    pub partitions: &'a [PartitionSpecification<'a>],
}

/// What `MSCK` does with partitions that only one side knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MsckAction {
    Add,
    Drop,
    Sync,
}
