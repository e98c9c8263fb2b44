//! Decisions read off the entries one by one: slow, plain, and by another way than the index.

use std::collections::BTreeSet;

use guardbee_model::{ColumnName, Name};
use guardbee_policy::decision::{Basis, Missing};
use guardbee_policy::request::Columns;
use guardbee_policy::requirement::{Reach, Requirement, Right};
use guardbee_policy::{
    ActiveRoles, BookName, Effect, Entry, EntryId, GrantOption, Identity, Policy, Principal, Privilege,
    Privileges, Resource, Scope, TagAssignment, Timestamp,
};

/// What is decided of one requirement.
#[derive(Debug, PartialEq, Eq)]
pub struct Finding {
    pub basis: Basis,
    pub missing: Vec<Missing>,
    /// Of a denied requirement: the denials.
    pub denials: Vec<EntryId>,
}

pub struct Judge<'p> {
    policy: &'p Policy,
    entries: Vec<Entry>,
    tags: Vec<TagAssignment>,
    active: BTreeSet<Principal>,
    all: BTreeSet<Principal>,
    now: Timestamp,
}

impl<'p> Judge<'p> {
    pub fn new(policy: &'p Policy, identity: &Identity, now: Timestamp) -> Self {
        let person: BTreeSet<Principal> = [Principal::User(identity.user.clone()), Principal::public()]
            .into_iter()
            .chain(identity.groups.iter().cloned().map(Principal::Group))
            .collect();
        let all = reach(policy, &person, None);
        let admin = Principal::role("admin");
        let active = match &identity.roles {
            ActiveRoles::All if policy.settings().rule_book == BookName::SqlStandard => {
                reach(policy, &person, Some(&admin))
            }
            ActiveRoles::All => all.clone(),
            ActiveRoles::None => with(&person, reach(policy, &[Principal::public()].into(), None)),
            ActiveRoles::Only(names) => {
                let on: BTreeSet<Principal> = names
                    .iter()
                    .cloned()
                    .map(Principal::Role)
                    .filter(|role| all.contains(role))
                    .chain([Principal::public()])
                    .collect();
                with(&person, reach(policy, &on, None))
            }
        };
        Self {
            policy,
            entries: policy.entries().collect(),
            tags: policy.tag_assignments().cloned().collect(),
            active,
            all,
            now,
        }
    }

    fn is_administrator(&self) -> bool {
        let admin = Principal::role("admin");
        let must_switch = self.policy.settings().rule_book == BookName::SqlStandard;
        if must_switch { self.active.contains(&admin) } else { self.all.contains(&admin) }
    }

    pub fn find(&self, requirement: &Requirement) -> Finding {
        let met = |basis| Finding { basis, missing: Vec::new(), denials: Vec::new() };
        let lost = |resource| Missing { right: requirement.right.clone(), resource };
        let unmet =
            |basis| Finding { basis, missing: vec![lost(requirement.resource.clone())], denials: Vec::new() };
        let (wanted, option) = match &requirement.right {
            Right::Nobody(_) => return unmet(Basis::Forbidden),
            _ if self.has_super() => return met(Basis::Super),
            Right::Administration if self.is_administrator() => return met(Basis::Administrator),
            Right::Administration => return unmet(Basis::NotGranted),
            Right::Ownership => (Privileges::of(Privilege::Owner), GrantOption::Without),
            Right::AnyOf { privileges, grant_option } => (*privileges, *grant_option),
        };
        let book = self.policy.settings().rule_book;
        let (basis, otherwise) = if book == BookName::SqlStandard && self.is_administrator() {
            (Basis::Administrator, Some(true))
        } else if requirement.right == Right::Ownership {
            (Basis::Owner, Some(self.owns(&requirement.resource)))
        } else {
            (Basis::Granted, None)
        };
        let resources: Vec<Resource> = match (&requirement.resource, &requirement.columns) {
            (Resource::Table(table), Columns::Named(columns)) if !columns.is_empty() => columns
                .iter()
                .map(|column| Resource::Column(ColumnName::new(table.clone(), column.clone())))
                .collect(),
            (other, _) => vec![other.clone()],
        };
        let table = &requirement.resource;
        let mut finding = met(basis);
        for resource in resources {
            let denials: Vec<&Entry> = self
                .entries
                .iter()
                .filter(|entry| entry.effect == Effect::Deny && self.holds(entry))
                .filter(|entry| effective(entry).intersects(wanted))
                .filter(|entry| {
                    self.covers(&entry.scope, &resource)
                        || (matches!(resource, Resource::Table(_))
                            && requirement.reach == Reach::Around
                            && self.inside(&entry.scope, &resource))
                })
                .collect();
            let denied = union(&denials);
            let grants: Vec<&Entry> = self
                .entries
                .iter()
                .filter(|entry| entry.effect == Effect::Grant && self.holds(entry))
                .filter(|entry| !option.is_with() || entry.grant_option.is_with())
                .filter(|entry| {
                    self.covers(&entry.scope, &resource)
                        || requirement.reach == Reach::AroundOrInside && self.inside(&entry.scope, table)
                })
                .collect();
            let granted = match otherwise {
                Some(true) => wanted,
                Some(false) => Privileges::NONE,
                None => union(&grants),
            };
            let is_met = if wanted.is_all() {
                denials.is_empty() && granted.is_all()
            } else {
                wanted.intersection(granted).without(denied) != Privileges::NONE
            };
            if is_met {
                continue;
            }
            let refused = !denials.is_empty() && (wanted.is_all() || wanted.without(denied).is_empty());
            if refused {
                finding.basis = Basis::Denied;
            } else if finding.basis != Basis::Denied {
                finding.basis = Basis::NotGranted;
            }
            finding.denials.extend(denials.iter().map(|entry| entry.id));
            finding.missing.push(lost(resource));
        }
        if finding.basis != Basis::Denied {
            finding.denials.clear();
        }
        finding.denials.sort();
        finding.denials.dedup();
        finding
    }

