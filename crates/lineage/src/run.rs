//! One execution of a statement, as it is remembered: what, when, where, who, how, which, why.

use std::fmt;
use std::sync::Arc;

use guardbee_model::{Name, TableName, Timestamp};
use smol_str::SmolStr;

/// Names a run for ever: the query id where the engine gives one. A run that is sent again under its key changes
/// nothing.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RunKey(pub SmolStr);

/// One execution of a statement that succeeded.
///
/// Names are those of the moment that the run ended at. What it reads was there before its changes took effect,
/// what it writes is there after them.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    pub key: RunKey,
    /// Hive's operation type, or what another engine calls it.
    pub operation: SmolStr,
    pub started_at: Option<Timestamp>,
    /// When its effects were there. Runs are ordered by this, and by their keys where it is the same.
    pub ended_at: Timestamp,
    pub context: Arc<Context>,
    /// What is read, each dataset once.
    pub inputs: Vec<Input>,
    /// Where data went, and what each column of it was made of.
    pub targets: Vec<Target>,
    /// What was made, renamed or removed, in order.
    pub changes: Vec<DatasetChange>,
}

/// Everything about a run that says nothing about the graph.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Context {
    pub origin: RunOrigin,
    pub statement: Arc<str>,
    /// Script and line, where the statement came out of a file.
    pub script: Option<Arc<str>>,
    pub user: SmolStr,
    /// Whom the user acts for, where the two differ.
    pub impersonated: Option<SmolStr>,
    pub groups: Vec<SmolStr>,
    pub roles: Vec<SmolStr>,
    pub cluster: Option<SmolStr>,
    pub host: Option<SmolStr>,
    pub client_address: Option<SmolStr>,
    pub engine: Option<SmolStr>,
    pub engine_version: Option<SmolStr>,
    pub query_id: Option<SmolStr>,
    pub session: Option<SmolStr>,
    /// An Airflow task, an Oozie action, the name of an application.
    pub application: Option<SmolStr>,
    pub job: Option<SmolStr>,
    /// A ticket, or whatever the client gives as reason.
    pub purpose: Option<Arc<str>>,
    pub parent_run: Option<RunKey>,
    pub rows_written: Option<u64>,
    pub bytes_written: Option<u64>,
}

/// How Guardbee came to know of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum RunOrigin {
    /// Somebody said so; nothing was executed.
    #[default]
    Declared,
    /// Read out of a log of queries.
    QueryLog,
    /// Reported by the engine that executed it.
    Reported,
    /// Carried over from another tool.
    Imported,
}

impl RunOrigin {
    pub const ALL: [Self; 4] = [Self::Declared, Self::QueryLog, Self::Reported, Self::Imported];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Declared => "declared",
            Self::QueryLog => "query log",
            Self::Reported => "reported",
            Self::Imported => "imported",
        }
    }
}

/// What a dataset is called at a moment.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DatasetName {
    Database(Name),
    /// A table, view or materialized view.
    Table(TableName),
    /// A temporary table: each session has its own.
    Temporary {
        session: SmolStr,
        table: TableName,
    },
    /// A file or directory, normalised.
    Path(Arc<str>),
    /// The rows that a run handed to its client.
    Result(RunKey),
}

impl fmt::Display for DatasetName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Database(name) => write!(f, "{name}"),
            Self::Table(table) | Self::Temporary { table, .. } => write!(f, "{table}"),
            Self::Path(path) => f.write_str(path),
            Self::Result(run) => write!(f, "result of {}", run.0),
        }
    }
}

/// The columns of a partition with their values; `None` where the value comes from the data. Empty: the whole table.
pub type Partition = Vec<(Name, Option<Arc<str>>)>;

/// A dataset that is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    pub dataset: DatasetName,
    /// Partitions that the statement names or pins; empty where it may read any.
    pub partitions: Vec<Partition>,
    /// The views on the way to it, outermost first; empty where the statement names it.
    pub through: Arc<[TableName]>,
}

/// One place that data goes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    pub dataset: DatasetName,
    pub write: WriteKind,
    pub partition: Partition,
    pub columns: Vec<TargetColumn>,
    /// What decides which rows there are and in which order, and so about every column.
    pub influences: Vec<Influence>,
    /// What goes in though no column of it can be named: `COUNT(*)` of it, files that are loaded, data in an
    /// input that says no columns.
    pub whole: Vec<DatasetName>,
}

