//! A store of runs in memory that can be told to fail.

use std::sync::Mutex;

use async_trait::async_trait;
use guardbee_engine::run_store::{
    Appended, BuriedLetter, DeadLetter, IndexSaved, LetterBounds, LetterId, LetterUse, Retention, RunFilter,
    RunHead, RunPlace, RunSeq, RunStore, StoredRun,
};
use guardbee_engine::store::StoreError;
use guardbee_lineage::{Run, RunKey};

#[derive(Default)]
pub struct MemoryRuns {
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    runs: Vec<StoredRun>,
    keys: Vec<RunKey>,
    forgotten: u64,
    index: Option<(RunHead, Vec<Vec<u8>>)>,
    failure: Option<StoreError>,
    transactions: Vec<usize>,
    runs_read: usize,
}

impl Kept {
    fn head(&self) -> RunHead {
        RunHead { newest: RunSeq(self.keys.len() as u64), forgotten: self.forgotten }
    }
}

impl MemoryRuns {
    pub fn fail_once(&self, error: StoreError) {
        self.kept.lock().unwrap().failure = Some(error);
    }

    pub fn transactions(&self) -> usize {
        self.kept.lock().unwrap().transactions.len()
    }

    pub fn largest_transaction(&self) -> usize {
        self.kept.lock().unwrap().transactions.iter().copied().max().unwrap_or(0)
    }

    pub fn runs_read(&self) -> usize {
        self.kept.lock().unwrap().runs_read
    }

    pub fn forget_what_was_read(&self) {
        self.kept.lock().unwrap().runs_read = 0;
    }

    pub fn damage_index(&self) {
        if let Some((_, parts)) = &mut self.kept.lock().unwrap().index {
            parts.iter_mut().flatten().for_each(|byte| *byte ^= 0x55);
        }
    }
}

fn unused<T>() -> Result<T, StoreError> {
    Err(StoreError::Unavailable("not in this store".to_owned()))
}

#[async_trait]
impl RunStore for MemoryRuns {
    async fn append_runs(&self, runs: &[Run]) -> Result<Vec<Appended>, StoreError> {
        // As a store that waits for its disk: others come meanwhile.
        tokio::task::yield_now().await;
        let mut kept = self.kept.lock().unwrap();
        if let Some(failure) = kept.failure.take() {
            return Err(failure);
        }
        kept.transactions.push(runs.len());
        let mut appended = Vec::new();
        for run in runs {
            match kept.keys.iter().position(|key| *key == run.key) {
                Some(place) => appended.push(Appended::Known(RunSeq(place as u64 + 1))),
                None => {
                    kept.keys.push(run.key.clone());
                    let seq = kept.head().newest;
                    kept.runs.push(StoredRun { seq, run: run.clone() });
                    appended.push(Appended::New(seq));
                }
            }
        }
        Ok(appended)
    }

    async fn run_head(&self) -> Result<RunHead, StoreError> {
        Ok(self.kept.lock().unwrap().head())
    }

    async fn each_run(
        &self,
        after: RunSeq,
        each: &mut (dyn FnMut(StoredRun) + Send),
    ) -> Result<RunHead, StoreError> {
        let (runs, head) = {
            let mut kept = self.kept.lock().unwrap();
            let runs: Vec<StoredRun> = kept.runs.iter().filter(|run| run.seq > after).cloned().collect();
            kept.runs_read += runs.len();
            (runs, kept.head())
        };
        runs.into_iter().for_each(each);
        Ok(head)
    }

    async fn load_runs(&self, _after: RunSeq, _limit: u32) -> Result<Vec<StoredRun>, StoreError> {
        unused()
    }

    async fn runs_by_seq(&self, _seqs: &[RunSeq]) -> Result<Vec<StoredRun>, StoreError> {
        unused()
    }

    async fn runs_by_key(&self, keys: &[RunKey]) -> Result<Vec<StoredRun>, StoreError> {
        let kept = self.kept.lock().unwrap();
        Ok(kept.runs.iter().filter(|stored| keys.contains(&stored.run.key)).cloned().collect())
    }

    async fn find_runs(
        &self,
        _filter: &RunFilter,
        _behind: Option<RunPlace>,
        _limit: u32,
    ) -> Result<Vec<StoredRun>, StoreError> {
        unused()
    }

    async fn wait_runs_after(&self, _known: RunHead) -> Result<(), StoreError> {
        unused()
    }

    async fn forget_runs(&self, retention: Retention<'_>) -> Result<u64, StoreError> {
        let mut kept = self.kept.lock().unwrap();
        let before = kept.runs.len();
        kept.runs.retain(|run| {
            run.run.ended_at >= retention.ended_before
                || run.seq > retention.seen
                || retention.keep.contains(&run.seq)
        });
        let forgotten = (before - kept.runs.len()) as u64;
        kept.forgotten += forgotten;
        kept.index = None;
        Ok(forgotten)
    }

    async fn save_index(
        &self,
        made_of: RunHead,
        parts: &mut (dyn Iterator<Item = Vec<u8>> + Send),
    ) -> Result<IndexSaved, StoreError> {
        self.kept.lock().unwrap().index = Some((made_of, parts.collect()));
        Ok(IndexSaved::Saved)
    }

    async fn load_index(
        &self,
        each: &mut (dyn FnMut(Vec<u8>) + Send),
    ) -> Result<Option<RunHead>, StoreError> {
        let index = self.kept.lock().unwrap().index.clone();
        Ok(index.map(|(head, parts)| {
            parts.into_iter().for_each(each);
            head
        }))
    }

    async fn letter_use(&self) -> Result<LetterUse, StoreError> {
        unused()
    }

    async fn bury(
        &self,
        _letters: &[DeadLetter],
        _bounds: LetterBounds,
    ) -> Result<Vec<Option<LetterId>>, StoreError> {
        unused()
    }

    async fn dead_letters(&self, _after: LetterId, _limit: u32) -> Result<Vec<BuriedLetter>, StoreError> {
        unused()
    }

    async fn dead_letter(&self, _id: LetterId) -> Result<Option<BuriedLetter>, StoreError> {
        unused()
    }

    async fn revive(&self, _id: LetterId, _runs: &[Run]) -> Result<Option<Vec<Appended>>, StoreError> {
        unused()
    }

    async fn remove_letters(&self, _ids: &[LetterId]) -> Result<u64, StoreError> {
        unused()
    }
}
