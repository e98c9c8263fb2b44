//! `fuzz-hive [--seed N] [--statements N] [--records N] [--parsers 2,3,4,4.1,4.2] [--compilers 3,4] [--mutate FILE] [--reduce N]`
//!
//! Draws N statements (2000) for each parser and each compiler, asks the real Hive and Guardbee what they make of them, and prints the differences by kind, made as small as
//! possible. Ends with 1 if there are more of them than is allowed, with 2 for wrong use.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use guardbee_model::HiveVersion;
use guardbee_testkit::fuzz::{
    CompilingReport, Effort, Guardbee, ParsingReport, compare_compiling, compare_parsing,
};
use guardbee_testkit::generate::{Generator, INIT, RECORD_LENGTH, Random, Record, any_statement, mutate};
use guardbee_testkit::golden::read_golden;
use guardbee_testkit::score::{Count, Metric, print};

/// The least share in percent of statements that Hive accepts, and of those that it refuses, on which we have to agree.
const LEAST_ACCEPTED: f64 = 99.5;
const LEAST_REFUSED: f64 = 97.0;

/// The least share in percent that has to be right, by metric.
const LEAST_RIGHT: [(Metric, f64); 6] = [
    (Metric::Parsed, 99.9),
    (Metric::Op, 100.0),
    (Metric::Inputs, 99.0),
    (Metric::Outputs, 99.5),
    (Metric::LineageColumns, 98.5),
    (Metric::Kind, 95.0),
];

struct Settings {
    seed: u64,
    statements: usize,
    /// How many records the compilers get; as many as hold that many statements, unless given.
    records: usize,
    parsers: Vec<HiveVersion>,
    compilers: Vec<HiveVersion>,
    /// Golden files whose statements are mutated, beside those that are made up.
    mutated: Vec<PathBuf>,
    effort: Effort,
}

fn main() -> ExitCode {
    let settings = match Settings::read() {
        Ok(settings) => settings,
        Err(problem) => {
            eprintln!("{problem:#}");
            return ExitCode::from(2);
        }
    };
    println!("seed {}", settings.seed);
    match settings.run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(problem) => {
            eprintln!("{problem:#}");
            ExitCode::from(3)
        }
    }
}

impl Settings {
    fn read() -> Result<Self> {
        let mut settings = Self {
            seed: Random::fresh_seed(),
            statements: 2000,
            records: 0,
            parsers: HiveVersion::ALL.to_vec(),
            compilers: vec![HiveVersion::V3_1, HiveVersion::V4_0],
            mutated: Vec::new(),
            effort: Effort { reduced: 15 },
        };
        let mut records = None;
        let mut arguments = std::env::args().skip(1);
        while let Some(option) = arguments.next() {
            let value = arguments.next().with_context(|| format!("`{option}` needs a value"))?;
            match option.as_str() {
                "--seed" => settings.seed = value.parse()?,
                "--statements" => settings.statements = value.parse()?,
                "--records" => records = Some(value.parse()?),
                "--parsers" => settings.parsers = versions(&value)?,
                "--compilers" => settings.compilers = versions(&value)?,
                "--mutate" => settings.mutated.push(value.into()),
                "--reduce" => settings.effort.reduced = value.parse()?,
                _ => bail!("unknown option `{option}`"),
            }
        }
        settings.records = records.unwrap_or(settings.statements.div_ceil(RECORD_LENGTH));
        Ok(settings)
    }

    /// Whether all shares are as high as they have to be.
    fn run(&self) -> Result<bool> {
        let mut fine = true;
        let given = self.given_statements()?;
        let init = InitScript::write()?;
        let subject = Guardbee::new(&init.path)?;
        for &version in &self.parsers {
            let statements = self.statements(version, &given);
            let report = compare_parsing(&subject, version, &statements, self.effort)?;
            fine &= print_parsing(&report);
        }
        for &version in self.compilers.iter().filter(|_| self.records > 0) {
            let records = self.records(version);
            let report = compare_compiling(&subject, version, &records, &init.path, self.effort)?;
            fine &= print_compiling(&report)?;
        }
        Ok(fine)
    }

