//! How right predictions are against golden records: the metrics that `make test` prints and the fuzzer looks into.
//!
//! Names compare in lower case; entities are tables and databases only (partitions fold into their table, paths and functions
//! are dropped); lineage compares table and column, without the database, since Hive prints none. A scored statement that has no
//! accepted prediction is wrong in every metric.

mod metrics;
mod normal;
mod prediction;
mod report;

pub use self::metrics::{Count, Metric, Mismatch, Tally};
pub use self::prediction::{PredictedColumn, Prediction, Predictions, read_predictions};
pub use self::report::print;

use std::collections::BTreeSet;

use crate::golden::{GoldenRecord, GoldenStatement};

use self::normal::{Lineage, columns_only, entities, golden_lineage, predicted_lineage, split_column};

/// Which hook's entities count as right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Hook {
    /// Compilation and execution print entities; either will do.
    #[default]
    Either,
    Pre,
    Post,
}

/// What is scored.
#[derive(Debug, Clone, Default)]
pub struct Options {
    pub hook: Hook,
    /// Only records that have a prediction.
    pub only_predicted: bool,
    /// Only records of this generation, `hive3` or `hive4`.
    pub recorded_by: Option<String>,
}

/// Scores every statement of the records.
#[must_use]
pub fn score(records: &[GoldenRecord], predictions: &Predictions, options: &Options) -> Tally {
    let mut tally = Tally::default();
    for record in records {
        let skipped = (options.only_predicted && !predictions.has_file(&record.file))
            || (options.recorded_by.is_some() && options.recorded_by != record.recorded_by);
        if skipped {
            continue;
        }
        for (index, statement) in record.statements.iter().enumerate() {
            let prediction = predictions.get(&record.file, index);
            Scoring { tally: &mut tally, hook: options.hook, file: &record.file, index, statement }
                .run(prediction);
        }
    }
    tally
}

/// One statement on its way into the tally.
struct Scoring<'a> {
    tally: &'a mut Tally,
    hook: Hook,
    file: &'a str,
    index: usize,
    statement: &'a GoldenStatement,
}

