//! Why an answer is what it is, for people: what decided each right that a statement needs, by which way
//! somebody holds it, what is held nearby, and the least that would have to change.

use guardbee_policy::decision::{Basis, Missing, Reason};
use guardbee_policy::explain::PathEnd;
use guardbee_policy::request::Columns;
use guardbee_policy::requirement::{Reach, Requirement, Right, Side};
use guardbee_policy::reverse::{self, least_grant, what_can};
use guardbee_policy::{
    ActiveRoles, Decision, Entry, EntryId, GrantOption, Identity, Policy, Principal, Privileges, Resource,
    Scope, TagAssignment, Timestamp, decide,
};

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
    /// Of an entry on a tag: what carries it.
    pub carrier: Option<Resource>,
}

/// What would have to change for something to be allowed.
#[derive(Debug, Clone)]
pub enum Remedy {
    /// Every role that is held would have to be switched on.
    SwitchRolesOn,
    /// Something would have to be granted, or a denial would have to go.
    Change {
        /// New grants, each as narrow as can be, to a role that is held already where there is one. Their ids are
        /// not the policy's.
        grants: Vec<Entry>,
        /// Denials that refuse it whatever is granted.
        denials: Vec<Held>,
    },
}

/// What decided each right that is needed, in their order.
#[must_use]
pub fn explain(
    policy: &Policy,
    identity: &Identity,
    requirements: &[Requirement],
    decision: &Decision,
    now: Timestamp,
) -> Vec<Explained> {
    let subject = policy.subject(identity);
    let paths = guardbee_policy::explain::explain(policy, &subject, requirements, decision);
    let held = |reason: &Reason, requirement: &Requirement| {
        let paths = paths.iter().filter(|path| path.requirement == reason.requirement);
        let entries = paths.filter_map(|path| match &path.end {
            PathEnd::Entry(entry) => Some(Held {
                entry: entry.clone(),
                path: from_user(identity, path.steps.clone()),
                carrier: carrier(policy, &entry.scope, requirement),
            }),
            PathEnd::Administrator | PathEnd::Owner(_) => None,
        });
        entries.collect()
    };
    let is_refused = decision.reasons.iter().any(|reason| !reason.missing.is_empty());
    let holdings = is_refused.then(|| what_can(policy, identity, now));
    let explained = |reason: &Reason| {
        let requirement = requirements.get(reason.requirement)?.clone();
        let holdings = holdings.as_ref().filter(|_| !reason.missing.is_empty());
        let nearby = holdings.map(|holdings| nearby(policy, identity, &holdings.grants, &requirement));
        Some(Explained {
            basis: reason.basis.clone(),
            missing: reason.missing.clone(),
            entries: held(reason, &requirement),
            nearby: nearby.unwrap_or_default(),
            requirement,
        })
    };
    decision.reasons.iter().filter_map(explained).collect()
}

/// The need of a privilege on an object.
#[must_use]
pub fn need(privileges: Privileges, resource: Resource) -> Requirement {
    Requirement {
        right: Right::AnyOf { privileges, grant_option: GrantOption::Without },
        resource,
        columns: Columns::Whole,
        reach: Reach::Around,
        side: Side::Input,
    }
}

/// The remedy for a refusal; none where nothing is refused, or where no change of grants and denials helps, such
/// as where something is forbidden to everybody.
#[must_use]
pub fn remedy(
    policy: &Policy,
    identity: &Identity,
    requirements: &[Requirement],
    now: Timestamp,
) -> Option<Remedy> {
    let subject = policy.subject(identity);
    if decide(policy, &subject, requirements, now).is_allowed() {
        return None;
    }
    let all = Identity { roles: ActiveRoles::All, ..identity.clone() };
    if decide(policy, &policy.subject(&all), requirements, now).is_allowed() {
        return Some(Remedy::SwitchRolesOn);
    }
    let least = least_grant(policy, &subject, requirements, now);
    if !least.beyond.is_empty() || (least.grants.is_empty() && least.denials.is_empty()) {
        return None;
    }
    let holder = holder(policy, identity);
    let grants = least.grants.into_iter().map(|grant| grant.held_by(holder.clone(), EntryId(0))).collect();
    let held = what_can(policy, identity, now).denials;
    let denial = |id: &EntryId| {
        let held = held.iter().find(|held| held.entry.id == *id)?;
        let carrier = requirements.iter().find_map(|needed| carrier(policy, &held.entry.scope, needed));
        Some(Held { carrier, ..of_holding(identity, held) })
    };
    Some(Remedy::Change { grants, denials: least.denials.iter().filter_map(denial).collect() })
}

