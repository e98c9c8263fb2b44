//! The port to whatever keeps the audit log: who asked for what, and what came of it, in a chain that shows when a record
//! was changed, taken out, put in or moved.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use guardbee_model::{Name, Timestamp};
use smol_str::SmolStr;

use crate::store::{PolicyVersion, StoreError};

/// The place of a record in the log. Counts up from 1 without a gap; 0 stands before the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct AuditSeq(pub u64);

/// Keeps the audit log. Every implementation passes the same conformance suite.
///
/// A record that [`append_audit`](AuditStore::append_audit) has answered survives the death of the process and of the
/// machine. Each record carries a hash over itself and the hash of the one before; where the log ends is kept beside it.
#[async_trait]
pub trait AuditStore: Send + Sync {
    /// Keeps records, all or none; where the log ends then.
    async fn append_audit(&self, records: &[AuditRecord]) -> Result<AuditHead, StoreError>;

    /// Where the log ends.
    async fn audit_head(&self) -> Result<AuditHead, StoreError>;

    /// The records that fit a question; `limit` at most.
    async fn read_audit(
        &self,
        filter: &AuditFilter,
        cursor: AuditCursor,
        limit: u32,
    ) -> Result<Vec<AuditEntry>, StoreError>;

    /// Looks through the whole log. `anchor` is an end that was noted down elsewhere earlier, if there is one: who can
    /// write the store could make up a log from its beginning, but not one that passes through it.
    async fn verify_audit(&self, anchor: Option<AuditHead>) -> Result<AuditVerdict, StoreError>;
}

/// What is to be remembered of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditRecord {
    pub at: Timestamp,
    /// The user who asked.
    pub actor: SmolStr,
    pub groups: Vec<SmolStr>,
    pub kind: AuditKind,
    /// As it was asked; empty where it was no statement.
    pub statement: Arc<str>,
    /// Hive's operation type, or what else was asked for.
    pub operation: SmolStr,
    /// What it is about, each once.
    pub objects: Vec<AuditObject>,
    pub verdict: Verdict,
    /// What decided, or why it failed.
    pub reasons: Vec<Arc<str>>,
    /// What the actor would have needed and has not.
    pub missing: Vec<Arc<str>>,
    /// The policy that it was decided by; the one that came of it where it is a change.
    pub policy_version: PolicyVersion,
    /// The address or program that it came from.
    pub client: Option<SmolStr>,
}

/// What a record is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AuditKind {
    /// Somebody wanted to run a statement.
    Decision,
    /// A statement that was allowed did not succeed.
    Failure,
    /// Somebody wanted to change the policy.
    Change,
    /// Somebody wanted to read the log.
    Read,
}

impl AuditKind {
    pub const ALL: [Self; 4] = [Self::Decision, Self::Failure, Self::Change, Self::Read];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Decision => "decision",
            Self::Failure => "failure",
            Self::Change => "change",
            Self::Read => "read",
        }
    }
}

/// Whether the actor may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    Denied,
    Allowed,
}

impl Verdict {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Denied => "denied",
            Self::Allowed => "allowed",
        }
    }
}

/// Something that a request touches, and how.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AuditObject {
    /// What it is searched by: `sales.orders`, `sales`, a path, a role.
    pub name: SmolStr,
    /// `SELECT`, `INSERT`, ...
    pub access: SmolStr,
    /// The columns that are touched; empty: the object as a whole.
    pub columns: Vec<Name>,
}

/// A record in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    pub seq: AuditSeq,
    pub record: AuditRecord,
    /// Over the record and the hash of the one before.
    pub hash: AuditHash,
}

/// SHA-256.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct AuditHash(pub [u8; 32]);

impl fmt::Display for AuditHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for AuditHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Where a log ends: its last record and that one's hash; all zero where there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AuditHead {
    pub seq: AuditSeq,
    pub hash: AuditHash,
}

/// Which records are meant; every part that is given has to fit.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AuditFilter {
    pub actor: Option<SmolStr>,
    pub kind: Option<AuditKind>,
    pub verdict: Option<Verdict>,
    /// At that moment or later.
    pub from: Option<Timestamp>,
    /// Before that moment.
    pub until: Option<Timestamp>,
    /// About one of these; empty: about anything.
    pub objects: Vec<ObjectFilter>,
}

/// An object, or one of its columns.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ObjectFilter {
    pub name: SmolStr,
    /// Fits records that touch it, and those that touch the object as a whole.
    pub column: Option<Name>,
}

/// In which order records are read, and from where on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuditCursor {
    /// Newest first.
    Newest,
    /// Newest first, those before that one.
    Before(AuditSeq),
    /// Oldest first, those after that one; 0 for all.
    After(AuditSeq),
}

/// Whether a log is what was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuditVerdict {
    /// It is: how many records there are, and the hash of the last.
    Verified { count: u64, head: AuditHash },
    /// The first place at which it is not.
    Broken { seq: AuditSeq, why: String },
}

impl AuditVerdict {
    /// How many records there are.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] with the first place, where the log is not what was written.
    pub fn count(self) -> Result<u64, StoreError> {
        match self {
            Self::Verified { count, .. } => Ok(count),
            Self::Broken { seq, why } => {
                Err(StoreError::Damaged(format!("record {} of the audit log: {why}", seq.0)))
            }
        }
    }
}

impl AuditFilter {
    /// Does a record fit?
    #[must_use]
    pub fn fits(&self, record: &AuditRecord) -> bool {
        self.actor.as_ref().is_none_or(|actor| *actor == record.actor)
            && self.kind.is_none_or(|kind| kind == record.kind)
            && self.verdict.is_none_or(|verdict| verdict == record.verdict)
            && self.from.is_none_or(|from| record.at >= from)
            && self.until.is_none_or(|until| record.at < until)
            && (self.objects.is_empty() || record.objects.iter().any(|object| self.fits_object(object)))
    }

    fn fits_object(&self, object: &AuditObject) -> bool {
        self.objects.iter().filter(|filter| filter.name == object.name).any(|filter| {
            let Some(column) = &filter.column else { return true };
            object.columns.is_empty() || object.columns.contains(column)
        })
    }
}
