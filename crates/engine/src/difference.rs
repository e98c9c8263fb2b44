//! What has to change for one policy to become another.
//!
//! Entries are compared by what they say; who made them and when is not said. So an entry that stays keeps its id,
//! its maker and its time.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::sync::Arc;

use guardbee_policy::{
    Change, Declassifier, Effect, Entry, EntryId, GrantOption, Membership, Policy, Principal, Privilege,
    Privileges, Scope, Settings, Timestamp, Validity,
};
use smol_str::SmolStr;

use crate::desired::is_file_author;

/// Who makes the changes, and when.
#[derive(Debug, Clone)]
pub struct Author {
    pub user: SmolStr,
    pub now: Timestamp,
}

/// The steps from `current` to a policy that says what `desired` says.
///
/// Who owns what follows from the warehouse and is left as it is, with the rights that owners have by it.
#[must_use]
pub fn difference(current: &Policy, desired: &Policy, author: &Author) -> Vec<Change> {
    let mut steps = current.settings().changes_to(&signed(desired.settings(), current.settings(), author));
    steps.extend(desired.roles().filter(|role| current.role(&role.name).is_none()).map(|role| {
        let mut role = role.clone();
        role.created_by = Some(author.user.clone());
        role.created_at = author.now;
        Change::PutRole(role)
    }));
    steps.extend(tag_definitions(current, desired, author));
    steps.extend(gone_memberships(current, desired));
    steps.extend(new_memberships(current, desired, author));
    steps.extend(entries(current, desired, author));
    steps.extend(tag_assignments(current, desired));
    steps.extend(data_policies(current, desired, author));
    steps.extend(
        current
            .roles()
            .filter(|role| desired.role(&role.name).is_none())
            .map(|role| Change::RemoveRole(role.name.clone())),
    );
    steps.extend(
        current
            .tags()
            .filter(|tag| desired.tag(&tag.name).is_none())
            .map(|tag| Change::RemoveTag(tag.name.clone())),
    );
    steps
}

/// The steps that add a policy to one that is there, from the steps that build it from nothing. Entries get ids of
/// their own; those that say what is said already are left out.
#[must_use]
pub fn addition(current: &Policy, steps: impl IntoIterator<Item = Change>) -> Vec<Change> {
    let mut known: HashSet<Saying> = current.entries().map(|entry| Saying::of(&entry)).collect();
    let mut next = current.next_entry_id();
    let mut added = Vec::new();
    for step in steps {
        match step {
            Change::PutEntry(entry) => {
                if known.insert(Saying::of(&entry)) {
                    added.push(Change::PutEntry(Entry { id: next, ..entry }));
                    next = EntryId(next.0 + 1);
                }
            }
            Change::PutRole(role) if current.role(&role.name).is_some() => {}
            Change::PutMembership(membership)
                if find_membership(current, &membership)
                    .is_some_and(|known| known.admin_option == membership.admin_option) => {}
            other if is_known(current, &other) => {}
            other => added.push(other),
        }
    }
    added
}

/// Does the policy hold it already, just so?
fn is_known(policy: &Policy, step: &Change) -> bool {
    match step {
        Change::PutTag(tag) => policy.tag(&tag.name) == Some(tag),
        Change::PutTagAssignment(assignment) => {
            policy.tags_on(&assignment.resource).any(|known| known == assignment)
        }
        Change::PutDataPolicy(rule) => policy.data_policy(rule.rule, &rule.name) == Some(rule),
        Change::PutOwner(ownership) => policy.owner(&ownership.resource) == Some(&ownership.owner),
        Change::PutSetting { key, value } => policy.settings().get(key).as_ref() == Some(value),
        _ => false,
    }
}

/// Can nobody administer any more? Where nobody could before, nobody is locked out.
#[must_use]
pub fn locks_administrators_out(current: &Policy, desired: &Policy) -> bool {
    has_administrator(current) && !has_administrator(desired)
}

/// Is a user or group in the role `admin`, directly or through roles?
fn has_administrator(policy: &Policy) -> bool {
    let mut roles = vec!["admin".to_owned()];
    let mut seen = 0;
    while let Some(role) = roles.get(seen).cloned() {
        seen += 1;
        for membership in policy.members_of(&role) {
            match &membership.member {
                Principal::User(_) | Principal::Group(_) => return true,
                Principal::Role(inner) => {
                    if !roles.iter().any(|known| known == inner.as_str()) {
                        roles.push(inner.to_string());
                    }
                }
            }
        }
    }
    false
}

fn gone_memberships(current: &Policy, desired: &Policy) -> Vec<Change> {
    let is_gone = |membership: &&Membership| find_membership(desired, membership).is_none();
    let gone = current.memberships().filter(is_gone);
    gone.map(|gone| Change::RemoveMembership { role: gone.role.clone(), member: gone.member.clone() })
        .collect()
}

fn new_memberships(current: &Policy, desired: &Policy, author: &Author) -> Vec<Change> {
    let mut steps = Vec::new();
    for membership in desired.memberships() {
        let known = find_membership(current, membership);
        if known.is_none_or(|known| known.admin_option != membership.admin_option) {
            steps.push(Change::PutMembership(Membership {
                grantor: made_by(membership.grantor.as_ref(), author),
                created_at: author.now,
                ..membership.clone()
            }));
        }
    }
    steps
}

