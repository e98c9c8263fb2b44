//! What people ask of policy, lineage and audit log, each question with its answer in the documented shape.
//!
//! A question is a plain value: the command line makes it of its arguments, the service of a query string. The answer
//! is a document of `guardbee-wire`, the same for both, and holds no more than its [viewer](Ground::viewer) may see. The
//! crate knows neither terminal nor network, and opens no store.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod ground;
pub mod policy;
mod privilege;

pub use ground::{Asker, Ground, Unanswered};
pub use privilege::privilege;
