//! `ALTER TABLE`, `ALTER VIEW`, `ALTER MATERIALIZED VIEW`, `ALTER INDEX`, `ALTER SCHEDULED QUERY`.

use super::{
    Buckets, ColumnConstraint, ColumnDefinition, Comment, DropBehavior, Existence, Expression, FileFormat,
    Identifier, Literal, Location, PartitionSpecification, PartitionTransform, PrincipalName, Property,
    QualifiedName, Query, ReplicationClause, Schedule, SkewedBy, SkewedValue, SourceText, StringLiteral,
    TableConstraint,
};

/// `ALTER TABLE t [PARTITION (...)] change`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AlterTable<'a> {
    pub name: QualifiedName<'a>,
    /// A partition named before the change, where the form takes one.
    pub partition: Option<PartitionSpecification<'a>>,
    pub change: TableChange<'a>,
    pub location: Location,
}

/// What `ALTER TABLE` does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TableChange<'a> {
    Rename(QualifiedName<'a>),
    /// `PARTITION (...) RENAME TO PARTITION (...)`.
    RenamePartition(PartitionSpecification<'a>),
    AddColumns {
        columns: &'a [ColumnDefinition<'a>],
        behavior: Option<DropBehavior>,
    },
    ReplaceColumns {
        columns: &'a [ColumnDefinition<'a>],
        behavior: Option<DropBehavior>,
    },
    /// `CHANGE [COLUMN] old new type ...`.
    ChangeColumn(&'a ChangeColumn<'a>),
    /// `UPDATE COLUMNS`.
    UpdateColumns(Option<DropBehavior>),
    /// `DROP COLUMN [IF EXISTS] a`, Hive 4.1 and later.
    DropColumn {
        name: Identifier<'a>,
        if_exists: Existence,
        behavior: Option<DropBehavior>,
    },
    AddConstraint(&'a TableConstraint<'a>),
    /// `DROP CONSTRAINT name`.
    DropConstraint(Identifier<'a>),
    AddPartitions {
        if_not_exists: Existence,
        partitions: &'a [AddedPartition<'a>],
    },
    DropPartitions {
        if_exists: Existence,
        partitions: &'a [PartitionSpecification<'a>],
        purge: bool,
        replication: Option<ReplicationClause<'a>>,
    },
    ExchangePartition {
        partition: PartitionSpecification<'a>,
        with: QualifiedName<'a>,
    },
    /// `PARTITION COLUMN (a INT)`.
    PartitionColumnType(ColumnDefinition<'a>),
    Touch(&'a [PartitionSpecification<'a>]),
    Archive(&'a [PartitionSpecification<'a>]),
    Unarchive(&'a [PartitionSpecification<'a>]),
    SetProperties(&'a [Property<'a>]),
    UnsetProperties {
        if_exists: Existence,
        keys: &'a [Property<'a>],
    },
    SetSerde {
        class: StringLiteral<'a>,
        properties: Option<&'a [Property<'a>]>,
    },
    SetSerdeProperties(&'a [Property<'a>]),
    UnsetSerdeProperties(&'a [Property<'a>]),
    SetFileFormat(FileFormat<'a>),
    SetLocation(StringLiteral<'a>),
    SetOwner(PrincipalName<'a>),
    /// `CLUSTERED BY ...`.
    ClusteredBy(Buckets<'a>),
    NotClustered,
    NotSorted,
    /// `INTO n BUCKETS`.
    IntoBuckets(&'a str),
    Skewed(SkewedBy<'a>),
    NotSkewed,
    NotStoredAsDirectories,
    SetSkewedLocation(&'a [SkewedLocation<'a>]),
    Concatenate,
    Compact(&'a Compact<'a>),
    /// `OPTIMIZE TABLE t REWRITE DATA ...`, which Hive makes a compaction of the table.
    RewriteData(&'a Compact<'a>),
    /// `UPDATE STATISTICS SET ('numRows'='1')`.
    UpdateStatistics(&'a [Property<'a>]),
    /// `UPDATE STATISTICS FOR COLUMN c SET (...)`.
    UpdateColumnStatistics {
        column: Identifier<'a>,
        properties: &'a [Property<'a>],
        comment: Comment<'a>,
    },
    /// `SET PARTITION SPEC (...)`.
    SetPartitionSpec(&'a [PartitionTransform<'a>]),
    /// `EXECUTE operation(...)` on a table with snapshots.
    Execute(&'a ExecuteOperation<'a>),
    CreateReference(&'a SnapshotReference<'a>),
    DropReference {
        kind: ReferenceKind,
        name: Identifier<'a>,
        if_exists: Existence,
    },
    RenameReference {
        kind: ReferenceKind,
        name: Identifier<'a>,
        to: Identifier<'a>,
    },
    ReplaceReference(&'a SnapshotReference<'a>),
    /// `CONVERT TO ACID|ICEBERG [TBLPROPERTIES (...)]`.
    Convert {
        to: Identifier<'a>,
        properties: Option<&'a [Property<'a>]>,
    },
}

/// `CHANGE [COLUMN] old new type [constraint] [COMMENT '...'] [FIRST|AFTER column]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChangeColumn<'a> {
    /// Is the word `COLUMN` there?
    pub column_word: bool,
    pub old_name: Identifier<'a>,
    pub new_name: Identifier<'a>,
    pub data_type: super::DataType<'a>,
    pub constraint: Option<&'a ColumnConstraint<'a>>,
    pub comment: Comment<'a>,
    pub position: Option<ColumnPosition<'a>>,
    pub behavior: Option<DropBehavior>,
}

/// `FIRST`, `AFTER column`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ColumnPosition<'a> {
    First,
    After(Identifier<'a>),
}