impl Scoring<'_> {
    fn run(&mut self, prediction: Option<&Prediction>) {
        if self.statement.scored {
            self.accepted_statement(prediction);
        } else if let Some(class) = rejection_class(self.statement) {
            let metric = match class.as_str() {
                "ParseException" => Metric::RejectsParse,
                "HiveAccessControlException" => Metric::RejectsAuthz,
                _ => Metric::RejectsOther,
            };
            let rejected = prediction.is_some_and(|prediction| !prediction.is_accepted());
            let error =
                self.statement.error.as_deref().unwrap_or_default().lines().next().unwrap_or_default();
            self.add(metric, rejected, &class, "", error, "accepted");
        }
    }

    fn accepted_statement(&mut self, prediction: Option<&Prediction>) {
        let nothing = Prediction::default();
        let accepted = prediction.is_some_and(Prediction::is_accepted);
        let why = prediction.and_then(|prediction| prediction.error.as_deref()).unwrap_or("no prediction");
        let op = op_name(self.statement);
        self.add(Metric::Parsed, accepted, &op, "", "accepted", why);
        let prediction = prediction.filter(|_| accepted).unwrap_or(&nothing);

        let got_op = prediction.op.as_deref().unwrap_or("None").to_owned();
        let mut right =
            self.add(Metric::Op, accepted && prediction.op == self.statement.op, &op, "", &op, &got_op);
        right &= self.entities(Metric::Inputs, accepted, prediction, true);
        self.entities(Metric::InputTables, accepted, prediction, false);
        right &= self.entities(Metric::Outputs, accepted, prediction, true);
        self.entities(Metric::OutputTables, accepted, prediction, false);
        if let Some(golden) = golden_lineage(self.statement) {
            right &= self.lineage(&golden, prediction);
        }
        self.influences(prediction);
        self.add(Metric::FullyRight, right, &op, "", "right", "wrong");
    }

    fn entities(&mut self, metric: Metric, accepted: bool, prediction: &Prediction, databases: bool) -> bool {
        let of_inputs = matches!(metric, Metric::Inputs | Metric::InputTables);
        let predicted = if of_inputs { &prediction.inputs } else { &prediction.outputs };
        let got = entities(predicted.as_deref(), databases);
        let raw = right_entities(self.statement, of_inputs, self.hook);
        let wanted: Vec<BTreeSet<String>> = raw.into_iter().map(|list| entities(list, databases)).collect();
        let right = accepted && wanted.contains(&got);
        let shown = wanted.first().map_or_else(String::new, joined);
        self.add(metric, right, &op_name(self.statement), "", &shown, &joined(&got))
    }

    fn lineage(&mut self, golden: &Lineage, prediction: &Prediction) -> bool {
        let predicted = predicted_lineage(prediction);
        self.tally.extra_targets += predicted.keys().filter(|target| !golden.contains_key(*target)).count();
        let op = op_name(self.statement);
        let mut all_right = true;
        for (target, (kind, sources)) in golden {
            let place = format!(" {}.{}", target.0, target.1);
            let found = predicted.get(target);
            let got_sources = found.map_or_else(|| "None".to_owned(), |(_, sources)| joined_columns(sources));
            let shown = joined_columns(sources);
            let columns_right = found.is_some_and(|(_, found)| columns_only(found) == columns_only(sources));
            self.add(Metric::Lineage, columns_right, &op, &place, &shown, &got_sources);
            self.tally.count_file_column(self.file, columns_right);
            if !columns_only(sources).is_empty() {
                self.add(Metric::LineageColumns, columns_right, &op, &place, &shown, &got_sources);
            }
            let strictly_right = found.is_some_and(|(_, found)| found == sources);
            self.add(Metric::LineageStrict, strictly_right, &op, &place, &shown, &got_sources);
            let got_kind = found.and_then(|(kind, _)| kind.clone());
            let kind_right = got_kind == *kind;
            let kind_text = |kind: &Option<String>| kind.clone().unwrap_or_else(|| "None".to_owned());
            self.add(Metric::Kind, kind_right, &op, &place, &kind_text(kind), &kind_text(&got_kind));
            all_right &= columns_right && kind_right;
        }
        self.add(Metric::LineageStatement, all_right, &op, "", "right", "wrong")
    }

    fn influences(&mut self, prediction: &Prediction) {
        let columns =
            self.statement.lineage.iter().flatten().flat_map(|column| column.predicates.iter().flatten());
        let wanted: BTreeSet<(String, String)> = columns.map(|column| split_column(column)).collect();
        let Some(influences) = &prediction.influences else { return };
        if wanted.is_empty() || self.statement.lineage_masked {
            return;
        }
        let got: BTreeSet<(String, String)> = influences.iter().map(|column| split_column(column)).collect();
        let op = op_name(self.statement);
        self.add(Metric::Influences, got == wanted, &op, "", &joined_columns(&wanted), &joined_columns(&got));
    }

    fn add(&mut self, metric: Metric, right: bool, op: &str, place: &str, wanted: &str, got: &str) -> bool {
        self.tally.add(metric, right, op);
        if !right {
            self.tally.mismatches.push(Mismatch {
                metric,
                file: self.file.to_owned(),
                index: self.index,
                place: place.trim().to_owned(),
                sql: self.statement.sql.clone().unwrap_or_default(),
                wanted: wanted.to_owned(),
                got: got.to_owned(),
            });
        }
        right
    }
}

fn op_name(statement: &GoldenStatement) -> String {
    statement.op.clone().unwrap_or_else(|| "None".to_owned())
}

/// The entity lists that count as right.
fn right_entities(statement: &GoldenStatement, of_inputs: bool, hook: Hook) -> Vec<Option<&[String]>> {
    let (post, pre) = if of_inputs {
        (&statement.inputs, &statement.pre_inputs)
    } else {
        (&statement.outputs, &statement.pre_outputs)
    };
    let only_post = hook == Hook::Post || statement.pre == Some(false) || pre.is_none();
    match hook {
        _ if only_post => vec![post.as_deref()],
        Hook::Pre => vec![pre.as_deref()],
        _ => vec![post.as_deref(), pre.as_deref()],
    }
}

/// The class of Hive's complaint, where it refused the statement at compile time.
fn rejection_class(statement: &GoldenStatement) -> Option<String> {
    const AT_RUN_TIME: [&str; 4] = ["Execution", "DataConstraintViolationError", "Hive", "Error"];
    let complaint = statement.error.as_deref()?.strip_prefix("FAILED:")?;
    let is_empty = statement.sql.as_deref().is_none_or(str::is_empty);
    let compiled = statement.inputs.is_some() || statement.op.is_some() || is_empty;
    let class = complaint.split_whitespace().next()?;
    (!compiled && !AT_RUN_TIME.contains(&class)).then(|| class.to_owned())
}

fn joined(set: &BTreeSet<String>) -> String {
    set.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
}

fn joined_columns(set: &BTreeSet<(String, String)>) -> String {
    set.iter().map(|(table, column)| format!("{table}.{column}")).collect::<Vec<_>>().join(", ")
}
