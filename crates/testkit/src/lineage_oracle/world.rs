//! What a set of runs adds up to: each dataset there ever was with its names, columns and versions, and each edge.

use std::collections::{BTreeMap, BTreeSet};

use guardbee_lineage::{
    AsOf, DatasetChange, DatasetName, EdgeKind, Partition, Run, RunKey, Target, WriteAct, WriteKind,
};
use guardbee_model::{Name, TableName};

/// A place in the order of everything that happens: the place of the run, from 1, then the step within it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub run: usize,
    pub step: usize,
}

impl Place {
    pub const BEGINNING: Self = Self { run: 0, step: 0 };
    pub const NEVER: Self = Self { run: usize::MAX, step: usize::MAX };

    const fn reads(run: usize) -> Self {
        Self { run, step: 0 }
    }

    const fn change(run: usize, change: usize) -> Self {
        Self { run, step: change + 1 }
    }

    const fn writes(run: usize) -> Self {
        Self { run, step: usize::MAX }
    }
}

/// What something is called from one place until before another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment<N> {
    pub name: N,
    pub from: Place,
    pub until: Place,
}

/// A thing with names: at most one at a time, and none any more once it is closed.
#[derive(Debug, Clone)]
pub struct Life<N> {
    pub segments: Vec<Segment<N>>,
    pub closed: Option<Place>,
}

impl<N: Clone + PartialEq> Life<N> {
    fn starting(name: &N, from: Place) -> Self {
        Self { segments: vec![Segment { name: name.clone(), from, until: Place::NEVER }], closed: None }
    }

    fn is_called(&self, name: &N) -> bool {
        self.closed.is_none() && self.segments.last().is_some_and(|last| last.name == *name)
    }

    fn end_segment(&mut self, place: Place) {
        if let Some(last) = self.segments.last_mut() {
            last.until = place;
        }
    }

    fn close(&mut self, place: Place) {
        self.end_segment(place);
        self.closed = Some(place);
    }

    fn rename(&mut self, to: &N, place: Place) {
        self.end_segment(place);
        self.segments.push(Segment { name: to.clone(), from: place, until: Place::NEVER });
    }

    /// The name after that many runs: the last it had until then, else the first it had.
    #[must_use]
    pub fn name_after(&self, runs: usize) -> &N {
        let until_then = self.segments.iter().rev().find(|segment| segment.from.run <= runs);
        &until_then.unwrap_or(&self.segments[0]).name
    }

    #[must_use]
    pub fn bears_after(&self, name: &N, runs: usize) -> bool {
        let holds = |segment: &Segment<N>| segment.from.run <= runs && runs < segment.until.run;
        self.segments.iter().any(|segment| segment.name == *name && holds(segment))
    }

    #[must_use]
    pub fn is_closed_after(&self, runs: usize) -> bool {
        self.closed.is_some_and(|closed| closed.run <= runs)
    }
}

pub type Column = Life<Name>;

#[derive(Debug, Clone)]
pub struct Dataset {
    pub life: Life<DatasetName>,
    pub predecessor: Option<usize>,
    pub columns: Vec<Column>,
    /// In order; each but the partitions that are dropped makes a version, the first is version 1.
    pub writes: Vec<Write>,
    /// The places of the runs that read it, each once.
    pub read_by: Vec<usize>,
}

/// What a run did to the content of a dataset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Write {
    pub run: usize,
    pub act: WriteAct,
    pub partition: Partition,
}

impl Write {
    /// A partition that is dropped makes no version.
    #[must_use]
    pub fn is_version(&self) -> bool {
        self.act != WriteAct::PartitionDropped
    }

    /// Does it put anything there?
    #[must_use]
    pub const fn brings(&self) -> bool {
        !matches!(self.act, WriteAct::Truncate | WriteAct::PartitionDropped | WriteAct::PartitionMovedOut)
    }

    const fn removes(&self) -> bool {
        use WriteAct::{Define, Overwrite, PartitionDropped, PartitionMovedOut, Truncate};
        matches!(self.act, Overwrite | Define | Truncate | PartitionDropped | PartitionMovedOut)
    }
}

const fn act(write: WriteKind) -> WriteAct {
    match write {
        WriteKind::Append => WriteAct::Append,
        WriteKind::Overwrite => WriteAct::Overwrite,
        WriteKind::Define => WriteAct::Define,
        WriteKind::Modify => WriteAct::Modify,
        WriteKind::Truncate => WriteAct::Truncate,
        WriteKind::Locate => WriteAct::Locate,
    }
}

