//! How one thing came into another: the shortest way, and all ways together.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::{Graph, Way};
use crate::question::{
    AsOf, Direction, EdgeFilter, Level, Node, Question, Temporaries, Trace, TraceEdge, TraceNode,
    TraceSubject, Visibility, Window,
};
use crate::timeline::DatasetId;
use crate::trace::{Merged, Walk};

/// Which edges a path may take.
#[derive(Clone)]
pub struct Filter<'f> {
    pub edges: EdgeFilter,
    pub as_of: AsOf,
    pub window: Option<Window>,
    pub temporaries: Temporaries,
    pub visible: &'f dyn Fn(DatasetId) -> Visibility,
}

impl Default for Filter<'_> {
    fn default() -> Self {
        Self {
            edges: EdgeFilter::All,
            as_of: AsOf::Now,
            window: None,
            temporaries: Temporaries::default(),
            visible: &|_| Visibility::Visible,
        }
    }
}

/// All ways from one node to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathsSummary {
    /// Steps of the shortest.
    pub shortest: u32,
    /// Every node and edge on some way, in the order of a trace downwards.
    pub ways: Trace,
}

impl Graph {
    /// A shortest way along the flow of data, as a trace whose edges follow one another; of several the first by
    /// names. None where nothing leads there.
    #[must_use]
    pub fn shortest_path(&self, from: &Node, to: &Node, filter: &Filter<'_>) -> Option<Trace> {
        // What is asked for is shown, be it temporary or not.
        let question =
            Question { shown: vec![*to], ..question(from, Direction::Down, level(from, to), filter) };
        let mut walk = Walk::new(self, &question);
        let start = walk.places.of_node(from);
        let goal = walk.places.of_node(to);
        let mut came: FxHashMap<u32, Hop> = FxHashMap::default();
        let mut queue = VecDeque::from([start]);
        walk.reach(start, 0);
        let (mut touched, mut steps) = (Vec::new(), Vec::new());
        while let Some(place) = queue.pop_front() {
            let depth = walk.places.get(place).map_or(0, |place| place.depth) + 1;
            walk.places.touched(place, &mut touched);
            for near in touched.iter().copied() {
                if !walk.start_scan(near, depth) {
                    continue;
                }
                walk.steps(near, Way::Down, &mut steps);
                for group in steps.chunk_by_mut(|one, other| one.far == other.far) {
                    let Some(merged) = walk.merged(group).into_iter().next() else { continue };
                    let far = merged.step.far;
                    let is_new = walk.reach(far, depth);
                    if is_new {
                        came.insert(far, Hop { place, near, merged });
                        queue.push_back(far);
                    }
                    if walk.places.is_touching(far, goal) {
                        came.entry(far).or_insert(Hop { place, near, merged });
                        return Some(told(self, &walk, &came, start, far));
                    }
                }
            }
        }
        None
    }

    /// Everything that lies on some way along the flow of data. None where nothing leads there.
    #[must_use]
    pub fn paths_summary(&self, from: &Node, to: &Node, filter: &Filter<'_>) -> Option<PathsSummary> {
        let shortest = self.shortest_path(from, to, filter)?.edges.len() as u32;
        let level = level(from, to);
        // Both walks must show the same, so what either starts at is not passed through in the other.
        let both = vec![*from, *to];
        let down =
            self.trace(&Question { shown: both.clone(), ..question(from, Direction::Down, level, filter) });
        let up = self.trace(&Question { shown: both, ..question(to, Direction::Up, level, filter) });
        let key = |trace: &Trace, edge: &TraceEdge| {
            let subject = |place| trace.node(place).map(|node| node.subject);
            (subject(edge.from), subject(edge.to), edge.kind, edge.masked, edge.unresolved)
        };
        let upwards: FxHashSet<_> = up.edges.iter().map(|edge| key(&up, edge)).collect();
        let kept = down.edges.iter().filter(|edge| upwards.contains(&key(&down, edge)));
        let mut ways = Telling::default();
        for edge in kept {
            if let (Some(from), Some(to)) = (down.node(edge.from), down.node(edge.to)) {
                ways.tell(*from, *to, *edge);
            }
        }
        Some(PathsSummary { shortest, ways: ways.trace })
    }
}

fn level(from: &Node, to: &Node) -> Level {
    if from.column.is_some() || to.column.is_some() { Level::Column } else { Level::Dataset }
}

fn question<'f>(start: &Node, direction: Direction, level: Level, filter: &Filter<'f>) -> Question<'f> {
    Question {
        start: vec![*start],
        direction,
        level,
        edges: filter.edges,
        as_of: filter.as_of,
        window: filter.window,
        temporaries: filter.temporaries,
        visible: filter.visible,
        ..Question::default()
    }
}

/// How a place was reached: from which, by an edge at which.
struct Hop {
    place: u32,
    near: u32,
    merged: Merged,
}

fn told(graph: &Graph, walk: &Walk<'_, '_>, came: &FxHashMap<u32, Hop>, start: u32, end: u32) -> Trace {
    let mut hops = Vec::new();
    let mut at = end;
    // The start itself may have been come back to; there are no more hops than places.
    while let Some(hop) = came.get(&at) {
        hops.push((hop, at));
        at = hop.place;
        if at == start || hops.len() > came.len() {
            break;
        }
    }
    let mut telling = Telling::default();
    for (depth, (hop, far)) in hops.into_iter().rev().enumerate() {
        let node = |place, depth| TraceNode { depth, ..walk.places.trace_node(place) };
        telling.tell(node(hop.near, depth as u32), node(far, depth as u32 + 1), hop.merged.edge(graph, 0, 0));
    }
    telling.trace
}

/// Collects edges with their ends.
#[derive(Default)]
struct Telling {
    trace: Trace,
    places: FxHashMap<TraceSubject, u32>,
}

impl Telling {
    fn tell(&mut self, from: TraceNode, to: TraceNode, edge: TraceEdge) {
        let from = self.place(from);
        let to = self.place(to);
        self.trace.edges.push(TraceEdge { from, to, ..edge });
    }

    fn place(&mut self, node: TraceNode) -> u32 {
        let nodes = &mut self.trace.nodes;
        *self.places.entry(node.subject).or_insert_with(|| {
            nodes.push(node);
            nodes.len() as u32 - 1
        })
    }
}
