//! What runs, the index made of them and the audit log cost: `run_cost LOCATION RUNS...`. Each size needs a place of its
//! own, so that the number is put behind a path; a server's database must be empty. Prints a row for each size; in brackets
//! what the processor alone would do it in.
//!
//! A run reads two tables and writes ten columns of a third, each made of one column; half of the keys look like those
//! of Hive, half are random.

use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use guardbee_engine::audit::{
    AuditCursor, AuditFilter, AuditKind, AuditObject, AuditRecord, AuditVerdict, ObjectFilter, Verdict,
};
use guardbee_engine::run_store::{Appended, IndexSaved, RunSeq};
use guardbee_engine::store::{PolicyVersion, Storage};
use guardbee_lineage::{
    ColumnSource, Context, DatasetName, Derivation, EdgeKind, Input, Run, RunKey, RunOrigin, Target,
    TargetColumn, WriteKind,
};
use guardbee_model::{Name, TableName, Timestamp};

/// Tables that runs are spread over.
const TABLES: u64 = 100_000;
/// So many runs, or records, a batch.
const BATCH: u64 = 1000;
/// Bytes of the index.
const INDEX: usize = 256 << 20;

type Failure = Box<dyn Error + Send + Sync>;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let location = arguments.next().ok_or("usage: run_cost LOCATION RUNS...")?;
    println!(
        "| runs | appended, by the thousand | one alone | known again | read | body of a run | size on disk | \
         {} MiB of index saved | loaded | audit records appended | verified | one object's found |",
        INDEX >> 20
    );
    println!("|{}", "---|".repeat(12));
    for count in arguments {
        let count: u64 = count.parse()?;
        let place = if location.contains("://") { location.clone() } else { format!("{location}-{count}") };
        measure(&place, count).await?;
    }
    Ok(())
}

async fn measure(place: &str, count: u64) -> Result<(), Failure> {
    let store = guardbee_store::open(place).await?;
    let appended = append(&*store, count).await?;
    let alone = alone(&*store, count).await?;
    let again: Vec<Run> = (0..BATCH).map(run).collect();
    let mut known = Spent::default();
    let answers = known.on(store.append_runs(&again)).await?;
    let known = known.rate(BATCH);
    if !answers.iter().all(|answer| matches!(answer, Appended::Known(_))) {
        return Err("a run that was sent again is new".into());
    }
    let (mut count_read, mut read) = (0, Spent::default());
    read.on(store.each_run(RunSeq(0), &mut |_| count_read += 1)).await?;
    let read = read.rate(count_read);
    let size = std::fs::metadata(place).map(|file| file.len()).unwrap_or_default();
    let (saved, loaded) = index(&*store).await?;
    let audit = audit(&*store, count).await?;
    println!(
        "| {count} | {appended} | {alone:.2?} | {known} | {read} | {} bytes | {} MB | {saved} | {loaded} | {audit} |",
        size / count,
        size / 1_000_000
    );
    Ok(())
}

async fn append(store: &dyn Storage, count: u64) -> Result<String, Failure> {
    let mut spent = Spent::default();
    for first in (0..count).step_by(usize::try_from(BATCH)?) {
        let runs: Vec<Run> = (first..count.min(first + BATCH)).map(run).collect();
        spent.on(store.append_runs(&runs)).await?;
    }
    Ok(format!("{}, a thousand in at most {:.0?}", spent.rate(count), spent.slowest))
}

/// The middle of two hundred.
async fn alone(store: &dyn Storage, count: u64) -> Result<Duration, Failure> {
    let mut durations = Vec::new();
    for number in count..count + 200 {
        let run = [run(number)];
        let started = Instant::now();
        store.append_runs(&run).await?;
        durations.push(started.elapsed());
    }
    durations.sort();
    Ok(durations.get(100).copied().unwrap_or_default())
}

async fn index(store: &dyn Storage) -> Result<(String, String), Failure> {
    let made_of = store.run_head().await?;
    let mut parts = std::iter::repeat_n(vec![7; INDEX / 8], 8);
    let (mut saved, mut loaded) = (Spent::default(), Spent::default());
    if saved.on(store.save_index(made_of, &mut parts)).await? != IndexSaved::Saved {
        return Err("the index is not kept".into());
    }
    let mut size = 0;
    loaded.on(store.load_index(&mut |part| size += part.len())).await?;
    if size != INDEX {
        return Err("the index is not whole".into());
    }
    Ok((saved.to_string(), loaded.to_string()))
}

async fn audit(store: &dyn Storage, count: u64) -> Result<String, Failure> {
    let mut appended = Spent::default();
    for first in (0..count).step_by(usize::try_from(BATCH)?) {
        let records: Vec<AuditRecord> = (first..count.min(first + BATCH)).map(record).collect();
        appended.on(store.append_audit(&records)).await?;
    }
    let mut verified = Spent::default();
    let verdict = verified.on(store.verify_audit(None)).await?;
    if !matches!(verdict, AuditVerdict::Verified { .. }) {
        return Err(format!("{verdict:?}").into());
    }
    let objects = vec![ObjectFilter { name: dataset_name(2, 77).into(), column: None }];
    let filter = AuditFilter { objects, ..AuditFilter::default() };
    let mut found = Spent::default();
    let count_found = found.on(store.read_audit(&filter, AuditCursor::Newest, 100)).await?.len();
    Ok(format!("{} | {} | {count_found} in {found}", appended.rate(count), verified.rate(count)))
}

