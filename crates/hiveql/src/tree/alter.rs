//! `ALTER TABLE`, `ALTER VIEW`, `ALTER MATERIALIZED VIEW`, `ALTER INDEX`, `ALTER SCHEDULED QUERY`.

use super::{
    Buckets, ColumnConstraint, ColumnDefinition, Comment, DropBehavior, Enablement, Existence, Expression,
    FileFormat, Identifier, Location, PartitionSpecification, PartitionTransform, PrincipalName, Property,
    QualifiedName, Query, ReplicationClause, Schedule, SkewedBy, SkewedValue, StorageHandler, StringLiteral,
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
    /// `DROP COLUMN a`, `DROP COLUMNS (a, b)`, where a version knows it.
    DropColumns {
        columns: &'a [Identifier<'a>],
        if_exists: Existence,
    },
    AddConstraint(TableConstraint<'a>),
    /// `DROP CONSTRAINT name`.
    DropConstraint(Identifier<'a>),
    AddPartitions {
        if_not_exists: Existence,
        partitions: &'a [AddedPartition<'a>],
    },
    DropPartitions {
        if_exists: Existence,
        partitions: &'a [PartitionSpecification<'a>],
        /// `IGNORE PROTECTION`.
        ignore_protection: bool,
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
    UnsetSerdeProperties {
        if_exists: Existence,
        keys: &'a [Property<'a>],
    },
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
    /// `UPDATE STATISTICS SET ('numRows'='1')`.
    UpdateStatistics(&'a [Property<'a>]),
    /// `UPDATE STATISTICS FOR COLUMN c SET (...)`.
    UpdateColumnStatistics {
        column: Identifier<'a>,
        properties: &'a [Property<'a>],
        comment: Comment<'a>,
    },
    /// `ENABLE|DISABLE NO_DROP [CASCADE]`, `ENABLE|DISABLE OFFLINE`, Hive 2.3.
    Protect {
        enablement: Enablement,
        mode: ProtectMode,
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
        to: ConvertTarget<'a>,
        properties: Option<&'a [Property<'a>]>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ConvertTarget<'a> {
    Acid,
    Handler(StorageHandler<'a>),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChangeColumn<'a> {
    /// Is the word `COLUMN` there?
    pub column_word: bool,
    pub old_name: Identifier<'a>,
    pub new_name: Identifier<'a>,
    pub data_type: super::DataType<'a>,
    pub constraint: Option<ColumnConstraint<'a>>,
    pub comment: Comment<'a>,
    pub position: Option<ColumnPosition<'a>>,
    pub behavior: Option<DropBehavior>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ColumnPosition<'a> {
    First,
    After(Identifier<'a>),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AddedPartition<'a> {
    pub partition: PartitionSpecification<'a>,
    pub location: Option<StringLiteral<'a>>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SkewedLocation<'a> {
    pub key: SkewedValue<'a>,
    pub path: StringLiteral<'a>,
}

/// `COMPACT 'major' [AND WAIT] [CLUSTERED INTO n BUCKETS] [ORDER BY ...] [POOL 'p'] [WHERE ...] [WITH OVERWRITE TBLPROPERTIES (...)]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Compact<'a> {
    pub kind: StringLiteral<'a>,
    pub and_wait: bool,
    pub buckets: Option<&'a str>,
    pub order_by: &'a [super::SortKey<'a>],
    pub pool: Option<StringLiteral<'a>>,
    pub filter: Option<Expression<'a>>,
    pub overwrite_properties: Option<&'a [Property<'a>]>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProtectMode {
    Offline,
    NoDrop,
    NoDropCascade,
    ReadOnly,
}

/// `EXECUTE ROLLBACK(...)`, `EXECUTE EXPIRE_SNAPSHOTS(...)`, `EXECUTE FAST-FORWARD ...` and so on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExecuteOperation<'a> {
    pub operation: SnapshotOperation,
    pub arguments: &'a [Expression<'a>],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SnapshotOperation {
    RollbackToTimestamp,
    RollbackToVersion,
    ExpireSnapshots,
    /// `EXPIRE_SNAPSHOTS BETWEEN a AND b`.
    ExpireSnapshotsBetween,
    /// `EXPIRE_SNAPSHOTS RETAIN LAST n`.
    ExpireSnapshotsRetainLast,
    SetCurrentSnapshot,
    FastForward,
    CherryPick,
    DeleteOrphanFiles,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ReferenceKind {
    Branch,
    Tag,
}

/// `CREATE BRANCH b [FOR SYSTEM_VERSION AS OF n] [RETAIN ...] [WITH SNAPSHOT RETENTION ...]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SnapshotReference<'a> {
    pub kind: ReferenceKind,
    pub name: Identifier<'a>,
    pub or_replace: bool,
    pub if_not_exists: Existence,
    pub as_of: Option<ReferenceSource<'a>>,
    /// `RETAIN 5 DAYS`.
    pub retain: Option<(&'a str, super::TimeUnit)>,
    /// `WITH SNAPSHOT RETENTION [n SNAPSHOTS] [m DAYS]`.
    pub snapshots_to_keep: Option<&'a str>,
    pub snapshot_age: Option<(&'a str, super::TimeUnit)>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ReferenceSource<'a> {
    SystemTime(Expression<'a>),
    SystemVersion(Expression<'a>),
    /// `AS OF TAG t`.
    Tag(Identifier<'a>),
    /// Replacing one reference by another.
    Branch(Identifier<'a>),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AlterView<'a> {
    pub name: QualifiedName<'a>,
    pub change: ViewChange<'a>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ViewChange<'a> {
    As {
        query: &'a Query<'a>,
        query_text: &'a str,
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
        ignore_protection: bool,
    },
    SetOwner(PrincipalName<'a>),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AlterMaterializedView<'a> {
    pub name: QualifiedName<'a>,
    pub change: MaterializedViewChange,
}

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

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum IndexChange<'a> {
    Rebuild,
    SetProperties(&'a [Property<'a>]),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AlterScheduledQuery<'a> {
    pub name: Identifier<'a>,
    pub change: ScheduledQueryChange<'a>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ScheduledQueryChange<'a> {
    Schedule(Schedule<'a>),
    ExecutedAs(StringLiteral<'a>),
    Enable,
    Disable,
    DefinedAs { query: &'a super::Statement<'a>, query_text: &'a str },
    Execute,
}
