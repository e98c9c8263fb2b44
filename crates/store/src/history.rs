//! The records of versions, and the steps that made them.

use std::collections::BTreeMap;

use guardbee_engine::store::{Commit, PolicyVersion, StoreError, VersionChanges, VersionRecord};
use guardbee_policy::{Change, Timestamp};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use crate::rows::{Kind, Table, Value};
use crate::session::{Failure, Session};
use crate::statements::Dialect;
use crate::steps::Key;
use crate::{checksum, columns};

/// Where a store stands at a version.
#[derive(Debug, Clone, Copy)]
pub struct State {
    pub version: i64,
    /// Entry ids below this one have been given.
    pub next_entry_id: u64,
    /// The sum over all rows.
    pub checksum: i64,
}

impl State {
    const EMPTY: Self = Self { version: 0, next_entry_id: 1, checksum: 0 };
}

/// Adds the record of a version that is being made.
pub async fn add(
    session: &mut dyn Session,
    dialect: Dialect,
    commit: &Commit,
    state: State,
    touched: i64,
) -> Result<(), Failure> {
    let mut values = vec![
        Value::Integer(state.version),
        Value::Text(&commit.author),
        Value::Integer(commit.at.0),
        Value::Text(&commit.reason),
        Value::Integer(i64::try_from(commit.changes.len()).unwrap_or(i64::MAX)),
        commit.key.as_deref().map_or(Value::Null(Kind::Text), Value::Text),
        Value::Integer(touched),
        Value::Integer(state.next_entry_id.cast_signed()),
        Value::Integer(state.checksum),
    ];
    values.push(Value::Integer(checksum::of_record(&values)));
    session.execute(&dialect.add_record(), &values).await
}

/// The record of a version that has been made.
struct Kept {
    record: VersionRecord,
    touched: i64,
    state: State,
}

