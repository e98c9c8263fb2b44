//! Guardbee's own lineage.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use guardbee_bench::figures::{
    Figures, add_percentiles, processor_time, resident_bytes, shortest_processor_times,
};
use guardbee_lineage::{
    AsOf, Context, Direction as Way, EdgeFilter, Filter, Graph, Limit, Node, Outcome, Question, Run,
    TagNumber, TagRules, TagSource, Temporaries,
};
use guardbee_testkit::lineage_load::{COLUMNS, ColumnNumber, GROUP, LineageLoad, column_of};
use petgraph::Direction;

use crate::applied::tags_applied;
use crate::closures::{Found, measure_closures};

/// Runs that are recorded one by one.
const SINGLE_RUNS: usize = 1_000;
/// As many are in memory at once while the graph is built.
const MOST_AT_ONCE: usize = 200_000;
/// Runs that are made durable, and how many in one transaction.
const DURABLE_RUNS: usize = 50_000;
const DURABLE_AT_ONCE: usize = 1_000;

pub fn measure(load: LineageLoad) -> anyhow::Result<Figures> {
    let mut figures = Figures::new();
    let before = resident_bytes();
    let mut graph = Graph::new();
    let time = processor_time(|| graph = built(load));
    figures.insert("build".to_owned(), (time.as_secs_f64(), "s"));
    figures.insert("memory".to_owned(), ((resident_bytes() - before) / 1e6, "MB"));
    let edges = graph.edge_count() as f64;
    anyhow::ensure!(graph.edge_count() == load.edges, "{} edges of {}", graph.edge_count(), load.edges);
    let an_edge = |bytes: usize, directions: f64| (bytes as f64 / edges / directions, "bytes");
    figures.insert("topology/edge_and_direction".to_owned(), an_edge(graph.topology_bytes(), 2.0));
    figures.insert("attributes/edge".to_owned(), an_edge(graph.attribute_bytes(), 1.0));
    figures.insert("graph/edge".to_owned(), an_edge(graph.memory_bytes(), 1.0));

    measure_closures(&mut figures, load, |column, direction| closure(&graph, load, column, direction));
    let hubs: Vec<Node> =
        (0..load.hubs().min(10)).map(|hub| node(&graph, load, load.hub_column(hub))).collect();
    let times = shortest_processor_times(&hubs, |hub| {
        black_box(graph.trace(&Question { depth: Some(1), ..about(*hub, Way::Down) }));
    });
    add_percentiles(&mut figures, "hub", &times);
    paths(&mut figures, &graph, load);
    tags(&mut figures, &graph, load);
    tags_applied(&mut figures, &graph, load)?;
    single_runs(&mut figures, &graph, load)?;
    saved(&mut figures, graph)?;
    ingest(&mut figures, load)?;
    Ok(figures)
}

/// The graph, from runs in their order.
fn built(load: LineageLoad) -> Graph {
    let mut graph = Graph::new();
    let mut runs = load.runs();
    loop {
        let at_once = (graph.run_count() / 2).clamp(10_000, MOST_AT_ONCE);
        let batch: Vec<Run> = runs.by_ref().take(at_once).collect();
        if batch.is_empty() {
            return graph.compacted();
        }
        graph = graph.record(&batch).graph;
        // What waits beside the base costs more memory than what is in it.
        if graph.delta_edges() > (graph.edge_count() / 4).max(MOST_AT_ONCE * COLUMNS) {
            graph = graph.compacted();
        }
    }
}

fn node(graph: &Graph, load: LineageLoad, column: ColumnNumber) -> Node {
    let dataset = graph.find(&load.table_of(column), AsOf::Now).expect("a table of the history");
    let column = graph.find_column(dataset, &column_of(column), AsOf::Now).expect("a column of the history");
    Node::column(dataset, column)
}

fn about(node: Node, direction: Way) -> Question<'static> {
    Question { edges: EdgeFilter::Direct, limit: Limit::NONE, ..Question::about(node, direction) }
}

fn closure(graph: &Graph, load: LineageLoad, column: ColumnNumber, direction: Direction) -> Found {
    let way = if direction == Direction::Outgoing { Way::Down } else { Way::Up };
    let trace = graph.trace(&about(node(graph, load, column), way));
    // Runs that did the same are one edge of an answer, and several of the graph.
    let found = Found {
        nodes: trace.nodes.len(),
        edges: trace.edges.iter().map(|edge| edge.run_count as usize).sum(),
    };
    black_box(trace);
    found
}

