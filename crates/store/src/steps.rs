//! The steps of a commit, brought to what is left of them in the end: one for each key.

use guardbee_model::Name;
use guardbee_policy::{Change, DataRule, Entry, EntryId, Membership, Principal, Resource, TagAssignment};
use rustc_hash::FxHashMap;

use crate::columns::{Action, target};
use crate::rows::Table;

/// What a commit does to one table.
pub struct TableSteps<'c> {
    pub table: Table,
    /// Steps whose key is there no more, or there anew, when they are done.
    pub closed: Vec<&'c Change>,
    pub put: Vec<&'c Change>,
}

/// The steps by table, in the order in which a policy is built. Of several with the same key the last counts.
pub fn by_table(changes: &[Change]) -> Vec<TableSteps<'_>> {
    let mut last: FxHashMap<Key<'_>, usize> = FxHashMap::default();
    for (place, change) in changes.iter().enumerate() {
        last.insert(Key::of(change), place);
    }
    let mut tables: Vec<TableSteps<'_>> =
        Table::ALL.map(|table| TableSteps { table, closed: Vec::new(), put: Vec::new() }).into();
    for (place, change) in changes.iter().enumerate() {
        if last.get(&Key::of(change)) != Some(&place) {
            continue;
        }
        let (table, action) = target(change);
        let Some(steps) = tables.get_mut(table as usize) else { continue };
        steps.closed.push(change);
        if matches!(action, Action::Put) {
            steps.put.push(change);
        }
    }
    tables.retain(|steps| !steps.closed.is_empty());
    tables
}

/// The first entry id that neither these steps nor earlier ones have given.
pub fn next_entry_id(changes: &[Change], before: u64) -> u64 {
    changes.iter().fold(before, |next, change| match change {
        Change::PutEntry(entry) => next.max(entry.id.0.saturating_add(1)),
        _ => next,
    })
}

/// What a step is about; two steps with the same key are about the same row.
#[derive(PartialEq, Eq, Hash)]
pub enum Key<'c> {
    Setting(&'c str),
    Role(&'c Name),
    Tag(&'c Name),
    Membership(&'c Name, &'c Principal),
    Entry(EntryId),
    DataPolicy(DataRule, &'c Name),
    TagAssignment(&'c Name, &'c Resource),
    Owner(&'c Resource),
}

impl<'c> Key<'c> {
    pub fn of(change: &'c Change) -> Self {
        match change {
            Change::PutSetting { key, .. } | Change::RemoveSetting(key) => Self::Setting(key),
            Change::PutRole(role) => Self::Role(&role.name),
            Change::RemoveRole(name) => Self::Role(name),
            Change::PutTag(tag) => Self::Tag(&tag.name),
            Change::RemoveTag(name) => Self::Tag(name),
            Change::PutMembership(Membership { role, member, .. })
            | Change::RemoveMembership { role, member } => Self::Membership(role, member),
            Change::PutEntry(Entry { id, .. }) | Change::RemoveEntry(id) => Self::Entry(*id),
            Change::PutDataPolicy(policy) => Self::DataPolicy(policy.rule, &policy.name),
            Change::RemoveDataPolicy { rule, name } => Self::DataPolicy(*rule, name),
            Change::PutTagAssignment(TagAssignment { tag, resource, .. })
            | Change::RemoveTagAssignment { tag, resource } => Self::TagAssignment(tag, resource),
            Change::PutOwner(ownership) => Self::Owner(&ownership.resource),
            Change::RemoveOwner(resource) => Self::Owner(resource),
        }
    }
}
