//! The metrics and their counts.

use std::collections::BTreeMap;

/// What is counted, each as right of total.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Metric {
    /// Statements that Hive accepted and the analyzer accepts.
    Parsed,
    Op,
    /// The set of input tables and databases.
    Inputs,
    InputTables,
    Outputs,
    OutputTables,
    /// A target column's set of source columns.
    Lineage,
    /// The same, for target columns that have a source column.
    LineageColumns,
    /// The same, whole tables as sources counted, too.
    LineageStrict,
    Kind,
    /// Statements whose target columns are all right, sources and kind.
    LineageStatement,
    /// The columns that filter or join; informative, since Hive's optimizer moves and drops predicates.
    Influences,
    FullyRight,
    /// Statements that Hive's parser refused and the analyzer refuses.
    RejectsParse,
    RejectsAuthz,
    RejectsOther,
}

impl Metric {
    pub const ALL: [Self; 16] = [
        Self::Parsed,
        Self::Op,
        Self::Inputs,
        Self::InputTables,
        Self::Outputs,
        Self::OutputTables,
        Self::Lineage,
        Self::LineageColumns,
        Self::LineageStrict,
        Self::Kind,
        Self::LineageStatement,
        Self::Influences,
        Self::FullyRight,
        Self::RejectsParse,
        Self::RejectsAuthz,
        Self::RejectsOther,
    ];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Parsed => "parsed",
            Self::Op => "op",
            Self::Inputs => "inputs",
            Self::InputTables => "inputs/tables",
            Self::Outputs => "outputs",
            Self::OutputTables => "outputs/tables",
            Self::Lineage => "lineage",
            Self::LineageColumns => "lineage/cols",
            Self::LineageStrict => "lineage/strict",
            Self::Kind => "kind",
            Self::LineageStatement => "lineage/stmt",
            Self::Influences => "influences",
            Self::FullyRight => "fully right",
            Self::RejectsParse => "rejects/parse",
            Self::RejectsAuthz => "rejects/authz",
            Self::RejectsOther => "rejects/other",
        }
    }
}

/// Where a prediction and Hive differ.
#[derive(Debug, Clone)]
pub struct Mismatch {
    pub metric: Metric,
    pub file: String,
    pub index: usize,
    /// The target column, where it is about one.
    pub place: String,
    pub sql: String,
    pub wanted: String,
    pub got: String,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    pub right: usize,
    pub total: usize,
}

impl Count {
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts of statements are far below 2^52")]
    pub fn percent(self) -> f64 {
        100.0 * self.right as f64 / self.total as f64
    }

    const fn add(&mut self, right: bool) {
        self.total += 1;
        self.right += right as usize;
    }
}

#[derive(Debug, Default)]
pub struct Tally {
    counts: BTreeMap<Metric, Count>,
    /// Wrong ones by operation, in the order in which the operations came up.
    wrong: BTreeMap<Metric, Vec<(String, usize)>>,
    /// Target columns by file.
    files: BTreeMap<String, Count>,
    /// Predicted target columns that Hive has no line for.
    pub extra_targets: usize,
    pub mismatches: Vec<Mismatch>,
}

impl Tally {
    #[must_use]
    pub fn count(&self, metric: Metric) -> Option<Count> {
        self.counts.get(&metric).copied()
    }

    /// The operations that are wrong most often.
    #[must_use]
    pub fn worst(&self, metric: Metric, how_many: usize) -> Vec<(String, usize)> {
        let mut worst = self.wrong.get(&metric).cloned().unwrap_or_default();
        worst.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        worst.truncate(how_many);
        worst
    }

    /// Files with lineage, and the mean of their rates, between 0 and 1.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "there are a few thousand files")]
    pub fn mean_over_files(&self) -> Option<(usize, f64)> {
        let files = self.files.len();
        let sum: f64 = self.files.values().map(|count| count.right as f64 / count.total as f64).sum();
        (files > 0).then(|| (files, sum / files as f64))
    }

    pub(super) fn add(&mut self, metric: Metric, right: bool, op: &str) {
        self.counts.entry(metric).or_default().add(right);
        if right {
            return;
        }
        let wrong = self.wrong.entry(metric).or_default();
        match wrong.iter_mut().find(|(known, _)| known == op) {
            Some((_, count)) => *count += 1,
            None => wrong.push((op.to_owned(), 1)),
        }
    }

    pub(super) fn count_file_column(&mut self, file: &str, right: bool) {
        self.files.entry(file.to_owned()).or_default().add(right);
    }
}
