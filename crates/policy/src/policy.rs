//! The state of a policy: everything that was put into it, and what is needed to find it again.

use std::sync::Arc;

use guardbee_model::{Name, TableName};

use crate::index::cell::{Cell, Details, PrincipalNumber, Record};
use crate::index::data::DataPolicies;
use crate::index::hashed::{Hashed, HashedSet};
use crate::index::node::Nodes;
use crate::index::principals::Principals;
use crate::index::sorted::{Keyed, Sorted};
use crate::index::tags::{Tags, hash_of_resource};
use crate::{
    Change, DataPolicy, DataRule, Effect, Entry, EntryId, GrantOption, Membership, Ownership, Principal,
    Resource, Role, Scope, Settings, Tag, TagAssignment, Timestamp, Validity,
};

/// A policy. A value: a clone is cheap and never changes when the original does.
#[derive(Debug, Clone)]
pub struct Policy {
    pub(crate) settings: Arc<Settings>,
    pub(crate) principals: Principals,
    pub(crate) roles: Sorted<Arc<Role>>,
    pub(crate) nodes: Nodes,
    /// Every entry by its id.
    pub(crate) records: Sorted<Record>,
    pub(crate) tags: Tags,
    pub(crate) data: DataPolicies,
    pub(crate) owners: HashedSet<Arc<Ownership>>,
    pub(crate) next_entry_id: EntryId,
    /// Tells this state from others: a subject holds the stamp of the policy that it was looked up in.
    pub(crate) stamp: Arc<Stamp>,
}

/// Is one by where it is in memory. Holds a byte, as what holds nothing need not be anywhere.
#[derive(Debug)]
pub(crate) struct Stamp(#[expect(dead_code)] u8);

impl Stamp {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self(0))
    }
}

impl Keyed for Arc<Role> {
    type Key = Name;

    fn key(&self) -> Name {
        self.name.clone()
    }
}

impl Hashed for Ownership {
    fn hash(&self) -> u64 {
        hash_of_resource(&self.resource)
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self::new()
    }
}

/// Two policies are alike if the same was put into them, whichever way.
impl PartialEq for Policy {
    fn eq(&self, other: &Self) -> bool {
        self.changes().eq(other.changes())
    }
}

impl Eq for Policy {}

impl Policy {
    /// The roles `public` and `admin`, which are always there, and nothing else.
    #[must_use]
    pub fn new() -> Self {
        let mut policy = Self {
            settings: Arc::default(),
            principals: Principals::default(),
            roles: Sorted::default(),
            nodes: Nodes::default(),
            records: Sorted::default(),
            tags: Tags::default(),
            data: DataPolicies::default(),
            owners: HashedSet::default(),
            next_entry_id: EntryId(1),
            stamp: Stamp::new(),
        };
        // In this order, so that their numbers are known.
        for name in [PUBLIC, ADMIN] {
            policy.add_role(Role { name, created_by: None, created_at: Timestamp::default() });
        }
        policy
    }

    pub(crate) fn add_role(&mut self, role: Role) {
        let number = self.principals.number_or_add(&Principal::Role(role.name.clone()));
        if let Some(node) = self.principals.get_mut(number) {
            node.is_role = true;
        }
        self.roles.insert(Arc::new(role));
    }

    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    #[must_use]
    pub fn role(&self, name: &str) -> Option<&Role> {
        self.roles.get(&Name::fold(name)).map(|role| &**role)
    }

    /// Every role, by name.
    pub fn roles(&self) -> impl Iterator<Item = &Role> {
        self.roles.iter().map(|role| &**role)
    }

    /// Every membership, by role and member.
    pub fn memberships(&self) -> impl Iterator<Item = &Membership> {
        self.roles().flat_map(|role| self.members_of(&role.name))
    }

