//! The nodes that a walk comes to, and which of them an edge leads to.
//!
//! Edges bind names; a place is what a name stood for. Where a name only ever stood for one dataset its node is its
//! place, which is nearly always so and costs one look into a table.

mod known;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::base::ALL_COLUMNS;
use crate::carried_on::CarriedOn;
use crate::currency::Currency;
use crate::graph::{Between, Graph, Until, Way};
use crate::mark::Mark;
use crate::moment::Moment;
use crate::name_text;
use crate::question::{AsOf, EdgeFilter, Node, Question, Temporaries, Visibility, Window};
use crate::timeline::{DatasetId, Life, Span};
use crate::write_lists::WriteLists;

use super::sorted_out::SortedOut;
use super::table::Table;

/// What a dataset or a column was born as: its name, and which of those that had it.
pub(crate) type Born = (u32, u32);

/// A dataset as a whole stands for no column.
pub(crate) const WHOLE: Born = (ALL_COLUMNS, 0);

pub(crate) struct Places<'g> {
    graph: &'g Graph,
    pub between: Between,
    until: Until,
    window: Option<Window>,
    /// Not all runs count.
    is_timed: bool,
    is_direct_only: bool,
    pub places: Vec<Place>,
    datasets: Vec<Dataset>,
    /// By node, where the node is the place; [`MANY`] where it depends on the moment.
    plain: Table,
    /// By dataset and column.
    other: FxHashMap<(Born, Born), u32>,
    dataset_places: FxHashMap<Born, u32>,
    /// The dataset that was asked for last: neighbours come in order, columns of one dataset in a row.
    last: Option<(Born, u32)>,
    lists: WriteLists<'g>,
    carried_on: CarriedOn<'g>,
    /// Runs were recorded since the base was built.
    is_moving: bool,
    sorted_out: SortedOut,
    start: FxHashSet<Born>,
    stop: FxHashSet<Born>,
    is_collapsing: bool,
    gone: Gone,
    visible: &'g dyn Fn(DatasetId) -> Visibility,
}

/// What becomes of edges that nothing is left of?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gone {
    Skipped,
    Kept,
}

const MANY: u32 = u32::MAX - 1;
const NO_NODE: u32 = u32::MAX;
/// In place of a run.
const OPEN: u32 = u32::MAX;
pub(crate) const NOT_SHOWN: u32 = u32::MAX;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    /// Its node, where that is it; else [`NO_NODE`].
    node: u32,
    dataset: u32,
    column: Born,
    pub depth: u32,
    /// Its number in the answer.
    pub shown: u32,
    pub is_reached: bool,
    pub is_scanned: bool,
    /// It is passed through and not shown.
    pub is_hidden: bool,
    /// The run that closed the column, or [`OPEN`].
    closed: u32,
    /// Of the edges into it those are current that the base does not know to be gone.
    is_settled: bool,
}

struct Dataset {
    born: Born,
    /// Empty where it was only ever called what it was born as.
    spans: Vec<Span>,
    currency: Currency,
    is_closed: bool,
    is_temporary: bool,
    is_masked: bool,
    is_stop: bool,
    /// It is passed through and not shown.
    is_hidden: bool,
    /// The place of it as a whole, once that was asked for.
    whole: Option<u32>,
}

/// An edge from or to a place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    pub far: u32,
    pub mark: Mark,
    pub write: u32,
}

/// Steps in the order of an answer?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sorted {
    Yes,
    No,
}

impl<'g> Places<'g> {
    pub fn new(graph: &'g Graph, question: &'g Question<'_>, between: Between) -> Self {
        let born = |dataset: &DatasetId| (dataset.name, dataset.life);
        Self {
            graph,
            between,
            until: graph.until(question.as_of),
            is_timed: question.as_of != AsOf::Now || question.window.is_some(),
            window: question.window,
            is_direct_only: question.edges == EdgeFilter::Direct,
            places: Vec::new(),
            datasets: Vec::new(),
            plain: Table::new(match between {
                Between::Columns => graph.node_count(),
                Between::Datasets => graph.name_count(),
            }),
            other: FxHashMap::default(),
            dataset_places: FxHashMap::default(),
            last: None,
            lists: WriteLists::new(graph),
            carried_on: CarriedOn::new(graph, graph.until(question.as_of)),
            is_moving: !graph.delta.runs.is_empty(),
            sorted_out: SortedOut::default(),
            start: question.start.iter().chain(&question.shown).map(|node| born(&node.dataset)).collect(),
            stop: question.stop.iter().map(born).collect(),
            is_collapsing: question.temporaries == Temporaries::Collapse,
            gone: Gone::Skipped,
            visible: question.visible,
        }
    }