/// `PARTITION (...) [LOCATION '...']`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AddedPartition<'a> {
    pub partition: PartitionSpecification<'a>,
    pub location: Option<StringLiteral<'a>>,
}

/// `value = 'path'` of `SET SKEWED LOCATION`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SkewedLocation<'a> {
    pub key: SkewedValue<'a>,
    pub path: StringLiteral<'a>,
}

/// `COMPACT 'major' [CLUSTERED INTO n BUCKETS] [AND WAIT] [POOL 'p'] [WITH OVERWRITE TBLPROPERTIES (...)]
/// [WHERE ...] [ORDER BY ...]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Compact<'a> {
    /// Absent in `REWRITE DATA`.
    pub kind: Option<StringLiteral<'a>>,
    pub buckets: Option<&'a str>,
    pub and_wait: bool,
    pub pool: Option<StringLiteral<'a>>,
    pub overwrite_properties: Option<&'a [Property<'a>]>,
    pub filter: Option<Expression<'a>>,
    pub order_by: &'a [super::SortKey<'a>],
}

/// `EXECUTE operation` on a table with snapshots.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ExecuteOperation<'a> {
    /// `ROLLBACK (id or time)`.
    Rollback(Literal<'a>),
    /// `EXPIRE_SNAPSHOTS [(ids or time)]`.
    ExpireSnapshots(Option<Expression<'a>>),
    ExpireSnapshotsBetween {
        from: Expression<'a>,
        to: Expression<'a>,
    },
    /// `EXPIRE_SNAPSHOTS RETAIN LAST n`.
    ExpireSnapshotsRetainLast(&'a str),
    SetCurrentSnapshot(Expression<'a>),
    /// `FAST-FORWARD 'source' ['target']`.
    FastForward {
        source: StringLiteral<'a>,
        target: Option<StringLiteral<'a>>,
    },
    CherryPick(&'a str),
    /// `DELETE ORPHAN-FILES [OLDER THAN ('time')]`.
    DeleteOrphanFiles(Option<StringLiteral<'a>>),
}

/// What names a snapshot: `BRANCH`, `TAG`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ReferenceKind {
    Branch,
    Tag,
}

/// `CREATE BRANCH b [FOR SYSTEM_VERSION AS OF n] [RETAIN ...] [WITH SNAPSHOT RETENTION ...]`, also written
/// `CREATE BRANCH b FROM t ...` as a statement of its own (Hive 4.2), which says the same.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SnapshotReference<'a> {
    pub kind: ReferenceKind,
    pub name: Identifier<'a>,
    pub or_replace: bool,
    pub if_not_exists: Existence,
    pub source: Option<ReferenceSource<'a>>,
    /// `RETAIN 5 DAYS`.
    pub retain: Option<Age<'a>>,
    pub retention: Option<SnapshotRetention<'a>>,
}

/// What a new reference points to: `FOR SYSTEM_TIME AS OF ...`, or `AS OF ...` where one is replaced.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ReferenceSource<'a> {
    SystemTime(StringLiteral<'a>),
    SystemVersion(&'a str),
    Tag(Identifier<'a>),
    Branch(Identifier<'a>),
}

/// `n DAYS` and kin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Age<'a> {
    pub count: &'a str,
    pub unit: super::TimeUnit,
}

/// `WITH SNAPSHOT RETENTION n SNAPSHOTS [m DAYS]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SnapshotRetention<'a> {
    pub snapshots: &'a str,
    pub age: Option<Age<'a>>,
}

/// `ALTER VIEW name change`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AlterView<'a> {
    pub name: QualifiedName<'a>,
    pub change: ViewChange<'a>,
}

/// What `ALTER VIEW` does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ViewChange<'a> {
    As {
        query: &'a Query<'a>,
        query_text: SourceText<'a>,
    },
    Rename(QualifiedName<'a>),
    SetProperties(&'a [Property<'a>]),
    UnsetProperties {
        if_exists: Existence,
        keys: &'a [Property<'a>],
    },
    AddPartitions {
        if_not_exists: Existence,
        partitions: &'a [AddedPartition<'a>],
    },
    DropPartitions {
        if_exists: Existence,
        partitions: &'a [PartitionSpecification<'a>],
        purge: bool,
        replication: Option<ReplicationClause<'a>>,
    },
}

/// `ALTER MATERIALIZED VIEW name change`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AlterMaterializedView<'a> {
    pub name: QualifiedName<'a>,
    pub change: MaterializedViewChange,
}

/// What `ALTER MATERIALIZED VIEW` does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MaterializedViewChange {
    EnableRewrite,
    DisableRewrite,
    Rebuild,
}

/// `ALTER INDEX i ON t [PARTITION (...)] REBUILD|SET IDXPROPERTIES (...)`, Hive 2.3 only.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AlterIndex<'a> {
    pub name: Identifier<'a>,
    pub table: QualifiedName<'a>,
    pub partition: Option<PartitionSpecification<'a>>,
    pub change: IndexChange<'a>,
}

/// What `ALTER INDEX` does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum IndexChange<'a> {
    Rebuild,
    SetProperties(&'a [Property<'a>]),
}

/// `ALTER SCHEDULED QUERY name change`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AlterScheduledQuery<'a> {
    pub name: Identifier<'a>,
    pub change: ScheduledQueryChange<'a>,
}

/// What `ALTER SCHEDULED QUERY` does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ScheduledQueryChange<'a> {
    Schedule(Schedule<'a>),
    ExecutedAs(StringLiteral<'a>),
    Enable,
    Disable,
    DefinedAs { query: &'a super::Statement<'a>, query_text: SourceText<'a> },
    Execute,
}
