//! A policy as plain tables in a fixed order, for those who write all of it down.

use std::collections::BTreeMap;

use guardbee_model::Name;
use guardbee_policy::{
    Change, DataPolicy, DataRule, Entry, EntryId, Membership, Ownership, Principal, Resource, Role, Settings,
    Tag, TagAssignment,
};

/// What a policy holds, by key.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Contents {
    pub settings: Settings,
    pub roles: BTreeMap<Name, Role>,
    pub memberships: BTreeMap<(Name, Principal), Membership>,
    pub entries: BTreeMap<EntryId, Entry>,
    pub data_policies: BTreeMap<(DataRule, Name), DataPolicy>,
    pub tags: BTreeMap<Name, Tag>,
    pub tag_assignments: BTreeMap<(Resource, Name), TagAssignment>,
    pub owners: BTreeMap<Resource, Ownership>,
}

impl Contents {
    /// What the steps leave behind. They are taken to be valid; a setting that is none is passed over.
    #[must_use]
    pub fn of(changes: impl IntoIterator<Item = Change>) -> Self {
        let mut contents = Self::default();
        for change in changes {
            contents.apply(change);
        }
        contents
    }

    fn apply(&mut self, change: Change) {
        match change {
            Change::PutRole(role) => drop(self.roles.insert(role.name.clone(), role)),
            Change::RemoveRole(name) => drop(self.roles.remove(&name)),
            Change::PutMembership(membership) => {
                let key = (membership.role.clone(), membership.member.clone());
                self.memberships.insert(key, membership);
            }
            Change::RemoveMembership { role, member } => drop(self.memberships.remove(&(role, member))),
            Change::PutEntry(entry) => drop(self.entries.insert(entry.id, entry)),
            Change::RemoveEntry(id) => drop(self.entries.remove(&id)),
            Change::PutDataPolicy(policy) => {
                self.data_policies.insert((policy.rule, policy.name.clone()), policy);
            }
            Change::RemoveDataPolicy { rule, name } => drop(self.data_policies.remove(&(rule, name))),
            Change::PutTag(tag) => drop(self.tags.insert(tag.name.clone(), tag)),
            Change::RemoveTag(name) => drop(self.tags.remove(&name)),
            Change::PutTagAssignment(assignment) => {
                let key = (assignment.resource.clone(), assignment.tag.clone());
                self.tag_assignments.insert(key, assignment);
            }
            Change::RemoveTagAssignment { tag, resource } => {
                self.tag_assignments.remove(&(resource, tag));
            }
            Change::PutOwner(owner) => drop(self.owners.insert(owner.resource.clone(), owner)),
            Change::RemoveOwner(resource) => drop(self.owners.remove(&resource)),
            Change::PutSetting { key, value } => {
                let _ = self.settings.set(&key, &value);
            }
            Change::RemoveSetting(key) => {
                let _ = self.settings.reset(&key);
            }
        }
    }
}