    /// The same, where edges count of which nothing is left: [`Places::is_readable`] tells them.
    pub fn with_what_is_gone(mut self) -> Self {
        self.gone = Gone::Kept;
        self
    }

    /// Before another walk: nothing was reached or looked at, though what is shown stays shown.
    pub fn forget_way(&mut self) {
        self.sorted_out = SortedOut::default();
        for place in &mut self.places {
            place.is_reached = false;
            place.is_scanned = false;
        }
    }

    pub fn of_node(&mut self, node: &Node) -> u32 {
        let column = match (self.between, node.column) {
            (Between::Columns, Some(column)) => (column.name, column.life),
            _ => WHOLE,
        };
        self.of_identity((node.dataset.name, node.dataset.life), column)
    }

    /// The place of a node that is its own place.
    pub fn of_own(&mut self, node: u32) -> u32 {
        let name = self.graph.node_parts(node).0;
        self.of_plain_node(node, name)
    }

    /// The node of a place that is a node's own.
    pub fn own_node(&self, place: u32) -> Option<u32> {
        self.get(place).map(|place| place.node).filter(|node| *node != NO_NODE)
    }

    pub fn get(&self, place: u32) -> Option<&Place> {
        self.places.get(place as usize)
    }

    pub fn get_mut(&mut self, place: u32) -> Option<&mut Place> {
        self.places.get_mut(place as usize)
    }

    fn dataset_of(&self, place: u32) -> Option<&Dataset> {
        self.datasets.get(self.get(place)?.dataset as usize)
    }

    /// The place that holds for a place too: the whole of its dataset for a column, all columns for the whole.
    pub fn touched(&mut self, place: u32, touched: &mut Vec<u32>) {
        touched.clear();
        touched.push(place);
        if self.between == Between::Datasets {
            return;
        }
        let Some(Place { column, dataset, .. }) = self.get(place).copied() else { return };
        if column != WHOLE {
            touched.push(self.whole_of(dataset));
            return;
        }
        let Some(info) = self.datasets.get(dataset as usize) else { return };
        let born = info.born;
        let names: Vec<u32> = info.spans.iter().map(|span| span.name).collect();
        if names.is_empty() {
            for node in self.graph.column_nodes(born.0) {
                touched.push(self.of_plain_node(node, born.0));
            }
            return;
        }
        touched.extend(self.columns_of(born, &names));
    }

    fn whole_of(&mut self, dataset: u32) -> u32 {
        let info = self.datasets.get(dataset as usize);
        if let Some(whole) = info.and_then(|info| info.whole) {
            return whole;
        }
        let born = info.map_or((0, 0), |info| info.born);
        let whole = self.of_identity(born, WHOLE);
        if let Some(info) = self.datasets.get_mut(dataset as usize) {
            info.whole = Some(whole);
        }
        whole
    }

    /// The columns of a dataset that had several names, or had columns that did.
    fn columns_of(&mut self, born: Born, names: &[u32]) -> Vec<u32> {
        let graph = self.graph;
        let columns = graph.life(born).and_then(|life| life.columns.as_ref());
        let mut identities: Vec<Born> = match columns {
            Some(columns) => columns.lives.iter().map(|life| life.born).collect(),
            None => {
                let nodes = names.iter().flat_map(|name| graph.column_nodes(*name));
                nodes.map(|node| (graph.node_parts(node).1, 0)).collect()
            }
        };
        identities
            .sort_by(|one, other| graph.compare_columns(one.0, other.0).then_with(|| one.1.cmp(&other.1)));
        identities.dedup();
        identities.into_iter().map(|column| self.of_identity(born, column)).collect()
    }

    /// The edges of a place that count.
    pub fn scan(&mut self, place: u32, way: Way, steps: &mut Vec<Step>) -> Sorted {
        let Some(Place { node, dataset, column, .. }) = self.get(place).copied() else {
            return Sorted::Yes;
        };
        if node != NO_NODE {
            return self.scan_node(node, place, way, steps);
        }
        self.scan_spans(place, (dataset, column), way, steps);
        Sorted::No
    }

    fn scan_spans(&mut self, near: u32, (dataset, column): (u32, Born), way: Way, steps: &mut Vec<Step>) {
        let graph = self.graph;
        let Some(info) = self.datasets.get(dataset as usize) else { return };
        let born = info.born;
        let spans = graph.spans(born);
        let column_spans = match column {
            WHOLE => vec![Span { name: ALL_COLUMNS, from: Moment::BEGINNING, until: Moment::NEVER }],
            column => graph.column_spans(born, column),
        };
        let nodes = spans.iter().flat_map(|span| {
            column_spans.iter().filter_map(|column_span| match self.between {
                Between::Datasets => Some(span.name),
                Between::Columns => graph.node(span.name, column_span.name),
            })
        });
        let mut nodes: Vec<u32> = nodes.collect();
        nodes.sort_unstable();
        nodes.dedup();
        for node in nodes {
            let edges = self.sorted_out.edges(graph, (self.between, way), node, (born, column));
            for edge in edges.iter() {
                self.take(near, *edge, way, steps);
            }
        }
    }

