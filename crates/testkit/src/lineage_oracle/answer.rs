//! Answers in a form in which two can be told apart: sets, by the oracle's numbers.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use guardbee_lineage::{Direction, FlowKind, Level};

use super::question::Asked;
use super::trace::{Step, Way, walk};
use super::{Node, World, dataset_text};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    Node(Node),
    Run(usize),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeFacts {
    pub name: String,
    /// One; two of the oracle where something was reached and hangs on something else, too: either is right.
    pub depths: Vec<usize>,
    pub masked: bool,
    pub closed: bool,
    pub temporary: bool,
}

impl NodeFacts {
    /// Does an answer of the graph say the same?
    fn agree(&self, graph: &Self) -> bool {
        let plain = |facts: &Self| Self { depths: Vec::new(), ..facts.clone() };
        plain(self) == plain(graph) && graph.depths.iter().all(|depth| self.depths.contains(depth))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct EdgeFacts {
    pub from: Subject,
    pub to: Subject,
    pub kind: FlowKind,
    pub masked: bool,
    pub unresolved: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Runs {
    pub latest: usize,
    pub count: usize,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    pub nodes: BTreeMap<Subject, NodeFacts>,
    pub edges: BTreeMap<EdgeFacts, Runs>,
}

/// The oracle's answer.
#[must_use]
pub fn answer(world: &World, asked: &Asked) -> Answer {
    answer_from(world, asked, &asked.nodes(world))
}

/// The answer where the start is found already.
#[must_use]
pub fn answer_from(world: &World, asked: &Asked, start: &[Node]) -> Answer {
    let runs = world.runs_until(asked.as_of);
    let mut start = start.to_vec();
    if asked.level != Level::Column {
        start.iter_mut().for_each(|node| node.column = None);
    }
    let stop: Vec<usize> = asked.stop.iter().filter_map(|name| world.find(name, runs)).collect();
    let hidden: Vec<usize> = asked.hidden.iter().filter_map(|name| world.find(name, runs)).collect();
    let filter = asked.filter();
    let steps = world.steps(&filter, &start);
    let depth = asked.depth.map(|depth| depth as usize);
    let mut gathered = Gathered::default();
    for way in ways(asked.direction) {
        let reached = walk(&steps, &start, *way, depth, &stop);
        for node in reached.depths.keys().chain(reached.hanging.keys()) {
            let depths = [reached.depths.get(node), reached.hanging.get(node)];
            gathered.node(Subject::Node(*node), depths.into_iter().flatten().copied().collect());
        }
        if asked.level != Level::Run {
            gathered.steps(&reached.steps);
            continue;
        }
        // A run is as deep as what it leads to from where it was reached.
        let mut runs_here: BTreeMap<usize, usize> = BTreeMap::new();
        for step in &reached.steps {
            let near = if *way == Way::Up { step.to } else { step.from };
            put_least(&mut runs_here, step.run, reached.depths[&near] + 1);
            gathered.through_run(Some(step), step.run, step.to);
        }
        for (node, here) in reached.depths.iter().filter(|_| *way == Way::Up) {
            let is_left = !stop.contains(&node.dataset) && depth.is_none_or(|depth| *here < depth);
            for run in world.writers(node.dataset, &filter).into_iter().filter(|_| is_left) {
                put_least(&mut runs_here, run, here + 1);
                gathered.through_run(None, run, *node);
            }
        }
        for (run, depth) in runs_here {
            gathered.node(Subject::Run(run), vec![depth]);
        }
    }
    let Gathered { depths, mut runs_of } = gathered;
    if asked.level == Level::Dataset {
        runs_of = merged(runs_of);
    }
    let facts = |(subject, depths): (Subject, Vec<usize>)| {
        (subject, NodeFacts { depths, ..world.facts(subject, runs, &hidden) })
    };
    let counted = |(edge, runs): (EdgeFacts, BTreeSet<usize>)| {
        (edge, Runs { latest: runs.last().copied().unwrap_or(0), count: runs.len() })
    };
    Answer {
        nodes: depths.into_iter().map(facts).collect(),
        edges: runs_of.into_iter().map(counted).collect(),
    }
}

#[must_use]
pub const fn ways(direction: Direction) -> &'static [Way] {
    match direction {
        Direction::Up => &[Way::Up],
        Direction::Down => &[Way::Down],
        Direction::Both => &[Way::Up, Way::Down],
    }
}

fn put_least(depths: &mut BTreeMap<usize, usize>, run: usize, depth: usize) {
    let least = depths.entry(run).or_insert(depth);
    *least = depth.min(*least);
}

/// What walks came to; what is there already keeps its depth.
#[derive(Default)]
struct Gathered {
    depths: BTreeMap<Subject, Vec<usize>>,
    runs_of: BTreeMap<EdgeFacts, BTreeSet<usize>>,
}

impl Gathered {
    fn node(&mut self, subject: Subject, depths: Vec<usize>) {
        self.depths.entry(subject).or_insert(depths);
    }

    fn steps(&mut self, steps: &BTreeSet<Step>) {
        for step in steps {
            let edge = edge_of(step, Subject::Node(step.from), Subject::Node(step.to));
            self.runs_of.entry(edge).or_default().insert(step.run);
        }
    }

    /// One edge into the run, if it read something that is shown, and one out of it.
    fn through_run(&mut self, step: Option<&Step>, run: usize, to: Node) {
        if let Some(step) = step {
            let edge = edge_of(step, Subject::Node(step.from), Subject::Run(run));
            self.runs_of.entry(edge).or_default().insert(run);
        }
        let (from, to) = (Subject::Run(run), Subject::Node(to));
        let out = EdgeFacts { from, to, kind: FlowKind::Direct, masked: false, unresolved: false };
        self.runs_of.entry(out).or_default().insert(run);
    }
}

const fn edge_of(step: &Step, from: Subject, to: Subject) -> EdgeFacts {
    let (kind, masked, unresolved) = (step.kind, step.masked, step.unresolved);
    EdgeFacts { from, to, kind, masked, unresolved }
}

/// Steps as edges of an answer.
#[must_use]
pub fn edges_of(steps: &BTreeSet<Step>, level: Level) -> BTreeMap<EdgeFacts, BTreeSet<usize>> {
    let mut gathered = Gathered::default();
    gathered.steps(steps);
    if level == Level::Dataset { merged(gathered.runs_of) } else { gathered.runs_of }
}

/// Edges with the same two ends, each with its runs.
type EdgesBetween = Vec<(EdgeFacts, BTreeSet<usize>)>;

/// One edge between two datasets: direct where any is, and then of the runs that are; in doubt where all of them are.
fn merged(edges: BTreeMap<EdgeFacts, BTreeSet<usize>>) -> BTreeMap<EdgeFacts, BTreeSet<usize>> {
    let mut found: BTreeMap<(Subject, Subject), EdgesBetween> = BTreeMap::new();
    for (edge, runs) in edges {
        found.entry((edge.from, edge.to)).or_default().push((edge, runs));
    }
    let one = |((from, to), edges): ((Subject, Subject), EdgesBetween)| {
        let direct = edges.iter().any(|(edge, _)| edge.kind.is_direct());
        let chosen: Vec<_> = edges.iter().filter(|(edge, _)| edge.kind.is_direct() == direct).collect();
        let kind = if direct { FlowKind::Direct } else { FlowKind::Indirect };
        let masked = chosen.iter().all(|(edge, _)| edge.masked);
        let unresolved = chosen.iter().all(|(edge, _)| edge.unresolved);
        let runs = chosen.iter().flat_map(|(_, runs)| runs).copied().collect();
        (EdgeFacts { from, to, kind, masked, unresolved }, runs)
    };
    found.into_iter().map(one).collect()
}

impl World {
    /// All that is known of a node but its depth.
    fn facts(&self, subject: Subject, runs: usize, hidden: &[usize]) -> NodeFacts {
        let node = match subject {
            Subject::Node(node) => node,
            Subject::Run(run) => {
                let name = self.runs[run - 1].key.0.to_string();
                return NodeFacts {
                    name,
                    depths: Vec::new(),
                    masked: false,
                    closed: false,
                    temporary: false,
                };
            }
        };
        let dataset = &self.datasets[node.dataset];
        let mut name = dataset_text(dataset.life.name_after(runs));
        if let Some(column) = node.column {
            let column = &dataset.columns[column];
            let _ = write!(name, ".{}", column.name_after(runs));
        }
        let (masked, closed) = (hidden.contains(&node.dataset), self.is_closed(node, runs));
        NodeFacts { name, depths: Vec::new(), masked, closed, temporary: self.is_temporary(node.dataset) }
    }
}

/// What the one has and the other has not, or has otherwise.
#[must_use]
pub fn difference(oracle: &Answer, graph: &Answer) -> Option<String> {
    let mut lines = Vec::new();
    for (subject, facts) in &oracle.nodes {
        match graph.nodes.get(subject) {
            Some(other) if facts.agree(other) => {}
            other => lines.push(format!("node {subject:?}\n  oracle {facts:?}\n  graph  {other:?}")),
        }
    }
    for (subject, facts) in &graph.nodes {
        if !oracle.nodes.contains_key(subject) {
            lines.push(format!("node {subject:?} of the graph alone: {facts:?}"));
        }
    }
    for (edge, runs) in &oracle.edges {
        match graph.edges.get(edge) {
            Some(other) if other == runs => {}
            other => lines.push(format!("edge {edge:?}\n  oracle {runs:?}\n  graph  {other:?}")),
        }
    }
    for (edge, runs) in &graph.edges {
        if !oracle.edges.contains_key(edge) {
            lines.push(format!("edge {edge:?} of the graph alone: {runs:?}"));
        }
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}
