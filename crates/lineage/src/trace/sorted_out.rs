//! The edges of a node whose name stood for several things, by which of them they belong to.
//!
//! A node is looked through once for all datasets that had its name: there may be as many of those as edges.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::base::ALL_COLUMNS;
use crate::graph::{Between, Graph, Way};
use crate::mark::Mark;
use crate::moment::Moment;

use super::places::{Born, WHOLE};

/// The other end, the write and the mark of each edge.
pub(crate) type NodeEdges = Rc<Vec<(u32, u32, Mark)>>;

#[derive(Default)]
pub(crate) struct SortedOut {
    nodes: FxHashMap<(u32, Way), FxHashMap<(Born, Born), NodeEdges>>,
}

impl SortedOut {
    /// The edges of a node that belong to a dataset and a column of it.
    pub fn edges(
        &mut self,
        graph: &Graph,
        (between, way): (Between, Way),
        node: u32,
        identity: (Born, Born),
    ) -> NodeEdges {
        let node = self.nodes.entry((node, way)).or_insert_with(|| sort_out(graph, between, way, node));
        node.get(&identity).cloned().unwrap_or_default()
    }
}

fn sort_out(graph: &Graph, between: Between, way: Way, node: u32) -> FxHashMap<(Born, Born), NodeEdges> {
    let (name, column) = match between {
        Between::Datasets => (node, ALL_COLUMNS),
        Between::Columns => graph.node_parts(node),
    };
    let mut sorted: FxHashMap<(Born, Born), NodeEdges> = FxHashMap::default();
    for edge in graph.edges(between, way, node) {
        let run = graph.run_of_write(edge.1);
        let moment = match way {
            Way::Down => Moment::reads(run),
            Way::Up => Moment::writes(run),
        };
        let born = graph.born_as(name, moment);
        let column = if column == ALL_COLUMNS { WHOLE } else { graph.column_born_as(born, column, moment) };
        Rc::make_mut(sorted.entry((born, column)).or_default()).push(edge);
    }
    sorted
}
