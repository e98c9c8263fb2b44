//! Keeps the audit log: each record with the hash over itself and the one before, and where the log ends beside it.

use guardbee_engine::audit::{
    AuditCursor, AuditEntry, AuditFilter, AuditHash, AuditHead, AuditRecord, AuditSeq,
};
use guardbee_engine::store::StoreError;
use sha2::{Digest, Sha256};

use crate::audit_body::{self, kind_number, verdict_number};
use crate::batches::batches;
use crate::checksum;
use crate::database::Database;
use crate::rows::{Kind, Value};
use crate::runs::MOST_BYTES;
use crate::session::{Failure, Session};
use crate::statements::Dialect;

/// A record's place, what is searched for, its bytes and hash, as its row has them.
pub struct AuditRow<'r> {
    pub seq: i64,
    pub searched: Searched,
    pub body: &'r [u8],
    pub hash: AuditHash,
}

/// What a row repeats of its record, to be searched by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Searched {
    at: i64,
    actor: i64,
    kind: i64,
    verdict: i64,
}

impl Searched {
    pub fn of(record: &AuditRecord) -> Self {
        Self {
            at: record.at.0,
            actor: checksum::of_name(&record.actor),
            kind: kind_number(record.kind),
            verdict: verdict_number(record.verdict),
        }
    }
}

impl<'r> AuditRow<'r> {
    fn values(&'r self) -> [Value<'r>; 7] {
        let Searched { at, actor, kind, verdict } = self.searched;
        let [seq, at, actor, kind, verdict] = [self.seq, at, actor, kind, verdict].map(Value::Integer);
        [seq, at, actor, kind, verdict, Value::Bytes(self.body), Value::Bytes(&self.hash.0)]
    }

