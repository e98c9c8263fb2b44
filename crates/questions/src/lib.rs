//! What people ask of policy, lineage and audit log, each question with its answer in the documented shape.
//!
//! A question is a plain value: the command line makes it of its arguments, the service of a query string. The answer
//! is a document of `guardbee-wire`, the same for both, and holds no more than its [viewer](Ground::viewer) may see. The
//! crate knows neither terminal nor network, and opens no store.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod analyze;
mod audit;
mod datasets;
pub mod defaults;
mod excerpt;
mod export;
mod ground;
mod history;
mod impact;
mod leaks;
mod moment;
mod names;
mod openlineage;
mod past;
mod path;
pub mod policy;
mod privilege;
mod prov;
mod runs;
mod tag_ground;
mod tags;
mod trace;
mod who_could;
mod who_did;

pub use analyze::{AnalyzeRequest, AnalyzedText, Listed, analyze};
pub use audit::{AuditPages, AuditQuestion, VerdictName, VerifyQuestion, audit, verify};
pub use datasets::{
    AccessQuestion, DatasetIndex, DatasetsQuestion, DescribeQuestion, access, datasets, describe,
};
pub use defaults::Edges;
pub use export::{Export, TraceFormat, export};
pub use ground::{Asker, Ground, Unanswered};
pub use history::{HistoryQuestion, history};
pub use impact::{ImpactQuestion, impact};
pub use leaks::{LeaksQuestion, leaks};
pub use moment::{EXPECTED, Moment};
pub use names::{MASKED, table_candidates};
pub use path::{PathQuestion, path};
pub use privilege::privilege;
pub use runs::{RunQuestion, RunsQuestion, run, runs};
pub use tag_ground::TagGround;
pub use tags::{TagsQuestion, tags};
pub use trace::{Direction, TraceLevel, TraceQuestion, trace};
pub use who_could::{WhoCouldQuestion, who_could};
pub use who_did::{WhoDidQuestion, who_did};
