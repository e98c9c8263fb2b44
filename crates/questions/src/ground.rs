//! What questions are asked of, and why one may have no answer.

use guardbee_engine::store::{Storage, StoreError};
use guardbee_engine::{EngineError, Problem, Viewer};
use guardbee_lineage::Graph;
use guardbee_policy::{Policy, Timestamp};

/// What a question is asked of, as of one moment.
#[derive(Clone, Copy)]
pub struct Ground<'g> {
    pub storage: &'g dyn Storage,
    pub graph: &'g Graph,
    /// The policy of today, with the tags that came with data.
    pub policy: &'g Policy,
    /// Whose eyes the answer is for.
    pub viewer: &'g Viewer,
    pub now: Timestamp,
}

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
pub enum Unanswered {
    /// The question makes no sense, whoever asks it.
    #[error("{0}")]
    WrongUse(Problem),
    /// Nobody knows what it is about, or who asks may not know of it; the two look alike.
    #[error("{0}")]
    NotFound(Problem),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Engine(#[from] EngineError),
}
