//! What a session is answered.

use std::fmt;
use std::sync::Arc;

use guardbee_analysis::Effects;
use guardbee_model::Diagnostic;
use guardbee_policy::decision::Missing;
use guardbee_policy::requirement::{Requirement, Right};
use guardbee_policy::{Decision, Resource, Settings, Verdict};
use smol_str::SmolStr;

use crate::store::PolicyVersion;

/// May a statement run?
#[derive(Debug, Clone)]
pub struct Checked {
    /// What it does; absent where it could not be read.
    pub effects: Option<Effects>,
    /// The rights that it needs, to which the decision's reasons refer.
    pub requirements: Vec<Requirement>,
    /// What the policy says of them. Of `EXPLAIN AUTHORIZATION` it is what the policy says of the statement
    /// explained, though the outcome is always that it may run.
    pub decision: Decision,
    pub diagnostics: Vec<Diagnostic>,
    pub outcome: Outcome,
    /// Why it may not run.
    pub problem: Option<Problem>,
}

impl Checked {
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.outcome == Outcome::Allowed
    }
}

/// The three ways in which a statement ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    Allowed,
    /// Authorization says no.
    Denied,
    /// The statement is wrong, whoever runs it; or it could not be carried out.
    Error,
}

impl Outcome {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allowed => "allowed",
            Self::Denied => "denied",
            Self::Error => "error",
        }
    }
}

/// What came of running a statement.
#[derive(Debug, Clone)]
pub struct Executed {
    pub checked: Checked,
    /// What it prints. Empty for all that the engine does not run itself, such as queries.
    pub answer: Answer,
    /// The version that the policy got by it. Its record is in the audit log of the store with it.
    pub version: Option<PolicyVersion>,
}

/// Why a statement does not run. The message is in lower case without a full stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Stable: scripts match on it.
    pub code: &'static str,
    pub message: String,
    pub hint: Option<String>,
}

impl Problem {
    #[must_use]
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: None }
    }

    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// A table that a statement prints, and what there is to say beside it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    pub columns: &'static [&'static str],
    pub rows: Vec<Vec<Value>>,
    /// What a person should know though the statement succeeded.
    pub notices: Vec<String>,
}

impl Answer {
    #[must_use]
    pub const fn table(columns: &'static [&'static str], rows: Vec<Vec<Value>>) -> Self {
        Self { columns, rows, notices: Vec::new() }
    }
}

/// One field of a row.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    Text(SmolStr),
    Boolean(bool),
    Number(i64),
}

impl Value {
    #[must_use]
    pub fn text(text: impl AsRef<str>) -> Self {
        Self::Text(SmolStr::new(text))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Boolean(boolean) => write!(f, "{boolean}"),
            Self::Number(number) => write!(f, "{number}"),
        }
    }
}

/// A missing right as policy tests and messages write it, with the server's name where it is one on the server.
#[must_use]
pub fn missing_text(missing: &Missing, settings: &Settings) -> String {
    match (&missing.right, &missing.resource) {
        // What nobody may is said in words, not as a right on something.
        (Right::Nobody(reason), _) => reason.to_string(),
        (_, Resource::Server) => format!("{} on SERVER {}", missing.right, settings.server),
        _ => missing.to_string(),
    }
}

/// All that is missing, as [`missing_text`] writes it, but columns of a table in one text: `SELECT on db.table (a, b)`.
#[must_use]
pub fn missing_by_table(decision: &Decision, settings: &Settings) -> Vec<Arc<str>> {
    let missing: Vec<&Missing> = decision.missing().collect();
    let is_same = |one: &&Missing, other: &&Missing| match (&one.resource, &other.resource) {
        (Resource::Column(one_column), Resource::Column(other_column)) => {
            one.right == other.right && one_column.table == other_column.table
        }
        _ => false,
    };
    let text = |group: &[&Missing]| match group {
        [one] => missing_text(one, settings),
        group => {
            let mut text = String::new();
            for (place, missing) in group.iter().enumerate() {
                let Resource::Column(column) = &missing.resource else { continue };
                if place == 0 {
                    text = format!("{} on {} (", missing.right, column.table);
                } else {
                    text.push_str(", ");
                }
                text.push_str(&column.column);
            }
            text.push(')');
            text
        }
    };
    missing.chunk_by(is_same).map(|group| text(group).into()).collect()
}

/// The decision about something for which nothing is needed, or of which nothing is known.
pub(crate) fn bare_decision(verdict: Verdict) -> Decision {
    Decision { verdict, reasons: Default::default(), obligations: Vec::new() }
}
