//! The one engine of a process: the current policy and catalog, and the ports.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, mpsc};
use std::thread;

use arc_swap::ArcSwap;
use guardbee_analysis::catalog::CatalogChange;
use guardbee_analysis::{Catalog, Effects, Session as AnalysisSession};
use guardbee_model::{Diagnostic, HiveVersion};
use guardbee_policy::{Change, EntryId, Identity, Policy, Principal, Resource};
use smol_str::{SmolStr, format_smolstr};

use crate::audit::AuditRecord;
use crate::change_record::ChangeAsked;
use crate::clock::{Clock, SystemClock};
use crate::follow_up::{Ddl, follow_up};
use crate::groups::{FixedGroups, GroupError, GroupMapping};
use crate::outcome::{Checked, Executed};
use crate::providers::Deciders;
use crate::session::Session;
use crate::store::{At, Commit, PolicyVersion, Store, StoreError, new_commit_key};
use crate::tags::{Inheritance, TagOptions};

/// How many versions are fetched from the store at once.
const CATCH_UP_BATCH: u32 = 1000;

/// So many steps are handed from who reads a policy to who builds it, and so many times ahead.
const LOAD_BATCH: usize = 1024;
const LOAD_BATCHES: usize = 16;

/// How often a commit is sent again of which nobody knows whether it was made.
const COMMIT_ATTEMPTS: u32 = 3;

/// Does the catalog hold everything?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Completeness {
    /// What it does not have does not exist.
    #[default]
    Complete,
    /// What it does not have may exist all the same; rights decide about it as about everything else.
    Partial,
}

/// What an engine is started with beside policy and store.
pub struct EngineOptions {
    pub hive_version: HiveVersion,
    /// Versions whose statements are understood as well, in this order, where the first has none such.
    pub other_versions: Vec<HiveVersion>,
    pub catalog: Catalog,
    pub completeness: Completeness,
    pub groups: Box<dyn GroupMapping>,
    pub clock: Box<dyn Clock>,
    pub deciders: Deciders,
    pub tags: TagOptions,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self {
            hive_version: HiveVersion::V3_1,
            other_versions: Vec::new(),
            catalog: Catalog::new(),
            completeness: Completeness::Complete,
            groups: Box::new(FixedGroups::default()),
            clock: Box::new(SystemClock),
            deciders: Deciders::default(),
            tags: TagOptions::default(),
        }
    }
}

/// A policy and its version in the store; in an engine without a store versions count its own changes.
#[derive(Debug, Clone)]
pub struct PolicySnapshot {
    pub policy: Policy,
    pub version: PolicyVersion,
}

impl PolicySnapshot {
    /// The policy of a store at a version. The store reads on this thread while another builds, and never more
    /// than some batches lie between them.
    ///
    /// # Errors
    /// [`EngineError`] where the store cannot be read, or holds what is no policy.
    pub async fn load(store: &dyn Store, at: At) -> Result<Self, EngineError> {
        let (sender, receiver) = mpsc::sync_channel::<Vec<Change>>(LOAD_BATCHES);
        let building = thread::spawn(move || Policy::from_changes(receiver.into_iter().flatten()));
        let mut batch = Vec::with_capacity(LOAD_BATCH);
        let read = store
            .load_each(at, &mut |change| {
                batch.push(change);
                if batch.len() == LOAD_BATCH {
                    let full = std::mem::replace(&mut batch, Vec::with_capacity(LOAD_BATCH));
                    // Nobody takes it when building has failed, which is told below.
                    let _ = sender.send(full);
                }
            })
            .await;
        let _ = sender.send(batch);
        drop(sender);
        let built = building.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        let head = read?;
        let mut policy = built.map_err(EngineError::Change)?;
        policy.reserve_entry_ids(EntryId(head.next_entry_id));
        Ok(Self { policy, version: head.version })
    }
}

/// Decides, administers, and holds what is current. Shared by all sessions; reading it takes no lock.
pub struct Engine {
    current: ArcSwap<PolicySnapshot>,
    catalog: ArcSwap<Catalog>,
    /// Held while a snapshot is exchanged, never while anything is waited for.
    exchange: Mutex<()>,
    store: Option<Arc<dyn Store>>,
    pub(crate) hive_version: HiveVersion,
    pub(crate) other_versions: Vec<HiveVersion>,
    pub(crate) completeness: Completeness,
    pub(crate) groups: Box<dyn GroupMapping>,
    pub(crate) clock: Box<dyn Clock>,
    pub(crate) deciders: Deciders,
    pub(crate) tag_options: TagOptions,
    /// Set once tags are to go with data.
    pub(crate) inheritance: OnceLock<Inheritance>,
    sessions: AtomicU64,
}

