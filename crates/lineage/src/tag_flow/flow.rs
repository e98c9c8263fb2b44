//! The walk of one tag after the other: along the time of runs, so that nearly every place is left once.
//!
//! What goes through nodes that are their own place, and stays for ever, goes from write to write (see `arrivals`);
//! all else waits in a heap, with the periods that it holds for. The order is for speed alone: whatever comes late is
//! followed again.

mod put;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::base::ALL_COLUMNS;
use crate::endings::Endings;
use crate::graph::{Between, Graph, Way};
use crate::lists::Bits;
use crate::mark::Mark;
use crate::moment::{Moment, Order, RunIndex};
use crate::question::{EdgeFilter, Node, Question};
use crate::timeline::{ColumnId, DatasetId};
use crate::trace::places::{Places, Step};

use super::arrivals::Arrivals;
use super::files::Files;
use super::own_places::OwnPlaces;
use super::views::Views;
use super::{Carried, Carries, TagFlow, TagNumber, TagRules, TagSource, TagStep};

pub(super) struct Flow<'g, 'r> {
    graph: &'g Graph,
    places: Places<'g>,
    own_places: OwnPlaces<'g>,
    files: Files<'g>,
    views: Views<'g>,
    rules: TagRules<'r>,
    /// Those of one tag after those of the other.
    entries: Vec<Entry>,
    carried: Vec<Carried>,
    /// Of the tag at work, the entries of each place.
    at: Vec<SmallVec<[u32; 1]>>,
    /// The entries that are to be handed on, by their moments.
    open: BinaryHeap<Reverse<(i64, u32, u32)>>,
    arrivals: Arrivals,
    /// The nodes that carry the tag now though they were read before it came; each once.
    late: Vec<Late>,
    is_late: Bits,
    endings: Endings,
    /// For names of datasets: the writes to them that name columns.
    naming: FxHashMap<u32, FxHashSet<u32>>,
    /// The wholes that were left already with what one of their columns carries, and while.
    left: FxHashSet<(u32, Period)>,
    steps: Vec<Step>,
}

/// That something carries a tag for a while.
#[derive(Debug, Clone, Copy)]
struct Entry {
    at: Spot,
    tag: TagNumber,
    period: Period,
    came: Option<(u32, u32)>,
    is_open: bool,
}

#[derive(Debug, Clone, Copy)]
enum Spot {
    Place(u32),
    /// A node that is its own place.
    Node(u32),
}

/// A node, the entry that it has its tag from, and the run.
#[derive(Debug, Clone, Copy)]
struct Late {
    node: u32,
    from: u32,
    run: u32,
}

/// From after one run until another, which still reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Period {
    from: u32,
    until: u32,
}

const BEGINNING: u32 = Moment::BEGINNING.run;
const NEVER: u32 = Moment::NEVER.run;
/// After every write.
const NO_WRITE: u32 = u32::MAX;

impl Period {
    const ALWAYS: Self = Self { from: BEGINNING, until: NEVER };
    /// After all runs.
    const NOW: Self = Self { from: NEVER, until: NEVER };

    const fn since(run: u32) -> Self {
        Self { from: run, until: NEVER }
    }

    const fn is_now(self) -> bool {
        self.until == NEVER
    }
}

/// What an edge does with what its source carries.
#[derive(Clone, Copy)]
struct Passage {
    run: u32,
    /// The run that removed what it brought.
    until: u32,
    /// Is it shown, or was it copied?
    is_shown: bool,
}

