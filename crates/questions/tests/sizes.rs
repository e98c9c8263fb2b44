//! Runs and histories of hostile sizes, end to end: recorded through a store, asked about, and there again when the store is
//! opened anew.
//!
//! `GUARDBEE_TEST_VERSIONS` says how many versions a dataset gets; `make test-slow` has a million.

mod support;

use std::sync::Arc;

use guardbee_engine::lineage::Lineage;
use guardbee_lineage::{
    ColumnSource, Context, DatasetName, Derivation, EdgeKind, Input, Run, RunKey, Target, TargetColumn,
    WriteKind,
};
use guardbee_model::{Name, TableName};
use guardbee_policy::Timestamp;
use guardbee_questions::{Direction, HistoryQuestion, TraceQuestion, history, trace};

use support::Warehouse;

const FIRST: i64 = 1_600_000_000_000;
const INPUTS: usize = 10_000;
const COLUMNS: usize = 10;

fn versions() -> usize {
    std::env::var("GUARDBEE_TEST_VERSIONS").ok().and_then(|count| count.parse().ok()).unwrap_or(20_000)
}

fn table(name: &str) -> DatasetName {
    DatasetName::Table(TableName::new(Name::fold("d"), Name::fold(name)))
}

fn run(key: &str, ended_at: i64, inputs: Vec<DatasetName>, columns: Vec<TargetColumn>) -> Run {
    let input = |dataset| Input { dataset, partitions: Vec::new(), through: Arc::from([]) };
    Run {
        key: RunKey(key.into()),
        operation: "QUERY".into(),
        started_at: None,
        ended_at: Timestamp(ended_at),
        context: Arc::new(Context { user: "etl".into(), ..Context::default() }),
        inputs: inputs.into_iter().map(input).collect(),
        targets: vec![Target {
            dataset: table("target"),
            write: WriteKind::Overwrite,
            partition: Vec::new(),
            columns,
            influences: Vec::new(),
            whole: Vec::new(),
        }],
        changes: Vec::new(),
    }
}

fn column(name: &str, sources: impl Iterator<Item = DatasetName>) -> TargetColumn {
    let source = |dataset| ColumnSource {
        dataset,
        column: Name::fold(name),
        kind: EdgeKind::Identity,
        masked: false,
        unresolved: false,
        through: Arc::from([]),
    };
    TargetColumn {
        name: Name::fold(name),
        expression: None,
        derivation: Derivation::Simple,
        sources: sources.map(source).collect(),
        influences: Vec::new(),
    }
}

/// Every version stays in the history, the last one is what is there, and a start finds it all again.
#[tokio::test]
async fn a_dataset_has_as_many_versions_as_it_was_written() {
    const SHOWN: usize = 5;
    let versions = versions();
    let warehouse = Warehouse::of(&[]).await;
    let lineage = Lineage::open(warehouse.storage.clone()).await.expect("no runs yet");
    let numbers: Vec<usize> = (0..versions).collect();
    for numbers in numbers.chunks(10_000) {
        let runs: Vec<Run> = numbers
            .iter()
            .map(|number| {
                let source = table(if number % 2 == 0 { "even" } else { "odd" });
                let ended_at = FIRST + i64::try_from(*number).expect("small") * 1_000;
                let columns = vec![column("c", std::iter::once(source.clone()))];
                run(&format!("run {number}"), ended_at, vec![source], columns)
            })
            .collect();
        lineage.record(&runs).await.expect("kept");
    }
    let graph = lineage.snapshot().graph.clone();
    let again = warehouse.opened_again().await;
    for warehouse in [Warehouse { graph, ..warehouse }, again] {
        assert_eq!(warehouse.graph.run_count(), versions);
        let ground = warehouse.ground();
        let question = HistoryQuestion { limit: 5, ..HistoryQuestion::about("d.target") };
        let told = history(&ground, &question).await.expect("a history");
        assert_eq!((told.events.len(), told.older), (SHOWN, versions - SHOWN), "{told:?}");
        let question = TraceQuestion { direction: Direction::Up, ..TraceQuestion::about("d.target.c") };
        let told = trace(&ground, &question).await.expect("a trace");
        // What was overwritten is not there.
        let runs: Vec<&str> = told.runs.iter().map(|run| run.key.as_str()).collect();
        assert_eq!((told.nodes.len(), told.edges.len()), (2, 1), "{told:?}");
        assert_eq!(runs, [format!("run {}", versions - 1)]);
    }
    println!("{versions} versions of a dataset");
}

/// Nothing of a run is left out for its size.
#[tokio::test]
async fn a_run_has_as_many_inputs_and_edges_as_it_has() {
    let warehouse = Warehouse::of(&[]).await;
    let lineage = Lineage::open(warehouse.storage.clone()).await.expect("no runs yet");
    let source = |number: usize| table(&format!("source_{number}"));
    let columns = (0..COLUMNS).map(|number| column(&format!("c{number}"), (0..INPUTS).map(source)));
    let wide = run("wide", FIRST, (0..INPUTS).map(source).collect(), columns.collect());
    lineage.ingest(wide.clone()).await.expect("kept");
    // Sent again it is the same run.
    lineage.ingest(wide).await.expect("known");
    let graph = lineage.snapshot().graph.clone();
    let again = warehouse.opened_again().await;
    for warehouse in [Warehouse { graph, ..warehouse }, again] {
        let (runs, edges) = (warehouse.graph.run_count(), warehouse.graph.edge_count());
        assert_eq!((runs, edges), (1, INPUTS * COLUMNS));
        let question = TraceQuestion {
            direction: Direction::Up,
            limit: INPUTS * 2,
            ..TraceQuestion::about("d.target.c7")
        };
        let told = trace(&warehouse.ground(), &question).await.expect("a trace");
        assert_eq!((told.edges.len(), told.truncated), (INPUTS, false));
        let question = TraceQuestion { direction: Direction::Up, limit: 100, ..question };
        let told = trace(&warehouse.ground(), &question).await.expect("a trace");
        assert_eq!((told.nodes.len(), told.truncated), (100, true));
    }
}
