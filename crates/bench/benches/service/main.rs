//! The service, as its callers meet it: the released binary over a store on disk, asked on the same machine.
//!
//! Throughput is measured by wrk, which keeps connections alive and asks again as soon as it is answered. Latency is
//! measured at half of that: questions are sent at their times whether or not those before are answered, and the time
//! counts from when one should have been sent. Every decision goes to the audit log in both.

mod client;
mod questions;
mod served;
mod wrk;

use std::time::{Duration, Instant};

use guardbee_bench::figures::{Comparison, Figures};
use guardbee_testkit::policy_load::PolicyLoad;

use client::{Client, Load};
use served::Served;

const SEED: u64 = 533_420;
/// Different questions; more would only cost wrk memory.
const QUESTIONS: usize = 5_000;
const CONNECTIONS: usize = 32;
const LASTS: Duration = Duration::from_secs(10);
const BATCH: usize = 10_000;
/// Connections that send batches at once.
const BATCHES: usize = 4;
const NAMES: usize = 100_000;

fn main() -> anyhow::Result<()> {
    let comparison = Comparison { name: "service", sizes: vec![1_000, 100_000], peers: &[], peers_up_to: 0 };
    comparison.run(|_, size| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(measured(PolicyLoad { entries: size, seed: SEED }))
    })
}

async fn measured(load: PolicyLoad) -> anyhow::Result<Figures> {
    let mut figures = Figures::new();
    let folder = tempfile::tempdir()?;
    let store = folder.path().join("guardbee.db");
    served::fill(&store, load).await?;

    let started = Instant::now();
    let served = Served::start(&store)?;
    let mut client = Client::connect(served.address).await?;
    client.get("/health/ready", "").await?;
    figures.insert("start to first answer".into(), (started.elapsed().as_secs_f64(), "s"));
    figures.insert("memory/idle".into(), (served.memory_bytes()? as f64 / 1e6, "MB"));
    let token = served.plug_in(&mut client).await?;

    let objects = questions::by_objects(load, QUESTIONS);
    let texts = questions::by_text(load, QUESTIONS);
    for (name, bodies) in [("objects", &objects), ("text", &texts)] {
        let Some(rate) = wrk::rate(served.address, &token, bodies, CONNECTIONS, LASTS, folder.path())? else {
            println!("service: wrk is missing (Debian: apt-get install wrk): throughput is left out");
            break;
        };
        figures.insert(format!("check by {name}/throughput"), (rate, "1/s"));
        let half = Load { rate: rate / 2.0, connections: CONNECTIONS, lasts: LASTS };
        let latencies = client::open_loop(served.address, &token, bodies, half).await?;
        figures.insert(format!("check by {name}/half load/p50"), (latencies.at(0.5) * 1e3, "ms"));
        figures.insert(format!("check by {name}/half load/p99"), (latencies.at(0.99) * 1e3, "ms"));
    }

    let any = vec![questions::batch(&objects, BATCH)];
    let tables: Vec<String> = (0..BATCHES).map(|user| questions::tables(load, user, BATCH)).collect();
    for (name, bodies) in [("of any user with 50 columns", any), ("of a user for tables", tables)] {
        let rate = client::repeated(served.address, &token, "/api/v1/check/batch", &bodies, LASTS).await?;
        figures.insert(format!("check in batches {name}/throughput"), (rate * BATCH as f64, "1/s"));
    }
    let names = vec![questions::names(load, NAMES)];
    let rate = client::repeated(served.address, &token, "/api/v1/show-filter", &names, LASTS).await?;
    figures.insert("show-filter of 100000 tables".into(), (1e3 / rate, "ms"));
    figures.insert("memory/after".into(), (served.memory_bytes()? as f64 / 1e6, "MB"));
    Ok(figures)
}
