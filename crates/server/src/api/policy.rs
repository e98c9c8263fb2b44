//! The policy as a text, its versions, and changing it as a whole.
//!
//! The version of a policy is its entity tag: who changes it says by `If-Match` which one they have seen.

use axum::http::header::{ETAG, IF_MATCH};
use axum::http::{HeaderMap, StatusCode};
use guardbee_engine::accounts::Permission;
use guardbee_engine::store::{At, PolicyVersion};
use guardbee_engine::{EngineOptions, PolicySnapshot, policy_sql};
use guardbee_policy::Settings;
use guardbee_questions::Asker;
use guardbee_questions::policy::{
    ApplyRequest, Lockout, PlanQuestion, PolicyChange, PolicyDifferenceQuestion, PolicyVersionsQuestion,
    RestoreRequest, apply as apply_policy, desired, difference as differ, plan as plan_policy,
    restore as restore_policy, versions as versions_of,
};
use guardbee_wire::policy::{ChangeDocument, DifferenceDocument, HistoryDocument, PlanDocument};
use guardbee_wire::service::policy::PolicyAnswer;
use schemars::JsonSchema;
use serde::Deserialize;

use super::rights::READS_POLICY;
use crate::endpoint::{Access, Call, Endpoint, Reply};
use crate::problem::Problem;

const EDITS: Access = Access::Any(&[Permission::PolicyEditor]);

pub fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get("/api/v1/policy", READS_POLICY, policy)
            .says("the policy as the statements that make it")
            .takes_long(),
        Endpoint::get("/api/v1/policy/versions", READS_POLICY, versions)
            .says("who changed the policy, when and why")
            .takes_long(),
        Endpoint::get("/api/v1/policy/diff", READS_POLICY, difference)
            .says("what changed from one version to another?")
            .takes_long(),
        Endpoint::post("/api/v1/policy/plan", READS_POLICY, plan)
            .says("what would change if the policy became what texts state?")
            .takes_long(),
        Endpoint::post("/api/v1/policy/apply", EDITS, apply)
            .changes()
            .says("make the policy what texts state, all of it or nothing")
            .takes_long(),
        Endpoint::post("/api/v1/policy/restore", EDITS, restore)
            .changes()
            .says("make the policy what it was at a version")
            .takes_long(),
    ]
}

/// The policy as the statements that make it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PolicyQuestion {
    /// As it was at this version; as it is unless given.
    version: Option<u64>,
    /// Beside the statements all of it as JSON, with what statements do not say.
    #[serde(default)]
    whole: bool,
}

async fn policy(call: Call, asked: PolicyQuestion) -> Result<Reply<PolicyAnswer>, Problem> {
    let snapshot = match asked.version {
        None => call.service.engine.policy(),
        Some(version) => {
            let at = At::Version(PolicyVersion(version));
            PolicySnapshot::load(&*call.service.storage, at).await?.into()
        }
    };
    let mut answer = PolicyAnswer::of(snapshot.version, &policy_sql(&snapshot.policy));
    let write = call.service.options.write_policy.filter(|_| asked.whole);
    answer.json = write.map(|write| write(&snapshot.policy));
    Ok(Reply::of(answer).with_header(ETAG, &entity_tag(snapshot.version)))
}

async fn versions(call: Call, question: PolicyVersionsQuestion) -> Result<Reply<HistoryDocument>, Problem> {
    Ok(Reply::of(versions_of(&*call.service.storage, &question).await?))
}

async fn difference(
    call: Call,
    question: PolicyDifferenceQuestion,
) -> Result<Reply<DifferenceDocument>, Problem> {
    Ok(Reply::of(differ(&*call.service.storage, &question).await?))
}

async fn plan(call: Call, question: PlanQuestion) -> Result<Reply<PlanDocument>, Problem> {
    let engine = &call.service.engine;
    let snapshot = engine.policy();
    let document = plan_policy(&snapshot, &question, || options(&call), call.service.now()).await?;
    Ok(Reply::of(document).with_header(ETAG, &entity_tag(snapshot.version)))
}

async fn apply(call: Call, asked: ApplyRequest) -> Result<Reply<ChangeDocument>, Problem> {
    let change = change(&call, &asked.reason, asked.base, asked.lockout)?;
    let desired = desired(&asked.files, &Settings::default(), options(&call)).await?;
    changed(&call, apply_policy(&call.service.engine, &desired, change).await?)
}

async fn restore(call: Call, asked: RestoreRequest) -> Result<Reply<ChangeDocument>, Problem> {
    let change = change(&call, &asked.reason, asked.base, asked.lockout)?;
    let (service, version) = (&call.service, PolicyVersion(asked.version));
    changed(&call, restore_policy(&service.engine, &*service.storage, version, change).await?)
}

/// A change by who calls.
fn change<'c>(
    call: &'c Call,
    reason: &'c str,
    stated: Option<u64>,
    lockout: Lockout,
) -> Result<PolicyChange<'c>, Problem> {
    Ok(PolicyChange {
        asker: Asker { user: &call.caller.name, client: &call.client },
        reason,
        base: base(&call.headers, stated)?,
        lockout,
        now: call.service.now(),
    })
}

fn changed(call: &Call, document: ChangeDocument) -> Result<Reply<ChangeDocument>, Problem> {
    let version = call.service.engine.policy().version;
    Ok(Reply::of(document).with_header(ETAG, &entity_tag(version)))
}

/// What texts and past statements are judged with: the warehouse as it is known.
fn options(call: &Call) -> EngineOptions {
    let engine = &call.service.engine;
    EngineOptions {
        hive_version: engine.hive_version(),
        catalog: (*engine.catalog()).clone(),
        completeness: guardbee_engine::Completeness::Partial,
        ..EngineOptions::default()
    }
}

fn entity_tag(version: PolicyVersion) -> String {
    format!("\"{}\"", version.0)
}

/// The version that must be the latest, by `If-Match` or by what was sent.
fn base(headers: &HeaderMap, stated: Option<u64>) -> Result<Option<PolicyVersion>, Problem> {
    let Some(tag) = headers.get(IF_MATCH) else { return Ok(stated.map(PolicyVersion)) };
    let tag = tag.to_str().unwrap_or_default().trim();
    if tag == "*" {
        return Ok(stated.map(PolicyVersion));
    }
    let version = tag.trim_matches('"').parse().map_err(|_| {
        Problem::malformed("`If-Match` is no version of the policy")
            .with_hint("send the `ETag` that came with it")
    })?;
    if stated.is_some_and(|stated| stated != version) {
        let detail = "`If-Match` and `base` name different versions";
        return Err(Problem::new(StatusCode::BAD_REQUEST, "two-versions", detail));
    }
    Ok(Some(PolicyVersion(version)))
}
