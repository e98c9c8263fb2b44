//! From a store to what questions are asked of, and from answers to output.

use std::sync::Arc;

use anyhow::Context as _;
use guardbee_engine::Viewer;
use guardbee_engine::clock::{Clock, SystemClock};
use guardbee_engine::lineage::Lineage;
use guardbee_engine::store::{At, Storage};
use guardbee_lineage::{AsOf, Graph};
use guardbee_policy::{Policy, Timestamp};
use guardbee_questions::{Asker, Ground, TagGround};
use serde::Serialize;

use super::store;
use super::viewing;
use crate::arguments::{AnswerFormat, Appearance, StoreArgument, Viewing};
use crate::output::print;
use crate::policy::plan::user_of_environment;
use crate::policy::source::{self, NoPolicy};
use crate::terminal::Style;
use crate::wire;

/// Which program asks, for the audit log.
const CLIENT: &str = "guardbee";

/// What the questions of one command are asked of.
pub struct Asking {
    storage: Arc<dyn Storage>,
    graph: Graph,
    policy: Policy,
    viewer: Viewer,
    user: String,
    now: Timestamp,
}

impl Asking {
    /// Over the recorded runs of a store. Tags that came with data are not in the policy: to follow them takes time, and
    /// few questions ask who may do what.
    ///
    /// # Errors
    /// [`NoPolicy`] where there is no store, or it cannot be read.
    pub async fn of(store: &StoreArgument, viewing: &Viewing) -> Result<Self, NoPolicy> {
        let storage = source::open(&store::named(store.store.as_deref())?).await?;
        let lineage = Lineage::open(storage.clone()).await.context("cannot read the recorded runs")?;
        let policy = source::from_store(&*storage, At::Latest).await?.policy;
        let mut asking = Self::over(storage, policy, viewing)?;
        asking.graph = lineage.snapshot().graph.clone();
        Ok(asking)
    }

    /// The same with those tags.
    ///
    /// # Errors
    /// As for [`of`](Self::of).
    pub async fn with_tags(store: &StoreArgument, viewing: &Viewing) -> Result<Self, NoPolicy> {
        let mut asking = Self::of(store, viewing).await?;
        let along = TagGround::over(asking.graph.clone(), &*asking.storage, &asking.policy).await?;
        along.inherit(&mut asking.policy, AsOf::Now);
        Ok(asking)
    }

    /// Over the audit log of a store, and none of its runs. It can be read where the policy cannot.
    ///
    /// # Errors
    /// As for [`of`](Self::of).
    pub async fn of_log(store: &StoreArgument, viewing: &Viewing) -> Result<Self, NoPolicy> {
        let storage = source::open(&store::named(store.store.as_deref())?).await?;
        let policy = match viewing.viewer {
            Some(_) => source::from_store(&*storage, At::Latest).await?.policy,
            None => Policy::new(),
        };
        Ok(Self::over(storage, policy, viewing)?)
    }

    fn over(storage: Arc<dyn Storage>, policy: Policy, viewing: &Viewing) -> anyhow::Result<Self> {
        let viewer = viewing::viewer(&policy, viewing)?;
        let user = user_of_environment().unwrap_or_default();
        Ok(Self { storage, graph: Graph::new(), policy, viewer, user, now: SystemClock.now() })
    }

    #[must_use]
    pub fn ground(&self) -> Ground<'_> {
        Ground {
            storage: &*self.storage,
            graph: &self.graph,
            policy: &self.policy,
            viewer: &self.viewer,
            asker: Asker { user: &self.user, client: CLIENT },
            now: self.now,
        }
    }
}

/// Writes an answer as it was asked for.
///
/// # Errors
/// Output that cannot be written.
pub fn answer<D: Serialize>(
    document: &D,
    format: AnswerFormat,
    appearance: Appearance,
    table: impl FnOnce(Style, &D) -> String,
) -> anyhow::Result<()> {
    print(&match format {
        AnswerFormat::Json => wire::pretty(document)? + "\n",
        AnswerFormat::Table => table(Style::for_output(appearance.color), document),
    })
}
