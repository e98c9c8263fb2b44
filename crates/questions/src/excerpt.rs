//! From a trace to what is shown of it: names, and the runs behind the edges.

use std::collections::{HashMap, HashSet};

use guardbee_engine::Viewer;
use guardbee_engine::run_store::RunStore;
use guardbee_lineage::export::{Edge, Excerpt, Node, Subject};
use guardbee_lineage::{AsOf, Graph, NodeName, Run, RunIndex, RunKey, Trace, TraceSubject};

use crate::ground::{READ_RUNS, Unanswered};

/// So many runs are fetched at once.
const PAGE: usize = 500;

/// The runs that a trace names, by their numbers in the graph.
#[derive(Default)]
pub struct Runs {
    runs: Vec<Run>,
    places: HashMap<RunIndex, usize>,
}

impl Runs {
    /// Fetches runs. Those that are forgotten are left out.
    ///
    /// # Errors
    /// What the store says.
    pub async fn fetch(
        store: &dyn RunStore,
        graph: &Graph,
        wanted: impl Iterator<Item = RunIndex>,
    ) -> Result<Self, Unanswered> {
        let mut seen = HashSet::new();
        let indices: Vec<RunIndex> = wanted.filter(|index| seen.insert(*index)).collect();
        let keys: Vec<RunKey> = indices.iter().map(|index| graph.run_key(*index)).collect();
        let mut by_key: HashMap<RunKey, Run> = HashMap::with_capacity(keys.len());
        for page in keys.chunks(PAGE) {
            let stored = store.runs_by_key(page).await.map_err(Unanswered::store(READ_RUNS))?;
            by_key.extend(stored.into_iter().map(|stored| (stored.run.key.clone(), stored.run)));
        }
        let mut runs = Self::default();
        for (index, key) in indices.into_iter().zip(keys) {
            if let Some(run) = by_key.remove(&key) {
                runs.places.insert(index, runs.runs.len());
                runs.runs.push(run);
            }
        }
        Ok(runs)
    }

    /// The runs as somebody may see them.
    #[must_use]
    pub fn seen_by(mut self, viewer: &Viewer) -> Self {
        self.runs = self.runs.into_iter().map(|run| viewer.seen(run)).collect();
        self
    }

    #[must_use]
    pub fn get(&self, index: RunIndex) -> Option<&Run> {
        self.places.get(&index).and_then(|place| self.runs.get(*place))
    }
}

/// The runs that a trace names.
pub fn runs_of(trace: &Trace) -> impl Iterator<Item = RunIndex> {
    let shown = trace.nodes.iter().filter_map(|node| match node.subject {
        TraceSubject::Run(run) => Some(run),
        TraceSubject::Dataset(_) | TraceSubject::Column(..) => None,
    });
    trace.edges.iter().map(|edge| edge.run).chain(shown)
}

/// The trace with names and runs in the place of numbers.
#[must_use]
pub fn excerpt<'r>(graph: &Graph, trace: &Trace, at: AsOf, runs: &'r Runs) -> Excerpt<'r> {
    let is_start = |depth: u32| depth == 0;
    let nodes = trace.nodes.iter().map(|node| Node {
        subject: match (node.masked, node.subject) {
            (true, _) => Subject::Masked,
            (false, TraceSubject::Run(run)) => {
                runs.places.get(&run).map_or(Subject::Masked, |place| Subject::Run(*place))
            }
            (false, subject) => match graph.name(subject, at) {
                Some(NodeName { dataset, column: None }) => Subject::Dataset(dataset),
                Some(NodeName { dataset, column: Some(column) }) => Subject::Column(dataset, column),
                None => Subject::Masked,
            },
        },
        is_start: is_start(node.depth),
        is_closed: node.closed,
    });
    let edges = trace.edges.iter().map(|edge| Edge {
        from: edge.from as usize,
        to: edge.to as usize,
        kind: edge.kind,
        masked: edge.masked,
        unresolved: edge.unresolved,
        run: runs.places.get(&edge.run).copied(),
        run_count: edge.run_count,
    });
    Excerpt { nodes: nodes.collect(), edges: edges.collect(), runs: runs.runs.iter().collect() }
}
