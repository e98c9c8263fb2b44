//! One state of a graph, and access to its two parts as if they were one.
//!
//! A graph never changes: recording gives another one, which shares with it what is the same. So a copy costs
//! nothing, may be read by any number of threads, and answers the same for ever.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use guardbee_model::{Name, Timestamp};
use smol_str::SmolStr;

use crate::adjacency::Adjacency;
use crate::base::{ALL_COLUMNS, Base};
use crate::change::Change;
use crate::delta::{Delta, EdgeMap, ListMap};
use crate::lists::Lists;
use crate::mark::Mark;
use crate::moment::{Moment, Order, RunIndex};
use crate::name_text;
use crate::question::AsOf;
use crate::run::{DatasetName, Partition, RunKey};
use crate::timeline::Timeline;
use crate::write::{WHOLE_DATASET, Write, WriteAct};

/// Everything that was recorded until a moment.
#[derive(Clone, Default)]
pub struct Graph {
    pub(crate) base: Arc<Base>,
    pub(crate) delta: Delta,
}

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Graph")
            .field("runs", &self.run_count())
            .field("edges", &self.edge_count())
            .field("delta_edges", &self.delta_edges())
            .finish_non_exhaustive()
    }
}

/// Along the flow of data or against it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Way {
    Down,
    Up,
}

/// What edges lead between.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Between {
    Columns,
    Datasets,
}

impl Graph {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    #[must_use]
    pub fn run_count(&self) -> usize {
        self.base.runs.len() as usize + self.delta.runs.len()
    }

    /// Edges between columns, each once for each run.
    #[must_use]
    pub fn edge_count(&self) -> usize {
        self.base.columns_down.len() + self.delta.edge_count
    }

    /// Edges between columns that are not compacted yet.
    #[must_use]
    pub const fn delta_edges(&self) -> usize {
        self.delta.edge_count
    }

    /// Names of datasets, whatever they stood for.
    #[must_use]
    pub fn name_count(&self) -> usize {
        self.dataset_names() as usize
    }

    pub(crate) fn node_count(&self) -> usize {
        self.base.nodes.len() as usize + self.delta.nodes.len()
    }

    /// Bytes that the compacted part takes.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.base.memory_bytes()
    }

    /// Bytes of what leads from column to column in the compacted part, both directions together, without what is
    /// known about each edge.
    #[must_use]
    pub fn topology_bytes(&self) -> usize {
        self.base.columns_down.topology_bytes() + self.base.columns_up.topology_bytes()
    }

    /// Bytes of what is known about each of these edges, its write and its kind, both directions together.
    #[must_use]
    pub fn attribute_bytes(&self) -> usize {
        let base = &self.base;
        base.columns_down.memory_bytes() + base.columns_up.memory_bytes() - self.topology_bytes()
    }

    #[must_use]
    pub fn run_key(&self, run: RunIndex) -> RunKey {
        RunKey(SmolStr::new(self.delta.keys.get(&self.base.runs.keys, run.0)))
    }

    /// The run of a key, if it was recorded.
    #[must_use]
    pub fn run_of_key(&self, key: &RunKey) -> Option<RunIndex> {
        self.delta.keys.find(&self.base.runs.keys, &key.0).map(RunIndex)
    }

    /// When a run ended.
    #[must_use]
    pub fn run_ended_at(&self, run: RunIndex) -> Timestamp {
        Timestamp(self.ended(run.0))
    }

    #[must_use]
    pub fn run_operation(&self, run: RunIndex) -> SmolStr {
        SmolStr::new(self.delta.operations.get(&self.base.operations, self.operation(run.0)))
    }

    /// Does the first run come before the second?
    #[must_use]
    pub fn is_run_before(&self, one: RunIndex, other: RunIndex) -> bool {
        one != other && self.compare_runs(one.0, other.0).is_lt()
    }
}

