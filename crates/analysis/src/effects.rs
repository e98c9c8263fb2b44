//! What a statement does: the value that everything else in Guardbee works on.

use std::fmt;
use std::sync::Arc;

use guardbee_model::{Name, Operation, TableName};

use crate::catalog::CatalogChange;

/// What one statement reads, writes and derives.
#[derive(Debug, Clone, PartialEq)]
pub struct Effects {
    pub operation: Operation,
    /// Was it only explained? The rest is that of the statement inside.
    pub mode: Mode,
    /// Each object once, but once more where it is also reached through a view.
    pub reads: Vec<Read>,
    pub writes: Vec<Write>,
    /// Functions called or managed, each once.
    pub functions: Vec<FunctionUse>,
    /// Where rows go, and what each column of them is made of. A multi-insert has several; a plain
    /// SELECT has one with [`Destination::Result`].
    pub targets: Vec<Target>,
    /// What the statement does to the catalog and the session, in order.
    pub changes: Vec<CatalogChange>,
    /// What it asks of the machine rather than of the warehouse.
    pub commands: Vec<Command>,
}

impl Effects {
    #[must_use]
    pub const fn new(operation: Operation) -> Self {
        Self {
            operation,
            mode: Mode::Run,
            reads: Vec::new(),
            writes: Vec::new(),
            functions: Vec::new(),
            targets: Vec::new(),
            changes: Vec::new(),
            commands: Vec::new(),
        }
    }
}

/// Does the statement run, or is it only explained?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    Run,
    /// `EXPLAIN`: nothing runs and nothing changes.
    Explain,
    /// `EXPLAIN AUTHORIZATION`, which is never refused.
    ExplainAuthorization,
    /// `EXPLAIN ANALYZE`: the statement runs.
    ExplainAnalyze,
}

/// Something that rights are held on.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Object {
    Server,
    Database(Name),
    /// A table, view or materialized view.
    Table(TableName),
    /// A file, directory or other address, as written.
    Path(Arc<str>),
    Function(FunctionName),
    DataConnector(Name),
    Index {
        table: TableName,
        index: Name,
    },
    /// A resource plan, scheduled query or other service object.
    Service(Name),
}

impl fmt::Display for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Server => f.write_str("server"),
            Self::Database(name) | Self::DataConnector(name) | Self::Service(name) => write!(f, "{name}"),
            Self::Table(name) => write!(f, "{name}"),
            Self::Path(path) => f.write_str(path),
            Self::Function(name) => write!(f, "{name}"),
            Self::Index { table, index } => write!(f, "{table}.{index}"),
        }
    }
}

/// A permanent function lives in a database; built-in and temporary ones do not.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionName {
    pub database: Option<Name>,
    pub name: Name,
}

impl fmt::Display for FunctionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.database {
            Some(database) => write!(f, "{database}.{}", self.name),
            None => write!(f, "{}", self.name),
        }
    }
}

/// What kind of dataset a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DatasetKind {
    Table,
    View,
    MaterializedView,
    /// Everything that is no table or view.
    Other,
    /// The catalog does not have it.
    Unknown,
}

/// One object that is read.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    pub object: Object,
    pub kind: DatasetKind,
    pub access: Access,
    /// The columns read. Empty where only the object as a whole matters (`COUNT(*)`, metadata).
    pub columns: Vec<ColumnRead>,
    /// Partitions that the statement names or that its filters pin by constants.
    pub partitions: Vec<PartitionValues>,
}

/// How the statement comes to an object.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Access {
    /// The statement names it.
    Direct,
    /// Reached through these views, outermost first.
    Through(Arc<[TableName]>),
}

impl Access {
    #[must_use]
    pub const fn is_direct(&self) -> bool {
        matches!(self, Self::Direct)
    }
}

/// A column that is read, and what for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnRead {
    pub name: Name,
    /// What for; empty if an outer query drops the column.
    pub purposes: Purposes,
}

