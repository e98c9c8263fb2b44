//! Predictions as they are written, of whatever analyzer.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::golden::read_lines;
use crate::predict;

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

impl From<predict::Prediction> for Prediction {
    fn from(ours: predict::Prediction) -> Self {
        let column = |column: predict::PredictedColumn| PredictedColumn {
            target: column.target,
            kind: Some(column.kind.to_owned()),
            sources: Some(column.sources),
        };
        Self {
            file: ours.file,
            index: ours.index,
            op: ours.op.map(str::to_owned),
            inputs: Some(ours.inputs),
            outputs: Some(ours.outputs),
            columns: Some(ours.columns.into_iter().map(column).collect()),
            influences: Some(ours.influences),
            error: ours.error,
        }
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
/// Where the file cannot be read, holds something else, or two predictions for a statement.
pub fn read_predictions(path: &Path) -> Result<Predictions> {
    let mut predictions: Vec<Prediction> = Vec::new();
    for (number, line) in read_lines(path)?.enumerate() {
        let line = line?;
        if !line.trim().is_empty() {
            let prediction = serde_json::from_str(&line);
            predictions
                .push(prediction.with_context(|| format!("line {} of `{}`", number + 1, path.display()))?);
        }
    }
    Predictions::of(predictions)
}