impl<'g, 'r> Flow<'g, 'r> {
    pub fn run(graph: &'g Graph, sources: &[TagSource], rules: TagRules<'r>) -> TagFlow {
        let question = Question { edges: rules.edges, as_of: rules.as_of, ..Question::default() };
        let nodes = graph.base.nodes.len() as usize;
        let mut flow = Flow {
            graph,
            places: Places::new(graph, &question, Between::Columns).with_what_is_gone(),
            own_places: OwnPlaces::new(graph, rules.as_of),
            files: Files::new(graph),
            views: Views::new(graph, rules.edges, graph.until(rules.as_of)),
            rules,
            entries: Vec::new(),
            carried: Vec::new(),
            at: Vec::new(),
            open: BinaryHeap::new(),
            arrivals: Arrivals::new(nodes, graph.base.writes.len() as usize),
            late: Vec::new(),
            is_late: Bits::of(nodes),
            endings: Endings::default(),
            naming: FxHashMap::default(),
            left: FxHashSet::default(),
            steps: Vec::new(),
        };
        let mut sources = sources.to_vec();
        sources.sort_by_key(|source| source.tag);
        for of_tag in sources.chunk_by(|one, other| one.tag == other.tag) {
            flow.follow(of_tag);
        }
        TagFlow { carried: flow.carried, places: OnceLock::new() }
    }

    /// Follows one tag.
    fn follow(&mut self, sources: &[TagSource]) {
        for source in sources {
            let place = self.places.of_node(&source.node);
            self.add(
                place,
                Entry {
                    at: Spot::Place(place),
                    tag: source.tag,
                    period: Period::ALWAYS,
                    came: None,
                    is_open: true,
                },
            );
        }
        for source in sources {
            self.hand_on_what_is_put(source.node);
        }
        self.go();
        self.tell();
        self.arrivals.forget();
        self.late.iter().for_each(|late| self.is_late.clear(late.node));
        self.late.clear();
        self.left.clear();
    }

    fn go(&mut self) {
        let mut late = 0;
        loop {
            match (self.arrivals.next(), self.open.peek()) {
                (Some(write), Some(Reverse((ended, run, _)))) => {
                    let next = self.graph.run_of_write(write);
                    if (self.graph.ended(next), next) < (*ended, *run) {
                        self.go_by_write(write);
                    } else {
                        self.go_from_place();
                    }
                }
                (Some(write), None) => self.go_by_write(write),
                (None, Some(_)) => self.go_from_place(),
                (None, None) => {
                    let Some(next) = self.late.get(late).copied() else { return };
                    late += 1;
                    self.go_late(next);
                }
            }
        }
    }

    /// Goes on from the nodes that a write was the first to bring the tag to.
    fn go_by_write(&mut self, write: u32) {
        let run = self.graph.run_of_write(write);
        let after = self.first_write_after(run);
        let mut nodes = Vec::new();
        self.arrivals.take(write, &mut nodes);
        for (node, from) in nodes {
            self.go_from_node(node, Period::since(run), (from, run), after);
        }
    }

    /// Goes on from a node that has the tag only in the end.
    fn go_late(&mut self, late: Late) {
        if !self.arrivals.has(late.node) {
            self.go_from_node(late.node, Period::NOW, (late.from, late.run), NO_WRITE);
        }
    }

    fn go_from_node(&mut self, node: u32, period: Period, came: (u32, u32), after: u32) {
        let tag = self.entries.get(came.0 as usize).map_or(TagNumber(0), |from| from.tag);
        let number = self.entries.len() as u32;
        self.entries.push(Entry { at: Spot::Node(node), tag, period, came: Some(came), is_open: false });
        self.leave_own(number, node, after);
    }

    /// The first write of a run that comes after another.
    fn first_write_after(&self, run: u32) -> u32 {
        let base = &self.graph.base;
        let next = match run {
            BEGINNING => 0,
            NEVER => return NO_WRITE,
            run => match run.checked_sub(base.runs.len()) {
                None => run + 1,
                Some(new) => self.graph.delta.runs.get(new as usize).map_or(0, |run| run.after),
            },
        };
        base.writes.runs.partition_point(|other| *other < next) as u32
    }

    /// Hands on what a node carries from before a write, and for ever.
    fn leave_own(&mut self, number: u32, node: u32, after: u32) {
        let graph = self.graph;
        let (dataset, column) = graph.node_parts(node);
        self.leave_node(number, node, after);
        if column == ALL_COLUMNS {
            for near in graph.column_nodes(dataset) {
                self.leave_node(number, near, after);
            }
            return;
        }
        let whole = graph.base.nodes.of_dataset(dataset).start;
        if graph.base.columns_down.has_edges(whole) || graph.delta.columns_down.has(whole) {
            let (place, near) = (self.places.of_own(node), self.places.of_own(whole));
            self.hand_on(&[number], place, near);
        }
    }

