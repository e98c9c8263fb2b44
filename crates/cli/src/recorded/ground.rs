//! What tags go along: the recorded runs of a store.

use std::sync::Arc;

use anyhow::Context as _;
use guardbee_engine::lineage::Lineage;
use guardbee_engine::run_store::{RunSeq, RunStore};
use guardbee_engine::store::Storage;
use guardbee_engine::tags::{FunctionCalls, RecordedTags};
use guardbee_lineage::{AsOf, Graph};
use guardbee_policy::Policy;

/// A graph, and what its runs say beside about functions at which tags end.
#[derive(Debug, Clone, Default)]
pub struct TagGround {
    pub graph: Graph,
    pub calls: FunctionCalls,
}

impl TagGround {
    /// The runs of a store, where the policy has tags that could go along them.
    ///
    /// # Errors
    /// What the store says.
    pub async fn of(storage: &Arc<dyn Storage>, policy: &Policy) -> anyhow::Result<Self> {
        if !policy.has_tags() {
            return Ok(Self { graph: Graph::new(), calls: FunctionCalls::wanted_by(policy) });
        }
        let lineage = Lineage::open(storage.clone()).await.context("cannot read the recorded runs")?;
        Self::over(lineage.snapshot().graph.clone(), &**storage, policy).await
    }

    /// The same over a graph of the runs.
    ///
    /// # Errors
    /// What the store says.
    pub async fn over(graph: Graph, store: &dyn RunStore, policy: &Policy) -> anyhow::Result<Self> {
        let mut calls = FunctionCalls::wanted_by(policy);
        if calls.wants_runs() {
            let learned = store.each_run(RunSeq(0), &mut |stored| calls.learn(&stored.run)).await;
            learned.context("cannot read the recorded runs")?;
        }
        Ok(Self { graph, calls })
    }

    /// Has a policy carry the tags that came with data, as of a moment.
    pub fn inherit(&self, policy: &mut Policy, at: AsOf) {
        let assigned = policy.clone();
        RecordedTags::follow(&assigned, &self.graph, &self.calls, at).inherit(policy);
    }
}
