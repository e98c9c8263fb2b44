//! Makes a version and its record in the audit log, inside a transaction that the caller opens and ends.

use guardbee_engine::audit::AuditRecord;
use guardbee_engine::store::{Commit, PolicyVersion, StoreError};
use guardbee_policy::Change;

use crate::columns::{self, Cell};
use crate::history::State;
use crate::rows::{Kind, Table, Value};
use crate::session::{Failure, Session};
use crate::statements::Dialect;
use crate::steps::{self, TableSteps};
use crate::{audit, block, checksum, history};

/// So many rows go with one statement.
const BATCH: usize = 200;

/// What became of a commit.
pub enum Made {
    /// A new version; nothing counts until the transaction is committed.
    New(PolicyVersion),
    /// The version that a commit with the same key became before.
    Before(PolicyVersion),
}

pub async fn make(session: &mut dyn Session, dialect: Dialect, commit: &Commit) -> Result<Made, Failure> {
    check_text(commit)?;
    let before = session.integer(&dialect.lock_version()).await?;
    if let Some(version) = version_of_key(session, dialect, commit).await? {
        return Ok(Made::Before(version));
    }
    let latest = PolicyVersion(before.cast_unsigned());
    if commit.base != latest {
        return Err(StoreError::Conflict { base: commit.base, latest }.into());
    }
    history::check_newest(session, dialect).await?;
    let before = history::state(session, dialect, before).await?;
    let version = before.version.saturating_add(1);
    let mut checksum = before.checksum;
    let mut touched = 0;
    for steps in steps::by_table(&commit.changes) {
        let change = write(session, dialect, &steps, version, before.next_entry_id).await?;
        checksum = checksum.wrapping_add(change);
        touched |= steps.table.bit();
    }
    let next_entry_id = steps::next_entry_id(&commit.changes, before.next_entry_id);
    let state = State { version, next_entry_id, checksum };
    history::add(session, dialect, commit, state, touched).await?;
    session.execute(&dialect.set_version(), &[Value::Integer(version)]).await?;
    let policy_version = PolicyVersion(version.cast_unsigned());
    let record = AuditRecord { policy_version, ..commit.audit.clone() };
    audit::add(session, dialect, &[record]).await?;
    Ok(Made::New(PolicyVersion(version.cast_unsigned())))
}

/// Some characters are kept to ourselves; no name or text of SQL needs them.
fn check_text(commit: &Commit) -> Result<(), StoreError> {
    let of_commit = [Some(&*commit.author), Some(&*commit.reason), commit.key.as_deref()];
    let is_refused = |text: &str| text.contains(block::is_reserved);
    let in_cell = |cell: &Cell| matches!(cell, Cell::Text(text) if is_refused(text));
    let in_step = |change: &Change| {
        columns::key(change).iter().any(in_cell)
            || columns::values(change).is_some_and(|values| values.iter().any(in_cell))
    };
    if of_commit.into_iter().flatten().any(is_refused) || commit.changes.iter().any(in_step) {
        let message = "a text in it holds NUL or one of the characters U+001D to U+001F";
        return Err(StoreError::Unstorable(message.into()));
    }
    Ok(())
}

async fn version_of_key(
    session: &mut dyn Session,
    dialect: Dialect,
    commit: &Commit,
) -> Result<Option<PolicyVersion>, Failure> {
    let Some(key) = &commit.key else { return Ok(None) };
    let mut found = None;
    session
        .rows(&dialect.version_of_key(), &[Value::Text(key)], &[Kind::Integer], &mut |row| {
            if let [Value::Integer(version)] = *row {
                found = Some(PolicyVersion(version.cast_unsigned()));
            }
            Ok(())
        })
        .await?;
    Ok(found)
}

/// Writes the steps of one table; by how much that changes the checksum of the policy.
async fn write(
    session: &mut dyn Session,
    dialect: Dialect,
    steps: &TableSteps<'_>,
    version: i64,
    first_new_id: u64,
) -> Result<i64, Failure> {
    let is_new = |change: &&Change| matches!(change, Change::PutEntry(entry) if entry.id.0 >= first_new_id);
    let closed: Vec<&Change> = steps.closed.iter().copied().filter(|change| !is_new(change)).collect();
    let mut sum = 0_i64;
    for batch in batches(&closed) {
        sum = sum.wrapping_sub(close(session, dialect, steps.table, batch, version).await?);
    }
    for batch in batches(&steps.put) {
        sum = sum.wrapping_add(insert(session, dialect, steps.table, batch, version).await?);
    }
    Ok(sum)
}

/// Full batches, and then the rest one by one: so few different statements stay prepared.
fn batches<'b, 'c>(changes: &'b [&'c Change]) -> impl Iterator<Item = &'b [&'c Change]> {
    let full = changes.chunks_exact(BATCH);
    let rest = full.remainder().chunks(1);
    full.chain(rest)
}

async fn close(
    session: &mut dyn Session,
    dialect: Dialect,
    table: Table,
    changes: &[&Change],
    version: i64,
) -> Result<i64, Failure> {
    let keys: Vec<Cell> = changes.iter().flat_map(|change| columns::key(change)).collect();
    let values: Vec<Value<'_>> =
        [Value::Integer(version)].into_iter().chain(keys.iter().map(Cell::value)).collect();
    let mut sum = 0_i64;
    session
        .rows(&dialect.close(table, changes.len()), &values, &[Kind::Integer], &mut |row| {
            if let [Value::Integer(of_row)] = *row {
                sum = sum.wrapping_add(of_row);
            }
            Ok(())
        })
        .await?;
    Ok(sum)
}

async fn insert(
    session: &mut dyn Session,
    dialect: Dialect,
    table: Table,
    changes: &[&Change],
    version: i64,
) -> Result<i64, Failure> {
    let mut sum = 0_i64;
    let mut cells: Vec<Cell> = Vec::new();
    for change in changes {
        let mut row = columns::key(change);
        row.extend(columns::values(change).unwrap_or_default());
        let of_row = checksum::of_row(table, &row.iter().map(Cell::value).collect::<Vec<_>>());
        sum = sum.wrapping_add(of_row);
        cells.append(&mut row);
        cells.extend([Cell::Integer(of_row), Cell::Integer(version)]);
    }
    let values: Vec<Value<'_>> = cells.iter().map(Cell::value).collect();
    session.execute(&dialect.insert(table, changes.len()), &values).await?;
    Ok(sum)
}
