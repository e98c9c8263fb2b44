//! The walk: level by level, each place with all tags that are new there.

use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::endings::Endings;
use crate::graph::{Between, Graph, Way};
use crate::moment::{Moment, Order, RunIndex};
use crate::name_text;
use crate::question::{Node, Question};
use crate::trace::places::{Places, Step};
use crate::write::WriteAct;

use super::{Carried, Carries, TagFlow, TagNumber, TagRules, TagSource, TagStep};

pub(super) struct Flow<'g, 'r> {
    graph: &'g Graph,
    places: Places<'g>,
    rules: TagRules<'r>,
    entries: Vec<Entry>,
    /// The entries of each place.
    at: Vec<SmallVec<[u32; 1]>>,
    /// What is to be handed on in the next round.
    open: Vec<(u32, TagNumber)>,
    endings: Endings,
    /// For names of datasets: the writes to them that name columns.
    naming: FxHashMap<u32, FxHashSet<u32>>,
    /// The wholes that were left already with what one of their columns carries, and while.
    left: FxHashSet<(u32, TagNumber, Period)>,
}

/// That a place carries a tag for a while.
#[derive(Debug, Clone, Copy)]
struct Entry {
    place: u32,
    tag: TagNumber,
    period: Period,
    came: Option<(u32, u32)>,
}

/// From after one run until another, which still reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Period {
    from: u32,
    until: u32,
}

const BEGINNING: u32 = Moment::BEGINNING.run;
const NEVER: u32 = Moment::NEVER.run;

