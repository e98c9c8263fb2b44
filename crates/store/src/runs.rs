//! Keeps runs in the order in which they arrive, and gives them back.
//!
//! A run has one row. Its place is counted under a lock, so that places have no gap and who reads up to one has all
//! before it: a row that is lost is noticed.

use std::borrow::Cow;
use std::sync::Arc;

use guardbee_engine::run_store::{Appended, Retention, RunFilter, RunHead, RunPlace, RunSeq, StoredRun};
use guardbee_engine::store::StoreError;
use guardbee_lineage::{Run, RunKey};
use guardbee_model::Timestamp;
use rustc_hash::FxHashMap;

use crate::batches::batches;
use crate::checksum::{self, Kept};
use crate::database::{Database, tell};
use crate::rows::{Kind, Value};
use crate::run_body::{self, RunColumns};
use crate::session::{Failure, Session};
use crate::statements::{Dialect, News};

/// The largest body that is kept or read.
pub const MOST_BYTES: usize = 32 << 20;

/// The longest key: an index of PostgreSQL holds no longer ones.
const LONGEST_KEY: usize = 1024;

/// So many runs are looked at with one transaction when runs are forgotten.
const FORGOTTEN_AT_ONCE: i64 = 5000;

/// The row that says where the runs stand.
#[derive(Debug, Clone, Copy)]
pub struct RunState {
    pub newest: i64,
    pub forgotten: i64,
    pub next_letter: i64,
    pub next_index: i64,
}

impl RunState {
    pub async fn read(session: &mut dyn Session, dialect: Dialect) -> Result<Self, Failure> {
        Self::of_statement(session, &dialect.run_state()).await
    }

    /// Nobody else changes it until the transaction ends.
    pub async fn lock(session: &mut dyn Session, dialect: Dialect) -> Result<Self, Failure> {
        Self::of_statement(session, &dialect.lock_run_state()).await
    }

    async fn of_statement(session: &mut dyn Session, sql: &str) -> Result<Self, Failure> {
        let mut found = None;
        session
            .rows(sql, &[], Dialect::RUN_STATE_KINDS, &mut |row| {
                if let [
                    Value::Integer(newest),
                    Value::Integer(forgotten),
                    Value::Integer(next_letter),
                    Value::Integer(next_index),
                ] = *row
                {
                    found = Some(Self { newest, forgotten, next_letter, next_index });
                }
                Ok(())
            })
            .await?;
        found.ok_or_else(|| {
            StoreError::Damaged("the row that says where its runs stand is missing".into()).into()
        })
    }

    pub async fn write(self, session: &mut dyn Session, dialect: Dialect) -> Result<(), Failure> {
        let values = [self.newest, self.forgotten, self.next_letter, self.next_index].map(Value::Integer);
        session.execute(&dialect.set_run_state(), &values).await?;
        tell(session, dialect, News::Runs, self.changes().cast_signed()).await
    }

    /// Grows with every run that comes, and with every one that is forgotten.
    pub const fn changes(self) -> u64 {
        self.newest.saturating_add(self.forgotten).cast_unsigned()
    }

    pub const fn head(self) -> RunHead {
        RunHead { newest: RunSeq(self.newest.cast_unsigned()), forgotten: self.forgotten.cast_unsigned() }
    }
}

pub async fn append(database: &dyn Database, runs: &[Run]) -> Result<Vec<Appended>, Failure> {
    let bodies = Body::of_all(runs);
    let mut transaction = database.write().await?;
    let (appended, state) = add(transaction.session(), database.dialect(), &bodies).await?;
    transaction.commit().await?;
    database.feed(News::Runs).made(state.changes());
    Ok(appended)
}

/// A run as it is going to be kept, or why it is not.
pub struct Body<'r> {
    columns: RunColumns<'r>,
    bytes: Result<Vec<u8>, Arc<str>>,
}

impl<'r> Body<'r> {
    /// Takes no lock: writing many runs as bytes takes its time.
    pub fn of_all(runs: &'r [Run]) -> Vec<Self> {
        runs.iter().map(Self::of).collect()
    }

