//! What questions are asked of: a store of runs, and whatever a test puts beside it.

#![allow(dead_code, reason = "each test binary uses its part")]

use std::sync::Arc;

use guardbee_analysis::Catalog;
use guardbee_engine::Viewer;
use guardbee_engine::lineage::Lineage;
use guardbee_engine::store::Storage;
use guardbee_engine::tags::FunctionCalls;
use guardbee_lineage::{Graph, Run};
use guardbee_policy::{Identity, Policy, Timestamp};
use guardbee_questions::{Asker, DatasetIndex, Ground};

pub const NOW: Timestamp = Timestamp(1_796_000_000_000);

/// A store with its runs, an empty catalog and policy, and eyes that see everything.
pub struct Warehouse {
    pub storage: Arc<dyn Storage>,
    pub graph: Graph,
    pub calls: Arc<FunctionCalls>,
    pub catalog: Arc<Catalog>,
    pub index: DatasetIndex,
    pub policy: Policy,
    pub viewer: Viewer,
    /// Where the store is, for as long as it is asked.
    pub folder: Arc<tempfile::TempDir>,
}

impl Warehouse {
    /// One that holds some runs.
    pub async fn of(runs: &[Run]) -> Self {
        let folder = Arc::new(tempfile::tempdir().expect("a folder can be made"));
        let (storage, lineage) = open(&folder).await;
        lineage.record(runs).await.expect("runs can be recorded");
        Self::over(storage, &lineage, folder)
    }

    /// The same as whoever starts anew finds it.
    pub async fn opened_again(&self) -> Self {
        let (storage, lineage) = open(&self.folder).await;
        Self::over(storage, &lineage, self.folder.clone())
    }

    fn over(storage: Arc<dyn Storage>, lineage: &Lineage, folder: Arc<tempfile::TempDir>) -> Self {
        Self {
            storage,
            graph: lineage.snapshot().graph.clone(),
            calls: Arc::default(),
            catalog: Arc::new(Catalog::new()),
            index: DatasetIndex::default(),
            policy: Policy::new(),
            viewer: Viewer::of_everything(),
            folder,
        }
    }

    /// The same as a user sees it.
    pub fn seen_by(mut self, user: &str) -> Self {
        self.viewer = Viewer::of(self.policy.clone(), &Identity::of_user(user), NOW);
        self
    }

    pub fn ground(&self) -> Ground<'_> {
        Ground {
            storage: &*self.storage,
            graph: &self.graph,
            calls: &self.calls,
            catalog: &self.catalog,
            index: &self.index,
            policy: &self.policy,
            viewer: &self.viewer,
            asker: Asker { user: "ana", client: "test" },
            now: NOW,
        }
    }
}

async fn open(folder: &tempfile::TempDir) -> (Arc<dyn Storage>, Arc<Lineage>) {
    let file = folder.path().join("runs.db");
    let storage = guardbee_store::open(file.to_str().expect("a plain path")).await.expect("a store");
    let lineage = Lineage::open(storage.clone()).await.expect("its runs");
    (storage, lineage)
}
