//! The documented shapes of what `guardbee audit` and `who-did` write as JSON.

use std::borrow::Cow;

use guardbee_engine::audit::{AuditEntry, AuditObject, AuditVerdict};
use guardbee_lineage::utc;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::is_false;

/// The version of these shapes.
const VERSION: u32 = 1;

/// `audit`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct AuditDocument {
    pub version: u32,
    /// Newest first.
    pub records: Vec<AuditLine>,
    /// The store cannot be written: that these are read is not in its audit log.
    #[serde(default, skip_serializing_if = "is_false")]
    pub unnoted: bool,
}

impl AuditDocument {
    #[must_use]
    pub fn of(entries: &[AuditEntry], unnoted: bool) -> Self {
        Self { version: VERSION, records: entries.iter().map(AuditLine::of).collect(), unnoted }
    }
}

/// One record; also one line of `audit export`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct AuditLine {
    /// Counts up from 1 without a gap.
    pub number: u64,
    /// As `2026-11-29T02:14:05.123Z`.
    pub at: String,
    pub user: String,
    pub groups: Vec<String>,
    #[schemars(extend("enum" = ["decision", "failure", "change", "read"]))]
    pub kind: Cow<'static, str>,
    /// Hive's operation type, or what else was asked for.
    pub operation: String,
    #[schemars(extend("enum" = ["allowed", "denied"]))]
    pub verdict: Cow<'static, str>,
    pub statement: String,
    pub objects: Vec<Touched>,
    /// What decided, or why it failed.
    pub reasons: Vec<String>,
    /// What the user would have needed and has not.
    pub missing: Vec<String>,
    pub policy_version: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// SHA-256 over the record and the hash of the one before.
    pub hash: String,
}

/// Something that was asked for.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Touched {
    pub name: String,
    /// `SELECT`, `INSERT` and so on.
    pub access: String,
    /// Empty: the object as a whole.
    pub columns: Vec<String>,
}

impl AuditLine {
    #[must_use]
    pub fn of(entry: &AuditEntry) -> Self {
        let record = &entry.record;
        let texts = |texts: &[std::sync::Arc<str>]| texts.iter().map(ToString::to_string).collect();
        Self {
            number: entry.seq.0,
            at: utc::text(record.at),
            user: record.actor.to_string(),
            groups: record.groups.iter().map(ToString::to_string).collect(),
            kind: record.kind.as_str().into(),
            operation: record.operation.to_string(),
            verdict: record.verdict.as_str().into(),
            statement: record.statement.to_string(),
            objects: record.objects.iter().map(Touched::of).collect(),
            reasons: texts(&record.reasons),
            missing: texts(&record.missing),
            policy_version: record.policy_version.0,
            client: record.client.as_ref().map(ToString::to_string),
            hash: entry.hash.to_string(),
        }
    }
}

impl Touched {
    fn of(object: &AuditObject) -> Self {
        Self {
            name: object.name.to_string(),
            access: object.access.to_string(),
            columns: object.columns.iter().map(ToString::to_string).collect(),
        }
    }
}

/// `audit verify`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct VerifyDocument {
    pub version: u32,
    /// Is the log what was written?
    pub whole: bool,
    /// How many records it has; absent where it is broken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub records: Option<u64>,
    /// The hash of the last record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// The first record that is not as it was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broken_at: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The store cannot be written: that it is read is not in its audit log.
    #[serde(default, skip_serializing_if = "is_false")]
    pub unnoted: bool,
}

impl VerifyDocument {
    #[must_use]
    pub fn of(verdict: &AuditVerdict, unnoted: bool) -> Self {
        let empty = Self {
            version: VERSION,
            whole: false,
            records: None,
            hash: None,
            broken_at: None,
            reason: None,
            unnoted,
        };
        match verdict {
            AuditVerdict::Verified { count, head } => {
                Self { whole: true, records: Some(*count), hash: Some(head.to_string()), ..empty }
            }
            AuditVerdict::Broken { seq, why } => {
                Self { broken_at: Some(seq.0), reason: Some(why.clone()), ..empty }
            }
        }
    }
}

/// `who-did`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct WhoDidDocument {
    pub version: u32,
    /// What was asked for.
    pub dataset: String,
    /// Runs that read or wrote it, newest first.
    pub runs: Vec<Deed>,
    /// What was asked about it and decided, newest first.
    pub decisions: Vec<AuditLine>,
    /// The store cannot be written: that these are read is not in its audit log.
    #[serde(default, skip_serializing_if = "is_false")]
    pub unnoted: bool,
}

/// A run that touched what was asked for.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Deed {
    pub run: String,
    pub user: String,
    pub operation: String,
    /// `read`, `wrote` or `changed`.
    #[schemars(extend("items" = {"type": "string", "enum": ["read", "wrote", "changed"]}))]
    pub did: Vec<Cow<'static, str>>,
    pub ended_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub script: Option<String>,
}

impl WhoDidDocument {
    #[must_use]
    pub fn of(dataset: &str, runs: Vec<Deed>, entries: &[AuditEntry], unnoted: bool) -> Self {
        Self {
            version: VERSION,
            dataset: dataset.to_owned(),
            runs,
            decisions: entries.iter().map(AuditLine::of).collect(),
            unnoted,
        }
    }
}
