//! Guardbee as the subject of the comparison.

use std::cell::RefCell;
use std::path::Path;

use anyhow::Result;
use guardbee_hiveql::parser::parse_statement;
use guardbee_hiveql::tree::Arena;
use guardbee_model::HiveVersion;

use super::Subject;
use crate::golden::GoldenRecord;
use crate::init::InitScripts;
use crate::mutations::hive_settings;
use crate::predict::predict_record;
use crate::score::Prediction;

/// The parser and the analysis of this workspace.
pub struct Guardbee {
    /// Remembers the catalogs it has made.
    scripts: RefCell<InitScripts>,
}

impl Guardbee {
    /// # Errors
    /// Where the init script cannot be read.
    pub fn new(init: &Path) -> Result<Self> {
        Ok(Self { scripts: RefCell::new(InitScripts::read(&[init])?) })
    }
}

impl Subject for Guardbee {
    fn accepts(&self, version: HiveVersion, sql: &str) -> bool {
        parse_statement(&Arena::new(), sql, hive_settings(version)).is_ok()
    }

    fn predict(&self, version: HiveVersion, record: &GoldenRecord) -> Vec<Prediction> {
        let catalog = self.scripts.borrow_mut().catalog(record, version);
        predict_record(record, catalog, version).into_iter().map(Prediction::from).collect()
    }
}
