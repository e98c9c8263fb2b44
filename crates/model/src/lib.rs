//! The words every other crate speaks in: names of things, source positions, diagnostics,
//! Hive's operation types and versions.
//!
//! This crate deliberately knows no SQL, no catalog, no policy and no wire format. Its values are
//! plain data: no IO, no clock, no logging, no serialisation.
//!
//! ```
//! use guardbee_model::{Name, TableName};
//!
//! let table = TableName::new(Name::fold("Sales"), Name::fold("ORDERS"));
//! assert_eq!(table.to_string(), "sales.orders");
//! ```

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::string_slice
    )
)]

mod diagnostic;
mod name;
mod near;
mod operation;
mod plain_words;
mod span;
mod timestamp;
mod version;

pub use diagnostic::{Diagnostic, DiagnosticCode, Severity};
pub use name::{ColumnName, Name, TableName};
pub use near::nearest;
pub use operation::Operation;
pub use plain_words::plain_words;
pub use span::Span;
pub use timestamp::Timestamp;
pub use version::HiveVersion;
