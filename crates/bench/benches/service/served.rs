//! The released binary, started over a store, and stopped at the end.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use anyhow::Context as _;
use guardbee_engine::audit::{AuditKind, AuditRecord, Verdict};
use guardbee_engine::store::{Commit, PolicyVersion, new_commit_key};
use guardbee_policy::{Change, Timestamp};
use guardbee_testkit::policy_load::PolicyLoad;
use serde_json::{Value, json};

use crate::client::Client;

/// A server that answers.
pub struct Served {
    process: Child,
    pub address: SocketAddr,
    /// Of the account that the first start made.
    password: String,
}

impl Served {
    pub fn start(store: &Path) -> anyhow::Result<Self> {
        let mut process = Command::new(binary()?)
            .args(["serve", "--listen", "127.0.0.1:0", "--store"])
            .arg(store)
            .stderr(Stdio::piped())
            .spawn()?;
        let mut lines = BufReader::new(process.stderr.take().context("no log")?).lines();
        let mut password = String::new();
        for line in lines.by_ref() {
            let line = line?;
            if let Some((_, told)) = line.split_once("one-time password ") {
                password = told.to_owned();
            }
            if let Some((_, address)) = line.split_once("address=http://") {
                let address = address.trim().parse()?;
                // The pipe has to be read, or the server would wait for it.
                std::thread::spawn(move || lines.for_each(drop));
                return Ok(Self { process, address, password });
            }
        }
        anyhow::bail!("the server did not start")
    }

    /// A token of a plug-in.
    pub async fn plug_in(&self, client: &mut Client) -> anyhow::Result<String> {
        let new = "a password of the benchmark";
        let first = json!({ "user": "admin", "password": self.password });
        let signed_in = client.post("/api/v1/session", "", &first).await?;
        let cookie = signed_in.cookie.context("no session")?;
        let csrf = signed_in.body["csrf_token"].as_str().context("no session")?;
        let by = format!("cookie: {cookie}\r\nx-csrf-token: {csrf}\r\n");
        client.put("/api/v1/password", &by, &json!({ "old": self.password, "new": new })).await?;
        client.post("/api/v1/accounts", &by, &json!({ "name": "hs2", "permissions": ["plug-in"] })).await?;
        let token =
            client.post("/api/v1/tokens", &by, &json!({ "account": "hs2", "label": "bench" })).await?;
        Ok(token.body["secret"].as_str().context("no token")?.to_owned())
    }

    /// What it holds in memory.
    pub fn memory_bytes(&self) -> anyhow::Result<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no memory")?;
        Ok(line.trim().trim_end_matches("kB").trim().parse::<u64>()? * 1024)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It is measured, not asked to keep anything.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn binary() -> anyhow::Result<std::path::PathBuf> {
    let target = std::env::var("CARGO_TARGET_DIR")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../../target").to_owned());
    let built = Command::new(env!("CARGO"))
        .args(["build", "--release", "--locked", "--quiet", "-p", "guardbee-cli"])
        .status()?;
    anyhow::ensure!(built.success(), "the binary cannot be built");
    Ok(Path::new(&target).join("release/guardbee"))
}

/// Makes a store with a policy.
pub async fn fill(store: &Path, load: PolicyLoad) -> anyhow::Result<()> {
    let storage = guardbee_store::open(&store.display().to_string()).await?;
    let changes: Vec<Change> = load.changes().collect();
    let audit = AuditRecord {
        at: Timestamp(1),
        actor: "bench".into(),
        groups: Vec::new(),
        kind: AuditKind::Change,
        statement: Arc::from(""),
        operation: "policy change".into(),
        objects: Vec::new(),
        verdict: Verdict::Allowed,
        reasons: Vec::new(),
        missing: Vec::new(),
        policy_version: PolicyVersion(1),
        client: None,
    };
    storage
        .commit(Commit {
            base: PolicyVersion(0),
            author: "bench".into(),
            at: Timestamp(1),
            reason: Arc::from("a policy to measure with"),
            changes,
            key: Some(new_commit_key()),
            audit,
        })
        .await?;
    Ok(())
}

/// What a server answered.
pub struct Answered {
    pub body: Value,
    pub cookie: Option<String>,
}
