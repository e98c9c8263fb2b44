//! The answer to a request, with its reasons.

use std::fmt;
use std::sync::Arc;

use guardbee_model::{Name, TableName};

use smallvec::SmallVec;

use crate::requirement::Right;
use crate::{EntryId, Resource};

/// May the statement run, why, and under which obligations.
///
/// Making one that allows allocates nothing as long as there are no more than four requirements and no
/// obligations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    pub verdict: Verdict,
    /// For each requirement, in order, what decided it.
    pub reasons: SmallVec<[Reason; 4]>,
    /// Row filters and column masks that must be applied to what is read. Empty where it is refused.
    pub obligations: Vec<Obligation>,
}

/// Yes or no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    Allowed,
    Denied,
}

impl Decision {
    #[must_use]
    pub const fn is_allowed(&self) -> bool {
        matches!(self.verdict, Verdict::Allowed)
    }

    /// What is missing: one for each requirement, or column of one, that is not met.
    pub fn missing(&self) -> impl Iterator<Item = &Missing> {
        self.reasons.iter().flat_map(|reason| &reason.missing)
    }
}

/// What decided one requirement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// The place of the requirement among those that were asked.
    pub requirement: usize,
    /// Grants that together meet it, or all the denials that refuse it. Empty where no entry decided.
    pub entries: SmallVec<[EntryId; 4]>,
    pub basis: Basis,
    /// What is not held: the requirement, or each of its columns that is not covered. Empty where it is met.
    pub missing: Vec<Missing>,
}

/// On what ground a requirement is met or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Basis {
    /// Entries grant it.
    Granted,
    /// The subject owns the resource, or what holds it.
    Owner,
    /// The subject administers.
    Administrator,
    /// The subject holds SUPER.
    Super,
    /// A provider outside the policy said so.
    Provider(Name),
    /// Entries deny it.
    Denied,
    /// Nothing grants it.
    NotGranted,
    /// The rule book allows it to nobody.
    Forbidden,
}

/// A right that is not held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    pub right: Right,
    /// The column where it is one that is missing, else what the requirement names.
    pub resource: Resource,
}

/// `SELECT on db.table.column`, `INSERT|ALTER on db.table`, `ALL on hdfs://nn:8020/in`,
/// `CREATE on SERVER`: the server's name is for those to add who know it.
impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.right, f)?;
        match &self.resource {
            Resource::Server => f.write_str(" on SERVER"),
            resource => {
                f.write_str(" on ")?;
                fmt::Display::fmt(resource, f)
            }
        }
    }
}

/// Something that must be done to what is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Obligation {
    /// Only rows for which the condition holds. Several on one table hold together.
    Filter { table: TableName, policy: Name, condition: Arc<str> },
    /// The expression takes the column's place.
    Mask { table: TableName, column: Name, policy: Name, expression: Arc<str> },
}
