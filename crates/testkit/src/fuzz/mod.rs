//! Finds where Guardbee and the real Hive differ: draws statements, asks both, and makes each difference small.
//!
//! `parsing` compares accepting and refusing with Hive's parsers, `compiling` the effects with Hive's compilers.

mod compiling;
mod guardbee;
mod parsing;
mod reduce;

pub use self::compiling::{CompilingReport, compare_compiling, mask_lineage};
pub use self::guardbee::Guardbee;
pub use self::parsing::{Difference, ParsingReport, compare_parsing};

use guardbee_model::HiveVersion;

use crate::golden::GoldenRecord;
use crate::score::Prediction;

/// What is compared with Hive.
pub trait Subject {
    fn accepts(&self, version: HiveVersion, sql: &str) -> bool;

    /// Predictions for the statements of a record. What Hive refused of it leaves no trace.
    fn predict(&self, version: HiveVersion, record: &GoldenRecord) -> Vec<Prediction>;
}

/// How many differences are looked into, each costing questions to the judge.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    pub reduced: usize,
}