/// A dataset as a whole, or a column of it; both by their places in the lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Node {
    pub dataset: usize,
    pub column: Option<usize>,
}

/// One thing that went into another.
#[derive(Debug, Clone)]
pub struct Edge {
    pub run: usize,
    /// The place of the target in the run.
    pub target: usize,
    pub from: Node,
    pub to: Node,
    /// None where a whole dataset went in.
    pub kind: Option<EdgeKind>,
    pub masked: bool,
    pub unresolved: bool,
    pub through: Vec<usize>,
    partition: Partition,
    /// Later than every removal, where none removed it.
    removed: usize,
}

impl Edge {
    /// Do values go where it leads? A whole dataset goes with its values.
    #[must_use]
    pub fn is_direct(&self) -> bool {
        self.kind.is_none_or(EdgeKind::is_direct)
    }
}

/// A name that a run mentioned, and what that stood for.
#[derive(Debug, Clone)]
pub struct Mention {
    pub run: usize,
    pub side: Side,
    pub dataset: DatasetName,
    pub column: Option<Name>,
    pub node: Node,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Read,
    Written,
}

/// The targets of runs that say something about what is there after so many runs.
#[derive(Debug, Clone)]
pub struct Current {
    runs: usize,
    /// By run and place of the target.
    writes: BTreeSet<(usize, usize)>,
}

/// Everything that follows from a set of runs.
#[derive(Debug, Clone, Default)]
pub struct World {
    /// In order; the place of a run is one more than its index here.
    pub runs: Vec<Run>,
    pub datasets: Vec<Dataset>,
    pub edges: Vec<Edge>,
    /// Of all inputs, sources, influences and targets.
    pub mentions: Vec<Mention>,
    /// The columns that some write names.
    pub written: BTreeSet<Node>,
}

impl World {
    #[must_use]
    pub fn of(runs: &[Run]) -> Self {
        let by_key: BTreeMap<&RunKey, &Run> = runs.iter().map(|run| (&run.key, run)).collect();
        let mut ordered: Vec<Run> = by_key.into_values().cloned().collect();
        ordered.sort_by(|one, other| (one.ended_at, &one.key).cmp(&(other.ended_at, &other.key)));
        let mut world = Self::default();
        for (index, run) in ordered.iter().enumerate() {
            world.live_through(index + 1, run);
        }
        world.runs = ordered;
        world.mark_removed();
        world
    }

    /// How many runs had ended at a moment.
    #[must_use]
    pub fn runs_until(&self, moment: AsOf) -> usize {
        match moment {
            AsOf::Now => self.runs.len(),
            AsOf::At(moment) => self.runs.iter().filter(|run| run.ended_at <= moment).count(),
        }
    }

    /// What a name stood for after that many runs.
    #[must_use]
    pub fn find(&self, name: &DatasetName, runs: usize) -> Option<usize> {
        self.datasets.iter().position(|dataset| dataset.life.bears_after(name, runs))
    }

    #[must_use]
    pub fn find_column(&self, dataset: usize, name: &Name, runs: usize) -> Option<usize> {
        self.datasets[dataset].columns.iter().position(|column| column.bears_after(name, runs))
    }

    /// Is it no more after that many runs?
    #[must_use]
    pub fn is_closed(&self, node: Node, runs: usize) -> bool {
        let dataset = &self.datasets[node.dataset];
        let column = node.column.map(|column| &dataset.columns[column]);
        dataset.life.is_closed_after(runs) || column.is_some_and(|column| column.is_closed_after(runs))
    }

    /// Is what the edge brought there after that many runs?
    #[must_use]
    pub fn is_there(&self, edge: &Edge, runs: usize) -> bool {
        edge.run <= runs && runs < edge.removed && !self.is_closed(edge.to, runs)
    }

    /// Does the edge say something about what is there after that many runs, or about what was made of it?
    #[must_use]
    pub fn is_current(&self, edge: &Edge, current: &Current) -> bool {
        let columns = &self.datasets[edge.to.dataset].columns;
        let closed = edge.to.column.and_then(|column| columns[column].closed).map(|closed| closed.run);
        let is_kept =
            |closed| current.runs < closed || self.went_on(edge.to.dataset, edge.run, closed, current);
        self.is_dataset_current(edge, current) && closed.is_none_or(is_kept)
    }

