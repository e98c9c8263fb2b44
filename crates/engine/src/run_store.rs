//! The port to whatever keeps runs, what could not be read as a run, and the index that is made of runs.

use std::sync::Arc;

use async_trait::async_trait;
use guardbee_lineage::{Run, RunKey};
use guardbee_model::Timestamp;
use smol_str::SmolStr;

use crate::store::StoreError;

/// The place of a run in the order in which runs arrived. Counts up from 1 without a gap; 0 stands before the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct RunSeq(pub u64);

/// Keeps runs. Every implementation passes the same conformance suite.
///
/// A run that [`append_runs`](RunStore::append_runs) has answered survives the death of the process and of the
/// machine. No run is ever half there. A run is never changed; only [`forget_runs`](RunStore::forget_runs) takes away
/// what it says.
#[async_trait]
pub trait RunStore: Send + Sync {
    /// Keeps runs, all of them with one transaction; what became of each, in their order. One that no store can keep
    /// does not stop the others.
    async fn append_runs(&self, runs: &[Run]) -> Result<Vec<Appended>, StoreError>;

    /// Where the store stands.
    async fn run_head(&self) -> Result<RunHead, StoreError>;

    /// Hands over the runs after `after` in the order in which they arrived, without holding them all; where the store
    /// stood. What was handed over before an error is worth nothing.
    async fn each_run(
        &self,
        after: RunSeq,
        each: &mut (dyn FnMut(StoredRun) + Send),
    ) -> Result<RunHead, StoreError>;

    /// The runs after `after` in the order in which they arrived; `limit` at most.
    async fn load_runs(&self, after: RunSeq, limit: u32) -> Result<Vec<StoredRun>, StoreError>;

    /// The runs with these places, by place. Those that there are not, or that are forgotten, are left out.
    async fn runs_by_seq(&self, seqs: &[RunSeq]) -> Result<Vec<StoredRun>, StoreError>;

    /// The runs with these keys, by place. Those that there are not, or that are forgotten, are left out.
    async fn runs_by_key(&self, keys: &[RunKey]) -> Result<Vec<StoredRun>, StoreError>;

    /// Runs that fit a question, those that ended last first; `limit` at most, only those behind `behind` where it is
    /// given.
    async fn find_runs(
        &self,
        filter: &RunFilter,
        behind: Option<RunPlace>,
        limit: u32,
    ) -> Result<Vec<StoredRun>, StoreError>;

    /// Returns as soon as runs have come or been forgotten since the store stood at `known`, by this process or another.
    /// Dropping the future is safe.
    async fn wait_runs_after(&self, known: RunHead) -> Result<(), StoreError>;

