//! What is known of a warehouse: databases, tables with their columns, views with their text,
//! functions, macros.
//!
//! A [`Catalog`] is an immutable value. A change makes a new one that shares all it can with the old, so
//! that a script of a hundred thousand statements never copies what it does not change. The
//! catalog does not know where it came from: replayed DDL, a metastore and a file all end here.

mod change;
mod snapshot;
mod table;

pub use change::CatalogChange;
pub use snapshot::{Catalog, Changed, Prepared};
pub use table::{
    BoundMacros, Column, Database, Function, Macro, Properties, Table, TableKind, ViewDefinition,
};
