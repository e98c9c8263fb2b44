//! What the audit log is told before anybody else is: what was decided.

use std::sync::Arc;

use anyhow::Context as _;
use guardbee_engine::audit::AuditRecord;
use guardbee_engine::store::{Storage, StoreError};

use crate::output::say_warning;
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
        match storage.append_audit(&self.waiting).await {
            Ok(_) => {}
            Err(StoreError::ReadOnly(_)) => {
                let message = "the store cannot be written: what is decided is not in its audit log";
                say_warning(self.errors, message);
                self.storage = None;
            }
            Err(error) => return Err(error).context("cannot note in the audit log what is decided"),
        }
        self.waiting.clear();
        Ok(())
    }
}
