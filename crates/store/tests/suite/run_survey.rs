//! Runs, audit records and indexes that follow from their number, so that what a store holds can be checked against it.

use guardbee_engine::audit::{AuditCursor, AuditFilter, AuditRecord, AuditSeq, AuditVerdict};
use guardbee_engine::run_store::{IndexSaved, RunHead, RunSeq};
use guardbee_engine::store::{Storage, StoreError};
use guardbee_lineage::Run;

use super::run_sample;
use super::sample::Dice;

/// The run that has a place; every fiftieth is large.
pub fn run(seq: u64) -> Run {
    if seq.is_multiple_of(50) {
        return run_sample::copy(&format!("run {seq}"), 30, 2000);
    }
    run_sample::run(&mut Dice::new(seq), &format!("run {seq}"))
}

pub fn record(seq: u64) -> AuditRecord {
    run_sample::record(&mut Dice::new(!seq))
}

/// How many go together from one on.
pub fn batch(first: u64) -> u64 {
    if first.is_multiple_of(7) { 150 } else { 1 + first % 12 }
}

/// Whether a batch ends with one: what is there ends like this, or a part of a batch is there.
fn ends_batch(last: u64) -> bool {
    let mut end = 0;
    while end < last {
        end += batch(end + 1);
    }
    end == last
}

fn index_parts(newest: u64) -> Vec<Vec<u8>> {
    let byte = newest.to_le_bytes()[0];
    vec![vec![byte; (1 << 20) + 1], Vec::new(), newest.to_le_bytes().to_vec()]
}

/// Writes for ever, a batch of runs, then one of records, now and then an index; `told` hears what has been answered.
pub async fn write(store: &dyn Storage, mut told: impl FnMut(u64, u64)) -> StoreError {
    for round in 0_u64.. {
        let mut written = write_once(store, &mut told).await;
        if written.is_ok() && round % 4 == 0 {
            written = save_index(store).await.map(|_| ());
        }
        if let Err(error) = written {
            return error;
        }
    }
    unreachable!("rounds do not end")
}

pub async fn save_index(store: &dyn Storage) -> Result<IndexSaved, StoreError> {
    let made_of = store.run_head().await?;
    store.save_index(made_of, &mut index_parts(made_of.newest.0).into_iter()).await
}

/// Writes a batch of runs, then one of records.
pub async fn write_once(store: &dyn Storage, told: &mut impl FnMut(u64, u64)) -> Result<(), StoreError> {
    let first = store.run_head().await?.newest.0 + 1;
    let last = first + batch(first) - 1;
    let before = store.audit_head().await?.seq.0;
    let runs: Vec<Run> = (first..=last).map(run).collect();
    store.append_runs(&runs).await?;
    told(last, before);
    let first = before + 1;
    let records: Vec<AuditRecord> = (first..first + batch(first)).map(record).collect();
    told(last, store.append_audit(&records).await?.seq.0);
    Ok(())
}

/// Up to which run and record everything is there, and is what was written, and of which runs the index is made.
#[derive(Debug, Clone, Copy, Default)]
pub struct Survey {
    pub runs: u64,
    pub records: u64,
    pub indexes: u64,
}

impl Survey {
    /// `told`: the newest run and record that were acknowledged.
    pub async fn check(&mut self, store: &dyn Storage, told: (u64, u64)) {
        self.read(store).await.expect("readable");
        assert!(self.runs >= told.0, "run {} was acknowledged, {} are there", told.0, self.runs);
        assert!(self.records >= told.1, "record {} was acknowledged, {} are there", told.1, self.records);
    }

    /// What can be read is what was written, or the test fails.
    pub async fn read(&mut self, store: &dyn Storage) -> Result<(), StoreError> {
        self.read_runs(store).await?;
        self.read_audit(store).await?;
        self.read_index(store).await
    }

    async fn read_runs(&mut self, store: &dyn Storage) -> Result<(), StoreError> {
        let mut newest = self.runs;
        let head = store
            .each_run(RunSeq(self.runs), &mut |found| {
                newest += 1;
                assert_eq!(found.seq.0, newest);
                assert!(found.run == run(newest), "run {newest} is not what was written");
            })
            .await?;
        assert_eq!(head, RunHead { newest: RunSeq(newest), forgotten: 0 });
        assert!(ends_batch(newest), "of the batch that run {newest} is in, some are missing");
        self.runs = newest;
        Ok(())
    }

    async fn read_audit(&mut self, store: &dyn Storage) -> Result<(), StoreError> {
        let count = match store.verify_audit(None).await? {
            AuditVerdict::Verified { count, .. } => count,
            AuditVerdict::Broken { why, .. } => return Err(StoreError::Damaged(why)),
        };
        let cursor = AuditCursor::After(AuditSeq(self.records));
        for entry in store.read_audit(&AuditFilter::default(), cursor, u32::MAX).await? {
            self.records += 1;
            assert_eq!(entry.seq.0, self.records);
            assert_eq!(entry.record, record(self.records));
        }
        assert_eq!(self.records, count);
        assert!(ends_batch(count), "of the batch that record {count} is in, some are missing");
        Ok(())
    }

    async fn read_index(&mut self, store: &dyn Storage) -> Result<(), StoreError> {
        let mut parts = Vec::new();
        let made_of = store.load_index(&mut |part| parts.push(part)).await?;
        if let Some(made_of) = made_of {
            assert!(made_of.newest.0 >= self.indexes, "an older index is there");
            assert!(parts == index_parts(made_of.newest.0), "the index is not what was written");
            self.indexes = made_of.newest.0;
        }
        Ok(())
    }
}