impl Period {
    const ALWAYS: Self = Self { from: BEGINNING, until: NEVER };
    /// After all runs.
    const NOW: Self = Self { from: NEVER, until: NEVER };

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
        let mut flow = Flow {
            graph,
            places: Places::new(graph, &question, Between::Columns).with_what_is_gone(),
            rules,
            entries: Vec::new(),
            at: Vec::new(),
            open: Vec::new(),
            endings: Endings::default(),
            naming: FxHashMap::default(),
            left: FxHashSet::default(),
        };
        for source in sources {
            let place = flow.places.of_node(&source.node);
            flow.add(Entry { place, tag: source.tag, period: Period::ALWAYS, came: None });
        }
        flow.go();
        flow.finish()
    }

    fn go(&mut self) {
        let mut touched = Vec::new();
        let mut steps = Vec::new();
        while !self.open.is_empty() {
            let mut open = std::mem::take(&mut self.open);
            open.sort_unstable();
            open.dedup();
            for of_place in open.chunk_by(|one, other| one.0 == other.0) {
                let Some(&(place, _)) = of_place.first() else { continue };
                self.places.touched(place, &mut touched);
                self.unnamed_in_files(place, &mut touched);
                for near in touched.iter().copied() {
                    steps.clear();
                    self.places.scan(near, Way::Down, &mut steps);
                    self.hand_on(place, near, of_place, &steps);
                }
            }
        }
    }

    /// The columns of a path that are read and that nothing wrote, where the place is a column of it.
    fn unnamed_in_files(&mut self, place: u32, touched: &mut Vec<u32>) {
        let graph = self.graph;
        let (dataset, column) = self.places.identity(place);
        if column.is_none() || !graph.dataset_text(dataset.name).starts_with(name_text::PATH) {
            return;
        }
        let whole = self.places.of_node(&Node::dataset(dataset));
        let mut all = Vec::new();
        self.places.touched(whole, &mut all);
        let mut into = Vec::new();
        all.retain(|near| {
            into.clear();
            self.places.scan(*near, Way::Up, &mut into);
            into.is_empty() && self.places.identity(*near).1.is_some() && !touched.contains(near)
        });
        touched.append(&mut all);
    }

    fn hand_on(&mut self, place: u32, near: u32, tags: &[(u32, TagNumber)], steps: &[Step]) {
        if steps.is_empty() {
            return;
        }
        let entries = self.entries_of(place, tags);
        let is_of_a_column =
            self.places.identity(place).1.is_some() && self.places.identity(near).1.is_none();
        let entries: SmallVec<[(u32, Entry); 2]> = match is_of_a_column {
            true => entries
                .into_iter()
                .filter(|(_, entry)| self.left.insert((near, entry.tag, entry.period)))
                .collect(),
            false => entries,
        };
        if entries.is_empty() {
            return;
        }
        for step in steps.iter().filter(|step| !step.mark.is_masked()) {
            if is_of_a_column && self.names_columns(step.write) {
                continue;
            }
            let passage = self.passage(step);
            for (number, entry) in &entries {
                if let Some(period) = self.passed(entry.period, passage)
                    && !self.is_stopped(entry, step.far, passage.run)
                {
                    let came = Some((*number, passage.run));
                    self.add(Entry { place: step.far, tag: entry.tag, period, came });
                }
            }
        }
    }

    fn entries_of(&self, place: u32, tags: &[(u32, TagNumber)]) -> SmallVec<[(u32, Entry); 2]> {
        let numbers = self.at.get(place as usize).map(SmallVec::as_slice).unwrap_or_default();
        let entries =
            numbers.iter().filter_map(|number| Some((*number, *self.entries.get(*number as usize)?)));
        entries.filter(|(_, entry)| tags.iter().any(|(_, tag)| *tag == entry.tag)).collect()
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
            is_shown: write.is_some_and(|write| write.act == WriteAct::Define),
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

    fn is_stopped(&self, entry: &Entry, far: u32, run: u32) -> bool {
        self.rules.stops.is_some_and(|stops| {
            stops(TagStep {
                tag: entry.tag,
                from: self.node(entry.place),
                to: self.node(far),
                run: RunIndex(run),
            })
        })
    }

    fn node(&self, place: u32) -> Node {
        let (dataset, column) = self.places.identity(place);
        Node { dataset, column }
    }

    fn add(&mut self, entry: Entry) {
        if self.at.len() <= entry.place as usize {
            self.at.resize_with(entry.place as usize + 1, SmallVec::new);
        }
        let mut next = 0;
        while let Some(number) = self.at.get(entry.place as usize).and_then(|at| at.get(next)).copied() {
            next += 1;
            let Some(other) = self.entries.get(number as usize).copied() else { continue };
            if other.tag != entry.tag {
                continue;
            }
            if self.covers(other.period, entry.period) {
                return;
            }
            if let Some(period) = self.lengthened(&other, &entry) {
                if let Some(other) = self.entries.get_mut(number as usize) {
                    other.period = period;
                    other.came = entry.came;
                }
                self.open.push((entry.place, entry.tag));
                return;
            }
        }
        let number = self.entries.len() as u32;
        self.entries.push(entry);
        if let Some(at) = self.at.get_mut(entry.place as usize) {
            at.push(number);
        }
        self.open.push((entry.place, entry.tag));
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

    fn finish(self) -> TagFlow {
        let Self { places, entries, at, .. } = self;
        // Where a place carries a tag in several ways, the first by which it has it now is told.
        let mut told = vec![false; entries.len()];
        for numbers in &at {
            let mut tags: SmallVec<[TagNumber; 2]> = SmallVec::new();
            let is_put = |tag: TagNumber| {
                numbers
                    .iter()
                    .filter_map(|number| entries.get(*number as usize))
                    .any(|entry| entry.tag == tag && entry.came.is_none())
            };
            for number in numbers {
                let Some(entry) = entries.get(*number as usize) else { continue };
                let tells = entry.period.is_now()
                    && entry.came.is_some()
                    && !tags.contains(&entry.tag)
                    && !places.is_closed(entry.place)
                    && !is_put(entry.tag);
                if tells {
                    tags.push(entry.tag);
                    if let Some(told) = told.get_mut(*number as usize) {
                        *told = true;
                    }
                }
            }
        }
        let carried = entries.iter().zip(told).map(|(entry, is_told)| {
            let (dataset, column) = places.identity(entry.place);
            Carried {
                node: Node { dataset, column },
                tag: entry.tag,
                came: entry.came.map(|(from, run)| (from, RunIndex(run))),
                carries: if is_told { Carries::Now } else { Carries::Before },
            }
        });
        TagFlow { carried: carried.collect(), places: OnceLock::new() }
    }
}
