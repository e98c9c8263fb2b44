//! From a syntax tree and a catalog to [`Effects`]: which operation a statement is, what it reads and
//! writes, and where each column comes from.
//!
//! The analysis knows names and types as Hive does. It knows no user, no privilege and no history;
//! it does no IO. A name that cannot be resolved is kept and marked, never guessed.

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

mod avro;
pub mod catalog;
mod context;
pub mod effects;
pub mod functions;
mod json;
mod outcome;
mod query;
mod session;
mod settings;
mod statement;
mod type_of;
pub mod types;
mod typing;

pub use catalog::{Catalog, CatalogChange};
pub use effects::Effects;
pub use session::{Analysis, Session};
pub use settings::Settings;
