//! What `guardbee check --format json` and `jsonl` write: the documented shape of an answer.

use guardbee_engine::entry_statements;
use guardbee_engine::explain::{Explained, Held, Remedy};
use guardbee_policy::decision::{Basis, Obligation};
use guardbee_policy::request::Columns;
use guardbee_policy::{Effect, Identity, Policy, Principal, Resource};
use schemars::JsonSchema;
use serde::Serialize;

use guardbee_engine::store::PolicyVersion;

use crate::analyze::Diagnostic;
use crate::convert::diagnostic;
use crate::is_false;
use crate::place::Places;
pub use crate::report::Report;

/// The version of this shape.
const VERSION: u32 = 1;

/// The whole of `--format json`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Document {
    #[serde(flatten)]
    pub head: Head,
    /// Every statement, in the order of files and of the text.
    pub statements: Vec<Statement>,
    pub summary: Summary,
}

/// Who asked which policy.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Head {
    pub version: u32,
    pub user: String,
    pub groups: Vec<String>,
    #[schemars(extend("enum" = ["sentry", "hive-legacy", "sql-standard", "ranger"]))]
    pub rule_book: &'static str,
    /// The version of the policy, where it comes from a store.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy_version: Option<u64>,
}

impl Head {
    #[must_use]
    pub fn of(identity: &Identity, policy: &Policy, version: Option<PolicyVersion>) -> Self {
        Self {
            version: VERSION,
            user: identity.user.to_string(),
            groups: identity.groups.iter().map(ToString::to_string).collect(),
            rule_book: policy.settings().rule_book.as_str(),
            policy_version: version.map(|version| version.0),
        }
    }
}

/// One statement; also one line of `--format jsonl`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Statement {
    /// The file as it was named, `-` for standard input, `-e` for the command line.
    pub file: String,
    /// Where the statement starts, from 1 on; columns count characters.
    pub line: u32,
    pub column: u32,
    /// Hive's operation type; absent where the statement could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<&'static str>,
    #[schemars(extend("enum" = ["allowed", "denied", "error"]))]
    pub outcome: &'static str,
    /// What is missing, such as `SELECT on hr.emp.ssn`. Of EXPLAIN AUTHORIZATION, which is always allowed, what
    /// the statement explained would lack.
    pub missing: Vec<String>,
    /// Why it may not run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<Problem>,
    /// What decided each right that is needed, in the order of the rule book.
    pub reasons: Vec<Reason>,
    /// What has to be done to what is read.
    pub obligations: Vec<DataObligation>,
    /// What would have to change; absent where it is allowed or where no grant can help.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<Advice>,
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Problem {
    /// A stable name, such as `not-allowed`.
    pub code: &'static str,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// What decided one right.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Reason {
    /// `SELECT`, `INSERT|ALTER`, `ALL with grant`, `OWNERSHIP`, `ADMIN`, or why nobody may.
    pub right: String,
    /// `server`, a name, or an address.
    pub object: String,
    /// The columns it is needed for; empty where the object as a whole matters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
    pub held: bool,
    #[schemars(extend("enum" = [
        "granted", "owner", "administrator", "super", "provider", "denied", "not_granted", "forbidden",
    ]))]
    pub basis: &'static str,
    /// The objects or columns that it is missing for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// The entries that decided.
    pub entries: Vec<HeldEntry>,
    /// Grants held on the same table or database that do not reach what is missing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nearby: Vec<HeldEntry>,
}

/// An entry, and how the user comes to hold it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct HeldEntry {
    pub entry: u64,
    #[schemars(extend("enum" = ["grant", "deny"]))]
    pub effect: &'static str,
    /// The statement that makes it; absent where none does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sql: Option<String>,
    /// From the user to the principal of the entry: each is in the next.
    pub path: Vec<PrincipalName>,
    /// What carries the tag that the entry stands on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub carrier: Option<String>,
}

/// A user, group or role.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PrincipalName {
    #[serde(rename = "type")]
    #[schemars(extend("enum" = ["user", "group", "role"]))]
    pub principal_type: &'static str,
    pub name: String,
}

/// Something that has to be done to what is read.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DataObligation {
    #[schemars(extend("enum" = ["row_filter", "column_mask"]))]
    pub kind: &'static str,
    pub table: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// The condition of a filter, or what takes the place of a column.
    pub expression: String,
    /// The name of the row filter or column mask.
    pub policy: String,
}

