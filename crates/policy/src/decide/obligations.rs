//! Row filters and column masks for what is read.

use std::collections::BTreeMap;

use guardbee_model::{Name, TableName};

use super::named;
use crate::decision::Obligation;
use crate::index::cell::PrincipalNumber;
use crate::index::data::DataRecord;
use crate::requirement::{Requirement, Right, Side};
use crate::subject::Subject;
use crate::{DataRule, Policy, PolicyState, Privilege, Resource, Scope, TagAssignment};

/// What must be done to what the requirements say is read: filters and then masks, by table, and by name or
/// column.
///
/// All filters of a table hold. Of the masks of a column one does: first comes what stands on the column
/// itself, then what stands on its table or on names with `*`, then what stands on a tag; among these the first
/// by name.
pub(super) fn of(policy: &Policy, subject: &Subject, requirements: &[Requirement]) -> Vec<Obligation> {
    let mut filters = BTreeMap::new();
    let mut masks = BTreeMap::new();
    let read = requirements.iter().filter(|requirement| reads(requirement));
    for (table, columns) in read.filter_map(|requirement| table_and_columns(requirement)) {
        let found = in_force(policy, subject, table);
        for filter in found.iter().filter(|found| found.filters(columns)) {
            filters.insert((table, &filter.record.policy.name), &filter.record.policy.expression);
        }
        for column in columns {
            let reaching = found.iter().filter(|found| found.masks(column));
            if let Some(mask) = reaching.min_by_key(|found| (found.rank(), &found.record.policy.name)) {
                masks.insert((table, column), &mask.record.policy);
            }
        }
    }
    let filters = filters.into_iter().map(|((table, name), condition)| Obligation::Filter {
        table: table.clone(),
        policy: name.clone(),
        condition: condition.clone(),
    });
    let masks = masks.into_iter().map(|((table, column), policy)| Obligation::Mask {
        table: table.clone(),
        column: column.clone(),
        policy: policy.name.clone(),
        expression: policy.expression.clone(),
    });
    filters.chain(masks).collect()
}

/// Does it ask for what is in a table?
fn reads(requirement: &Requirement) -> bool {
    let selects = match &requirement.right {
        Right::AnyOf { privileges, .. } => privileges.contains(Privilege::Select),
        _ => false,
    };
    selects && requirement.side == Side::Input
}

fn table_and_columns(requirement: &Requirement) -> Option<(&TableName, &[Name])> {
    match &requirement.resource {
        Resource::Table(table) => Some((table, named(&requirement.columns).unwrap_or_default())),
        _ => None,
    }
}

/// A data policy that reaches a table or some of its columns.
struct Found<'p> {
    record: &'p DataRecord,
    /// Where it stands on a tag that a column carries: that column.
    tagged_column: Option<&'p Name>,
}

impl Found<'_> {
    /// Does it filter the rows where these columns are read? On a column's tag it does if the column is read,
    /// or the table without columns.
    fn filters(&self, columns: &[Name]) -> bool {
        self.record.policy.rule == DataRule::RowFilter
            && self.tagged_column.is_none_or(|column| columns.is_empty() || columns.contains(column))
    }

    fn masks(&self, column: &Name) -> bool {
        let reaches = match &self.record.policy.scope {
            Scope::Column { column: pattern, .. } => pattern.matches(column),
            _ => self.tagged_column.is_none_or(|tagged| tagged == column),
        };
        reaches && self.record.policy.rule == DataRule::ColumnMask
    }

    fn rank(&self) -> u8 {
        match &self.record.policy.scope {
            Scope::Tag { .. } => 2,
            Scope::Column { .. } if !self.record.policy.scope.has_pattern() => 0,
            _ => 1,
        }
    }
}

/// The data policies in force for somebody that may reach a table or its columns.
fn in_force<'p>(policy: &'p Policy, subject: &Subject, table: &TableName) -> Vec<Found<'p>> {
    let mut found: Vec<Found<'p>> = Vec::new();
    let mut add = |record: &'p DataRecord, tagged_column| {
        if holds(record, subject) {
            found.push(Found { record, tagged_column });
        }
    };
    policy.data.of_table(table).for_each(|record| add(record, None));
    policy.data.patterned().filter(|record| is_near(&record.policy.scope, table)).for_each(|r| add(r, None));
    let around = [
        policy.tags.carrier(&Resource::Server),
        policy.tags.carrier_of_database(&table.database),
        policy.tags.carrier_of_table(table),
    ];
    for assignment in around.iter().flatten().flat_map(|carrier| &carrier.own) {
        of_tag(policy, assignment).for_each(|record| add(record, None));
    }
    for assignment in around.iter().flatten().flat_map(|carrier| &carrier.columns) {
        if let Resource::Column(column) = &assignment.resource {
            of_tag(policy, assignment).for_each(|record| add(record, Some(&column.column)));
        }
    }
    found
}

fn of_tag<'p>(
    policy: &'p Policy,
    assignment: &TagAssignment,
) -> impl Iterator<Item = &'p DataRecord> + use<'p> {
    let with_value = assignment.value.as_deref();
    let with_value = with_value.map(|value| policy.data.of_tag(&assignment.tag, Some(value)));
    policy.data.of_tag(&assignment.tag, None).chain(with_value.into_iter().flatten())
}

fn is_near(scope: &Scope, name: &TableName) -> bool {
    match scope {
        Scope::Table { database, table } | Scope::Column { database, table, .. } => {
            database.matches(&name.database) && table.matches(&name.table)
        }
        _ => false,
    }
}

/// Whom a data policy is for and who is excepted is a matter of all roles: switching one off frees of nothing,
/// and takes nothing that is free.
fn holds(record: &DataRecord, subject: &Subject) -> bool {
    let is_any = |numbers: &[PrincipalNumber]| numbers.iter().any(|&number| subject.known.contains(number));
    record.policy.state == PolicyState::Enabled
        && (record.policy.principals.is_empty() || is_any(&record.principals))
        && !is_any(&record.except)
}