    /// Who is in a role directly, by member.
    pub fn members_of<'p>(&'p self, role: &str) -> impl Iterator<Item = &'p Membership> + use<'p> {
        let node = self.principals.find(&Principal::role(role));
        let mut found: Vec<&Membership> =
            node.into_iter().flat_map(|node| node.members.iter()).map(|member| &*member.membership).collect();
        found.sort_by(|one, other| one.member.cmp(&other.member));
        found.into_iter()
    }

    /// The roles that a principal is in directly, by role.
    pub fn memberships_of<'p>(
        &'p self,
        member: &Principal,
    ) -> impl Iterator<Item = &'p Membership> + use<'p> {
        let node = self.principals.find(member);
        let mut found: Vec<&Membership> =
            node.into_iter().flat_map(|node| &node.memberships).map(|membership| &**membership).collect();
        found.sort_by(|one, other| one.role.cmp(&other.role));
        found.into_iter()
    }

    #[must_use]
    pub fn entry(&self, id: EntryId) -> Option<Entry> {
        self.entry_of_record(self.records.get(&id)?)
    }

    /// Every entry, by id.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        self.records.iter().filter_map(|record| self.entry_of_record(record))
    }

    /// The entries that name a principal, by id. Those of the roles it is in are not among them.
    pub fn entries_of<'p>(&'p self, principal: &Principal) -> impl Iterator<Item = Entry> + use<'p> {
        let node = self.principals.find(principal);
        node.into_iter().flat_map(|node| node.entries.iter()).filter_map(|id| self.entry(*id))
    }

    /// The entries at exactly a scope, by id; one with `*` is meant as it is written.
    pub fn entries_on<'p>(&'p self, scope: &Scope) -> impl Iterator<Item = Entry> + use<'p> {
        let node = self.nodes.home_of(scope);
        let cells = node.into_iter().flat_map(|node| node.entries());
        self.sorted(
            cells
                .filter(|(stands_on, _)| stands_on == scope)
                .filter_map(|(scope, cell)| self.entry_at(scope, cell)),
        )
    }

    /// The entries at a scope or inside it, by id; one with `*` is meant as it is written.
    pub fn entries_within<'p>(&'p self, scope: &Scope) -> impl Iterator<Item = Entry> + use<'p> {
        let found: Vec<Entry> = match scope {
            Scope::Server => self.entries().collect(),
            Scope::Uri(_) | Scope::Tag { .. } => {
                let nodes = self.nodes.iter().filter(|node| scope.holds(&node.scope));
                nodes
                    .flat_map(|node| node.entries())
                    .filter_map(|(scope, cell)| self.entry_at(scope, cell))
                    .collect()
            }
            _ => {
                let node = self.nodes.home_of(scope);
                let inside = node.and_then(|node| node.inside()).into_iter().flat_map(Sorted::iter);
                let inside = inside.filter_map(|inside| self.entry(inside.id));
                let here = node.into_iter().flat_map(|node| node.entries());
                let here = here.filter(|(stands_on, _)| scope.holds(stands_on));
                here.filter_map(|(scope, cell)| self.entry_at(scope, cell)).chain(inside).collect()
            }
        };
        self.sorted(found.into_iter())
    }

    fn sorted(&self, entries: impl Iterator<Item = Entry>) -> std::vec::IntoIter<Entry> {
        let mut entries: Vec<Entry> = entries.collect();
        entries.sort_by_key(|entry| entry.id);
        entries.into_iter()
    }

    fn entry_of_record(&self, record: &Record) -> Option<Entry> {
        self.nodes.entry(record).map(|(scope, cell)| self.entry_with(record, scope, cell))
    }

    fn entry_at(&self, scope: Scope, cell: &Cell) -> Option<Entry> {
        self.records.get(&cell.id).map(|record| self.entry_with(record, scope, cell))
    }

    fn entry_with(&self, record: &Record, scope: Scope, cell: &Cell) -> Entry {
        let none = Details { except: Vec::new(), validity: Validity::ALWAYS, purpose: None };
        let details = record.details.as_deref().unwrap_or(&none);
        Entry {
            id: cell.id,
            effect: if cell.is_denial() { Effect::Deny } else { Effect::Grant },
            principal: self.principal(cell.principal),
            except: details.except.iter().map(|&number| self.principal(number)).collect(),
            privileges: cell.privileges,
            scope,
            grant_option: if cell.has_grant_option() { GrantOption::With } else { GrantOption::Without },
            grantor: record.grantor.map(|number| self.principal(number.get() - 1)),
            created_at: record.created_at,
            validity: details.validity,
            purpose: details.purpose.clone(),
        }
    }

    /// The principal of a number that this policy gave.
    pub(crate) fn principal(&self, number: PrincipalNumber) -> Principal {
        self.principals.get(number).map_or_else(Principal::public, |node| node.principal.clone())
    }

    /// Every data policy, filters first, by name.
    pub fn data_policies(&self) -> impl Iterator<Item = &DataPolicy> {
        self.data.iter()
    }

    #[must_use]
    pub fn data_policy(&self, rule: DataRule, name: &str) -> Option<&DataPolicy> {
        self.data.get(rule, &Name::fold(name)).map(|record| &record.policy)
    }

    /// Every tag, by name.
    pub fn tags(&self) -> impl Iterator<Item = &Tag> {
        self.tags.definitions.iter().map(|tag| &**tag)
    }

    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&Tag> {
        self.tags.definitions.get(&Name::fold(name)).map(|tag| &**tag)
    }

    /// The tags that a resource carries itself, by name.
    pub fn tags_on<'p>(&'p self, resource: &Resource) -> impl Iterator<Item = &'p TagAssignment> + use<'p> {
        self.tags.assignments_on(resource).into_iter()
    }

    /// Does anything carry a tag, for whatever reason?
    #[must_use]
    pub fn has_tags(&self) -> bool {
        self.tags.are_assigned()
    }

    /// The tags that the columns of a table carry themselves.
    pub fn tags_inside<'p>(&'p self, table: &TableName) -> impl Iterator<Item = &'p TagAssignment> + use<'p> {
        self.tags.assignments_inside(table)
    }

    /// Every tag on every resource, by resource and tag.
    pub fn tag_assignments(&self) -> impl Iterator<Item = &TagAssignment> {
        self.tags.assignments().into_iter()
    }

    /// The tags that came to a resource with the data that it was made of, by name and value. They are no part
    /// of what is administered: they count in decisions, and [`Policy::changes`] and comparisons leave them out.
    pub fn inherited_tags_on<'p>(
        &'p self,
        resource: &Resource,
    ) -> impl Iterator<Item = &'p TagAssignment> + use<'p> {
        self.tags.inherited_on(resource).into_iter()
    }

    /// The tags that came to the columns of a table with their data.
    pub fn inherited_tags_inside<'p>(
        &'p self,
        table: &TableName,
    ) -> impl Iterator<Item = &'p TagAssignment> + use<'p> {
        self.tags.inherited_inside(table)
    }

    /// Every tag that came with data.
    pub fn inherited_tags(&self) -> impl Iterator<Item = &TagAssignment> {
        self.tags.inherited().into_iter()
    }

    /// Whatever carries a tag for whatever reason, in no order.
    pub fn carried_tags(&self) -> impl Iterator<Item = &TagAssignment> {
        self.tags.carried()
    }

    /// Has a resource carry a tag that came with its data, beside the ones that were assigned to it. A resource
    /// may inherit several values of a tag.
    pub fn inherit_tag(&mut self, assignment: TagAssignment) {
        self.inherit_tags(std::iter::once(assignment));
    }

    /// The same of many at once, which is faster where those of a table come one after the other.
    pub fn inherit_tags(&mut self, assignments: impl Iterator<Item = TagAssignment>) {
        self.tags.inherit(assignments);
    }

    /// The opposite of [`inherit_tags`](Self::inherit_tags).
    pub fn disinherit_tags(&mut self, assignments: impl Iterator<Item = TagAssignment>) {
        self.tags.disinherit(assignments);
    }

    #[must_use]
    pub fn owner(&self, resource: &Resource) -> Option<&Principal> {
        self.owners
            .find(hash_of_resource(resource), |ownership| ownership.resource == *resource)
            .map(|ownership| &ownership.owner)
    }

    /// Every owner that is known, by resource.
    pub fn owners(&self) -> impl Iterator<Item = Ownership> {
        let mut all: Vec<&Arc<Ownership>> = self.owners.iter().collect();
        all.sort_by(|one, other| one.resource.cmp(&other.resource));
        all.into_iter().map(|ownership| (**ownership).clone())
    }

    /// The same in no order.
    pub fn each_owner(&self) -> impl Iterator<Item = &Ownership> {
        self.owners.iter().map(|ownership| &**ownership)
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
        let untouched = |role: &Role| {
            is_built_in(&role.name) && role.created_by.is_none() && role.created_at == Timestamp::default()
        };
        Settings::default()
            .changes_to(&self.settings)
            .into_iter()
            .chain(self.roles().filter(move |role| !untouched(role)).cloned().map(Change::PutRole))
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
pub(crate) const PUBLIC_NUMBER: PrincipalNumber = 0;
pub(crate) const ADMIN_NUMBER: PrincipalNumber = 1;

pub(crate) fn is_built_in(role: &Name) -> bool {
    *role == PUBLIC || *role == ADMIN
}

pub(crate) fn is_public(role: &Name) -> bool {
    *role == PUBLIC
}
