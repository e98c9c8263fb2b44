//! The state of a policy: everything that was put into it, and what is needed to find it again.

use std::collections::BTreeMap;

use guardbee_model::Name;

use crate::{
    Change, ChangeError, DataPolicy, DataRule, Entry, EntryId, Membership, Ownership, Principal, Resource,
    Role, Scope, Settings, Tag, TagAssignment, Timestamp,
};

/// A policy. A value: a clone is cheap and never changes when the original does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    pub(crate) settings: Settings,
    pub(crate) roles: BTreeMap<Name, Role>,
    pub(crate) memberships: BTreeMap<(Name, Principal), Membership>,
    pub(crate) entries: BTreeMap<EntryId, Entry>,
    pub(crate) data_policies: BTreeMap<(DataRule, Name), DataPolicy>,
    pub(crate) tags: BTreeMap<Name, Tag>,
    pub(crate) tag_assignments: BTreeMap<(Resource, Name), TagAssignment>,
    pub(crate) owners: BTreeMap<Resource, Principal>,
    pub(crate) next_entry_id: EntryId,
}

impl Default for Policy {
    fn default() -> Self {
        Self::new()
    }
}

impl Policy {
    /// The roles `public` and `admin`, which are always there, and nothing else.
    #[must_use]
    pub fn new() -> Self {
        let built_in = [PUBLIC, ADMIN]
            .map(|name| (name.clone(), Role { name, created_by: None, created_at: Timestamp::default() }));
        Self {
            settings: Settings::default(),
            roles: BTreeMap::from(built_in),
            memberships: BTreeMap::new(),
            entries: BTreeMap::new(),
            data_policies: BTreeMap::new(),
            tags: BTreeMap::new(),
            tag_assignments: BTreeMap::new(),
            owners: BTreeMap::new(),
            next_entry_id: EntryId(1),
        }
    }

    /// The policy that the steps build from nothing.
    ///
    /// # Errors
    /// The first step that a policy cannot take.
    pub fn from_changes(changes: impl IntoIterator<Item = Change>) -> Result<Self, ChangeError> {
        let mut policy = Self::new();
        for change in changes {
            policy.apply(change)?;
        }
        Ok(policy)
    }

    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    #[must_use]
    pub fn role(&self, name: &str) -> Option<&Role> {
        self.roles.get(name)
    }

    /// Every role, by name.
    pub fn roles(&self) -> impl Iterator<Item = &Role> {
        self.roles.values()
    }

    /// Every membership, by role and member.
    pub fn memberships(&self) -> impl Iterator<Item = &Membership> {
        self.memberships.values()
    }

    /// Who is in a role directly.
    pub fn members_of(&self, role: &str) -> impl Iterator<Item = &Membership> {
        self.memberships.values().filter(move |membership| membership.role.as_str() == role)
    }

    /// The roles that a principal is in directly.
    pub fn memberships_of(&self, member: &Principal) -> impl Iterator<Item = &Membership> {
        self.memberships.values().filter(move |membership| membership.member == *member)
    }

    #[must_use]
    pub fn entry(&self, id: EntryId) -> Option<Entry> {
        self.entries.get(&id).cloned()
    }

    /// Every entry, by id.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        self.entries.values().cloned()
    }

    /// The entries that name a principal, by id. Those of the roles it is in are not among them.
    pub fn entries_of(&self, principal: &Principal) -> impl Iterator<Item = Entry> {
        self.entries().filter(move |entry| entry.principal == *principal)
    }

    /// The entries at exactly a scope.
    pub fn entries_on(&self, scope: &Scope) -> impl Iterator<Item = Entry> {
        self.entries().filter(move |entry| entry.scope == *scope)
    }

    /// The entries at a scope or inside it. A scope with `*` holds what stands on the same text only, and
    /// what stands inside that.
    pub fn entries_within(&self, scope: &Scope) -> impl Iterator<Item = Entry> {
        self.entries().filter(move |entry| scope.holds(&entry.scope))
    }

    /// Every data policy, filters first, by name.
    pub fn data_policies(&self) -> impl Iterator<Item = &DataPolicy> {
        self.data_policies.values()
    }

    #[must_use]
    pub fn data_policy(&self, rule: DataRule, name: &str) -> Option<&DataPolicy> {
        self.data_policies.get(&(rule, Name::fold(name)))
    }

    /// Every tag, by name.
    pub fn tags(&self) -> impl Iterator<Item = &Tag> {
        self.tags.values()
    }

    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&Tag> {
        self.tags.get(name)
    }

    /// The tags that a resource carries itself.
    pub fn tags_on(&self, resource: &Resource) -> impl Iterator<Item = &TagAssignment> {
        self.tag_assignments.values().filter(move |assignment| assignment.resource == *resource)
    }

    /// Every tag on every resource.
    pub fn tag_assignments(&self) -> impl Iterator<Item = &TagAssignment> {
        self.tag_assignments.values()
    }

    #[must_use]
    pub fn owner(&self, resource: &Resource) -> Option<&Principal> {
        self.owners.get(resource)
    }

    /// Every owner that is known.
    pub fn owners(&self) -> impl Iterator<Item = Ownership> {
        self.owners
            .iter()
            .map(|(resource, owner)| Ownership { resource: resource.clone(), owner: owner.clone() })
    }

    /// The first id that no entry has had.
    #[must_use]
    pub fn next_entry_id(&self) -> EntryId {
        self.next_entry_id
    }

    /// Says that ids below this one have been used, by entries that are gone.
    pub fn reserve_entry_ids(&mut self, next: EntryId) {
        self.next_entry_id = self.next_entry_id.max(next);
    }

    /// The steps that build this policy from nothing.
    pub fn changes(&self) -> impl Iterator<Item = Change> {
        let built_in = |role: &&Role| {
            !(is_built_in(&role.name) && role.created_by.is_none() && role.created_at == Timestamp::default())
        };
        Settings::default()
            .changes_to(&self.settings)
            .into_iter()
            .chain(self.roles().filter(built_in).cloned().map(Change::PutRole))
            .chain(self.memberships().cloned().map(Change::PutMembership))
            .chain(self.tags().cloned().map(Change::PutTag))
            .chain(self.tag_assignments().cloned().map(Change::PutTagAssignment))
            .chain(self.entries().map(Change::PutEntry))
            .chain(self.data_policies().cloned().map(Change::PutDataPolicy))
            .chain(self.owners().map(Change::PutOwner))
    }
}

const PUBLIC: Name = Name::from_static("public");
pub(crate) const ADMIN: Name = Name::from_static("admin");

pub(crate) fn is_built_in(role: &Name) -> bool {
    *role == PUBLIC || *role == ADMIN
}