fn find_membership<'p>(policy: &'p Policy, wanted: &Membership) -> Option<&'p Membership> {
    policy.memberships_of(&wanted.member).find(|membership| membership.role == wanted.role)
}

/// What an entry says.
#[derive(PartialEq, Eq, Hash)]
struct Saying {
    effect: Effect,
    principal: Principal,
    except: Arc<[Principal]>,
    privileges: Privileges,
    scope: Scope,
    grant_option: GrantOption,
    validity: Validity,
    purpose: Option<Arc<str>>,
}

impl Saying {
    fn of(entry: &Entry) -> Self {
        Self {
            effect: entry.effect,
            principal: entry.principal.clone(),
            except: entry.except.clone(),
            privileges: entry.privileges,
            scope: entry.scope.clone(),
            grant_option: entry.grant_option,
            validity: entry.validity,
            purpose: entry.purpose.clone(),
        }
    }
}

fn entries(current: &Policy, desired: &Policy, author: &Author) -> Vec<Change> {
    let is_owners = |entry: &Entry| entry.privileges == Privileges::of(Privilege::Owner);
    let mut known: HashMap<Saying, Vec<EntryId>> = HashMap::new();
    for entry in current.entries().filter(|entry| !is_owners(entry)) {
        known.entry(Saying::of(&entry)).or_default().push(entry.id);
    }
    let mut next = current.next_entry_id();
    let mut steps = Vec::new();
    for entry in desired.entries() {
        if known.get_mut(&Saying::of(&entry)).and_then(Vec::pop).is_some() {
            continue;
        }
        steps.push(Change::PutEntry(Entry {
            id: next,
            grantor: made_by(entry.grantor.as_ref(), author),
            created_at: author.now,
            ..entry
        }));
        next = EntryId(next.0 + 1);
    }
    let mut gone: Vec<EntryId> = known.into_values().flatten().collect();
    gone.sort_unstable();
    steps.extend(gone.into_iter().map(Change::RemoveEntry));
    steps
}

/// What a file says without saying who answers for it, whoever answers for it already goes on to, else the author.
fn signed(desired: &Settings, current: &Settings, author: &Author) -> Settings {
    let unsigned = |one: &&Declassifier| is_file_author(&Principal::User(one.owner.clone()));
    let mut signed = desired.clone();
    for one in desired.declassifiers.iter().filter(unsigned) {
        let known = current.declassifiers.get(&one.tag, &one.at);
        let owner = known.map_or_else(|| author.user.clone(), |known| known.owner.clone());
        Arc::make_mut(&mut signed.declassifiers).put(Declassifier { owner, ..one.clone() });
    }
    signed
}

fn tag_definitions(current: &Policy, desired: &Policy, author: &Author) -> Vec<Change> {
    let mut steps = Vec::new();
    for tag in desired.tags() {
        let known = current.tag(&tag.name);
        let is_known = known
            .is_some_and(|known| known.allowed_values == tag.allowed_values && known.comment == tag.comment);
        if !is_known {
            let mut tag = tag.clone();
            tag.created_by = Some(author.user.clone());
            tag.created_at = author.now;
            steps.push(Change::PutTag(tag));
        }
    }
    steps
}

fn tag_assignments(current: &Policy, desired: &Policy) -> Vec<Change> {
    let gone = current
        .tag_assignments()
        .filter(|known| !desired.tags_on(&known.resource).any(|wanted| wanted.tag == known.tag));
    let gone = gone
        .map(|gone| Change::RemoveTagAssignment { tag: gone.tag.clone(), resource: gone.resource.clone() });
    let new = desired
        .tag_assignments()
        .filter(|wanted| !current.tags_on(&wanted.resource).any(|known| known == *wanted))
        .map(|wanted| Change::PutTagAssignment(wanted.clone()));
    gone.chain(new).collect()
}

fn data_policies(current: &Policy, desired: &Policy, author: &Author) -> Vec<Change> {
    let gone = current
        .data_policies()
        .filter(|known| desired.data_policy(known.rule, &known.name).is_none())
        .map(|gone| Change::RemoveDataPolicy { rule: gone.rule, name: gone.name.clone() });
    let mut steps: Vec<Change> = gone.collect();
    for wanted in desired.data_policies() {
        let known = current.data_policy(wanted.rule, &wanted.name);
        let is_known = known.is_some_and(|known| {
            known.scope == wanted.scope
                && known.expression == wanted.expression
                && known.principals == wanted.principals
                && known.except == wanted.except
                && known.state == wanted.state
        });
        if !is_known {
            let mut wanted = wanted.clone();
            wanted.created_by = Some(author.user.clone());
            wanted.created_at = author.now;
            steps.push(Change::PutDataPolicy(wanted));
        }
    }
    steps
}

/// What a file's statements made, the author has made.
fn made_by(grantor: Option<&Principal>, author: &Author) -> Option<Principal> {
    match grantor {
        Some(grantor) if is_file_author(grantor) => Some(Principal::User(author.user.clone())),
        other => other.cloned(),
    }
}
