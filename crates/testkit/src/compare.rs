//! The commands that hold a crate to a naive oracle: how they are called, and how they end.

use std::fmt::Display;
use std::process::ExitCode;
use std::time::Instant;

use crate::generate::Random;

/// What is compared.
#[derive(Debug, Clone, Copy)]
pub struct Command {
    pub name: &'static str,
    /// What is counted: also the option that says how many.
    pub subject: &'static str,
    /// How many, unless said otherwise.
    pub usual: u64,
}

/// How much is compared, from which seed and on how many threads.
#[derive(Debug, Clone, Copy)]
pub struct Extent {
    pub count: u64,
    pub seed: u64,
    pub threads: usize,
}

/// A difference between a crate and its oracle.
#[derive(Debug, Clone)]
pub struct Difference {
    pub what: String,
    /// What was asked of what, as small as it could be made.
    pub case: String,
}

/// Compares as the command line says. Ends with 1 at the first difference, with 2 for wrong use.
pub fn run<C: Display>(
    command: Command,
    compare: impl FnOnce(Extent) -> Result<C, Box<Difference>>,
) -> ExitCode {
    let Some(extent) = extent(command, std::env::args().skip(1)) else {
        eprintln!("usage: {} [--{} N] [--seed N] [--threads N]", command.name, command.subject);
        return ExitCode::from(2);
    };
    println!("seed {}", extent.seed);
    let begin = Instant::now();
    match compare(extent) {
        Ok(counts) => {
            print!("{counts}");
            let seconds = begin.elapsed().as_secs_f64();
            println!("no difference, in {seconds:.1} s on {} threads", extent.threads);
            ExitCode::SUCCESS
        }
        Err(difference) => {
            println!("-- difference\n{}\n-- {}", difference.case, difference.what);
            ExitCode::from(1)
        }
    }
}

fn extent(command: Command, mut arguments: impl Iterator<Item = String>) -> Option<Extent> {
    let (mut count, mut seed) = (command.usual, None);
    let mut threads = std::thread::available_parallelism().map_or(1, usize::from);
    while let Some(name) = arguments.next() {
        let value = arguments.next()?.replace('_', "").parse::<u64>().ok()?;
        match name.strip_prefix("--")? {
            "seed" => seed = Some(value),
            "threads" => threads = usize::try_from(value).unwrap_or(1),
            option if option == command.subject => count = value,
            _ => return None,
        }
    }
    Some(Extent { count, seed: seed.unwrap_or_else(Random::fresh_seed), threads })
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMAND: Command = Command { name: "compare", subject: "decisions", usual: 7 };

    fn read(line: &str) -> Option<(u64, u64)> {
        let extent = extent(COMMAND, line.split_whitespace().map(str::to_owned))?;
        Some((extent.count, extent.seed))
    }

    #[test]
    fn options_come_in_any_order() {
        assert_eq!(read("--seed 3"), Some((7, 3)));
        assert_eq!(read("--threads 1 --seed 3 --decisions 1_000"), Some((1000, 3)));
    }

    #[test]
    fn what_is_no_option_is_wrong_use() {
        for line in ["--histories 3", "--seed", "--seed x", "seed 3", "3"] {
            assert_eq!(read(line), None, "{line}");
        }
    }
}