/// The shortest way through a group.
fn paths(figures: &mut Figures, graph: &Graph, load: LineageLoad) {
    let ends: Vec<(Node, Node)> = (0..load.groups().min(50))
        .map(|group| {
            let first = load.first_column(group);
            let last = first + (GROUP * COLUMNS - 1) as ColumnNumber;
            (node(graph, load, first), node(graph, load, last))
        })
        .collect();
    let filter = Filter { temporaries: Temporaries::Show, ..Filter::default() };
    let times = shortest_processor_times(&ends, |(from, to)| {
        black_box(graph.shortest_path(from, to, &filter));
    });
    add_percentiles(figures, "path", &times);
}

/// A tag on the hubs goes to nearly everything.
fn tags(figures: &mut Figures, graph: &Graph, load: LineageLoad) {
    let source = |hub| TagSource { node: node(graph, load, load.hub_column(hub)), tag: TagNumber(0) };
    let sources: Vec<TagSource> = (0..load.hubs().min(10)).map(source).collect();
    let mut shortest = Duration::MAX;
    let mut reached = 0;
    for _ in 0..3 {
        let time = processor_time(|| {
            let flow = graph.tag_flow(&sources, TagRules::default());
            reached = flow.derived().count();
        });
        shortest = shortest.min(time);
    }
    figures.insert("tag/time".to_owned(), (shortest.as_secs_f64(), "s"));
    figures.insert("tag/columns".to_owned(), (reached as f64, "columns"));
}

/// One run recorded, until a trace shows it.
fn single_runs(figures: &mut Figures, graph: &Graph, load: LineageLoad) -> anyhow::Result<()> {
    let context = Arc::new(Context::default());
    let mut current = graph.clone();
    let mut times = Vec::with_capacity(SINGLE_RUNS);
    for place in load.run_count()..load.run_count() + SINGLE_RUNS {
        let run = load.run(place, &context);
        let started = Instant::now();
        let recorded = current.record(std::slice::from_ref(&run));
        let dataset = recorded.graph.find(&run.targets[0].dataset, AsOf::Now).expect("the target");
        let trace = recorded
            .graph
            .trace(&Question { depth: Some(1), ..Question::about(Node::dataset(dataset), Way::Up) });
        times.push(started.elapsed());
        let Some(Outcome::New(index)) = recorded.outcomes.first() else { anyhow::bail!("no new run") };
        anyhow::ensure!(trace.edges.iter().any(|edge| edge.run == *index), "the run is not to be seen");
        // The one before lives on, as somebody who reads would make it.
        black_box(std::mem::replace(&mut current, recorded.graph));
    }
    times.sort_unstable();
    add_percentiles(figures, "record_and_see", &times);
    Ok(())
}

/// The graph saved, and loaded as at a start: from parts that are in memory, as the disk's cache would have them.
fn saved(figures: &mut Figures, graph: Graph) -> anyhow::Result<()> {
    let started = Instant::now();
    let parts: Vec<Vec<u8>> = graph.to_parts().collect();
    figures.insert("save".to_owned(), (started.elapsed().as_secs_f64(), "s"));
    figures.insert("saved".to_owned(), (parts.iter().map(Vec::len).sum::<usize>() as f64 / 1e6, "MB"));
    drop(graph);
    let mut shortest = Duration::MAX;
    for _ in 0..3 {
        let again = parts.clone();
        let mut graph = None;
        shortest = shortest.min(processor_time(|| graph = Some(Graph::from_parts(again))));
        anyhow::ensure!(matches!(graph, Some(Ok(_))), "what was saved is not loaded");
    }
    figures.insert("start".to_owned(), (shortest.as_secs_f64(), "s"));
    Ok(())
}

/// Runs made durable in SQLite and recorded, batch by batch.
fn ingest(figures: &mut Figures, load: LineageLoad) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let folder = tempfile::tempdir()?;
    let location = folder.path().join("guardbee.db");
    let runs: Vec<Run> = load.runs().take(DURABLE_RUNS).collect();
    runtime.block_on(async {
        let store = guardbee_store::open(&location.to_string_lossy()).await?;
        let mut graph = Graph::new();
        let started = Instant::now();
        for batch in runs.chunks(DURABLE_AT_ONCE) {
            store.append_runs(batch).await?;
            graph = graph.record(batch).graph;
        }
        let speed = DURABLE_RUNS as f64 / started.elapsed().as_secs_f64();
        figures.insert("ingest".to_owned(), (speed, "runs/s"));
        anyhow::ensure!(graph.run_count() == DURABLE_RUNS, "runs are missing");
        Ok(())
    })
}
