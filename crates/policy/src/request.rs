//! What a statement touches, as rule books see it.

use guardbee_model::{Name, Operation};

use crate::Resource;

/// A statement by what it touches. Whoever asks makes it: the engine from effects, a plug-in from what
/// Hive's compiler hands it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    pub operation: Operation,
    /// The session's current database.
    pub database: Name,
    /// What the statement itself reads. What it reads through views is the views' business.
    pub reads: Vec<Read>,
    pub writes: Vec<Write>,
    /// Functions called, created or dropped.
    pub functions: Vec<FunctionUse>,
    /// What it asks of the machine.
    pub commands: Vec<Command>,
    /// Of DESCRIBE and its kin: how much is shown.
    pub detail: Detail,
}

/// A resource that is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    pub resource: Resource,
    pub columns: Columns,
}

/// Which columns of a table are meant.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum Columns {
    /// No column is named: `COUNT(*)`, metadata, whatever is no table.
    #[default]
    Whole,
    Named(Vec<Name>),
}

/// A resource that is written, created, changed or removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Write {
    pub resource: Resource,
    pub action: WriteAction,
    /// A table that only its session sees: it needs no right.
    pub lifetime: Lifetime,
}

/// What is done to what is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WriteAction {
    Create,
    /// Something is created inside the resource, as a table in its database.
    CreateInside,
    Alter,
    /// Something inside the resource changes or goes.
    AlterInside,
    Drop,
    Insert,
    Overwrite,
    Update,
    Delete,
    Truncate,
    Load,
    Lock,
    /// Listed by Hive as written though nothing changes.
    Touch,
}

/// How long a table lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Lifetime {
    #[default]
    Permanent,
    Session,
}

/// A function that a statement calls or manages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionUse {
    /// A [`Resource::Function`].
    pub function: Resource,
    pub origin: FunctionOrigin,
}

/// Where a function comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FunctionOrigin {
    BuiltIn,
    Permanent,
    /// Temporary functions and macros.
    Session,
    Unknown,
}

/// What a statement asks of the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// `ADD JAR`, `ADD FILE`.
    AddResource,
    DeleteResource,
    /// `dfs ...`.
    FileSystem,
    /// `!command`.
    Shell,
    /// The script of a TRANSFORM, as written.
    Script(String),
    /// `SET key=value`, `RESET key`.
    Setting {
        key: String,
    },
    Compile,
    /// Anything else, by its first word in lower case.
    Other(String),
}

/// How much a statement shows of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Detail {
    #[default]
    Basic,
    /// `DESCRIBE FORMATTED`, `DESCRIBE EXTENDED`.
    Full,
}
