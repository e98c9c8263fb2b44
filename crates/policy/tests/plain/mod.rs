//! Decisions read off the entries one by one: slow, plain, and by another way than the index.

use std::collections::BTreeSet;

use guardbee_model::{ColumnName, Name};
use guardbee_policy::decision::{Basis, Missing, Obligation};
use guardbee_policy::request::Columns;
use guardbee_policy::requirement::{Reach, Requirement, Right, Side};
use guardbee_policy::{
    ActiveRoles, BookName, DataPolicy, DataRule, Effect, Entry, EntryId, GrantOption, Identity, Policy,
    PolicyState, Principal, Privilege, Privileges, Resource, Scope, TagAssignment, Timestamp,
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
        let all = reach(policy, &person);
        let admin = Principal::role("admin");
        let must_switch = policy.settings().rule_book == BookName::SqlStandard;
        let mut active = match &identity.roles {
            ActiveRoles::All => all.clone(),
            ActiveRoles::None => reach(policy, &[Principal::public()].into()),
            ActiveRoles::Only(names) => {
                let on = names.iter().cloned().map(Principal::Role).filter(|role| all.contains(role));
                reach(policy, &on.chain([Principal::public()]).collect())
            }
        };
        let names_admin =
            matches!(&identity.roles, ActiveRoles::Only(names) if names.contains(&Name::fold("admin")));
        if must_switch && !names_admin {
            active.remove(&admin);
        }
        active.extend(person);
        Self {
            policy,
            entries: policy.entries().collect(),
            tags: policy.tag_assignments().cloned().collect(),
            active,
            all,
            now,
        }
    }

    /// What must be done to what is read, as text.
    pub fn obligations(&self, requirements: &[Requirement]) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for requirement in requirements {
            let Resource::Table(table) = &requirement.resource else { continue };
            let Right::AnyOf { privileges, .. } = &requirement.right else { continue };
            if !privileges.contains(Privilege::Select) || requirement.side != Side::Input {
                continue;
            }
            let columns: Vec<Resource> = match &requirement.columns {
                Columns::Named(columns) => columns
                    .iter()
                    .map(|column| Resource::Column(ColumnName::new(table.clone(), column.clone())))
                    .collect(),
                Columns::Whole => Vec::new(),
            };
            let whole = Resource::Table(table.clone());
            for policy in self.in_force(DataRule::RowFilter) {
                let reached = self.covers(&policy.scope, &whole)
                    || columns.iter().any(|column| self.covers(&policy.scope, column))
                    || columns.is_empty() && self.inside(&policy.scope, &whole);
                if reached {
                    found.insert(format!("{table} {} {}", policy.name, policy.expression));
                }
            }
            for column in columns {
                let mut masks: Vec<&DataPolicy> = self
                    .in_force(DataRule::ColumnMask)
                    .filter(|policy| self.covers(&policy.scope, &column))
                    .collect();
                masks.sort_by_key(|policy| (rank(&policy.scope), policy.name.clone()));
                found.extend(
                    masks.first().map(|policy| format!("{column} {} {}", policy.name, policy.expression)),
                );
            }
        }
        found
    }

    fn in_force(&self, rule: DataRule) -> impl Iterator<Item = &DataPolicy> {
        let is_any = |named: &[Principal]| named.iter().any(|principal| self.all.contains(principal));
        self.policy.data_policies().filter(move |policy| {
            policy.rule == rule
                && policy.state == PolicyState::Enabled
                && (policy.principals.is_empty() || is_any(&policy.principals))
                && !is_any(&policy.except)
        })
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
            (Resource::Table(table), Columns::Named(columns))
                if !columns.is_empty() && requirement.right != Right::Ownership =>
            {
                columns
                    .iter()
                    .map(|column| Resource::Column(ColumnName::new(table.clone(), column.clone())))
                    .collect()
            }
            (other, _) => vec![other.clone()],
        };
        let table = &requirement.resource;
        let mut finding = met(basis);
        for resource in resources {
            let denials: Vec<(EntryId, Privileges)> = self
                .entries
                .iter()
                .filter(|entry| entry.effect == Effect::Deny && self.holds(entry))
                .map(|entry| (entry.id, self.taken(entry, &resource, requirement.reach).intersection(wanted)))
                .filter(|(_, taken)| !taken.is_empty())
                .collect();
            let denied = denials.iter().fold(Privileges::NONE, |union, (_, taken)| union.union(*taken));
            finding.denials.extend(denials.iter().map(|(id, _)| *id));
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
            let is_met = |denied: Privileges| {
                if wanted.is_all() {
                    denied.is_empty() && granted.is_all()
                } else {
                    wanted.intersection(granted).without(denied) != Privileges::NONE
                }
            };
            if is_met(denied) {
                continue;
            }
            let refused = !denials.is_empty()
                && (wanted.is_all() || wanted.without(denied).is_empty() || is_met(Privileges::NONE));
            if refused {
                finding.basis = Basis::Denied;
            } else if finding.basis != Basis::Denied {
                finding.basis = Basis::NotGranted;
            }
            finding.missing.push(lost(resource));
        }
        if finding.basis != Basis::Denied {
            finding.denials.clear();
        }
        finding.denials.sort();
        finding.denials.dedup();
        finding
    }

    /// What a denial takes from a resource. At a column it takes from the table what columns have.
    fn taken(&self, entry: &Entry, resource: &Resource, reach: Reach) -> Privileges {
        let of_columns = [Privilege::Select, Privilege::Insert, Privilege::Update].into_iter().collect();
        if self.covers(&entry.scope, resource) {
            effective(entry)
        } else if matches!(resource, Resource::Table(_))
            && reach == Reach::Around
            && self.inside(&entry.scope, resource)
        {
            effective(entry).intersection(of_columns)
        } else if reach == Reach::Around && self.reached(&entry.scope, resource) {
            effective(entry)
        } else {
            Privileges::NONE
        }
    }

    /// Does an address reach what the scope stands on?
    fn reached(&self, scope: &Scope, resource: &Resource) -> bool {
        let Resource::Uri(asked) = resource else { return false };
        match scope {
            Scope::Uri(place) => asked.may_reach(place),
            Scope::Tag { tag, value } => self.tags.iter().any(|on| {
                on.tag == *tag
                    && (value.is_none() || on.value == *value)
                    && matches!(&on.resource, Resource::Uri(place) if asked.may_reach(place))
            }),
            _ => false,
        }
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
        everyone || self.policy.owner(resource).is_some_and(|owner| self.active.contains(owner))
    }
}

fn reach(policy: &Policy, from: &BTreeSet<Principal>) -> BTreeSet<Principal> {
    let mut found = from.clone();
    loop {
        let more: Vec<Principal> = policy
            .memberships()
            .filter(|membership| found.contains(&membership.member))
            .map(|membership| Principal::Role(membership.role.clone()))
            .filter(|role| !found.contains(role))
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

fn rank(scope: &Scope) -> u8 {
    match scope {
        Scope::Tag { .. } => 2,
        Scope::Column { .. } if !scope.to_string().contains('*') => 0,
        _ => 1,
    }
}

/// An obligation as the plain reading writes it.
pub fn text(obligation: &Obligation) -> String {
    match obligation {
        Obligation::Filter { table, policy, condition } => format!("{table} {policy} {condition}"),
        Obligation::Mask { table, column, policy, expression } => {
            format!("{table}.{column} {policy} {expression}")
        }
    }
}
