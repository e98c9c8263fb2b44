//! Runs on their way through the engine: durable before they are answered, in the graph from then on, many in one
//! transaction, never more waiting than there is room for.

#[path = "support/runs.rs"]
mod runs;

use std::sync::Arc;

use guardbee_engine::lineage::{Forgetting, IntakeBounds, Lineage};
use guardbee_engine::record::{KeyBase, Occasion, SessionTables};
use guardbee_engine::run_store::{Appended, RunSeq, RunStore as _};
use guardbee_engine::store::StoreError;
use guardbee_engine::{Engine, EngineError, EngineOptions, run_store};
use guardbee_lineage::{
    AsOf, Context, DatasetName, Derivation, Direction, EdgeKind, Node, Question, Run, RunKey, Target,
    TargetColumn, WriteKind,
};
use guardbee_model::{TableName, Timestamp};
use guardbee_policy::{
    Change, Effect, Entry, GrantOption, Identity, Policy, Principal, Privileges, Scope, Validity,
};

use runs::MemoryRuns;

fn table(name: &str) -> DatasetName {
    DatasetName::Table(TableName::new("d".into(), name.into()))
}

/// A run that copies a column from one table to another.
fn copy(number: u32, from: &str, to: &str) -> Run {
    Run {
        key: RunKey(format!("run-{number}").into()),
        operation: "QUERY".into(),
        started_at: None,
        ended_at: Timestamp(i64::from(number)),
        context: Arc::new(Context::default()),
        inputs: Vec::new(),
        targets: vec![Target {
            dataset: table(to),
            write: WriteKind::Append,
            partition: Vec::new(),
            columns: vec![TargetColumn {
                name: "c".into(),
                expression: None,
                derivation: Derivation::Simple,
                sources: vec![guardbee_lineage::ColumnSource {
                    dataset: table(from),
                    column: "c".into(),
                    kind: EdgeKind::Identity,
                    masked: false,
                    unresolved: false,
                    through: [].into(),
                }],
                influences: Vec::new(),
            }],
            influences: Vec::new(),
            whole: Vec::new(),
        }],
        changes: Vec::new(),
    }
}

/// What lies upstream of a table.
fn upstream(lineage: &Lineage, name: &str) -> usize {
    let graph = lineage.snapshot().graph.clone();
    let Some(dataset) = graph.find(&table(name), AsOf::Now) else { return 0 };
    graph.trace(&Question::about(Node::dataset(dataset), Direction::Up)).nodes.len() - 1
}

#[tokio::test]
async fn what_is_recorded_is_seen_at_once_and_once() {
    let store = Arc::new(MemoryRuns::default());
    let lineage = Lineage::open(store.clone()).await.unwrap();
    let runs = [copy(1, "a", "b"), copy(2, "b", "c")];
    let appended = lineage.record(&runs).await.unwrap();
    assert_eq!(appended, [Appended::New(RunSeq(1)), Appended::New(RunSeq(2))]);
    assert_eq!(upstream(&lineage, "c"), 2);
    let again = lineage.record(&runs).await.unwrap();
    assert_eq!(again, [Appended::Known(RunSeq(1)), Appended::Known(RunSeq(2))]);
    assert_eq!(lineage.snapshot().graph.run_count(), 2);
}

#[tokio::test]
async fn what_others_record_is_taken_over_whoever_is_faster() {
    let store = Arc::new(MemoryRuns::default());
    let first = Lineage::open(store.clone()).await.unwrap();
    let second = Lineage::open(store.clone()).await.unwrap();
    first.record(&[copy(1, "a", "b")]).await.unwrap();
    second.record(&[copy(2, "b", "c")]).await.unwrap();
    assert_eq!(upstream(&second, "c"), 2, "the run in between was fetched");
    assert_eq!(upstream(&first, "c"), 0);
    first.catch_up().await.unwrap();
    assert_eq!(upstream(&first, "c"), 2);
    assert_eq!(first.snapshot().head, second.snapshot().head);
}

#[tokio::test]
async fn a_start_reads_the_index_and_only_what_came_after() {
    let store = Arc::new(MemoryRuns::default());
    let lineage = Lineage::open(store.clone()).await.unwrap();
    lineage.record(&[copy(1, "a", "b")]).await.unwrap();
    lineage.save().await.unwrap();
    lineage.record(&[copy(2, "b", "c")]).await.unwrap();
    store.forget_what_was_read();
    let started = Lineage::open(store.clone()).await.unwrap();
    assert_eq!(upstream(&started, "c"), 2);
    assert_eq!(store.runs_read(), 1);
    store.damage_index();
    let started = Lineage::open(store).await.unwrap();
    assert_eq!(upstream(&started, "c"), 2, "made anew from the runs");
}

#[tokio::test]
async fn merging_loses_nothing_that_comes_meanwhile() {
    let store = Arc::new(MemoryRuns::default());
    let lineage = Lineage::open(store).await.unwrap();
    lineage.record(&[copy(1, "a", "b")]).await.unwrap();
    let merging = {
        let lineage = lineage.clone();
        std::thread::spawn(move || (0..50).for_each(|_| lineage.compact()))
    };
    for number in 2..200 {
        let (from, to) = (format!("t{}", number - 1), format!("t{number}"));
        lineage.record(&[copy(number, &from, &to)]).await.unwrap();
    }
    merging.join().unwrap();
    lineage.compact();
    assert_eq!(lineage.snapshot().graph.run_count(), 199);
    assert_eq!(upstream(&lineage, "t199"), 198);
}

