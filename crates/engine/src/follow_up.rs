//! What happens to the policy when the catalog changes: entries, tags, data policies and owners follow a
//! rename, go with what is dropped, and are made for what is new.

mod arrivals;
mod moves;
mod removal;

pub(crate) use moves::column_renamed;

use guardbee_analysis::catalog::{CatalogChange, TableKind};
use guardbee_analysis::{Catalog, Session};
use guardbee_model::{Operation, TableName};
use guardbee_policy::{BookName, Change, ChangeError, Policy, Principal, Resource, Scope, Timestamp};

/// What a statement did to the catalog.
pub(crate) struct Ddl<'a> {
    pub operation: Operation,
    pub changes: &'a [CatalogChange],
    /// The session as the statement found it.
    pub before: &'a Session,
    /// Who did it; nobody where a catalog is only read in.
    pub actor: Option<Principal>,
    /// Whom `SET OWNER` makes the owner.
    pub owner: Option<Principal>,
    pub now: Timestamp,
}

impl Ddl<'_> {
    fn catalog(&self) -> &Catalog {
        self.before.catalog()
    }
}

/// The steps to be made, all or none, together with the change of the catalog.
pub(crate) fn follow_up(policy: &Policy, ddl: &Ddl<'_>) -> Result<Vec<Change>, ChangeError> {
    let mut steps = Steps { policy: policy.clone(), made: Vec::new() };
    for change in ddl.changes {
        match change {
            CatalogChange::PutDatabase(database) => {
                let resource = Resource::Database(database.name.clone());
                if ddl.catalog().database(&database.name).is_none() {
                    arrivals::database(&mut steps, ddl, &database.name)?;
                } else if let Some(owner) = &ddl.owner {
                    arrivals::new_owner(&mut steps, ddl, resource, owner)?;
                }
            }
            CatalogChange::RemoveDatabase(name) => {
                removal::remove(&mut steps, &Resource::Database(name.clone()))?;
            }
            CatalogChange::PutTable(table) if table.kind != TableKind::Temporary => {
                match ddl.catalog().table(&table.name.database, &table.name.table) {
                    None => arrivals::table(&mut steps, ddl, &table.name)?,
                    Some(before) => {
                        if ddl.operation == Operation::AlterTableRenameColumn {
                            moves::renamed_column(&mut steps, before, table)?;
                        }
                        if let Some(owner) = &ddl.owner {
                            let resource = Resource::Table(table.name.clone());
                            arrivals::new_owner(&mut steps, ddl, resource, owner)?;
                        }
                    }
                }
            }
            CatalogChange::RemoveTable(name) if !ddl.before.is_temporary(name) => {
                removal::remove(&mut steps, &Resource::Table(name.clone()))?;
            }
            CatalogChange::RenameTable { from, to } if !ddl.before.is_temporary(from) => {
                moves::renamed_table(&mut steps, from, to)?;
            }
            CatalogChange::RemoveFunction(function) => {
                if let Some(database) = &function.database {
                    let database = Some(database.clone());
                    let function = Resource::Function { database, function: function.name.clone() };
                    removal::remove(&mut steps, &function)?;
                }
            }
            _ => {}
        }
    }
    Ok(steps.made)
}

/// The steps so far, and the policy as they leave it.
struct Steps {
    policy: Policy,
    made: Vec<Change>,
}

impl Steps {
    fn make(&mut self, change: Change) -> Result<(), ChangeError> {
        self.policy.apply(change.clone())?;
        self.made.push(change);
        Ok(())
    }

    /// Does anything ask who owns an object?
    fn keeps_owners(&self) -> bool {
        matches!(self.policy.settings().rule_book, BookName::SqlStandard | BookName::Ranger)
    }
}

fn scope_of(resource: &Resource) -> Option<Scope> {
    match resource {
        Resource::Database(database) => Some(Scope::Database(database.clone().into())),
        Resource::Table(table) => Some(table_scope(table)),
        Resource::Function { database: Some(database), function } => {
            Some(Scope::Function { database: database.clone().into(), function: function.clone().into() })
        }
        _ => None,
    }
}

pub(crate) fn table_scope(table: &TableName) -> Scope {
    Scope::Table { database: table.database.clone().into(), table: table.table.clone().into() }
}
