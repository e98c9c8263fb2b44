//! Books ask for one right where rows are put in, changed or taken out, and it need not be the one of that name:
//! in one of them an `INSERT` takes `UPDATE`, in another `IMPORT` only what it takes to create. A denial of `INSERT`,
//! `UPDATE` or `DELETE` means the rows, so it is looked for whatever the book asks.

use guardbee_model::{Operation, TableName};
use guardbee_policy::request::{Columns, Lifetime, Request, WriteAction};
use guardbee_policy::{Privilege, Resource};

use crate::outcome::Problem;

use super::Judge;

impl Judge<'_> {
    /// Why they may not do to the rows of a table what the statement does.
    pub(super) fn denied_rows(&self, request: &Request) -> Option<Problem> {
        written(request).chain(moved_away(request)).find_map(|(table, privileges)| {
            let denied = |privilege: &Privilege| self.denials_on(table, *privilege, Columns::Whole);
            let denial = privileges.iter().find_map(denied)?;
            Some(self.hidden_from(request.operation, &table.to_string(), &denial))
        })
    }
}

fn written(request: &Request) -> impl Iterator<Item = (&TableName, &'static [Privilege])> {
    let permanent = request.writes.iter().filter(|write| write.lifetime == Lifetime::Permanent);
    permanent.filter_map(|write| Some((table(&write.resource)?, on_rows(request.operation, write.action))))
}

/// The tables whose partitions an exchange takes to another.
fn moved_away(request: &Request) -> impl Iterator<Item = (&TableName, &'static [Privilege])> {
    let is_exchange = request.operation == Operation::AlterTableExchangePartition;
    let reads = request.reads.iter().filter(move |_| is_exchange);
    reads.filter_map(|read| Some((table(&read.resource)?, [Privilege::Delete].as_slice())))
}

/// What is done to rows, by the names of the rights to do it.
const fn on_rows(operation: Operation, action: WriteAction) -> &'static [Privilege] {
    match (operation, action) {
        (Operation::Import | Operation::AlterTableExchangePartition, _)
        | (_, WriteAction::Insert | WriteAction::Load) => &[Privilege::Insert],
        (_, WriteAction::Overwrite) => &[Privilege::Insert, Privilege::Delete],
        (_, WriteAction::Update) => &[Privilege::Update],
        (_, WriteAction::Delete | WriteAction::Truncate) => &[Privilege::Delete],
        _ => &[],
    }
}

fn table(resource: &Resource) -> Option<&TableName> {
    match resource {
        Resource::Table(table) => Some(table),
        _ => None,
    }
}
