//! Who asked for what, what came of it, and whether the log is what was written.
//!
//! Whoever reads the log is noted in it first, whatever they ask it; where that cannot be written down although the log
//! can be read, the answer says so.

use std::sync::Arc;

use guardbee_engine::Problem;
use guardbee_engine::audit::{
    AuditCursor, AuditEntry, AuditFilter, AuditHash, AuditHead, AuditKind, AuditRecord, AuditSeq, Verdict,
};
use guardbee_engine::store::{PolicyVersion, StoreError};
use guardbee_wire::audit::{AuditDocument, VerifyDocument};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::defaults;
use crate::ground::{Ground, Unanswered};
use crate::moment::Moment;

const READ: &str = "read the audit log";
/// So many records are exported at once.
const PAGE: u32 = 1000;

/// Which records are in the audit log?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AuditQuestion {
    /// Only what this user asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// Only what was allowed, or denied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<VerdictName>,
    /// Only what was asked at this moment or later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Moment>,
    /// Only what was asked before this moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Moment>,
    /// Only records before the one of this number: the last of an answer, where the next is to go on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<u64>,
    /// How many of the last records to list.
    #[serde(default = "defaults::records")]
    pub limit: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum VerdictName {
    Allowed,
    Denied,
}

impl Default for AuditQuestion {
    fn default() -> Self {
        Self { user: None, verdict: None, from: None, until: None, before: None, limit: defaults::RECORDS }
    }
}

/// The newest records that fit.
///
/// # Errors
/// [`Unanswered`].
pub async fn audit(ground: &Ground<'_>, question: &AuditQuestion) -> Result<AuditDocument, Unanswered> {
    let terms = question.terms();
    let noted = note_reading(ground, "audit", &terms.text(ground)).await?;
    let before = question.before.map(AuditSeq);
    // The smaller of two: nobody goes on behind what was there when they asked.
    let before = before.into_iter().chain(noted).min();
    let entries = newest(ground, &terms.filter(), before, question.limit).await?;
    Ok(AuditDocument::of(&entries, noted.is_none()))
}

/// Is the audit log what was written?
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VerifyQuestion {
    /// An end of the log that was noted down earlier: NUMBER:HASH.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor: Option<String>,
}

/// Looks through the whole log.
///
/// # Errors
/// [`Unanswered`].
pub async fn verify(ground: &Ground<'_>, question: &VerifyQuestion) -> Result<VerifyDocument, Unanswered> {
    let anchor = question.anchor.as_deref().map(self::anchor).transpose()?;
    let text = question.anchor.as_deref().unwrap_or_default();
    let noted = note_reading(ground, "audit verify", text).await?;
    let verdict = ground.storage.verify_audit(anchor).await.map_err(Unanswered::store(READ))?;
    Ok(VerifyDocument::of(&verdict, noted.is_none()))
}

fn anchor(text: &str) -> Result<AuditHead, Unanswered> {
    let wrong = || {
        let message = format!("`{text}` is no end of a log: expected NUMBER:HASH");
        Unanswered::WrongUse(Problem::new("malformed-anchor", message))
    };
    let (number, hash) = text.split_once(':').ok_or_else(wrong)?;
    let seq = AuditSeq(number.parse().map_err(|_| wrong())?);
    let mut bytes = [0_u8; 32];
    if hash.len() != 64 || !hash.is_ascii() {
        return Err(wrong());
    }
    for (place, byte) in bytes.iter_mut().enumerate() {
        let digits = hash.get(2 * place..2 * place + 2).ok_or_else(wrong)?;
        *byte = u8::from_str_radix(digits, 16).map_err(|_| wrong())?;
    }
    Ok(AuditHead { seq, hash: AuditHash(bytes) })
}

/// All records that fit, oldest first, page by page. That they are read is not among them.
pub struct AuditPages<'p> {
    ground: Ground<'p>,
    filter: AuditFilter,
    noted: Option<AuditSeq>,
    after: AuditSeq,
}

impl<'p> AuditPages<'p> {
    /// Before the first page; what the question says of number and limit does not count.
    ///
    /// # Errors
    /// What the store says.
    pub async fn of(ground: Ground<'p>, question: &AuditQuestion) -> Result<Self, Unanswered> {
        let terms = question.terms();
        let noted = note_reading(&ground, "audit export", &terms.text(&ground)).await?;
        Ok(Self { ground, filter: terms.filter(), noted, after: AuditSeq(0) })
    }

    /// The store cannot be written: that these are read is not in its audit log.
    #[must_use]
    pub const fn is_unnoted(&self) -> bool {
        self.noted.is_none()
    }

