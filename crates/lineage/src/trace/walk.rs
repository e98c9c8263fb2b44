//! Going from place to place.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use crate::graph::{Between, Graph, Way};
use crate::mark::Mark;
use crate::moment::{Order, RunIndex};
use crate::question::{Direction, Level, Question, Trace, TraceEdge};

use super::answer::Answer;
use super::places::{NOT_SHOWN, Places, Sorted, Step};

pub(crate) struct Walk<'g, 'q> {
    graph: &'g Graph,
    question: &'g Question<'q>,
    pub places: Places<'g>,
    answer: Answer,
    /// Another walk wrote to the answer before.
    is_second: bool,
}

impl<'g, 'q> Walk<'g, 'q> {
    pub fn new(graph: &'g Graph, question: &'g Question<'q>) -> Self {
        let between = match question.level {
            Level::Column => Between::Columns,
            Level::Dataset | Level::Run => Between::Datasets,
        };
        Self {
            graph,
            question,
            places: Places::new(graph, question, between),
            answer: Answer::new(question),
            is_second: false,
        }
    }

    /// Before the walk the other way.
    pub fn turn(&mut self) {
        self.is_second = true;
        self.places.forget_way();
    }

    pub fn finish(self) -> Trace {
        self.answer.finish(&self.places)
    }

    pub fn go(&mut self, way: Way) {
        let mut queue = VecDeque::new();
        for node in &self.question.start {
            let place = self.places.of_node(node);
            if self.reach(place, 0) {
                queue.push_back((place, 0));
            }
            self.answer.show_start(&mut self.places, place);
        }
        let mut touched = Vec::new();
        let mut steps = Vec::new();
        while let Some((place, depth)) = queue.pop_front() {
            if self.answer.is_full() || self.question.depth.is_some_and(|most| depth >= most) {
                return;
            }
            if self.places.is_stop(place) {
                continue;
            }
            self.places.touched(place, &mut touched);
            for near in touched.iter().copied() {
                if !self.start_scan(near, depth) {
                    continue;
                }
                self.steps(near, way, &mut steps);
                for step in &steps {
                    if self.reach(step.far, depth + 1) {
                        queue.push_back((step.far, depth + 1));
                    }
                }
                self.show(near, way, depth, &mut steps);
                if self.answer.is_full() {
                    return;
                }
            }
        }
    }

    /// Says whether it is reached for the first time on this way.
    pub fn reach(&mut self, place: u32, depth: u32) -> bool {
        let is_second = self.is_second;
        let Some(place) = self.places.get_mut(place) else { return false };
        if place.is_reached {
            return false;
        }
        place.is_reached = true;
        place.depth = if is_second && place.shown != NOT_SHOWN { place.depth.min(depth) } else { depth };
        true
    }

    /// Says whether its edges were not taken yet.
    pub fn start_scan(&mut self, place: u32, depth: u32) -> bool {
        let Some(place) = self.places.get_mut(place) else { return false };
        if place.is_scanned {
            return false;
        }
        place.is_scanned = true;
        if !place.is_reached && place.shown == NOT_SHOWN {
            place.depth = depth;
        }
        true
    }

    /// All edges of a place in the order of the answer, those through hidden places as if they went straight.
    pub fn steps(&mut self, near: u32, way: Way, steps: &mut Vec<Step>) {
        steps.clear();
        let mut sorted = self.places.scan(near, way, steps);
        if steps.iter().any(|step| self.places.is_hidden(step.far)) {
            let (hidden, visible) = steps.drain(..).partition(|step| self.places.is_hidden(step.far));
            *steps = visible;
            self.pass(hidden, way, steps);
            sorted = Sorted::No;
        }
        if sorted == Sorted::No {
            let places = &self.places;
            steps.sort_by(|one, other| places.compare(one.far, other.far));
        }
    }

    /// Goes on through hidden places until visible ones.
    fn pass(&mut self, hidden: Vec<Step>, way: Way, steps: &mut Vec<Step>) {
        let mut seen: FxHashSet<(u32, Mark, u32)> = FxHashSet::default();
        let mut open = hidden;
        let mut touched = Vec::new();
        let mut next = Vec::new();
        while let Some(step) = open.pop() {
            // Against the flow the run is known from the first edge on, along it from the last one.
            let write = if way == Way::Up { step.write } else { 0 };
            if !seen.insert((step.far, step.mark, write)) {
                continue;
            }
            self.places.touched(step.far, &mut touched);
            for near in &touched {
                next.clear();
                self.places.scan(*near, way, &mut next);
                for one in &next {
                    let passed = match way {
                        Way::Up => Step { far: one.far, mark: one.mark.then(step.mark), write: step.write },
                        Way::Down => Step { far: one.far, mark: step.mark.then(one.mark), write: one.write },
                    };
                    if self.places.is_hidden(one.far) {
                        open.push(passed);
                    } else {
                        steps.push(passed);
                    }
                }
            }
        }
    }

