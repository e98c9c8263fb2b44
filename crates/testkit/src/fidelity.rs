//! How close we are to Hive, over all corpora that lie in a folder: every figure with the bar it must hold.

use std::path::{Path, PathBuf};

use anyhow::Result;
use guardbee_model::HiveVersion;

use crate::cases::{Outcome, run_cases};
use crate::golden::read_golden;
use crate::init::InitScripts;
use crate::mutations::{Agreement, read_judged_statements};
use crate::predict::predict_record;
use crate::replay::{self, replay_record};
use crate::score::{self, Metric, Options, Predictions};

/// A bar: this metric of this corpus in percent, or as a count of rows.
#[derive(Debug, Clone, Copy)]
enum Bar {
    Percent(f64),
    Rows(usize),
    /// All but this share of the rows, in percent.
    Failures(f64),
}

const GOLDEN: &[(Metric, Bar)] = &[
    (Metric::Parsed, Bar::Percent(99.9)),
    (Metric::Op, Bar::Percent(99.8)),
    (Metric::Inputs, Bar::Percent(98.3)),
    (Metric::Outputs, Bar::Percent(99.5)),
    (Metric::LineageColumns, Bar::Percent(98.5)),
    (Metric::Kind, Bar::Percent(97.0)),
    (Metric::FullyRight, Bar::Percent(96.5)),
];

const GENERATED: &[(Metric, Bar)] = &[
    (Metric::Parsed, Bar::Percent(99.9)),
    (Metric::Op, Bar::Percent(100.0)),
    (Metric::Inputs, Bar::Percent(99.0)),
    (Metric::Outputs, Bar::Percent(99.5)),
    (Metric::LineageColumns, Bar::Percent(98.5)),
    (Metric::Kind, Bar::Percent(95.0)),
];

const AUTHORIZATION: &[(replay::score::Metric, Bar)] = &[
    (replay::score::Metric::Allowed, Bar::Percent(99.0)),
    (replay::score::Metric::Denied, Bar::Percent(97.0)),
    (replay::score::Metric::Missing, Bar::Percent(95.0)),
    (replay::score::Metric::Output, Bar::Percent(95.0)),
];

/// In the golden sets: statements that Hive refuses for want of rights. Six more fail for other reasons, in
/// words that read alike.
const REFUSALS: &[(replay::score::Metric, Bar)] = &[(replay::score::Metric::Denied, Bar::Rows(38))];

/// Statements that Hive's parser refuses in the golden set, and how many of them we must refuse.
const REJECTS: (Metric, Bar) = (Metric::RejectsParse, Bar::Rows(24));
/// The mean over files of each file's lineage, in percent.
const MEAN_OVER_FILES: f64 = 98.0;
const ACCEPTED: f64 = 99.5;
const REFUSED: f64 = 97.0;
/// Rows of other tools' cases that may fail, in percent.
const CASE_FAILURES: f64 = 3.0;

/// One figure.
#[derive(Debug, Clone)]
pub struct Figure {
    pub corpus: String,
    pub what: String,
    pub right: usize,
    pub total: usize,
    /// In percent.
    pub value: f64,
    /// The bar as people read it; none where the figure only informs.
    pub bar: Option<String>,
    pub holds: bool,
}

/// All figures of a folder, and the corpora that are not there.
#[derive(Debug, Default)]
pub struct Board {
    pub figures: Vec<Figure>,
    pub missing: Vec<String>,
}

impl Board {
    /// Measures every corpus in `folder`, the `corpus` folder of the shared material.
    ///
    /// # Errors
    /// A file that is there cannot be read.
    pub fn measure(folder: &Path) -> Result<Self> {
        let mut board = Self::default();
        for (name, bars) in [
            ("hive-golden-dev", GOLDEN),
            ("hive31-golden-dev", GOLDEN),
            ("hive313-generated-dev", GENERATED),
            ("hive401-generated-dev", GENERATED),
        ] {
            board.golden(folder, name, bars)?;
        }
        for (name, bars) in [
            ("hive-authorization-dev", AUTHORIZATION),
            ("hive31-authorization-dev", AUTHORIZATION),
            ("hive-golden-dev", REFUSALS),
            ("hive31-golden-dev", REFUSALS),
        ] {
            board.authorization(folder, name, bars)?;
        }
        board.mutations(folder, "parse-mutations-dev")?;
        for name in ["sqllineage-dev", "hive-probes-dev", "openlineage-hive-dev"] {
            board.cases(folder, name)?;
        }
        Ok(board)
    }

    #[must_use]
    pub fn passed(&self) -> usize {
        self.figures.iter().filter(|figure| figure.holds).count()
    }

    #[must_use]
    pub fn failed(&self) -> usize {
        self.figures.len() - self.passed()
    }

