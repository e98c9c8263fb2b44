//! Where data comes from, what is made of it, and the tags that go with it.

use std::sync::Arc;

use axum::http::HeaderName;
use guardbee_analysis::Catalog;
use guardbee_engine::accounts::Permission;
use guardbee_engine::tags::FunctionCalls;
use guardbee_engine::{PolicySnapshot, Viewer};
use guardbee_lineage::Graph;
use guardbee_policy::Policy;
use guardbee_questions::{
    Asker, Ground, HistoryQuestion, ImpactQuestion, LeaksQuestion, PathQuestion, TagsQuestion, TraceFormat,
    TraceQuestion, WhoCouldQuestion,
};
use guardbee_wire::lineage::{HistoryDocument, ImpactDocument, PathDocument, TraceDocument};
use guardbee_wire::tags::{LeaksDocument, TagsDocument, WhoCouldDocument};
use schemars::JsonSchema;
use serde::de::{Error as _, IntoDeserializer as _};
use serde::{Deserialize, Deserializer};

use super::rights::READS_POLICY;
use crate::endpoint::{Access, Call, Endpoint, Reply, Text};
use crate::problem::Problem;

/// Everybody sees what they may know of.
pub const SEES: Access =
    Access::Any(&[Permission::PolicyEditor, Permission::Steward, Permission::Auditor, Permission::User]);

/// Says of an export that a limit cut something off; its text has no place for that.
const TRUNCATED: HeaderName = HeaderName::from_static("guardbee-truncated");

const EXPORTS: &[&str] = &[
    TraceFormat::Dot.media_type(),
    TraceFormat::Mermaid.media_type(),
    TraceFormat::Csv.media_type(),
    TraceFormat::Graphml.media_type(),
    TraceFormat::Openlineage.media_type(),
    TraceFormat::Prov.media_type(),
];

pub fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get("/api/v1/trace", SEES, trace)
            .says("where does a dataset come from, or what is made of it?")
            .takes_long(),
        Endpoint::get_text("/api/v1/trace/export", SEES, EXPORTS, export)
            .says("the same in the form of other tools")
            .takes_long(),
        Endpoint::get("/api/v1/impact", SEES, impact)
            .says("who would miss a dataset or column?")
            .takes_long(),
        Endpoint::get("/api/v1/path", SEES, path)
            .says("how does data come from one place to another?")
            .takes_long(),
        Endpoint::get("/api/v1/history", SEES, history).says("what happened to a dataset?").takes_long(),
        Endpoint::get("/api/v1/tags", SEES, tags).says("what does a dataset carry, and why?").takes_long(),
        Endpoint::get("/api/v1/leaks", READS_POLICY, leaks)
            .says("who may read what was made of something that they may not read?")
            .takes_long(),
        Endpoint::get("/api/v1/who-could", READS_POLICY, who_could)
            .says("who could read a dataset and all that was made of it?")
            .takes_long(),
    ]
}

/// What questions of one call are asked of.
pub struct Asked {
    graph: Graph,
    calls: Arc<FunctionCalls>,
    catalog: Arc<Catalog>,
    policy: Arc<PolicySnapshot>,
    viewer: Viewer,
    call: Call,
}

impl Asked {
    /// # Errors
    /// The problem of a caller whose groups cannot be told.
    pub async fn of(call: Call) -> Result<Self, Problem> {
        let viewer = call.service.viewer(&call.caller).await?;
        let graph = call.service.lineage.snapshot().graph.clone();
        let (catalog, policy) = (call.service.engine.catalog(), call.service.engine.policy());
        let calls = call.service.engine.function_calls();
        Ok(Self { graph, calls, catalog, policy, viewer, call })
    }

    pub fn ground(&self) -> Ground<'_> {
        let policy: &Policy = &self.policy.policy;
        Ground {
            storage: &*self.call.service.storage,
            graph: &self.graph,
            calls: &self.calls,
            catalog: &self.catalog,
            index: &self.call.service.datasets,
            policy,
            viewer: &self.viewer,
            asker: Asker { user: &self.call.caller.name, client: &self.call.client },
            now: self.call.service.now(),
        }
    }
}

async fn trace(call: Call, question: TraceQuestion) -> Result<Reply<TraceDocument>, Problem> {
    let asked = Asked::of(call).await?;
    Ok(Reply::of(guardbee_questions::trace(&asked.ground(), &question).await?))
}

/// The form of an export, beside what is exported.
#[derive(Debug, JsonSchema)]
struct ExportQuestion {
    format: TraceFormat,
    #[schemars(flatten)]
    trace: TraceQuestion,
}

/// What is read of a flattened part loses its types in a query, so that the two are told apart here.
impl<'de> Deserialize<'de> for ExportQuestion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let pairs: Vec<(String, String)> = Vec::deserialize(deserializer)?;
        let (formats, pairs): (Vec<_>, Vec<_>) = pairs.into_iter().partition(|(name, _)| name == "format");
        let [(_, format)] = formats.as_slice() else { return Err(D::Error::missing_field("format")) };
        let format = TraceFormat::deserialize(format.as_str().into_deserializer())?;
        let trace = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
        Ok(Self { format, trace: serde_html_form::from_str(&trace).map_err(D::Error::custom)? })
    }
}

async fn export(call: Call, question: ExportQuestion) -> Result<Reply<Text>, Problem> {
    let asked = Asked::of(call).await?;
    let export = guardbee_questions::export(&asked.ground(), &question.trace, question.format).await?;
    let reply = Reply::of(Text { media_type: export.media_type, text: export.text });
    Ok(if export.truncated { reply.with_header(TRUNCATED, "true") } else { reply })
}

async fn impact(call: Call, question: ImpactQuestion) -> Result<Reply<ImpactDocument>, Problem> {
    let asked = Asked::of(call).await?;
    Ok(Reply::of(guardbee_questions::impact(&asked.ground(), &question).await?))
}

async fn path(call: Call, question: PathQuestion) -> Result<Reply<PathDocument>, Problem> {
    let asked = Asked::of(call).await?;
    Ok(Reply::of(guardbee_questions::path(&asked.ground(), &question).await?))
}

async fn history(call: Call, question: HistoryQuestion) -> Result<Reply<HistoryDocument>, Problem> {
    let asked = Asked::of(call).await?;
    Ok(Reply::of(guardbee_questions::history(&asked.ground(), &question).await?))
}

async fn tags(call: Call, question: TagsQuestion) -> Result<Reply<TagsDocument>, Problem> {
    let asked = Asked::of(call).await?;
    Ok(Reply::of(guardbee_questions::tags(&asked.ground(), &question).await?))
}

async fn leaks(call: Call, question: LeaksQuestion) -> Result<Reply<LeaksDocument>, Problem> {
    let asked = Asked::of(call).await?;
    Ok(Reply::of(guardbee_questions::leaks(&asked.ground(), &question).await?))
}

async fn who_could(call: Call, question: WhoCouldQuestion) -> Result<Reply<WhoCouldDocument>, Problem> {
    let asked = Asked::of(call).await?;
    Ok(Reply::of(guardbee_questions::who_could(&asked.ground(), &question).await?))
}