/// What a write leaves of what was there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WriteKind {
    /// Rows come to those that are there; edges into it stay current.
    Append,
    /// What was there is replaced, in the partition where one is named; older edges into that are no longer current.
    Overwrite,
    /// The text of a view, which is all that it is.
    Define,
    /// Rows change in place, or go: what was there may be there still.
    Modify,
    /// Everything goes, in the partition where one is named.
    Truncate,
    /// No data moves: a table lies over the path that it comes from, and is at each moment what is there. Ends nothing,
    /// and nothing ends it but the end of the table.
    Locate,
}

/// A column of a target and what it is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetColumn {
    pub name: Name,
    /// The expression as written, where it is more than a column.
    pub expression: Option<Arc<str>>,
    /// Hive's own word: is it one column as it is, an expression, or what a script made?
    pub derivation: Derivation,
    pub sources: Vec<ColumnSource>,
    /// What decides about this column alone.
    pub influences: Vec<Influence>,
}

/// Hive's own word for how a column is derived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Derivation {
    Simple,
    Expression,
    Script,
}

impl Derivation {
    pub const ALL: [Self; 3] = [Self::Simple, Self::Expression, Self::Script];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Simple => "SIMPLE",
            Self::Expression => "EXPRESSION",
            Self::Script => "SCRIPT",
        }
    }
}

/// A direct edge into a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnSource {
    pub dataset: DatasetName,
    pub column: Name,
    /// One of the direct kinds.
    pub kind: EdgeKind,
    /// Does the value pass a function that hides it?
    pub masked: bool,
    /// Nobody knows whether the dataset has the column; it is one of those that may.
    pub unresolved: bool,
    pub through: Arc<[TableName]>,
}

/// An indirect edge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Influence {
    pub dataset: DatasetName,
    pub column: Name,
    /// One of the indirect kinds.
    pub kind: EdgeKind,
    pub masked: bool,
    pub unresolved: bool,
    pub through: Arc<[TableName]>,
}

/// How one column goes into another; OpenLineage's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum EdgeKind {
    Identity,
    Transformation,
    Aggregation,
    Filter,
    Join,
    GroupBy,
    Sort,
    Window,
    Conditional,
}

impl EdgeKind {
    pub const ALL: [Self; 9] = [
        Self::Identity,
        Self::Transformation,
        Self::Aggregation,
        Self::Filter,
        Self::Join,
        Self::GroupBy,
        Self::Sort,
        Self::Window,
        Self::Conditional,
    ];

    #[must_use]
    pub const fn is_direct(self) -> bool {
        matches!(self, Self::Identity | Self::Transformation | Self::Aggregation)
    }

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Identity => "IDENTITY",
            Self::Transformation => "TRANSFORMATION",
            Self::Aggregation => "AGGREGATION",
            Self::Filter => "FILTER",
            Self::Join => "JOIN",
            Self::GroupBy => "GROUP_BY",
            Self::Sort => "SORT",
            Self::Window => "WINDOW",
            Self::Conditional => "CONDITIONAL",
        }
    }
}

/// What a run does to the identity of datasets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DatasetChange {
    /// It is new. Where one of that name is there still, that one must have gone unseen: it is closed.
    Create { dataset: DatasetName, columns: Vec<Name> },
    /// It is there afterwards: new where none of that name is (`IF NOT EXISTS`, `OR REPLACE`, another text for a view),
    /// otherwise the same dataset as before. `columns` are what it has afterwards; empty where nobody knows.
    Ensure { dataset: DatasetName, columns: Vec<Name> },
    /// It is no more; a database goes with all that is in it.
    Drop { dataset: DatasetName },
    /// The same dataset under another name.
    Rename { from: DatasetName, to: DatasetName },
    /// The same column under another name.
    RenameColumn { dataset: DatasetName, from: Name, to: Name },
    /// A column of this name is no more; one of that name later is another column.
    DropColumn { dataset: DatasetName, column: Name },
    /// A partition and what went into it moves; `from` has it no more.
    MovePartition { from: DatasetName, to: DatasetName, partition: Partition },
    /// What a partition held is no more.
    DropPartition { dataset: DatasetName, partition: Partition },
}

impl DatasetChange {
    /// What it is about; where something moves or is renamed, first where it was and then where it is.
    pub fn datasets(&self) -> impl Iterator<Item = &DatasetName> {
        let (one, other) = match self {
            Self::Create { dataset, .. }
            | Self::Ensure { dataset, .. }
            | Self::Drop { dataset }
            | Self::RenameColumn { dataset, .. }
            | Self::DropColumn { dataset, .. }
            | Self::DropPartition { dataset, .. } => (dataset, None),
            Self::Rename { from, to } | Self::MovePartition { from, to, .. } => (from, Some(to)),
        };
        std::iter::once(one).chain(other)
    }
}
