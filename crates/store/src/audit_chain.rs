//! Looks through the whole audit log, and finds the first place at which it is not what was written.

use guardbee_engine::audit::{AuditHash, AuditHead, AuditRecord, AuditSeq, AuditVerdict};
use rustc_hash::FxHashMap;

use crate::audit::{self, AuditRow};
use crate::checksum::{self, Kept};
use crate::database::Database;
use crate::rows::{Kind, Value};
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
    let mut chain = Chain { anchor, last: 0, hash: AuditHash::default(), objects: 0 };
    let fault = walk(session, dialect, &mut |row| chain.step(row)).await?;
    if let Some(fault) = fault.or_else(|| chain.fault_at_end(head)) {
        return Ok(Some(fault));
    }
    let mut kept = 0_i64;
    each_object(session, dialect, &mut |object, seq| kept = kept.wrapping_add(sum(object, seq))).await?;
    if kept == chain.objects {
        return Ok(None);
    }
    object_fault(session, dialect, chain.last).await
}

/// Hands over the rows of the log, oldest first, up to the first fault.
async fn walk(
    session: &mut dyn Session,
    dialect: Dialect,
    step: &mut (dyn FnMut(&[Value<'_>]) -> Result<(), Fault> + Send),
) -> Result<Option<Fault>, Failure> {
    let mut fault = None;
    session
        .rows(&dialect.audit(), &[], Dialect::AUDIT_KINDS, &mut |row| {
            if fault.is_none() {
                fault = step(row).err();
            }
            Ok(())
        })
        .await?;
    Ok(fault)
}

/// The part of the log that has been found to be what was written.
struct Chain {
    anchor: Option<AuditHead>,
    last: i64,
    hash: AuditHash,
    /// The sum over what the records' objects are searched by.
    objects: i64,
}

impl Chain {
    fn step(&mut self, row: &[Value<'_>]) -> Result<(), Fault> {
        let seq = self.last.saturating_add(1);
        let fault = |why| Fault { seq, why };
        let row = AuditRow::read(row).ok_or_else(|| fault("the record cannot be read"))?;
        if row.seq > seq {
            return Err(fault("the record is missing"));
        }
        if row.seq < seq {
            return Err(fault("a record was put in before it"));
        }
        let changed = || fault("the record, or its place, is not what was written");
        let record = row.record(self.hash).ok_or_else(changed)?;
        (self.last, self.hash) = (seq, row.hash);
        self.objects = self.objects.wrapping_add(sum_of_record(&record, seq));
        let is_other = |anchor: AuditHead| anchor.seq.0 == seq.cast_unsigned() && anchor.hash != self.hash;
        if self.anchor.is_some_and(is_other) {
            return Err(fault("the log is not the one that was there when its end was noted down"));
        }
        Ok(())
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
        (self.hash != head.hash).then_some(Fault {
            seq: self.last,
            why: "the log does not end with the record that it ended with",
        })
    }
}

fn sum(object: i64, seq: i64) -> i64 {
    checksum::of_kept(Kept::AuditObject, &[object, seq].map(Value::Integer))
}

fn sum_of_record(record: &AuditRecord, seq: i64) -> i64 {
    let objects = audit::objects(record);
    objects.into_iter().fold(0, |total, object| total.wrapping_add(sum(object, seq)))
}

async fn each_object(
    session: &mut dyn Session,
    dialect: Dialect,
    each: &mut (dyn FnMut(i64, i64) + Send),
) -> Result<(), Failure> {
    session
        .rows(&dialect.audit_objects(), &[], &[Kind::Integer; 2], &mut |row| {
            if let [Value::Integer(object), Value::Integer(seq)] = *row {
                each(object, seq);
            }
            Ok(())
        })
        .await
}

/// The first record that would not be found by its objects, or would be by others.
async fn object_fault(
    session: &mut dyn Session,
    dialect: Dialect,
    last: i64,
) -> Result<Option<Fault>, Failure> {
    const WHY: &str = "the record is not searched by the objects that it has";
    let mut kept: FxHashMap<i64, i64> = FxHashMap::default();
    each_object(session, dialect, &mut |object, seq| {
        let total = kept.entry(seq).or_default();
        *total = total.wrapping_add(sum(object, seq));
    })
    .await?;
    let fault = walk(session, dialect, &mut |row| {
        let Some(row) = AuditRow::read(row) else { return Ok(()) };
        let Some(record) = crate::audit_body::read(row.body) else { return Ok(()) };
        let is_same = kept.remove(&row.seq).unwrap_or_default() == sum_of_record(&record, row.seq);
        if is_same { Ok(()) } else { Err(Fault { seq: row.seq, why: WHY }) }
    })
    .await?;
    let behind =
        Fault { seq: last.saturating_add(1), why: "there are objects of a record that there is not" };
    Ok(Some(fault.unwrap_or(behind)))
}