    fn given_statements(&self) -> Result<Vec<String>> {
        let mut given = Vec::new();
        for file in &self.mutated {
            for record in read_golden(file)? {
                let accepted = record?.statements.into_iter().filter(|statement| statement.op.is_some());
                given.extend(accepted.filter_map(|statement| statement.sql));
            }
        }
        Ok(given)
    }

    /// A third over the whole grammar, a third typed ones, a third mutations.
    fn statements(&self, version: HiveVersion, given: &[String]) -> Vec<String> {
        let mut random = Random::new(self.seed);
        let part = self.statements / 3;
        let mut statements: Vec<String> = (0..part).map(|_| any_statement(version, &mut random)).collect();
        let mut generator = Generator::new(self.seed, version);
        while statements.len() < 2 * part {
            statements.extend(generator.record("typed".into()).statements);
        }
        let sources = if given.is_empty() { statements.clone() } else { given.to_vec() };
        while statements.len() < self.statements {
            let source = sources[random.below(sources.len())].as_str();
            statements.push(mutate(source, &mut random));
        }
        statements
    }

    fn records(&self, version: HiveVersion) -> Vec<Record> {
        let mut generator = Generator::new(self.seed, version);
        (0..self.records)
            .map(|number| generator.record(format!("generated/{}-{number:04}", self.seed)))
            .collect()
    }
}

/// The tables of the records in a file, as long as it is needed.
struct InitScript {
    path: PathBuf,
}

impl InitScript {
    fn write() -> Result<Self> {
        let path = std::env::temp_dir().join(format!("guardbee-init-{}.sql", std::process::id()));
        std::fs::write(&path, INIT).with_context(|| format!("cannot write `{}`", path.display()))?;
        Ok(Self { path })
    }
}

impl Drop for InitScript {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

fn versions(list: &str) -> Result<Vec<HiveVersion>> {
    let names = list.split(',').filter(|name| !name.is_empty());
    names.map(|name| name.parse().with_context(|| format!("in `{list}`"))).collect()
}

fn print_parsing(report: &ParsingReport) -> bool {
    let (accepted, refused) = (report.accepted, report.refused);
    println!(
        "\n== parser of Hive {}: accepted {} of {} (at least {LEAST_ACCEPTED}), refused {} of {} (at least {LEAST_REFUSED})",
        report.version,
        accepted.shown(),
        accepted.total,
        refused.shown(),
        refused.total,
    );
    for (kind, differences) in report.by_kind() {
        println!("{:5} {kind}", differences.len());
        let shortest = differences.iter().map(|difference| difference.shortest()).min_by_key(|sql| sql.len());
        if let Some(sql) = shortest {
            println!("        {}", sql.replace('\n', "\n        "));
        }
    }
    accepted.percent().is_some_and(|percent| percent >= LEAST_ACCEPTED)
        && refused.percent().is_none_or(|percent| percent >= LEAST_REFUSED)
}

fn print_compiling(report: &CompilingReport) -> Result<bool> {
    println!(
        "\n== compiler of Hive {}: took {} of {} statements",
        report.version, report.compiled, report.statements
    );
    print(&report.tally, 0, None, &mut std::io::stdout().lock())?;
    for (kind, mismatches) in &report.kinds {
        println!("\n{:5} {kind}", mismatches.len());
        if let Some(mismatch) = mismatches.iter().min_by_key(|mismatch| mismatch.sql.len()) {
            println!("      {}", mismatch.sql.replace('\n', "\n      "));
            println!(
                "      {} want: {}\n      {} got:  {}",
                mismatch.place, mismatch.wanted, mismatch.place, mismatch.got
            );
        }
    }
    let mut fine = true;
    for (metric, least) in LEAST_RIGHT {
        let percent = report.tally.count(metric).map_or(100.0, Count::percent);
        if percent < least {
            println!("{} is {percent:.2} %, has to be {least} %", metric.name());
            fine = false;
        }
    }
    Ok(fine)
}
