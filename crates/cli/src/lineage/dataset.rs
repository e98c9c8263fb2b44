//! What lineage leads from and to.

use std::fmt;
use std::sync::Arc;

use guardbee_model::{Name, TableName};

/// A node: a dataset as a whole, or one column of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dataset {
    Table(Relation),
    Path(Arc<str>),
    Column {
        relation: Relation,
        column: Name,
    },
    /// A column of the files at a path.
    PathColumn {
        path: Arc<str>,
        column: Name,
    },
    /// A column that the texts alone cannot place: one of these tables has it, or none is known at all.
    Unresolved {
        column: Name,
        candidates: Arc<[TableName]>,
    },
}

/// A table or view. A temporary one is seen by its session only, so that the same name in two scripts is
/// two datasets.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Relation {
    pub name: TableName,
    /// The file whose session a temporary table belongs to.
    pub session: Option<Arc<str>>,
}

impl Relation {
    /// A table or view that everybody sees.
    #[must_use]
    pub const fn shared(name: TableName) -> Self {
        Self { name, session: None }
    }
}

impl Dataset {
    /// The dataset that a column belongs to; a dataset belongs to itself.
    #[must_use]
    pub fn whole(&self) -> Option<Self> {
        match self {
            Self::Table(_) | Self::Path(_) => Some(self.clone()),
            Self::Column { relation, .. } => Some(Self::Table(relation.clone())),
            Self::PathColumn { path, .. } => Some(Self::Path(path.clone())),
            Self::Unresolved { .. } => None,
        }
    }

    /// Is it a dataset, and no column of one?
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        matches!(self, Self::Table(_) | Self::Path(_))
    }

    /// Its name without the dataset that it belongs to; a dataset has none.
    #[must_use]
    pub const fn column(&self) -> Option<&Name> {
        match self {
            Self::Column { column, .. }
            | Self::PathColumn { column, .. }
            | Self::Unresolved { column, .. } => Some(column),
            Self::Table(_) | Self::Path(_) => None,
        }
    }

    /// The column of that name.
    #[must_use]
    pub fn with_column(&self, column: &Name) -> Self {
        match self {
            Self::Table(relation) => Self::Column { relation: relation.clone(), column: column.clone() },
            Self::Path(path) => Self::PathColumn { path: path.clone(), column: column.clone() },
            other => other.clone(),
        }
    }

    /// The file whose session it belongs to, where it is temporary.
    #[must_use]
    pub fn session(&self) -> Option<&str> {
        match self {
            Self::Table(relation) | Self::Column { relation, .. } => relation.session.as_deref(),
            _ => None,
        }
    }
}

impl fmt::Display for Dataset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Table(relation) => write!(f, "{}", relation.name),
            Self::Path(path) => f.write_str(path),
            Self::Column { relation, column } => write!(f, "{}.{column}", relation.name),
            Self::PathColumn { path, column } => write!(f, "{path}#{column}"),
            Self::Unresolved { column, candidates } if candidates.is_empty() => write!(f, "?.{column}"),
            Self::Unresolved { column, candidates } => {
                let tables: Vec<String> = candidates.iter().map(ToString::to_string).collect();
                write!(f, "?.{column} ({})", tables.join(" or "))
            }
        }
    }
}
