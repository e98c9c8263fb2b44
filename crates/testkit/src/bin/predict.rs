//! `predict GOLDEN.jsonl[.gz] INIT.sql... [--hive-version V]`: what we say about the statements of a golden
//! file, one JSON object a line on standard output, in the format that `corpus/score.py` reads.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Context, Result};
use guardbee_model::HiveVersion;
use guardbee_testkit::golden::read_golden;
use guardbee_testkit::init::InitScripts;
use guardbee_testkit::predict::predict_record;

const USAGE: &str = "usage: predict GOLDEN.jsonl[.gz] INIT.sql... [--hive-version V]";

fn main() -> Result<()> {
    let arguments = Arguments::read()?;
    let mut scripts = InitScripts::read(&arguments.init)?;
    let mut output = BufWriter::new(io::stdout().lock());
    for record in read_golden(&arguments.golden)? {
        let record = record?;
        let version = arguments.version.unwrap_or_else(|| record.version());
        for prediction in predict_record(&record, scripts.catalog(&record, version), version) {
            serde_json::to_writer(&mut output, &prediction)?;
            output.write_all(b"\n")?;
        }
    }
    output.flush()?;
    Ok(())
}

struct Arguments {
    golden: PathBuf,
    init: Vec<PathBuf>,
    version: Option<HiveVersion>,
}

impl Arguments {
    fn read() -> Result<Self> {
        let mut version = None;
        let mut paths = Vec::new();
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            if word == "--hive-version" {
                version = Some(words.next().context(USAGE)?.parse()?);
            } else {
                paths.push(PathBuf::from(word));
            }
        }
        let mut paths = paths.into_iter();
        let golden = paths.next().context(USAGE)?;
        Ok(Self { golden, init: paths.collect(), version })
    }
}