    fn leave_node(&mut self, number: u32, node: u32, after: u32) {
        let graph = self.graph;
        for (other, write, mark) in graph.base.columns_down.edges(node) {
            let is_known =
                if write >= after { self.arrivals.covers(other, write) } else { self.is_known(other, write) };
            if !is_known && self.goes(mark) {
                self.leave_by(number, (other, write, mark), after);
            }
        }
        if !graph.delta.columns_down.is_empty() {
            for half in graph.delta.columns_down.get(node) {
                self.step_to(number, (half.other, half.write, half.mark));
            }
        }
    }

    /// Does a node carry the tag in the end, where a write before the tag does not bring more than that?
    fn is_known(&self, node: u32, write: u32) -> bool {
        self.arrivals.has(node) && !self.shows(write)
    }

    fn shows(&self, write: u32) -> bool {
        self.graph.write(write).is_some_and(|write| write.act.shows())
    }

    fn goes(&self, mark: Mark) -> bool {
        !mark.is_masked() && (self.rules.edges == EdgeFilter::All || mark.is_direct())
    }

    fn leave_by(&mut self, number: u32, edge: (u32, u32, Mark), after: u32) {
        let (other, write, _) = edge;
        let is_read = write >= after;
        let is_simple = self.own_places.has(other)
            && !self.graph.base.ended.get(write)
            && (is_read || !self.shows(write));
        if !is_simple {
            self.step_to(number, edge);
            return;
        }
        let run = self.graph.run_of_write(write);
        if self.is_stopped(number, || self.own_name(other), run) {
            return;
        }
        if is_read {
            self.arrivals.note(other, write, number);
        } else if !self.is_late.get(other) {
            self.is_late.set(other);
            self.late.push(Late { node: other, from: number, run });
        }
    }

    /// Hands on by any edge to whatever its node stood for.
    fn step_to(&mut self, number: u32, edge: (u32, u32, Mark)) {
        let mut steps = std::mem::take(&mut self.steps);
        steps.clear();
        self.places.scan_down(edge, &mut steps);
        for step in steps.iter().filter(|step| !step.mark.is_masked()) {
            self.take_step(number, *step);
        }
        self.steps = steps;
    }

    /// Goes on from the place of the first entry that waits, with all that wait there.
    fn go_from_place(&mut self) {
        let Some(Reverse((_, _, number))) = self.open.pop() else { return };
        let Some(Entry { at: Spot::Place(place), is_open: true, .. }) = self.entries.get(number as usize)
        else {
            return;
        };
        let place = *place;
        let mut numbers: SmallVec<[u32; 2]> = SmallVec::new();
        for number in self.at.get(place as usize).into_iter().flatten() {
            if let Some(entry) = self.entries.get_mut(*number as usize)
                && std::mem::take(&mut entry.is_open)
            {
                numbers.push(*number);
            }
        }
        if let Some(node) = self.places.own_node(place).filter(|node| self.own_places.has(*node)) {
            numbers.retain(|number| {
                let entry = self.entries.get(*number as usize);
                let stays = entry.filter(|entry| entry.period.is_now()).map(|entry| entry.period.from);
                if let Some(from) = stays {
                    self.leave_own(*number, node, self.first_write_after(from));
                }
                stays.is_none()
            });
        }
        if numbers.is_empty() {
            return;
        }
        let mut touched = Vec::new();
        self.places.touched(place, &mut touched);
        self.files.also_read_as(&mut self.places, place, &mut touched);
        for near in touched {
            self.hand_on(&numbers, place, near);
        }
    }

