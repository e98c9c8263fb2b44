//! Why an answer is what it is, for people: what decided each right that a statement needs, by which way
//! somebody holds it, what is held nearby, and the least that would have to change.

mod remedy;

use std::collections::{HashMap, VecDeque};

use guardbee_model::Name;
use guardbee_policy::decision::{Basis, Missing, Reason};
use guardbee_policy::requirement::Requirement;
use guardbee_policy::{Effect, Entry, EntryId, Identity, Policy, Principal, Resource, Scope, Timestamp};

use crate::outcome::Checked;

pub use remedy::{Remedy, remedy};

/// How many entries that are held near something missing are named.
const MOST_NEARBY: usize = 16;

/// What decided one right that is needed.
#[derive(Debug, Clone)]
pub struct Explained {
    pub requirement: Requirement,
    pub basis: Basis,
    /// What is not held of it; empty where it is met.
    pub missing: Vec<Missing>,
    /// The entries that decided.
    pub entries: Vec<Held>,
    /// Grants held on the same table or database that do not reach what is missing.
    pub nearby: Vec<Held>,
}

/// An entry, and how somebody comes to hold it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    pub entry: Entry,
    /// From the user to the principal that the entry names: each is in the next.
    pub path: Vec<Principal>,
    /// The tag that the entry stands on, with what carries it.
    pub carrier: Option<Resource>,
}

/// What decided each right that the statement needs, in their order.
#[must_use]
pub fn explain(policy: &Policy, identity: &Identity, checked: &Checked, now: Timestamp) -> Vec<Explained> {
    let paths = Paths::of(policy, identity);
    let explained = |reason: &Reason| {
        let requirement = checked.requirements.get(reason.requirement)?.clone();
        let entries = reason.entries.iter().filter_map(|&id| paths.held(id, Some(&requirement.resource)));
        Some(Explained {
            basis: reason.basis.clone(),
            missing: reason.missing.clone(),
            entries: entries.collect(),
            nearby: if reason.missing.is_empty() { Vec::new() } else { paths.nearby(&requirement, now) },
            requirement,
        })
    };
    checked.decision.reasons.iter().filter_map(explained).collect()
}

/// The shortest ways from a user to every principal that they are.
pub struct Paths<'p> {
    policy: &'p Policy,
    identity: Identity,
    /// For each principal the one before it; none for the user.
    before: HashMap<Principal, Option<Principal>>,
}

impl<'p> Paths<'p> {
    /// Roles count whether they are switched on or not: their denials do.
    #[must_use]
    pub fn of(policy: &'p Policy, identity: &Identity) -> Self {
        let user = Principal::User(identity.user.clone());
        let mut before = HashMap::new();
        let mut queue = VecDeque::from([user.clone()]);
        before.insert(user.clone(), None);
        let groups = identity.groups.iter().cloned().map(Principal::Group);
        for next in groups.chain([Principal::public()]) {
            before.entry(next.clone()).or_insert_with(|| Some(user.clone()));
            queue.push_back(next);
        }
        while let Some(member) = queue.pop_front() {
            for membership in policy.memberships_of(&member) {
                let role = Principal::Role(membership.role.clone());
                if !before.contains_key(&role) {
                    before.insert(role.clone(), Some(member.clone()));
                    queue.push_back(role);
                }
            }
        }
        Self { policy, identity: identity.clone(), before }
    }

    /// From the user to the principal, both included; none where the user is not it.
    #[must_use]
    pub fn to(&self, principal: &Principal) -> Option<Vec<Principal>> {
        let mut path = vec![principal.clone()];
        let mut next = self.before.get(principal)?;
        while let Some(principal) = next {
            path.push(principal.clone());
            next = self.before.get(principal)?;
        }
        path.reverse();
        Some(path)
    }

    /// The entry with the way to it. Whoever an entry does not lead to holds it as themselves.
    #[must_use]
    pub fn held(&self, id: EntryId, resource: Option<&Resource>) -> Option<Held> {
        let entry = self.policy.entry(id)?;
        let path = self.to(&entry.principal).unwrap_or_else(|| vec![entry.principal.clone()]);
        let carrier = resource.and_then(|resource| self.carrier(&entry.scope, resource));
        Some(Held { entry, path, carrier })
    }

    /// What carries the tag of a scope: the resource, what it is in, or a column of it.
    fn carrier(&self, scope: &Scope, resource: &Resource) -> Option<Resource> {
        let Scope::Tag { tag, .. } = scope else { return None };
        let carries = |resource: &Resource| self.policy.tags_on(resource).any(|found| found.tag == *tag);
        let around = around(resource).into_iter().find(carries);
        around.or_else(|| {
            let mut assignments = self.policy.tag_assignments().filter(|found| found.tag == *tag);
            assignments
                .find_map(|found| is_column_of(&found.resource, resource).then(|| found.resource.clone()))
        })
    }

    /// What is granted on the same table or the same database.
    fn nearby(&self, requirement: &Requirement, now: Timestamp) -> Vec<Held> {
        let scope = match &requirement.resource {
            Resource::Table(name) => Scope::table(&name.database, &name.table),
            Resource::Column(name) => Scope::table(&name.table.database, &name.table.table),
            Resource::Database(name) => Scope::database(name),
            _ => return Vec::new(),
        };
        let subject = self.policy.subject(&self.identity);
        let around = around(&requirement.resource).into_iter().filter_map(|resource| match resource {
            Resource::Database(name) => Some(Scope::database(&name)),
            Resource::Server => Some(Scope::Server),
            _ => None,
        });
        let around = around.flat_map(|scope| self.policy.entries_on(&scope).collect::<Vec<Entry>>());
        let is_held = |entry: &Entry| {
            entry.effect == Effect::Grant
                && entry.validity.holds_at(now)
                && subject.is(&entry.principal)
                && !entry.except.iter().any(|except| subject.is(except))
        };
        let mut found: Vec<Entry> =
            self.policy.entries_within(&scope).filter(is_held).take(MOST_NEARBY).collect();
        for entry in around.filter(is_held).take(MOST_NEARBY) {
            if !found.iter().any(|known| known.id == entry.id) {
                found.push(entry);
            }
        }
        found.into_iter().filter_map(|entry| self.held(entry.id, None)).collect()
    }
}

/// The resource and what it is in, from the inside out.
fn around(resource: &Resource) -> Vec<Resource> {
    let mut found = vec![resource.clone()];
    if let Resource::Column(name) = resource {
        found.push(Resource::Table(name.table.clone()));
    }
    if !matches!(resource, Resource::Database(_)) {
        let database: Option<&Name> = resource.database();
        found.extend(database.cloned().map(Resource::Database));
    }
    if *resource != Resource::Server {
        found.push(Resource::Server);
    }
    found
}

fn is_column_of(column: &Resource, table: &Resource) -> bool {
    match (column, table) {
        (Resource::Column(column), Resource::Table(table)) => column.table == *table,
        _ => false,
    }
}
