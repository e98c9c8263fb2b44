//! Following lineage from one dataset: breadth first, bounded, and safe in cycles.

use std::collections::{HashMap, HashSet, VecDeque};

use super::graph::{Dataset, Edge, Graph, NodeId};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Where it comes from.
    Up,
    /// What is made of it.
    Down,
}

/// Is the walk over columns or over datasets as a whole?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Column,
    Table,
}

#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Steps to go at most.
    pub depth: u32,
    /// Nodes to reach at most.
    pub nodes: usize,
    pub include_indirect: bool,
}

/// What was reached.
#[derive(Debug)]
pub struct Traversal {
    pub root: NodeId,
    /// Every node that was reached, with its distance, in the order it was reached.
    pub nodes: Vec<(NodeId, u32)>,
    /// The edges followed, by the node they were followed from.
    pub steps: HashMap<NodeId, Vec<Edge>>,
    /// A limit cut something off.
    pub is_truncated: bool,
}

/// Walks from `root`. Every node is visited once, at its shortest distance.
#[must_use]
pub fn walk(graph: &Graph, root: NodeId, direction: Direction, limits: Limits) -> Traversal {
    let level = match graph.node(root) {
        Some(Dataset::Table(_) | Dataset::Path(_)) => Level::Table,
        _ => Level::Column,
    };
    let mut traversal =
        Traversal { root, nodes: vec![(root, 0)], steps: HashMap::new(), is_truncated: false };
    let mut seen = HashSet::from([root]);
    let mut queue = VecDeque::from([(root, 0)]);
    while let Some((node, depth)) = queue.pop_front() {
        let edges = followed(graph, node, direction, level, limits);
        if edges.is_empty() {
            continue;
        }
        if depth >= limits.depth {
            traversal.is_truncated = true;
            continue;
        }
        let mut kept = Vec::new();
        for edge in edges {
            let next = far_end(&edge, direction);
            if !seen.contains(&next) && seen.len() >= limits.nodes {
                traversal.is_truncated = true;
                continue;
            }
            kept.push(edge);
            if seen.insert(next) {
                traversal.nodes.push((next, depth + 1));
                queue.push_back((next, depth + 1));
            }
        }
        traversal.steps.insert(node, kept);
    }
    traversal
}

/// The other end of an edge, seen in a direction.
#[must_use]
pub const fn far_end(edge: &Edge, direction: Direction) -> NodeId {
    match direction {
        Direction::Up => edge.from,
        Direction::Down => edge.to,
    }
}

fn followed(graph: &Graph, node: NodeId, direction: Direction, level: Level, limits: Limits) -> Vec<Edge> {
    let is_wanted = |edge: &&Edge| {
        let fits_level = match (level, graph.node(far_end(edge, direction))) {
            (Level::Table, Some(Dataset::Table(_) | Dataset::Path(_))) => true,
            (Level::Table, _) => false,
            (Level::Column, _) => true,
        };
        fits_level && (edge.is_direct || limits.include_indirect)
    };
    match direction {
        Direction::Up => graph.incoming(node).filter(is_wanted).copied().collect(),
        Direction::Down => graph.outgoing(node).filter(is_wanted).copied().collect(),
    }
}
