//! Questions asked the other way round: who can, what can they, why, what would it take, what if.

mod least;
mod removal;

use std::collections::BTreeSet;

pub use least::{LeastGrant, NeededGrant, least_grant};
pub use removal::{Difference, what_if_removed};

use crate::decide::place_nodes;
use crate::explain::{Path, Ways, explain};
use crate::request::Columns;
use crate::requirement::{Reach, Requirement, Right, Side};
use crate::subject::Subject;
use crate::{
    Decision, Effect, Entry, EntryId, GrantOption, Identity, Policy, Principal, Privilege, Privileges,
    Resource, Scope, Timestamp, decide,
};

/// Who has a privilege on a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WhoCan {
    /// Everybody, whoever they are, unless a denial names them.
    pub everybody: bool,
    /// The users, groups and roles that the policy knows of which each has it by itself, or as a user or group
    /// by the roles it is in. Somebody in several of them may be denied it by another.
    pub principals: Vec<Principal>,
}

/// Who has a privilege, one of several or all that there are, on a resource: at it or around it.
#[must_use]
pub fn who_can(
    policy: &Policy,
    privileges: impl Into<Privileges>,
    resource: &Resource,
    now: Timestamp,
) -> WhoCan {
    let requirement = requirement(privileges, resource, GrantOption::Without);
    let has =
        |subject: &Subject| decide(policy, subject, std::slice::from_ref(&requirement), now).is_allowed();
    let everybody = has(&policy.subject_of_principal(&Principal::public()));
    let mut candidates = BTreeSet::new();
    for principal in holders_near(policy, resource) {
        add_with_members(policy, principal, &mut candidates);
    }
    if everybody || candidates.contains(&Principal::public()) {
        candidates.extend(policy.principals.iter().map(|node| node.principal.clone()));
    }
    candidates.retain(|principal| exists(policy, principal));
    let principals =
        candidates.into_iter().filter(|principal| has(&policy.subject_of_principal(principal))).collect();
    WhoCan { everybody, principals }
}

/// A role that was dropped is still known by its number.
fn exists(policy: &Policy, principal: &Principal) -> bool {
    match principal {
        Principal::Role(name) => policy.role(name).is_some(),
        Principal::User(_) | Principal::Group(_) => true,
    }
}

/// The principals with an entry at the resource, around it, at a column of it, or at names with `*`.
fn holders_near(policy: &Policy, resource: &Resource) -> BTreeSet<Principal> {
    let mut numbers = BTreeSet::new();
    for node in place_nodes(policy, resource) {
        numbers.extend(node.entries().map(|(_, cell)| cell.principal));
    }
    let mut holders: BTreeSet<Principal> =
        numbers.into_iter().map(|number| policy.principal(number)).collect();
    let with_patterns = policy.principals.iter().filter(|node| node.patterns.is_some());
    holders.extend(with_patterns.map(|node| node.principal.clone()));
    holders
}

/// Adds a principal and everything that is in it over any number of roles.
fn add_with_members(policy: &Policy, principal: Principal, found: &mut BTreeSet<Principal>) {
    let mut open = vec![principal];
    while let Some(principal) = open.pop() {
        if let Principal::Role(role) = &principal
            && !found.contains(&principal)
        {
            open.extend(policy.members_of(role).map(|membership| membership.member.clone()));
        }
        found.insert(principal);
    }
}

/// What somebody holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holdings {
    /// The entry by which they pass every check.
    pub super_entry: Option<EntryId>,
    pub administrator: bool,
    /// The grants that hold for them at the moment, by id.
    pub grants: Vec<Held>,
    /// The denials that hold for them at the moment, by id.
    pub denials: Vec<Held>,
    /// What they own, themselves or by a role that is switched on.
    pub owned: Vec<Resource>,
}

/// An entry that holds for somebody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    pub entry: Entry,
    /// From the user or group over roles to the principal that the entry names.
    pub steps: Vec<Principal>,
    /// Of an entry at a tag: what carries it.
    pub carriers: Vec<Resource>,
    /// What of a grant does nothing, as a denial at the same scope or around it takes it.
    pub refused: Privileges,
}

/// What somebody can do: everything that they hold, and what is denied to them. Nothing else gives them
/// anything.
#[must_use]
pub fn what_can(policy: &Policy, identity: &Identity, now: Timestamp) -> Holdings {
    let subject = policy.subject(identity);
    let ways = Ways::of(policy, &subject);
    let mut entries: Vec<Entry> = subject
        .known
        .iter()
        .flat_map(|standing| {
            let principal = policy.principal(standing.number());
            policy
                .entries_of(&principal)
                .filter(move |entry| standing.is_active() || entry.effect == Effect::Deny)
        })
        .filter(|entry| entry.validity.holds_at(now))
        .filter(|entry| {
            let is = |principal: &Principal| {
                policy.principals.number(principal).is_some_and(|number| subject.known.contains(number))
            };
            !entry.except.iter().any(is)
        })
        .collect();
    entries.sort_by_key(|entry| entry.id);
    let held = |entry: Entry, refused| Held {
        steps: ways.to(policy, &entry.principal).unwrap_or_default(),
        carriers: carriers(policy, &entry.scope),
        entry,
        refused,
    };
    let (denials, grants): (Vec<Entry>, Vec<Entry>) =
        entries.into_iter().partition(|entry| entry.effect == Effect::Deny);
    let refused = |grant: &Entry| {
        let around = denials.iter().filter(|denial| denial.scope.holds(&grant.scope));
        let taken = around.fold(Privileges::NONE, |taken, denial| taken.union(denial.effective()));
        taken.intersection(grant.effective())
    };
    let grants = grants.into_iter().map(|grant| {
        let refused = refused(&grant);
        held(grant, refused)
    });
    let grants: Vec<Held> = grants.collect();
    let owned = policy.owners().filter(|ownership| subject.is(&ownership.owner));
    Holdings {
        super_entry: crate::decide::super_entry(policy, &subject, now),
        administrator: subject.is_administrator(),
        owned: owned.map(|ownership| ownership.resource).collect(),
        denials: denials.into_iter().map(|denial| held(denial, Privileges::NONE)).collect(),
        grants,
    }
}

/// What carries the tag of a scope.
fn carriers(policy: &Policy, scope: &Scope) -> Vec<Resource> {
    let Scope::Tag { tag, value } = scope else { return Vec::new() };
    let carries = |assignment: &&crate::TagAssignment| {
        assignment.tag == *tag && (value.is_none() || assignment.value == *value)
    };
    policy.tag_assignments().filter(carries).map(|assignment| assignment.resource.clone()).collect()
}

/// Why somebody has a privilege, or has it not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Why {
    pub decision: Decision,
    pub paths: Vec<Path>,
}

/// Why somebody has a privilege on a resource, or has it not.
#[must_use]
pub fn why(
    policy: &Policy,
    identity: &Identity,
    privilege: Privilege,
    resource: &Resource,
    now: Timestamp,
) -> Why {
    let subject = policy.subject(identity);
    let requirements = [requirement(privilege, resource, GrantOption::Without)];
    let decision = decide(policy, &subject, &requirements, now);
    let paths = explain(policy, &subject, &requirements, &decision);
    Why { decision, paths }
}

/// The need of a privilege on a resource.
fn requirement(
    privileges: impl Into<Privileges>,
    resource: &Resource,
    grant_option: GrantOption,
) -> Requirement {
    Requirement {
        right: Right::AnyOf { privileges: privileges.into(), grant_option },
        resource: resource.clone(),
        columns: Columns::Whole,
        reach: Reach::Around,
        side: Side::Input,
    }
}
