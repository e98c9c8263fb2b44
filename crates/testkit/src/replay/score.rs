//! Compares a replay with what Hive recorded, as `corpus/score_authz.py` does.

mod expected;

use std::collections::BTreeSet;
use std::fmt;

use super::Prediction;
use crate::golden::GoldenRecord;
use expected::{Verdict, expectations};

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Metric {
    /// Statements that Hive ran: not refused.
    Allowed,
    /// Statements that Hive refused for want of rights: refused.
    Denied,
    /// Of those the ones that name what is missing: the same.
    Missing,
    /// Statements that show roles and grants: the same rows.
    Output,
}

impl Metric {
    pub const ALL: [Self; 4] = [Self::Allowed, Self::Denied, Self::Missing, Self::Output];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Allowed => "allowed",
            Self::Denied => "denied",
            Self::Missing => "missing",
            Self::Output => "output",
        }
    }
}

/// How many of how many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    pub right: usize,
    pub total: usize,
}

/// Where we and Hive differ.
#[derive(Debug, Clone)]
pub struct Difference {
    pub metric: Metric,
    pub file: String,
    pub index: usize,
    pub sql: String,
    pub wanted: String,
    pub got: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { metric, file, index, sql, wanted, got } = self;
        let metric = metric.name();
        write!(f, "{metric}: {file} [{index}] {sql:?}\n    want {wanted}\n    got  {got}")
    }
}

/// The counts over many records.
#[derive(Debug, Default)]
pub struct Tally {
    counts: [Count; 4],
    differences: Vec<Difference>,
}

impl Tally {
    #[must_use]
    pub const fn count(&self, metric: Metric) -> Count {
        self.counts[metric as usize]
    }

    #[must_use]
    pub fn differences(&self) -> &[Difference] {
        &self.differences
    }

    /// Counts one record. A statement without a prediction is wrong.
    pub fn add(&mut self, record: &GoldenRecord, predictions: &[Prediction]) {
        for expected in expectations(record) {
            let sql = record.statements[expected.index].sql.clone().unwrap_or_default();
            let place = Place { file: &record.file, index: expected.index, sql: &sql };
            let prediction = predictions.iter().find(|said| said.index == expected.index);
            let is_refused = prediction.is_some_and(|said| !said.allowed);
            let has_failed = prediction.is_some_and(|said| said.error.is_some());
            let said = || told(prediction);
            match expected.verdict {
                Some(Verdict::Allowed) => {
                    let is_right = prediction.is_some() && !is_refused && !has_failed;
                    self.record(Metric::Allowed, is_right, place, || ("allowed".to_owned(), said()));
                }
                Some(Verdict::Denied) => {
                    let is_right = is_refused && !has_failed;
                    self.record(Metric::Denied, is_right, place, || ("denied".to_owned(), said()));
                    if let Some(wanted) = &expected.missing {
                        let got: BTreeSet<(String, String)> = prediction
                            .map(|said| said.missing.iter().map(folded).collect())
                            .unwrap_or_default();
                        self.record(Metric::Missing, got == *wanted, place, || {
                            (format!("{wanted:?}"), format!("{got:?}"))
                        });
                    }
                }
                None => {}
            }
            if let Some(rows) = &expected.rows {
                let got = prediction.map(|said| said.output.clone()).unwrap_or_default();
                let is_right = expected::normal(&got) == expected::normal(rows);
                self.record(Metric::Output, is_right, place, || (format!("{rows:?}"), format!("{got:?}")));
            }
        }
    }

    fn record(
        &mut self,
        metric: Metric,
        is_right: bool,
        place: Place<'_>,
        both: impl FnOnce() -> (String, String),
    ) {
        let count = &mut self.counts[metric as usize];
        count.total += 1;
        count.right += usize::from(is_right);
        if !is_right {
            let (wanted, got) = both();
            let (file, sql) = (place.file.to_owned(), place.sql.to_owned());
            self.differences.push(Difference { metric, file, index: place.index, sql, wanted, got });
        }
    }
}

impl fmt::Display for Tally {
    #[expect(clippy::cast_precision_loss, reason = "counts of statements are far below 2^52")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for metric in Metric::ALL {
            let Count { right, total } = self.count(metric);
            let share = 100.0 * right as f64 / total.max(1) as f64;
            writeln!(f, "{:10} {right:6}/{total:<6} {share:6.2} %", metric.name())?;
        }
        Ok(())
    }
}

#[derive(Clone, Copy)]
struct Place<'a> {
    file: &'a str,
    index: usize,
    sql: &'a str,
}

fn folded((privilege, object): &(String, String)) -> (String, String) {
    (privilege.to_uppercase(), object.to_lowercase())
}

fn told(prediction: Option<&Prediction>) -> String {
    match prediction {
        None => "no prediction".to_owned(),
        Some(Prediction { error: Some(error), .. }) => error.clone(),
        Some(said) if said.allowed => "allowed".to_owned(),
        Some(said) => format!("denied, missing {:?}", said.missing),
    }
}
