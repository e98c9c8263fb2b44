//! What is done now and then by one of the servers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Jobs and their periods, newest first.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct JobsAnswer {
    pub jobs: Vec<JobLine>,
}

/// A job in a period.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct JobLine {
    pub job: String,
    /// Counts periods of the job's length since 1970. A job is done once in each.
    pub period: i64,
    /// More than one where servers died over it.
    pub attempts: u64,
    /// The server that began the last of them.
    pub holder: String,
    pub begun_at: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<String>,
    pub state: JobState,
    /// What came of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub says: Option<String>,
}

/// How far a job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum JobState {
    Begun,
    Done,
    Failed,
}