    fn of(run: &'r Run) -> Self {
        let columns = RunColumns::of(run);
        let refusal = if columns.key.is_empty() {
            Some("it has no key".into())
        } else if columns.key.len() > LONGEST_KEY {
            Some(format!("its key has more than {LONGEST_KEY} bytes"))
        } else if [columns.key, columns.user, columns.operation].iter().any(|text| text.contains('\0')) {
            Some("its key, user or operation holds NUL".into())
        } else {
            None
        };
        let bytes = match refusal {
            Some(why) => Err(why.into()),
            None => Some(run_body::write(run))
                .filter(|bytes| bytes.len() <= MOST_BYTES)
                .ok_or_else(|| format!("it has more than {} MiB", MOST_BYTES >> 20).into()),
        };
        Self { columns, bytes }
    }
}

/// Adds runs inside a transaction; what becomes of each, and where the runs stand afterwards.
pub async fn add(
    session: &mut dyn Session,
    dialect: Dialect,
    bodies: &[Body<'_>],
) -> Result<(Vec<Appended>, RunState), Failure> {
    let mut state = RunState::lock(session, dialect).await?;
    if session.integer(&dialect.run_drift()).await? != 0 {
        return Err(StoreError::Damaged("its newest run and its rows do not agree".into()).into());
    }
    let mut known = known(session, dialect, bodies).await?;
    let mut appended = Vec::with_capacity(bodies.len());
    let mut rows = Vec::with_capacity(bodies.len());
    for body in bodies {
        let bytes = match &body.bytes {
            Ok(bytes) => bytes,
            Err(why) => {
                appended.push(Appended::Refused(why.clone()));
                continue;
            }
        };
        if let Some(seq) = known.get(body.columns.key) {
            appended.push(Appended::Known(*seq));
            continue;
        }
        state.newest = state.newest.saturating_add(1);
        let seq = RunSeq(state.newest.cast_unsigned());
        known.insert(body.columns.key.into(), seq);
        appended.push(Appended::New(seq));
        rows.push(row(state.newest, body.columns, bytes));
    }
    if rows.is_empty() {
        return Ok((appended, state));
    }
    for batch in batches(&rows) {
        session.execute(&dialect.add_runs(batch.len()), batch.as_flattened()).await?;
    }
    state.write(session, dialect).await?;
    Ok((appended, state))
}

fn row<'r>(seq: i64, columns: RunColumns<'r>, body: &'r [u8]) -> [Value<'r>; 7] {
    let [seq, key, ended_at, user, operation, body] = [
        Value::Integer(seq),
        Value::Text(columns.key),
        Value::Integer(columns.ended_at.0),
        Value::Text(columns.user),
        Value::Text(columns.operation),
        Value::Bytes(body),
    ];
    let checksum = checksum::of_kept(Kept::Run, &[seq, key, ended_at, user, operation, body]);
    [seq, key, ended_at, user, operation, body, Value::Integer(checksum)]
}