    /// The next page, as the viewer may see it; empty at the end.
    ///
    /// # Errors
    /// What the store says.
    pub async fn next(&mut self) -> Result<Vec<AuditEntry>, Unanswered> {
        loop {
            let storage = self.ground.storage;
            let page = storage.read_audit(&self.filter, AuditCursor::After(self.after), PAGE).await;
            let mut page = page.map_err(Unanswered::store(READ))?;
            page.retain(|entry| self.noted.is_none_or(|noted| entry.seq < noted));
            let Some(last) = page.last() else { return Ok(Vec::new()) };
            self.after = last.seq;
            let page: Vec<AuditEntry> = seen(&self.ground, &self.filter, page).collect();
            if !page.is_empty() {
                return Ok(page);
            }
        }
    }
}

/// The newest records that fit as the viewer may see them, before one of them.
pub(crate) async fn newest(
    ground: &Ground<'_>,
    filter: &AuditFilter,
    before: Option<AuditSeq>,
    limit: u32,
) -> Result<Vec<AuditEntry>, Unanswered> {
    let mut found = Vec::new();
    let mut cursor = before.map_or(AuditCursor::Newest, AuditCursor::Before);
    let most = limit as usize;
    while found.len() < most {
        let page = ground.storage.read_audit(filter, cursor, limit).await.map_err(Unanswered::store(READ))?;
        let Some(last) = page.last() else { break };
        cursor = AuditCursor::Before(last.seq);
        let is_last = page.len() < most;
        found.extend(seen(ground, filter, page));
        if is_last {
            break;
        }
    }
    found.truncate(most);
    Ok(found)
}

/// The records as the viewer may see them. Who asked is not told by asking for them either.
fn seen(
    ground: &Ground<'_>,
    filter: &AuditFilter,
    page: Vec<AuditEntry>,
) -> impl Iterator<Item = AuditEntry> {
    let is_known =
        |entry: &AuditEntry| filter.actor.as_ref().is_none_or(|actor| entry.record.actor == *actor);
    page.into_iter().map(|entry| ground.viewer.seen_record(entry)).filter(is_known)
}

/// Notes that somebody reads the log, before they do: the place of the record, which is not among what they asked for.
/// None where the store can be read and not written.
pub(crate) async fn note_reading(
    ground: &Ground<'_>,
    operation: &'static str,
    question: &str,
) -> Result<Option<AuditSeq>, Unanswered> {
    let record = AuditRecord {
        at: ground.now,
        actor: SmolStr::new(ground.asker.user),
        groups: Vec::new(),
        kind: AuditKind::Read,
        statement: Arc::from(question),
        operation: SmolStr::new_static(operation),
        objects: Vec::new(),
        verdict: Verdict::Allowed,
        reasons: Vec::new(),
        missing: Vec::new(),
        policy_version: PolicyVersion::default(),
        client: Some(SmolStr::new(ground.asker.client)),
    };
    match ground.storage.append_audit(&[record]).await {
        Ok(head) => Ok(Some(head.seq)),
        Err(StoreError::ReadOnly(_)) => Ok(None),
        Err(error) => Err(Unanswered::store("note in the audit log that its audit log is read")(error)),
    }
}

impl AuditQuestion {
    fn terms(&self) -> Terms<'_> {
        let Self { user, verdict, from, until, .. } = self;
        Terms { user: user.as_deref(), verdict: *verdict, from: *from, until: *until }
    }
}

/// Which records are meant.
pub(crate) struct Terms<'q> {
    pub user: Option<&'q str>,
    pub verdict: Option<VerdictName>,
    pub from: Option<Moment>,
    pub until: Option<Moment>,
}

impl Terms<'_> {
    /// As the command line states it, for the record of who reads.
    pub fn text(&self, ground: &Ground<'_>) -> String {
        let verdict = self.verdict.map(|verdict| match verdict {
            VerdictName::Allowed => "allowed".to_owned(),
            VerdictName::Denied => "denied".to_owned(),
        });
        let parts = [
            ("--user", self.user.map(str::to_owned)),
            ("--verdict", verdict),
            ("--viewer", ground.viewer.user().map(str::to_owned)),
            ("--from", self.from.map(|moment| moment.to_string())),
            ("--until", self.until.map(|moment| moment.to_string())),
        ];
        let given = parts.into_iter().filter_map(|(option, value)| Some(format!("{option} {}", value?)));
        given.collect::<Vec<_>>().join(" ")
    }

    pub fn filter(&self) -> AuditFilter {
        AuditFilter {
            actor: self.user.map(SmolStr::new),
            verdict: self.verdict.map(|verdict| match verdict {
                VerdictName::Allowed => Verdict::Allowed,
                VerdictName::Denied => Verdict::Denied,
            }),
            from: self.from.map(|Moment(moment)| moment),
            until: self.until.map(|Moment(moment)| moment),
            ..AuditFilter::default()
        }
    }
}
