//! Versions whose steps follow from their number, so that what a store holds can be checked against it.

use guardbee_engine::audit::{AuditCursor, AuditFilter, AuditKind, AuditSeq, AuditVerdict};
use guardbee_engine::store::{At, Commit, PolicyVersion, Storage, Store};
use guardbee_policy::{Change, EntryId};

use super::model::Model;
use super::sample::{self, Dice};

/// Each version puts and removes in several tables; every tenth is large.
pub fn steps(version: u64) -> Vec<Change> {
    let mut dice = Dice::new(version);
    let count = if version.is_multiple_of(10) { 700 } else { 8 };
    let mut changes: Vec<Change> = (0..count).map(|_| sample::change(&mut dice, 50)).collect();
    changes.push(Change::PutEntry(sample::entry(&mut dice, 1000 + version)));
    changes.push(Change::RemoveEntry(EntryId(1000 + version.saturating_sub(20))));
    changes
}

pub fn commit(version: u64) -> Commit {
    let mut commit = super::commit(PolicyVersion(version - 1), steps(version));
    commit.key = Some(format!("version {version}").into());
    commit
}

/// Everything up to the newest version is there, and is what was committed.
pub struct Survey {
    model: Model,
    pub version: u64,
}

impl Survey {
    pub const fn new() -> Self {
        Self { model: Model::EMPTY, version: 0 }
    }

    /// The log tells of each version, and is whole.
    pub async fn check_log(&self, store: &dyn Storage) {
        let filter = AuditFilter { kind: Some(AuditKind::Change), ..AuditFilter::default() };
        let entries = store.read_audit(&filter, AuditCursor::After(AuditSeq(0)), u32::MAX).await;
        let told = entries.expect("readable");
        let told: Vec<u64> = told.iter().map(|entry| entry.record.policy_version.0).collect();
        assert_eq!(told, (1..=self.version).collect::<Vec<_>>());
        let verdict = store.verify_audit(None).await.expect("readable");
        assert!(matches!(verdict, AuditVerdict::Verified { .. }), "{verdict:?}");
    }

    pub async fn check(&mut self, store: &dyn Store, acknowledged: u64) {
        let loaded = store.load(At::Latest).await.expect("a whole policy");
        let newest = loaded.version.0;
        assert!(newest >= acknowledged, "version {acknowledged} was acknowledged, {newest} is there");
        assert!(newest >= self.version, "version {} was there, {newest} is", self.version);
        for version in self.version + 1..=newest {
            steps(version).into_iter().for_each(|change| self.model.apply(change));
        }
        self.version = newest;
        assert!(Model::of(loaded.changes) == self.model, "version {newest} is not what was committed");
        let records = store.history(None, u32::MAX).await.expect("readable");
        let numbers: Vec<u64> = records.iter().map(|record| record.version.0).collect();
        assert_eq!(numbers, (1..=newest).rev().collect::<Vec<_>>());
        assert!(records.iter().all(|record| record.change_count == steps(record.version.0).len() as u64));
    }
}
