//! A store in memory that can be told to fail.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use guardbee_engine::ChangeAsked;
use guardbee_engine::audit::AuditRecord;
use guardbee_engine::store::{
    At, Commit, LoadedHead, PolicyVersion, Store, StoreError, VersionChanges, VersionRecord,
};
use guardbee_policy::{Change, Policy};
use smol_str::SmolStr;

#[derive(Default)]
pub struct MemoryStore {
    versions: Mutex<Vec<(VersionChanges, Option<SmolStr>)>>,
    /// What the next commits answer; those that are `Unknown` have been made all the same.
    failures: Mutex<Vec<StoreError>>,
}

impl MemoryStore {
    pub fn fail(&self, error: StoreError) {
        self.failures.lock().unwrap().push(error);
    }

    pub fn version(&self) -> u64 {
        self.versions.lock().unwrap().len() as u64
    }

    /// Forgets all versions after one, as a copy that is put in the store's place does.
    pub fn put_back(&self, version: usize) {
        self.versions.lock().unwrap().truncate(version);
    }

    fn make(&self, commit: Commit) -> Result<PolicyVersion, StoreError> {
        let mut versions = self.versions.lock().unwrap();
        let known = versions.iter().find(|(_, key)| key.is_some() && *key == commit.key);
        if let Some((version, _)) = known {
            return Ok(version.record.version);
        }
        let latest = PolicyVersion(versions.len() as u64);
        if commit.base != latest {
            return Err(StoreError::Conflict { base: commit.base, latest });
        }
        let version = PolicyVersion(latest.0 + 1);
        let record = VersionRecord {
            version,
            author: commit.author,
            at: commit.at,
            reason: commit.reason,
            change_count: commit.changes.len() as u64,
        };
        versions.push((VersionChanges { record, changes: commit.changes }, commit.key));
        Ok(version)
    }
}

#[async_trait]
impl Store for MemoryStore {
    async fn load_each(
        &self,
        _at: At,
        each: &mut (dyn FnMut(Change) + Send),
    ) -> Result<LoadedHead, StoreError> {
        let versions = self.versions.lock().unwrap();
        let changes: Vec<Change> =
            versions.iter().flat_map(|(version, _)| version.changes.iter().cloned()).collect();
        let policy = Policy::from_changes(changes).expect("steps that were taken before");
        policy.changes().for_each(each);
        Ok(LoadedHead {
            version: PolicyVersion(versions.len() as u64),
            next_entry_id: policy.next_entry_id().0,
        })
    }

    async fn commit(&self, commit: Commit) -> Result<PolicyVersion, StoreError> {
        let failure = self.failures.lock().unwrap().pop();
        match failure {
            Some(StoreError::Unknown(reason)) => {
                self.make(commit)?;
                Err(StoreError::Unknown(reason))
            }
            Some(failure) => Err(failure),
            None => self.make(commit),
        }
    }

    async fn history(
        &self,
        _before: Option<PolicyVersion>,
        _limit: u32,
    ) -> Result<Vec<VersionRecord>, StoreError> {
        Ok(self.versions.lock().unwrap().iter().rev().map(|(version, _)| version.record.clone()).collect())
    }

    async fn changes_after(
        &self,
        after: PolicyVersion,
        limit: u32,
    ) -> Result<Vec<VersionChanges>, StoreError> {
        let versions = self.versions.lock().unwrap();
        let newer = versions.iter().skip(usize::try_from(after.0).expect("a small number"));
        Ok(newer.take(limit as usize).map(|(version, _)| version.clone()).collect())
    }

    async fn wait_after(&self, after: PolicyVersion) -> Result<PolicyVersion, StoreError> {
        loop {
            let latest = PolicyVersion(self.version());
            if latest > after {
                return Ok(latest);
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
}

/// An empty store whose policy has `root` as its administrator.
pub async fn store_with_root() -> Arc<MemoryStore> {
    use guardbee_policy::{GrantOption, Membership, Principal, Timestamp};
    let store = Arc::new(MemoryStore::default());
    let root = Membership {
        role: "admin".into(),
        member: Principal::user("root"),
        admin_option: GrantOption::With,
        grantor: None,
        created_at: Timestamp(0),
    };
    let changes = vec![Change::PutMembership(root)];
    let asked = ChangeAsked { actor: "root", at: Timestamp(0), operation: "start", reason: "" };
    let commit = Commit {
        base: PolicyVersion(0),
        author: "root".into(),
        at: Timestamp(0),
        reason: Arc::from("start"),
        audit: AuditRecord::of_change(asked, &Policy::new(), &changes),
        changes,
        key: None,
    };
    store.commit(commit).await.expect("the first commit");
    store
}
