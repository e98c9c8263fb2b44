//! Keeps the audit log: records that come together as a row, linked to those before, and where the log ends beside it.

use std::sync::{Mutex, PoisonError};

use guardbee_engine::audit::{AuditHash, AuditHead, AuditRecord, AuditSeq};
use guardbee_engine::store::StoreError;

use crate::audit_block::{self, BlockRow};
use crate::audit_body;
use crate::audit_group::{ENOUGH_RECORDS, Group, Open};
use crate::database::Database;
use crate::rows::Value;
use crate::session::{Failure, Session};
use crate::statements::Dialect;

/// So many blocks without a group are put into groups at once, at most: where a log without groups is brought along, each
/// who writes does a part.
const MOST_REGROUPED: i64 = 4096;

pub async fn append(database: &dyn Database, records: &[AuditRecord]) -> Result<AuditHead, Failure> {
    let known = database.open_group().take();
    let mut transaction = database.write().await?;
    let added = add_to(transaction.session(), database.dialect(), records, known).await?;
    transaction.commit().await?;
    database.open_group().put(added.head, added.open);
    Ok(added.head)
}

/// Adds records within a transaction that the caller opens and ends.
pub async fn add(
    session: &mut dyn Session,
    dialect: Dialect,
    records: &[AuditRecord],
) -> Result<AuditHead, Failure> {
    Ok(add_to(session, dialect, records, None).await?.head)
}

/// The group that whoever wrote last has begun, so that the next to write need not read its records again. It holds for the
/// log that ended where this one did.
#[derive(Default)]
pub struct OpenGroup(Mutex<Option<(AuditHead, Open)>>);

impl OpenGroup {
    fn take(&self) -> Option<(AuditHead, Open)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn put(&self, head: AuditHead, open: Option<Open>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = open.map(|open| (head, open));
    }
}

struct Added {
    head: AuditHead,
    open: Option<Open>,
}

async fn add_to(
    session: &mut dyn Session,
    dialect: Dialect,
    records: &[AuditRecord],
    known: Option<(AuditHead, Open)>,
) -> Result<Added, Failure> {
    let before = read_head(session, &dialect.lock_audit_head()).await?;
    check_end(session, dialect, before).await?;
    let known = known.filter(|(end, _)| *end == before).map(|(_, open)| open);
    let blocks = audit_block::blocks(before, records)?;
    let Some(last) = blocks.last() else { return Ok(Added { head: before, open: known }) };
    let head = AuditHead { seq: AuditSeq(last.summary.newest.cast_unsigned()), hash: last.hash };
    for block in &blocks {
        let mut values = block.summary.values().to_vec();
        values.extend([Value::Bytes(&block.hash.0), Value::Bytes(&block.body)]);
        session.execute(&dialect.add_audit_block(), &values).await?;
    }
    let newest = head.seq.0.cast_signed();
    session.execute(&dialect.set_audit_head(), &[Value::Integer(newest), Value::Bytes(&head.hash.0)]).await?;
    let mut ungrouped = match known {
        Some(open) => Regrouped { groups: Vec::new(), open: Some(open) },
        None => {
            let grouped = session.integer(&dialect.last_audit_group()).await?;
            if newest.saturating_sub(grouped) < ENOUGH_RECORDS as i64 {
                return Ok(Added { head, open: None });
            }
            regroup(session, dialect, grouped, before.seq.0.cast_signed()).await?
        }
    };
    if let Some(open) = &mut ungrouped.open {
        let added = blocks.iter().filter_map(|block| open.add(&block.summary, &block.keys));
        ungrouped.groups.extend(added);
    }
    for group in &ungrouped.groups {
        session.execute(&dialect.add_audit_group(), &group.values()).await?;
    }
    Ok(Added { head, open: ungrouped.open })
}

/// The groups of some blocks that had none, and the one that is not whole yet, where they were all.
struct Regrouped {
    groups: Vec<Group>,
    open: Option<Open>,
}

/// Groups what is kept behind the last group, up to a place.
async fn regroup(
    session: &mut dyn Session,
    dialect: Dialect,
    grouped: i64,
    to: i64,
) -> Result<Regrouped, Failure> {
    let mut open = Open::from(grouped.saturating_add(1));
    let (mut groups, mut last) = (Vec::new(), grouped);
    if grouped < to {
        let from = [grouped.saturating_add(1), MOST_REGROUPED].map(Value::Integer);
        let mut keys = Vec::new();
        let read = session
            .rows(&dialect.audit_from(), &from, Dialect::BLOCK_KINDS, &mut |row| {
                let row = BlockRow::read(row).and_then(|row| Some((row.summary, row.bodies()?)));
                let Some((block, bodies)) = row else {
                    return Err(StoreError::Damaged("a row of the audit log cannot be read".into()));
                };
                if block.newest > to {
                    return Ok(());
                }
                keys.clear();
                let is_read = bodies
                    .each()
                    .all(|body| body.is_some_and(|body| audit_body::searched(body, &mut keys).is_some()));
                if !is_read || block.oldest != last.saturating_add(1) {
                    return Err(StoreError::Damaged("a row of the audit log is not what was written".into()));
                }
                last = block.newest;
                groups.extend(open.add(&block, &keys));
                Ok(())
            })
            .await;
        // What cannot be read stays without a group, so that whoever looks for anything comes upon it.
        match read {
            Err(Failure::Store(StoreError::Damaged(_))) => return Ok(Regrouped { groups, open: None }),
            read => read?,
        }
    }
    Ok(Regrouped { groups, open: (last == to).then_some(open) })
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
