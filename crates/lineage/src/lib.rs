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

mod adjacency;
mod base;
mod carried_on;
mod change;
mod compact;
mod currency;
mod dataset;
mod delta;
mod endings;
pub mod export;
mod graph;
mod history;
mod identity;
mod impact;
mod lists;
mod mark;
mod mentions;
mod moment;
mod name_text;
mod path;
mod question;
mod record;
mod retention;
mod run;
mod run_error;
mod save;
mod tag_flow;
mod text;
mod timeline;
mod trace;
pub mod utc;
mod write;
mod write_lists;

pub use dataset::{ColumnState, DatasetState, NamePeriod};
pub use graph::Graph;
pub use history::Version;
pub use impact::{Dependent, DependentKind, Impact};
pub use mark::FlowKind;
pub use mentions::Mentions;
pub use moment::RunIndex;
pub use path::{Filter, PathsSummary};
pub use question::{
    AsOf, Cursor, Direction, EdgeFilter, Level, Limit, Node, NodeName, Question, Temporaries, Trace,
    TraceEdge, TraceNode, TraceSubject, Visibility, Window,
};
pub use record::{Outcome, Recorded};
pub use run_error::RunError;
pub use save::{LoadError, Loading};
pub use tag_flow::{DerivedTag, TagFlow, TagNumber, TagRules, TagSource, TagStep, ViewSource};
pub use timeline::{ColumnId, DatasetId};
pub use write::WriteAct;

pub use run::{
    ColumnSource, Context, DatasetChange, DatasetName, Derivation, EdgeKind, Influence, Input, Partition,
    Run, RunKey, RunOrigin, Target, TargetColumn, WriteKind,
};
