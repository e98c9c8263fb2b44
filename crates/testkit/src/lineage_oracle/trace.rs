//! Where something came from and where it went, by walking over all edges again and again.

use std::collections::{BTreeMap, BTreeSet};

use guardbee_lineage::{AsOf, DatasetName, EdgeFilter, FlowKind, Level, Temporaries, Window};

use super::{Edge, Node, World};

/// Which edges count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Filter {
    pub edges: EdgeFilter,
    pub as_of: AsOf,
    pub window: Option<Window>,
    pub level: Level,
    pub temporaries: Temporaries,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    Up,
    Down,
}

/// One way from a node to another that a run made, through temporary tables or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Step {
    pub from: Node,
    pub to: Node,
    pub kind: FlowKind,
    pub masked: bool,
    pub unresolved: bool,
    /// The run that wrote the far end.
    pub run: usize,
}

/// What a walk came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reached {
    /// The least number of steps to each node.
    pub depths: BTreeMap<Node, usize>,
    /// What hangs on a node by a step that holds for that, too, with the least depth of such a node.
    pub hanging: BTreeMap<Node, usize>,
    pub steps: BTreeSet<Step>,
}

impl World {
    /// Every step of an answer to a question that starts there.
    #[must_use]
    pub fn steps(&self, filter: &Filter, start: &[Node]) -> BTreeSet<Step> {
        let mut steps = match filter.level {
            Level::Column => self.column_steps(filter),
            Level::Dataset | Level::Run => self.dataset_steps(filter),
        };
        if filter.edges == EdgeFilter::Direct {
            steps.retain(|step| step.kind.is_direct());
        }
        match filter.temporaries {
            Temporaries::Show => steps,
            Temporaries::Collapse => {
                let started = |dataset| start.iter().any(|start| start.dataset == dataset);
                collapse(&steps, |node| !started(node.dataset) && self.is_temporary(node.dataset))
            }
        }
    }

    fn column_steps(&self, filter: &Filter) -> BTreeSet<Step> {
        let current = self.current_after(self.runs_until(filter.as_of));
        let current = |edge: &&Edge| self.is_in_window(edge.run, filter) && self.is_current(edge, &current);
        let step = |edge: &Edge| Step {
            from: edge.from,
            to: edge.to,
            kind: edge.kind.map_or(FlowKind::Whole, FlowKind::Column),
            masked: edge.masked,
            unresolved: edge.unresolved,
            run: edge.run,
        };
        self.edges.iter().filter(current).map(step).collect()
    }

    /// One step for each target and each dataset that anything of it is made of.
    fn dataset_steps(&self, filter: &Filter) -> BTreeSet<Step> {
        let current = self.current_after(self.runs_until(filter.as_of));
        let mut by_target: BTreeMap<(usize, usize, usize), Vec<&Edge>> = BTreeMap::new();
        for edge in &self.edges {
            for from in edge.through.iter().copied().chain([edge.from.dataset]) {
                by_target.entry((edge.run, edge.target, from)).or_default().push(edge);
            }
        }
        let mut steps = BTreeSet::new();
        for ((run, _, from), edges) in by_target {
            if !self.is_in_window(run, filter) || !self.is_dataset_current(edges[0], &current) {
                continue;
            }
            let direct = edges.iter().any(|edge| edge.is_direct());
            let counting = || edges.iter().filter(move |edge| !direct || edge.is_direct());
            steps.insert(Step {
                from: Node { dataset: from, column: None },
                to: Node { dataset: edges[0].to.dataset, column: None },
                kind: if direct { FlowKind::Direct } else { FlowKind::Indirect },
                masked: counting().all(|edge| edge.masked),
                unresolved: counting().all(|edge| edge.unresolved),
                run,
            });
        }
        steps
    }

