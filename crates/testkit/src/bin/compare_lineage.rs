//! `compare-lineage [--histories N] [--seed N] [--threads N]`
//!
//! Gives N random histories (10000) to the lineage crate and the naive oracle, asks both the same questions, and prints what
//! kinds of answers there were. Ends with 1 at the first difference, which it prints as small as it could be made,
//! with 2 for wrong use.

use std::process::ExitCode;

use guardbee_testkit::compare::{Command, Extent, run};
use guardbee_testkit::lineage_oracle::count::compare_many;

fn main() -> ExitCode {
    let command = Command { name: "compare-lineage", subject: "histories", usual: 10_000 };
    run(command, |Extent { count, seed, threads }| compare_many(count, seed, threads))
}