    /// The same for what goes from dataset to dataset, whatever becomes of a column.
    #[must_use]
    pub fn is_dataset_current(&self, edge: &Edge, current: &Current) -> bool {
        current.writes.contains(&(edge.run, edge.target))
    }

    /// What is current after that many runs. From the last run back, for what is later decides about what is earlier.
    #[must_use]
    pub fn current_after(&self, runs: usize) -> Current {
        let mut current = Current { runs, writes: BTreeSet::new() };
        let mut edges: Vec<&Edge> = self.edges.iter().filter(|edge| edge.run <= runs).collect();
        edges.sort_by_key(|edge| std::cmp::Reverse(edge.run));
        for of_run in edges.chunk_by(|one, other| one.run == other.run) {
            let is_current = |edge: &&&Edge| {
                let (dataset, act) =
                    (edge.to.dataset, act(self.runs[edge.run - 1].targets[edge.target].write));
                self.is_left(dataset, (edge.run, act), edge.removed, &current)
            };
            let found: Vec<(usize, usize)> =
                of_run.iter().filter(is_current).map(|edge| (edge.run, edge.target)).collect();
            current.writes.extend(found);
        }
        current
    }

    /// Is what a run put into a dataset there, or did it go on before it was removed into something that is current?
    #[must_use]
    pub fn is_left(
        &self,
        dataset: usize,
        (run, act): (usize, WriteAct),
        removed: usize,
        current: &Current,
    ) -> bool {
        let closed = self.datasets[dataset].life.closed.map_or(usize::MAX, |closed| closed.run);
        let end = removed.min(closed);
        current.runs < end || act != WriteAct::Define && self.went_on(dataset, run, end, current)
    }

    /// Did a run after one and not after another read a dataset and make something of it that is current?
    fn went_on(&self, dataset: usize, after: usize, end: usize, current: &Current) -> bool {
        let end = end.min(current.runs);
        let write = |edge: &Edge| self.runs[edge.run - 1].targets[edge.target].write;
        let names = |edge: &Edge, dataset| edge.from.dataset == dataset || edge.through.contains(&dataset);
        let lying_over: Vec<&Edge> = self
            .edges
            .iter()
            .filter(|edge| write(edge) == WriteKind::Locate && names(edge, dataset))
            .collect();
        let reads = |edge: &Edge| {
            names(edge, dataset)
                || lying_over.iter().any(|link| link.run < edge.run && names(edge, link.to.dataset))
        };
        let shows = |edge: &Edge| matches!(write(edge), WriteKind::Define | WriteKind::Locate);
        let mut later = self.edges.iter().filter(|edge| after < edge.run && edge.run <= end);
        later.any(|edge| reads(edge) && !shows(edge) && self.is_dataset_current(edge, current))
    }

    fn live_through(&mut self, place: usize, run: &Run) {
        let reads = Place::reads(place);
        for input in &run.inputs {
            self.read(&input.dataset, reads);
            self.read_views(&input.through, reads);
        }
        // Sources are looked up before the changes, and the edges are made after them.
        let incoming: Vec<Vec<Edge>> = run
            .targets
            .iter()
            .enumerate()
            .map(|(index, target)| self.sources(target, index, reads))
            .collect();
        for (index, change) in run.changes.iter().enumerate() {
            self.change(change, Place::change(place, index));
        }
        for (target, edges) in run.targets.iter().zip(incoming) {
            self.write(target, edges, Place::writes(place));
        }
    }

    fn read(&mut self, name: &DatasetName, place: Place) -> usize {
        let dataset = self.mention(name);
        let readers = &mut self.datasets[dataset].read_by;
        if readers.last() != Some(&place.run) {
            readers.push(place.run);
        }
        self.note(place.run, Side::Read, name, None, Node { dataset, column: None });
        dataset
    }

    fn note(&mut self, run: usize, side: Side, dataset: &DatasetName, column: Option<&Name>, node: Node) {
        let (dataset, column) = (dataset.clone(), column.cloned());
        self.mentions.push(Mention { run, side, dataset, column, node });
    }

    fn read_views(&mut self, views: &[TableName], place: Place) -> Vec<usize> {
        views.iter().map(|view| self.read(&DatasetName::Table(view.clone()), place)).collect()
    }

