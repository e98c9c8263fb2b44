//! Something is renamed.

use guardbee_analysis::catalog::Table;
use guardbee_model::{ColumnName, Name, TableName};
use guardbee_policy::{Change, ChangeError, DataPolicy, Entry, Ownership, Resource, Scope, TagAssignment};

use crate::expression_names::{holds_query, names_column, with_column};

use super::{Steps, table_scope};

/// Entries on the table and its columns, their tags, data policies and the owner get the new name.
pub(super) fn renamed_table(steps: &mut Steps, from: &TableName, to: &TableName) -> Result<(), ChangeError> {
    let old = table_scope(from);
    let scope = |scope: &Scope| match scope {
        scope if *scope == old => Some(table_scope(to)),
        Scope::Column { column, .. } if old.holds(scope) => Some(Scope::Column {
            database: to.database.clone().into(),
            table: to.table.clone().into(),
            column: column.clone(),
        }),
        _ => None,
    };
    let resource = |resource: &Resource| match resource {
        Resource::Table(table) if table == from => Some(Resource::Table(to.clone())),
        Resource::Column(column) if column.table == *from => {
            Some(Resource::Column(ColumnName::new(to.clone(), column.column.clone())))
        }
        _ => None,
    };
    move_along(steps, &old, &scope, &resource)
}

/// `CHANGE a b`: what stood on the column stands on it still.
pub(super) fn renamed_column(steps: &mut Steps, before: &Table, after: &Table) -> Result<(), ChangeError> {
    let Some((gone, new)) = column_renamed(before, after) else { return Ok(()) };
    let at = |column: &Name| Scope::Column {
        database: before.name.database.clone().into(),
        table: before.name.table.clone().into(),
        column: column.clone().into(),
    };
    let old = at(&gone);
    let scope = |scope: &Scope| (*scope == old).then(|| at(&new));
    let carrier = Resource::Column(ColumnName::new(before.name.clone(), gone.clone()));
    let renamed = Resource::Column(ColumnName::new(before.name.clone(), new.clone()));
    let resource = |resource: &Resource| (*resource == carrier).then(|| renamed.clone());
    move_along(steps, &old, &scope, &resource)?;
    name_in_rules(steps, &before.name, &gone, &new)
}

/// The rules that stand on the table or on a column of it name the column in what they say. In a query inside of
/// an expression the name may be another table's: such a one is left to administrators.
fn name_in_rules(steps: &mut Steps, table: &TableName, from: &Name, to: &Name) -> Result<(), ChangeError> {
    let around = table_scope(table);
    let rules: Vec<DataPolicy> = steps.policy.data_policies().cloned().collect();
    for rule in rules.into_iter().filter(|rule| around.holds(&rule.scope)) {
        if names_column(&rule.expression, from, Some(&table.table)) && !holds_query(&rule.expression) {
            let expression = with_column(&rule.expression, from, to, Some(&table.table)).into();
            steps.make(Change::PutDataPolicy(DataPolicy { expression, ..rule }))?;
        }
    }
    Ok(())
}

/// The old and the new name of the column that has another one.
pub(crate) fn column_renamed(before: &Table, after: &Table) -> Option<(Name, Name)> {
    let gone = before.all_columns().find(|column| after.column(&column.name).is_none())?;
    let new = after.all_columns().find(|column| before.column(&column.name).is_none())?;
    Some((gone.name.clone(), new.name.clone()))
}

fn move_along(
    steps: &mut Steps,
    around: &Scope,
    scope: &dyn Fn(&Scope) -> Option<Scope>,
    resource: &dyn Fn(&Resource) -> Option<Resource>,
) -> Result<(), ChangeError> {
    let entries: Vec<Entry> = steps.policy.entries_within(around).collect();
    for entry in entries {
        if let Some(scope) = scope(&entry.scope) {
            steps.make(Change::PutEntry(Entry { scope, ..entry }))?;
        }
    }
    let policies: Vec<DataPolicy> = steps.policy.data_policies().cloned().collect();
    for policy in policies {
        if let Some(scope) = scope(&policy.scope) {
            steps.make(Change::PutDataPolicy(DataPolicy { scope, ..policy }))?;
        }
    }
    let tags: Vec<TagAssignment> = steps.policy.tag_assignments().cloned().collect();
    for assignment in tags {
        if let Some(to) = resource(&assignment.resource) {
            let TagAssignment { tag, value, resource } = assignment;
            steps.make(Change::RemoveTagAssignment { tag: tag.clone(), resource })?;
            steps.make(Change::PutTagAssignment(TagAssignment { tag, value, resource: to }))?;
        }
    }
    let owners: Vec<Ownership> = steps.policy.owners().collect();
    for Ownership { resource: owned, owner } in owners {
        if let Some(to) = resource(&owned) {
            steps.make(Change::RemoveOwner(owned))?;
            steps.make(Change::PutOwner(Ownership { resource: to, owner }))?;
        }
    }
    Ok(())
}
