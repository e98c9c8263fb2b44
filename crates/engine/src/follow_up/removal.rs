//! Something is dropped.

use guardbee_model::{Name, TableName};
use guardbee_policy::{
    Change, ChangeError, DataRule, EntryId, Ownership, Privilege, Privileges, Resource, TagAssignment,
};

use super::{Steps, scope_of};

/// The owner and the tags of what is dropped go always. Entries and data policies go unless the settings keep
/// them, as Sentry's do: then they hold for the next object of that name.
pub(super) fn remove(steps: &mut Steps, resource: &Resource) -> Result<(), ChangeError> {
    if steps.policy.settings().sync_drop.is_on() {
        remove_entries(steps, resource)?;
        remove_data_policies(steps, resource)?;
    } else {
        remove_owner_privileges(steps, resource)?;
    }
    let tags: Vec<TagAssignment> = steps
        .policy
        .tag_assignments()
        .filter(|assignment| is_at_or_beneath(resource, &assignment.resource))
        .cloned()
        .collect();
    for TagAssignment { tag, resource, .. } in tags {
        steps.make(Change::RemoveTagAssignment { tag, resource })?;
    }
    let owned: Vec<Ownership> =
        steps.policy.owners().filter(|owned| is_at_or_beneath(resource, &owned.resource)).collect();
    for Ownership { resource, .. } in owned {
        steps.make(Change::RemoveOwner(resource))?;
    }
    Ok(())
}

/// All entries at the object and inside it.
pub(super) fn remove_entries(steps: &mut Steps, resource: &Resource) -> Result<(), ChangeError> {
    let Some(scope) = scope_of(resource) else { return Ok(()) };
    let entries: Vec<EntryId> = steps.policy.entries_within(&scope).map(|entry| entry.id).collect();
    entries.into_iter().try_for_each(|id| steps.make(Change::RemoveEntry(id)))
}

pub(super) fn remove_owner_privileges(steps: &mut Steps, resource: &Resource) -> Result<(), ChangeError> {
    let Some(scope) = scope_of(resource) else { return Ok(()) };
    let owner = Privileges::of(Privilege::Owner);
    let entries: Vec<EntryId> = steps
        .policy
        .entries_on(&scope)
        .filter(|entry| entry.privileges == owner)
        .map(|entry| entry.id)
        .collect();
    entries.into_iter().try_for_each(|id| steps.make(Change::RemoveEntry(id)))
}

fn remove_data_policies(steps: &mut Steps, resource: &Resource) -> Result<(), ChangeError> {
    let Some(scope) = scope_of(resource) else { return Ok(()) };
    let policies: Vec<(DataRule, Name)> = steps
        .policy
        .data_policies()
        .filter(|policy| scope.holds(&policy.scope))
        .map(|policy| (policy.rule, policy.name.clone()))
        .collect();
    policies.into_iter().try_for_each(|(rule, name)| steps.make(Change::RemoveDataPolicy { rule, name }))
}

fn is_at_or_beneath(around: &Resource, resource: &Resource) -> bool {
    let is_table = |table: &TableName| match around {
        Resource::Database(database) => table.database == *database,
        Resource::Table(name) => table == name,
        _ => false,
    };
    match resource {
        resource if resource == around => true,
        Resource::Table(table) => is_table(table),
        Resource::Column(column) => is_table(&column.table),
        Resource::Function { database: Some(home), .. } => *around == Resource::Database(home.clone()),
        _ => false,
    }
}
