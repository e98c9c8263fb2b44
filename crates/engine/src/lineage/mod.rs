//! What is known of runs: the graph that answers, in step with the store that remembers.
//!
//! A run is acknowledged once it is durable, and is in every answer from then on. The graph is exchanged as a whole,
//! so that who asks takes no lock; what comes in is merged into its compressed part beside, by a thread of its own.

mod intake;
mod retention;

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;

use arc_swap::ArcSwap;
use guardbee_lineage::{Graph, Run};

use crate::engine::{Engine, EngineError};
use crate::run_store::{Appended, IndexSaved, RunHead, RunSeq, RunStore, StoredRun};

use intake::Intake;

pub use intake::IntakeBounds;
pub use retention::Forgetting;

/// So many runs are taken in at once while they are loaded.
const LOAD_BATCH: usize = 4096;
/// Edges outside the compressed part from which on merging is worth its time.
const COMPACTION_EDGES: usize = 200_000;
/// Unless the compressed part is more than so many times as large.
const COMPACTION_SHARE: usize = 16;

/// A graph, and up to which run it goes.
#[derive(Debug, Clone)]
pub struct LineageSnapshot {
    pub graph: Graph,
    pub head: RunHead,
}

/// The runs of one store.
pub struct Lineage {
    store: Arc<dyn RunStore>,
    current: ArcSwap<LineageSnapshot>,
    /// Held while a snapshot is exchanged, never while anything is waited for.
    exchange: Mutex<Exchange>,
    intake: Intake,
    /// Who has tags go with the data of the runs.
    heirs: Mutex<Vec<Weak<Engine>>>,
}

#[derive(Default)]
struct Exchange {
    /// While a merge is under way, the runs that it does not see.
    missed: Option<Vec<Run>>,
}

impl Lineage {
    /// The runs of a store: its saved index, and what came after it.
    ///
    /// # Errors
    /// [`EngineError`] where the store cannot be read. An index that is damaged is made anew.
    pub async fn open(store: Arc<dyn RunStore>) -> Result<Arc<Self>, EngineError> {
        Self::open_within(store, IntakeBounds::default()).await
    }

