//! What questions are asked of, and why one may have no answer.

use std::sync::Arc;

use guardbee_analysis::Catalog;
use guardbee_engine::store::{Storage, StoreError};
use guardbee_engine::tags::FunctionCalls;
use guardbee_engine::{EngineError, Problem, Viewer};
use guardbee_lineage::Graph;
use guardbee_policy::{ChangeError, Policy, Timestamp};
use guardbee_wire::policy::TextProblem;

use crate::datasets::DatasetIndex;

/// For [`Unanswered::store`].
pub const READ_RUNS: &str = "read the recorded runs";

/// What a question is asked of, as of one moment.
#[derive(Clone, Copy)]
pub struct Ground<'g> {
    pub storage: &'g dyn Storage,
    pub graph: &'g Graph,
    /// What is known of functions that the runs of the graph called; what a question lacks it learns of the runs.
    pub calls: &'g Arc<FunctionCalls>,
    pub catalog: &'g Arc<Catalog>,
    /// Of this catalog and this graph, as they were or are.
    pub index: &'g DatasetIndex,
    /// The policy of today, with the tags that came with data. One of another day the question gets itself.
    pub policy: &'g Policy,
    /// Whose eyes the answer is for.
    pub viewer: &'g Viewer,
    pub asker: Asker<'g>,
    pub now: Timestamp,
}

/// Who asks; who reads the audit log is noted there.
#[derive(Debug, Clone, Copy)]
pub struct Asker<'g> {
    pub user: &'g str,
    /// The address or program that they ask from.
    pub client: &'g str,
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
    /// The store does not do what the question needs.
    #[error("cannot {cannot}")]
    Store {
        /// Such as `read the policy`.
        cannot: &'static str,
        #[source]
        error: StoreError,
    },
    #[error("the store holds what is no policy")]
    NoPolicy(#[source] ChangeError),
    /// Texts that were to state a policy state none.
    #[error("{} mistakes in the policy", .0.len())]
    PolicyText(Vec<TextProblem>),
    #[error("the policy cannot become what is stated")]
    Impossible(#[source] ChangeError),
    /// A change that makes sense, and yet may not be made as it is asked for.
    #[error("{0}")]
    Refused(Problem),
}

impl Unanswered {
    /// For what a store answers, with what it could not do.
    pub fn store(cannot: &'static str) -> impl FnOnce(StoreError) -> Self {
        move |error| Self::Store { cannot, error }
    }

    /// For a cursor that no answer gave.
    pub fn wrong_cursor(text: &str) -> Self {
        let problem = Problem::new("malformed-cursor", format!("`{text}` is no place to go on from"));
        Self::WrongUse(problem.with_hint("send the `next` of the answer before"))
    }
}

/// Why a policy cannot be loaded.
impl From<EngineError> for Unanswered {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Store(error) => Self::Store { cannot: "read the policy", error },
            EngineError::Change(error) => Self::NoPolicy(error),
        }
    }
}
