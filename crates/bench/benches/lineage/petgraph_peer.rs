//! The same columns and edges in a graph of the crate `petgraph`, each edge with the number of its run.

use std::collections::VecDeque;
use std::hint::black_box;

use cpu_time::ProcessTime;
use guardbee_bench::figures::{Figures, resident_bytes};
use guardbee_testkit::lineage_load::{COLUMNS, ColumnNumber, LineageLoad};
use petgraph::Direction;
use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};
use petgraph::visit::EdgeRef;

use crate::closures::{Found, measure_closures};

pub fn measure(load: LineageLoad) -> anyhow::Result<Figures> {
    let mut figures = Figures::new();
    let before = resident_bytes();
    let started = ProcessTime::now();
    let mut graph: DiGraph<(), u32> = DiGraph::with_capacity(load.columns(), load.edges);
    for _ in 0..load.columns() {
        graph.add_node(());
    }
    for (place, (from, to)) in load.edges().enumerate() {
        graph.add_edge(NodeIndex::from(from), NodeIndex::from(to), (place / COLUMNS) as u32);
    }
    figures.insert("build".to_owned(), (started.elapsed().as_secs_f64(), "s"));
    figures.insert("memory".to_owned(), ((resident_bytes() - before) / 1e6, "MB"));
    measure_closures(&mut figures, load, |column, direction| closure(&graph, column, direction));
    Ok(figures)
}

/// All nodes and edges that are reached; a bit for each node of the graph says which were met.
fn closure(graph: &DiGraph<(), u32>, start: ColumnNumber, direction: Direction) -> Found {
    let start = NodeIndex::from(start);
    let mut met = vec![0_u64; graph.node_count().div_ceil(64)];
    met[start.index() / 64] |= 1 << (start.index() % 64);
    let mut waiting = VecDeque::from([start]);
    let (mut nodes, mut edges): (Vec<NodeIndex>, Vec<EdgeIndex>) = (vec![start], Vec::new());
    while let Some(node) = waiting.pop_front() {
        for edge in graph.edges_directed(node, direction) {
            edges.push(edge.id());
            let other = if direction == Direction::Outgoing { edge.target() } else { edge.source() };
            let bit = 1 << (other.index() % 64);
            if met[other.index() / 64] & bit == 0 {
                met[other.index() / 64] |= bit;
                nodes.push(other);
                waiting.push_back(other);
            }
        }
    }
    let found = Found { nodes: nodes.len(), edges: edges.len() };
    black_box((nodes, edges));
    found
}
