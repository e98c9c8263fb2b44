//! Runs that are not needed any more can be forgotten: what goes into what now stays as it was.

mod support;

use guardbee_lineage::{AsOf, Direction, EdgeFilter, Graph, Node, Question, Run, TraceSubject};
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