    /// Hands on what entries of a place carry along the edges of one that holds for it.
    fn hand_on(&mut self, numbers: &[u32], place: u32, near: u32) {
        let mut steps = Vec::new();
        self.places.scan(near, Way::Down, &mut steps);
        if steps.is_empty() {
            return;
        }
        let is_of_a_column =
            self.places.identity(place).1.is_some() && self.places.identity(near).1.is_none();
        let mut numbers: SmallVec<[u32; 2]> = numbers.iter().copied().collect();
        if is_of_a_column {
            numbers.retain(|number| {
                let entry = self.entries.get(*number as usize);
                entry.is_some_and(|entry| self.left.insert((near, entry.period)))
            });
        }
        if numbers.is_empty() {
            return;
        }
        for step in steps.iter().filter(|step| !step.mark.is_masked()) {
            if is_of_a_column && self.names_columns(step.write) {
                continue;
            }
            for number in &numbers {
                self.take_step(*number, *step);
            }
        }
    }

    fn take_step(&mut self, number: u32, step: Step) {
        let graph = self.graph;
        let is_of_base = step.write < graph.base.writes.len();
        let node = self.places.own_node(step.far).filter(|node| self.own_places.has(*node));
        if is_of_base && node.is_some_and(|node| self.arrivals.covers(node, step.write)) {
            return;
        }
        let Some(Entry { tag, period, .. }) = self.entries.get(number as usize).copied() else { return };
        let passage = self.passage(&step);
        let Some(period) = self.passed(period, passage) else { return };
        if self.is_stopped(number, || self.name(step.far), passage.run) {
            return;
        }
        if let Some(node) = node.filter(|_| is_of_base && period == Period::since(passage.run)) {
            self.arrivals.note(node, step.write, number);
            return;
        }
        let came = Some((number, passage.run));
        self.add(step.far, Entry { at: Spot::Place(step.far), tag, period, came, is_open: true });
    }

    fn passage(&mut self, step: &Step) -> Passage {
        let graph = self.graph;
        let write = graph.write(step.write);
        let until = match self.places.is_readable(step.far, step.write) {
            true => NEVER,
            false => self.endings.of(graph, self.places.identity(step.far), step.write),
        };
        Passage {
            run: graph.run_of_write(step.write),
            until,
            is_shown: write.is_some_and(|write| write.act.shows()),
        }
    }

    /// Period what is at the other end of an edge carries what this end carries for a while.
    fn passed(&self, period: Period, passage: Passage) -> Option<Period> {
        let is_current = passage.until == NEVER;
        if period == Period::ALWAYS {
            return Some(Period { from: passage.run, until: passage.until });
        }
        if passage.is_shown {
            let from = if self.is_before(period.from, passage.run) { passage.run } else { period.from };
            let until =
                if self.is_before(period.until, passage.until) { period.until } else { passage.until };
            return (from == NEVER && until == NEVER || self.is_before(from, until))
                .then_some(Period { from, until });
        }
        let was_read = self.is_before(period.from, passage.run) && !self.is_before(period.until, passage.run);
        if was_read {
            return Some(Period { from: passage.run, until: passage.until });
        }
        (is_current && period.is_now()).then_some(Period::NOW)
    }

    fn is_before(&self, one: u32, other: u32) -> bool {
        self.graph.is_before(Moment::reads(one), Moment::reads(other))
    }

    fn is_stopped(&self, number: u32, to: impl FnOnce() -> Node, run: u32) -> bool {
        let Some(stops) = self.rules.stops else { return false };
        let Some(Entry { at, tag, .. }) = self.entries.get(number as usize) else { return false };
        let from = match at {
            Spot::Place(place) => self.name(*place),
            Spot::Node(node) => self.own_name(*node),
        };
        stops(TagStep { tag: *tag, from, to: to(), run: RunIndex(run) })
    }

    fn name(&self, place: u32) -> Node {
        let (dataset, column) = self.places.identity(place);
        Node { dataset, column }
    }

    fn own_name(&self, node: u32) -> Node {
        let (dataset, column) = self.graph.node_parts(node);
        let column = (column != ALL_COLUMNS).then_some(ColumnId { name: column, life: 0 });
        Node { dataset: DatasetId { name: dataset, life: 0 }, column }
    }

