//! What a statement does to the catalog and to its session.

use std::sync::Arc;

use guardbee_model::{Name, TableName};

use super::{Database, Function, Macro, Table};
use crate::effects::FunctionName;

/// One step. Steps are complete in themselves: applying them needs nothing but the catalog.
#[derive(Debug, Clone, PartialEq)]
pub enum CatalogChange {
    /// A new or changed database; its tables stay.
    PutDatabase(Database),
    /// The database goes with all that is in it.
    RemoveDatabase(Name),
    /// A new table or view, or one that takes the place of its old state.
    PutTable(Arc<Table>),
    RemoveTable(TableName),
    /// The same dataset under another name.
    RenameTable {
        from: TableName,
        to: TableName,
    },
    PutFunction(Function),
    RemoveFunction(FunctionName),
    PutMacro(Macro),
    RemoveMacro(Name),
    /// `USE`: the session's current database.
    UseDatabase(Name),
    /// A prepared statement: its query text, and the database that names without one belong to.
    Prepare {
        name: Name,
        text: Arc<str>,
        database: Name,
    },
    /// The files of a table were written to `path`, with all that an IMPORT needs to know.
    PutExport {
        path: Arc<str>,
        table: Arc<Table>,
    },
    /// `SET key=value`, and `RESET key` without a value.
    Setting {
        key: Arc<str>,
        value: Option<Arc<str>>,
    },
    /// `RESET`: every setting goes back to its start.
    ResetSettings,
}
