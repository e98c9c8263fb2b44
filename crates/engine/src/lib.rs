//! The service itself: one engine that holds the current snapshots, sessions that ask it, administration
//! by SQL, and the ports through which it meets the world: store, clock, group mapping.
//!
//! The engine knows no wire format, no terminal and no database; those come from outside, as
//! implementations of its traits.

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

pub mod accounts;
mod administration;
pub mod asker;
pub mod audit;
mod change_record;
pub mod clock;
pub mod comparison;
pub mod desired;
pub mod difference;
mod engine;
pub mod explain;
mod expression_names;
mod follow_up;
pub mod groups;
pub mod impact;
pub mod jobs;
mod judge;
pub mod lineage;
mod metadata;
mod named;
mod object;
mod outcome;
mod policy_sql;
pub mod policy_test;
pub mod privilege_objects;
pub mod providers;
pub mod record;
mod recorded_catalog;
mod recording;
pub mod request;
pub mod run_store;
mod session;
mod sight;
pub mod store;
pub mod tags;
mod viewer;

pub use change_record::ChangeAsked;
pub use engine::{Completeness, Engine, EngineError, EngineOptions, PolicySnapshot};
pub use object::named_object;
pub use outcome::{Answer, Checked, Executed, Outcome, Problem, Value, missing_text};
pub use policy_sql::{LeftOut, PolicySql, SqlGroup, entry_statements, policy_sql};
pub use recorded_catalog::recorded_catalog;
pub use session::Session;
pub use tags::TagOptions;
pub use viewer::Viewer;
