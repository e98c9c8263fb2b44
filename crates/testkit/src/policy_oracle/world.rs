//! What a sequence of changes adds up to, as plain lists.

use guardbee_policy::{
    BookName, Change, DataPolicy, Entry, Membership, Ownership, Principal, Role, Settings, Tag,
    TagAssignment, Timestamp,
};

/// The state of a policy. Nothing is checked: whoever applies changes knows that they are sound.
#[derive(Debug, Clone)]
pub struct World {
    pub settings: Settings,
    pub roles: Vec<Role>,
    pub memberships: Vec<Membership>,
    pub entries: Vec<Entry>,
    pub data_policies: Vec<DataPolicy>,
    pub tags: Vec<Tag>,
    pub assignments: Vec<TagAssignment>,
    pub owners: Vec<Ownership>,
}

impl Default for World {
    fn default() -> Self {
        let built_in =
            |name: &str| Role { name: name.into(), created_by: None, created_at: Timestamp::default() };
        Self {
            settings: Settings::default(),
            roles: vec![built_in("public"), built_in("admin")],
            memberships: Vec::new(),
            entries: Vec::new(),
            data_policies: Vec::new(),
            tags: Vec::new(),
            assignments: Vec::new(),
            owners: Vec::new(),
        }
    }
}

impl World {
    #[must_use]
    pub fn of<'c>(changes: impl IntoIterator<Item = &'c Change>) -> Self {
        let mut world = Self::default();
        for change in changes {
            world.apply(change);
        }
        world
    }

    /// A put takes the place of what has the same key; to remove what is not there does nothing.
    pub fn apply(&mut self, change: &Change) {
        match change {
            Change::PutRole(role) => put(&mut self.roles, role, |old| old.name == role.name),
            Change::RemoveRole(name) => self.roles.retain(|role| role.name != *name),
            Change::PutMembership(new) => {
                put(&mut self.memberships, new, |old| old.role == new.role && old.member == new.member)
            }
            Change::RemoveMembership { role, member } => {
                self.memberships.retain(|old| old.role != *role || old.member != *member);
            }
            Change::PutEntry(entry) => put(&mut self.entries, entry, |old| old.id == entry.id),
            Change::RemoveEntry(id) => self.entries.retain(|old| old.id != *id),
            Change::PutDataPolicy(new) => {
                put(&mut self.data_policies, new, |old| old.rule == new.rule && old.name == new.name)
            }
            Change::RemoveDataPolicy { rule, name } => {
                self.data_policies.retain(|old| old.rule != *rule || old.name != *name);
            }
            Change::PutTag(tag) => put(&mut self.tags, tag, |old| old.name == tag.name),
            Change::RemoveTag(name) => self.tags.retain(|old| old.name != *name),
            Change::PutTagAssignment(new) => {
                put(&mut self.assignments, new, |old| old.tag == new.tag && old.resource == new.resource)
            }
            Change::RemoveTagAssignment { tag, resource } => {
                self.assignments.retain(|old| old.tag != *tag || old.resource != *resource);
            }
            Change::PutOwner(new) => put(&mut self.owners, new, |old| old.resource == new.resource),
            Change::RemoveOwner(resource) => self.owners.retain(|old| old.resource != *resource),
            Change::PutSetting { key, value } => {
                // A key or value that is none changes nothing.
                let _ = self.settings.set(key, value);
            }
            Change::RemoveSetting(key) => {
                let _ = self.settings.reset(key);
            }
        }
    }

    #[must_use]
    pub fn owner(&self, resource: &guardbee_policy::Resource) -> Option<&Principal> {
        self.owners.iter().find(|ownership| ownership.resource == *resource).map(|ownership| &ownership.owner)
    }

    #[must_use]
    pub fn is_sql_standard(&self) -> bool {
        self.settings.rule_book == BookName::SqlStandard
    }
}

fn put<T: Clone>(list: &mut Vec<T>, new: &T, same_key: impl Fn(&T) -> bool) {
    match list.iter_mut().find(|old| same_key(old)) {
        Some(old) => *old = new.clone(),
        None => list.push(new.clone()),
    }
}
