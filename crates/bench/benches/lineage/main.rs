//! How fast lineage is traced at three sizes of a history, and what it costs; with the crate `petgraph` and a
//! recursive query of SQLite on the same edges in the same run.
//!
//! `GUARDBEE_BENCH_LARGE=1` adds a hundred million edges, which takes minutes and gigabytes. The peers know nodes
//! and edges by number only: no names, no time, nothing that is current or not. Times are of the processor, but for
//! the ingest, for a run that is recorded and seen, and for a tag until decisions know it, which are by the clock.

mod applied;
mod closures;
mod ours;
mod petgraph_peer;
mod sqlite_peer;

use guardbee_bench::figures::Comparison;
use guardbee_testkit::lineage_load::LineageLoad;

/// That of the binary, so that a figure here is a figure there.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const SEED: u64 = 7;

fn main() -> anyhow::Result<()> {
    let mut sizes = vec![1_000_000, 10_000_000];
    if std::env::var_os("GUARDBEE_BENCH_LARGE").is_some_and(|value| value == "1") {
        sizes.push(100_000_000);
    }
    let comparison =
        Comparison { name: "lineage", sizes, peers: &["petgraph", "sqlite"], peers_up_to: 10_000_000 };
    comparison.run(|who, size| {
        let load = LineageLoad { edges: size, seed: SEED };
        match who {
            "ours" => ours::measure(load),
            "petgraph" => petgraph_peer::measure(load),
            "sqlite" => sqlite_peer::measure(load),
            _ => anyhow::bail!("who is `{who}`?"),
        }
    })
}
