//! Keeps which jobs were begun and done, period by period.

use guardbee_engine::jobs::{JobAttempt, JobOutcome, JobRun};
use guardbee_engine::store::StoreError;
use guardbee_model::Timestamp;
use smol_str::SmolStr;

use crate::database::Database;
use crate::rows::{Kind, Value};
use crate::session::{Failure, Session};
use crate::statements::{Dialect, Writer};

/// So many periods of a job are kept.
const KEPT: i64 = 1000;

impl Dialect {
    const JOB: &'static str = "job, period, attempts, holder, begun_at, ended_at, is_done, outcome";

    const JOB_KINDS: &'static [Kind] = &[
        Kind::Text,
        Kind::Integer,
        Kind::Integer,
        Kind::Text,
        Kind::Integer,
        Kind::Integer,
        Kind::Integer,
        Kind::Text,
    ];

    /// Of a job in some period or later ones, newest first. Parameters: the job, the period.
    fn job_runs_since(self) -> String {
        let mut writer = self.job_runs_where();
        writer.push("job = ").parameter().push(" AND period >= ").parameter();
        writer.push(" ORDER BY period DESC").finish()
    }

    /// The newest of each job. Parameter: how many.
    fn newest_job_runs(self) -> String {
        let mut writer = self.job_runs_where();
        writer.push("(SELECT count(*) FROM ").push(self.prefix);
        writer
            .push("job_runs AS later WHERE later.job = job_runs.job AND later.period > job_runs.period) < ");
        writer.parameter().push(" ORDER BY begun_at DESC, job").finish()
    }

    fn job_runs_where(self) -> Writer {
        let mut writer = Writer::new(self);
        writer.push("SELECT ").push(Self::JOB).push(" FROM ").push(self.prefix).push("job_runs WHERE ");
        writer
    }

    /// Parameters: those of [`JOB`](Self::JOB).
    fn add_job_run(self) -> String {
        let mut writer = Writer::new(self);
        writer.push("INSERT INTO ").push(self.prefix).push("job_runs (").push(Self::JOB);
        writer.push(") VALUES ").tuples(1, Self::JOB_KINDS.len()).finish()
    }

    /// Parameters: the job, the period.
    fn remove_job_run(self) -> String {
        let mut writer = Writer::new(self);
        writer.push("DELETE FROM ").push(self.prefix).push("job_runs WHERE job = ").parameter();
        writer.push(" AND period = ").parameter().finish()
    }

    /// Parameters: the job, the period before which.
    fn remove_old_job_runs(self) -> String {
        let mut writer = Writer::new(self);
        writer.push("DELETE FROM ").push(self.prefix).push("job_runs WHERE job = ").parameter();
        writer.push(" AND period < ").parameter().finish()
    }

    /// Gives the period where it was there. Parameters: when it ended, whether it is done, what it says, the job, the
    /// period, the attempt.
    fn end_job_run(self) -> String {
        let mut writer = Writer::new(self);
        writer.push("UPDATE ").push(self.prefix).push("job_runs SET ended_at = ").parameter();
        writer.push(", is_done = ").parameter().push(", outcome = ").parameter();
        writer.push(" WHERE job = ").parameter().push(" AND period = ").parameter();
        writer.push(" AND attempts = ").parameter().push(" RETURNING period").finish()
    }
}

/// Begins a job, inside a transaction of who has the claim.
pub async fn begin(
    session: &mut dyn Session,
    dialect: Dialect,
    holder: &str,
    (job, period): (&str, i64),
    at: Timestamp,
) -> Result<Option<JobAttempt>, Failure> {
    let since = read(session, &dialect.job_runs_since(), &[Value::Text(job), Value::Integer(period)]).await?;
    let before = match since.as_slice() {
        [] => 0,
        [run] if run.period == period && run.ended.is_none() => run.attempts,
        _ => return Ok(None),
    };
    let attempt = before.saturating_add(1);
    let of = [Value::Text(job), Value::Integer(period)];
    session.execute(&dialect.remove_job_run(), &of).await?;
    let [job_value, period_value] = of;
    let values = [
        job_value,
        period_value,
        Value::Integer(i64::try_from(attempt).unwrap_or(i64::MAX)),
        Value::Text(holder),
        Value::Integer(at.0),
        Value::Null(Kind::Integer),
        Value::Null(Kind::Integer),
        Value::Null(Kind::Text),
    ];
    session.execute(&dialect.add_job_run(), &values).await?;
    let oldest = [job_value, Value::Integer(period.saturating_sub(KEPT))];
    session.execute(&dialect.remove_old_job_runs(), &oldest).await?;
    Ok(Some(JobAttempt { job: SmolStr::new(job), period, attempt }))
}

/// Notes how an attempt ended. Says whether nobody has begun another meanwhile.
pub async fn end(
    session: &mut dyn Session,
    dialect: Dialect,
    attempt: &JobAttempt,
    at: Timestamp,
    outcome: &JobOutcome,
) -> Result<bool, Failure> {
    let (is_done, says) = match outcome {
        JobOutcome::Done(says) => (true, says),
        JobOutcome::Failed(says) => (false, says),
    };
    let values = [
        Value::Integer(at.0),
        Value::Integer(is_done.into()),
        Value::Text(says),
        Value::Text(&attempt.job),
        Value::Integer(attempt.period),
        Value::Integer(i64::try_from(attempt.attempt).unwrap_or(i64::MAX)),
    ];
    let mut is_known = false;
    session
        .rows(&dialect.end_job_run(), &values, &[Kind::Integer], &mut |_| {
            is_known = true;
            Ok(())
        })
        .await?;
    Ok(is_known)
}

pub async fn newest(database: &dyn Database, limit: u32) -> Result<Vec<JobRun>, Failure> {
    let mut transaction = database.read().await?;
    let sql = database.dialect().newest_job_runs();
    let runs = read(transaction.session(), &sql, &[Value::Integer(limit.into())]).await?;
    transaction.commit().await?;
    Ok(runs)
}

async fn read(session: &mut dyn Session, sql: &str, values: &[Value<'_>]) -> Result<Vec<JobRun>, Failure> {
    let mut runs = Vec::new();
    session
        .rows(sql, values, Dialect::JOB_KINDS, &mut |row| {
            let damaged = || StoreError::Damaged("a row of jobs is not what was written".into());
            runs.push(run(row).ok_or_else(damaged)?);
            Ok(())
        })
        .await?;
    Ok(runs)
}

fn run(row: &[Value<'_>]) -> Option<JobRun> {
    let [
        Value::Text(job),
        Value::Integer(period),
        Value::Integer(attempts),
        Value::Text(holder),
        Value::Integer(begun_at),
        ended_at,
        is_done,
        says,
    ] = *row
    else {
        return None;
    };
    let ended = match (ended_at, is_done, says) {
        (Value::Integer(at), Value::Integer(is_done), Value::Text(says)) => {
            let says = SmolStr::new(says);
            let outcome = if is_done == 0 { JobOutcome::Failed(says) } else { JobOutcome::Done(says) };
            Some((Timestamp(at), outcome))
        }
        (Value::Null(_), Value::Null(_), Value::Null(_)) => None,
        _ => return None,
    };
    Some(JobRun {
        job: SmolStr::new(job),
        period,
        attempts: attempts.cast_unsigned(),
        holder: SmolStr::new(holder),
        begun_at: Timestamp(begun_at),
        ended,
    })
}
