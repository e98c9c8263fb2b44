//! Writing an answer down, page by page.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::mark::FlowKind;
use crate::moment::RunIndex;
use crate::question::{Cursor, Limit, Question, Trace, TraceEdge, TraceNode, TraceSubject};

use super::places::{NOT_SHOWN, Places};

pub(crate) struct Answer {
    before: Cursor,
    limit: Limit,
    /// The nodes of the whole answer until now, those of earlier pages among them.
    nodes: Vec<Shown>,
    edges: Vec<TraceEdge>,
    edge_count: usize,
    runs: FxHashMap<u32, u32>,
    /// Where edges may be met twice.
    seen: FxHashSet<(u32, u32, FlowKind, bool, bool)>,
    is_full: bool,
}

#[derive(Debug, Clone, Copy)]
enum Shown {
    Place(u32),
    Run { run: u32, depth: u32 },
}

impl Answer {
    pub fn new(question: &Question<'_>) -> Self {
        Self {
            before: question.cursor.unwrap_or_default(),
            // An edge has two ends; with less room than that no page would get on.
            limit: Limit { nodes: question.limit.nodes.max(3), edges: question.limit.edges.max(1) },
            nodes: Vec::new(),
            edges: Vec::new(),
            edge_count: 0,
            runs: FxHashMap::default(),
            seen: FxHashSet::default(),
            is_full: false,
        }
    }

    /// Nothing more fits on the page.
    pub const fn is_full(&self) -> bool {
        self.is_full
    }

    fn has_room(&mut self, new_nodes: usize, new_edges: usize) -> bool {
        let nodes = (self.nodes.len() + new_nodes).saturating_sub(self.before.nodes);
        let edges = (self.edge_count + new_edges).saturating_sub(self.before.edges);
        self.is_full |= nodes > self.limit.nodes || edges > self.limit.edges;
        !self.is_full
    }

    pub fn show_start(&mut self, places: &mut Places<'_>, place: u32) {
        let is_new = places.get(place).is_some_and(|place| place.shown == NOT_SHOWN);
        if is_new && self.has_room(1, 0) {
            self.show(places, place);
        }
    }

    fn show(&mut self, places: &mut Places<'_>, place: u32) -> u32 {
        let number = self.nodes.len() as u32;
        match places.get_mut(place) {
            Some(known) if known.shown != NOT_SHOWN => known.shown,
            Some(new) => {
                new.shown = number;
                self.nodes.push(Shown::Place(place));
                number
            }
            None => number,
        }
    }

    fn show_run(&mut self, run: u32, depth: u32) -> u32 {
        let number = self.nodes.len() as u32;
        let known = *self.runs.entry(run).or_insert(number);
        if known == number {
            self.nodes.push(Shown::Run { run, depth });
        }
        known
    }

    /// An edge between two places; `from` and `to` of the edge are filled in.
    pub fn edge(&mut self, places: &mut Places<'_>, from: u32, to: u32, edge: TraceEdge) {
        let is_new = |place: u32| places.get(place).is_some_and(|place| place.shown == NOT_SHOWN);
        let new_nodes = usize::from(is_new(from)) + usize::from(is_new(to) && from != to);
        if self.has_room(new_nodes, 1) {
            let from = self.show(places, from);
            let to = self.show(places, to);
            self.push(TraceEdge { from, to, ..edge });
        }
    }

    /// The same where the two may be met again.
    pub fn edge_once(&mut self, places: &mut Places<'_>, from: u32, to: u32, edge: TraceEdge) {
        if self.seen.insert((from, to, edge.kind, edge.masked, edge.unresolved)) {
            self.edge(places, from, to, edge);
        }
    }

    /// A run between what it read, if anything, and what it wrote.
    pub fn through_run(
        &mut self,
        places: &mut Places<'_>,
        from: Option<u32>,
        to: u32,
        depth: u32,
        edge: TraceEdge,
    ) {
        let run = edge.run.0;
        let is_new = |place: u32| places.get(place).is_some_and(|place| place.shown == NOT_SHOWN);
        let new_nodes = usize::from(from.is_some_and(is_new)) + usize::from(is_new(to)) + 1;
        // Runs are told from places by a bit that no place has.
        let node = run | 1 << 31;
        let writes = self.seen.insert((node, to, FlowKind::Direct, false, false));
        let reads =
            from.is_some_and(|from| self.seen.insert((from, node, edge.kind, edge.masked, edge.unresolved)));
        if !writes && !reads || !self.has_room(new_nodes, usize::from(writes) + usize::from(reads)) {
            return;
        }
        let shown_run = self.show_run(run, depth);
        if writes {
            let to = self.show(places, to);
            let whole = TraceEdge { kind: FlowKind::Direct, masked: false, unresolved: false, ..edge };
            self.push(TraceEdge { from: shown_run, to, ..whole });
        }
        if let Some(from) = from.filter(|_| reads) {
            let from = self.show(places, from);
            self.push(TraceEdge { from, to: shown_run, ..edge });
        }
    }

    fn push(&mut self, edge: TraceEdge) {
        if self.edge_count >= self.before.edges {
            self.edges.push(edge);
        }
        self.edge_count += 1;
    }

    pub fn finish(self, places: &Places<'_>) -> Trace {
        let node = |shown: &Shown| match *shown {
            Shown::Run { run, depth } => TraceNode {
                subject: TraceSubject::Run(RunIndex(run)),
                depth,
                masked: false,
                closed: false,
                temporary: false,
            },
            Shown::Place(place) => places.trace_node(place),
        };
        Trace {
            before: self.before,
            nodes: self.nodes.iter().skip(self.before.nodes).map(node).collect(),
            truncated: self.is_full.then_some(Cursor { nodes: self.nodes.len(), edges: self.edge_count }),
            edges: self.edges,
        }
    }
}