    /// Takes away what old runs say, and the saved index with it; how many it took. Their keys stay: sent again, they
    /// are still known.
    ///
    /// It is done in steps. Where it ends early, some are forgotten, and doing it again forgets the rest.
    async fn forget_runs(&self, retention: Retention<'_>) -> Result<u64, StoreError>;

    /// Keeps an index, part by part, in the place of the one before. It is there as a whole or not at all, and appending
    /// goes on meanwhile.
    async fn save_index(
        &self,
        made_of: RunHead,
        parts: &mut (dyn Iterator<Item = Vec<u8>> + Send),
    ) -> Result<IndexSaved, StoreError>;

    /// Hands over the parts of the saved index in their order, and of which runs it is made; none where there is no
    /// index. What was handed over before an error is worth nothing.
    async fn load_index(&self, each: &mut (dyn FnMut(Vec<u8>) + Send))
    -> Result<Option<RunHead>, StoreError>;

    /// Keeps what could not be read as a run; the ids, in the order of the letters. One that is there already, with the
    /// same source and payload, keeps its id and is counted.
    ///
    /// One for which there is no room within the bounds has no id and is not kept, nor is any that is new behind it, so
    /// that who sends them knows from where on to send them again.
    async fn bury(
        &self,
        letters: &[DeadLetter],
        bounds: LetterBounds,
    ) -> Result<Vec<Option<LetterId>>, StoreError>;

    /// How much the dead letters take up.
    async fn letter_use(&self) -> Result<LetterUse, StoreError>;

    /// The letters after `after`, oldest first; `limit` at most.
    async fn dead_letters(&self, after: LetterId, limit: u32) -> Result<Vec<BuriedLetter>, StoreError>;

    /// One letter, where it is there.
    async fn dead_letter(&self, id: LetterId) -> Result<Option<BuriedLetter>, StoreError>;

    /// Keeps the runs that a letter turned out to hold, and removes the letter, both or none; none where there is no
    /// such letter.
    ///
    /// Where a run of them is [refused](Appended::Refused), the letter stays, and the others are kept.
    async fn revive(&self, id: LetterId, runs: &[Run]) -> Result<Option<Vec<Appended>>, StoreError>;

    /// Removes letters; how many were there.
    async fn remove_letters(&self, ids: &[LetterId]) -> Result<u64, StoreError>;
}

/// What became of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Appended {
    New(RunSeq),
    /// One with its key is there, or was: nothing has changed.
    Known(RunSeq),
    /// No store can keep it, and why: its key is empty or too long, or it is too large.
    Refused(Arc<str>),
}

/// Where a store of runs stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RunHead {
    /// The place of the newest run, which is how many have arrived.
    pub newest: RunSeq,
    /// How many have been forgotten since. What was made of runs that are forgotten by now is out of date.
    pub forgotten: u64,
}

/// A run and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredRun {
    pub seq: RunSeq,
    pub run: Run,
}

/// Which runs are meant; every part that is given has to fit.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunFilter {
    pub user: Option<SmolStr>,
    pub operation: Option<SmolStr>,
    /// Ended at that moment or later.
    pub from: Option<Timestamp>,
    /// Ended before that moment.
    pub until: Option<Timestamp>,
}

/// Where a page of [`RunStore::find_runs`] ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunPlace {
    pub ended_at: Timestamp,
    pub seq: RunSeq,
}

/// Which runs may go.
#[derive(Debug, Clone, Copy)]
pub struct Retention<'r> {
    /// Those that ended before it.
    pub ended_before: Timestamp,
    /// The newest run that was looked at to tell which are still needed; later ones stay.
    pub seen: RunSeq,
    /// Those that stay: their edges are current, or what they did to datasets still counts.
    pub keep: &'r [RunSeq],
}

/// What became of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexSaved {
    Saved,
    /// Runs that it is made of have been forgotten meanwhile, or a newer one is there: it is not kept.
    Outdated,
}

/// Something that arrived and could not be recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadLetter {
    pub received_at: Timestamp,
    /// Where it came from: a file and line, a topic and offset, the address of a client.
    pub source: Arc<str>,
    /// Why it could not be recorded.
    pub reason: Arc<str>,
    pub payload: Arc<[u8]>,
}

/// How many dead letters a store keeps, and how many bytes of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LetterBounds {
    pub count: u64,
    pub bytes: u64,
}

impl Default for LetterBounds {
    fn default() -> Self {
        Self { count: 100_000, bytes: 1 << 30 }
    }
}

/// What dead letters take up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LetterUse {
    pub count: u64,
    pub bytes: u64,
}

impl LetterUse {
    /// Is there room for one of so many bytes?
    #[must_use]
    pub const fn has_room(self, bytes: u64, bounds: LetterBounds) -> bool {
        self.count < bounds.count && self.bytes.saturating_add(bytes) <= bounds.bytes
    }
}

/// Names a dead letter for ever; counts up from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct LetterId(pub u64);

/// A dead letter as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuriedLetter {
    pub id: LetterId,
    /// Time and reason are those of the last time that it came.
    pub letter: DeadLetter,
    /// How often it came.
    pub times: u64,
}
