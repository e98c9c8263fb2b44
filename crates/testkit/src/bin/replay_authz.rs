//! `replay-authz GOLDEN.jsonl[.gz] INIT.sql...`: what we allow and refuse of the statements of recorded tests,
//! one JSON object a line on standard output, in the format that `corpus/score_authz.py` reads. With `--score`
//! how it agrees with what Hive recorded, and with `--show N` the first N differences as well.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Context, Result};
use guardbee_testkit::golden::read_golden;
use guardbee_testkit::init::InitScripts;
use guardbee_testkit::replay::replay_record;
use guardbee_testkit::replay::score::Tally;

const USAGE: &str = "usage: replay-authz GOLDEN.jsonl[.gz] INIT.sql... [--score [--show N]]";

fn main() -> Result<()> {
    let arguments = Arguments::read()?;
    let mut scripts = InitScripts::read(&arguments.init)?;
    let mut output = BufWriter::new(io::stdout().lock());
    let mut tally = Tally::default();
    for record in read_golden(&arguments.golden)? {
        let record = record?;
        let predictions = replay_record(&record, scripts.catalog(&record, record.version()))?;
        if arguments.score {
            tally.add(&record, &predictions);
            continue;
        }
        for prediction in predictions {
            serde_json::to_writer(&mut output, &prediction)?;
            output.write_all(b"\n")?;
        }
    }
    if arguments.score {
        for difference in tally.differences().iter().take(arguments.show) {
            writeln!(output, "{difference}")?;
        }
        write!(output, "{tally}")?;
    }
    output.flush()?;
    Ok(())
}

struct Arguments {
    golden: PathBuf,
    init: Vec<PathBuf>,
    score: bool,
    show: usize,
}

impl Arguments {
    fn read() -> Result<Self> {
        let mut paths = Vec::new();
        let mut score = false;
        let mut show = 0;
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            match word.as_str() {
                "--score" => score = true,
                "--show" => show = words.next().context(USAGE)?.parse()?,
                _ => paths.push(PathBuf::from(word)),
            }
        }
        let mut paths = paths.into_iter();
        let golden = paths.next().context(USAGE)?;
        Ok(Self { golden, init: paths.collect(), score, show })
    }
}
