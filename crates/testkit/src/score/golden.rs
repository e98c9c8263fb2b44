//! The two files that a score compares: golden records and predictions, as they are written.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use anyhow::{Context, Result, bail};
use flate2::read::GzDecoder;
use serde::Deserialize;

use super::Hook;

/// The statements of one test file.
#[derive(Debug, Clone, Deserialize)]
pub struct GoldenRecord {
    pub file: String,
    pub recorded_by: Option<String>,
    pub statements: Vec<Golden>,
}

/// A statement and what Hive said of it.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Golden {
    pub sql: Option<String>,
    pub op: Option<String>,
    #[serde(default)]
    pub scored: bool,
    pub inputs: Option<Vec<String>>,
    pub outputs: Option<Vec<String>>,
    pub pre_inputs: Option<Vec<String>>,
    pub pre_outputs: Option<Vec<String>>,
    /// False where nothing was printed at compilation.
    pub pre: Option<bool>,
    pub lineage: Option<Vec<GoldenColumn>>,
    #[serde(default)]
    pub lineage_masked: bool,
    pub error: Option<String>,
}

/// The sources of one column of a target.
#[derive(Debug, Clone, Deserialize)]
pub struct GoldenColumn {
    pub target_table: Option<String>,
    pub target_column: String,
    pub kind: Option<String>,
    pub sources: Vec<Source>,
    pub predicates: Option<Vec<String>>,
}

/// A column, or a whole table where there is no column.
#[derive(Debug, Clone, Deserialize)]
pub struct Source {
    pub table: Option<String>,
    pub column: Option<String>,
}

/// What an analyzer says of a statement.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Prediction {
    pub file: String,
    pub index: usize,
    pub op: Option<String>,
    pub inputs: Option<Vec<String>>,
    pub outputs: Option<Vec<String>>,
    pub columns: Option<Vec<PredictedColumn>>,
    pub influences: Option<Vec<String>>,
    pub error: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct PredictedColumn {
    pub target: String,
    pub kind: Option<String>,
    pub sources: Option<Vec<String>>,
}

impl Golden {
    pub(super) fn op_name(&self) -> String {
        self.op.clone().unwrap_or_else(|| "None".to_owned())
    }

    /// The entity lists that count as right.
    pub(super) fn entities(&self, of_inputs: bool, hook: Hook) -> Vec<Option<&[String]>> {
        let (post, pre) =
            if of_inputs { (&self.inputs, &self.pre_inputs) } else { (&self.outputs, &self.pre_outputs) };
        let only_post = hook == Hook::Post || self.pre == Some(false) || pre.is_none();
        match hook {
            _ if only_post => vec![post.as_deref()],
            Hook::Pre => vec![pre.as_deref()],
            _ => vec![post.as_deref(), pre.as_deref()],
        }
    }

    /// The class of Hive's complaint, where it refused the statement at compile time.
    pub(super) fn rejection_class(&self) -> Option<String> {
        const AT_RUN_TIME: [&str; 4] = ["Execution", "DataConstraintViolationError", "Hive", "Error"];
        let complaint = self.error.as_deref()?.strip_prefix("FAILED:")?;
        let compiled =
            self.inputs.is_some() || self.op.is_some() || self.sql.as_deref().is_none_or(str::is_empty);
        let class = complaint.split_whitespace().next()?;
        (!compiled && !AT_RUN_TIME.contains(&class)).then(|| class.to_owned())
    }
}

impl Prediction {
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        self.error.as_deref().is_none_or(str::is_empty)
    }
}

/// Predictions by record and place.
#[derive(Debug, Default)]
pub struct Predictions {
    by_place: HashMap<(String, usize), Prediction>,
    files: HashSet<String>,
}

impl Predictions {
    /// # Errors
    /// Where a statement has two predictions.
    pub fn of(predictions: impl IntoIterator<Item = Prediction>) -> Result<Self> {
        let mut all = Self::default();
        for prediction in predictions {
            let (file, index) = (prediction.file.clone(), prediction.index);
            all.files.insert(file.clone());
            if all.by_place.insert((file.clone(), index), prediction).is_some() {
                bail!("second prediction for statement {index} of `{file}`");
            }
        }
        Ok(all)
    }

    pub(super) fn has_file(&self, file: &str) -> bool {
        self.files.contains(file)
    }

    pub(super) fn get(&self, file: &str, index: usize) -> Option<&Prediction> {
        self.by_place.get(&(file.to_owned(), index))
    }
}

/// # Errors
/// Where the file cannot be read or holds something else.
pub fn read_golden(path: &Path) -> Result<Vec<GoldenRecord>> {
    json_lines(path)
}

/// # Errors
/// Where the file cannot be read, holds something else, or two predictions for a statement.
pub fn read_predictions(path: &Path) -> Result<Predictions> {
    Predictions::of(json_lines::<Prediction>(path)?)
}

fn json_lines<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<Vec<T>> {
    let file = File::open(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let packed = path.extension().is_some_and(|extension| extension == "gz");
    let reader: Box<dyn Read> = if packed { Box::new(GzDecoder::new(file)) } else { Box::new(file) };
    let mut values = Vec::new();
    for (number, line) in BufReader::new(reader).lines().enumerate() {
        let line = line?;
        if !line.trim().is_empty() {
            let value = serde_json::from_str(&line);
            values.push(value.with_context(|| format!("line {} of `{}`", number + 1, path.display()))?);
        }
    }
    Ok(values)
}
