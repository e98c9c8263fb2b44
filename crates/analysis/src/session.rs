//! The state of a script: current database, variables, temporary things.

use guardbee_hiveql::parser::ParserSettings;
use guardbee_model::{Diagnostic, HiveVersion, Name};

use crate::catalog::Catalog;
use crate::effects::Effects;

/// What came of one statement.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// Absent where the statement could not be read at all.
    pub effects: Option<Effects>,
    pub diagnostics: Vec<Diagnostic>,
}

/// One session: statements in order, each seeing what those before it did.
#[derive(Debug, Clone)]
pub struct Session {
    pub catalog: Catalog,
    pub database: Name,
    pub settings: ParserSettings,
}

impl Session {
    #[must_use]
    pub fn new(catalog: Catalog, version: HiveVersion) -> Self {
        let settings = ParserSettings { version, ..ParserSettings::default() };
        Self { catalog, database: Name::from_static("default"), settings }
    }
}
