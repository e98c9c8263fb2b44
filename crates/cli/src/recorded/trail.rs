//! What the audit log is told before anybody else is: that somebody read it, and what was decided.

use std::sync::Arc;

use anyhow::Context as _;
use guardbee_engine::audit::{AuditKind, AuditRecord, AuditSeq, Verdict};
use guardbee_engine::clock::{Clock, SystemClock};
use guardbee_engine::store::{PolicyVersion, Storage, StoreError};
use smol_str::SmolStr;

use crate::output::say_warning;
use crate::policy::plan::user_of_environment;
use crate::terminal::Style;

/// So many decisions share a transaction.
const TOGETHER: usize = 1000;

/// Decisions on their way into the log of a store; without one they are nobody's.
pub struct Trail {
    storage: Option<Arc<dyn Storage>>,
    waiting: Vec<AuditRecord>,
    errors: Style,
}

impl Trail {
    #[must_use]
    pub const fn new(storage: Option<Arc<dyn Storage>>, errors: Style) -> Self {
        Self { storage, waiting: Vec::new(), errors }
    }

    /// Notes a decision, where there is a log; what comes of it is not to be told before it is [written](Self::write).
    pub fn note(&mut self, record: impl FnOnce() -> AuditRecord) {
        if self.storage.is_some() {
            self.waiting.push(record());
        }
    }

    /// Does nothing wait to be written, or so much that it is worth a transaction?
    #[must_use]
    pub fn is_due(&self) -> bool {
        self.storage.is_none() || self.waiting.len() >= TOGETHER
    }

    /// Writes what waits. A store where nothing may be written keeps nothing, which is said once.
    ///
    /// # Errors
    /// What else the store says.
    pub async fn write(&mut self) -> anyhow::Result<()> {
        let Some(storage) = self.storage.as_ref().filter(|_| !self.waiting.is_empty()) else { return Ok(()) };
        let kept = append(&**storage, &self.waiting, "what is decided", self.errors).await?;
        self.waiting.clear();
        if kept.is_none() {
            self.storage = None;
        }
        Ok(())
    }
}

/// Notes that somebody reads the log, before they do: the place of the record, which is not among what they asked for.
///
/// # Errors
/// What the store says; nothing is to be read then. One where nothing may be written can be read all the same, which is
/// said.
pub async fn note_reading(
    storage: &dyn Storage,
    operation: &'static str,
    question: &str,
    errors: Style,
) -> anyhow::Result<Option<AuditSeq>> {
    let record = AuditRecord {
        at: SystemClock.now(),
        actor: SmolStr::new(user_of_environment().unwrap_or_default()),
        groups: Vec::new(),
        kind: AuditKind::Read,
        statement: Arc::from(question),
        operation: SmolStr::new_static(operation),
        objects: Vec::new(),
        verdict: Verdict::Allowed,
        reasons: Vec::new(),
        missing: Vec::new(),
        policy_version: PolicyVersion::default(),
        client: Some(SmolStr::new_static("guardbee")),
    };
    append(storage, &[record], "that its audit log is read", errors).await
}

async fn append(
    storage: &dyn Storage,
    records: &[AuditRecord],
    what: &str,
    errors: Style,
) -> anyhow::Result<Option<AuditSeq>> {
    match storage.append_audit(records).await {
        Ok(head) => Ok(Some(head.seq)),
        Err(StoreError::ReadOnly(_)) => {
            say_warning(errors, &format!("the store cannot be written: {what} is not in its audit log"));
            Ok(None)
        }
        Err(error) => Err(error).with_context(|| format!("cannot note in the audit log {what}")),
    }
}