    /// The runs that put something there which is current.
    #[must_use]
    pub fn writers(&self, dataset: usize, filter: &Filter) -> BTreeSet<usize> {
        let runs = self.runs_until(filter.as_of);
        let current = self.current_after(runs);
        let left = self.datasets[dataset].writes.iter().filter(|write| {
            let removed = self.datasets[dataset].removed((write.run, write.act), &write.partition);
            write.brings()
                && write.run <= runs
                && self.is_left(dataset, (write.run, write.act), removed, &current)
        });
        left.map(|write| write.run).filter(|run| self.is_in_window(*run, filter)).collect()
    }

    fn is_in_window(&self, run: usize, filter: &Filter) -> bool {
        let ended_at = self.runs[run - 1].ended_at;
        filter.window.is_none_or(|window| window.from <= ended_at && ended_at < window.until)
    }

    /// A dataset is temporary by the name that it was born under.
    #[must_use]
    pub fn is_temporary(&self, dataset: usize) -> bool {
        let first = &self.datasets[dataset].life.segments[0];
        matches!(first.name, DatasetName::Temporary { .. })
    }
}

/// The steps between nodes that are not hidden, straight or through those that are.
fn collapse(steps: &BTreeSet<Step>, is_hidden: impl Fn(Node) -> bool) -> BTreeSet<Step> {
    let mut whole = BTreeSet::new();
    let mut known: BTreeSet<Step> = steps.iter().filter(|step| !is_hidden(step.from)).copied().collect();
    let mut open: Vec<Step> = known.iter().copied().collect();
    while let Some(step) = open.pop() {
        if !is_hidden(step.to) {
            whole.insert(step);
            continue;
        }
        for next in steps.iter().filter(|next| touch(step.to, next.from)) {
            let longer = Step {
                from: step.from,
                to: next.to,
                kind: in_a_row(step.kind, next.kind),
                masked: step.masked || next.masked,
                unresolved: step.unresolved || next.unresolved,
                run: next.run,
            };
            if known.insert(longer) {
                open.push(longer);
            }
        }
    }
    whole
}

/// What two kinds are one after the other: an indirect one decides, the later one if both are; of two direct ones the
/// one that keeps less of the value.
fn in_a_row(one: FlowKind, next: FlowKind) -> FlowKind {
    match (one.is_direct(), next.is_direct()) {
        (true, true) => one.max(next),
        (false, true) => one,
        (_, false) => next,
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
pub fn walk(
    steps: &BTreeSet<Step>,
    start: &[Node],
    way: Way,
    depth: Option<usize>,
    stop: &[usize],
) -> Reached {
    let mut reached = Reached::default();
    reached.depths.extend(start.iter().map(|node| (*node, 0)));
    for taken in 0.. {
        let here: Vec<Node> =
            reached.depths.iter().filter(|(_, depth)| **depth == taken).map(|(node, _)| *node).collect();
        if here.is_empty() || depth.is_some_and(|depth| taken >= depth) {
            break;
        }
        for node in here.into_iter().filter(|node| !stop.contains(&node.dataset)) {
            for step in steps {
                let (near, far) = match way {
                    Way::Up => (step.to, step.from),
                    Way::Down => (step.from, step.to),
                };
                if touch(near, node) {
                    reached.steps.insert(*step);
                    reached.depths.entry(far).or_insert(taken + 1);
                    reached.hanging.entry(near).or_insert(taken);
                }
            }
        }
    }
    reached
}

/// Every step on some way from the one to what touches the other, and how many steps the shortest way has, at least
/// one.
#[must_use]
pub fn ways(steps: &BTreeSet<Step>, from: Node, to: Node) -> (BTreeSet<Step>, Option<usize>) {
    let down = walk(steps, &[from], Way::Down, None, &[]);
    let up = walk(steps, &[to], Way::Up, None, &[]);
    let last = down.steps.iter().filter(|step| touch(step.to, to));
    let depth_of = |step: &Step| {
        let before = down.depths.iter().filter(|(node, _)| touch(**node, step.from));
        before.map(|(_, depth)| depth + 1).min()
    };
    let shortest = last.filter_map(depth_of).min();
    (down.steps.intersection(&up.steps).copied().collect(), shortest)
}
