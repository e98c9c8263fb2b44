//! `score GOLDEN.jsonl[.gz] PREDICTIONS.jsonl[.gz]`: how right the predictions are, a line for each metric.
//!
//! `--only-predicted` leaves out records without predictions, `--recorded-by hive3|hive4` those of the other generation,
//! `--mask` leaves out lineage of which the compiler as judge says nothing useful (what passes a window function),
//! `--hook pre|post` lets only that hook's entities count, `--show N` prints mismatches, `--metric NAME` only that metric's.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use guardbee_testkit::fuzz::mask_lineage;
use guardbee_testkit::golden::read_golden;
use guardbee_testkit::score::{Hook, Options, print, read_predictions, score};

fn main() -> Result<()> {
    let mut options = Options::default();
    let mut masked = false;
    let (mut files, mut shown, mut metric): (Vec<PathBuf>, usize, Option<String>) = (Vec::new(), 0, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().with_context(|| format!("`{argument}` needs a value"));
        match argument.as_str() {
            "--only-predicted" => options.only_predicted = true,
            "--mask" => masked = true,
            "--recorded-by" => options.recorded_by = Some(value()?),
            "--hook" => options.hook = hook(&value()?)?,
            "--show" => shown = value()?.parse()?,
            "--metric" => metric = Some(value()?),
            _ if argument.starts_with("--") => bail!("unknown option `{argument}`"),
            _ => files.push(argument.into()),
        }
    }
    let [golden, predictions] = files.as_slice() else { bail!("usage: score GOLDEN PREDICTIONS") };
    let mut records = read_golden(golden)?.collect::<Result<Vec<_>>>()?;
    if masked {
        records.iter_mut().for_each(mask_lineage);
    }
    let tally = score(&records, &read_predictions(predictions)?, &options);
    print(&tally, shown, metric.as_deref(), &mut std::io::stdout().lock())?;
    Ok(())
}

fn hook(name: &str) -> Result<Hook> {
    match name {
        "either" => Ok(Hook::Either),
        "pre" => Ok(Hook::Pre),
        "post" => Ok(Hook::Post),
        _ => bail!("`{name}` is none of either, pre and post"),
    }
}
