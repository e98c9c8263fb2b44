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

    /// Does an entry here hold for the resource: is it at this scope or beneath it? Of a tag nothing can be
    /// said without the policy, which knows what carries it.
    #[must_use]
    pub fn covers(&self, resource: &Resource) -> bool {
        match (self, resource) {
            (Self::Server, _) => true,
            (Self::Database(database), resource) => {
                resource.database().is_some_and(|name| database.matches(name))
            }
            (Self::Table { database, table }, Resource::Table(name)) => {
                database.matches(&name.database) && table.matches(&name.table)
            }
            (Self::Table { database, table }, Resource::Column(name)) => {
                database.matches(&name.table.database) && table.matches(&name.table.table)
            }
            (Self::Column { database, table, column }, Resource::Column(name)) => {
                database.matches(&name.table.database)
                    && table.matches(&name.table.table)
                    && column.matches(&name.column)
            }
            (Self::Uri(place), Resource::Uri(uri)) => place.covers(uri),
            (
                Self::Function { database, function },
                Resource::Function { database: Some(home), function: name },
            ) => database.matches(home) && function.matches(name),
            (Self::Connector(connector), Resource::Connector(name)) => connector.matches(name),
            _ => false,
        }
    }

    /// Does an entry here stand inside the resource, for some name that its `*` may stand for?
    #[must_use]
    pub fn is_inside(&self, resource: &Resource) -> bool {
        match (resource, self) {
            (Resource::Server, scope) => *scope != Self::Server,
            (
                Resource::Database(name),
                Self::Table { database, .. }
                | Self::Column { database, .. }
                | Self::Function { database, .. },
            ) => database.matches(name),
            (Resource::Table(name), Self::Column { database, table, .. }) => {
                database.matches(&name.database) && table.matches(&name.table)
            }
            (Resource::Uri(uri), Self::Uri(place)) => uri != place && uri.covers(place),
            _ => false,
        }
    }

    /// Is `other` this scope or inside it, as scopes are written: a `*` is a character like others?
    #[must_use]
    pub fn holds(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Server, _) => true,
            (
                Self::Database(home),
                Self::Database(database)
                | Self::Table { database, .. }
                | Self::Column { database, .. }
                | Self::Function { database, .. },
            ) => home == database,
            (Self::Table { database: home, table: name }, Self::Column { database, table, .. }) => {
                home == database && name == table
            }
            (Self::Uri(place), Self::Uri(uri)) => place.covers(uri),
            (Self::Tag { tag: name, value: None }, Self::Tag { tag, .. }) => name == tag,
            _ => self == other,
        }
    }

    /// Is there something in the warehouse that could be at or beneath both scopes? What carries a tag only the
    /// policy knows.
    #[must_use]
    pub fn may_share(&self, other: &Self) -> bool {
        meet(self, other).is_some()
    }

    /// Has it a name in which `*` stands for more than one?
    #[must_use]
    pub fn has_pattern(&self) -> bool {
        match self {
            Self::Server | Self::Uri(_) | Self::Tag { .. } => false,
            Self::Database(name) | Self::Connector(name) => !name.is_literal(),
            Self::Table { database, table: name } | Self::Function { database, function: name } => {
                !(database.is_literal() && name.is_literal())
            }
            Self::Column { database, table, column } => {
                !(database.is_literal() && table.is_literal() && column.is_literal())
            }
        }
    }
}

/// A scope that two scopes both hold; none where they have nothing in common.
pub(crate) fn meet(one: &Scope, other: &Scope) -> Option<Scope> {
    match (one, other) {
        (Scope::Server, scope) | (scope, Scope::Server) => Some(scope.clone()),
        (Scope::Uri(one), Scope::Uri(other)) if one.covers(other) => Some(Scope::Uri(other.clone())),
        (Scope::Uri(one), Scope::Uri(other)) if other.covers(one) => Some(Scope::Uri(one.clone())),
        (Scope::Connector(one), Scope::Connector(other)) => one.meet(other).map(Scope::Connector),
        (Scope::Function { database, function }, Scope::Database(other))
        | (Scope::Database(other), Scope::Function { database, function }) => {
            Some(Scope::Function { database: database.meet(other)?, function: function.clone() })
        }
        (
            Scope::Function { database, function },
            Scope::Function { database: other_database, function: other_function },
        ) => Some(Scope::Function {
            database: database.meet(other_database)?,
            function: function.meet(other_function)?,
        }),
        _ => {
            let (one, other) = (parts(one)?, parts(other)?);
            let both = |place: usize| match (one.get(place), other.get(place)) {
                (Some(one), Some(other)) => Some(one.meet(other)?),
                (one, other) => one.or(other).map(|&pattern| pattern.clone()),
            };
            let database = both(0)?;
            match one.len().max(other.len()) {
                1 => Some(Scope::Database(database)),
                2 => Some(Scope::Table { database, table: both(1)? }),
                _ => Some(Scope::Column { database, table: both(1)?, column: both(2)? }),
            }
        }
    }
}

/// The names of a database, table or column.
fn parts(scope: &Scope) -> Option<Vec<&NamePattern>> {
    match scope {
        Scope::Database(database) => Some(vec![database]),
        Scope::Table { database, table } => Some(vec![database, table]),
        Scope::Column { database, table, column } => Some(vec![database, table, column]),
        _ => None,
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

impl Resource {
    /// The scope of an entry at just this resource. There is none for what no entry can stand on.
    #[must_use]
    pub fn scope(&self) -> Option<Scope> {
        Some(match self {
            Self::Server => Scope::Server,
            Self::Database(name) => Scope::Database(name.clone().into()),
            Self::Table(name) => {
                Scope::Table { database: name.database.clone().into(), table: name.table.clone().into() }
            }
            Self::Column(name) => Scope::Column {
                database: name.table.database.clone().into(),
                table: name.table.table.clone().into(),
                column: name.column.clone().into(),
            },
            Self::Uri(uri) => Scope::Uri(uri.clone()),
            Self::Function { database: Some(database), function } => {
                Scope::Function { database: database.clone().into(), function: function.clone().into() }
            }
            Self::Connector(name) => Scope::Connector(name.clone().into()),
            Self::Function { database: None, .. } | Self::Service(_) => return None,
        })
    }

    /// The database it is or is in.
    #[must_use]
    pub fn database(&self) -> Option<&Name> {
        match self {
            Self::Database(database) => Some(database),
            Self::Table(name) => Some(&name.database),
            Self::Column(name) => Some(&name.table.database),
            Self::Function { database, .. } => database.as_ref(),
            Self::Server | Self::Uri(_) | Self::Connector(_) | Self::Service(_) => None,
        }
    }
}

/// `db`, `db.table`, `db.table.column`, the address, the name.
impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Server => f.write_str("server"),
            Self::Database(name) | Self::Connector(name) | Self::Service(name) => f.write_str(name),
            Self::Table(table) => fmt::Display::fmt(table, f),
            Self::Column(column) => fmt::Display::fmt(column, f),
            Self::Uri(uri) => fmt::Display::fmt(uri, f),
            Self::Function { database: Some(database), function } => write!(f, "{database}.{function}"),
            Self::Function { database: None, function } => write!(f, "{function}"),
        }
    }
}