    /// The edges into a target; what they lead to is known after the changes only. Until then a column is named by
    /// its place in the target.
    fn sources(&mut self, target: &Target, index: usize, place: Place) -> Vec<Edge> {
        let mut edges = Vec::new();
        let edge = |world: &mut Self, to: Option<usize>, from: &DatasetName, column: Option<&Name>| {
            let dataset = world.read(from, place);
            let node = Node { dataset, column: column.map(|column| world.mention_column(dataset, column)) };
            world.note(place.run, Side::Read, from, column, node);
            Edge {
                run: place.run,
                target: index,
                from: node,
                to: Node { dataset: usize::MAX, column: to },
                kind: None,
                masked: false,
                unresolved: false,
                through: Vec::new(),
                partition: target.partition.clone(),
                removed: usize::MAX,
            }
        };
        for (column_index, column) in target.columns.iter().enumerate() {
            for source in &column.sources {
                let plain = edge(self, Some(column_index), &source.dataset, Some(&source.column));
                let through = self.read_views(&source.through, place);
                let (kind, masked, unresolved) = (Some(source.kind), source.masked, source.unresolved);
                edges.push(Edge { kind, masked, unresolved, through, ..plain });
            }
        }
        let own = target.columns.iter().enumerate();
        let own = own.flat_map(|(index, column)| column.influences.iter().map(move |one| (Some(index), one)));
        for (to, influence) in own.chain(target.influences.iter().map(|one| (None, one))) {
            let plain = edge(self, to, &influence.dataset, Some(&influence.column));
            let through = self.read_views(&influence.through, place);
            let (kind, masked, unresolved) = (Some(influence.kind), influence.masked, influence.unresolved);
            edges.push(Edge { kind, masked, unresolved, through, ..plain });
        }
        for whole in &target.whole {
            edges.push(edge(self, None, whole, None));
        }
        edges
    }

    fn write(&mut self, target: &Target, edges: Vec<Edge>, place: Place) {
        let dataset = self.mention(&target.dataset);
        let columns: Vec<usize> =
            target.columns.iter().map(|column| self.mention_column(dataset, &column.name)).collect();
        self.note(place.run, Side::Written, &target.dataset, None, Node { dataset, column: None });
        self.written.extend(columns.iter().map(|column| Node { dataset, column: Some(*column) }));
        self.touch_content(dataset, place, act(target.write), &target.partition);
        for mut edge in edges {
            edge.to = Node { dataset, column: edge.to.column.map(|index| columns[index]) };
            self.edges.push(edge);
        }
    }

    fn change(&mut self, change: &DatasetChange, place: Place) {
        match change {
            DatasetChange::Create { dataset, columns } => {
                if let Some(open) = self.open(dataset) {
                    self.close(open, place);
                }
                let new = self.start(dataset, place);
                self.list(new, columns);
            }
            DatasetChange::Ensure { dataset, columns } => {
                let there = self.open(dataset).unwrap_or_else(|| self.start(dataset, place));
                self.list(there, columns);
            }
            DatasetChange::Drop { dataset } => {
                let dataset = self.mention(dataset);
                self.close(dataset, place);
            }
            DatasetChange::Rename { from, to } => {
                let moved = self.mention(from);
                if from == to {
                    return;
                }
                if let Some(open) = self.open(to) {
                    self.close(open, place);
                }
                self.datasets[moved].life.rename(to, place);
            }
            DatasetChange::RenameColumn { dataset, from, to } => {
                let dataset = self.mention(dataset);
                let moved = self.mention_column(dataset, from);
                if from == to {
                    return;
                }
                if let Some(open) = self.open_column(dataset, to) {
                    self.datasets[dataset].columns[open].close(place);
                }
                self.datasets[dataset].columns[moved].rename(to, place);
            }
            DatasetChange::DropColumn { dataset, column } => {
                let dataset = self.mention(dataset);
                let column = self.mention_column(dataset, column);
                self.datasets[dataset].columns[column].close(place);
            }
            DatasetChange::MovePartition { from, to, partition } => {
                let (from, to) = (self.mention(from), self.mention(to));
                self.touch_content(from, place, WriteAct::PartitionMovedOut, partition);
                self.touch_content(to, place, WriteAct::PartitionMovedIn, partition);
            }
            DatasetChange::DropPartition { dataset, partition } => {
                let dataset = self.mention(dataset);
                self.touch_content(dataset, place, WriteAct::PartitionDropped, partition);
            }
        }
    }

