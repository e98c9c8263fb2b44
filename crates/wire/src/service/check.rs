//! Asking whether somebody may run a statement.

use std::borrow::Cow;

use guardbee_engine::explain::{explain, remedy};
use guardbee_engine::store::PolicyVersion;
use guardbee_engine::{Checked, Outcome, missing_text};
use guardbee_policy::{Identity, Policy, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::check::{Advice, DataObligation, Problem, Reason, Verdict};
use crate::{is_false, is_zero};

/// May somebody run a statement? It is stated as text, as the objects that Hive's compiler found in it, or as both: then
/// the objects decide, and the text says which columns go where.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckRequest {
    /// Who wants to run it; absent: who asks. Only plug-ins and those who look after the policy ask for others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<SmolStr>,
    /// The user's groups; absent: those that the server's group mapping knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<Vec<SmolStr>>,
    /// The roles that are switched on; absent: all that the user has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roles: Option<Vec<SmolStr>>,
    /// The session's current database; absent: `default`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub database: Option<SmolStr>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statement: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub objects: Option<PrivilegeObjects>,
    /// Where the user's client is, for the audit log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_address: Option<SmolStr>,
    /// Are reasons wanted, and what would have to change?
    #[serde(default, skip_serializing_if = "is_false")]
    pub explain: bool,
    /// Wait, for a while, until the policy is at this version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_least_version: Option<u64>,
}

/// A statement by what Hive's compiler hands a plug-in.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PrivilegeObjects {
    /// Hive's operation type, such as `QUERY` or `CREATETABLE_AS_SELECT`.
    pub operation: SmolStr,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<PrivilegeObject>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<PrivilegeObject>,
}

/// One object, by the words of Hive's `HivePrivilegeObject`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PrivilegeObject {
    #[serde(rename = "type")]
    pub object_type: ObjectType,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub database: Option<SmolStr>,
    /// A table, view or function; the path of a path; the words of a command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<SmolStr>,
    /// The columns that are read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<SmolStr>,
    #[serde(default, skip_serializing_if = "is_other")]
    pub action: ObjectAction,
}

/// What an object is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ObjectType {
    Database,
    TableOrView,
    Function,
    /// A path in the warehouse's file system.
    DfsUri,
    /// A path on the machine of the server.
    LocalUri,
    CommandParams,
    DataConnector,
    ServiceName,
}

/// What Hive says is done to an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ObjectAction {
    #[default]
    Other,
    Insert,
    InsertOverwrite,
    Update,
    Delete,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_other(action: &ObjectAction) -> bool {
    *action == ObjectAction::Other
}

/// Whether somebody may run a statement.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct CheckAnswer {
    /// `error`: the statement is wrong, whoever runs it.
    pub outcome: Verdict,
    /// The version of the policy that decided.
    pub policy_version: u64,
    /// For so long, in milliseconds, the same question may be taken to have the same answer.
    pub time_to_live_ms: u64,
    /// The store has been away for so long, in milliseconds: the policy may be older than it should be.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub stale_for_ms: u64,
    /// Hive's operation type; absent where the statement could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<Cow<'static, str>>,
    /// What is missing, such as `SELECT on hr.emp.ssn`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// Why it may not run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<Problem>,
    /// What has to be done to what is read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub obligations: Vec<DataObligation>,
    /// What decided each right that is needed; where it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasons: Option<Vec<Reason>>,
    /// What would have to change; where it was asked for, and something can be done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remedy: Option<Advice>,
}

/// What an answer follows from.
#[derive(Debug, Clone, Copy)]
pub struct Basis<'b> {
    pub policy: &'b Policy,
    pub version: PolicyVersion,
    pub identity: &'b Identity,
    pub now: Timestamp,
    pub stale_for_ms: u64,
    pub detail: Detail,
}

/// How much is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    Outcome,
    Reasons,
}

impl CheckAnswer {
    #[must_use]
    pub fn of(checked: &Checked, operation: Option<&'static str>, basis: Basis<'_>) -> Self {
        let settings = basis.policy.settings();
        let is_allowed = checked.outcome == Outcome::Allowed;
        let missing = checked.decision.missing().map(|missing| missing_text(missing, settings));
        let (reasons, remedy) = match basis.detail {
            Detail::Outcome => (None, None),
            Detail::Reasons => (Some(reasons(checked, basis)), advice(checked, basis)),
        };
        Self {
            outcome: checked.outcome.into(),
            policy_version: basis.version.0,
            time_to_live_ms: 0,
            stale_for_ms: basis.stale_for_ms,
            operation: operation.map(Cow::Borrowed),
            missing: if is_allowed { Vec::new() } else { missing.collect() },
            problem: checked.problem.as_ref().map(Problem::from),
            obligations: match is_allowed {
                true => checked.decision.obligations.iter().map(DataObligation::from).collect(),
                false => Vec::new(),
            },
            reasons,
            remedy,
        }
    }
}

fn reasons(checked: &Checked, basis: Basis<'_>) -> Vec<Reason> {
    let explained =
        explain(basis.policy, basis.identity, &checked.requirements, &checked.decision, basis.now);
    explained.iter().map(|reason| Reason::of(basis.policy, reason)).collect()
}

fn advice(checked: &Checked, basis: Basis<'_>) -> Option<Advice> {
    if checked.outcome != Outcome::Denied {
        return None;
    }
    let found = remedy(basis.policy, basis.identity, &checked.requirements, basis.now)?;
    Some(Advice::of(basis.policy, &found))
}

/// Many questions at once.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BatchRequest {
    pub checks: Vec<CheckRequest>,
    /// Who wants to run those that say nothing of whom they are about, neither user nor groups nor roles; absent: who asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<SmolStr>,
    /// That user's groups; absent: those that the server's group mapping knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<Vec<SmolStr>>,
    /// That user's roles that are switched on; absent: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roles: Option<Vec<SmolStr>>,
    /// The current database of those that name none; absent: `default`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub database: Option<SmolStr>,
    /// Where the clients of those are that do not say so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_address: Option<SmolStr>,
}

/// Their answers, in their order.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct BatchAnswer {
    pub answers: Vec<LineAnswer>,
}

/// An answer among many: whether somebody may, or why the question itself has none.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum LineAnswer {
    Answer(Box<CheckAnswer>),
    Problem { problem: Problem },
}

impl From<CheckAnswer> for LineAnswer {
    fn from(answer: CheckAnswer) -> Self {
        Self::Answer(Box::new(answer))
    }
}

impl From<Problem> for LineAnswer {
    fn from(problem: Problem) -> Self {
        Self::Problem { problem }
    }
}

/// Which of some names does somebody get to see?
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowFilterRequest {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<SmolStr>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<Vec<SmolStr>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roles: Option<Vec<SmolStr>>,
    /// Databases.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub databases: Vec<SmolStr>,
    /// Tables and views, by database.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<TablesOf>,
    /// Columns, by table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<ColumnsOf>,
}

/// Tables and views of one database.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TablesOf {
    pub database: SmolStr,
    pub names: Vec<SmolStr>,
}

/// Columns of one table.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ColumnsOf {
    pub database: SmolStr,
    pub table: SmolStr,
    pub names: Vec<SmolStr>,
}

/// Those that they get to see, in the order in which they were asked.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
pub struct ShowFilterAnswer {
    pub policy_version: u64,
    pub databases: Vec<SmolStr>,
    pub tables: Vec<TablesOf>,
    pub columns: Vec<ColumnsOf>,
}