async fn known(
    session: &mut dyn Session,
    dialect: Dialect,
    bodies: &[Body<'_>],
) -> Result<FxHashMap<Box<str>, RunSeq>, Failure> {
    let keys: Vec<Value<'_>> =
        bodies.iter().filter(|body| body.bytes.is_ok()).map(|body| Value::Text(body.columns.key)).collect();
    let mut known = FxHashMap::default();
    for batch in batches(&keys) {
        session
            .rows(&dialect.known_runs(batch.len()), batch, &[Kind::Text, Kind::Integer], &mut |row| {
                if let [Value::Text(key), Value::Integer(seq)] = *row {
                    known.insert(key.into(), RunSeq(seq.cast_unsigned()));
                }
                Ok(())
            })
            .await?;
    }
    Ok(known)
}

/// A row of the table of runs: its place, and the run where it is not forgotten.
fn read_row(row: &[Value<'_>]) -> Result<(i64, Option<StoredRun>), StoreError> {
    let damaged = || StoreError::Damaged("a row of runs is not what was written".into());
    let (Value::Integer(sum), values) = row.split_last().ok_or_else(damaged)? else {
        return Err(damaged());
    };
    if checksum::of_kept(Kept::Run, values) != *sum {
        return Err(damaged());
    }
    match *values {
        [
            Value::Integer(seq),
            Value::Text(_),
            Value::Integer(_),
            Value::Null(_),
            Value::Null(_),
            Value::Null(_),
        ] => Ok((seq, None)),
        [
            Value::Integer(seq),
            Value::Text(key),
            Value::Integer(ended_at),
            Value::Text(user),
            Value::Text(operation),
            Value::Bytes(body),
        ] if body.len() <= MOST_BYTES => {
            let columns = RunColumns { key, ended_at: Timestamp(ended_at), user, operation };
            let run = run_body::read(columns, body).ok_or_else(damaged)?;
            Ok((seq, Some(StoredRun { seq: RunSeq(seq.cast_unsigned()), run })))
        }
        _ => Err(damaged()),
    }
}

pub async fn head(database: &dyn Database) -> Result<RunHead, Failure> {
    let mut transaction = database.read().await?;
    let state = RunState::read(transaction.session(), database.dialect()).await?;
    transaction.commit().await?;
    Ok(state.head())
}

pub async fn each(
    database: &dyn Database,
    after: RunSeq,
    each: &mut (dyn FnMut(StoredRun) + Send),
) -> Result<RunHead, Failure> {
    let mut transaction = database.read().await?;
    let session = transaction.session();
    let head = RunState::read(session, database.dialect()).await?.head();
    let mut reading = Reading { last: number(after), handed_over: 0, each };
    reading.read(session, database.dialect(), number(head.newest), i64::MAX).await?;
    transaction.commit().await?;
    Ok(head)
}

pub async fn load(database: &dyn Database, after: RunSeq, limit: u32) -> Result<Vec<StoredRun>, Failure> {
    let mut transaction = database.read().await?;
    let session = transaction.session();
    let newest = RunState::read(session, database.dialect()).await?.newest;
    let mut runs = Vec::new();
    let mut reading = Reading { last: number(after), handed_over: 0, each: &mut |run| runs.push(run) };
    // Forgotten runs have rows as well: what they leave of the limit is filled up.
    while reading.handed_over < i64::from(limit) && reading.last < newest {
        let missing = i64::from(limit) - reading.handed_over;
        reading.read(session, database.dialect(), newest, missing).await?;
    }
    transaction.commit().await?;
    Ok(runs)
}

/// Reads runs in their order, and notices when one is missing.
struct Reading<'e> {
    /// The place of the row that was read last.
    last: i64,
    handed_over: i64,
    each: &'e mut (dyn FnMut(StoredRun) + Send),
}

impl Reading<'_> {
    async fn read(
        &mut self,
        session: &mut dyn Session,
        dialect: Dialect,
        newest: i64,
        limit: i64,
    ) -> Result<(), Failure> {
        let end = newest.min(self.last.saturating_add(limit));
        let values = [Value::Integer(self.last), Value::Integer(newest), Value::Integer(limit)];
        session
            .rows(&dialect.runs_after(), &values, Dialect::RUN_KINDS, &mut |row| {
                let (seq, run) = read_row(row)?;
                if seq != self.last.saturating_add(1) {
                    return Err(missing(self.last));
                }
                self.last = seq;
                if let Some(run) = run {
                    self.handed_over += 1;
                    (self.each)(run);
                }
                Ok(())
            })
            .await?;
        if self.last < end { Err(missing(self.last).into()) } else { Ok(()) }
    }
}

fn missing(last: i64) -> StoreError {
    StoreError::Damaged(format!("run {} is missing", last.saturating_add(1)))
}

fn number(seq: RunSeq) -> i64 {
    i64::try_from(seq.0).unwrap_or(i64::MAX)
}

pub async fn by_seq(database: &dyn Database, seqs: &[RunSeq]) -> Result<Vec<StoredRun>, Failure> {
    let values: Vec<Value<'_>> = seqs.iter().map(|seq| Value::Integer(number(*seq))).collect();
    by_values(database, &values, Dialect::runs_by_seq).await
}

pub async fn by_key(database: &dyn Database, keys: &[RunKey]) -> Result<Vec<StoredRun>, Failure> {
    // No run has such a key, and PostgreSQL would not take it.
    let keys = keys.iter().filter(|key| !key.0.contains('\0'));
    let values: Vec<Value<'_>> = keys.map(|key| Value::Text(&key.0)).collect();
    by_values(database, &values, Dialect::runs_by_key).await
}