    fn touch_content(&mut self, dataset: usize, place: Place, act: WriteAct, partition: &Partition) {
        let partition = partition.clone();
        self.datasets[dataset].writes.push(Write { run: place.run, act, partition });
    }

    fn open(&self, name: &DatasetName) -> Option<usize> {
        self.datasets.iter().position(|dataset| dataset.life.is_called(name))
    }

    fn open_column(&self, dataset: usize, name: &Name) -> Option<usize> {
        self.datasets[dataset].columns.iter().position(|column| column.is_called(name))
    }

    fn mention(&mut self, name: &DatasetName) -> usize {
        let lives = self.datasets.iter().map(|dataset| &dataset.life);
        let from = last_end(lives, name).map_or(Place::BEGINNING, |(_, end)| end);
        self.open(name).unwrap_or_else(|| self.start(name, from))
    }

    fn mention_column(&mut self, dataset: usize, name: &Name) -> usize {
        if let Some(open) = self.open_column(dataset, name) {
            return open;
        }
        let columns = &mut self.datasets[dataset].columns;
        let from = last_end(columns.iter(), name).map_or(Place::BEGINNING, |(_, end)| end);
        columns.push(Life::starting(name, from));
        columns.len() - 1
    }

    fn start(&mut self, name: &DatasetName, from: Place) -> usize {
        let lives = self.datasets.iter().map(|dataset| &dataset.life);
        let last = last_end(lives, name);
        let predecessor = last.filter(|(index, end)| self.datasets[*index].life.closed == Some(*end));
        self.datasets.push(Dataset {
            life: Life::starting(name, from),
            predecessor: predecessor.map(|(index, _)| index),
            columns: Vec::new(),
            writes: Vec::new(),
            read_by: Vec::new(),
        });
        self.datasets.len() - 1
    }

    fn list(&mut self, dataset: usize, columns: &[Name]) {
        for column in columns {
            self.mention_column(dataset, column);
        }
    }

    fn close(&mut self, dataset: usize, place: Place) {
        self.datasets[dataset].life.close(place);
        let name = self.datasets[dataset].life.segments.last().map(|last| last.name.clone());
        let Some(DatasetName::Database(database)) = name else { return };
        for inside in &mut self.datasets {
            let is_inside = match inside.life.segments.last().map(|last| &last.name) {
                Some(DatasetName::Table(table) | DatasetName::Temporary { table, .. }) => {
                    table.database == database
                }
                _ => false,
            };
            if is_inside && inside.life.closed.is_none() {
                inside.life.close(place);
            }
        }
    }

    fn mark_removed(&mut self) {
        for edge in &mut self.edges {
            let write = self.runs[edge.run - 1].targets[edge.target].write;
            edge.removed = self.datasets[edge.to.dataset].removed((edge.run, act(write)), &edge.partition);
        }
    }
}

impl Dataset {
    /// The run that removed what a run put into a partition, or one later than any.
    #[must_use]
    pub fn removed(&self, (run, act): (usize, WriteAct), partition: &Partition) -> usize {
        if act == WriteAct::Locate {
            return usize::MAX;
        }
        let is_removing =
            |write: &&Write| write.run > run && write.removes() && removes(&write.partition, partition);
        self.writes.iter().filter(is_removing).map(|write| write.run).min().unwrap_or(usize::MAX)
    }
}

/// Does a removal of the one leave nothing of the other?
fn removes(scope: &Partition, partition: &Partition) -> bool {
    scope.iter().all(|(column, value)| {
        value.is_some() && partition.iter().any(|(other, there)| other == column && there == value)
    })
}

/// The last of those that the name stood for, and where it stopped to.
fn last_end<'l, N: Clone + PartialEq + 'l>(
    lives: impl Iterator<Item = &'l Life<N>>,
    name: &N,
) -> Option<(usize, Place)> {
    let mut found: Option<(usize, Place)> = None;
    for (index, life) in lives.enumerate() {
        for segment in life.segments.iter().filter(|segment| segment.name == *name) {
            if found.is_none_or(|(_, end)| end <= segment.until) {
                found = Some((index, segment.until));
            }
        }
    }
    found
}
