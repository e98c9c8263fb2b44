//! What holds where a question does not say.

use guardbee_lineage::EdgeFilter;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The database that names without one belong to.
pub const DATABASE: &str = "default";
/// How many events of a history, and records of the audit log.
pub const RECORDS: u32 = 50;
pub const LEAKS: usize = 20;
/// How many nodes of a trace.
pub const NODES: usize = 10_000;

pub(crate) fn database() -> String {
    DATABASE.to_owned()
}

pub(crate) const fn records() -> u32 {
    RECORDS
}

pub(crate) const fn leaks() -> usize {
    LEAKS
}

pub(crate) const fn nodes() -> usize {
    NODES
}

/// Which edges to follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Edges {
    /// Values only.
    #[default]
    Direct,
    /// Also what filters, joins, groups and sorts.
    All,
}

impl From<Edges> for EdgeFilter {
    fn from(edges: Edges) -> Self {
        match edges {
            Edges::Direct => Self::Direct,
            Edges::All => Self::All,
        }
    }
}
