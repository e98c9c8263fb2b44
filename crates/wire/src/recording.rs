//! The documented shapes of what is recorded: `record`, `import querylog` and `import letters`.

use std::borrow::Cow;
use std::sync::Arc;

use guardbee_engine::run_store::{BuriedLetter, LetterUse};
use guardbee_engine::{Checked, Outcome, missing_text};
use guardbee_lineage::{DatasetName, Run, utc};
use guardbee_policy::Policy;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of these shapes.
const VERSION: u32 = 1;

/// `record`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct RecordDocument {
    pub version: u32,
    /// Every statement, in the order of files and of the text.
    pub statements: Vec<RecordedStatement>,
    pub summary: RecordSummary,
}

/// What came of one statement.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct RecordedStatement {
    /// File and line.
    pub place: String,
    #[schemars(extend("enum" = ["allowed", "denied", "error"]))]
    pub outcome: Cow<'static, str>,
    /// Hive's operation type; empty where the statement could not be read.
    pub operation: String,
    /// The key of its run; absent where it leaves nothing to remember.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    pub inputs: Vec<String>,
    pub outputs: Vec<String>,
    /// Why it may not run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// What came of all statements.
#[derive(Debug, Default, Clone, Copy, Serialize, Deserialize, JsonSchema)]
pub struct RecordSummary {
    pub statements: u64,
    /// Runs that are new in the store.
    pub recorded: u64,
    /// Runs that it had before.
    pub known: u64,
    /// Statements that neither read nor write data nor change which datasets there are.
    pub nothing: u64,
    pub denied: u64,
    pub errors: u64,
    /// What could not be recorded and lies with the dead letters.
    pub buried: u64,
    pub unreadable_files: u64,
}

/// What came of one statement.
#[derive(Debug)]
pub struct Line {
    /// The script and line.
    pub place: Arc<str>,
    pub outcome: Outcome,
    pub operation: &'static str,
    /// The key of its run, where it leaves one.
    pub run: Option<String>,
    pub inputs: Vec<String>,
    pub outputs: Vec<String>,
    /// Why it may not run.
    pub problem: Option<String>,
}

impl Line {
    #[must_use]
    pub fn of(place: Arc<str>, checked: &Checked, run: Option<&Run>, policy: &Policy) -> Self {
        let missing = checked.decision.missing();
        let missing: Vec<String> = missing.map(|missing| missing_text(missing, policy.settings())).collect();
        let problem = match (checked.outcome, missing.is_empty()) {
            (Outcome::Allowed, _) => None,
            (Outcome::Denied, false) => Some(format!("needs {}", missing.join(", "))),
            _ => checked.problem.as_ref().map(ToString::to_string),
        };
        Self {
            place,
            outcome: checked.outcome,
            operation: checked.effects.as_ref().map_or("", |effects| effects.operation.as_str()),
            run: run.map(|run| run.key.0.to_string()),
            inputs: run.map(inputs).unwrap_or_default(),
            outputs: run.map(outputs).unwrap_or_default(),
            problem,
        }
    }
}

pub(crate) fn inputs(run: &Run) -> Vec<String> {
    let direct = run.inputs.iter().filter(|input| input.through.is_empty());
    direct.map(|input| input.dataset.to_string()).collect()
}

/// What it writes, or else what it makes, renames or removes.
pub(crate) fn outputs(run: &Run) -> Vec<String> {
    let written = run.targets.iter().map(|target| &target.dataset);
    let written = written.filter(|dataset| !matches!(dataset, DatasetName::Result(_)));
    // Of what has another name or place since, the new one.
    let changed = run.changes.iter().filter_map(|change| change.datasets().last());
    let mut outputs: Vec<String> = Vec::new();
    for output in written.chain(changed).map(ToString::to_string) {
        if !outputs.contains(&output) {
            outputs.push(output);
        }
    }
    outputs
}

impl RecordDocument {
    #[must_use]
    pub fn of(lines: &[Line], summary: RecordSummary) -> Self {
        let statement = |line: &Line| RecordedStatement {
            place: line.place.to_string(),
            outcome: match line.outcome {
                Outcome::Allowed => "allowed",
                Outcome::Denied => "denied",
                Outcome::Error => "error",
            }
            .into(),
            operation: line.operation.to_owned(),
            run: line.run.clone(),
            inputs: line.inputs.clone(),
            outputs: line.outputs.clone(),
            problem: line.problem.clone(),
        };
        Self { version: VERSION, statements: lines.iter().map(statement).collect(), summary }
    }
}

/// `import querylog`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct ImportDocument {
    pub version: u32,
    pub summary: ImportSummary,
}

impl ImportDocument {
    #[must_use]
    pub const fn of(summary: ImportSummary) -> Self {
        Self { version: VERSION, summary }
    }
}

/// What came of query logs.
#[derive(Debug, Default, Clone, Copy, Serialize, Deserialize, JsonSchema)]
pub struct ImportSummary {
    pub files: u64,
    pub statements: u64,
    /// Runs that are new in the store.
    pub recorded: u64,
    /// Runs that it had before.
    pub known: u64,
    /// Statements that neither read nor write data nor change which datasets there are.
    pub nothing: u64,
    /// Lines that are no statement.
    pub refused: u64,
    /// What could not be recorded and lies with the dead letters; lines that are no statement are among it.
    pub buried: u64,
    pub unreadable_files: u64,
}

/// `import letters`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct LettersDocument {
    pub version: u32,
    /// How many there are, and what they take up.
    pub count: u64,
    pub bytes: u64,
    /// Oldest first.
    pub letters: Vec<Letter>,
}

/// Something that could not be recorded.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Letter {
    pub id: u64,
    pub received_at: String,
    /// How often it came.
    pub times: u64,
    pub source: String,
    pub reason: String,
    pub payload: String,
}

impl LettersDocument {
    #[must_use]
    pub fn of(letters: &[BuriedLetter], used: LetterUse) -> Self {
        let letter = |buried: &BuriedLetter| Letter {
            id: buried.id.0,
            received_at: utc::text(buried.letter.received_at),
            times: buried.times,
            source: buried.letter.source.to_string(),
            reason: buried.letter.reason.to_string(),
            payload: String::from_utf8_lossy(&buried.letter.payload).into_owned(),
        };
        Self {
            version: VERSION,
            count: used.count,
            bytes: used.bytes,
            letters: letters.iter().map(letter).collect(),
        }
    }
}
