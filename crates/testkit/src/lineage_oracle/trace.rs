//! Where something came from and where it went, by walking over all edges again and again.

use std::collections::{BTreeMap, BTreeSet};

use guardbee_lineage::DatasetName;
use guardbee_model::Timestamp;

use super::{Edge, Node, World};

/// Which edges count.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    pub direct_only: bool,
    /// Edges that are current at this moment; without one, after all runs.
    pub as_of: Option<Timestamp>,
    /// Edges of runs that ended from the one moment until before the other.
    pub window: Option<(Timestamp, Timestamp)>,
    pub level: Level,
    pub temporary: Temporary,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Level {
    #[default]
    Column,
    Dataset,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Temporary {
    #[default]
    Show,
    Collapse,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    Up,
    Down,
}

/// A step from one node to another, and the edges that it is made of: several where it passes temporary tables.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Step {
    pub from: Node,
    pub to: Node,
    pub edges: Vec<usize>,
}

/// What a walk came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reached {
    /// The least number of steps to each node.
    pub depths: BTreeMap<Node, usize>,
    pub steps: BTreeSet<Step>,
}

impl World {
    #[must_use]
    pub fn allows(&self, filter: &Filter, edge: &Edge) -> bool {
        let ended_at = self.runs[edge.run - 1].ended_at;
        let in_window = filter.window.is_none_or(|(from, until)| from <= ended_at && ended_at < until);
        let direct = edge.kind.is_none_or(guardbee_lineage::EdgeKind::is_direct);
        in_window && (direct || !filter.direct_only) && self.is_current(edge, self.runs_until(filter.as_of))
    }

    /// All steps there are, temporary tables among them.
    fn plain_steps(&self, filter: &Filter) -> Vec<Step> {
        let mut steps = Vec::new();
        for (index, edge) in self.edges.iter().enumerate() {
            if !self.allows(filter, edge) {
                continue;
            }
            let edges = vec![index];
            if filter.level == Level::Column {
                steps.push(Step { from: edge.from, to: edge.to, edges });
                continue;
            }
            let whole = |dataset: usize| Node { dataset, column: None };
            for from in edge.through.iter().copied().chain([edge.from.dataset]) {
                steps.push(Step { from: whole(from), to: whole(edge.to.dataset), edges: edges.clone() });
            }
        }
        steps
    }

    /// The steps of an answer to a question that starts there.
    #[must_use]
    pub fn steps(&self, filter: &Filter, start: &[Node]) -> Vec<Step> {
        let steps = self.plain_steps(filter);
        if filter.temporary == Temporary::Show {
            return steps;
        }
        let is_hidden = |node: Node| {
            let started = start.iter().any(|start| start.dataset == node.dataset);
            !started && self.is_temporary(node.dataset)
        };
        let mut whole = Vec::new();
        let mut open: Vec<Step> = steps.iter().filter(|step| !is_hidden(step.from)).cloned().collect();
        while let Some(step) = open.pop() {
            if !is_hidden(step.to) {
                whole.push(step);
                continue;
            }
            for next in steps.iter().filter(|next| touch(step.to, next.from)) {
                // No way passes the same edge twice.
                if !next.edges.iter().any(|edge| step.edges.contains(edge)) {
                    let edges = [step.edges.clone(), next.edges.clone()].concat();
                    open.push(Step { from: step.from, to: next.to, edges });
                }
            }
        }
        whole
    }

    #[must_use]
    pub fn is_temporary(&self, dataset: usize) -> bool {
        let segments = &self.datasets[dataset].life.segments;
        segments.iter().all(|segment| matches!(segment.name, DatasetName::Temporary { .. }))
    }
}

/// Does what is known of the one hold for the other? All of a dataset touches each of its columns.
#[must_use]
pub fn touch(one: Node, other: Node) -> bool {
    one.dataset == other.dataset
        && (one.column == other.column || one.column.is_none() || other.column.is_none())
}

/// Goes one way from the start, that many steps at most; on from all nodes but those to `stop` at.
#[must_use]
pub fn walk(steps: &[Step], start: &[Node], way: Way, depth: Option<usize>, stop: &[usize]) -> Reached {
    let mut reached = Reached::default();
    let mut here: BTreeSet<Node> = start.iter().copied().collect();
    reached.depths.extend(here.iter().map(|node| (*node, 0)));
    let mut taken = 0;
    while !here.is_empty() && depth.is_none_or(|depth| taken < depth) {
        taken += 1;
        let mut next = BTreeSet::new();
        for node in here.into_iter().filter(|node| !stop.contains(&node.dataset)) {
            for step in steps {
                let (near, far) = match way {
                    Way::Up => (step.to, step.from),
                    Way::Down => (step.from, step.to),
                };
                if touch(near, node) {
                    reached.steps.insert(step.clone());
                    if !reached.depths.contains_key(&far) {
                        next.insert(far);
                    }
                }
            }
        }
        reached.depths.extend(next.iter().map(|node| (*node, taken)));
        here = next;
    }
    reached
}
