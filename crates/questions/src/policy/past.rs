//! Statements that were run, decided by the policy that is and by the one that is planned.

use guardbee_engine::EngineOptions;
use guardbee_engine::impact::{Impact, PastStatement};
use guardbee_policy::Policy;
use guardbee_wire::policy::PastDocument;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

/// One statement of a query log. What else a line of it holds is passed over.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct PastLine {
    /// When it was run, as the log writes it: a text or a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<serde_json::Value>,
    pub user: String,
    #[serde(default)]
    pub groups: Vec<String>,
    /// The database of the session; `default` unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub database: Option<String>,
    pub sql: String,
}

/// What came of past statements so far.
pub struct Past {
    impact: Impact,
    bad_lines: u64,
}

impl Past {
    /// `options` are those of either policy's engine.
    #[must_use]
    pub fn new(before: Policy, after: Policy, options: impl Fn() -> EngineOptions) -> Self {
        Self { impact: Impact::new(before, after, options), bad_lines: 0 }
    }

    /// Decides a statement twice.
    pub fn take(&mut self, line: PastLine) {
        let time = line.time.map(|time| match time {
            serde_json::Value::String(text) => SmolStr::new(text),
            other => SmolStr::new(other.to_string()),
        });
        let statement = PastStatement {
            user: line.user.into(),
            groups: line.groups.into_iter().map(SmolStr::from).collect(),
            database: line.database.map(SmolStr::from),
            sql: line.sql,
        };
        self.impact.take(statement, time);
    }

    /// Counts a line that is no statement of a log, and says how many there were.
    pub const fn pass_over(&mut self) -> u64 {
        self.bad_lines += 1;
        self.bad_lines
    }

    #[must_use]
    pub fn document(&self) -> PastDocument {
        PastDocument::of(&self.impact, self.bad_lines)
    }
}
