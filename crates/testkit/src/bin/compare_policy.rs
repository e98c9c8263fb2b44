//! `compare-policy [--decisions N] [--seed N] [--threads N]`
//!
//! Asks the policy crate and the naive oracle N random questions (200000) about random policies, and prints what kinds of
//! answers there were. Ends with 1 at the first difference, which it prints as small as it could be made, with 2
//! for wrong use.

use std::process::ExitCode;

use guardbee_testkit::compare::{Command, Extent, run};
use guardbee_testkit::policy_oracle::count::compare_many;

fn main() -> ExitCode {
    let command = Command { name: "compare-policy", subject: "decisions", usual: 200_000 };
    run(command, |Extent { count, seed, threads }| compare_many(count, seed, threads))
}