impl ColumnRead {
    /// Neither reaches the result nor influences it.
    #[must_use]
    pub const fn is_dropped(&self) -> bool {
        self.purposes.is_empty()
    }
}

/// A set of [`Purpose`]s.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Purposes(u8);

impl Purposes {
    pub const NONE: Self = Self(0);

    #[must_use]
    pub const fn of(purpose: Purpose) -> Self {
        Self(1 << purpose as u8)
    }

    #[must_use]
    pub const fn with(self, purpose: Purpose) -> Self {
        Self(self.0 | 1 << purpose as u8)
    }

    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[must_use]
    pub const fn contains(self, purpose: Purpose) -> bool {
        self.0 & (1 << purpose as u8) != 0
    }

    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The purposes in the set, in their order.
    pub fn iter(self) -> impl Iterator<Item = Purpose> {
        Purpose::ALL.into_iter().filter(move |&purpose| self.contains(purpose))
    }
}

/// What a column is read for. All but `Select` are the indirect edges of OpenLineage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Purpose {
    /// Its values reach the result, a script, or a function that makes rows.
    Select,
    Filter,
    Join,
    GroupBy,
    Sort,
    Window,
    /// Chooses between values: the condition of CASE, IF and kin.
    Conditional,
}

impl Purpose {
    pub const ALL: [Self; 7] =
        [Self::Select, Self::Filter, Self::Join, Self::GroupBy, Self::Sort, Self::Window, Self::Conditional];

    /// The name that OpenLineage and Guardbee's outputs use.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Select => "SELECT",
            Self::Filter => "FILTER",
            Self::Join => "JOIN",
            Self::GroupBy => "GROUP_BY",
            Self::Sort => "SORT",
            Self::Window => "WINDOW",
            Self::Conditional => "CONDITIONAL",
        }
    }
}

/// The columns of a partition with their values; `None` where the value comes from the data.
pub type PartitionValues = Vec<(Name, Option<Arc<str>>)>;

/// One object that is written, created, changed or removed.
#[derive(Debug, Clone, PartialEq)]
pub struct Write {
    pub object: Object,
    pub kind: DatasetKind,
    pub action: WriteAction,
    pub partitions: Vec<PartitionValues>,
    /// The columns written where the statement names them.
    pub columns: Vec<Name>,
}

/// What a statement does to what it writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WriteAction {
    Create,
    /// Something is created inside the object, as a table in its database.
    CreateInside,
    Alter,
    /// Something inside the object changes or goes, as a table of its database.
    AlterInside,
    Drop,
    /// Rows are added.
    Insert,
    /// Rows replace those that were there.
    Overwrite,
    Update,
    Delete,
    Truncate,
    /// Files are moved in.
    Load,
    Lock,
    /// Listed by Hive as written though nothing changes.
    Touch,
}

impl WriteAction {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::CreateInside => "create inside",
            Self::Alter => "alter",
            Self::AlterInside => "alter inside",
            Self::Drop => "drop",
            Self::Insert => "insert",
            Self::Overwrite => "overwrite",
            Self::Update => "update",
            Self::Delete => "delete",
            Self::Truncate => "truncate",
            Self::Load => "load",
            Self::Lock => "lock",
            Self::Touch => "touch",
        }
    }
}

/// A function that a statement calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionUse {
    pub function: FunctionName,
    pub origin: FunctionOrigin,
}

/// Where a function comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FunctionOrigin {
    BuiltIn,
    /// Created in the catalog or the session.
    User,
    Macro,
    Unknown,
}

/// One place that rows go to.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    pub destination: Destination,
    /// What is done with the rows there; [`WriteAction::Create`] for the client's result, too.
    pub action: WriteAction,
    pub partition: PartitionValues,
    pub columns: Vec<TargetColumn>,
    /// The columns that an UPDATE leaves alone, each made of itself: Hive writes them anew as well.
    pub kept: Vec<TargetColumn>,
    /// Columns that decide which rows there are, in which order: they influence every target column.
    pub influences: Vec<Influence>,
}

