//! Which nodes are their own place, with all that is written to them known to the base: what is so for nearly every
//! node where the question is about now.

use crate::graph::Graph;
use crate::lists::Bits;
use crate::name_text;
use crate::question::AsOf;

pub(super) struct OwnPlaces<'g> {
    graph: &'g Graph,
    is_now: bool,
    looked_at: Bits,
    own: Bits,
}

impl<'g> OwnPlaces<'g> {
    pub fn new(graph: &'g Graph, as_of: AsOf) -> Self {
        let nodes = graph.base.nodes.len() as usize;
        let is_now = graph.until(as_of).is_now() && !graph.delta.has_late_runs;
        Self { graph, is_now, looked_at: Bits::of(nodes), own: Bits::of(nodes) }
    }

    #[inline]
    pub fn has(&mut self, node: u32) -> bool {
        self.own.get(node) || self.is_now && !self.looked_at.get(node) && self.look_at(node)
    }

    /// Looks at the dataset of a node.
    fn look_at(&mut self, node: u32) -> bool {
        let graph = self.graph;
        let Some((dataset, _)) = graph.base.nodes.get(node) else { return false };
        // Columns of files are told apart by more than their nodes.
        let is_own = graph.is_plain(dataset)
            && !graph.delta.disturbed.contains_key(&dataset)
            && !graph.dataset_text(dataset).starts_with(name_text::PATH);
        for node in graph.base.nodes.of_dataset(dataset) {
            self.looked_at.set(node);
            if is_own {
                self.own.set(node);
            }
        }
        is_own
    }
}