    fn has_super(&self) -> bool {
        let held: Vec<&Entry> = self
            .entries
            .iter()
            .filter(|entry| entry.scope == Scope::Server && entry.privileges.contains(Privilege::Super))
            .filter(|entry| self.holds(entry))
            .collect();
        held.iter().all(|entry| entry.effect == Effect::Grant)
            && held.iter().any(|entry| Privileges::from_iter(entry.privileges.iter()) == entry.privileges)
    }

    fn holds(&self, entry: &Entry) -> bool {
        let principals = if entry.effect == Effect::Grant { &self.active } else { &self.all };
        principals.contains(&entry.principal)
            && !entry.except.iter().any(|except| self.all.contains(except))
            && entry.validity.holds_at(self.now)
    }

    fn covers(&self, scope: &Scope, resource: &Resource) -> bool {
        let Scope::Tag { tag, value } = scope else { return scope.covers(resource) };
        self.tags.iter().any(|on| {
            on.tag == *tag && (value.is_none() || on.value == *value) && around(&on.resource, resource)
        })
    }

    fn inside(&self, scope: &Scope, resource: &Resource) -> bool {
        let Scope::Tag { tag, value } = scope else { return scope.is_inside(resource) };
        self.tags.iter().any(|on| {
            on.tag == *tag
                && (value.is_none() || on.value == *value)
                && on.resource != *resource
                && around(resource, &on.resource)
        })
    }

    fn owns(&self, resource: &Resource) -> bool {
        let everyone = self.policy.settings().rule_book == BookName::SqlStandard
            && *resource == Resource::Database(Name::fold("default"));
        let object = match resource {
            Resource::Column(column) => Resource::Table(column.table.clone()),
            other => other.clone(),
        };
        everyone || self.policy.owner(&object).is_some_and(|owner| self.active.contains(owner))
    }
}

fn with(person: &BTreeSet<Principal>, mut reached: BTreeSet<Principal>) -> BTreeSet<Principal> {
    reached.extend(person.iter().cloned());
    reached
}

fn reach(policy: &Policy, from: &BTreeSet<Principal>, without: Option<&Principal>) -> BTreeSet<Principal> {
    let mut found = from.clone();
    loop {
        let more: Vec<Principal> = policy
            .memberships()
            .filter(|membership| found.contains(&membership.member))
            .map(|membership| Principal::Role(membership.role.clone()))
            .filter(|role| Some(role) != without && !found.contains(role))
            .collect();
        if more.is_empty() {
            return found;
        }
        found.extend(more);
    }
}

fn union(entries: &[&Entry]) -> Privileges {
    entries.iter().fold(Privileges::NONE, |union, entry| union.union(effective(entry)))
}

/// The owner's right is as good as all, if it is not what is left of ALL.
fn effective(entry: &Entry) -> Privileges {
    let known = Privileges::from_iter(entry.privileges.iter()) == entry.privileges;
    if known && entry.privileges.contains(Privilege::Owner) { Privileges::ALL } else { entry.privileges }
}

fn around(outer: &Resource, inner: &Resource) -> bool {
    match (outer, inner) {
        (Resource::Server, _) => true,
        (Resource::Database(database), inner) => inner.database() == Some(database),
        (Resource::Table(table), Resource::Column(column)) => *table == column.table,
        (Resource::Uri(place), Resource::Uri(uri)) => place.covers(uri),
        (outer, inner) => outer == inner,
    }
}