/// What would have to change.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Advice {
    /// Every role that is held would only have to be switched on.
    #[serde(skip_serializing_if = "is_false")]
    pub switch_roles_on: bool,
    /// The least that would have to be granted, as statements.
    pub grants: Vec<String>,
    /// Denials that would refuse it all the same.
    pub denials: Vec<HeldEntry>,
}

/// What came of all of it.
#[derive(Debug, Default, Clone, Copy, Serialize, JsonSchema)]
pub struct Summary {
    pub files: u64,
    pub statements: u64,
    pub allowed: u64,
    pub denied: u64,
    pub errors: u64,
    /// Files that could not be read at all.
    pub unreadable_files: u64,
}

impl Statement {
    #[must_use]
    pub fn of(report: &Report<'_>, places: &Places<'_>) -> Self {
        let checked = &report.checked;
        let policy = report.policy;
        Self {
            file: report.label.to_owned(),
            line: report.place.line,
            column: report.place.column,
            operation: checked.effects.as_ref().map(|effects| effects.operation.as_str()),
            outcome: checked.outcome.as_str(),
            missing: report.missing(),
            problem: checked.problem.as_ref().map(|problem| Problem {
                code: problem.code,
                message: problem.message.clone(),
                hint: problem.hint.clone(),
            }),
            reasons: report.reasons().iter().map(|reason| Reason::of(policy, reason)).collect(),
            obligations: checked.decision.obligations.iter().map(DataObligation::from).collect(),
            remedy: report.remedy().map(|remedy| Advice::of(policy, &remedy)),
            diagnostics: report.findings(places).iter().map(|finding| diagnostic(finding, 0)).collect(),
        }
    }
}

impl Advice {
    #[must_use]
    pub fn of(policy: &Policy, remedy: &Remedy) -> Self {
        match remedy {
            Remedy::SwitchRolesOn => Self { switch_roles_on: true, grants: Vec::new(), denials: Vec::new() },
            Remedy::Change { grants, denials } => Self {
                switch_roles_on: false,
                grants: entry_statements(policy, grants),
                denials: denials.iter().map(|held| HeldEntry::of(policy, held)).collect(),
            },
        }
    }
}

impl Reason {
    #[must_use]
    pub fn of(policy: &Policy, reason: &Explained) -> Self {
        let entries = |held: &[Held]| held.iter().map(|held| HeldEntry::of(policy, held)).collect();
        let requirement = &reason.requirement;
        Self {
            right: requirement.right.to_string(),
            object: requirement.resource.to_string(),
            columns: match &requirement.columns {
                Columns::Whole => Vec::new(),
                Columns::Named(names) => names.iter().map(ToString::to_string).collect(),
            },
            held: reason.missing.is_empty(),
            basis: match reason.basis {
                Basis::Granted => "granted",
                Basis::Owner => "owner",
                Basis::Administrator => "administrator",
                Basis::Super => "super",
                Basis::Provider(_) => "provider",
                Basis::Denied => "denied",
                Basis::NotGranted => "not_granted",
                Basis::Forbidden => "forbidden",
            },
            missing: reason.missing.iter().map(|missing| missing.resource.to_string()).collect(),
            entries: entries(&reason.entries),
            nearby: entries(&reason.nearby),
        }
    }
}

impl HeldEntry {
    #[must_use]
    pub fn of(policy: &Policy, held: &Held) -> Self {
        Self {
            entry: held.entry.id.0,
            effect: match held.entry.effect {
                Effect::Grant => "grant",
                Effect::Deny => "deny",
            },
            sql: entry_statements(policy, std::slice::from_ref(&held.entry)).pop(),
            path: held.path.iter().map(PrincipalName::from).collect(),
            carrier: held.carrier.as_ref().map(Resource::to_string),
        }
    }
}

impl From<&Principal> for PrincipalName {
    fn from(principal: &Principal) -> Self {
        let principal_type = match principal {
            Principal::User(_) => "user",
            Principal::Group(_) => "group",
            Principal::Role(_) => "role",
        };
        Self { principal_type, name: principal.name().to_owned() }
    }
}

impl From<&Obligation> for DataObligation {
    fn from(obligation: &Obligation) -> Self {
        match obligation {
            Obligation::Filter { table, policy, condition } => Self {
                kind: "row_filter",
                table: table.to_string(),
                column: None,
                expression: condition.to_string(),
                policy: policy.to_string(),
            },
            Obligation::Mask { table, column, policy, expression } => Self {
                kind: "column_mask",
                table: table.to_string(),
                column: Some(column.to_string()),
                expression: expression.to_string(),
                policy: policy.to_string(),
            },
        }
    }
}
