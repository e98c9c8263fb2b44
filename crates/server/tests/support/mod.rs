//! A server over a store in a temporary folder, accounts to call it with, and a client of few words.

#![allow(dead_code, reason = "each test uses some of it")]

pub mod client;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use argon2::Argon2;
use argon2::password_hash::{PasswordHasher as _, SaltString};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use guardbee_engine::accounts::{Account, NewToken, Permissions, Placing};
use guardbee_engine::audit::AuditRecord;
use guardbee_engine::clock::{Clock as _, SystemClock};
use guardbee_engine::run_store::LetterId;
use guardbee_engine::store::{At, Commit, Storage};
use guardbee_engine::{ChangeAsked, Completeness, EngineOptions, PolicySnapshot};
use guardbee_lineage::{
    ColumnSource, Context, DatasetName, Derivation, EdgeKind, Run, RunKey, Target, TargetColumn, WriteKind,
};
use guardbee_model::{Name, TableName};
use guardbee_policy::{
    Change, Effect, Entry, GrantOption, Membership, Policy, Principal, Privileges, Scope, Timestamp, Validity,
};
use guardbee_server::{FirstAccount, Options, STACK_BYTES, Server};
use sha2::{Digest as _, Sha256};
use smol_str::SmolStr;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use client::Ask;

/// The password of every account that [`Ground::account`] makes.
pub const PASSWORD: &str = "correct horse battery";

/// A store, and what servers over it run in.
pub struct Ground {
    pub storage: Arc<dyn Storage>,
    runtime: Runtime,
    folder: TempDir,
}

/// A server that answers until it is dropped.
pub struct Running {
    pub address: SocketAddr,
    pub first_account: Option<FirstAccount>,
    runtime: tokio::runtime::Handle,
    stop: Option<oneshot::Sender<()>>,
    serving: Option<JoinHandle<()>>,
}

