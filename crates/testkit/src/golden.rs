//! Golden files: what a real Hive said about the statements of its own tests. The format is described in
//! `corpus/hive-golden.md`, which is kept beside the corpus.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use anyhow::{Context, Result};
use flate2::read::MultiGzDecoder;
use guardbee_model::HiveVersion;
use serde::Deserialize;

/// One test file.
#[derive(Debug, Clone, Deserialize)]
pub struct GoldenRecord {
    pub file: String,
    #[serde(default)]
    pub recorded_by: Option<String>,
    /// Sections of the init scripts that ran before.
    #[serde(default)]
    pub datasets: Vec<String>,
    /// Did the TPC-DS tables exist?
    #[serde(default)]
    pub tpcds: bool,
    #[serde(default)]
    pub flags: GoldenFlags,
    pub statements: Vec<GoldenStatement>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct GoldenFlags {
    /// Did the databases `sys` and `information_schema` exist?
    pub sysdb: bool,
    /// Did the test run with authorization as the SQL standard has it from its start?
    pub authorizer: bool,
}

/// One statement of a test file, with what is looked at here.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct GoldenStatement {
    pub sql: Option<String>,
    pub error: Option<String>,
    pub not_run: bool,
    /// The release whose parser refuses the statement, though the Hive that was recorded took it.
    pub rejected_by: Option<String>,
    /// Hive's operation type.
    pub op: Option<String>,
    /// Is everything known that a prediction is compared with?
    pub scored: bool,
    /// Entities of the hook after the statement, where there is one; else of that before it.
    pub inputs: Option<Vec<String>>,
    pub outputs: Option<Vec<String>>,
    pub pre_inputs: Option<Vec<String>>,
    pub pre_outputs: Option<Vec<String>>,
    /// False where the hook before the statement printed nothing.
    pub pre: Option<bool>,
    pub lineage: Option<Vec<GoldenColumn>>,
    /// Are some lines of the lineage hidden?
    pub lineage_masked: bool,
    /// What the console showed, in the files about authorization.
    pub output: Option<Vec<String>>,
}

/// The sources of one column of a target.
#[derive(Debug, Clone, Deserialize)]
pub struct GoldenColumn {
    pub target_table: Option<String>,
    pub target_column: String,
    pub kind: Option<String>,
    pub sources: Vec<GoldenSource>,
    /// Columns that filter or join, at the first column of a target.
    pub predicates: Option<Vec<String>>,
}

/// A column, or a whole table where there is no column.
#[derive(Debug, Clone, Deserialize)]
pub struct GoldenSource {
    pub table: Option<String>,
    pub column: Option<String>,
}

impl GoldenRecord {
    /// The version of Hive that the record comes from.
    #[must_use]
    pub fn version(&self) -> HiveVersion {
        match self.recorded_by.as_deref() {
            Some("hive4") => HiveVersion::V4_0,
            _ => HiveVersion::V3_1,
        }
    }
}

impl GoldenStatement {
    /// Did it run, so that those after it see its changes?
    #[must_use]
    pub const fn ran(&self) -> bool {
        self.error.is_none() && !self.not_run
    }
}

/// The records of a golden file, read one by one.
///
/// # Errors
/// The file cannot be opened; each item is an error if its line cannot be read.
pub fn read_golden(path: &Path) -> Result<impl Iterator<Item = Result<GoldenRecord>> + use<>> {
    let lines = read_lines(path)?;
    let name = path.display().to_string();
    Ok(lines.enumerate().map(move |(index, line)| {
        serde_json::from_str(&line?).with_context(|| format!("line {} of `{name}`", index + 1))
    }))
}

/// The lines of a file, packed or not.
pub(crate) fn read_lines(path: &Path) -> Result<impl Iterator<Item = std::io::Result<String>> + use<>> {
    let file = File::open(path).with_context(|| format!("cannot open `{}`", path.display()))?;
    let is_packed = path.extension().is_some_and(|extension| extension == "gz");
    let reader: Box<dyn Read> = if is_packed { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) };
    Ok(BufReader::with_capacity(1 << 18, reader).lines())
}
