//! Histories that nobody means well with: each is answered, and none takes long.

mod support;

use std::sync::Arc;
use std::time::{Duration, Instant};

use guardbee_lineage::{
    AsOf, ColumnSource, Context, DatasetChange, DatasetName, Derivation, Direction, EdgeKind, Graph, Input,
    Level, Node, Outcome, Question, Run, RunError, RunKey, Target, TargetColumn, WriteKind,
};
use guardbee_model::{Name, TableName, Timestamp};

/// Far more than any of it takes, even unoptimised on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Unoptimised a tenth has to do.
const MANY: i64 = if cfg!(debug_assertions) { 100_000 } else { 1_000_000 };

fn table(name: &str) -> DatasetName {
    DatasetName::Table(TableName::new(Name::fold("d"), Name::fold(name)))
}

fn run(key: impl ToString, ended_at: i64) -> Run {
    Run {
        key: RunKey(key.to_string().into()),
        operation: "QUERY".into(),
        started_at: None,
        ended_at: Timestamp(ended_at),
        context: Arc::new(Context::default()),
        inputs: Vec::new(),
        targets: Vec::new(),
        changes: Vec::new(),
    }
}

fn target(dataset: DatasetName, write: WriteKind, columns: Vec<TargetColumn>) -> Target {
    Target { dataset, write, partition: Vec::new(), columns, influences: Vec::new(), whole: Vec::new() }
}

fn column(name: &str, sources: impl IntoIterator<Item = (DatasetName, Name)>) -> TargetColumn {
    let source = |(dataset, column)| ColumnSource {
        dataset,
        column,
        kind: EdgeKind::Identity,
        masked: false,
        unresolved: false,
        through: Arc::from([]),
    };
    TargetColumn {
        name: Name::fold(name),
        expression: None,
        derivation: Derivation::Simple,
        sources: sources.into_iter().map(source).collect(),
        influences: Vec::new(),
    }
}

fn find(graph: &Graph, name: &str) -> Node {
    Node::dataset(graph.find(&table(name), AsOf::Now).expect("a dataset"))
}

#[test]
fn everything_from_everything() {
    let tables: Vec<String> = (0..60).map(|number| format!("t{number}")).collect();
    let runs: Vec<Run> = tables
        .iter()
        .map(|name| {
            let sources = tables.iter().map(|source| (table(source), Name::fold("x")));
            Run {
                targets: vec![target(table(name), WriteKind::Append, vec![column("x", sources)])],
                ..run(name, 1)
            }
        })
        .collect();
    let graph = Graph::new().record(&runs).graph;
    for graph in [graph.compacted(), graph] {
        for direction in [Direction::Up, Direction::Down, Direction::Both] {
            for level in [Level::Dataset, Level::Column] {
                let trace =
                    graph.trace(&Question { level, ..Question::about(find(&graph, "t7"), direction) });
                assert_eq!(trace.edges.len(), 60 * 60);
            }
        }
    }
}

#[test]
fn a_run_with_many_inputs_and_edges() {
    let started = Instant::now();
    let inputs: Vec<DatasetName> = (0..10_000).map(|number| table(&format!("in{number}"))).collect();
    let columns = (0..1_000).map(|number| {
        let sources =
            (0..100).map(|source| (inputs[(number * 100 + source) % 10_000].clone(), Name::fold("x")));
        column(&format!("c{number}"), sources)
    });
    let wide = Run {
        inputs: inputs
            .iter()
            .map(|dataset| Input { dataset: dataset.clone(), partitions: Vec::new(), through: Arc::from([]) })
            .collect(),
        targets: vec![target(table("out"), WriteKind::Overwrite, columns.collect())],
        ..run("wide", 1)
    };
    let graph = Graph::new().record(std::slice::from_ref(&wide)).graph;
    assert_eq!(graph.edge_count(), 100_000);
    let trace = graph.trace(&Question::about(find(&graph, "out"), Direction::Up));
    assert_eq!(trace.nodes.len(), 10_001);
    // Beside a larger base it stays in the delta.
    let again = Run { key: RunKey("again".into()), ended_at: Timestamp(2), ..wide };
    let graph = graph.record(&[again]).graph;
    let trace = graph
        .trace(&Question { level: Level::Column, ..Question::about(find(&graph, "out"), Direction::Up) });
    assert_eq!(trace.edges.len(), 100_000);
    assert!(started.elapsed() < PATIENCE, "{:?}", started.elapsed());
}

#[test]
fn a_dataset_with_very_many_versions() {
    let started = Instant::now();
    let mut graph = Graph::new();
    let context = Arc::new(Context::default());
    for first in (0..MANY).step_by(MANY as usize / 4) {
        let runs: Vec<Run> = (first..first + MANY / 4)
            .map(|number: i64| Run {
                context: Arc::clone(&context),
                targets: vec![target(
                    table("t"),
                    WriteKind::Overwrite,
                    vec![column("x", [(table("s"), Name::fold("x"))])],
                )],
                ..run(number, number)
            })
            .collect();
        graph = graph.record(&runs).graph;
    }
    let dataset = graph.find(&table("t"), AsOf::Now).expect("a dataset");
    assert_eq!(graph.dataset(dataset, AsOf::Now).versions as i64, MANY);
    assert_eq!(graph.dataset(dataset, AsOf::At(Timestamp(MANY / 2 - 1))).versions as i64, MANY / 2);
    // One more is seen at once, and so is one that comes late.
    for (key, at) in [("new", MANY), ("late", 17)] {
        let started = Instant::now();
        let one = Run {
            targets: vec![target(
                table("t"),
                WriteKind::Overwrite,
                vec![column("x", [(table(key), Name::fold("x"))])],
            )],
            ..run(key, at)
        };
        graph = graph.record(&[one]).graph;
        let question = Question {
            as_of: AsOf::At(Timestamp(at)),
            ..Question::about(Node::dataset(dataset), Direction::Up)
        };
        let trace = graph.trace(&question);
        assert_eq!(trace.edges.len(), 1);
        assert!(started.elapsed() < PATIENCE / 4, "{key} {:?}", started.elapsed());
    }
    assert_eq!(graph.dataset(dataset, AsOf::Now).versions as i64, MANY + 2);
    assert!(started.elapsed() < PATIENCE, "{:?}", started.elapsed());
}

