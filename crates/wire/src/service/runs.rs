//! Reporting statements that ended.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::check::Problem;

/// A statement that ended, by whoever ran it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunReport {
    /// Tells the run from all others, such as the query id and the host. Sent again, it is answered the same.
    pub key: String,
    /// The user whose statement it was.
    pub user: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<String>,
    /// Whom the user acted for, where the two differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impersonated: Option<String>,
    /// The current database when it ran; absent: what the session's reports before have left, or `default`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub database: Option<String>,
    pub statement: String,
    pub outcome: RunOutcome,
    /// Why it failed or was denied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// As RFC 3339 writes moments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<String>,
    pub ended_at: String,
    /// The engine's session: its temporary tables, `USE` and `SET` hold from one report to the next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_address: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine_version: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub application: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub job: Option<String>,
    /// A ticket, or whatever the client gives as reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
    /// The key of the run that this one is a part of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_run: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows_written: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_written: Option<u64>,
}

/// How a statement ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RunOutcome {
    Succeeded,
    Failed,
    /// Its engine did not let it run.
    Denied,
}

/// What became of a report. It is durable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RunAnswer {
    pub key: String,
    pub kept: Kept,
    /// Why it lies with the dead letters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Where a report is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kept {
    /// As a run, which traces go through from now on.
    Run,
    /// In the audit log: it failed, or was denied.
    Audit,
    /// Nowhere: it reads and writes no data, and changes nothing that there is.
    Nowhere,
    /// With the dead letters: it could not be read, or no store can keep it. `guardbee import replay` tries again.
    Letter,
}

/// Many reports, in the order in which the statements ended.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunBatch {
    pub runs: Vec<RunReport>,
}

/// What became of each, in their order.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct RunBatchAnswer {
    pub answers: Vec<RunLine>,
}

/// An answer among many: what became of a report, or why it makes no sense.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum RunLine {
    Answer(RunAnswer),
    Problem { problem: Problem },
}

impl From<RunAnswer> for RunLine {
    fn from(answer: RunAnswer) -> Self {
        Self::Answer(answer)
    }
}

impl From<Problem> for RunLine {
    fn from(problem: Problem) -> Self {
        Self::Problem { problem }
    }
}
