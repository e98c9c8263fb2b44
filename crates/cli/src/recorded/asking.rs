//! From a store or service to what questions are asked of, and from answers to output.

use std::sync::Arc;

use anyhow::Context as _;
use guardbee_analysis::Catalog;
use guardbee_engine::clock::{Clock, SystemClock};
use guardbee_engine::lineage::Lineage;
use guardbee_engine::store::{At, Storage};
use guardbee_engine::tags::FunctionCalls;
use guardbee_engine::{Viewer, recorded_catalog};
use guardbee_lineage::{AsOf, Graph};
use guardbee_model::HiveVersion;
use guardbee_policy::{Policy, Timestamp};
use guardbee_questions::{Asker, DatasetIndex, Ground, TagGround, TraceFormat, TraceQuestion};
use serde::Serialize;

use super::answerable::Answerable;
use super::store;
use super::viewing;
use crate::arguments::{AnswerFormat, Appearance, Home, StoreArgument, Viewing};
use crate::client::{self, Choice, Client, ServedText, choose};
use crate::output::print;
use crate::policy::plan::user_of_environment;
use crate::policy::source::{self, NoPolicy};
use crate::terminal::Style;
use crate::wire;

/// Which program asks, for the audit log.
const CLIENT: &str = "guardbee";

/// Who answers the questions of one command.
pub enum Asking {
    Store(StoreAsking),
    Service(Client),
}

/// Whether tags that came with data are in the policy. To follow them takes time, and few questions ask who may do what. A
/// service always has them there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tags {
    /// Where they decide what a viewer may know of.
    AsSeen,
    Followed,
}

impl Asking {
    /// Over the recorded runs of a store, or a service.
    ///
    /// # Errors
    /// [`NoPolicy`] where there is none, or it cannot be read.
    pub async fn of(
        tags: Tags,
        home: &Home,
        viewing: &Viewing,
        appearance: Appearance,
    ) -> Result<Self, NoPolicy> {
        if let Some(client) = service(home, viewing, appearance)? {
            return Ok(Self::Service(client));
        }
        let is_seen = tags == Tags::Followed || viewing.viewer.is_some();
        Ok(Self::Store(match is_seen {
            true => StoreAsking::with_tags(&home.store, viewing).await?,
            false => StoreAsking::over(Runs::of(&home.store).await?, viewing)?,
        }))
    }

    /// Over the datasets that recorded runs made, changed and touched.
    ///
    /// # Errors
    /// As for [`of`](Self::of).
    pub async fn of_datasets(
        home: &Home,
        viewing: &Viewing,
        appearance: Appearance,
    ) -> Result<Self, NoPolicy> {
        match service(home, viewing, appearance)? {
            Some(client) => Ok(Self::Service(client)),
            None => {
                let asking = StoreAsking::with_tags(&home.store, viewing).await?;
                Ok(Self::Store(asking.with_catalog().await?))
            }
        }
    }

    /// Over the audit log, and none of the runs of a store. It can be read where the policy cannot.
    ///
    /// # Errors
    /// As for [`of`](Self::of).
    pub async fn of_log(home: &Home, viewing: &Viewing, appearance: Appearance) -> Result<Self, NoPolicy> {
        match service(home, viewing, appearance)? {
            Some(client) => Ok(Self::Service(client)),
            None => Ok(Self::Store(StoreAsking::of_log(&home.store, viewing).await?)),
        }
    }

    /// The answer to a question.
    ///
    /// # Errors
    /// [`NoPolicy`] where there is none.
    pub async fn ask<Q: Answerable>(&self, question: &Q) -> Result<Q::Document, NoPolicy> {
        match self {
            Self::Store(store) => Ok(question.answer(&store.ground()).await?),
            Self::Service(client) => Ok(question.asked_of(client)?),
        }
    }

    /// A trace as another tool reads it.
    ///
    /// # Errors
    /// As for [`ask`](Self::ask).
    pub async fn export(
        &self,
        question: &TraceQuestion,
        format: TraceFormat,
    ) -> Result<ServedText, NoPolicy> {
        match self {
            Self::Store(store) => {
                let export = guardbee_questions::export(&store.ground(), question, format).await?;
                Ok(ServedText { text: export.text, truncated: export.truncated })
            }
            Self::Service(client) => {
                let cannot = "the question cannot be asked";
                let format = serde_html_form::to_string([("format", format)]).context(cannot)?;
                let question = serde_html_form::to_string(question).context(cannot)?;
                Ok(client.get_text("/api/v1/trace/export", &format!("{format}&{question}"))?)
            }
        }
    }
}

/// Does anything name who is asked?
///
/// # Errors
/// What is named, and cannot be used.
pub fn is_named(home: &Home) -> Result<bool, NoPolicy> {
    Ok(match choose(home.store.store.is_some(), &home.service)? {
        Choice::Service(_) => true,
        Choice::Local => store::named(home.store.store.as_deref()).is_ok(),
    })
}

/// The service that is asked, where it is one.
///
/// # Errors
/// [`NoPolicy`] where it cannot be asked so.
fn service(home: &Home, viewing: &Viewing, appearance: Appearance) -> Result<Option<Client>, NoPolicy> {
    let found = client::service(home.store.store.is_some(), &home.service, appearance)?;
    if found.is_some() {
        let why = "it shows what the account of the token may see; ask with a token of that user";
        client::refuse(&[("--viewer", viewing.viewer.is_some())], why)?;
    }
    Ok(found)
}

/// What the questions of one command are asked of, where that is a store.
pub struct StoreAsking {
    storage: Arc<dyn Storage>,
    graph: Graph,
    calls: Arc<FunctionCalls>,
    catalog: Arc<Catalog>,
    index: DatasetIndex,
    policy: Policy,
    viewer: Viewer,
    user: String,
    now: Timestamp,
}

impl StoreAsking {
    async fn with_tags(store: &StoreArgument, viewing: &Viewing) -> Result<Self, NoPolicy> {
        let mut runs = Runs::of(store).await?;
        let known = Arc::default();
        let along = TagGround::over(runs.graph.clone(), &known, &*runs.storage, &runs.policy).await?;
        along.inherit(&mut runs.policy, AsOf::Now);
        Ok(Self { calls: along.calls, ..Self::over(runs, viewing)? })
    }

    async fn with_catalog(mut self) -> anyhow::Result<Self> {
        let catalog = recorded_catalog(&*self.storage, &self.catalog, HiveVersion::default()).await;
        self.catalog = Arc::new(catalog.context("cannot read the recorded runs")?);
        Ok(self)
    }

    async fn of_log(store: &StoreArgument, viewing: &Viewing) -> Result<Self, NoPolicy> {
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
        let (catalog, index) = (Arc::new(Catalog::new()), DatasetIndex::default());
        let calls = Arc::default();
        Ok(Self { storage, graph, calls, catalog, index, policy, viewer, user, now: SystemClock.now() })
    }

    #[must_use]
    pub fn ground(&self) -> Ground<'_> {
        Ground {
            storage: &*self.storage,
            graph: &self.graph,
            calls: &self.calls,
            catalog: &self.catalog,
            index: &self.index,
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
