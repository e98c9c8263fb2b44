//! What the crates that translate foreign policies share: the report of what could not be carried over, the
//! contents of a policy as plain tables, and the rows of SQL dumps. And the form that is nobody's but ours: JSON.
//!
//! Nothing here knows Sentry's or Hive's words; those are in the crates of that name.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::string_slice
    )
)]

mod contents;
pub mod dump;
pub mod json;
mod report;

use std::collections::BTreeMap;

use guardbee_policy::{Change, EntryId, Timestamp};
use smol_str::SmolStr;

pub use contents::Contents;
pub use report::{Place, Report, ReportLine, Weight};

/// A foreign policy, translated.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Imported {
    /// The steps that build the policy from an empty one, or add it to one that is there.
    pub changes: Vec<Change>,
    /// The groups of users, where the source names them. They are no part of a policy: they belong into the
    /// group mapping.
    pub groups: BTreeMap<SmolStr, Vec<SmolStr>>,
    pub report: Report,
}

/// A policy in a foreign form.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Exported {
    pub text: String,
    pub report: Report,
}

/// What an import writes into the roles and entries that it makes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamp {
    /// The first free entry id of the policy that the import goes into.
    pub first_entry: EntryId,
    /// The moment of what the source gives no time for.
    pub at: Timestamp,
    /// Who made what the source names nobody for.
    pub author: Option<SmolStr>,
}

impl Default for Stamp {
    fn default() -> Self {
        Self { first_entry: EntryId(1), at: Timestamp(0), author: None }
    }
}

/// Gives entries their ids, one after the other.
#[derive(Debug, Clone)]
pub struct EntryIds(u64);

impl EntryIds {
    #[must_use]
    pub const fn from(first: EntryId) -> Self {
        Self(first.0)
    }

    pub const fn next_id(&mut self) -> EntryId {
        let id = EntryId(self.0);
        self.0 = self.0.saturating_add(1);
        id
    }
}
