//! How fast decisions are at three sizes of a policy, and what the policy costs; with the crates `cedar-policy`
//! and `casbin` on the same policy in the same run.
//!
//! Every size runs in a process of its own, so that memory is that policy's alone. Each question is asked in
//! three rounds over all questions; its time is the shortest of the three, since on a shared machine the longer
//! ones measure the neighbours. The peers are asked the easier question: the table as a whole, without its columns.

mod casbin_peer;
mod cedar_peer;
mod instructions;
mod ours;

use guardbee_bench::figures::Comparison;
use guardbee_testkit::policy_load::PolicyLoad;

/// That of the binary, so that a figure here is a figure there.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const SEED: u64 = 7;

fn main() -> anyhow::Result<()> {
    let comparison = Comparison {
        name: "policy",
        sizes: vec![1_000, 100_000, 1_000_000],
        peers: &["cedar", "casbin"],
        // At more entries than this a decision of a peer takes seconds, and its policy gigabytes.
        peers_up_to: 100_000,
    };
    comparison.run(|who, size| {
        let load = PolicyLoad { entries: size, seed: SEED };
        match who {
            "ours" => ours::measure(load),
            "instructions" => instructions::run(load),
            "cedar" => cedar_peer::measure(load),
            "casbin" => casbin_peer::measure(load),
            _ => anyhow::bail!("who is `{who}`?"),
        }
    })
}
