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
    /// Over the recorded runs of a store. Tags that came with data are in the policy where they decide what a viewer may
    /// know of; else they are left out: to follow them takes time, and few questions ask who may do what.
    ///
    /// # Errors
    /// [`NoPolicy`] where there is no store, or it cannot be read.
    pub async fn of(store: &StoreArgument, viewing: &Viewing) -> Result<Self, NoPolicy> {
        match viewing.viewer {
            Some(_) => Self::with_tags(store, viewing).await,
            None => Self::over(Runs::of(store).await?, viewing),
        }
    }

    /// The same with those tags in any case.
    ///
    /// # Errors
    /// As for [`of`](Self::of).
    pub async fn with_tags(store: &StoreArgument, viewing: &Viewing) -> Result<Self, NoPolicy> {
        let mut runs = Runs::of(store).await?;
        let along = TagGround::over(runs.graph.clone(), &*runs.storage, &runs.policy).await?;
        along.inherit(&mut runs.policy, AsOf::Now);
        Self::over(runs, viewing)
    }

    /// Over the audit log of a store, and none of its runs. It can be read where the policy cannot.
    ///
    /// # Errors
    /// As for [`of`](Self::of).
    pub async fn of_log(store: &StoreArgument, viewing: &Viewing) -> Result<Self, NoPolicy> {
        match viewing.viewer {
            Some(_) => Self::with_tags(store, viewing).await,
            None => {
                let storage = source::open(&store::named(store.store.as_deref())?).await?;
                Self::over(Runs { storage, graph: Graph::new(), policy: Policy::new() }, viewing)
            }
        }
    }

    fn over(runs: Runs, viewing: &Viewing) -> Result<Self, NoPolicy> {
        let Runs { storage, graph, policy } = runs;
        let viewer = viewing::viewer(&policy, viewing)?;
        let user = user_of_environment().unwrap_or_default();
        Ok(Self { storage, graph, policy, viewer, user, now: SystemClock.now() })
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

/// The recorded runs of a store, and its policy.
struct Runs {
    storage: Arc<dyn Storage>,
    graph: Graph,
    policy: Policy,
}

impl Runs {
    async fn of(store: &StoreArgument) -> Result<Self, NoPolicy> {
        let storage = source::open(&store::named(store.store.as_deref())?).await?;
        let lineage = Lineage::open(storage.clone()).await.context("cannot read the recorded runs")?;
        let policy = source::from_store(&*storage, At::Latest).await?.policy;
        Ok(Self { storage, graph: lineage.snapshot().graph.clone(), policy })
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
