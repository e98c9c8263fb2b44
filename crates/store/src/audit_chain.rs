//! Looks through the whole audit log, and finds the first place at which it is not what was written.

use guardbee_engine::audit::{AuditHash, AuditHead, AuditSeq, AuditVerdict};

use crate::audit;
use crate::audit_block::{BlockRow, Summary};
use crate::audit_body::{self, Searched};
use crate::audit_group::{Group, Names};
use crate::database::Database;
use crate::rows::Value;
use crate::session::{Failure, Session};
use crate::statements::Dialect;

pub async fn verify(database: &dyn Database, anchor: Option<AuditHead>) -> Result<AuditVerdict, Failure> {
    let mut transaction = database.read().await?;
    let verdict = verify_in(transaction.session(), database.dialect(), anchor).await?;
    transaction.commit().await?;
    Ok(verdict)
}

/// The same within a transaction.
pub async fn verify_in(
    session: &mut dyn Session,
    dialect: Dialect,
    anchor: Option<AuditHead>,
) -> Result<AuditVerdict, Failure> {
    let broken = first_fault(session, dialect, anchor).await?;
    let head = audit::read_head(session, &dialect.audit_head()).await?;
    Ok(match broken {
        Some(Fault { seq, why }) => {
            AuditVerdict::Broken { seq: AuditSeq(seq.cast_unsigned()), why: why.to_owned() }
        }
        None => AuditVerdict::Verified { count: head.seq.0, head: head.hash },
    })
}

/// A place at which the log is not what was written.
struct Fault {
    seq: i64,
    why: &'static str,
}

async fn first_fault(
    session: &mut dyn Session,
    dialect: Dialect,
    anchor: Option<AuditHead>,
) -> Result<Option<Fault>, Failure> {
    let head = audit::read_head(session, &dialect.audit_head()).await?;
    let groups = groups(session, dialect).await?;
    let mut chain = Chain { anchor, last: 0, hash: AuditHash::default(), groups, group: Part::from(1) };
    let mut fault = None;
    session
        .rows(&dialect.audit(), &[], Dialect::BLOCK_KINDS, &mut |row| {
            if fault.is_none() {
                fault = chain.step(row).err();
            }
            Ok(())
        })
        .await?;
    Ok(fault.or_else(|| chain.fault_at_end(head)))
}

/// A group as it is kept. Its names are some bytes for each name, of all names together: they are held while the log is
/// looked through.
struct Kept {
    summary: Summary,
    names: Vec<u8>,
}

/// Newest first, so that the next one is the last.
async fn groups(session: &mut dyn Session, dialect: Dialect) -> Result<Vec<Option<Kept>>, Failure> {
    let mut groups = Vec::new();
    session
        .rows(&dialect.audit_groups(), &[], Group::KINDS, &mut |row| {
            groups.push(row.split_last().and_then(|(names, summary)| match *names {
                Value::Bytes(names) => Some(Kept { summary: Summary::read(summary)?, names: names.to_vec() }),
                _ => None,
            }));
            Ok(())
        })
        .await?;
    groups.reverse();
    Ok(groups)
}

/// The part of the log that has been found to be what was written.
struct Chain {
    anchor: Option<AuditHead>,
    last: i64,
    hash: AuditHash,
    /// Those that are still to come.
    groups: Vec<Option<Kept>>,
    group: Part,
}

/// What has been seen of the next group.
struct Part {
    summary: Summary,
    keys: Vec<i64>,
}

impl Part {
    const fn from(oldest: i64) -> Self {
        Self { summary: Summary::from(oldest), keys: Vec::new() }
    }
}

impl Chain {
    /// Takes the next row.
    fn step(&mut self, row: &[Value<'_>]) -> Result<(), Fault> {
        let oldest = self.last.saturating_add(1);
        let fault = |why| Fault { seq: oldest, why };
        let row = BlockRow::read(row).ok_or_else(|| fault("the record cannot be read"))?;
        let summary = row.summary;
        if summary.oldest > oldest {
            return Err(fault("the record is missing"));
        }
        if summary.oldest < oldest {
            return Err(fault("a record was put in before it"));
        }
        let mut is_other = None;
        let (anchor, keys) = (self.anchor, &mut self.group.keys);
        let last = row.follow(self.hash, |seq, body, hash| {
            let record = audit_body::read(body)?;
            audit_body::keys(&record, keys);
            let is_noted = |anchor: &AuditHead| anchor.seq.0 == seq.cast_unsigned() && anchor.hash != hash;
            is_other = is_other.or(anchor.filter(is_noted).map(|_| seq));
            Some(Searched::of(&record))
        });
        let last = last.ok_or_else(|| fault("the record, or its place, is not what was written"))?;
        if let Some(seq) = is_other {
            return Err(Fault {
                seq,
                why: "the log is not the one that was there when its end was noted down",
            });
        }
        (self.last, self.hash) = (summary.newest, last);
        self.group.summary.add_all(&summary);
        self.end_group()
    }

    /// Holds the group to what has been seen, where it ends here.
    fn end_group(&mut self) -> Result<(), Fault> {
        const WHY: &str = "the record is not searched by the names that it has";
        let Some(next) = self.groups.last() else {
            self.group = Part::from(self.last.saturating_add(1));
            return Ok(());
        };
        let fault = Fault { seq: self.group.summary.oldest, why: WHY };
        let Some(kept) = next else { return Err(fault) };
        if kept.summary.newest > self.last {
            return Ok(());
        }
        let seen = std::mem::replace(&mut self.group, Part::from(self.last.saturating_add(1)));
        let is_same =
            kept.summary == seen.summary && Names::of(seen.keys).as_bytes() == kept.names.as_slice();
        self.groups.pop();
        if is_same { Ok(()) } else { Err(fault) }
    }

    fn fault_at_end(&self, head: AuditHead) -> Option<Fault> {
        let seq = self.last.saturating_add(1);
        let last = self.last.cast_unsigned();
        let noted = self.anchor.map_or(0, |anchor| anchor.seq.0);
        if last < head.seq.0.max(noted) {
            return Some(Fault { seq, why: "the log was cut off here" });
        }
        if last > head.seq.0 {
            let seq = head.seq.0.saturating_add(1).cast_signed();
            return Some(Fault { seq, why: "the record is behind where the log ended" });
        }
        if self.hash != head.hash {
            return Some(Fault {
                seq: self.last,
                why: "the log does not end with the record that it ended with",
            });
        }
        (!self.groups.is_empty())
            .then_some(Fault { seq, why: "there are names of records that there are not" })
    }
}
