//! Forgetting old runs that say nothing any more about what there is.

use guardbee_lineage::{Graph, RunKey};
use guardbee_model::Timestamp;

use super::Lineage;
use crate::engine::EngineError;
use crate::run_store::{Retention, RunSeq};

/// So many runs are looked up at once.
const PAGE: usize = 500;

/// What becomes of the runs that ended before a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Forgetting {
    /// What they brought is there or in what was made of it, or they say what names stand for.
    pub kept: u64,
    pub forgotten: u64,
}

impl Lineage {
    /// What [`forget`](Self::forget) would do.
    #[must_use]
    pub fn forgettable(&self, ended_before: Timestamp) -> Forgetting {
        let graph = &self.snapshot().graph;
        let kept = graph.runs_still_needed(ended_before).len() as u64;
        let ended = graph.runs_ended_before(ended_before) as u64;
        Forgetting { kept, forgotten: ended.saturating_sub(kept) }
    }

    /// Takes away what the runs say that ended before a moment, save for those that answers about now cannot do without.
    /// Answers about earlier moments get poorer.
    ///
    /// # Errors
    /// [`EngineError`] where the store fails. Some may be forgotten then; to do it again forgets the rest.
    pub async fn forget(&self, ended_before: Timestamp) -> Result<Forgetting, EngineError> {
        let seen = self.catch_up().await?.newest;
        let graph = self.snapshot().graph.clone();
        let keep = self.places_of(&graph, ended_before).await?;
        let retention = Retention { ended_before, seen, keep: &keep };
        let forgotten = self.store.forget_runs(retention).await?;
        self.catch_up().await?;
        Ok(Forgetting { kept: keep.len() as u64, forgotten })
    }

    async fn places_of(&self, graph: &Graph, ended_before: Timestamp) -> Result<Vec<RunSeq>, EngineError> {
        let needed = graph.runs_still_needed(ended_before);
        let keys: Vec<RunKey> = needed.into_iter().map(|run| graph.run_key(run)).collect();
        let mut places = Vec::with_capacity(keys.len());
        for page in keys.chunks(PAGE) {
            places.extend(self.store.runs_by_key(page).await?.into_iter().map(|stored| stored.seq));
        }
        places.sort_unstable();
        Ok(places)
    }
}