#[tokio::test]
async fn runs_that_come_together_share_a_transaction() {
    let store = Arc::new(MemoryRuns::default());
    let bounds = IntakeBounds { waiting: 64, together: 16 };
    let lineage = Lineage::open_within(store.clone(), bounds).await.unwrap();
    let ingested = (0..500).map(|number| {
        let lineage = lineage.clone();
        tokio::spawn(async move { lineage.ingest(copy(number, "a", "b")).await })
    });
    for answer in ingested.collect::<Vec<_>>() {
        assert!(matches!(answer.await.unwrap(), Ok(Appended::New(_))));
    }
    let transactions = store.transactions();
    assert!((500_usize.div_ceil(16)..250).contains(&transactions), "{transactions}");
    assert!(store.largest_transaction() <= 16);
    assert_eq!(lineage.snapshot().graph.run_count(), 500);
}

#[tokio::test]
async fn a_store_that_fails_is_told_to_all_who_wait_and_takes_the_next() {
    let store = Arc::new(MemoryRuns::default());
    let lineage = Lineage::open(store.clone()).await.unwrap();
    store.fail_once(StoreError::Full("no room".to_owned()));
    let failed = lineage.ingest(copy(1, "a", "b")).await;
    assert_eq!(failed, Err(EngineError::Store(StoreError::Full("no room".to_owned()))));
    assert_eq!(upstream(&lineage, "b"), 0, "nothing is seen that is not durable");
    assert_eq!(lineage.ingest(copy(1, "a", "b")).await, Ok(Appended::New(RunSeq(1))));
    assert_eq!(upstream(&lineage, "b"), 1);
}

#[tokio::test]
async fn what_is_forgotten_is_no_more_after_catching_up() {
    let store = Arc::new(MemoryRuns::default());
    let lineage = Lineage::open(store.clone()).await.unwrap();
    lineage.record(&[copy(1, "a", "b"), copy(2, "b", "c")]).await.unwrap();
    let retention = run_store::Retention { ended_before: Timestamp(2), seen: RunSeq(2), keep: &[] };
    assert_eq!(store.forget_runs(retention).await.unwrap(), 1);
    lineage.catch_up().await.unwrap();
    assert_eq!(upstream(&lineage, "c"), 1);
}

#[tokio::test]
async fn runs_that_nothing_is_left_of_are_forgotten() {
    let store = Arc::new(MemoryRuns::default());
    let lineage = Lineage::open(store.clone()).await.unwrap();
    let overwritten = |at, from: &str, to: &str| {
        let mut run = copy(at, from, to);
        run.targets[0].write = guardbee_lineage::WriteKind::Overwrite;
        run
    };
    // What the first brought is gone; what the second brought went on; the last ended at the moment itself.
    let runs =
        [overwritten(1, "x", "b"), overwritten(2, "a", "b"), copy(3, "b", "c"), overwritten(4, "z", "b")];
    lineage.record(&runs).await.unwrap();
    let before = Timestamp(4);
    let expected = Forgetting { kept: 2, forgotten: 1 };
    assert_eq!(lineage.forgettable(before), expected);
    assert_eq!(lineage.forget(before).await, Ok(expected));
    assert_eq!(upstream(&lineage, "c"), 3, "a by way of b, and z");
    assert_eq!(lineage.forget(before).await, Ok(Forgetting { kept: 2, forgotten: 0 }));
    assert_eq!(lineage.ingest(overwritten(1, "x", "b")).await, Ok(Appended::Known(RunSeq(1))));
}

#[tokio::test]
async fn only_what_was_allowed_is_recorded_and_everything_is_audited() {
    let lineage = Lineage::open(Arc::new(MemoryRuns::default())).await.unwrap();
    let mut policy = Policy::new();
    policy
        .apply(Change::PutEntry(Entry {
            id: policy.next_entry_id(),
            effect: Effect::Grant,
            principal: Principal::user("ana"),
            except: Arc::from([]),
            privileges: Privileges::ALL,
            scope: Scope::database("d"),
            grant_option: GrantOption::Without,
            grantor: None,
            created_at: Timestamp(0),
            validity: Validity::default(),
            purpose: None,
        }))
        .unwrap();
    let engine = Engine::new(policy, EngineOptions::default());
    engine
        .define("CREATE DATABASE d; CREATE DATABASE e; CREATE TABLE d.a (c INT); CREATE TABLE e.a (c INT)")
        .await
        .unwrap();
    let mut session = engine.session(Identity::of_user("ana"));
    let mut tables = SessionTables::new("s".into());
    let base = KeyBase::new(Timestamp(1), "ana", &[]);
    let mut kept = Vec::new();
    for (ordinal, statement) in (0..).zip([
        "CREATE TABLE d.b AS SELECT c FROM d.a",
        "INSERT INTO d.b SELECT c FROM e.a",
        "SELEC 1",
        "USE d",
    ]) {
        let occasion = Occasion {
            key: base.key(ordinal),
            started_at: None,
            ended_at: Timestamp(1),
            context: Arc::default(),
        };
        let before = session.snapshot();
        let executed = session.execute(statement).await;
        let audit = before.audit_of(statement, &executed.checked, Timestamp(1));
        let recorded =
            before.record(statement, &executed.checked, &mut tables, occasion, &lineage).await.unwrap();
        kept.push((audit.verdict.as_str(), audit.missing.join(", "), recorded.is_some()));
    }
    assert_eq!(
        kept,
        [
            ("allowed", String::new(), true),
            ("denied", "SELECT on e.a.c".to_owned(), false),
            ("denied", String::new(), false),
            ("allowed", String::new(), false),
        ]
    );
    assert_eq!(lineage.snapshot().graph.run_count(), 1);
    assert_eq!(upstream(&lineage, "b"), 1);
}