/// Time by the clock, and of the processor.
#[derive(Default)]
struct Spent {
    clock: Duration,
    processor: Duration,
    slowest: Duration,
}

impl Spent {
    async fn on<T>(&mut self, work: impl Future<Output = T>) -> T {
        let (started, used) = (Instant::now(), ProcessTime::now());
        let done = work.await;
        self.clock += started.elapsed();
        self.processor += used.elapsed();
        self.slowest = self.slowest.max(started.elapsed());
        done
    }

    fn rate(&self, count: u64) -> String {
        let rate = |spent: Duration| count as f64 / spent.as_secs_f64();
        format!("{:.0}/s ({:.0}/s)", rate(self.clock), rate(self.processor))
    }
}

impl fmt::Display for Spent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2?} ({:.2?})", self.clock, self.processor)
    }
}

/// Spreads numbers.
const fn spread(number: u64) -> u64 {
    let mixed = (number ^ (number >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}

fn dataset_name(layer: u64, number: u64) -> String {
    format!("layer_{layer}.table_{:05}", number % TABLES)
}

fn dataset(layer: u64, number: u64) -> DatasetName {
    let database = Name::fold(&format!("layer_{layer}"));
    DatasetName::Table(TableName::new(database, Name::fold(&format!("table_{:05}", number % TABLES))))
}

fn run(number: u64) -> Run {
    let sources = [dataset(0, spread(number)), dataset(1, spread(number + 1))];
    let key = if number.is_multiple_of(2) {
        format!("hive_20260115{number:010}_{:016x}-{:08x}", spread(number), number)
    } else {
        format!("{:016x}-{:016x}", spread(number), spread(!number))
    };
    let ended_at = Timestamp(1_700_000_000_000 + i64::try_from(number).unwrap_or_default() * 50);
    let column = |place: usize| TargetColumn {
        name: Name::fold(&format!("column_{place}")),
        expression: place.is_multiple_of(3).then(|| format!("upper(s.column_{place})").into()),
        derivation: if place.is_multiple_of(3) { Derivation::Expression } else { Derivation::Simple },
        sources: sources
            .iter()
            .skip(place % 2)
            .take(1)
            .map(|source| ColumnSource {
                dataset: source.clone(),
                column: Name::fold(&format!("column_{place}")),
                kind: if place.is_multiple_of(3) { EdgeKind::Transformation } else { EdgeKind::Identity },
                masked: false,
                unresolved: false,
                through: Arc::default(),
            })
            .collect(),
        influences: Vec::new(),
    };
    Run {
        key: RunKey(key.into()),
        operation: "QUERY".into(),
        started_at: Some(Timestamp(ended_at.0 - 12_345)),
        ended_at,
        context: Arc::new(Context {
            origin: RunOrigin::Reported,
            statement: format!(
                "INSERT OVERWRITE TABLE layer_2.table_{:05} SELECT upper(s.column_0), t.column_1, s.column_2 FROM \
                 layer_0.table_{:05} s JOIN layer_1.table_{:05} t ON s.id = t.id",
                number % TABLES,
                spread(number) % TABLES,
                spread(number + 1) % TABLES
            )
            .into(),
            user: format!("user_{}", number % 300).into(),
            groups: vec!["analysts".into(), "etl".into()],
            host: Some("gateway-3.example.com".into()),
            engine: Some("hive".into()),
            engine_version: Some("3.1.3".into()),
            session: Some(format!("session-{:08x}", number / 40).into()),
            ..Context::default()
        }),
        inputs: sources
            .iter()
            .map(|source| Input { dataset: source.clone(), partitions: Vec::new(), through: Arc::default() })
            .collect(),
        targets: vec![Target {
            dataset: dataset(2, number),
            write: WriteKind::Overwrite,
            partition: Vec::new(),
            columns: (0..10).map(column).collect(),
            influences: Vec::new(),
            whole: Vec::new(),
        }],
        changes: Vec::new(),
    }
}

fn record(number: u64) -> AuditRecord {
    let object = |layer: u64, number: u64, access: &str| AuditObject {
        name: dataset_name(layer, number).into(),
        access: access.into(),
        columns: (0..5).map(|place| Name::fold(&format!("column_{place}"))).collect(),
    };
    let Run { context, operation, ended_at, .. } = run(number);
    AuditRecord {
        at: ended_at,
        actor: context.user.clone(),
        groups: context.groups.clone(),
        kind: AuditKind::Decision,
        statement: context.statement.clone(),
        operation,
        objects: vec![
            object(0, spread(number), "SELECT"),
            object(1, spread(number + 1), "SELECT"),
            object(2, number, "INSERT"),
        ],
        verdict: Verdict::Allowed,
        reasons: vec!["entry 17: SELECT on database layer_0 to role analyst".into()],
        missing: Vec::new(),
        policy_version: PolicyVersion(number / 1000),
        client: Some("10.1.2.3".into()),
    }
}
