//! `mutations FILE.jsonl[.gz] [--version V] [--show N] [--kind WORDS]`: how far our parser accepts and
//! refuses what Hive's parsers do, and with `--show` where it does not, by kind of statement.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use guardbee_model::HiveVersion;
use guardbee_testkit::mutations::{Agreement, JudgedStatement, read_judged_statements};

struct Options {
    file: PathBuf,
    versions: Vec<HiveVersion>,
    /// How many misses of a kind are shown.
    shown: usize,
    /// Only kinds that hold these words are shown.
    kind: String,
}

fn main() -> Result<()> {
    let options = Options::read()?;
    let statements = read_judged_statements(&options.file)?;
    for &version in &options.versions {
        report(&statements, version, &options);
    }
    Ok(())
}

impl Options {
    fn read() -> Result<Self> {
        let mut file = None;
        let mut options =
            Self { file: PathBuf::new(), versions: HiveVersion::ALL.to_vec(), shown: 0, kind: String::new() };
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().with_context(|| format!("`{argument}` needs a value"));
            match argument.as_str() {
                "--version" => options.versions = vec![value()?.parse()?],
                "--show" => options.shown = value()?.parse()?,
                "--kind" => options.kind = value()?,
                _ if argument.starts_with("--") => bail!("unknown option `{argument}`"),
                _ => file = Some(PathBuf::from(argument)),
            }
        }
        options.file = file.context("usage: mutations FILE [--version V] [--show N] [--kind WORDS]")?;
        Ok(options)
    }
}

fn report(statements: &[JudgedStatement], version: HiveVersion, options: &Options) {
    let agreement = Agreement::measure(statements, version);
    println!(
        "Hive {version}: accepted {} of {}, refused {} of {}",
        agreement.accepted.shown(),
        agreement.accepted.total,
        agreement.refused.shown(),
        agreement.refused.total,
    );
    if options.shown == 0 {
        return;
    }
    for (kind, misses) in agreement.misses_by_kind() {
        if !kind.contains(&options.kind) {
            continue;
        }
        println!("  {kind}: {}", misses.len());
        for miss in misses.iter().take(options.shown) {
            println!("    {}", miss.sql.replace('\n', " "));
            if let Some(refusal) = &miss.refusal {
                println!("      at {}: {}", refusal.span.start, refusal.message);
            }
        }
    }
}
