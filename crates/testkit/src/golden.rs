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
pub struct GoldenFlags {
    /// Did the databases `sys` and `information_schema` exist?
    #[serde(default)]
    pub sysdb: bool,
}

/// One statement of a test file, with what is looked at here.
#[derive(Debug, Clone, Deserialize)]
pub struct GoldenStatement {
    #[serde(default)]
    pub sql: Option<String>,
    #[serde(default)]
    pub error: Option<String>,
    #[serde(default)]
    pub not_run: bool,
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
