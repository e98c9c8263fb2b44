//! What rights are held on: the scopes of entries and the resources of requests.

use std::fmt;

use guardbee_model::{ColumnName, Name, TableName};
use smol_str::SmolStr;

use crate::{NamePattern, Uri};

/// Where an entry stands: server > database > table or view > column; and addresses, functions,
/// connectors, tags. The server holds all of them.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scope {
    Server,
    Database(NamePattern),
    /// A table or view.
    Table {
        database: NamePattern,
        table: NamePattern,
    },
    Column {
        database: NamePattern,
        table: NamePattern,
        column: NamePattern,
    },
    /// A place and all beneath it.
    Uri(Uri),
    /// A permanent function of a database.
    Function {
        database: NamePattern,
        function: NamePattern,
    },
    Connector(NamePattern),
    /// Whatever carries the tag, with this value where one is given, and all beneath it.
    Tag {
        tag: Name,
        value: Option<SmolStr>,
    },
}

impl Scope {
    #[must_use]
    pub fn database(name: &str) -> Self {
        Self::Database(NamePattern::fold(name))
    }

    #[must_use]
    pub fn table(database: &str, table: &str) -> Self {
        Self::Table { database: NamePattern::fold(database), table: NamePattern::fold(table) }
    }

    #[must_use]
    pub fn column(database: &str, table: &str, column: &str) -> Self {
        Self::Column {
            database: NamePattern::fold(database),
            table: NamePattern::fold(table),
            column: NamePattern::fold(column),
        }
    }
}

/// As SQL writes it behind `ON`.
impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Server => f.write_str("SERVER"),
            Self::Database(database) => write!(f, "DATABASE {database}"),
            Self::Table { database, table } => write!(f, "TABLE {database}.{table}"),
            Self::Column { database, table, column } => write!(f, "COLUMN {database}.{table}.{column}"),
            Self::Uri(uri) => write!(f, "URI '{uri}'"),
            Self::Function { database, function } => write!(f, "FUNCTION {database}.{function}"),
            Self::Connector(connector) => write!(f, "CONNECTOR {connector}"),
            Self::Tag { tag, value: None } => write!(f, "TAG {tag}"),
            Self::Tag { tag, value: Some(value) } => write!(f, "TAG {tag} = '{value}'"),
        }
    }
}

/// One thing in the warehouse that a statement touches, or that carries a tag or has an owner.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Resource {
    Server,
    Database(Name),
    /// A table or view.
    Table(TableName),
    Column(ColumnName),
    Uri(Uri),
    /// A permanent function has a database; a built-in or temporary one has none.
    Function {
        database: Option<Name>,
        function: Name,
    },
    Connector(Name),
    /// A resource plan, scheduled query or other service object.
    Service(Name),
}

/// `db`, `db.table`, `db.table.column`, the address, the name.
impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Server => f.write_str("server"),
            Self::Database(name) | Self::Connector(name) | Self::Service(name) => write!(f, "{name}"),
            Self::Table(table) => write!(f, "{table}"),
            Self::Column(column) => write!(f, "{column}"),
            Self::Uri(uri) => write!(f, "{uri}"),
            Self::Function { database: Some(database), function } => write!(f, "{database}.{function}"),
            Self::Function { database: None, function } => write!(f, "{function}"),
        }
    }
}