impl Ground {
    /// Over a store of its own.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let location = folder.path().join("guardbee.db").display().to_string();
        Self::over(&location, folder)
    }

    /// Over the store at a place, as another process would be.
    pub fn at(location: &str) -> Self {
        Self::over(location, tempfile::tempdir().expect("a folder can be made"))
    }

    fn over(location: &str, folder: TempDir) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_stack_size(STACK_BYTES)
            .enable_all()
            .build()
            .expect("threads can be had");
        let opened = runtime.block_on(guardbee_store::open(location));
        Self { storage: opened.expect("a store can be made"), runtime, folder }
    }

    /// A file in the store's folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A server on some port.
    pub fn start(&self, options: Options) -> Running {
        let engine = EngineOptions { completeness: Completeness::Partial, ..options.engine };
        let options = Options { listen: SocketAddr::from(([127, 0, 0, 1], 0)), engine, ..options };
        let server = self.runtime.block_on(Server::start(self.storage.clone(), options));
        let server = server.expect("the server starts");
        let (stop, stopped) = oneshot::channel();
        let (address, first_account) = (server.address(), server.first_account().cloned());
        let serving = self.runtime.spawn(server.run_until(async {
            let _ = stopped.await;
        }));
        let runtime = self.runtime.handle().clone();
        Running { address, first_account, runtime, stop: Some(stop), serving: Some(serving) }
    }

    /// An account whose password is [`PASSWORD`] and need not be changed.
    pub fn account(&self, name: &str, permissions: Permissions) {
        self.account_with(name, permissions, PASSWORD, false);
    }

    pub fn account_with(&self, name: &str, permissions: Permissions, password: &str, must_change: bool) {
        let salt = SaltString::encode_b64(b"some salt of ours").expect("it is a salt");
        let hash = Argon2::default().hash_password(password.as_bytes(), &salt).expect("it can be hashed");
        let account = Account {
            name: SmolStr::new(name),
            permissions,
            password: Some(Arc::from(hash.to_string())),
            must_change_password: must_change,
            created_at: SystemClock.now(),
        };
        let placed = self.runtime.block_on(self.storage.put_account(&account, Placing::New));
        assert!(placed.expect("the store takes accounts"), "there is no other `{name}`");
    }

    /// Lets a user of the warehouse do something.
    pub fn grant(&self, user: &str, privileges: Privileges, scope: Scope) {
        self.change(|policy| Change::PutEntry(entry(policy, user, privileges, scope)));
    }

    /// Lets a user of the warehouse do everything, and say who else may.
    pub fn grant_all(&self, user: &str) {
        self.grant(user, Privileges::ALL, Scope::Server);
        self.change(|_| {
            Change::PutMembership(Membership {
                role: "admin".into(),
                member: Principal::user(user),
                admin_option: GrantOption::With,
                grantor: None,
                created_at: SystemClock.now(),
            })
        });
    }

    /// Remembers a run that copied a column from one table to another.
    pub fn copied(&self, from: [&str; 2], to: [&str; 2]) {
        let table = |[database, name]: [&str; 2]| {
            DatasetName::Table(TableName::new(Name::fold(database), Name::fold(name)))
        };
        let source = ColumnSource {
            dataset: table(from),
            column: "id".into(),
            kind: EdgeKind::Identity,
            masked: false,
            unresolved: false,
            through: [].into(),
        };
        let column = TargetColumn {
            name: "id".into(),
            expression: None,
            derivation: Derivation::Simple,
            sources: vec![source],
            influences: Vec::new(),
        };
        let target = Target {
            dataset: table(to),
            write: WriteKind::Append,
            partition: Vec::new(),
            columns: vec![column],
            influences: Vec::new(),
            whole: Vec::new(),
        };
        let run = Run {
            key: RunKey(format!("{from:?} {to:?}").into()),
            operation: SmolStr::new_static("QUERY"),
            started_at: None,
            ended_at: SystemClock.now(),
            context: Arc::new(Context::default()),
            inputs: Vec::new(),
            targets: vec![target],
            changes: Vec::new(),
        };
        self.runtime.block_on(self.storage.append_runs(&[run])).expect("the store takes runs");
    }

    /// How many runs there are.
    pub fn runs(&self) -> u64 {
        self.runtime.block_on(self.storage.run_head()).expect("the store can be read").newest.0
    }

    /// What the dead letters hold.
    pub fn letters(&self) -> Vec<serde_json::Value> {
        let letters = self.runtime.block_on(self.storage.dead_letters(LetterId(0), 100));
        let letters = letters.expect("the store can be read");
        letters
            .iter()
            .map(|letter| serde_json::from_slice(&letter.letter.payload).expect("it is JSON"))
            .collect()
    }

    pub fn policy_version(&self) -> u64 {
        let snapshot = self.runtime.block_on(PolicySnapshot::load(&*self.storage, At::Latest));
        snapshot.expect("there is a policy").version.0
    }

    fn change(&self, change: impl FnOnce(&Policy) -> Change) {
        self.runtime.block_on(async {
            let before = PolicySnapshot::load(&*self.storage, At::Latest).await.expect("there is a policy");
            let changes = vec![change(&before.policy)];
            let at = SystemClock.now();
            let asked = ChangeAsked { actor: "test", at, operation: "test", reason: "" };
            let audit = AuditRecord::of_change(asked, &before.policy, &changes);
            let (base, author, reason) = (before.version, SmolStr::new_static("test"), Arc::from(""));
            let commit = Commit { base, author, at, reason, changes, key: None, audit };
            self.storage.commit(commit).await.expect("the policy can be changed")
        });
    }

    /// The secret of a token that is made behind the server's back.
    pub fn token(&self, account: &str, permissions: Permissions, expires_at: Option<Timestamp>) -> String {
        let secret: [u8; 32] = Sha256::digest(format!("{account} {permissions:?} {expires_at:?}")).into();
        let token = NewToken {
            digest: Sha256::digest(secret).into(),
            account: SmolStr::new(account),
            label: SmolStr::new_static("test"),
            permissions,
            created_at: SystemClock.now(),
            expires_at,
        };
        self.runtime.block_on(self.storage.add_token(&token)).expect("the store takes tokens");
        format!("gb_{}", URL_SAFE_NO_PAD.encode(secret))
    }
}

fn entry(policy: &Policy, user: &str, privileges: Privileges, scope: Scope) -> Entry {
    Entry {
        id: policy.next_entry_id(),
        effect: Effect::Grant,
        principal: Principal::user(user),
        except: Arc::from([]),
        privileges,
        scope,
        grant_option: GrantOption::With,
        grantor: None,
        created_at: SystemClock.now(),
        validity: Validity::default(),
        purpose: None,
    }
}

impl Running {
    pub fn get(&self, path: &str) -> Ask {
        self.ask("GET", path)
    }

    pub fn post(&self, path: &str) -> Ask {
        self.ask("POST", path)
    }

    pub fn ask(&self, method: &str, path: &str) -> Ask {
        Ask::new(self.address, method, path)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(serving) = self.serving.take() {
            let _ = self.runtime.block_on(serving);
        }
    }
}