    /// The same with other bounds for what waits to be written.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub async fn open_within(
        store: Arc<dyn RunStore>,
        bounds: IntakeBounds,
    ) -> Result<Arc<Self>, EngineError> {
        let snapshot = saved(&*store).await?;
        let lineage = Arc::new(Self {
            store,
            current: ArcSwap::from_pointee(snapshot),
            exchange: Mutex::default(),
            intake: Intake::new(bounds),
            heirs: Mutex::default(),
        });
        lineage.catch_up().await?;
        Ok(lineage)
    }

    /// The graph that answers at this moment.
    #[must_use]
    pub fn snapshot(&self) -> Arc<LineageSnapshot> {
        self.current.load_full()
    }

    #[must_use]
    pub fn store(&self) -> &Arc<dyn RunStore> {
        &self.store
    }

    /// Keeps runs, all with one transaction, and takes them into the graph; what became of each.
    ///
    /// # Errors
    /// [`EngineError`] where the store fails: it keeps all or none then.
    pub async fn record(self: &Arc<Self>, runs: &[Run]) -> Result<Vec<Appended>, EngineError> {
        let appended = self.store.append_runs(runs).await?;
        let new: Vec<(RunSeq, &Run)> = appended
            .iter()
            .zip(runs)
            .filter_map(|(appended, run)| match appended {
                Appended::New(seq) => Some((*seq, run)),
                Appended::Known(_) | Appended::Refused(_) => None,
            })
            .collect();
        let Some((newest, _)) = new.iter().max_by_key(|(seq, _)| *seq) else { return Ok(appended) };
        let newest = *newest;
        let kept: Vec<Run> = new.iter().map(|(_, run)| (*run).clone()).collect();
        // Where others were faster in between, theirs are fetched as well.
        let is_next = newest.0 == self.snapshot().head.newest.0 + kept.len() as u64;
        self.take_in(&kept, is_next.then_some(newest));
        if !is_next {
            self.catch_up().await?;
        }
        self.compact_when_due();
        Ok(appended)
    }

    /// Keeps a run together with others that come at the same time. Waits while too many are on their way already.
    ///
    /// # Errors
    /// As [`record`](Self::record).
    pub async fn ingest(self: &Arc<Self>, run: Run) -> Result<Appended, EngineError> {
        self.intake.ingest(self, run).await
    }

    /// Takes over the runs that other processes have recorded; where the store stands.
    ///
    /// # Errors
    /// [`EngineError`] where the store cannot be asked; what was known stays.
    pub async fn catch_up(&self) -> Result<RunHead, EngineError> {
        let known = self.snapshot().head;
        let now = self.store.run_head().await?;
        if now.forgotten != known.forgotten {
            return self.load_anew().await;
        }
        let mut batch = Vec::new();
        let each = &mut |stored: StoredRun| {
            batch.push(stored.run);
            if batch.len() == LOAD_BATCH {
                self.take_in(&std::mem::take(&mut batch), None);
            }
        };
        let head = self.store.each_run(known.newest, each).await?;
        self.take_in(&batch, Some(head.newest));
        Ok(head)
    }

    /// Follows what other processes record, until the store fails. To be run beside everything else.
    ///
    /// # Errors
    /// [`EngineError`] where the store fails; call it again later.
    pub async fn follow(&self) -> Result<(), EngineError> {
        loop {
            let known = self.catch_up().await?;
            self.store.wait_runs_after(known).await?;
        }
    }

    /// Keeps the graph as an index, so that the next start need not read all runs.
    ///
    /// # Errors
    /// [`EngineError`] where the store fails; the index before it stays.
    pub async fn save(&self) -> Result<IndexSaved, EngineError> {
        let snapshot = self.snapshot();
        let mut parts = snapshot.graph.to_parts();
        Ok(self.store.save_index(snapshot.head, &mut parts).await?)
    }

    /// Merges what came in since the last time into the compressed part. Others go on asking and recording meanwhile.
    pub fn compact(&self) {
        let snapshot = {
            let mut exchange = self.exchange.lock().unwrap_or_else(PoisonError::into_inner);
            if exchange.missed.is_some() {
                return;
            }
            exchange.missed = Some(Vec::new());
            self.snapshot()
        };
        let compacted = snapshot.graph.compacted();
        let mut exchange = self.exchange.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(missed) = exchange.missed.take() {
            let graph = compacted.record(&missed).graph;
            let head = self.current.load().head;
            self.current.store(Arc::new(LineageSnapshot { graph, head }));
            drop(exchange);
            self.tell(&[]);
        }
    }

    fn compact_when_due(self: &Arc<Self>) {
        let snapshot = self.current.load();
        let waiting = snapshot.graph.delta_edges();
        let is_due = waiting >= COMPACTION_EDGES && waiting >= snapshot.graph.edge_count() / COMPACTION_SHARE;
        if is_due {
            let lineage = self.clone();
            // Where no thread can be had, the next run tries again.
            let _ = thread::Builder::new().spawn(move || lineage.compact());
        }
    }

    /// `newest` is the last run that is known without a gap, where that changes.
    fn take_in(&self, runs: &[Run], newest: Option<RunSeq>) {
        let mut exchange = self.exchange.lock().unwrap_or_else(PoisonError::into_inner);
        let current = self.current.load();
        let graph = if runs.is_empty() { current.graph.clone() } else { current.graph.record(runs).graph };
        if let Some(missed) = &mut exchange.missed {
            missed.extend_from_slice(runs);
        }
        let newest = newest.map_or(current.head.newest, |newest| newest.max(current.head.newest));
        let head = RunHead { newest, ..current.head };
        self.current.store(Arc::new(LineageSnapshot { graph, head }));
        drop(exchange);
        self.tell(runs);
    }

    /// Has an engine told of all runs from now on.
    pub(crate) fn add_heir(&self, engine: Weak<Engine>) {
        self.heirs.lock().unwrap_or_else(PoisonError::into_inner).push(engine);
    }

    /// Tells of runs that are in the graph by now.
    fn tell(&self, runs: &[Run]) {
        let heirs: Vec<Arc<Engine>> = {
            let heirs = self.heirs.lock().unwrap_or_else(PoisonError::into_inner);
            heirs.iter().filter_map(Weak::upgrade).collect()
        };
        for heir in heirs {
            heir.runs_recorded(runs, || self.snapshot().graph.clone());
        }
    }

    /// Runs have been forgotten, and what they said with them.
    async fn load_anew(&self) -> Result<RunHead, EngineError> {
        let mut graph = Graph::new();
        let mut batch = Vec::new();
        let each = &mut |stored: StoredRun| {
            batch.push(stored.run);
            if batch.len() == LOAD_BATCH {
                graph = graph.record(&std::mem::take(&mut batch)).graph;
            }
        };
        let head = self.store.each_run(RunSeq(0), each).await?;
        graph = graph.record(&batch).graph;
        let mut exchange = self.exchange.lock().unwrap_or_else(PoisonError::into_inner);
        // A merge that is under way is of what is no more.
        exchange.missed = None;
        self.current.store(Arc::new(LineageSnapshot { graph, head }));
        drop(exchange);
        self.tell(&[]);
        Ok(head)
    }
}

/// The graph of the saved index; an empty one where there is none that can be read.
async fn saved(store: &dyn RunStore) -> Result<LineageSnapshot, EngineError> {
    let mut parts = Vec::new();
    let head = store.load_index(&mut |part| parts.push(part)).await?;
    let loaded = head.and_then(|head| Graph::from_parts(parts).ok().map(|graph| (graph, head)));
    Ok(match loaded {
        Some((graph, head)) => LineageSnapshot { graph, head },
        None => {
            let forgotten = store.run_head().await?.forgotten;
            LineageSnapshot { graph: Graph::new(), head: RunHead { newest: RunSeq(0), forgotten } }
        }
    })
}
