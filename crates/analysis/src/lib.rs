//! From a syntax tree and a catalog to [`Effects`]: which operation a statement is, what it reads and
//! writes, and where each column comes from.
//!
//! The analysis knows names and types as Hive does. It knows no user, no privilege and no history;
//! it does no IO. A name that cannot be resolved is kept and marked, never guessed.
//!
//! Depth is bounded, by the parser and again here. The deepest statements within the bound need up to
//! 8 MiB of stack in unoptimised builds: give a thread that analyses foreign texts that much.
//!
//! ```
//! use guardbee_analysis::{Catalog, Session};
//! use guardbee_model::HiveVersion;
//!
//! let mut session = Session::new(Catalog::new(), HiveVersion::V3_1);
//! session.analyze("CREATE TABLE src (key STRING, value STRING)");
//! let effects = session.analyze("CREATE TABLE dst AS SELECT upper(key) AS k FROM src").effects.unwrap();
//! assert_eq!(effects.operation.as_str(), "CREATETABLE_AS_SELECT");
//! assert_eq!(effects.targets[0].columns[0].name.as_str(), "k");
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

mod avro;
pub mod catalog;
mod context;
pub mod effects;
pub mod functions;
mod json;
mod lookup;
mod outcome;
mod partition;
mod query;
mod session;
mod settings;
mod slips;
mod statement;
mod type_of;
pub mod types;
mod typing;

pub use catalog::{Catalog, CatalogChange};
pub use effects::Effects;
pub use partition::partition_values;
pub use session::{Analysis, Session};
pub use settings::Settings;
