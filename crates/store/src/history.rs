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

/// The record of a version that is being made.
pub struct Record<'c> {
    pub version: i64,
    pub touched: i64,
    pub checksum: i64,
    pub commit: &'c Commit,
}

impl Record<'_> {
    pub async fn add(&self, session: &mut dyn Session, dialect: Dialect) -> Result<(), Failure> {
        let mut values = vec![
            Value::Integer(self.version),
            Value::Text(&self.commit.author),
            Value::Integer(self.commit.at.0),
            Value::Text(&self.commit.reason),
            Value::Integer(i64::try_from(self.commit.changes.len()).unwrap_or(i64::MAX)),
            self.commit.key.as_deref().map_or(Value::Null(Kind::Text), Value::Text),
            Value::Integer(self.touched),
            Value::Integer(self.checksum),
        ];
        values.push(Value::Integer(checksum::of_record(&values)));
        session.execute(&dialect.add_record(), &values).await
    }
}

/// The record of a version that has been made.
pub struct Kept {
    pub record: VersionRecord,
    pub touched: i64,
    pub checksum: i64,
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
                checksum,
            }),
            _ => Err(damaged()),
        }
    }
}

pub async fn kept(session: &mut dyn Session, dialect: Dialect, version: i64) -> Result<Kept, Failure> {
    let found = read(session, &dialect.record(), &[Value::Integer(version)]).await?.pop();
    found.ok_or_else(|| StoreError::Damaged(format!("the record of version {version} is missing")).into())
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
    let Some(last) = records.last().map(|kept| kept.record.version.0.cast_signed()) else {
        return Ok(Vec::new());
    };
    let touched = records.iter().fold(0, |touched, kept| touched | kept.touched);
    let mut steps: BTreeMap<i64, Steps> = BTreeMap::new();
    for table in Table::ALL.into_iter().filter(|table| touched & table.bit() != 0) {
        read_steps(session, dialect, table, after..=last, &mut steps).await?;
    }
    let whole = |kept: Kept| {
        let steps = steps.remove(&kept.record.version.0.cast_signed()).unwrap_or_default();
        VersionChanges { record: kept.record, changes: steps.in_order() }
    };
    Ok(records.into_iter().map(whole).collect())
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
            if within(*created) {
                let change = columns::put(table, columns).ok_or_else(damaged)?;
                steps.entry(*created).or_default().put.entry(table).or_default().push(change);
            }
            if let Value::Integer(removed) = *removed
                && within(removed)
            {
                let key = columns.get(..table.key().len()).ok_or_else(damaged)?;
                let change = columns::remove(table, key).ok_or_else(damaged)?;
                steps.entry(removed).or_default().removed.entry(table).or_default().push(change);
            }
            Ok(())
        })
        .await
}