impl Engine {
    /// An engine without a store: its policy lives as long as the process.
    #[must_use]
    pub fn new(policy: Policy, options: EngineOptions) -> Arc<Self> {
        Self::build(PolicySnapshot { policy, version: PolicyVersion(0) }, None, options)
    }

    /// An engine over the latest policy of a store.
    ///
    /// # Errors
    /// [`EngineError`] where the policy cannot be loaded.
    pub async fn open(store: Arc<dyn Store>, options: EngineOptions) -> Result<Arc<Self>, EngineError> {
        let snapshot = PolicySnapshot::load(&*store, At::Latest).await?;
        Ok(Self::build(snapshot, Some(store), options))
    }

    fn build(snapshot: PolicySnapshot, store: Option<Arc<dyn Store>>, options: EngineOptions) -> Arc<Self> {
        Arc::new(Self {
            current: ArcSwap::from_pointee(snapshot),
            catalog: ArcSwap::from_pointee(options.catalog),
            exchange: Mutex::new(()),
            store,
            hive_version: options.hive_version,
            other_versions: options.other_versions,
            completeness: options.completeness,
            groups: options.groups,
            clock: options.clock,
            deciders: options.deciders,
            tag_options: options.tags,
            inheritance: OnceLock::new(),
            sessions: AtomicU64::new(0),
        })
    }

    /// A name that no other session of this engine has.
    pub(crate) fn new_session_name(&self) -> SmolStr {
        format_smolstr!("session {}", self.sessions.fetch_add(1, Ordering::Relaxed))
    }

    /// The policy that decides at this moment.
    #[must_use]
    pub fn policy(&self) -> Arc<PolicySnapshot> {
        self.current.load_full()
    }

    /// Is a snapshot still the policy that decides?
    pub(crate) fn is_current(&self, snapshot: &Arc<PolicySnapshot>) -> bool {
        Arc::ptr_eq(&self.current.load(), snapshot)
    }

    #[must_use]
    pub fn catalog(&self) -> Arc<Catalog> {
        self.catalog.load_full()
    }

    /// Puts another catalog in the place of the current one.
    pub fn replace_catalog(&self, catalog: Catalog) {
        let _exchange = self.exchange.lock().unwrap_or_else(PoisonError::into_inner);
        self.catalog.store(Arc::new(catalog));
    }

    /// The version of Hive whose statements are understood first.
    #[must_use]
    pub const fn hive_version(&self) -> HiveVersion {
        self.hive_version
    }

    /// A new session of somebody whose groups are known.
    #[must_use]
    pub fn session(self: &Arc<Self>, identity: Identity) -> Session {
        Session::new(self.clone(), identity)
    }

    /// A user, with the groups that the group mapping knows.
    ///
    /// # Errors
    /// [`GroupError`] where it does not.
    pub fn identity_of(&self, user: &str) -> Result<Identity, GroupError> {
        let groups = self.groups.groups_of(user)?;
        Ok(Identity { groups, ..Identity::of_user(user) })
    }

    /// A new session of [such a user](Self::identity_of).
    ///
    /// # Errors
    /// As there.
    pub fn session_of(self: &Arc<Self>, user: &str) -> Result<Session, GroupError> {
        Ok(self.session(self.identity_of(user)?))
    }

    /// Does the group mapping tell the groups of a user without anybody being waited for?
    #[must_use]
    pub fn knows_groups_of(&self, user: &str) -> bool {
        self.groups.answers_at_once(user)
    }

    /// May the session run the statement? Nothing changes.
    #[must_use]
    pub fn check(&self, session: &Session, statement: &str) -> Checked {
        session.check(statement)
    }

    /// Checks the statement and carries out what is the engine's to carry out: administration changes the
    /// policy, DDL changes the catalog and what follows from it, `SET` and `USE` the session, and `SHOW` of
    /// roles, grants, tags, databases, tables and columns answers. Queries are somebody else's to run.
    pub async fn execute(&self, session: &mut Session, statement: &str) -> Executed {
        session.execute(statement).await
    }

