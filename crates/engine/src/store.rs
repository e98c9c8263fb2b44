//! The port to whatever keeps policies: every change is a version, and old versions stay answerable.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher as _;
use std::sync::Arc;

use async_trait::async_trait;
use guardbee_policy::{Change, Timestamp};
use smol_str::SmolStr;

use crate::accounts::AccountStore;
use crate::audit::{AuditRecord, AuditStore};
use crate::jobs::JobStore;
use crate::run_store::RunStore;

/// Counts the versions of a policy. A store starts with version 0, the empty policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct PolicyVersion(pub u64);

/// Keeps policies. Every implementation passes the same conformance suite.
///
/// A version that [`commit`](Store::commit) has answered survives the death of the process and of the
/// machine. Nothing is ever half there.
#[async_trait]
pub trait Store: Send + Sync {
    /// Hands over the policy at a version, as the steps that build it from nothing, one by one. What was
    /// handed over before an error is worth nothing.
    async fn load_each(
        &self,
        at: At,
        each: &mut (dyn FnMut(Change) + Send),
    ) -> Result<LoadedHead, StoreError>;

    /// The same with all steps at once.
    async fn load(&self, at: At) -> Result<Loaded, StoreError> {
        let mut changes = Vec::new();
        let head = self.load_each(at, &mut |change| changes.push(change)).await?;
        Ok(Loaded { version: head.version, changes, next_entry_id: head.next_entry_id })
    }

    /// Makes the steps of a commit the next version, all or none, and keeps its audit record with them.
    ///
    /// A commit whose key is known already has been made before: the answer is the version that it became,
    /// and nothing changes.
    async fn commit(&self, commit: Commit) -> Result<PolicyVersion, StoreError>;

    /// The versions, newest first; `limit` at most, only those before `before` where it is given.
    async fn history(
        &self,
        before: Option<PolicyVersion>,
        limit: u32,
    ) -> Result<Vec<VersionRecord>, StoreError>;

    /// The steps of the versions after `after`, oldest first; `limit` versions at most.
    async fn changes_after(
        &self,
        after: PolicyVersion,
        limit: u32,
    ) -> Result<Vec<VersionChanges>, StoreError>;

    /// Returns as soon as there is a version after `after`, made by this process or another, with the
    /// newest. Dropping the future is safe.
    async fn wait_after(&self, after: PolicyVersion) -> Result<PolicyVersion, StoreError>;
}

/// All that is kept, in one place: policies, runs, the audit log, who may call the service, and who does what has to be done
/// now and then.
pub trait Storage: Store + RunStore + AuditStore + AccountStore + JobStore {}

impl<S: Store + RunStore + AuditStore + AccountStore + JobStore> Storage for S {}

/// Which version is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    Latest,
    Version(PolicyVersion),
}

/// A policy as it is kept.
#[derive(Debug, Clone)]
pub struct Loaded {
    pub version: PolicyVersion,
    pub changes: Vec<Change>,
    /// Entry ids below this one have been used, by entries that may be gone.
    pub next_entry_id: u64,
}

/// A [`Loaded`] without its steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoadedHead {
    pub version: PolicyVersion,
    pub next_entry_id: u64,
}

/// A change to a policy, to be made as a whole.
#[derive(Debug, Clone)]
pub struct Commit {
    /// The version that the author saw. If it is not the latest, somebody was faster: [`StoreError::Conflict`].
    pub base: PolicyVersion,
    pub author: SmolStr,
    pub at: Timestamp,
    /// Why; the statement where it was one.
    pub reason: Arc<str>,
    pub changes: Vec<Change>,
    /// Makes sending the same commit twice harmless.
    pub key: Option<SmolStr>,
    /// What the audit log keeps of it, with the version that it becomes.
    pub audit: AuditRecord,
}

/// Who made a version, when and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionRecord {
    pub version: PolicyVersion,
    pub author: SmolStr,
    pub at: Timestamp,
    pub reason: Arc<str>,
    /// How many steps it took.
    pub change_count: u64,
}

/// A version with its steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionChanges {
    pub record: VersionRecord,
    pub changes: Vec<Change>,
}

/// Why a store could not do what it was asked. Nothing has changed then, unless it says so.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    #[error("the policy was changed meanwhile: it is at version {}, not at {}", latest.0, base.0)]
    Conflict { base: PolicyVersion, latest: PolicyVersion },
    #[error("there is no policy version {}", .0.0)]
    UnknownVersion(PolicyVersion),
    /// The store was written by a newer Guardbee.
    #[error("the store has schema {found}, this version of guardbee knows up to {known}")]
    NewerSchema { found: u32, known: u32 },
    /// The place is none where a store is or can be made.
    #[error("there can be no store: {0}")]
    Location(String),
    /// What is there belongs to another program.
    #[error("that is no store of guardbee: {0}")]
    Foreign(String),
    /// Wrong password, or the user may not do that.
    #[error("the store refuses: {0}")]
    Refused(String),
    /// The change holds something that no store keeps.
    #[error("the change cannot be kept: {0}")]
    Unstorable(String),
    #[error("it is the last account with the permission `admin`")]
    LastAdmin,
    #[error("the store cannot be written: {0}")]
    ReadOnly(String),
    #[error("the disk of the store is full: {0}")]
    Full(String),
    #[error("the store is damaged: {0}")]
    Damaged(String),
    /// It may work again later: no connection, a lock that did not come free in time.
    #[error("the store cannot be reached: {0}")]
    Unavailable(String),
    /// The connection broke while a commit was on its way: it may or may not have been made. Sending it again
    /// with the same key settles it.
    #[error("it is not known whether the change was made: {0}")]
    Unknown(String),
}

impl StoreError {
    /// The stable name of the kind of error.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Conflict { .. } => "store-conflict",
            Self::UnknownVersion(_) => "unknown-version",
            Self::NewerSchema { .. } => "store-newer-schema",
            Self::Location(_) => "store-location",
            Self::Foreign(_) => "store-foreign",
            Self::Refused(_) => "store-refused",
            Self::Unstorable(_) => "store-unstorable",
            Self::LastAdmin => "last-admin",
            Self::ReadOnly(_) => "store-read-only",
            Self::Full(_) => "store-full",
            Self::Damaged(_) => "store-damaged",
            Self::Unavailable(_) => "store-unavailable",
            Self::Unknown(_) => "store-outcome-unknown",
        }
    }
}

/// A key that no other commit has, whatever process on whatever machine makes it: with one that two share, the
/// second would be told that its change was made before.
#[must_use]
pub fn new_commit_key() -> SmolStr {
    let random = || RandomState::new().hash_one(std::process::id());
    SmolStr::new(format!("{:016x}{:016x}", random(), random()))
}