    fn add(&mut self, place: u32, entry: Entry) {
        if let Some(node) = self.places.own_node(place).filter(|node| self.own_places.has(*node)) {
            if entry.came.is_none() {
                self.arrivals.hold(node);
            } else if let Some(write) = self.arrivals.write(node)
                && self.covers(Period::since(self.graph.run_of_write(write)), entry.period)
            {
                return;
            }
        }
        if self.at.len() <= place as usize {
            self.at.resize_with(place as usize + 1, SmallVec::new);
        }
        let mut next = 0;
        while let Some(number) = self.at.get(place as usize).and_then(|at| at.get(next)).copied() {
            next += 1;
            let Some(other) = self.entries.get(number as usize).copied() else { continue };
            if self.covers(other.period, entry.period) {
                return;
            }
            if let Some(period) = self.lengthened(&other, &entry) {
                if let Some(other) = self.entries.get_mut(number as usize) {
                    other.period = period;
                    other.came = entry.came;
                    other.is_open = true;
                }
                self.wait(number, period);
                return;
            }
        }
        let number = self.entries.len() as u32;
        self.entries.push(entry);
        if let Some(at) = self.at.get_mut(place as usize) {
            at.push(number);
        }
        self.wait(number, entry.period);
    }

    fn wait(&mut self, number: u32, period: Period) {
        let ended = if period.from == BEGINNING { i64::MIN } else { self.graph.ended(period.from) };
        self.open.push(Reverse((ended, period.from, number)));
    }

    fn covers(&self, one: Period, other: Period) -> bool {
        one == other || !self.is_before(other.from, one.from) && !self.is_before(one.until, other.until)
    }

    /// Both in one, where they come from the same and the second goes on where the first one ends.
    fn lengthened(&self, one: &Entry, other: &Entry) -> Option<Period> {
        let (came, came_later) = (one.came?, other.came?);
        let (one, other) = (one.period, other.period);
        let goes_on = !self.is_before(other.from, one.from) && !self.is_before(one.until, other.from);
        (came.0 == came_later.0 && goes_on && one.until != NEVER)
            .then_some(Period { from: one.from, until: other.until })
    }

    /// Does a write say what goes into single columns?
    fn names_columns(&mut self, write: u32) -> bool {
        let graph = self.graph;
        let Some(dataset) = graph.write(write).map(|write| write.dataset) else { return false };
        let naming = self.naming.entry(dataset).or_insert_with(|| {
            let nodes = graph.column_nodes(dataset);
            let made = nodes
                .iter()
                .flat_map(|node| graph.edges(Between::Columns, Way::Up, *node).map(|(_, write, _)| write));
            let bare = nodes.iter().flat_map(|node| graph.bare_writes_of(*node));
            made.chain(bare).collect()
        });
        naming.contains(&write)
    }

    /// Says of what carries the tag which entry tells it: where it has it in several ways, the first by which it has it
    /// now.
    fn tell(&mut self) {
        let mut nodes = Bits::of(self.graph.base.nodes.len() as usize);
        let mut places: FxHashSet<u32> = FxHashSet::default();
        let before = self.carried.len();
        for entry in self.entries.get(before..).unwrap_or_default() {
            let (node, name, is_closed) = match entry.at {
                Spot::Node(node) => (Some(node), self.own_name(node), false),
                Spot::Place(place) => {
                    let node = self.places.own_node(place).filter(|node| self.own_places.has(*node));
                    (node, self.name(place), self.places.is_closed(place))
                }
            };
            let is_first = entry.period.is_now()
                && match (node, entry.at) {
                    (Some(node), _) => nodes.insert(node),
                    (None, Spot::Place(place)) => places.insert(place),
                    (None, Spot::Node(_)) => false,
                };
            let is_told = is_first && entry.came.is_some() && !is_closed;
            self.carried.push(Carried {
                node: name,
                tag: entry.tag,
                came: entry.came.map(|(from, run)| (from, RunIndex(run))),
                carries: if is_told { Carries::Now } else { Carries::Before },
            });
        }
        for entry in self.entries.get(before..).unwrap_or_default() {
            if let Spot::Place(place) = entry.at
                && let Some(at) = self.at.get_mut(place as usize)
            {
                at.clear();
            }
        }
    }
}
