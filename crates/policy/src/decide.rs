//! May it be done? Denials first, then grants.

use guardbee_model::{ColumnName, Name, TableName};
use smallvec::SmallVec;

use crate::decision::{Basis, Missing, Reason};
use crate::request::Columns;
use crate::requirement::{Reach, Requirement, Right};
use crate::subject::Subject;
use crate::{
    BookName, Decision, Effect, Entry, EntryId, GrantOption, Policy, Privilege, Privileges, Resource, Scope,
    Timestamp, Verdict,
};

/// May the subject do what has these requirements? Every one of them must be met; a denial refuses whatever
/// else is granted.
#[must_use]
pub fn decide(policy: &Policy, subject: &Subject, requirements: &[Requirement], now: Timestamp) -> Decision {
    let reasons: SmallVec<[Reason; 4]> = requirements
        .iter()
        .enumerate()
        .map(|(place, requirement)| Judge { policy, subject, now }.reason(place, requirement))
        .collect();
    let met = reasons.iter().all(|reason| reason.missing.is_empty());
    let verdict = if met { Verdict::Allowed } else { Verdict::Denied };
    Decision { verdict, reasons, obligations: Vec::new() }
}

struct Judge<'p> {
    policy: &'p Policy,
    subject: &'p Subject,
    now: Timestamp,
}