impl Order for Graph {
    fn compare_runs(&self, one: u32, other: u32) -> Ordering {
        let old = self.base.runs.len();
        match (one.checked_sub(old), other.checked_sub(old)) {
            (None, None) => one.cmp(&other),
            (None, Some(new)) => {
                if one < self.delta.runs.get(new as usize).map_or(0, |run| run.after) {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
            (Some(_), None) => self.compare_runs(other, one).reverse(),
            (Some(_), Some(_)) if one == other => Ordering::Equal,
            (Some(_), Some(_)) => {
                self.ended(one).cmp(&self.ended(other)).then_with(|| self.key(one).cmp(self.key(other)))
            }
        }
    }
}

impl Graph {
    pub(crate) fn ended(&self, run: u32) -> i64 {
        let ended = match run.checked_sub(self.base.runs.len()) {
            None => self.base.runs.ended(run),
            Some(new) => self.delta.runs.get(new as usize).map(|run| run.ended),
        };
        ended.unwrap_or(i64::MAX)
    }

    pub(crate) fn operation(&self, run: u32) -> u32 {
        let operation = match run.checked_sub(self.base.runs.len()) {
            None => self.base.runs.operations.get(run as usize).copied(),
            Some(new) => self.delta.runs.get(new as usize).map(|run| run.operation),
        };
        operation.unwrap_or(0)
    }

    fn key(&self, run: u32) -> &str {
        self.delta.keys.get(&self.base.runs.keys, run)
    }

    pub(crate) fn write(&self, write: u32) -> Option<Write> {
        match write.checked_sub(self.base.writes.len()) {
            None => self.base.writes.get(write),
            Some(new) => self.delta.writes.get(new as usize).copied(),
        }
    }

    pub(crate) fn run_of_write(&self, write: u32) -> u32 {
        match write.checked_sub(self.base.writes.len()) {
            None => self.base.writes.run(write),
            Some(new) => self.delta.writes.get(new as usize).map_or(0, |write| write.moment.run),
        }
    }

    pub(crate) fn compare_writes(&self, one: u32, other: u32) -> Ordering {
        match (self.write(one), self.write(other)) {
            (Some(first), Some(second)) => {
                self.compare(first.moment, second.moment).then_with(|| one.cmp(&other))
            }
            _ => one.cmp(&other),
        }
    }

    pub(crate) fn partition(&self, scope: u32) -> Partition {
        if scope == WHOLE_DATASET {
            return Partition::new();
        }
        name_text::read_partition(self.delta.scopes.get(&self.base.scopes, scope))
    }

    pub(crate) fn dataset_names(&self) -> u32 {
        self.base.datasets.len() + self.delta.datasets.len()
    }

    pub(crate) fn dataset_text(&self, dataset: u32) -> &str {
        self.delta.datasets.get(&self.base.datasets, dataset)
    }

    pub(crate) fn dataset_name(&self, dataset: u32) -> DatasetName {
        name_text::read_dataset(self.dataset_text(dataset))
    }

    pub(crate) fn dataset_number(&self, name: &DatasetName) -> Option<u32> {
        let mut text = String::new();
        name_text::write_dataset(name, &mut text);
        self.delta.datasets.find(&self.base.datasets, &text)
    }

    pub(crate) fn column_text(&self, column: u32) -> &str {
        self.delta.columns.get(&self.base.columns, column)
    }

    pub(crate) fn column_name(&self, column: u32) -> Name {
        Name::fold(self.column_text(column))
    }

    pub(crate) fn column_number(&self, name: &Name) -> Option<u32> {
        self.delta.columns.find(&self.base.columns, name)
    }

    pub(crate) fn compare_datasets(&self, one: u32, other: u32) -> Ordering {
        if one == other || one.max(other) < self.base.datasets.len() {
            return one.cmp(&other);
        }
        self.dataset_text(one).cmp(self.dataset_text(other))
    }

    /// The whole dataset comes before its columns.
    pub(crate) fn compare_columns(&self, one: u32, other: u32) -> Ordering {
        match (one, other) {
            (one, other) if one == other => Ordering::Equal,
            (ALL_COLUMNS, _) => Ordering::Less,
            (_, ALL_COLUMNS) => Ordering::Greater,
            (one, other) => self.column_text(one).cmp(self.column_text(other)),
        }
    }

    pub(crate) fn node(&self, dataset: u32, column: u32) -> Option<u32> {
        self.base.node(dataset, column).or_else(|| self.delta.node_numbers.get(&(dataset, column)).copied())
    }

    /// Dataset and column of a node.
    pub(crate) fn node_parts(&self, node: u32) -> (u32, u32) {
        let parts = match node.checked_sub(self.base.nodes.len()) {
            None => self.base.nodes.get(node),
            Some(new) => self.delta.nodes.get(new as usize).copied(),
        };
        parts.unwrap_or((u32::MAX, ALL_COLUMNS))
    }

    /// The columns that were ever mentioned under a name, in order of their own names.
    pub(crate) fn column_nodes(&self, dataset: u32) -> Vec<u32> {
        let old = self.base.nodes.of_dataset(dataset);
        let mut nodes: Vec<u32> = old.skip(1).collect();
        if self.delta.nodes_of.has(dataset) {
            let new = self.delta.nodes_of.get(dataset).copied();
            nodes.extend(new.filter(|node| self.node_parts(*node).1 != ALL_COLUMNS));
            nodes.sort_by(|one, other| {
                self.compare_columns(self.node_parts(*one).1, self.node_parts(*other).1)
            });
        }
        nodes
    }

    pub(crate) fn adjacency(&self, between: Between, way: Way) -> (&Adjacency, &EdgeMap) {
        match (between, way) {
            (Between::Columns, Way::Down) => (&self.base.columns_down, &self.delta.columns_down),
            (Between::Columns, Way::Up) => (&self.base.columns_up, &self.delta.columns_up),
            (Between::Datasets, Way::Down) => (&self.base.datasets_down, &self.delta.datasets_down),
            (Between::Datasets, Way::Up) => (&self.base.datasets_up, &self.delta.datasets_up),
        }
    }

    /// The edges of a name: the other end, the write and the mark of each.
    pub(crate) fn edges(
        &self,
        between: Between,
        way: Way,
        node: u32,
    ) -> impl Iterator<Item = (u32, u32, Mark)> {
        let (old, new) = self.adjacency(between, way);
        old.edges(node).chain(new.get(node).map(|half| (half.other, half.write, half.mark)))
    }

    /// The writes under a name, in the order in which they happened.
    pub(crate) fn writes_of(&self, dataset: u32) -> Vec<u32> {
        let mut writes = both(&self.base.writes_of, &self.delta.writes_of, dataset);
        if self.delta.writes_of.has(dataset) {
            writes.sort_by(|one, other| self.compare_writes(*one, *other));
        }
        writes
    }

    /// Was a view ever defined under a name?
    pub(crate) fn is_defined(&self, dataset: u32) -> bool {
        self.base.defined.get(dataset) || self.has_new_write(WriteAct::Define, dataset)
    }

    /// Was a dataset under a name ever said to lie over a path?
    pub(crate) fn is_located(&self, dataset: u32) -> bool {
        self.base.located.get(dataset) || self.has_new_write(WriteAct::Locate, dataset)
    }

    /// Is there a write of an act that the base does not know of?
    fn has_new_write(&self, act: WriteAct, dataset: u32) -> bool {
        let mut writes = self.delta.writes_of.get(dataset);
        writes.any(|write| self.write(*write).is_some_and(|write| write.act == act))
    }

    /// How many versions were made under a name by writes of which the first so many are meant.
    pub(crate) fn versions_under(&self, dataset: u32, is_meant: impl Fn(Moment) -> bool) -> u32 {
        let is_meant = |write: u32| self.write(write).is_some_and(|write| is_meant(write.moment));
        let first = |list: &[u32]| list.partition_point(|write| is_meant(*write));
        let old = first(self.base.writes_of.get(dataset)) - first(self.base.unversioned_of.get(dataset));
        let new = self.delta.writes_of.get(dataset).filter(|write| {
            is_meant(**write) && self.write(**write).is_some_and(|write| write.act.is_version())
        });
        (old + new.count()) as u32
    }

    pub(crate) fn reads_of(&self, dataset: u32) -> Vec<u32> {
        both(&self.base.reads_of, &self.delta.reads_of, dataset)
    }

    pub(crate) fn bare_writes_of(&self, node: u32) -> Vec<u32> {
        both(&self.base.bare_writes_of, &self.delta.bare_writes_of, node)
    }

    /// What happened to the identity of a name, in order.
    pub(crate) fn changes_of(&self, dataset: u32) -> Vec<&Change> {
        let numbers = both(&self.base.changes_of, &self.delta.changes_of, dataset);
        let mut changes: Vec<&Change> =
            numbers.into_iter().filter_map(|change| self.change(change)).collect();
        changes.sort_by(|one, other| self.compare(one.moment, other.moment));
        changes
    }

    fn change(&self, change: u32) -> Option<&Change> {
        match (change as usize).checked_sub(self.base.changes.len()) {
            None => self.base.changes.get(change as usize),
            Some(new) => self.delta.changes.get(new),
        }
    }

    pub(crate) fn timeline(&self, dataset: u32) -> Option<&Arc<Timeline>> {
        let new = if self.delta.timelines.is_empty() { None } else { self.delta.timelines.get(&dataset) };
        new.or_else(|| self.base.timeline(dataset))
    }

    /// The number of the database that a table lives in, if that was ever named.
    pub(crate) fn database_of(&self, dataset: u32) -> Option<u32> {
        let database = name_text::database_of(self.dataset_text(dataset))?;
        self.delta.datasets.find(&self.base.datasets, &database)
    }

    pub(crate) fn until(&self, at: AsOf) -> Until {
        match at {
            AsOf::Now => Until { old: self.base.runs.len(), ended: i64::MAX },
            AsOf::At(moment) => {
                let old = self.base.runs.ended.partition_point(|ended| *ended <= moment.0);
                Until { old: old as u32, ended: moment.0 }
            }
        }
    }

    /// Had a run ended by then? The beginning always had, what never comes never.
    pub(crate) fn is_until(&self, run: u32, until: Until) -> bool {
        if run < self.base.runs.len() {
            return run < until.old;
        }
        match (Moment { run, step: 0 }).run_index() {
            Some(run) => self.ended(run.0) <= until.ended,
            None => run == Moment::BEGINNING.run,
        }
    }
}

/// A moment to look from: after all runs that had ended by then.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Until {
    /// How many runs of the base had ended.
    pub old: u32,
    pub ended: i64,
}

fn both(old: &Lists, new: &ListMap<u32>, owner: u32) -> Vec<u32> {
    let mut items = old.get(owner).to_vec();
    items.extend(new.get(owner).copied());
    items
}
