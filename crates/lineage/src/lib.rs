//! Where data came from and where it went, for any moment: runs as facts, and everything else derived from them.
//!
//! A [`Run`] says what one execution of a statement read, wrote and derived, under the names of that moment.
//! Runs are never changed. Which dataset a name stood for at a moment, which version a write made, which edges are
//! still current: all that follows from the runs, whatever order they arrive in and however often.
//!
//! The crate knows no SQL, no policy, no store and no clock. It is given runs and a moment, and gives values back.

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

pub mod export;
mod run;
pub mod utc;

pub use run::{
    ColumnSource, Context, DatasetChange, DatasetName, Derivation, EdgeKind, Influence, Input, Partition,
    Run, RunKey, RunOrigin, Target, TargetColumn, WriteKind,
};
