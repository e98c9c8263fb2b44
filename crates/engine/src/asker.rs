//! Somebody whose questions one snapshot of the policy answers: what they are in it is found out once for all of them.

use std::sync::Arc;

use guardbee_policy::{Identity, Subject, Timestamp};

use crate::audit::AuditRecord;
use crate::engine::{Engine, PolicySnapshot};
use crate::judge::judge_request;
use crate::outcome::Checked;
use crate::privilege_objects::PrivilegeObjects;
use crate::recording::{self, Asked};

/// Somebody who asks about statements of which the objects are known that they touch.
pub struct Asker<'e> {
    engine: &'e Engine,
    snapshot: Arc<PolicySnapshot>,
    identity: Identity,
    subject: Subject,
}

impl Engine {
    /// Somebody, as the policy of this moment knows them.
    #[must_use]
    pub fn asker(&self, identity: Identity) -> Asker<'_> {
        let snapshot = self.policy();
        let subject = snapshot.policy.subject(&identity);
        Asker { engine: self, snapshot, identity, subject }
    }
}

impl Asker<'_> {
    /// The policy that answers.
    #[must_use]
    pub const fn policy(&self) -> &Arc<PolicySnapshot> {
        &self.snapshot
    }

    #[must_use]
    pub const fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Is it still the policy of this moment that answers?
    #[must_use]
    pub fn is_current(&self) -> bool {
        self.engine.is_current(&self.snapshot)
    }

    /// May they run a statement that touches this? Nothing changes, but that the tags of what it reads count for what it
    /// writes from now on, where tags go with data.
    #[must_use]
    pub fn check(&self, objects: &PrivilegeObjects) -> Checked {
        self.engine.end_pending();
        let checked = self.judge(objects);
        if checked.is_allowed() {
            self.engine.note_objects(&self.identity, objects);
        }
        checked
    }

    /// The same, and nothing changes.
    pub(crate) fn judge(&self, objects: &PrivilegeObjects) -> Checked {
        let settings = self.snapshot.policy.settings();
        let (request, misplaced) = objects.request(&settings.default_file_system);
        judge_request(self.engine, &self.snapshot, &self.subject, &self.identity, &request, &misplaced)
    }

    /// What the audit log keeps of such a statement.
    #[must_use]
    pub fn audit_of(&self, objects: &PrivilegeObjects, checked: &Checked, at: Timestamp) -> AuditRecord {
        let (identity, operation) = (&self.identity, Some(objects.operation));
        let asked = Asked { identity, policy: &self.snapshot, statement: "", operation };
        recording::audit(asked, recording::stated_objects(objects), checked, at)
    }
}
