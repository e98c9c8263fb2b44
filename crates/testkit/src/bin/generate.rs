//! Prints what the generator makes up, a JSON value a line, and the seed on standard error.
//!
//! ```text
//! generate records VERSION COUNT [SEED]                   records for oracle/run.sh
//! generate statements VERSION COUNT [SEED]                statements for oracle/parse.sh
//! generate mutations COUNT [SEED] < statements.jsonl      mutations of statements, for oracle/parse.sh
//! ```

use std::io::{BufRead, Write};

use anyhow::{Context, Result, bail};
use guardbee_model::HiveVersion;
use guardbee_testkit::generate::{Generator, Random, any_statement, mutate};

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let what = arguments.next().context("records, statements or mutations?")?;
    let version = if what == "mutations" { HiveVersion::default() } else { version(arguments.next())? };
    let count: usize = arguments.next().context("how many?")?.parse()?;
    let seed = arguments.next().map_or_else(|| Ok(Random::fresh_seed()), |seed| seed.parse())?;
    eprintln!("seed {seed}");
    match what.as_str() {
        "records" => records(version, count, seed),
        "statements" => statements(version, count, seed),
        "mutations" => mutations(count, seed),
        other => bail!("`{other}` is none of records, statements and mutations"),
    }
}

fn version(argument: Option<String>) -> Result<HiveVersion> {
    Ok(argument.context("which version of Hive?")?.parse()?)
}

fn records(version: HiveVersion, count: usize, seed: u64) -> Result<()> {
    let mut generator = Generator::new(seed, version);
    let mut out = std::io::stdout().lock();
    for number in 0..count {
        let record = generator.record(format!("generated/{seed}-{number:04}"));
        writeln!(out, "{}", serde_json::to_string(&record)?)?;
    }
    Ok(())
}

fn statements(version: HiveVersion, count: usize, seed: u64) -> Result<()> {
    let mut random = Random::new(seed);
    let mut out = std::io::stdout().lock();
    for _ in 0..count {
        writeln!(out, "{}", serde_json::to_string(&any_statement(version, &mut random))?)?;
    }
    Ok(())
}

fn mutations(count: usize, seed: u64) -> Result<()> {
    let lines = std::io::stdin().lock().lines().collect::<Result<Vec<_>, _>>()?;
    let given = lines.iter().map(|line| serde_json::from_str(line)).collect::<Result<Vec<String>, _>>()?;
    if given.is_empty() {
        bail!("no statements on standard input");
    }
    let mut random = Random::new(seed);
    let mut out = std::io::stdout().lock();
    for _ in 0..count {
        let sql = random.pick(&given).clone();
        writeln!(out, "{}", serde_json::to_string(&mutate(&sql, &mut random))?)?;
    }
    Ok(())
}