    /// `None`: that is no row of the log.
    pub fn read(values: &[Value<'r>]) -> Option<Self> {
        let [
            Value::Integer(seq),
            Value::Integer(at),
            Value::Integer(actor),
            Value::Integer(kind),
            Value::Integer(verdict),
            Value::Bytes(body),
            Value::Bytes(hash),
        ] = *values
        else {
            return None;
        };
        let searched = Searched { at, actor, kind, verdict };
        Some(Self { seq, searched, body, hash: AuditHash(hash.try_into().ok()?) })
    }

    /// The record, where body, hash and what is searched for agree.
    pub fn record(&self, before: AuditHash) -> Option<AuditRecord> {
        if self.body.len() > MOST_BYTES || hash(before, self.seq, self.body) != self.hash {
            return None;
        }
        let record = audit_body::read(self.body)?;
        (Searched::of(&record) == self.searched).then_some(record)
    }
}

/// Links a record to the one before.
pub fn hash(before: AuditHash, seq: i64, body: &[u8]) -> AuditHash {
    let mut digest = Sha256::new();
    digest.update(before.0);
    digest.update(seq.to_le_bytes());
    digest.update(body);
    AuditHash(digest.finalize().into())
}

/// What the objects of a record are searched by, each once.
pub fn objects(record: &AuditRecord) -> Vec<i64> {
    let mut objects: Vec<i64> = record.objects.iter().map(|object| checksum::of_name(&object.name)).collect();
    objects.sort_unstable();
    objects.dedup();
    objects
}

pub async fn append(database: &dyn Database, records: &[AuditRecord]) -> Result<AuditHead, Failure> {
    let mut transaction = database.write().await?;
    let head = add(transaction.session(), database.dialect(), records).await?;
    transaction.commit().await?;
    Ok(head)
}

/// Adds records within a transaction that the caller opens and ends.
pub async fn add(
    session: &mut dyn Session,
    dialect: Dialect,
    records: &[AuditRecord],
) -> Result<AuditHead, Failure> {
    let bodies: Vec<Vec<u8>> = records.iter().map(audit_body::write).collect();
    if bodies.iter().any(|body| body.len() > MOST_BYTES) {
        let message = format!("a record of the audit log has more than {} MiB", MOST_BYTES >> 20);
        return Err(StoreError::Unstorable(message).into());
    }
    let mut head = read_head(session, &dialect.lock_audit_head()).await?;
    check_end(session, dialect, head).await?;
    let mut rows = Vec::with_capacity(records.len());
    let mut object_rows = Vec::with_capacity(records.len());
    for (record, body) in records.iter().zip(&bodies) {
        let seq = head.seq.0.saturating_add(1).cast_signed();
        let hash = hash(head.hash, seq, body);
        head = AuditHead { seq: AuditSeq(seq.cast_unsigned()), hash };
        rows.push(AuditRow { seq, searched: Searched::of(record), body, hash });
        object_rows.extend(objects(record).into_iter().map(|object| [object, seq].map(Value::Integer)));
    }
    for batch in batches(&rows) {
        let values: Vec<Value<'_>> = batch.iter().flat_map(AuditRow::values).collect();
        session.execute(&dialect.add_audit(batch.len()), &values).await?;
    }
    for batch in batches(&object_rows) {
        session.execute(&dialect.add_audit_objects(batch.len()), batch.as_flattened()).await?;
    }
    let values = [Value::Integer(head.seq.0.cast_signed()), Value::Bytes(&head.hash.0)];
    session.execute(&dialect.set_audit_head(), &values).await?;
    Ok(head)
}

pub async fn head(database: &dyn Database) -> Result<AuditHead, Failure> {
    let mut transaction = database.read().await?;
    let head = read_head(transaction.session(), &database.dialect().audit_head()).await?;
    transaction.commit().await?;
    Ok(head)
}

pub async fn read_head(session: &mut dyn Session, sql: &str) -> Result<AuditHead, Failure> {
    let found = place_and_hash(session, sql).await?;
    Ok(found.ok_or_else(|| StoreError::Damaged("where its audit log ends is not what was written".into()))?)
}

async fn place_and_hash(session: &mut dyn Session, sql: &str) -> Result<Option<AuditHead>, Failure> {
    let mut found = None;
    session
        .rows(sql, &[], Dialect::AUDIT_HEAD_KINDS, &mut |row| {
            if let [Value::Integer(seq), Value::Bytes(hash)] = *row
                && let Ok(hash) = hash.try_into()
            {
                found = Some(AuditHead { seq: AuditSeq(seq.cast_unsigned()), hash: AuditHash(hash) });
            }
            Ok(())
        })
        .await?;
    Ok(found)
}

/// Nothing is linked to a record that is not the last one that was written.
async fn check_end(session: &mut dyn Session, dialect: Dialect, head: AuditHead) -> Result<(), Failure> {
    let last = place_and_hash(session, &dialect.last_audit()).await?.unwrap_or_default();
    if last != head {
        return Err(StoreError::Damaged("its audit log does not end where it did".into()).into());
    }
    Ok(())
}

pub async fn read(
    database: &dyn Database,
    filter: &AuditFilter,
    cursor: AuditCursor,
    limit: u32,
) -> Result<Vec<AuditEntry>, Failure> {
    let sql = database.dialect().find_audit(filter, cursor);
    let limit = limit as usize;
    let mut transaction = database.read().await?;
    let mut entries = Vec::new();
    let mut behind = match cursor {
        AuditCursor::Newest => i64::MAX,
        AuditCursor::Before(seq) | AuditCursor::After(seq) => i64::try_from(seq.0).unwrap_or(i64::MAX),
    };
    while entries.len() < limit {
        let wanted = limit - entries.len();
        let mut values = vec![Value::Integer(behind)];
        values.extend(Dialect::find_audit_values(filter));
        values.push(Value::Integer(i64::try_from(wanted).unwrap_or(i64::MAX)));
        let mut count = 0;
        transaction
            .session()
            .rows(&sql, &values, Dialect::AUDIT_KINDS_AND_HASH, &mut |row| {
                let entry = entry(row)?;
                count += 1;
                behind = entry.seq.0.cast_signed();
                if filter.fits(&entry.record) {
                    entries.push(entry);
                }
                Ok(())
            })
            .await?;
        if count < wanted {
            break;
        }
    }
    transaction.commit().await?;
    Ok(entries)
}

fn entry(row: &[Value<'_>]) -> Result<AuditEntry, StoreError> {
    let damaged = || StoreError::Damaged("a record of the audit log is not what was written".into());
    let (before, values) = row.split_last().ok_or_else(damaged)?;
    let row = AuditRow::read(values).ok_or_else(damaged)?;
    let before = match *before {
        Value::Bytes(hash) => AuditHash(hash.try_into().map_err(|_| damaged())?),
        Value::Null(Kind::Bytes) if row.seq == 1 => AuditHash::default(),
        _ => return Err(damaged()),
    };
    let record = row.record(before).ok_or_else(damaged)?;
    Ok(AuditEntry { seq: AuditSeq(row.seq.cast_unsigned()), record, hash: row.hash })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every log there is was linked like this.
    #[test]
    fn the_hash_never_changes() {
        let first = hash(AuditHash::default(), 1, b"record");
        assert_eq!(first.to_string(), PINNED);
        assert_ne!(hash(AuditHash::default(), 2, b"record"), first);
        assert_ne!(hash(first, 1, b"record"), first);
    }

    const PINNED: &str = "766ec0a8b81786ab61e838d3080575338cb7ed88dbd3c1545b04c01dc5ae7eae";
}