impl Kept {
    fn read(row: &[Value<'_>]) -> Result<Self, StoreError> {
        let damaged = || StoreError::Damaged("the record of a version is not what was written".into());
        let (Value::Integer(sum), values) = row.split_last().ok_or_else(damaged)? else {
            return Err(damaged());
        };
        if checksum::of_record(values) != *sum {
            return Err(damaged());
        }
        match *values {
            [
                Value::Integer(version),
                Value::Text(author),
                Value::Integer(at),
                Value::Text(reason),
                Value::Integer(change_count),
                _,
                Value::Integer(touched),
                Value::Integer(next_entry_id),
                Value::Integer(checksum),
            ] => Ok(Self {
                record: VersionRecord {
                    version: PolicyVersion(version.cast_unsigned()),
                    author: SmolStr::new(author),
                    at: Timestamp(at),
                    reason: reason.into(),
                    change_count: change_count.cast_unsigned(),
                },
                touched,
                state: State { version, next_entry_id: next_entry_id.cast_unsigned(), checksum },
            }),
            _ => Err(damaged()),
        }
    }
}

/// Where the store stood at a version.
pub async fn state(session: &mut dyn Session, dialect: Dialect, version: i64) -> Result<State, Failure> {
    if version == 0 {
        return Ok(State::EMPTY);
    }
    let found = read(session, &dialect.record(), &[Value::Integer(version)]).await?.pop();
    let missing = || StoreError::Damaged(format!("the record of version {version} is missing"));
    Ok(found.ok_or_else(missing)?.state)
}

/// Makes sure that the newest version has a record and that no record is of a later one.
pub async fn check_newest(session: &mut dyn Session, dialect: Dialect) -> Result<(), Failure> {
    if session.integer(&dialect.drift()).await? != 0 {
        return Err(StoreError::Damaged("its newest version and its records do not agree".into()).into());
    }
    Ok(())
}

async fn read(session: &mut dyn Session, sql: &str, values: &[Value<'_>]) -> Result<Vec<Kept>, Failure> {
    let mut records = Vec::new();
    session
        .rows(sql, values, Dialect::RECORD_KINDS, &mut |row| {
            records.push(Kept::read(row)?);
            Ok(())
        })
        .await?;
    Ok(records)
}

pub async fn history(
    session: &mut dyn Session,
    dialect: Dialect,
    before: Option<PolicyVersion>,
    limit: u32,
) -> Result<Vec<VersionRecord>, Failure> {
    let before = before.map_or(i64::MAX, |version| i64::try_from(version.0).unwrap_or(i64::MAX));
    let values = [Value::Integer(before), Value::Integer(limit.into())];
    let kept = read(session, &dialect.records_before(), &values).await?;
    Ok(kept.into_iter().map(|kept| kept.record).collect())
}

/// What a version did: what it removed, what depends on others first; then what it put, what others depend on
/// first.
#[derive(Default)]
struct Steps {
    removed: BTreeMap<Table, Vec<Change>>,
    put: BTreeMap<Table, Vec<Change>>,
    /// By how much the checksum of the policy changes.
    checksum: i64,
}

impl Steps {
    /// A row that takes another's place is put; that the other went is no step of its own.
    fn in_order(mut self) -> Vec<Change> {
        for (table, removed) in &mut self.removed {
            let put: FxHashSet<Key<'_>> = self.put.get(table).into_iter().flatten().map(Key::of).collect();
            removed.retain(|change| !put.contains(&Key::of(change)));
        }
        self.removed.into_values().rev().chain(self.put.into_values()).flatten().collect()
    }
}

pub async fn changes_after(
    session: &mut dyn Session,
    dialect: Dialect,
    after: PolicyVersion,
    limit: u32,
) -> Result<Vec<VersionChanges>, Failure> {
    let after = i64::try_from(after.0).unwrap_or(i64::MAX);
    let values = [Value::Integer(after), Value::Integer(limit.into())];
    let records = read(session, &dialect.records_after(), &values).await?;
    let Some(last) = records.last().map(|kept| kept.state.version) else {
        return Ok(Vec::new());
    };
    let touched = records.iter().fold(0, |touched, kept| touched | kept.touched);
    let mut steps: BTreeMap<i64, Steps> = BTreeMap::new();
    for table in Table::ALL.into_iter().filter(|table| touched & table.bit() != 0) {
        read_steps(session, dialect, table, after..=last, &mut steps).await?;
    }
    let mut before = state(session, dialect, after).await?.checksum;
    let mut versions = Vec::with_capacity(records.len());
    for kept in records {
        let steps = steps.remove(&kept.state.version).unwrap_or_default();
        if before.wrapping_add(steps.checksum) != kept.state.checksum {
            let message = format!("the steps of version {} are not what was written", kept.state.version);
            return Err(StoreError::Damaged(message).into());
        }
        before = kept.state.checksum;
        versions.push(VersionChanges { record: kept.record, changes: steps.in_order() });
    }
    Ok(versions)
}

async fn read_steps(
    session: &mut dyn Session,
    dialect: Dialect,
    table: Table,
    versions: std::ops::RangeInclusive<i64>,
    steps: &mut BTreeMap<i64, Steps>,
) -> Result<(), Failure> {
    let (after, last) = versions.into_inner();
    let kinds: Vec<Kind> =
        [Kind::Integer; 2].into_iter().chain(table.columns().map(|(_, kind)| kind)).collect();
    let bounds = [after, last, after, last].map(Value::Integer);
    let within = |version: i64| version > after && version <= last;
    session
        .rows(&dialect.rows_between(table), &bounds, &kinds, &mut |row| {
            let damaged = || StoreError::Damaged(format!("a row of {} cannot be read", table.name()));
            let [Value::Integer(created), removed, columns @ ..] = row else { return Err(damaged()) };
            let sum = checksum::of_row(table, columns);
            if within(*created) {
                let change = columns::put(table, columns).ok_or_else(damaged)?;
                let steps = steps.entry(*created).or_default();
                steps.checksum = steps.checksum.wrapping_add(sum);
                steps.put.entry(table).or_default().push(change);
            }
            if let Value::Integer(removed) = *removed
                && within(removed)
            {
                let key = columns.get(..table.key().len()).ok_or_else(damaged)?;
                let change = columns::remove(table, key).ok_or_else(damaged)?;
                let steps = steps.entry(removed).or_default();
                steps.checksum = steps.checksum.wrapping_sub(sum);
                steps.removed.entry(table).or_default().push(change);
            }
            Ok(())
        })
        .await
}
