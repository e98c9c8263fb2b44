//! How the service is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whether a server may be asked.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Health {
    pub ready: bool,
    /// What keeps it from being so, or is not as it should be.
    pub reasons: Vec<String>,
    pub policy_version: u64,
    /// Runs in the graph that answers.
    pub runs: u64,
    /// Since the store was there last; absent while it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub store_away_ms: Option<u64>,
    pub up_seconds: u64,
}

/// Which Guardbee answers.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Version {
    pub version: String,
    pub rule_book: String,
    pub hive_version: String,
}

/// It lives.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Alive {
    pub alive: bool,
}
