//! What somebody sees filtered or masked they can neither change nor carry off whole: the filter would have to
//! hold for rows that are written, and a mask cannot be put into files.

use std::collections::BTreeSet;

use guardbee_model::{Operation, TableName};
use guardbee_policy::request::{Columns, Lifetime, Request, WriteAction};
use guardbee_policy::requirement::{Reach, Requirement, Right, Side};
use guardbee_policy::{GrantOption, Privilege, Privileges, Resource, obligations};

use crate::outcome::Problem;

use super::Judge;

impl Judge<'_> {
    pub(super) fn masked(&self, request: &Request) -> Option<Problem> {
        let policy = &self.snapshot.policy;
        let table = tables(request)
            .into_iter()
            .find(|table| !obligations(policy, self.subject, &[self.reading_all_of(table)]).is_empty())?;
        let user = &self.identity.user;
        let message = format!(
            "user `{user}` may not run {}: `{table}` has a row filter or column mask for them",
            request.operation
        );
        Some(Problem::new("masked-table", message))
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
