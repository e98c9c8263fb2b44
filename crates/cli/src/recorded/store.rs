//! A store with all that it keeps, opened for a command.

use std::sync::Arc;

use anyhow::Context as _;
use guardbee_engine::clock::{Clock, SystemClock};
use guardbee_engine::lineage::Lineage;
use guardbee_engine::store::{At, Storage};
use guardbee_lineage::Graph;
use guardbee_policy::{
    Change, Effect, Entry, GrantOption, Membership, Policy, Principal, Privileges, Scope, Validity,
};

use crate::policy::plan;
use crate::policy::source::{self, NoPolicy};

/// Why the first entry of a store is there.
const MAKER_REASON: &str = "make the store: its maker administers it and may do everything";

/// A store and the graph of its runs.
pub struct Opened {
    pub storage: Arc<dyn Storage>,
    pub lineage: Arc<Lineage>,
}

impl Opened {
    /// Opens a store that is there already.
    ///
    /// # Errors
    /// [`NoPolicy`] where there is none, or it cannot be read.
    pub async fn open(store: Option<&str>) -> Result<Self, NoPolicy> {
        Self::over(source::open(&named(store)?).await?).await
    }

    /// Opens a store, and makes it where there is none. Its maker administers it and holds ALL ON SERVER: one
    /// version that everybody can see, and take back.
    ///
    /// # Errors
    /// [`NoPolicy`] where neither can be done.
    pub async fn open_or_make(store: Option<&str>, maker: &str) -> Result<Made, NoPolicy> {
        let (storage, is_new) = storage_or_new(store, maker).await?;
        let opened = Self::over(storage).await?;
        Ok(if is_new { Made::New(opened) } else { Made::Known(opened) })
    }

    async fn over(storage: Arc<dyn Storage>) -> Result<Self, NoPolicy> {
        let lineage = Lineage::open(storage.clone()).await.context("cannot read the recorded runs")?;
        Ok(Self { storage, lineage })
    }

    /// The graph that answers.
    #[must_use]
    pub fn graph(&self) -> Graph {
        self.lineage.snapshot().graph.clone()
    }
}

/// Opens a store, and makes it where there is none, as [`Opened::open_or_make`] does; whether it made it.
///
/// # Errors
/// [`NoPolicy`] where neither can be done.
pub async fn storage_or_new(store: Option<&str>, maker: &str) -> Result<(Arc<dyn Storage>, bool), NoPolicy> {
    let location = named(store)?;
    let storage = source::open_or_make(&location).await?;
    let loaded = source::from_store(&*storage, At::Latest).await?;
    let is_new = loaded.version.unwrap_or_default().0 == 0 && storage_is_empty(&*storage).await?;
    if is_new {
        let version = loaded.version.unwrap_or_default();
        let changes = makers_rights(&loaded.policy, maker);
        let asked = plan::Asked {
            author: maker.to_owned(),
            operation: "make store",
            reason: MAKER_REASON,
            before: &loaded.policy,
        };
        plan::commit(&*storage, version, asked, changes).await?;
    }
    Ok((storage, is_new))
}

/// The location of the store that is named here or by the environment.
///
/// # Errors
/// [`NoPolicy::WrongUse`] where there is none.
pub fn named(store: Option<&str>) -> Result<String, NoPolicy> {
    source::named_store(store).map_err(|_| {
        let message = "which store? `--store FILE|URL` names it (or GUARDBEE_STORE in the environment)";
        let has_server = std::env::var_os("GUARDBEE_SERVER").is_some_and(|server| !server.is_empty());
        let only = if has_server { "; a server cannot be asked for that" } else { "" };
        NoPolicy::WrongUse(format!("{message}{only}"))
    })
}

/// Was the store there?
pub enum Made {
    New(Opened),
    Known(Opened),
}

async fn storage_is_empty(storage: &dyn Storage) -> anyhow::Result<bool> {
    let head = storage.run_head().await.context("cannot read the recorded runs")?;
    Ok(head.newest.0 == 0)
}

fn makers_rights(policy: &Policy, maker: &str) -> Vec<Change> {
    let now = SystemClock.now();
    let maker = Principal::user(maker);
    let membership = Membership {
        role: "admin".into(),
        member: maker.clone(),
        admin_option: GrantOption::With,
        grantor: None,
        created_at: now,
    };
    let entry = Entry {
        id: policy.next_entry_id(),
        effect: Effect::Grant,
        principal: maker,
        except: Arc::from([]),
        privileges: Privileges::ALL,
        scope: Scope::Server,
        grant_option: GrantOption::With,
        grantor: None,
        created_at: now,
        validity: Validity::default(),
        purpose: None,
    };
    vec![Change::PutMembership(membership), Change::PutEntry(entry)]
}
