//! The documented shapes of JSON that go out of Guardbee: what commands write with `--format json`, and what the
//! service answers.
//!
//! The JSON schemas in `docs/schema` are generated from these types. Names are stable; a new field may come, none goes
//! without a new `version`. The crate knows what engine, policy and lineage say and how that is written down; it reads no
//! file, asks nothing, and knows neither terminal nor network.
//!
//! ```
//! use guardbee_wire::line;
//!
//! // What a terminal would obey is escaped.
//! assert_eq!(line(&"\u{202e}").unwrap(), r#""\u202e""#);
//! ```

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod analyze;
pub mod audit;
pub mod check;
pub mod clock;
mod convert;
pub mod datasets;
pub mod lineage;
pub mod logged;
pub mod openlineage;
mod partition;
pub mod place;
pub mod policy;
mod reason;
pub mod recording;
mod report;
pub mod runs;
pub mod service;
pub mod tags;
mod text;

pub use analyze::{
    Change, DatasetRead, DatasetWrite, Diagnostic, Document, Function, InfluenceEdge, LineageColumn,
    LineageTarget, MachineCommand, ObjectName, ReadColumn, Severity, SourceColumn, SourceEdge, Statement,
    StatementEffects, Summary, VERSION,
};
pub use partition::Partition;
pub use report::{Analyzed, Finding};
pub use text::{line, pretty};

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
const fn is_false(value: &bool) -> bool {
    !*value
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
const fn is_zero(value: &u64) -> bool {
    *value == 0
}
