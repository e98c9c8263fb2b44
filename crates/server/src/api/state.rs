//! Health, version, metrics, and the document that says what can be asked.

use std::sync::LazyLock;

use guardbee_engine::accounts::Permission;
use guardbee_wire::service::state::{Alive, Health, Version};
use serde_json::Value;

use crate::endpoint::{Access, Call, Endpoint, Reply, Text};
use crate::openapi::{self, NoQuestion};
use crate::problem::Problem;

const METRICS: &str = "text/plain; version=0.0.4; charset=utf-8";

pub fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get("/health/live", Access::Anyone, live).says("does the server live?"),
        Endpoint::get("/health/ready", Access::Anyone, ready)
            .says("may the server be asked, and if not, why?"),
        Endpoint::get("/api/v1/version", Access::Anyone, version).says("which Guardbee answers?"),
        Endpoint::get("/api/v1/openapi.json", Access::Anyone, document).says("what can be asked"),
        Endpoint::get_text("/metrics", Access::Any(&[Permission::Auditor]), &[METRICS], metrics)
            .says("what the server counts, for Prometheus"),
    ]
}

async fn live(_: Call, _: NoQuestion) -> Result<Reply<Alive>, Problem> {
    Ok(Reply::of(Alive { alive: true }))
}

async fn ready(call: Call, _: NoQuestion) -> Result<Reply<Health>, Problem> {
    let service = &call.service;
    let away = service.contact.lost_for();
    let mut reasons = Vec::new();
    let ready = service.admit_decisions().is_ok();
    if let Some(away) = away {
        let then = if ready { "decisions go on by what was known then" } else { "nothing is allowed" };
        reasons.push(format!("the store has been away for {} s: {then}", away.as_secs()));
    }
    let health = Health {
        ready,
        reasons,
        policy_version: service.engine.policy().version.0,
        runs: service.lineage.snapshot().head.newest.0,
        store_away_ms: service.contact.lost_for_ms(),
        up_seconds: service.started_at.elapsed().as_secs(),
    };
    if ready {
        return Ok(Reply::of(health));
    }
    let reasons = health.reasons.join("; ");
    Err(Problem::busy("not-ready", reasons, std::time::Duration::from_secs(1)))
}

async fn version(call: Call, _: NoQuestion) -> Result<Reply<Version>, Problem> {
    let engine = &call.service.engine;
    Ok(Reply::of(Version {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        rule_book: engine.policy().policy.settings().rule_book.as_str().to_owned(),
        hive_version: engine.hive_version().to_string(),
    }))
}

async fn document(_: Call, _: NoQuestion) -> Result<Reply<Value>, Problem> {
    // It is the same for every call of a process.
    static DOCUMENT: LazyLock<Value> = LazyLock::new(|| openapi::document(&super::endpoints()));
    Ok(Reply::of(DOCUMENT.clone()))
}

async fn metrics(call: Call, _: NoQuestion) -> Result<Reply<Text>, Problem> {
    let service = &call.service;
    let metrics = &service.metrics;
    metrics.policy_version.set(service.engine.policy().version.0);
    metrics.runs.set(service.lineage.snapshot().head.newest.0);
    metrics.audit_written.set(service.trail.written());
    metrics.audit_waiting.set(service.trail.waiting() as u64);
    metrics.store_away_seconds.set(service.contact.lost_for().map_or(0.0, |away| away.as_secs_f64()));
    Ok(Reply::of(Text { media_type: METRICS, text: metrics.text() }))
}
