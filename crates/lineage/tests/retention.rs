//! Runs that are not needed any more can be forgotten: what goes into what now stays as it was.

mod support;

use std::collections::BTreeSet;

use guardbee_lineage::{
    AsOf, ColumnId, DatasetChange, DatasetName, Direction, EdgeFilter, Graph, Node, NodeName, Question, Run,
    TagNumber, TagRules, TagSource, TraceSubject, WriteKind,
};
use guardbee_model::Timestamp;
use support::random::{self, Random};

/// The current edges between datasets, by the names of now and the latest run.
fn edges(graph: &Graph) -> Vec<String> {
    let mut edges = Vec::new();
    for dataset in graph.datasets(AsOf::Now) {
        let question = Question {
            edges: EdgeFilter::All,
            depth: Some(1),
            ..Question::about(Node::dataset(dataset), Direction::Up)
        };
        let to = graph.name(TraceSubject::Dataset(dataset), AsOf::Now).expect("a name");
        let trace = graph.trace(&question);
        edges.extend(
            trace
                .edges
                .iter()
                .map(|edge| format!("{to} {} {}", edge.kind.as_str(), graph.run_key(edge.run).0)),
        );
    }
    edges.sort();
    edges
}

#[test]
fn current_edges_stay_when_old_runs_are_forgotten() {
    let mut forgotten = 0;
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let count = 1 + random.below(12);
        let runs: Vec<Run> = (0..count).map(|number| random::run(&mut random, number, 9)).collect();
        let graph = Graph::new().record(&runs).graph;
        let before = Timestamp(random.below(10) as i64);
        let needed: Vec<_> =
            graph.runs_still_needed(before).into_iter().map(|run| graph.run_key(run)).collect();
        let is_kept = |run: &&Run| run.ended_at >= before || needed.contains(&run.key);
        let kept: Vec<Run> = runs.iter().filter(is_kept).cloned().collect();
        forgotten += runs.len() - kept.len();
        assert_eq!(edges(&Graph::new().record(&kept).graph), edges(&graph), "seed {seed}");
    }
    assert!(forgotten > 50, "{forgotten}");
}

/// What carries a tag that somebody put on one of the things that are there, by the names of now.
fn tagged(graph: &Graph, name: &NodeName) -> BTreeSet<String> {
    let Some(dataset) = graph.find(&name.dataset, AsOf::Now) else { return BTreeSet::new() };
    let node = match &name.column {
        None => Some(Node::dataset(dataset)),
        Some(column) => {
            // The run that named the column may be among those that are forgotten.
            let column = graph.find_column(dataset, column, AsOf::Now).unwrap_or(ColumnId::UNNAMED);
            Some(Node::column(dataset, column))
        }
    };
    let sources: Vec<TagSource> =
        node.into_iter().map(|node| TagSource { node, tag: TagNumber(0) }).collect();
    let flow = graph.tag_flow(&sources, TagRules::default());
    let names = flow.derived().filter_map(|derived| {
        let subject = match derived.node.column {
            None => TraceSubject::Dataset(derived.node.dataset),
            Some(column) => TraceSubject::Column(derived.node.dataset, column),
        };
        // Nobody decides about what a query answered.
        let name = graph.name(subject, AsOf::Now).expect("a name");
        (!matches!(name.dataset, DatasetName::Result(_))).then(|| format!("{name:?}"))
    });
    names.collect()
}

/// Whoever defines a view makes it as well, or says that it is there: such a run stays, with what the view showed.
fn with_made_views(mut run: Run) -> Run {
    let definitions = run.targets.iter().filter(|target| target.write == WriteKind::Define);
    let made = definitions.map(|target| DatasetChange::Ensure {
        dataset: target.dataset.clone(),
        columns: target.columns.iter().map(|column| column.name.clone()).collect(),
    });
    run.changes.extend(made.collect::<Vec<_>>());
    run
}

#[test]
fn tags_that_came_with_data_stay_when_old_runs_are_forgotten() {
    let (mut forgotten, mut carried) = (0, 0);
    for seed in 0..1_000 {
        let mut random = Random::new(seed);
        let count = 2 + random.below(12);
        let runs: Vec<Run> =
            (0..count).map(|number| with_made_views(random::run(&mut random, number, 9))).collect();
        let graph = Graph::new().record(&runs).graph;
        let before = Timestamp(random.below(12) as i64);
        let needed: Vec<_> =
            graph.runs_still_needed(before).into_iter().map(|run| graph.run_key(run)).collect();
        let is_kept = |run: &&Run| run.ended_at >= before || needed.contains(&run.key);
        let kept: Vec<Run> = runs.iter().filter(is_kept).cloned().collect();
        forgotten += runs.len() - kept.len();
        let later = Graph::new().record(&kept).graph;
        for dataset in graph.datasets(AsOf::Now) {
            let columns = graph
                .dataset(dataset, AsOf::Now)
                .columns
                .into_iter()
                .map(|column| graph.name(TraceSubject::Column(dataset, column.id), AsOf::Now));
            let whole = graph.name(TraceSubject::Dataset(dataset), AsOf::Now);
            for name in columns.chain([whole]).flatten() {
                let expected = tagged(&graph, &name);
                carried += expected.len();
                assert_eq!(tagged(&later, &name), expected, "seed {seed}, a tag on {name:?}",);
            }
        }
    }
    assert!(forgotten > 200 && carried > 1_000, "{forgotten} {carried}");
}