    fn golden(&mut self, folder: &Path, name: &str, bars: &[(Metric, Bar)]) -> Result<()> {
        let path = folder.join(format!("{name}.jsonl.gz"));
        if !path.is_file() {
            self.missing.push(name.to_owned());
            return Ok(());
        }
        let mut scripts = InitScripts::read(&init_scripts(folder))?;
        let records = read_golden(&path)?.collect::<Result<Vec<_>>>()?;
        let predictions = records.iter().flat_map(|record| {
            let version = record.version();
            predict_record(record, scripts.catalog(record, version), version)
        });
        let predictions = Predictions::of(predictions.map(score::Prediction::from))?;
        let tally = score::score(&records, &predictions, &Options::default());
        for metric in Metric::ALL {
            let Some(count) = tally.count(metric) else { continue };
            let is_main = name == "hive-golden-dev";
            let bar = bars.iter().chain(is_main.then_some(&REJECTS)).find(|(barred, _)| *barred == metric);
            self.add(name, metric.name(), count.right, count.total, bar.map(|(_, bar)| *bar));
        }
        if let Some((files, mean)) = tally.mean_over_files() {
            let bar = (bars.len() == GOLDEN.len()).then_some(MEAN_OVER_FILES);
            self.figures.push(Figure {
                corpus: name.to_owned(),
                what: "lineage/macro".to_owned(),
                right: 0,
                total: files,
                value: mean * 100.0,
                bar: bar.map(|bar| format!("{bar} %")),
                holds: bar.is_none_or(|bar| mean * 100.0 >= bar),
            });
        }
        Ok(())
    }

    fn authorization(
        &mut self,
        folder: &Path,
        name: &str,
        bars: &[(replay::score::Metric, Bar)],
    ) -> Result<()> {
        let path = folder.join(format!("{name}.jsonl.gz"));
        if !path.is_file() {
            self.missing.push(name.to_owned());
            return Ok(());
        }
        let mut scripts = InitScripts::read(&init_scripts(folder))?;
        let mut tally = replay::score::Tally::default();
        for record in read_golden(&path)? {
            let record = record?;
            let catalog = scripts.catalog(&record, record.version());
            tally.add(&record, &replay_record(&record, catalog)?);
        }
        for (metric, bar) in bars {
            let count = tally.count(*metric);
            self.add(name, &format!("authorization/{}", metric.name()), count.right, count.total, Some(*bar));
        }
        Ok(())
    }

    fn mutations(&mut self, folder: &Path, name: &str) -> Result<()> {
        let path = folder.join(format!("{name}.jsonl.gz"));
        if !path.is_file() {
            self.missing.push(name.to_owned());
            return Ok(());
        }
        let statements = read_judged_statements(&path)?;
        for version in HiveVersion::ALL {
            let agreement = Agreement::measure(&statements, version);
            for (word, share, bar) in
                [("accepted", agreement.accepted, ACCEPTED), ("refused", agreement.refused, REFUSED)]
            {
                let what = format!("{word} by Hive {version}");
                self.add(name, &what, share.agreed, share.total, Some(Bar::Percent(bar)));
            }
        }
        Ok(())
    }

    fn cases(&mut self, folder: &Path, name: &str) -> Result<()> {
        let path = folder.join(format!("{name}.jsonl"));
        if !path.is_file() {
            self.missing.push(name.to_owned());
            return Ok(());
        }
        let results = run_cases(&path)?;
        let passed = results.iter().filter(|result| result.outcome == Outcome::Passed).count();
        let skipped = results.iter().filter(|result| result.outcome == Outcome::Skipped).count();
        let bar = if name.starts_with("openlineage") { Bar::Rows(12) } else { Bar::Failures(CASE_FAILURES) };
        self.add(name, "rows", passed, results.len() - skipped, Some(bar));
        Ok(())
    }

    #[expect(clippy::cast_precision_loss, reason = "counts of statements are far below 2^52")]
    fn add(&mut self, corpus: &str, what: &str, right: usize, total: usize, bar: Option<Bar>) {
        // Where nothing was compared nothing agreed.
        let value = if total == 0 { 0.0 } else { 100.0 * right as f64 / total as f64 };
        let (text, holds) = match bar {
            None => (None, true),
            Some(Bar::Percent(bar)) => (Some(format!("{bar} %")), value >= bar),
            Some(Bar::Rows(rows)) => (Some(format!("{rows} rows")), right >= rows),
            Some(Bar::Failures(share)) => (Some(format!("{} %", 100.0 - share)), value >= 100.0 - share),
        };
        let (corpus, what) = (corpus.to_owned(), what.to_owned());
        self.figures.push(Figure { corpus, what, right, total, value, bar: text, holds });
    }
}

fn init_scripts(folder: &Path) -> [PathBuf; 3] {
    ["init.sql", "init-tpcds.sql", "init-sysdb.sql"].map(|file| folder.join(file))
}
