//! What somebody sees filtered or masked they can neither change nor carry off whole: the filter would have to
//! hold for rows that are written, and a mask cannot be put into files. Nor can they put columns in the place of
//! others, so that what is hidden shows under a name at which nothing hides it; and that holds for denials too.

use std::collections::BTreeSet;

use guardbee_analysis::catalog::{CatalogChange, Table, TableKind};
use guardbee_model::{Operation, TableName};
use guardbee_policy::decision::Basis;
use guardbee_policy::request::{Columns, Lifetime, Request, WriteAction};
use guardbee_policy::requirement::{Reach, Requirement, Right, Side};
use guardbee_policy::{GrantOption, Privilege, Privileges, Resource, decide, obligations};

use crate::outcome::Problem;

use super::Judge;

impl Judge<'_> {
    pub(super) fn masked(&self, request: &Request, changes: &[CatalogChange]) -> Option<Problem> {
        let moved = self.tables_with_moved_columns(request.operation, changes);
        let exchanged = exchanged(request);
        let is_masked = |table: &&TableName| self.is_masked(table);
        let is_denied = |table: &&TableName| self.is_denied(table);
        let (table, hidden) = if let Some(table) = tables(request).into_iter().find(is_masked) {
            (table, "a row filter or column mask")
        } else if let Some(table) = exchanged.chain(moved).find(|table| is_masked(table) || is_denied(table))
        {
            (table, "a row filter, column mask or denial")
        } else {
            return None;
        };
        let user = &self.identity.user;
        let operation = request.operation;
        let message = format!("user `{user}` may not run {operation}: `{table}` has {hidden} for them");
        Some(Problem::new("masked-table", message))
    }

    fn is_masked(&self, table: &TableName) -> bool {
        !obligations(&self.snapshot.policy, self.subject, &[self.reading_all_of(table)]).is_empty()
    }

    fn is_denied(&self, table: &TableName) -> bool {
        let now = self.engine.clock.now();
        let decision = decide(&self.snapshot.policy, self.subject, &[self.reading_all_of(table)], now);
        decision.reasons.iter().any(|reason| reason.basis == Basis::Denied)
    }

    /// Files keep their columns by place: a column that comes to another place shows what was there.
    fn tables_with_moved_columns<'e>(
        &self,
        operation: Operation,
        changes: &'e [CatalogChange],
    ) -> impl Iterator<Item = &'e TableName> {
        changes.iter().filter_map(move |change| {
            let CatalogChange::PutTable(after) = change else { return None };
            if after.kind == TableKind::Temporary {
                return None;
            }
            let before = self.before.catalog().table(&after.name.database, &after.name.table)?;
            has_moved_columns(operation, before, after).then_some(&after.name)
        })
    }

    fn reading_all_of(&self, table: &TableName) -> Requirement {
        let columns = self
            .before
            .catalog()
            .table(&table.database, &table.table)
            .map(|known| Columns::Named(known.all_columns().map(|column| column.name.clone()).collect()));
        Requirement {
            right: Right::AnyOf {
                privileges: Privileges::of(Privilege::Select),
                grant_option: GrantOption::Without,
            },
            resource: Resource::Table(table.clone()),
            columns: columns.unwrap_or_default(),
            reach: Reach::Around,
            side: Side::Input,
        }
    }
}

/// A column that only has a new name takes everything along to it.
fn has_moved_columns(operation: Operation, before: &Table, after: &Table) -> bool {
    let columns = before.columns.iter().zip(after.columns.iter());
    let mut moved = columns.filter(|(old, new)| old.name != new.name);
    let Some((old, new)) = moved.next() else { return false };
    let is_renamed = operation == Operation::AlterTableRenameColumn
        && after.column(&old.name).is_none()
        && before.column(&new.name).is_none();
    !is_renamed || moved.next().is_some()
}

/// The tables whose partitions go to another table, files and all.
fn exchanged(request: &Request) -> impl Iterator<Item = &TableName> {
    let is_exchange = request.operation == Operation::AlterTableExchangePartition;
    request.reads.iter().filter(move |_| is_exchange).filter_map(|read| match &read.resource {
        Resource::Table(table) => Some(table),
        _ => None,
    })
}

/// The tables whose rows are changed or go out whole.
fn tables(request: &Request) -> BTreeSet<&TableName> {
    let changed = request.writes.iter().filter(|write| {
        write.lifetime == Lifetime::Permanent
            && matches!(write.action, WriteAction::Update | WriteAction::Delete)
    });
    let exported = request.reads.iter().filter(|_| request.operation == Operation::Export);
    changed
        .map(|write| &write.resource)
        .chain(exported.map(|read| &read.resource))
        .filter_map(|resource| match resource {
            Resource::Table(table) => Some(table),
            _ => None,
        })
        .collect()
}
