//! The least that would have to change for a statement to be allowed.

use std::sync::Arc;

use guardbee_policy::decision::{Basis, Missing};
use guardbee_policy::requirement::{Requirement, Right};
use guardbee_policy::{
    Change, Decision, Effect, Entry, GrantOption, Identity, Policy, Principal, Privilege, Privileges,
    Resource, Scope, Timestamp, Validity, decide,
};

use super::{Held, Paths};

/// How often denials are taken away to see what lies behind them.
const MOST_ROUNDS: usize = 16;

/// What would have to be granted, and which denials would still refuse it then.
#[derive(Debug, Clone, Default)]
pub struct Remedy {
    /// New grants, each of one privilege at the narrowest scope, to a role that is held already where there is
    /// one. Their ids are not the policy's.
    pub grants: Vec<Entry>,
    pub denials: Vec<Held>,
}

/// The remedy for a refusal; none where nothing is refused, or where no grant can help, such as where something
/// is forbidden to everybody.
#[must_use]
pub fn remedy(
    policy: &Policy,
    identity: &Identity,
    requirements: &[Requirement],
    now: Timestamp,
) -> Option<Remedy> {
    let decide = |policy: &Policy| decide(policy, &policy.subject(identity), requirements, now);
    if decide(policy).is_allowed() {
        return None;
    }
    let paths = Paths::of(policy, identity);
    let mut remedy = Remedy::default();
    let mut trial = policy.clone();
    let mut decision = decide(&trial);
    for _ in 0..MOST_ROUNDS {
        let denials = denials(&decision, requirements, &paths);
        if denials.is_empty() {
            break;
        }
        for held in denials {
            trial.apply(Change::RemoveEntry(held.entry.id)).ok()?;
            if !remedy.denials.iter().any(|known| known.entry.id == held.entry.id) {
                remedy.denials.push(held);
            }
        }
        decision = decide(&trial);
    }
    let holder = holder(policy, identity);
    for missing in decision.missing() {
        let mut entry = grant_of(missing, holder.clone())?;
        entry.id = trial.next_entry_id();
        trial.apply(Change::PutEntry(entry.clone())).ok()?;
        remedy.grants.push(entry);
    }
    decide(&trial).is_allowed().then_some(remedy)
}

fn denials(decision: &Decision, requirements: &[Requirement], paths: &Paths<'_>) -> Vec<Held> {
    let denied = decision.reasons.iter().filter(|reason| reason.basis == Basis::Denied);
    let entries = denied.flat_map(|reason| {
        let resource = requirements.get(reason.requirement).map(|requirement| &requirement.resource);
        reason.entries.iter().filter_map(move |&id| paths.held(id, resource))
    });
    entries.filter(|held| held.entry.effect == Effect::Deny).collect()
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

fn grant_of(missing: &Missing, principal: Principal) -> Option<Entry> {
    let Right::AnyOf { privileges, grant_option } = missing.right else { return None };
    let least = if privileges.is_all() {
        privileges
    } else {
        let mut each = privileges.iter().filter(|&privilege| privilege != Privilege::Super);
        Privileges::of(each.next()?)
    };
    Some(Entry {
        id: guardbee_policy::EntryId(0),
        effect: Effect::Grant,
        principal,
        except: Arc::from([]),
        privileges: least,
        scope: scope_of(&missing.resource)?,
        grant_option: if grant_option.is_with() { GrantOption::With } else { GrantOption::Without },
        grantor: None,
        created_at: Timestamp::default(),
        validity: Validity::ALWAYS,
        purpose: None,
    })
}

fn scope_of(resource: &Resource) -> Option<Scope> {
    Some(match resource {
        Resource::Server => Scope::Server,
        Resource::Database(name) => Scope::database(name),
        Resource::Table(name) => Scope::table(&name.database, &name.table),
        Resource::Column(name) => Scope::column(&name.table.database, &name.table.table, &name.column),
        Resource::Uri(uri) => Scope::Uri(uri.clone()),
        Resource::Function { database: Some(database), function } => Scope::Function {
            database: guardbee_policy::NamePattern::fold(database),
            function: guardbee_policy::NamePattern::fold(function),
        },
        Resource::Connector(name) => Scope::Connector(guardbee_policy::NamePattern::fold(name)),
        Resource::Function { database: None, .. } | Resource::Service(_) => return None,
    })
}