    fn scan_node(&mut self, node: u32, near: u32, way: Way, steps: &mut Vec<Step>) -> Sorted {
        let (old, new) = self.graph.adjacency(self.between, way);
        let mut sorted = Sorted::Yes;
        if way == Way::Up && self.gone == Gone::Skipped && self.is_settled(near) {
            // One look at the place for all of its edges.
            for (other, write, mark) in old.edges(node) {
                if self.is_asked(write, mark) && !self.graph.base.gone.get(write) {
                    let far = self.far(other, write, way);
                    steps.push(Step { far, mark, write });
                    if self.get(far).is_none_or(|place| place.node == NO_NODE) {
                        sorted = Sorted::No;
                    }
                }
            }
            return sorted;
        }
        for edge in old.edges(node) {
            if !self.take(near, edge, way, steps) {
                sorted = Sorted::No;
            }
        }
        if !new.is_empty() {
            for half in new.get(node) {
                self.take(near, (half.other, half.write, half.mark), way, steps);
                sorted = Sorted::No;
            }
        }
        sorted
    }

    /// The edge from a place down to a node, if it counts.
    pub fn scan_down(&mut self, edge: (u32, u32, Mark), steps: &mut Vec<Step>) {
        self.take(NO_NODE, edge, Way::Down, steps);
    }

    /// Does the base know all of what is left of the edges into a place?
    fn is_settled(&self, place: u32) -> bool {
        !self.is_moving && self.get(place).is_some_and(|place| place.is_settled)
    }

    /// Takes an edge if it counts. Says whether the order of nodes is that of places here.
    #[inline]
    fn take(
        &mut self,
        near: u32,
        (other, write, mark): (u32, u32, Mark),
        way: Way,
        steps: &mut Vec<Step>,
    ) -> bool {
        if !self.is_asked(write, mark) {
            return true;
        }
        let skips_gone = self.gone == Gone::Skipped;
        if way == Way::Up && skips_gone && !self.is_current(near, write) {
            return true;
        }
        let far = self.far(other, write, way);
        let Some(place) = self.places.get(far as usize) else { return true };
        let is_plain = place.node != NO_NODE;
        if way == Way::Down && skips_gone {
            let is_current = if place.is_settled && !self.is_moving {
                !self.graph.base.gone.get(write)
            } else {
                self.is_current(far, write)
            };
            if !is_current {
                return true;
            }
        }
        steps.push(Step { far, mark, write });
        is_plain
    }

    #[inline]
    fn is_asked(&self, write: u32, mark: Mark) -> bool {
        (!self.is_direct_only || mark.is_direct()) && (!self.is_timed || self.is_in_time(write))
    }

    /// The place at the other end of an edge.
    #[inline]
    fn far(&mut self, node: u32, write: u32, way: Way) -> u32 {
        match self.plain.get(node) {
            plain if plain < MANY => plain,
            _ => self.resolve(node, write, way),
        }
    }

    fn is_in_time(&self, write: u32) -> bool {
        let run = self.graph.run_of_write(write);
        self.graph.is_until(run, self.until) && self.window.is_none_or(|window| self.is_in(window, run))
    }

    /// Is a write to the dataset of a place one that is asked for, and current?
    pub fn counts(&mut self, place: u32, write: u32) -> bool {
        self.is_in_time(write) && self.is_current(place, write)
    }

    fn is_in(&self, window: Window, run: u32) -> bool {
        let ended = self.graph.ended(run);
        window.from.0 <= ended && ended < window.until.0
    }

    /// Is something of a write to a place there, or in what was made of it?
    #[inline]
    fn is_current(&mut self, place: u32, write: u32) -> bool {
        let Some(Place { dataset, closed, .. }) = self.places.get(place as usize) else { return false };
        let Some(dataset) = self.datasets.get(*dataset as usize) else { return false };
        if *closed != OPEN {
            return self.carried_on.is_carried_on_before(dataset.born, write, *closed)
                && (dataset.currency.is_there(self.graph, write)
                    || self.carried_on.is_carried_on(dataset.born, write));
        }
        if dataset.currency.is_there(self.graph, write) {
            return true;
        }
        if matches!(dataset.currency, Currency::Settled)
            && (!self.is_moving || self.graph.base.gone.get(write))
        {
            return !self.graph.base.gone.get(write);
        }
        self.carried_on.is_carried_on(dataset.born, write)
    }

