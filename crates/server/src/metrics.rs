//! What the service counts, in the text of Prometheus.

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use guardbee_engine::Outcome;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use crate::endpoint::Endpoint;

/// Upper bounds, in seconds.
const BUCKETS: [f64; 14] =
    [0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 1.0, 5.0, 30.0];

/// Everything that is counted.
pub(crate) struct Metrics {
    registry: Registry,
    calls: Family<CallLabels, Counter>,
    times: Family<RouteLabels, Histogram, fn() -> Histogram>,
    pub connections: Gauge,
    pub refused_connections: Counter,
    pub decisions: Decisions,
    pub policy_version: Gauge<u64, AtomicU64>,
    pub runs: Gauge<u64, AtomicU64>,
    pub audit_written: Gauge<u64, AtomicU64>,
    pub audit_waiting: Gauge<u64, AtomicU64>,
    pub store_away_seconds: Gauge<f64, AtomicU64>,
    pub does_jobs: Gauge,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RouteLabels {
    method: &'static str,
    route: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct CallLabels {
    method: &'static str,
    route: &'static str,
    status: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct DecisionLabels {
    outcome: &'static str,
}

/// Decisions by outcome, each counter looked up once.
pub(crate) struct Decisions {
    allowed: Counter,
    denied: Counter,
    wrong: Counter,
}

impl Decisions {
    fn of(family: &Family<DecisionLabels, Counter>) -> Self {
        let counter =
            |outcome: Outcome| family.get_or_create_owned(&DecisionLabels { outcome: outcome.as_str() });
        Self {
            allowed: counter(Outcome::Allowed),
            denied: counter(Outcome::Denied),
            wrong: counter(Outcome::Error),
        }
    }

    pub fn count(&self, outcome: Outcome) {
        let counter = match outcome {
            Outcome::Allowed => &self.allowed,
            Outcome::Denied => &self.denied,
            Outcome::Error => &self.wrong,
        };
        counter.inc();
    }
}

/// What is counted of the calls of one endpoint, looked up once.
#[derive(Clone)]
pub(crate) struct CallMetrics {
    /// By the hundreds of their status.
    by_class: [Counter; 5],
    times: Histogram,
}

impl CallMetrics {
    pub fn count(&self, status: u16, took: Duration) {
        if let Some(counter) = self.by_class.get(usize::from(status / 100).saturating_sub(1)) {
            counter.inc();
        }
        self.times.observe(took.as_secs_f64());
    }
}

impl Metrics {
    pub fn new() -> Self {
        let mut registry = Registry::with_prefix("guardbee");
        let decisions = Family::default();
        let metrics = Self {
            calls: Family::default(),
            times: Family::new_with_constructor(|| Histogram::new(BUCKETS)),
            connections: Gauge::default(),
            refused_connections: Counter::default(),
            decisions: Decisions::of(&decisions),
            policy_version: Gauge::default(),
            runs: Gauge::default(),
            audit_written: Gauge::default(),
            audit_waiting: Gauge::default(),
            store_away_seconds: Gauge::default(),
            does_jobs: Gauge::default(),
            registry: Registry::default(),
        };
        registry.register("http_requests", "Calls, by route and status", metrics.calls.clone());
        registry.register_with_unit(
            "http_request_duration",
            "Time to the answer",
            Unit::Seconds,
            metrics.times.clone(),
        );
        registry.register("connections", "Connections that are open", metrics.connections.clone());
        registry.register(
            "refused_connections",
            "Connections for which there was no room",
            metrics.refused_connections.clone(),
        );
        registry.register("decisions", "Decisions, by outcome", decisions);
        registry.register(
            "policy_version",
            "The version of the policy that decides",
            metrics.policy_version.clone(),
        );
        registry.register("runs", "Runs in the graph that answers", metrics.runs.clone());
        registry.register(
            "audit_written",
            "Records of the audit log written since the start",
            metrics.audit_written.clone(),
        );
        registry.register(
            "audit_waiting",
            "Batches of records that wait to be written",
            metrics.audit_waiting.clone(),
        );
        registry.register_with_unit(
            "store_away",
            "How long the store has been away",
            Unit::Seconds,
            metrics.store_away_seconds.clone(),
        );
        registry.register(
            "does_jobs",
            "1 where this server does what is done by one alone",
            metrics.does_jobs.clone(),
        );
        Self { registry, ..metrics }
    }

    /// What is counted of an endpoint.
    pub fn of(&self, endpoint: &Endpoint) -> CallMetrics {
        let method = match endpoint.method.as_str() {
            "GET" => "GET",
            "POST" => "POST",
            "PUT" => "PUT",
            "DELETE" => "DELETE",
            _ => "other",
        };
        let route = endpoint.path;
        let counter = |status| self.calls.get_or_create_owned(&CallLabels { method, route, status });
        CallMetrics {
            by_class: ["1xx", "2xx", "3xx", "4xx", "5xx"].map(counter),
            times: self.times.get_or_create_owned(&RouteLabels { method, route }),
        }
    }

    /// All of it.
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Text takes whatever is written to it.
        let _ = encode(&mut text, &self.registry);
        text
    }
}