impl Judge<'_> {
    fn reason(&self, place: usize, requirement: &Requirement) -> Reason {
        let reason = |basis, entries: Vec<EntryId>, missing: Vec<Missing>| Reason {
            requirement: place,
            entries: entries.into(),
            basis,
            missing,
        };
        let missing =
            || vec![Missing { right: requirement.right.clone(), resource: requirement.resource.clone() }];
        let super_entry = self.super_entry();
        let switched_on =
            self.policy.settings.rule_book == BookName::SqlStandard && self.subject.is_administrator();
        let (privileges, option) = match &requirement.right {
            Right::Nobody(_) => return reason(Basis::Forbidden, Vec::new(), missing()),
            _ if super_entry.is_some() => {
                return reason(Basis::Super, super_entry.into_iter().collect(), Vec::new());
            }
            Right::Administration if self.subject.is_administrator() => {
                return reason(Basis::Administrator, Vec::new(), Vec::new());
            }
            Right::Administration => return reason(Basis::NotGranted, Vec::new(), missing()),
            Right::Ownership => (Privileges::of(Privilege::Owner), GrantOption::Without),
            Right::AnyOf { privileges, grant_option } => (*privileges, *grant_option),
        };
        let denied = self.denials(requirement, privileges);
        if !denied.is_empty() {
            let missing = match &requirement.columns {
                Columns::Named(columns) => {
                    let at = |column: &Name| column_of(&requirement.resource, column);
                    columns
                        .iter()
                        .filter(|column| {
                            !self.denied(std::slice::from_ref(&at(column)), privileges).is_empty()
                                || !self.grants(&at(column), privileges, option, Reach::Around).1
                        })
                        .map(|column| Missing { right: requirement.right.clone(), resource: at(column) })
                        .collect()
                }
                Columns::Whole => missing(),
            };
            let all: Vec<Missing> = missing;
            if !all.is_empty() {
                return reason(Basis::Denied, denied, all);
            }
        }
        if switched_on {
            return reason(Basis::Administrator, Vec::new(), Vec::new());
        }
        if requirement.right == Right::Ownership {
            let owns = self.owns(&requirement.resource);
            return if owns {
                reason(Basis::Owner, Vec::new(), Vec::new())
            } else {
                reason(Basis::NotGranted, Vec::new(), missing())
            };
        }
        let (entries, met) = self.grants(&requirement.resource, privileges, option, requirement.reach);
        if met {
            return reason(Basis::Granted, entries, Vec::new());
        }
        let Columns::Named(columns) = &requirement.columns else {
            return reason(Basis::NotGranted, Vec::new(), missing());
        };
        let mut all = Vec::new();
        let mut lost = Vec::new();
        for column in columns {
            let resource = column_of(&requirement.resource, column);
            let (entries, met) = self.grants(&resource, privileges, option, Reach::Around);
            if met {
                all.extend(entries);
            } else {
                lost.push(Missing { right: requirement.right.clone(), resource });
            }
        }
        all.sort();
        all.dedup();
        if lost.is_empty() {
            reason(Basis::Granted, all, lost)
        } else {
            reason(Basis::NotGranted, Vec::new(), lost)
        }
    }

    fn super_entry(&self) -> Option<EntryId> {
        let names =
            |entry: &&Entry| entry.scope == Scope::Server && entry.privileges.contains(Privilege::Super);
        let mut entries: Vec<&Entry> =
            self.policy.entries.values().filter(names).filter(|e| self.holds(e)).collect();
        if entries.iter().any(|entry| entry.effect == Effect::Deny) {
            return None;
        }
        entries.retain(|entry| !entry.privileges.is_all());
        entries.first().map(|entry| entry.id)
    }

    /// Does an entry hold for the subject now?
    fn holds(&self, entry: &Entry) -> bool {
        let principals = match entry.effect {
            Effect::Grant => &self.subject.granted,
            Effect::Deny => &self.subject.all,
        };
        principals.contains(&entry.principal)
            && !entry.except.iter().any(|except| self.subject.all.contains(except))
            && entry.validity.holds_at(self.now)
    }

    fn covers(&self, scope: &Scope, resource: &Resource) -> bool {
        let Scope::Tag { tag, value } = scope else { return scope.covers(resource) };
        self.policy.tag_assignments.values().any(|assignment| {
            assignment.tag == *tag
                && (value.is_none() || assignment.value == *value)
                && beneath(&assignment.resource, resource)
        })
    }

    fn inside(&self, scope: &Scope, resource: &Resource) -> bool {
        let Scope::Tag { tag, value } = scope else { return scope.is_inside(resource) };
        self.policy.tag_assignments.values().any(|assignment| {
            assignment.tag == *tag
                && (value.is_none() || assignment.value == *value)
                && beneath(resource, &assignment.resource)
        })
    }

    fn denials(&self, requirement: &Requirement, privileges: Privileges) -> Vec<EntryId> {
        match &requirement.columns {
            Columns::Whole => self.denied(std::slice::from_ref(&requirement.resource), privileges),
            Columns::Named(columns) => {
                let resources: Vec<Resource> =
                    columns.iter().map(|column| column_of(&requirement.resource, column)).collect();
                self.denied(&resources, privileges)
            }
        }
    }

    /// The denials that leave none of the privileges for one of the resources.
    fn denied(&self, resources: &[Resource], privileges: Privileges) -> Vec<EntryId> {
        let mut found = Vec::new();
        for resource in resources {
            let entries: Vec<&Entry> = self
                .policy
                .entries
                .values()
                .filter(|entry| entry.effect == Effect::Deny && self.holds(entry))
                .filter(|entry| effective(entry).intersects(privileges))
                .filter(|entry| {
                    self.covers(&entry.scope, resource)
                        || matches!(resource, Resource::Table(_)) && self.inside(&entry.scope, resource)
                })
                .collect();
            let union = entries.iter().fold(Privileges::NONE, |union, entry| union.union(effective(entry)));
            if !entries.is_empty() && (privileges.is_all() || privileges.without(union).is_empty()) {
                found.extend(entries.iter().map(|entry| entry.id));
            }
        }
        found.sort();
        found.dedup();
        found
    }

    fn grants(
        &self,
        resource: &Resource,
        privileges: Privileges,
        option: GrantOption,
        reach: Reach,
    ) -> (Vec<EntryId>, bool) {
        let denied = self
            .policy
            .entries
            .values()
            .filter(|entry| entry.effect == Effect::Deny && self.holds(entry))
            .filter(|entry| self.covers(&entry.scope, resource))
            .fold(Privileges::NONE, |union, entry| union.union(effective(entry)));
        let wanted = if privileges.is_all() { privileges } else { privileges.without(denied) };
        let entries: Vec<&Entry> = self
            .policy
            .entries
            .values()
            .filter(|entry| entry.effect == Effect::Grant && self.holds(entry))
            .filter(|entry| !option.is_with() || entry.grant_option.is_with())
            .filter(|entry| effective(entry).intersects(wanted))
            .filter(|entry| {
                self.covers(&entry.scope, resource)
                    || reach == Reach::AroundOrInside && self.inside(&entry.scope, resource)
            })
            .collect();
        let union = entries.iter().fold(Privileges::NONE, |union, entry| union.union(effective(entry)));
        let met = if wanted.is_all() { union.is_all() } else { union.intersects(wanted) };
        (entries.iter().map(|entry| entry.id).collect(), met)
    }

    fn owns(&self, resource: &Resource) -> bool {
        let everyone = self.policy.settings.rule_book == BookName::SqlStandard
            && matches!(resource, Resource::Database(name) if name.as_str() == "default");
        everyone || self.policy.owner(resource).is_some_and(|owner| self.subject.granted.contains(owner))
    }
}

/// An entry of the owner's right is as good as one of all rights.
fn effective(entry: &Entry) -> Privileges {
    if entry.privileges.contains(Privilege::Owner) && entry.privileges.bits() >> Privilege::EACH.len() == 0 {
        Privileges::ALL
    } else {
        entry.privileges
    }
}

fn column_of(resource: &Resource, column: &Name) -> Resource {
    match resource {
        Resource::Table(table) => Resource::Column(ColumnName::new(table.clone(), column.clone())),
        other => other.clone(),
    }
}

fn beneath(around: &Resource, inside: &Resource) -> bool {
    let table = |table: &TableName| (table.database.clone(), table.table.clone());
    match (around, inside) {
        (Resource::Server, _) => true,
        (Resource::Database(database), inside) => inside.database() == Some(database),
        (Resource::Table(one), Resource::Table(other)) => one == other,
        (Resource::Table(one), Resource::Column(other)) => table(one) == table(&other.table),
        (Resource::Uri(one), Resource::Uri(other)) => one.covers(other),
        (one, other) => one == other,
    }
}
