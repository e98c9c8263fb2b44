//! The names of a session's temporary tables.

use std::collections::HashMap;

use guardbee_analysis::catalog::TableKind;
use guardbee_analysis::{CatalogChange, Effects, Session};
use guardbee_lineage::DatasetName;
use guardbee_model::TableName;
use smol_str::{SmolStr, format_smolstr};

/// Tells the temporary tables of one session from those of others, and one that is made again under a name from the one
/// before: what was made of that is still made of what it was.
#[derive(Debug, Clone)]
pub struct SessionTables {
    session: SmolStr,
    /// How often each name was given.
    given: HashMap<TableName, u32>,
}

impl SessionTables {
    /// Those of a session under a name that no other session has.
    #[must_use]
    pub fn new(session: SmolStr) -> Self {
        Self { session, given: HashMap::new() }
    }

    /// Takes in what a statement has done that the session, as it was before, has run.
    pub fn follow(&mut self, effects: &Effects, before: &Session) {
        for change in &effects.changes {
            let named = match change {
                CatalogChange::PutTable(table)
                    if table.kind == TableKind::Temporary && !before.is_temporary(&table.name) =>
                {
                    &table.name
                }
                CatalogChange::RenameTable { from, to } if before.is_temporary(from) => to,
                _ => continue,
            };
            *self.given.entry(named.clone()).or_default() += 1;
        }
    }

    /// The table that has the name now.
    pub(super) fn current(&self, table: &TableName) -> DatasetName {
        self.nth(table, self.given.get(table).copied().unwrap_or(1))
    }

    /// The table that gets the name next.
    pub(super) fn next(&self, table: &TableName) -> DatasetName {
        self.nth(table, self.given.get(table).map_or(1, |given| given + 1))
    }

    fn nth(&self, table: &TableName, number: u32) -> DatasetName {
        let session = match number {
            0 | 1 => self.session.clone(),
            number => format_smolstr!("{}#{number}", self.session),
        };
        DatasetName::Temporary { session, table: table.clone() }
    }
}
