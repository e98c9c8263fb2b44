//! Writing an answer down, page by page.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::Graph;
use crate::mark::Mark;
use crate::moment::RunIndex;
use crate::question::{Cursor, Limit, Question, Trace, TraceNode, TraceSubject};

use super::places::{NOT_SHOWN, Places, Step};
use super::walk::Merged;

pub(crate) struct Answer {
    before: Cursor,
    limit: Limit,
    /// The nodes of the whole answer until now, those of earlier pages among them.
    nodes: Vec<Shown>,
    /// The edges of this page.
    lines: Vec<Line>,
    edge_count: usize,
    runs: FxHashMap<u32, u32>,
    /// Where edges may be met twice.
    seen: FxHashSet<(u32, u32, Mark)>,
    is_full: bool,
}

/// An edge between two nodes of the answer.
#[derive(Debug, Clone, Copy)]
struct Line {
    from: u32,
    to: u32,
    merged: Merged,
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
            // A run comes with both its ends and the edges to them; with less room than that no page would get on.
            limit: Limit { nodes: question.limit.nodes.max(3), edges: question.limit.edges.max(2) },
            nodes: Vec::new(),
            lines: Vec::new(),
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

    /// An edge between two places.
    #[inline]
    pub fn line(&mut self, places: &mut Places<'_>, from: u32, to: u32, merged: Merged) {
        let new_nodes = usize::from(is_new(places, from)) + usize::from(from != to && is_new(places, to));
        if self.has_room(new_nodes, 1) {
            let from = self.show(places, from);
            let to = self.show(places, to);
            self.push(from, to, merged);
        }
    }

    /// The same where the two may be met again.
    pub fn line_once(&mut self, places: &mut Places<'_>, from: u32, to: u32, merged: Merged) {
        if self.seen.insert((from, to, merged.step.mark)) {
            self.line(places, from, to, merged);
        }
    }

    /// The run of a step between what it read, if anything, and what it wrote.
    pub fn through_run(
        &mut self,
        graph: &Graph,
        places: &mut Places<'_>,
        (from, to): (Option<u32>, u32),
        depth: u32,
        step: Step,
    ) {
        let run = graph.run_of_write(step.write);
        let new_nodes = usize::from(from.is_some_and(|from| is_new(places, from)))
            + usize::from(is_new(places, to))
            + usize::from(!self.runs.contains_key(&run));
        // Runs are told from places by a bit that no place has.
        let node = run | 1 << 31;
        let writes = self.seen.insert((node, to, Mark::WHOLE));
        let reads = from.is_some_and(|from| self.seen.insert((from, node, step.mark)));
        if !writes && !reads || !self.has_room(new_nodes, usize::from(writes) + usize::from(reads)) {
            return;
        }
        let shown_run = self.show_run(run, depth);
        if writes {
            let to = self.show(places, to);
            let whole = Step { mark: Mark::dataset(true, false, false), ..step };
            self.push(shown_run, to, Merged { step: whole, run_count: 1 });
        }
        if let Some(from) = from.filter(|_| reads) {
            let from = self.show(places, from);
            self.push(from, shown_run, Merged { step, run_count: 1 });
        }
    }

    #[inline]
    fn push(&mut self, from: u32, to: u32, merged: Merged) {
        if self.edge_count >= self.before.edges {
            self.lines.push(Line { from, to, merged });
        }
        self.edge_count += 1;
    }

    pub fn finish(self, graph: &Graph, places: &Places<'_>) -> Trace {
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
            edges: self.lines.iter().map(|line| line.merged.edge(graph, line.from, line.to)).collect(),
        }
    }
}

fn is_new(places: &Places<'_>, place: u32) -> bool {
    places.get(place).is_some_and(|place| place.shown == NOT_SHOWN)
}
