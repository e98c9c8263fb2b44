//! `compare-lineage [--histories N] [--seed N] [--threads N]`
//!
//! Gives N random histories (10000) to the lineage crate and the naive oracle, asks both the same questions, and prints what
//! kinds of answers there were. Ends with 1 at the first difference, which it prints as small as it could be made,
//! with 2 for wrong use.

use std::process::ExitCode;
use std::time::Instant;

use guardbee_testkit::generate::Random;
use guardbee_testkit::lineage_oracle::count::compare_many;

fn main() -> ExitCode {
    let (mut histories, mut seed) = (10_000, None);
    let mut threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments.next().and_then(|value| value.replace('_', "").parse::<u64>().ok());
        match (name.as_str(), value) {
            ("--histories", Some(count)) => histories = count,
            ("--seed", Some(number)) => seed = Some(number),
            ("--threads", Some(count)) => threads = usize::try_from(count).unwrap_or(1),
            _ => {
                eprintln!("usage: compare-lineage [--histories N] [--seed N] [--threads N]");
                return ExitCode::from(2);
            }
        }
    }
    let seed = seed.unwrap_or_else(Random::fresh_seed);
    println!("seed {seed}");
    let begin = Instant::now();
    match compare_many(histories, seed, threads) {
        Ok(counts) => {
            print!("{counts}");
            println!("no difference, in {:.1} s on {threads} threads", begin.elapsed().as_secs_f64());
            ExitCode::SUCCESS
        }
        Err(difference) => {
            println!("-- difference\n{}\n-- {}", difference.case, difference.what);
            ExitCode::from(1)
        }
    }
}