async fn by_values(
    database: &dyn Database,
    values: &[Value<'_>],
    statement: fn(Dialect, usize) -> String,
) -> Result<Vec<StoredRun>, Failure> {
    let mut transaction = database.read().await?;
    let session = transaction.session();
    let mut runs = Vec::with_capacity(values.len());
    for batch in batches(values) {
        read(session, &statement(database.dialect(), batch.len()), batch, &mut runs).await?;
    }
    transaction.commit().await?;
    runs.sort_by_key(|run| run.seq);
    runs.dedup_by_key(|run| run.seq);
    Ok(runs)
}

async fn read(
    session: &mut dyn Session,
    sql: &str,
    values: &[Value<'_>],
    runs: &mut Vec<StoredRun>,
) -> Result<(), Failure> {
    session
        .rows(sql, values, Dialect::RUN_KINDS, &mut |row| {
            runs.extend(read_row(row)?.1);
            Ok(())
        })
        .await
}

pub async fn find(
    database: &dyn Database,
    filter: &RunFilter,
    behind: Option<RunPlace>,
    limit: u32,
) -> Result<Vec<StoredRun>, Failure> {
    let texts = [&filter.user, &filter.operation];
    if texts.into_iter().flatten().any(|text| text.contains('\0')) {
        return Ok(Vec::new());
    }
    // The very last place is behind no run.
    let (ended_at, seq) = behind.map_or((i64::MAX, i64::MAX), |place| (place.ended_at.0, number(place.seq)));
    let mut values = Dialect::find_runs_values(filter, ended_at, seq);
    values.push(Value::Integer(limit.into()));
    let mut transaction = database.read().await?;
    let mut runs = Vec::new();
    read(transaction.session(), &database.dialect().find_runs(filter), &values, &mut runs).await?;
    transaction.commit().await?;
    Ok(runs)
}

pub async fn forget(database: &dyn Database, retention: Retention<'_>) -> Result<u64, Failure> {
    let mut keep = Cow::Borrowed(retention.keep);
    if !keep.is_sorted() {
        keep.to_mut().sort_unstable();
    }
    let retention = Retention { keep: &keep, ..retention };
    let mut after = 0;
    let mut count = 0;
    loop {
        let mut transaction = database.write().await?;
        let (last, forgotten) =
            forget_some(transaction.session(), database.dialect(), retention, after).await?;
        transaction.commit().await?;
        count += forgotten;
        match last {
            Some(last) => after = last,
            None => return Ok(count),
        }
    }
}

/// Forgets what may go among the next runs; the place of the last that was looked at, and how many went.
async fn forget_some(
    session: &mut dyn Session,
    dialect: Dialect,
    retention: Retention<'_>,
    after: i64,
) -> Result<(Option<i64>, u64), Failure> {
    let mut state = RunState::lock(session, dialect).await?;
    let mut last = None;
    let mut gone: Vec<[Value<'_>; 2]> = Vec::new();
    let seen = number(retention.seen).min(state.newest);
    let values = [after, seen, FORGOTTEN_AT_ONCE].map(Value::Integer);
    session
        .rows(&dialect.runs_after(), &values, Dialect::RUN_KINDS, &mut |row| {
            let (seq, run) = read_row(row)?;
            last = Some(seq);
            let Some(StoredRun { seq: place, run }) = run else { return Ok(()) };
            if run.ended_at < retention.ended_before && retention.keep.binary_search(&place).is_err() {
                let empty = [
                    Value::Integer(seq),
                    Value::Text(&run.key.0),
                    Value::Integer(run.ended_at.0),
                    Value::Null(Kind::Text),
                    Value::Null(Kind::Text),
                    Value::Null(Kind::Bytes),
                ];
                gone.push([Value::Integer(seq), Value::Integer(checksum::of_kept(Kept::Run, &empty))]);
            }
            Ok(())
        })
        .await?;
    if gone.is_empty() {
        return Ok((last, 0));
    }
    for batch in batches(&gone) {
        session.execute(&dialect.forget_runs(batch.len()), batch.as_flattened()).await?;
    }
    let count = gone.len() as u64;
    state.forgotten = state.forgotten.saturating_add_unsigned(count);
    state.write(session, dialect).await?;
    session.execute(&dialect.outdate_indexes(), &[]).await?;
    Ok((last, count))
}