    /// Runs DDL that nobody has to be allowed, such as what a catalog is kept as. The answer is what was found
    /// on the way.
    ///
    /// # Errors
    /// [`EngineError`] where the policy cannot follow.
    pub async fn define(&self, script: &str) -> Result<Vec<Diagnostic>, EngineError> {
        let mut session = AnalysisSession::new(Catalog::clone(&self.catalog()), self.hive_version);
        let mut findings = Vec::new();
        for piece in guardbee_hiveql::script::Script::new(script) {
            let (before, after, mut analysis) = crate::judge::analyze(self, session, piece.text);
            session = after;
            for finding in &mut analysis.diagnostics {
                finding.span = finding.span.shifted(piece.span.start);
            }
            findings.append(&mut analysis.diagnostics);
            let Some(effects) = analysis.effects else { continue };
            if let Some(owner) = crate::judge::named_owner(&before, piece.text) {
                self.define_owner(&before, &effects, owner, piece.text).await?;
            }
            self.change_catalog(&effects.changes);
        }
        Ok(findings)
    }

    /// What owns what is part of the policy, and of a catalog that is read in nothing else is: entries are what
    /// they are, whatever comes and goes in the text.
    async fn define_owner(
        &self,
        before: &AnalysisSession,
        effects: &Effects,
        owner: Principal,
        text: &str,
    ) -> Result<(), EngineError> {
        let current = self.policy();
        let is_known = |owned: &Resource| current.policy.owner(owned) == Some(&owner);
        if effects.changes.iter().filter_map(owned).all(|resource| is_known(&resource)) {
            return Ok(());
        }
        let ddl = Ddl {
            operation: effects.operation,
            changes: &effects.changes,
            before,
            actor: None,
            owner: Some(owner.clone()),
            now: self.clock.now(),
        };
        let changes = follow_up(&current.policy, &ddl).map_err(EngineError::Change)?;
        if !changes.is_empty() {
            self.commit(current.version, "", Arc::from(text), changes).await?;
        }
        Ok(())
    }

    pub(crate) fn change_catalog(&self, changes: &[CatalogChange]) {
        if changes.is_empty() {
            return;
        }
        let _exchange = self.exchange.lock().unwrap_or_else(PoisonError::into_inner);
        let mut catalog = Catalog::clone(&self.catalog.load());
        changes.iter().for_each(|change| catalog.apply(change));
        self.catalog.store(Arc::new(catalog));
    }

    /// Makes the steps the next version, on the condition that `base` is still the latest.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] where it is not, and whatever else the store says. Nothing has changed then.
    pub async fn commit(
        &self,
        base: PolicyVersion,
        author: &str,
        reason: Arc<str>,
        changes: Vec<Change>,
    ) -> Result<PolicyVersion, EngineError> {
        let asked =
            ChangeAsked { actor: author, at: self.clock.now(), operation: "policy change", reason: &reason };
        let audit = AuditRecord::of_change(asked, &self.policy().policy, &changes);
        self.commit_audited(base, reason, changes, audit).await
    }

    /// The same for what somebody asked for as a whole, and from where.
    ///
    /// # Errors
    /// As for [`commit`](Self::commit).
    pub async fn commit_asked(
        &self,
        base: PolicyVersion,
        asked: ChangeAsked<'_>,
        client: &str,
        changes: Vec<Change>,
    ) -> Result<PolicyVersion, EngineError> {
        let mut audit = AuditRecord::of_change(asked, &self.policy().policy, &changes);
        audit.client = (!client.is_empty()).then(|| SmolStr::new(client));
        self.commit_audited(base, Arc::from(asked.reason), changes, audit).await
    }

    /// The same with what the audit log is to keep of it; who makes the change, and when, is in there.
    pub(crate) async fn commit_audited(
        &self,
        base: PolicyVersion,
        reason: Arc<str>,
        changes: Vec<Change>,
        audit: AuditRecord,
    ) -> Result<PolicyVersion, EngineError> {
        let Some(store) = &self.store else { return self.advance(base, &changes) };
        let commit = Commit {
            base,
            author: audit.actor.clone(),
            at: audit.at,
            reason,
            changes,
            key: Some(new_commit_key()),
            audit,
        };
        let version = match send(&**store, &commit).await {
            Err(StoreError::Conflict { base, latest }) if latest < base => {
                self.load_anew(base, &**store).await?;
                return Err(StoreError::Conflict { base, latest }.into());
            }
            sent => sent?,
        };
        // Where others were faster in between, theirs come first.
        if self.advance_to(base, version, &commit.changes).is_err() {
            self.catch_up().await?;
        }
        self.refresh_stale_tags();
        self.learn_calls().await;
        Ok(version)
    }

