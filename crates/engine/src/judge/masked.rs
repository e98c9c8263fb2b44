//! What somebody sees filtered or masked they can neither change nor carry off whole: the filter would have to
//! hold for rows that are written, and a mask cannot be put into files. Nor can they put columns in the place of
//! others, so that what is hidden shows under a name at which nothing hides it; and that holds for denials too.
//! Books that ask for a database as a whole do not get to see what is denied inside it.

use std::collections::BTreeSet;

use guardbee_analysis::Effects;
use guardbee_analysis::catalog::{CatalogChange, Table, TableKind};
use guardbee_model::{Operation, TableName};
use guardbee_policy::decision::{Basis, Obligation};
use guardbee_policy::request::{Columns, Lifetime, Request, WriteAction};
use guardbee_policy::requirement::{Reach, Requirement, Right, Side};
use guardbee_policy::{GrantOption, Privilege, Privileges, Resource, decide, obligations};

use crate::outcome::Problem;
use crate::request::Translation;

use super::Judge;

impl Judge<'_> {
    pub(super) fn masked(&self, request: &Request, effects: &Effects) -> Option<Problem> {
        let moved = self.tables_with_moved_columns(request.operation, &effects.changes);
        let materialized = self.materialized_from_masked(effects);
        let taken = exchanged(request).chain(self.dumped(request)).chain(moved);
        let of_rules = |table| self.rules_on(table, self.columns_of(table));
        let of_all = |table| {
            of_rules(table).or_else(|| self.denials_on(table, Privilege::Select, self.columns_of(table)))
        };
        let dropped = |table| self.denials_on(table, Privilege::Drop, Columns::Whole);
        let (table, hidden) = with(tables(request), of_rules)
            .or_else(|| with(taken, of_all))
            .or_else(|| with(self::dropped(request), dropped))
            .or_else(|| {
                let rows = "rows of a table with a row filter or column mask";
                materialized.as_ref().map(|view| (view, rows.to_owned()))
            })?;
        Some(self.hidden_from(request.operation, &table.to_string(), &hidden))
    }

    /// What is known of the values of a column is shown to nobody who must not see these; nor may they have it
    /// found out.
    pub(super) fn shown(&self, translation: &Translation, operation: Operation) -> Option<Problem> {
        if let Some((table, column)) = &translation.named.shown_column {
            let named = || Columns::Named(vec![column.clone()]);
            let hidden = self
                .denials_on(table, Privilege::Select, named())
                .or_else(|| self.rules_on(table, named()))?;
            return Some(self.hidden_from(operation, &format!("{table}.{column}"), &hidden));
        }
        let reads = translation.request.reads.iter().filter(|_| operation == Operation::AnalyzeTable);
        reads
            .filter_map(|read| match &read.resource {
                Resource::Table(table) => Some((table, &read.columns)),
                _ => None,
            })
            .find_map(|(table, columns)| {
                let hidden = self.denials_on(table, Privilege::Select, columns.clone())?;
                Some(self.hidden_from(operation, &table.to_string(), &hidden))
            })
    }

    pub(super) fn hidden_from(&self, operation: Operation, object: &str, hidden: &str) -> Problem {
        let user = &self.identity.user;
        let message = format!("user `{user}` may not run {operation}: `{object}` has {hidden} for them");
        Problem::new("masked-table", message)
    }

    /// The row filters and column masks for whoever reads these columns.
    fn rules_on(&self, table: &TableName, columns: Columns) -> Option<String> {
        let reading = requirement(table, Privilege::Select, columns);
        let found = obligations(&self.snapshot.policy, self.subject, &[reading]);
        let named: BTreeSet<String> = found
            .iter()
            .map(|obligation| match obligation {
                Obligation::Filter { policy, .. } => format!("row filter `{policy}`"),
                Obligation::Mask { policy, .. } => format!("column mask `{policy}`"),
            })
            .collect();
        (!named.is_empty()).then(|| named.into_iter().collect::<Vec<_>>().join(", "))
    }

    /// The denials of a privilege on these columns.
    pub(super) fn denials_on(
        &self,
        table: &TableName,
        privilege: Privilege,
        columns: Columns,
    ) -> Option<String> {
        let now = self.engine.clock.now();
        let asked = [requirement(table, privilege, columns)];
        let decision = decide(&self.snapshot.policy, self.subject, &asked, now);
        let denied = decision.reasons.iter().find(|reason| reason.basis == Basis::Denied)?;
        let entries: Vec<String> = denied.entries.iter().map(ToString::to_string).collect();
        Some(format!("a denial ({})", entries.join(", ")))
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

    /// The tables of a database that is dumped for another warehouse.
    fn dumped(&self, request: &'_ Request) -> Vec<&TableName> {
        let is_dump = request.operation == Operation::ReplicationDump;
        let databases = request.reads.iter().filter(|_| is_dump).filter_map(|read| match &read.resource {
            Resource::Database(database) => Some(database),
            _ => None,
        });
        databases
            .flat_map(|database| self.before.catalog().tables(database))
            .map(|table| &table.name)
            .collect()
    }

    /// All of them, where they are known.
    fn columns_of(&self, table: &TableName) -> Columns {
        let known = self.before.catalog().table(&table.database, &table.table);
        let names = known.map(|known| known.all_columns().map(|column| column.name.clone()).collect());
        names.map_or(Columns::Whole, Columns::Named)
    }
}

/// The first of some tables in which something is hidden, and what.
fn with<'t>(
    tables: impl IntoIterator<Item = &'t TableName>,
    hidden: impl Fn(&'t TableName) -> Option<String>,
) -> Option<(&'t TableName, String)> {
    tables.into_iter().find_map(|table| Some((table, hidden(table)?)))
}

fn requirement(table: &TableName, privilege: Privilege, columns: Columns) -> Requirement {
    Requirement {
        right: Right::AnyOf { privileges: Privileges::of(privilege), grant_option: GrantOption::Without },
        resource: Resource::Table(table.clone()),
        columns,
        reach: Reach::Around,
        side: Side::Input,
    }
}

/// The tables that go with their database.
fn dropped(request: &Request) -> impl Iterator<Item = &TableName> {
    let is_drop = request.operation == Operation::DropDatabase;
    request.writes.iter().filter(move |write| is_drop && write.action == WriteAction::Drop).filter_map(
        |write| match &write.resource {
            Resource::Table(table) => Some(table),
            _ => None,
        },
    )
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
