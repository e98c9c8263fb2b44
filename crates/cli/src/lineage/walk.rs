//! Following lineage from one dataset: breadth first, bounded, and safe in cycles.

use std::collections::{HashMap, HashSet, VecDeque};

use super::{Dataset, Edge, Graph, NodeId};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Where it comes from.
    Up,
    /// What is made of it.
    Down,
}

impl Direction {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Down => "down",
        }
    }
}

/// Is the walk over columns or over datasets as a whole?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Column,
    Table,
}

/// Which edges count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Follow {
    /// Those that values take.
    #[default]
    Direct,
    /// Also what filters, joins, groups, sorts or chooses.
    All,
}

#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Steps to go at most.
    pub depth: u32,
    /// Nodes to reach at most.
    pub nodes: usize,
    pub follow: Follow,
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
        Some(node) if node.is_whole() => Level::Table,
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

/// The edges to follow from a node. A walk over datasets stays among them. One over columns ends at a dataset
/// as a whole, such as a table whose rows are counted: all that this one is made of would be no answer.
fn followed(graph: &Graph, node: NodeId, direction: Direction, level: Level, limits: Limits) -> Vec<Edge> {
    let is_whole = |id| graph.node(id).is_some_and(Dataset::is_whole);
    if level == Level::Column && is_whole(node) {
        return Vec::new();
    }
    let is_wanted = |edge: &&Edge| {
        let fits_level = level == Level::Column || is_whole(far_end(edge, direction));
        fits_level && (edge.is_direct || limits.follow == Follow::All)
    };
    match direction {
        Direction::Up => graph.incoming(node).filter(is_wanted).cloned().collect(),
        Direction::Down => graph.outgoing(node).filter(is_wanted).cloned().collect(),
    }
}
