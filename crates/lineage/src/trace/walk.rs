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
}

impl<'g, 'q> Walk<'g, 'q> {
    pub fn new(graph: &'g Graph, question: &'g Question<'q>) -> Self {
        let between = match question.level {
            Level::Column => Between::Columns,
            Level::Dataset | Level::Run => Between::Datasets,
        };
        Self { graph, question, places: Places::new(graph, question, between), answer: Answer::new(question) }
    }

    /// Before the walk the other way.
    pub fn turn(&mut self) {
        self.places.forget_way();
    }

    pub fn finish(self) -> Trace {
        self.answer.finish(self.graph, &self.places)
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
                let mut last = NOT_SHOWN;
                for step in &steps {
                    if step.far != last && self.reach(step.far, depth + 1) {
                        queue.push_back((step.far, depth + 1));
                    }
                    last = step.far;
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
        let Some(place) = self.places.get_mut(place) else { return false };
        if place.is_reached {
            return false;
        }
        place.is_reached = true;
        if place.shown == NOT_SHOWN {
            place.depth = depth;
        }
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
        for group in steps.chunk_by_mut(|one, other| one.far == other.far) {
            if let [step] = group {
                self.show_step(near, way, Merged { step: *step, run_count: 1 });
            } else {
                for merged in self.merged(group) {
                    self.show_step(near, way, merged);
                }
            }
            if self.answer.is_full() {
                return;
            }
        }
    }

    #[inline]
    fn show_step(&mut self, near: u32, way: Way, merged: Merged) {
        let far = merged.step.far;
        let (from, to) = match way {
            Way::Down => (near, far),
            Way::Up => (far, near),
        };
        // Two walks may come to the same edge.
        if self.question.direction == Direction::Both {
            self.answer.line_once(&mut self.places, from, to, merged);
        } else {
            self.answer.line(&mut self.places, from, to, merged);
        }
    }

    /// The edges between two places: between datasets one, the direct ones if there are any; between columns one for
    /// each kind and doubt.
    pub fn merged(&self, group: &mut [Step]) -> smallvec::SmallVec<[Merged; 2]> {
        let graph = self.graph;
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
        let old = graph.base.writes.len();
        if group.iter().all(|step| step.write < old) {
            group.sort_unstable_by_key(|step| (step.mark, step.write));
        } else {
            group.sort_unstable_by(|one, other| {
                one.mark.cmp(&other.mark).then_with(|| graph.compare_writes(one.write, other.write))
            });
        }
        let same = group.chunk_by(|one, other| one.mark == other.mark);
        same.filter(|same| same.first().is_some_and(|step| step.mark != Mark(u8::MAX)))
            .filter_map(|same| {
                let step = *same.last()?;
                let run = |step: &Step| graph.run_of_write(step.write);
                let runs = same.chunk_by(|one, other| run(one) == run(other));
                Some(Merged { step, run_count: runs.count() as u32 })
            })
            .collect()
    }

    /// Runs in their order, each with what it read of what is shown and what it wrote.
    fn show_runs(&mut self, near: u32, way: Way, depth: u32, steps: &mut [Step]) {
        let graph = self.graph;
        if way == Way::Up {
            for write in self.writers(near) {
                let step = Step { far: near, mark: Mark::WHOLE, write };
                self.answer.through_run(graph, &mut self.places, (None, near), depth + 1, step);
            }
        }
        steps.sort_by(|one, other| {
            compare_runs(graph, graph.run_of_write(one.write), graph.run_of_write(other.write))
        });
        for step in steps {
            let ends = match way {
                Way::Down => (Some(near), step.far),
                Way::Up => (Some(step.far), near),
            };
            self.answer.through_run(graph, &mut self.places, ends, depth + 1, *step);
        }
    }

    /// The current writes to a dataset, in their order.
    fn writers(&mut self, place: u32) -> Vec<u32> {
        let (dataset, _) = self.places.identity(place);
        let writes = self.graph.writes_to(dataset).into_iter();
        let left = writes.filter(|(number, write)| write.act.brings() && self.places.counts(place, *number));
        left.map(|(number, _)| number).collect()
    }
}

/// Steps between two places that are one edge.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Merged {
    /// The one of the latest run.
    pub step: Step,
    pub run_count: u32,
}

impl Merged {
    pub fn edge(&self, graph: &Graph, from: u32, to: u32) -> TraceEdge {
        let Step { mark, write, .. } = self.step;
        TraceEdge {
            from,
            to,
            kind: mark.kind(),
            masked: mark.is_masked(),
            unresolved: mark.is_unresolved(),
            run: RunIndex(graph.run_of_write(write)),
            run_count: self.run_count,
        }
    }
}

fn compare_runs(graph: &Graph, one: u32, other: u32) -> std::cmp::Ordering {
    if one == other { std::cmp::Ordering::Equal } else { graph.compare_runs(one, other) }
}
