//! Why a run is refused.

use std::fmt;

use crate::moment::MOST_CHANGES;
use crate::run::{DatasetName, RunKey};

/// A run that a graph cannot take. Nothing of it is kept then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunError {
    /// Without a key it could not be told from others.
    EmptyKey,
    /// More changes than the steps of a run have numbers for.
    TooManyChanges { run: RunKey, changes: usize },
    /// A database becomes a table, or the other way round.
    RenameAcross { from: Box<DatasetName>, to: Box<DatasetName> },
    /// The graph has no numbers left for what the run names.
    Full,
}

impl RunError {
    /// The stable name of the kind of error.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::EmptyKey => "empty-run-key",
            Self::TooManyChanges { .. } => "too-many-changes",
            Self::RenameAcross { .. } => "rename-across",
            Self::Full => "graph-full",
        }
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EmptyKey => f.write_str("the run has no key"),
            Self::TooManyChanges { run, changes } => {
                write!(f, "run `{}` makes {changes} changes, {MOST_CHANGES} at most can be kept", run.0)
            }
            Self::RenameAcross { from, to } => {
                write!(f, "`{from}` cannot become `{to}`: only one of them is a database")
            }
            Self::Full => f.write_str("the graph has no room for another run"),
        }
    }
}

impl std::error::Error for RunError {}