    /// Is something of a write to the dataset of a place there to be read?
    #[inline]
    pub fn is_readable(&self, place: u32, write: u32) -> bool {
        !self.is_closed(place)
            && self.dataset_of(place).is_some_and(|dataset| dataset.currency.is_there(self.graph, write))
    }

    /// What a node stood for when an edge of a write led to it.
    fn resolve(&mut self, node: u32, write: u32, way: Way) -> u32 {
        let graph = self.graph;
        let (name, column) = match self.between {
            Between::Datasets => (node, ALL_COLUMNS),
            Between::Columns => graph.node_parts(node),
        };
        let is_plain = match self.last.and_then(|(_, place)| self.datasets.get(place as usize)) {
            Some(last) if last.born == (name, 0) => last.spans.is_empty(),
            _ => graph.is_plain(name),
        };
        if is_plain {
            return self.add_plain(node, (name, column));
        }
        self.plain.set(node, MANY);
        let run = graph.run_of_write(write);
        let moment = match way {
            Way::Down => Moment::writes(run),
            Way::Up => Moment::reads(run),
        };
        let born = graph.born_as(name, moment);
        let column = if column == ALL_COLUMNS { WHOLE } else { graph.column_born_as(born, column, moment) };
        self.of_identity(born, column)
    }

    fn of_plain_node(&mut self, node: u32, name: u32) -> u32 {
        let known = self.plain.get(node);
        if known < MANY {
            return known;
        }
        let column = match self.between {
            Between::Datasets => ALL_COLUMNS,
            Between::Columns => self.graph.node_parts(node).1,
        };
        self.add_plain(node, (name, column))
    }

    fn add_plain(&mut self, node: u32, (name, column): (u32, u32)) -> u32 {
        let dataset = self.dataset((name, 0));
        let place = self.add(node, dataset, (column, 0), OPEN);
        self.plain.set(node, place);
        place
    }

    fn of_identity(&mut self, born: Born, column: Born) -> u32 {
        let graph = self.graph;
        if born.1 == 0 && graph.is_plain(born.0) {
            let node = match self.between {
                Between::Datasets => Some(born.0),
                Between::Columns => graph.node(born.0, column.0),
            };
            if let Some(node) = node {
                return self.of_plain_node(node, born.0);
            }
        }
        if let Some(place) = self.other.get(&(born, column)) {
            return *place;
        }
        let columns = graph.life(born).and_then(|life| life.columns.as_ref());
        let life = columns.and_then(|columns| columns.life(column));
        let is_closed = |life: &&Life| life.is_closed(graph, self.until);
        let closed = life.filter(is_closed).and_then(|life| life.closed).map_or(OPEN, |closed| closed.run);
        let dataset = self.dataset(born);
        let place = self.add(NO_NODE, dataset, column, closed);
        self.other.insert((born, column), place);
        place
    }

    fn add(&mut self, node: u32, dataset: u32, column: Born, closed: u32) -> u32 {
        let place = self.places.len() as u32;
        let info = self.datasets.get(dataset as usize);
        let is_settled = info.is_some_and(|info| matches!(info.currency, Currency::Settled));
        self.places.push(Place {
            node,
            dataset,
            column,
            depth: 0,
            shown: NOT_SHOWN,
            is_reached: false,
            is_scanned: false,
            is_hidden: info.is_some_and(|info| info.is_hidden),
            closed,
            is_settled: is_settled && closed == OPEN,
        });
        place
    }

    fn dataset(&mut self, born: Born) -> u32 {
        if let Some((last, place)) = self.last
            && last == born
        {
            return place;
        }
        let known = self.dataset_places.get(&born).copied();
        let place = known.unwrap_or_else(|| self.new_dataset(born));
        self.last = Some((born, place));
        place
    }

    fn new_dataset(&mut self, born: Born) -> u32 {
        let graph = self.graph;
        let spans = if graph.is_plain(born.0) { Vec::new() } else { graph.spans(born) };
        let is_named_temporary = |name: u32| name_text::is_temporary(graph.dataset_text(name));
        let is_temporary = match spans.as_slice() {
            [] => is_named_temporary(born.0),
            spans => spans.iter().all(|span| is_named_temporary(span.name)),
        };
        let currency = Currency::of(&mut self.lists, born, self.until);
        let id = DatasetId { name: born.0, life: born.1 };
        let dataset = Dataset {
            born,
            is_closed: graph.is_closed(born, self.until),
            is_temporary,
            is_masked: (self.visible)(id) == Visibility::Masked,
            is_stop: self.stop.contains(&born),
            is_hidden: is_temporary && self.is_collapsing && !self.start.contains(&born),
            whole: None,
            spans,
            currency,
        };
        let place = self.datasets.len() as u32;
        self.datasets.push(dataset);
        self.dataset_places.insert(born, place);
        place
    }
}