    fn advance(&self, base: PolicyVersion, changes: &[Change]) -> Result<PolicyVersion, EngineError> {
        let next = PolicyVersion(base.0 + 1);
        self.advance_to(base, next, changes)?;
        self.refresh_stale_tags();
        Ok(next)
    }

    fn advance_to(
        &self,
        base: PolicyVersion,
        version: PolicyVersion,
        changes: &[Change],
    ) -> Result<(), EngineError> {
        let _exchange = self.exchange.lock().unwrap_or_else(PoisonError::into_inner);
        let current = self.current.load();
        if current.version != base || version.0 != base.0 + 1 {
            return Err(StoreError::Conflict { base, latest: current.version }.into());
        }
        let mut policy = current.policy.clone();
        for change in changes {
            policy.apply(change.clone()).map_err(EngineError::Change)?;
        }
        let policy = self.with_tags_after(policy, changes);
        self.current.store(Arc::new(PolicySnapshot { policy, version }));
        Ok(())
    }

    /// Puts a policy in the place of the current one that differs from it by inherited tags alone.
    pub(crate) fn exchange_tags(&self, exchange: impl FnOnce(&Arc<PolicySnapshot>) -> Option<Policy>) {
        let _exchange = self.exchange.lock().unwrap_or_else(PoisonError::into_inner);
        let current = self.current.load_full();
        if let Some(policy) = exchange(&current) {
            self.current.store(Arc::new(PolicySnapshot { policy, version: current.version }));
        }
    }

    /// Takes over what other processes have changed. Where the store does not lead on from what is known here, as
    /// after it was put back from a copy, the policy is loaded anew.
    ///
    /// # Errors
    /// [`EngineError`] where the store cannot be asked; what was known stays.
    pub async fn catch_up(&self) -> Result<PolicyVersion, EngineError> {
        let Some(store) = &self.store else { return Ok(self.policy().version) };
        loop {
            let known = self.policy().version;
            let newer = store.changes_after(known, CATCH_UP_BATCH).await?;
            let Some(first) = newer.first() else {
                self.learn_calls().await;
                return Ok(self.policy().version);
            };
            if first.record.version.0 != known.0 + 1 {
                return self.load_anew(known, &**store).await;
            }
            let mut base = known;
            for version in newer {
                let next = version.record.version;
                match self.advance_to(base, next, &version.changes) {
                    Ok(()) | Err(EngineError::Store(StoreError::Conflict { .. })) => base = next,
                    Err(error) => return Err(error),
                }
            }
            self.refresh_stale_tags();
        }
    }

    /// Puts the store's policy in the place of a version from which the store does not lead on, unless somebody
    /// else has done so meanwhile.
    async fn load_anew(&self, known: PolicyVersion, store: &dyn Store) -> Result<PolicyVersion, EngineError> {
        let snapshot = PolicySnapshot::load(store, At::Latest).await?;
        let _exchange = self.exchange.lock().unwrap_or_else(PoisonError::into_inner);
        let current = self.current.load().version;
        if current != known {
            return Ok(current);
        }
        let version = snapshot.version;
        let policy = self.with_all_tags(snapshot.policy);
        self.current.store(Arc::new(PolicySnapshot { policy, version }));
        Ok(version)
    }

    /// Follows what other processes change, until the store fails. To be run beside everything else.
    ///
    /// # Errors
    /// [`EngineError`] where the store fails; call it again later.
    pub async fn follow(&self) -> Result<(), EngineError> {
        let Some(store) = &self.store else { return Ok(()) };
        loop {
            let known = self.catch_up().await?;
            store.wait_after(known).await?;
        }
    }
}

/// What a change may give an owner.
fn owned(change: &CatalogChange) -> Option<Resource> {
    match change {
        CatalogChange::PutDatabase(database) => Some(Resource::Database(database.name.clone())),
        CatalogChange::PutTable(table) => Some(Resource::Table(table.name.clone())),
        _ => None,
    }
}

/// Sends a commit until it is known what became of it.
async fn send(store: &dyn Store, commit: &Commit) -> Result<PolicyVersion, StoreError> {
    let mut attempts = 1;
    loop {
        match store.commit(commit.clone()).await {
            Err(StoreError::Unknown(_)) if attempts < COMMIT_ATTEMPTS => attempts += 1,
            answer => return answer,
        }
    }
}

/// Why the engine could not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the policy cannot take the change: {0}")]
    Change(guardbee_policy::ChangeError),
}

impl EngineError {
    /// The stable name of the kind of error.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Store(error) => error.code(),
            Self::Change(error) => error.code(),
        }
    }
}
