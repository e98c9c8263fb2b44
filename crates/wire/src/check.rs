//! What `guardbee check --format json` and `jsonl` write: the documented shape of an answer.

use std::borrow::Cow;

use guardbee_engine::Outcome;
use guardbee_engine::explain::Explained;
use guardbee_engine::store::PolicyVersion;
use guardbee_policy::{Identity, Policy};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::analyze::Diagnostic;
use crate::convert::diagnostic;
use crate::place::{Place, Places};
pub use crate::reason::{
    Advice, Basis, DataObligation, EntryEffect, HeldEntry, ObligationKind, PrincipalName, PrincipalType,
    Reason, RightKind, Way,
};
use crate::report::Finding;
pub use crate::report::Report;
use crate::service::check::CheckAnswer;

/// The version of this shape.
const VERSION: u32 = 1;

/// The whole of `--format json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Document {
    #[serde(flatten)]
    pub head: Head,
    /// Every statement, in the order of files and of the text.
    pub statements: Vec<Statement>,
    pub summary: Summary,
}

/// Who asked which policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Head {
    pub version: u32,
    pub user: String,
    pub groups: Vec<String>,
    #[schemars(extend("enum" = ["sentry", "hive-legacy", "sql-standard", "ranger"]))]
    pub rule_book: Cow<'static, str>,
    /// The version of the policy, where it comes from a store.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy_version: Option<u64>,
}

impl Head {
    /// Of somebody whose rights are asked for elsewhere.
    #[must_use]
    pub fn of_answer(user: &str, groups: &[String], rule_book: String, policy_version: u64) -> Self {
        Self {
            version: VERSION,
            user: user.to_owned(),
            groups: groups.to_vec(),
            rule_book: rule_book.into(),
            policy_version: Some(policy_version),
        }
    }

    #[must_use]
    pub fn of(identity: &Identity, policy: &Policy, version: Option<PolicyVersion>) -> Self {
        Self {
            version: VERSION,
            user: identity.user.to_string(),
            groups: identity.groups.iter().map(ToString::to_string).collect(),
            rule_book: policy.settings().rule_book.as_str().into(),
            policy_version: version.map(|version| version.0),
        }
    }
}

/// One statement; also one line of `--format jsonl`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Statement {
    /// The file as it was named, `-` for standard input, `-e` for the command line.
    pub file: String,
    /// Where the statement starts, from 1 on; columns count characters.
    pub line: u32,
    pub column: u32,
    /// Hive's operation type; absent where the statement could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<Cow<'static, str>>,
    pub outcome: Verdict,
    /// What is missing, such as `SELECT on hr.emp.ssn`. Of EXPLAIN AUTHORIZATION, which is always allowed, what
    /// the statement explained would lack.
    pub missing: Vec<String>,
    /// Why it may not run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<Problem>,
    /// What decided each right that is needed, in the order of the rule book.
    pub reasons: Vec<Reason>,
    /// What has to be done to what is read.
    pub obligations: Vec<DataObligation>,
    /// What would have to change; absent where it is allowed or where no grant can help.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remedy: Option<Advice>,
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Verdict {
    Allowed,
    Denied,
    Error,
}

impl Verdict {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allowed => "allowed",
            Self::Denied => "denied",
            Self::Error => "error",
        }
    }
}

impl From<Outcome> for Verdict {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Allowed => Self::Allowed,
            Outcome::Denied => Self::Denied,
            Outcome::Error => Self::Error,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Problem {
    /// A stable name, such as `not-allowed`.
    pub code: Cow<'static, str>,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl From<&guardbee_engine::Problem> for Problem {
    fn from(problem: &guardbee_engine::Problem) -> Self {
        Self { code: problem.code.into(), message: problem.message.clone(), hint: problem.hint.clone() }
    }
}

/// What came of all of it.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
        Self::with_reasons(report, places, &report.reasons())
    }

    /// The same, with reasons only for what is refused or lacks something: they take longer to find than the decision.
    #[must_use]
    pub fn brief(report: &Report<'_>, places: &Places<'_>) -> Self {
        let checked = &report.checked;
        let is_whole = checked.outcome != Outcome::Denied && checked.decision.missing().next().is_none();
        let reasons = if is_whole { Vec::new() } else { report.reasons() };
        Self::with_reasons(report, places, &reasons)
    }

    fn with_reasons(report: &Report<'_>, places: &Places<'_>, reasons: &[Explained]) -> Self {
        let checked = &report.checked;
        let policy = report.policy;
        Self {
            file: report.label.to_owned(),
            line: report.place.line,
            column: report.place.column,
            operation: checked.effects.as_ref().map(|effects| effects.operation.as_str().into()),
            outcome: checked.outcome.into(),
            missing: report.missing(),
            problem: checked.problem.as_ref().map(Problem::from),
            reasons: reasons.iter().map(|reason| Reason::of(policy, reason)).collect(),
            obligations: checked.decision.obligations.iter().map(DataObligation::from).collect(),
            remedy: report.remedy().map(|remedy| Advice::of(policy, &remedy)),
            diagnostics: report.findings(places).iter().map(|finding| diagnostic(finding, 0)).collect(),
        }
    }

    /// The same by the answer of a service, with what was found in the text where it was sent from.
    #[must_use]
    pub fn of_answer(label: &str, place: Place, answer: CheckAnswer, findings: &[Finding]) -> Self {
        Self {
            file: label.to_owned(),
            line: place.line,
            column: place.column,
            operation: answer.operation,
            outcome: answer.outcome,
            missing: answer.missing,
            problem: answer.problem,
            reasons: answer.reasons.unwrap_or_default(),
            obligations: answer.obligations,
            remedy: answer.remedy,
            diagnostics: findings.iter().map(|finding| diagnostic(finding, 0)).collect(),
        }
    }

    /// Leaves out the reasons of what is allowed and lacks nothing, as [`brief`](Self::brief) does.
    #[must_use]
    pub fn shortened(mut self) -> Self {
        if self.outcome != Verdict::Denied && self.missing.is_empty() {
            self.reasons.clear();
        }
        self
    }

    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.outcome == Verdict::Allowed
    }

    /// What is missing, in a sentence: what nobody may, then rights.
    #[must_use]
    pub fn missing_sentence(&self) -> Option<String> {
        let is_forbidden = |missing: &&String| {
            self.reasons.iter().any(|reason| reason.kind == RightKind::Nobody && reason.right == **missing)
        };
        let (forbidden, rights): (Vec<&String>, Vec<&String>) = self.missing.iter().partition(is_forbidden);
        let mut parts: Vec<String> = forbidden.into_iter().cloned().collect();
        if !rights.is_empty() {
            let rights: Vec<&str> = rights.into_iter().map(String::as_str).collect();
            parts.push(format!("needs {}", rights.join(", ")));
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }

    /// The diagnostic that the problem is, where it is one.
    #[must_use]
    pub fn mistake(&self) -> Option<&Diagnostic> {
        let problem = self.problem.as_ref()?;
        let is_problem = |found: &&Diagnostic| found.code == problem.code && found.message == problem.message;
        self.diagnostics.iter().find(is_problem)
    }
}
