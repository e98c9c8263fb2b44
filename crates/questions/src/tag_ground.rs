//! What tags go along: the recorded runs of a store.

use std::sync::Arc;

use guardbee_engine::run_store::{RunSeq, RunStore};
use guardbee_engine::tags::{FunctionCalls, RecordedTags};
use guardbee_lineage::{AsOf, Graph};
use guardbee_policy::Policy;

use crate::ground::{READ_RUNS, Unanswered};

/// A graph, and what its runs say beside about functions at which tags end.
#[derive(Debug, Clone, Default)]
pub struct TagGround {
    pub graph: Graph,
    pub calls: Arc<FunctionCalls>,
}

impl TagGround {
    /// The runs of a graph, and what they say beside: what is known, or else what the store says.
    ///
    /// # Errors
    /// What the store says.
    pub async fn over(
        graph: Graph,
        known: &Arc<FunctionCalls>,
        store: &dyn RunStore,
        policy: &Policy,
    ) -> Result<Self, Unanswered> {
        if known.covers(policy) {
            return Ok(Self { graph, calls: Arc::clone(known) });
        }
        let mut calls = FunctionCalls::wanted_by(policy);
        let learned = store.each_run(RunSeq(0), &mut |stored| calls.learn(&stored.run)).await;
        learned.map_err(Unanswered::store(READ_RUNS))?;
        Ok(Self { graph, calls: Arc::new(calls) })
    }

    /// Has a policy carry the tags that came with data, as of a moment.
    pub fn inherit(&self, policy: &mut Policy, at: AsOf) {
        let assigned = policy.clone();
        RecordedTags::follow(&assigned, &self.graph, &self.calls, at).inherit(policy);
    }
}
