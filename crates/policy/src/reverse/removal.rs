//! What changes if an entry goes.

use std::collections::BTreeSet;

use super::{add_with_members, carriers, exists, requirement};
use crate::index::cell::PrincipalNumber;
use crate::scope::meet;
use crate::{
    Change, Effect, Entry, EntryId, GrantOption, NamePattern, Policy, Principal, Privilege, Privileges,
    Resource, Scope, Timestamp, decide,
};

/// What a principal gains and loses on a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    pub principal: Principal,
    /// Where the entry stands on names with `*`, one with a name that nothing else speaks of stands for all.
    pub resource: Resource,
    pub lost: Privileges,
    pub gained: Privileges,
    /// The privileges that can no longer be passed on.
    pub lost_grant_option: Privileges,
}

/// What changes if an entry goes: for each principal that the policy knows, by itself, what it loses or gains
/// where the entry stands; of a denial also where the principal has something inside.
///
/// A principal that is not listed with a privilege loses and gains it nowhere. One that is may keep it inside
/// by another entry.
#[must_use]
pub fn what_if_removed(policy: &Policy, entry: EntryId, now: Timestamp) -> Vec<Difference> {
    let Some(entry) = policy.entry(entry) else { return Vec::new() };
    let mut without = policy.clone();
    // A removal is never refused.
    let _ = without.apply(Change::RemoveEntry(entry.id));
    let names_super = entry.scope == Scope::Server && entry.privileges.contains(Privilege::Super);
    let touched = if names_super { Privileges::ALL } else { entry.effective() };
    let before_and_after = BeforeAndAfter { before: policy, after: &without, touched, now };
    let principals = affected(policy, &entry.principal);
    let mut differences = Vec::new();
    for principal in &principals {
        for resource in places(policy, &entry, names_super, principal) {
            differences.extend(before_and_after.difference(principal, resource));
        }
    }
    differences
}

/// The principals that an entry for one holds for.
fn affected(policy: &Policy, principal: &Principal) -> BTreeSet<Principal> {
    let mut principals = BTreeSet::new();
    add_with_members(policy, principal.clone(), &mut principals);
    if principals.contains(&Principal::public()) {
        principals.extend(policy.principals.iter().map(|node| node.principal.clone()));
    }
    principals.retain(|principal| exists(policy, principal));
    principals
}

struct BeforeAndAfter<'p> {
    before: &'p Policy,
    after: &'p Policy,
    touched: Privileges,
    now: Timestamp,
}

impl BeforeAndAfter<'_> {
    fn difference(&self, principal: &Principal, resource: Resource) -> Option<Difference> {
        let rights = |policy: &Policy, option| {
            let subject = policy.subject_of_principal(principal);
            let has = |privilege: &Privilege| {
                let requirement = requirement(*privilege, &resource, option);
                decide(policy, &subject, &[requirement], self.now).is_allowed()
            };
            self.touched.iter().filter(has).collect::<Privileges>()
        };
        let before = rights(self.before, GrantOption::Without);
        let after = rights(self.after, GrantOption::Without);
        let lost_grant_option =
            rights(self.before, GrantOption::With).without(rights(self.after, GrantOption::With));
        let (lost, gained) = (before.without(after), after.without(before));
        let is_one = [lost, gained, lost_grant_option].iter().any(|set| !set.is_empty());
        is_one.then(|| Difference { principal: principal.clone(), resource, lost, gained, lost_grant_option })
    }
}

/// Where to look: what a grant gives is given everywhere in its scope or kept by what reaches everywhere; what a
/// denial takes is missed only where there is something to be taken.
fn places(policy: &Policy, entry: &Entry, names_super: bool, principal: &Principal) -> BTreeSet<Resource> {
    let mut found = BTreeSet::new();
    let own = expanded(policy, &entry.scope);
    own.iter().for_each(|scope| add_instance(scope, &mut found));
    if entry.effect == Effect::Deny || names_super {
        let subject = policy.subject_of_principal(principal);
        let numbers: Vec<PrincipalNumber> = subject.known.iter().map(|standing| standing.number()).collect();
        let held = numbers.into_iter().flat_map(|number| policy.entries_of(&policy.principal(number)));
        for other in held.filter(|other| other.id != entry.id) {
            for scope in expanded(policy, &other.scope) {
                own.iter().filter_map(|own| meet(own, &scope)).for_each(|met| add_instance(&met, &mut found));
            }
        }
    }
    found
}

/// A scope, or those of what carries its tag.
fn expanded(policy: &Policy, scope: &Scope) -> Vec<Scope> {
    match scope {
        Scope::Tag { .. } => carriers(policy, scope).iter().filter_map(Resource::scope).collect(),
        other => vec![other.clone()],
    }
}

/// Adds a resource in a scope. Of a column its table as well, as a denial at a column reaches the whole table; of
/// a table also a column of which nothing else speaks, as its other columns may hide what happens to it; of an
/// address a place beneath it likewise.
fn add_instance(scope: &Scope, found: &mut BTreeSet<Resource>) {
    let table = |database: &NamePattern, table: &NamePattern| {
        guardbee_model::TableName::new(database.instance(), table.instance())
    };
    let resource = match scope {
        Scope::Server => Resource::Server,
        Scope::Database(database) => Resource::Database(database.instance()),
        Scope::Table { database, table: name } => {
            let column = NamePattern::any().instance();
            found.insert(Resource::Column(guardbee_model::ColumnName::new(table(database, name), column)));
            Resource::Table(table(database, name))
        }
        Scope::Column { database, table: name, column } => {
            found.insert(Resource::Table(table(database, name)));
            Resource::Column(guardbee_model::ColumnName::new(table(database, name), column.instance()))
        }
        Scope::Uri(uri) => {
            found.insert(Resource::Uri(uri.child(&NamePattern::any().instance())));
            Resource::Uri(uri.clone())
        }
        Scope::Function { database, function } => {
            Resource::Function { database: Some(database.instance()), function: function.instance() }
        }
        Scope::Connector(connector) => Resource::Connector(connector.instance()),
        Scope::Tag { .. } => return,
    };
    found.insert(resource);
}