#[test]
fn a_table_created_and_dropped_again_and_again() {
    let started = Instant::now();
    let mut runs = Vec::new();
    let count = MANY / 50;
    for number in 0..count {
        let mut one = run(number, number);
        one.changes = vec![
            DatasetChange::Drop { dataset: table("stage") },
            DatasetChange::Create { dataset: table("stage"), columns: vec![Name::fold("x")] },
        ];
        one.targets = vec![
            target(table("stage"), WriteKind::Append, vec![column("x", [(table("s"), Name::fold("x"))])]),
            target(table("out"), WriteKind::Append, vec![column("x", [(table("stage"), Name::fold("x"))])]),
        ];
        runs.push(one);
    }
    let (first, rest) = runs.split_at(runs.len() - 20);
    let mut graph = Graph::new().record(first).graph;
    for one in rest {
        graph = graph.record(std::slice::from_ref(one)).graph;
    }
    assert_eq!(graph.find_all(&table("stage")).len() as i64, count + 1);
    let trace = graph.trace(&Question::about(find(&graph, "out"), Direction::Up));
    assert_eq!(trace.nodes.len() as i64, count + 2, "each stage there was, the source and the start");
    assert!(started.elapsed() < PATIENCE, "{:?}", started.elapsed());
}

#[test]
fn moments_at_both_ends_of_time() {
    let moments = [i64::MIN, 0, 253_402_300_799_999, i64::MAX];
    let runs: Vec<Run> = moments
        .iter()
        .rev()
        .map(|at| Run {
            targets: vec![target(
                table("t"),
                WriteKind::Append,
                vec![column("x", [(table("s"), Name::fold("x"))])],
            )],
            ..run(at, *at)
        })
        .collect();
    let graph = Graph::new().record(&runs).graph;
    for graph in [graph.compacted(), graph] {
        for (place, at) in moments.iter().enumerate() {
            let as_of = AsOf::At(Timestamp(*at));
            let trace = graph.trace(&Question { as_of, ..Question::about(find(&graph, "t"), Direction::Up) });
            let edge = trace.edges.first().expect("an edge");
            assert_eq!((edge.run_count, graph.run_ended_at(edge.run).0), (place as u32 + 1, *at));
        }
    }
}

#[test]
fn names_of_any_kind() {
    let names = ["a.b", "it's", "\"q\"", "new\nline", "\u{0}", "\u{1}\u{2}", "", "größe", "日本", " "];
    let mut runs = Vec::new();
    for (place, name) in names.iter().enumerate() {
        let columns = vec![column(name, [(table("s"), Name::fold(name))])];
        runs.push(Run {
            targets: vec![target(table(name), WriteKind::Append, columns)],
            changes: vec![DatasetChange::Rename { from: table(name), to: table(&format!("{name}!")) }],
            ..run(format!("{name}{place}"), place as i64)
        });
    }
    let graph = Graph::new().record(&runs).graph.compacted();
    for name in names {
        let dataset = graph.find(&table(name), AsOf::Now).expect("a dataset");
        let column = graph.find_column(dataset, &Name::fold(name), AsOf::Now).expect("a column");
        let trace = graph.trace(&Question::about(Node::column(dataset, column), Direction::Up));
        let from = trace.node(trace.edges[0].from).expect("a node");
        let from = graph.name(from.subject, AsOf::Now).expect("a name");
        assert_eq!((from.dataset, from.column), (table("s"), Some(Name::fold(name))));
        assert!(graph.find(&table(&format!("{name}!")), AsOf::Now).is_some());
    }
}

#[test]
fn runs_that_are_refused_leave_nothing_behind() {
    let database = DatasetName::Database(Name::fold("d"));
    let across = Run {
        changes: vec![DatasetChange::Rename { from: table("t"), to: database.clone() }],
        ..run("across", 1)
    };
    let nameless = run("", 1);
    let drop = DatasetChange::Drop { dataset: table("t") };
    let endless = Run { changes: vec![drop; 70_000], ..run("endless", 1) };
    let good = Run { targets: vec![target(table("u"), WriteKind::Append, Vec::new())], ..run("good", 1) };
    let recorded = Graph::new().record(&[across, nameless, endless, good.clone()]);
    let errors: Vec<Option<RunError>> = recorded
        .outcomes
        .into_iter()
        .map(|outcome| match outcome {
            Outcome::Refused(error) => Some(error),
            _ => None,
        })
        .collect();
    assert_eq!(
        errors,
        [
            Some(RunError::RenameAcross { from: Box::new(table("t")), to: Box::new(database) }),
            Some(RunError::EmptyKey),
            Some(RunError::TooManyChanges { run: RunKey("endless".into()), changes: 70_000 }),
            None,
        ]
    );
    assert_eq!(recorded.graph.run_count(), 1);
    assert_eq!(recorded.graph.find(&table("t"), AsOf::Now), None);
    assert!(matches!(recorded.graph.record(&[good]).outcomes[..], [Outcome::Known(_)]));
}
