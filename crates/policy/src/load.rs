//! A whole policy from its steps.

use crate::index::cell::{Cell, PrincipalNumber};
use crate::{Change, ChangeError, EntryId, Policy, Scope};

/// So many new entries are put where they belong at once.
const BATCH: usize = 1 << 18;

impl Policy {
    /// The policy that the steps build from nothing.
    ///
    /// # Errors
    /// The first step that a policy cannot take.
    pub fn from_changes(changes: impl IntoIterator<Item = Change>) -> Result<Self, ChangeError> {
        let mut policy = Self::new();
        let mut batch: Vec<(Scope, Cell)> = Vec::new();
        for change in changes {
            match change {
                Change::PutEntry(entry) if is_new(&policy, entry.id) => {
                    policy.check_entry(&entry)?;
                    batch.push(policy.register(entry));
                    if batch.len() == BATCH {
                        policy.put_batch(&mut batch);
                    }
                }
                other => {
                    policy.put_batch(&mut batch);
                    policy.apply(other)?;
                }
            }
        }
        policy.put_batch(&mut batch);
        Ok(policy)
    }

    /// Goes to each part of memory once: to each principal, and to each place.
    fn put_batch(&mut self, batch: &mut Vec<(Scope, Cell)>) {
        let mut named: Vec<(PrincipalNumber, EntryId)> =
            batch.iter().map(|(_, cell)| (cell.principal, cell.id)).collect();
        named.sort_unstable();
        for of_one in named.chunk_by(|(one, _), (other, _)| one == other) {
            if let Some((number, _)) = of_one.first() {
                self.principals.add_entries(*number, of_one.iter().map(|(_, id)| *id));
            }
        }
        self.nodes.insert_all(batch);
        batch.clear();
    }
}

/// Has the id never been used?
fn is_new(policy: &Policy, id: EntryId) -> bool {
    id >= policy.next_entry_id && id.0 != u64::MAX
}