/// A holding with the way from the user.
#[must_use]
pub fn of_holding(identity: &Identity, held: &reverse::Held) -> Held {
    Held {
        entry: held.entry.clone(),
        path: from_user(identity, held.steps.clone()),
        carrier: held.carriers.first().cloned(),
    }
}

/// The way with the user before it.
#[must_use]
pub fn from_user(identity: &Identity, mut steps: Vec<Principal>) -> Vec<Principal> {
    let user = Principal::User(identity.user.clone());
    if steps.first() != Some(&user) {
        steps.insert(0, user);
    }
    steps
}

/// What carries the tag of a scope: the resource, what it is in, or a column of it that is asked for.
fn carrier(policy: &Policy, scope: &Scope, requirement: &Requirement) -> Option<Resource> {
    let Scope::Tag { tag, value } = scope else { return None };
    let is_it = |found: &TagAssignment| found.tag == *tag && (value.is_none() || found.value == *value);
    let carries =
        |resource: &Resource| policy.tags_on(resource).chain(policy.inherited_tags_on(resource)).any(is_it);
    let found = around(&requirement.resource).into_iter().find(carries);
    found.or_else(|| {
        let carried = policy.tag_assignments().chain(policy.inherited_tags());
        let mut assignments = carried.filter(|found| is_it(found));
        let carrier = assignments.find(|found| is_asked_for(&found.resource, requirement));
        carrier.map(|found| found.resource.clone())
    })
}

/// What is held on the same table, or the same database, or all of it.
fn nearby(
    policy: &Policy,
    identity: &Identity,
    grants: &[reverse::Held],
    requirement: &Requirement,
) -> Vec<Held> {
    let resource = &requirement.resource;
    let table = match resource {
        Resource::Column(name) => Resource::Table(name.table.clone()),
        other => other.clone(),
    };
    let is_near = |held: &&reverse::Held| match &held.entry.scope {
        Scope::Tag { .. } => carrier(policy, &held.entry.scope, requirement).is_some(),
        scope => scope.covers(&table) || scope.is_inside(&table),
    };
    let near = grants.iter().filter(|_| *resource != Resource::Server).filter(is_near);
    near.map(|held| of_holding(identity, held)).collect()
}

/// The resource and what it is in, from the inside out.
fn around(resource: &Resource) -> Vec<Resource> {
    let mut found = vec![resource.clone()];
    if let Resource::Column(name) = resource {
        found.push(Resource::Table(name.table.clone()));
    }
    if !matches!(resource, Resource::Database(_)) {
        found.extend(resource.database().cloned().map(Resource::Database));
    }
    if *resource != Resource::Server {
        found.push(Resource::Server);
    }
    found
}

/// Is it a column of the table that is needed, or any where none is named?
fn is_asked_for(column: &Resource, requirement: &Requirement) -> bool {
    match (column, &requirement.resource) {
        (Resource::Column(column), Resource::Table(table)) if column.table == *table => {
            match &requirement.columns {
                Columns::Whole => true,
                Columns::Named(columns) => columns.contains(&column.column),
            }
        }
        _ => false,
    }
}

/// Who should get what is missing: a role that is held through a group, any role, a group, the user.
fn holder(policy: &Policy, identity: &Identity) -> Principal {
    let user = Principal::User(identity.user.clone());
    let groups: Vec<Principal> = identity.groups.iter().cloned().map(Principal::Group).collect();
    let subject = policy.subject(identity);
    let members = groups.iter().chain([&user]);
    let memberships = members.flat_map(|member| policy.memberships_of(member));
    let mut roles = memberships
        .map(|membership| Principal::Role(membership.role.clone()))
        .filter(|role| *role != Principal::role("admin") && subject.is(role));
    let role = roles.next();
    drop(roles);
    role.or_else(|| groups.first().cloned()).unwrap_or(user)
}
