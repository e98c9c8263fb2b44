//! Running statements of administration.

use guardbee_engine::{Executed, Value};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use super::check::CheckAnswer;
use crate::is_false;

/// Statements to be run by who asks, one after the other; the first that fails ends it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExecuteRequest {
    pub sql: String,
    /// The user to act for, by plug-ins that HiveServer2 runs in; absent: who asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<SmolStr>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<Vec<SmolStr>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roles: Option<Vec<SmolStr>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub database: Option<SmolStr>,
    /// Are reasons wanted, and what would have to change?
    #[serde(default, skip_serializing_if = "is_false")]
    pub explain: bool,
}

/// What came of each statement that was run or tried.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ExecuteAnswer {
    pub statements: Vec<ExecutedStatement>,
    /// The policy after them.
    pub policy_version: u64,
    /// The roles that are switched on after them; absent: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roles: Option<Vec<String>>,
}

/// What came of one statement.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ExecutedStatement {
    pub sql: String,
    pub check: CheckAnswer,
    /// The names of its columns, where it answers with a table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<Vec<Field>>,
    /// What a person should know though it succeeded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<String>,
    /// The version of the policy that it made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made_version: Option<u64>,
}

/// One field of a row.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Field {
    Text(String),
    Boolean(bool),
    Number(i64),
}

impl ExecutedStatement {
    #[must_use]
    pub fn of(sql: &str, executed: &Executed, check: CheckAnswer) -> Self {
        let answer = &executed.answer;
        Self {
            sql: sql.to_owned(),
            check,
            columns: answer.columns.iter().map(|&column| column.to_owned()).collect(),
            rows: answer.rows.iter().map(|row| row.iter().map(Field::from).collect()).collect(),
            notices: answer.notices.clone(),
            made_version: executed.version.map(|version| version.0),
        }
    }
}

impl From<&Value> for Field {
    fn from(value: &Value) -> Self {
        match value {
            Value::Text(text) => Self::Text(text.to_string()),
            Value::Boolean(boolean) => Self::Boolean(*boolean),
            Value::Number(number) => Self::Number(*number),
        }
    }
}