    fn show(&mut self, near: u32, way: Way, depth: u32, steps: &mut [Step]) {
        if self.question.level == Level::Run {
            self.show_runs(near, way, depth, steps);
            return;
        }
        let is_both = self.question.direction == Direction::Both;
        for group in steps.chunk_by_mut(|one, other| one.far == other.far) {
            for (far, edge) in self.merged(group) {
                let (from, to) = match way {
                    Way::Down => (near, far),
                    Way::Up => (far, near),
                };
                if is_both {
                    self.answer.edge_once(&mut self.places, from, to, edge);
                } else {
                    self.answer.edge(&mut self.places, from, to, edge);
                }
                if self.answer.is_full() {
                    return;
                }
            }
        }
    }

    /// The edges between two places: between datasets one, the direct ones if there are any; between columns one for
    /// each kind and doubt.
    pub fn merged(&self, group: &mut [Step]) -> smallvec::SmallVec<[(u32, TraceEdge); 2]> {
        let graph = self.graph;
        if let [one] = group {
            let run = graph.run_of_write(one.write);
            return smallvec::smallvec![(one.far, edge(one.mark, run, 1))];
        }
        if self.places.between == Between::Datasets {
            let is_direct = group.iter().any(|step| step.mark.is_direct());
            let chosen = group.iter().filter(|step| step.mark.is_direct() == is_direct);
            let masked = chosen.clone().all(|step| step.mark.is_masked());
            let unresolved = chosen.clone().all(|step| step.mark.is_unresolved());
            let mark = Mark::dataset(is_direct, masked, unresolved);
            for step in group.iter_mut() {
                // What is not chosen sorts behind and is cut off by its mark.
                step.mark = if step.mark.is_direct() == is_direct { mark } else { Mark(u8::MAX) };
            }
        }
        group.sort_unstable_by(|one, other| {
            let runs = (graph.run_of_write(one.write), graph.run_of_write(other.write));
            one.mark.cmp(&other.mark).then_with(|| compare_runs(graph, runs.0, runs.1))
        });
        let same = group.chunk_by(|one, other| one.mark == other.mark);
        same.filter(|same| same.first().is_some_and(|step| step.mark != Mark(u8::MAX)))
            .filter_map(|same| {
                let last = same.last()?;
                let run = graph.run_of_write(last.write);
                let runs = same
                    .chunk_by(|one, other| graph.run_of_write(one.write) == graph.run_of_write(other.write));
                Some((last.far, edge(last.mark, run, runs.count() as u32)))
            })
            .collect()
    }

    /// Runs in their order, each with what it read of what is shown and what it wrote.
    fn show_runs(&mut self, near: u32, way: Way, depth: u32, steps: &mut [Step]) {
        let graph = self.graph;
        if way == Way::Up {
            for run in self.writers(near) {
                self.answer.through_run(&mut self.places, None, near, depth + 1, edge(Mark::WHOLE, run, 1));
            }
        }
        steps.sort_by(|one, other| {
            compare_runs(graph, graph.run_of_write(one.write), graph.run_of_write(other.write))
        });
        for step in steps {
            let (from, to) = match way {
                Way::Down => (near, step.far),
                Way::Up => (step.far, near),
            };
            let edge = edge(step.mark, graph.run_of_write(step.write), 1);
            self.answer.through_run(&mut self.places, Some(from), to, depth + 1, edge);
        }
    }

    /// The runs of which something is left in a dataset, in their order.
    fn writers(&self, place: u32) -> Vec<u32> {
        let graph = self.graph;
        let (dataset, _) = self.places.identity(place);
        let left = graph
            .writes_to(dataset)
            .into_iter()
            .filter(|(number, write)| write.act.brings() && self.places.counts(place, *number));
        let mut runs: Vec<u32> = left.map(|(_, write)| write.moment.run).collect();
        runs.dedup();
        runs
    }
}

fn compare_runs(graph: &Graph, one: u32, other: u32) -> std::cmp::Ordering {
    if one == other { std::cmp::Ordering::Equal } else { graph.compare_runs(one, other) }
}

/// Its ends are filled in where it is shown.
fn edge(mark: Mark, run: u32, run_count: u32) -> TraceEdge {
    TraceEdge {
        from: 0,
        to: 0,
        kind: mark.kind(),
        masked: mark.is_masked(),
        unresolved: mark.is_unresolved(),
        run: RunIndex(run),
        run_count,
    }
}
