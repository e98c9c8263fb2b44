//! Row filters and column masks: which of them hold for what is read.

use std::collections::BTreeSet;

use guardbee_model::{ColumnName, Name, TableName};
use guardbee_policy::request::Columns;
use guardbee_policy::requirement::{Requirement, Right, Side};
use guardbee_policy::{DataPolicy, DataRule, PolicyState, Privilege, Resource, Scope};

use super::{Standing, World, scope_covers, scope_inside};

/// The rows of the table for which the condition does not hold stay away.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Filter {
    pub table: TableName,
    pub policy: Name,
    pub condition: String,
}

/// The column shows something else.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mask {
    pub table: TableName,
    pub column: Name,
    pub policy: Name,
    pub expression: String,
}

/// All filters hold; of the masks of a column the first: that on the column itself before one by pattern
/// before one by tag, then by name.
#[must_use]
pub fn obligations(
    world: &World,
    standing: &Standing,
    requirements: &[Requirement],
) -> (BTreeSet<Filter>, BTreeSet<Mask>) {
    let (mut filters, mut masks) = (BTreeSet::new(), BTreeSet::new());
    for requirement in requirements {
        let Resource::Table(table) = &requirement.resource else { continue };
        if !reads(requirement) {
            continue;
        }
        let columns = match &requirement.columns {
            Columns::Whole => &[][..],
            Columns::Named(columns) => columns,
        };
        for policy in in_force(world, standing, DataRule::RowFilter) {
            if filters_table(world, policy, table, columns) {
                filters.insert(Filter {
                    table: table.clone(),
                    policy: policy.name.clone(),
                    condition: policy.expression.to_string(),
                });
            }
        }
        for column in columns {
            if let Some(policy) = mask_of(world, standing, table, column) {
                masks.insert(Mask {
                    table: table.clone(),
                    column: column.clone(),
                    policy: policy.name.clone(),
                    expression: policy.expression.to_string(),
                });
            }
        }
    }
    (filters, masks)
}

/// Does it ask for the content of a table?
fn reads(requirement: &Requirement) -> bool {
    let selects = match &requirement.right {
        Right::AnyOf { privileges, .. } => privileges.contains(Privilege::Select),
        _ => false,
    };
    selects && requirement.side == Side::Input
}

fn in_force<'w>(
    world: &'w World,
    standing: &'w Standing,
    rule: DataRule,
) -> impl Iterator<Item = &'w DataPolicy> {
    world.data_policies.iter().filter(move |policy| {
        policy.rule == rule
            && policy.state == PolicyState::Enabled
            && (policy.principals.is_empty() || standing.is_any_of(&policy.principals))
            && !standing.is_any_of(&policy.except)
    })
}

/// A column's tag counts when the column is read, or the table without columns.
fn filters_table(world: &World, policy: &DataPolicy, table: &TableName, columns: &[Name]) -> bool {
    let whole = Resource::Table(table.clone());
    if scope_covers(world, &policy.scope, &whole) {
        return true;
    }
    if columns.is_empty() {
        return scope_inside(world, &policy.scope, &whole);
    }
    columns.iter().any(|column| {
        let column = Resource::Column(ColumnName::new(table.clone(), column.clone()));
        scope_covers(world, &policy.scope, &column)
    })
}

fn mask_of<'w>(
    world: &'w World,
    standing: &'w Standing,
    table: &TableName,
    column: &Name,
) -> Option<&'w DataPolicy> {
    let resource = Resource::Column(ColumnName::new(table.clone(), column.clone()));
    let mut candidates: Vec<&DataPolicy> = in_force(world, standing, DataRule::ColumnMask)
        .filter(|policy| scope_covers(world, &policy.scope, &resource))
        .collect();
    candidates.sort_by_key(|policy| (rank(&policy.scope), policy.name.clone()));
    candidates.first().copied()
}

/// A mask on a whole table is one on the columns `*`.
fn rank(scope: &Scope) -> u8 {
    match scope {
        Scope::Tag { .. } => 2,
        Scope::Column { database, table, column } => {
            let has_star = [database, table, column].iter().any(|part| part.as_str().contains('*'));
            u8::from(has_star)
        }
        _ => 1,
    }
}