/// Where rows go.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Destination {
    /// A table, or the view whose text this is.
    Table(TableName),
    Directory(Arc<str>),
    /// The client.
    Result,
}

/// One column of a target.
#[derive(Debug, Clone, PartialEq)]
pub struct TargetColumn {
    pub name: Name,
    /// What the query calls it, where the statement gives it another name.
    pub query_name: Option<Name>,
    pub kind: DerivationKind,
    /// The expression as written, where it is more than a column.
    pub expression: Option<Arc<str>>,
    /// What values come from: each column once for each way that its values are derived.
    pub sources: Vec<Source>,
    /// What decides about this column alone: conditions of CASE, keys of a window.
    pub influences: Vec<Influence>,
}

/// Hive's own word for how a column is derived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DerivationKind {
    Simple,
    Expression,
    Script,
}

impl DerivationKind {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Simple => "SIMPLE",
            Self::Expression => "EXPRESSION",
            Self::Script => "SCRIPT",
        }
    }
}

/// A direct edge: values of this column go into the target column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    pub origin: Origin,
    pub derivation: Derivation,
    pub masking: Masking,
    pub pinning: Pinning,
    /// The views between the target and the origin, outermost first.
    pub through: Arc<[TableName]>,
}

/// An indirect edge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Influence {
    pub origin: Origin,
    pub purpose: Purpose,
    pub masking: Masking,
    pub through: Arc<[TableName]>,
}

/// Of so many tables that may have a column the first are named ([`Origin::Unresolved`]).
pub const MOST_CANDIDATES: usize = 100;

/// Where values come from.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Origin {
    Column {
        table: TableName,
        column: Name,
    },
    /// A column of files that lie at a path: LOAD and IMPORT take files in, whose columns are the
    /// table's.
    FileColumn {
        path: Arc<str>,
        column: Name,
    },
    /// All of a table, as Hive writes `t.*` where it cannot say more (scripts, `COUNT(*)`).
    WholeTable(TableName),
    /// A column that cannot be placed. One of these tables has it: all tables in scope whose columns are
    /// not known, of more than [`MOST_CANDIDATES`] the first ones. Where all are known and none has it, which is reported as a mistake, it is those in
    /// scope; and there are none where the text names no table at all.
    Unresolved {
        column: Name,
        candidates: Arc<[TableName]>,
    },
}

/// How values go from source to target; the order is OpenLineage's order of strength.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Derivation {
    Identity,
    Transformation,
    Aggregation,
}

impl Derivation {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Identity => "IDENTITY",
            Self::Transformation => "TRANSFORMATION",
            Self::Aggregation => "AGGREGATION",
        }
    }

    /// The derivation of a value that passes `self` and then `outer`.
    #[must_use]
    pub fn then(self, outer: Self) -> Self {
        self.max(outer)
    }
}

/// Does the value pass a function that hides it (hashes, masks, counts)?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Masking {
    Plain,
    Masked,
}

/// Does a condition of the query leave one value of the column only (`WHERE ds = '1'`)? Hive puts that
/// value in the column's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pinning {
    Free,
    Pinned,
}

/// What a statement or client command asks of the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// `ADD JAR path`, `ADD FILE path`.
    AddResource(Arc<str>),
    DeleteResource(Arc<str>),
    /// `dfs -rm path`: the arguments.
    FileSystem(Arc<str>),
    /// `!command`.
    Shell(Arc<str>),
    /// `SELECT TRANSFORM ... USING 'script'`.
    Script(Arc<str>),
    /// `SET key=value`.
    Setting {
        key: Arc<str>,
        value: Arc<str>,
    },
    /// `SOURCE file`.
    Source(Arc<str>),
    /// `COMPILE ...`: code is compiled into the server.
    Compile,
    /// Anything else, by its first word.
    Other(Arc<str>),
}
