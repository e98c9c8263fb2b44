//! Taking runs in: each becomes numbers of names, writes, edges between names, and changes.
//!
//! A few runs go into the delta. What would outgrow it is compacted at once, so that loading many is fast.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::adjacency::Edge;
use crate::base::ALL_COLUMNS;
use crate::change::{Change, ChangeAct};
use crate::compact;
use crate::delta::DeltaRun;
use crate::graph::Graph;
use crate::identity;
use crate::mark::Mark;
use crate::moment::{MOST_CHANGES, MOST_RUNS, Moment, RunIndex};
use crate::name_text;
use crate::run::{DatasetChange, DatasetName, Partition, Run, Target};
use crate::run_error::RunError;
use crate::write::{WHOLE_DATASET, Write, WriteAct};
use guardbee_model::{Name, TableName};

/// A graph with more runs, and what became of each that was given.
#[derive(Debug, Clone)]
pub struct Recorded {
    pub graph: Graph,
    /// In the order of the runs.
    pub outcomes: Vec<Outcome>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It is in the graph now.
    New(RunIndex),
    /// A run of that key was there already; that one stays as it is.
    Known(RunIndex),
    Refused(RunError),
}

/// Edges in one recording from which on it may be compacted at once.
const BULK_EDGES: usize = 100_000;
/// It is, unless the base is more than that many times as large.
const BULK_SHARE: usize = 8;
/// Numbers left free for what a single run may bring.
const RESERVE: u32 = 1 << 24;

impl Graph {
    /// The graph with these runs. What it was given before, in whatever order, makes no difference to what it answers.
    #[must_use]
    pub fn record(&self, runs: &[Run]) -> Recorded {
        let mut recorder = Recorder::new(self.clone());
        let mut outcomes: Vec<Outcome> = runs.iter().map(|run| recorder.take(run)).collect();
        let (graph, new_numbers) = recorder.finish();
        if let Some(numbers) = new_numbers {
            for outcome in &mut outcomes {
                if let Outcome::New(run) | Outcome::Known(run) = outcome {
                    run.0 = numbers.get(run.0 as usize).copied().unwrap_or(run.0);
                }
            }
        }
        Recorded { graph, outcomes }
    }
}

/// What runs came to, by numbers of names.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// From the source to the target.
    pub columns: Vec<Edge>,
    pub datasets: Vec<Edge>,
    pub reads: Vec<(u32, u32)>,
    pub bare_writes: Vec<(u32, u32)>,
    pub writes: Vec<(u32, Write)>,
    pub changes: Vec<Change>,
}

/// A name that is mentioned, where that may change what it stood for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mention {
    pub dataset: u32,
    pub column: u32,
    pub moment: Moment,
}

struct Recorder<'r> {
    graph: Graph,
    batch: Batch,
    mentions: Vec<Mention>,
    /// Each name that was met, and whether its mentions matter.
    datasets: FxHashMap<&'r DatasetName, (u32, bool)>,
    views: FxHashMap<&'r TableName, (u32, bool)>,
    columns: FxHashMap<&'r Name, u32>,
    /// By dataset and column.
    nodes: FxHashMap<(u32, u32), u32>,
    text: String,
    next_write: u32,
    /// What goes into the target at work, by dataset.
    flows: FxHashMap<u32, Flow>,
    /// What the run at work read that went somewhere.
    used: FxHashSet<u32>,
}

/// All that goes from one dataset into one target.
#[derive(Debug, Clone, Copy)]
struct Flow {
    direct: bool,
    masked: bool,
    unresolved: bool,
}

impl<'r> Recorder<'r> {
    fn new(graph: Graph) -> Self {
        let next_write = graph.base.writes.len() + graph.delta.writes.len() as u32;
        Self {
            graph,
            batch: Batch::default(),
            mentions: Vec::new(),
            datasets: FxHashMap::default(),
            views: FxHashMap::default(),
            columns: FxHashMap::default(),
            nodes: FxHashMap::default(),
            text: String::new(),
            next_write,
            flows: FxHashMap::default(),
            used: FxHashSet::default(),
        }
    }

    fn take(&mut self, run: &'r Run) -> Outcome {
        if let Some(known) = self.graph.run_of_key(&run.key) {
            return Outcome::Known(known);
        }
        if let Err(error) = self.check(run) {
            return Outcome::Refused(error);
        }
        let number = self.number(run);
        for input in &run.inputs {
            self.mention(&input.dataset, Moment::reads(number));
            self.mention_views(&input.through, Moment::reads(number));
        }
        self.used.clear();
        self.next_write += self.changes(run, number);
        for target in &run.targets {
            self.target(target, number);
        }
        self.reads(run, number);
        Outcome::New(RunIndex(number))
    }

    fn check(&self, run: &Run) -> Result<(), RunError> {
        if run.key.0.is_empty() {
            return Err(RunError::EmptyKey);
        }
        if run.changes.len() > MOST_CHANGES {
            return Err(RunError::TooManyChanges { run: run.key.clone(), changes: run.changes.len() });
        }
        for change in &run.changes {
            if let DatasetChange::Rename { from, to } = change
                && matches!(from, DatasetName::Database(_)) != matches!(to, DatasetName::Database(_))
            {
                return Err(RunError::RenameAcross {
                    from: Box::new(from.clone()),
                    to: Box::new(to.clone()),
                });
            }
        }
        let nodes = self.graph.base.nodes.len().saturating_add(self.graph.delta.nodes.len() as u32);
        let edges = self.graph.edge_count() + self.batch.columns.len();
        let most = u32::MAX - RESERVE;
        if self.graph.run_count() >= MOST_RUNS
            || nodes >= most
            || self.next_write >= most
            || edges >= most as usize
        {
            return Err(RunError::Full);
        }
        Ok(())
    }

    fn number(&mut self, run: &Run) -> u32 {
        let Graph { base, delta } = &mut self.graph;
        let number = delta.keys.number(&base.runs.keys, &run.key.0);
        let operation = delta.operations.number(&base.operations, &run.operation);
        let ended = run.ended_at.0;
        let after = base.runs.before(ended, &run.key.0);
        delta.has_late_runs |= after < base.runs.len();
        delta.runs.push_back_mut(DeltaRun { ended, operation, after });
        number
    }

    /// The number of a name, and whether mentions of it matter.
    fn dataset(&mut self, name: &'r DatasetName) -> (u32, bool) {
        if let Some(known) = self.datasets.get(name) {
            return *known;
        }
        let numbered = self.new_dataset(name);
        self.datasets.insert(name, numbered);
        numbered
    }

    fn new_dataset(&mut self, name: &DatasetName) -> (u32, bool) {
        name_text::write_dataset(name, &mut self.text);
        let Graph { base, delta } = &mut self.graph;
        let number = delta.datasets.number(&base.datasets, &self.text);
        if let Some(database) = name_text::database_of(&self.text) {
            delta.datasets.number(&base.datasets, &database);
        }
        self.node(number, None);
        (number, identity::is_watched(&self.graph, number))
    }

    fn view(&mut self, name: &'r TableName) -> (u32, bool) {
        if let Some(known) = self.views.get(name) {
            return *known;
        }
        let numbered = self.new_dataset(&DatasetName::Table(name.clone()));
        self.views.insert(name, numbered);
        numbered
    }

    fn mention(&mut self, name: &'r DatasetName, moment: Moment) -> u32 {
        let (dataset, matters) = self.dataset(name);
        if matters {
            self.mentions.push(Mention { dataset, column: ALL_COLUMNS, moment });
        }
        dataset
    }

    fn mention_views(&mut self, views: &'r [TableName], moment: Moment) {
        for view in views {
            let (dataset, matters) = self.view(view);
            if matters {
                self.mentions.push(Mention { dataset, column: ALL_COLUMNS, moment });
            }
        }
    }

    fn mention_column(&mut self, name: &'r DatasetName, column: &'r Name, moment: Moment) -> (u32, u32) {
        let (dataset, matters) = self.dataset(name);
        let node = self.node(dataset, Some(column));
        if matters {
            let column = self.column_number(column);
            self.mentions.push(Mention { dataset, column: ALL_COLUMNS, moment });
            self.mentions.push(Mention { dataset, column, moment });
        }
        (dataset, node)
    }

    fn node(&mut self, dataset: u32, column: Option<&'r Name>) -> u32 {
        let column = column.map_or(ALL_COLUMNS, |name| self.column_number(name));
        if let Some(node) = self.nodes.get(&(dataset, column)) {
            return *node;
        }
        let node = self.graph.node(dataset, column).unwrap_or_else(|| self.new_node(dataset, column));
        self.nodes.insert((dataset, column), node);
        node
    }

    fn new_node(&mut self, dataset: u32, column: u32) -> u32 {
        let Graph { base, delta } = &mut self.graph;
        let node = base.nodes.len() + delta.nodes.len() as u32;
        delta.nodes.push_back_mut((dataset, column));
        delta.node_numbers.insert_mut((dataset, column), node);
        delta.nodes_of.push(dataset, node);
        node
    }

    fn column_number(&mut self, name: &'r Name) -> u32 {
        let Graph { base, delta } = &mut self.graph;
        *self.columns.entry(name).or_insert_with(|| delta.columns.number(&base.columns, name))
    }

    fn scope(&mut self, partition: &Partition) -> u32 {
        if partition.is_empty() {
            return WHOLE_DATASET;
        }
        name_text::write_partition(partition, &mut self.text);
        self.graph.delta.scopes.number(&self.graph.base.scopes, &self.text)
    }

    /// Takes the changes; says how many writes they are.
    fn changes(&mut self, run: &'r Run, number: u32) -> u32 {
        let mut writes = 0;
        for (place, change) in run.changes.iter().enumerate() {
            let moment = Moment::change(number, Moment::change_step(place));
            let mut write =
                |recorder: &mut Self, name: &'r DatasetName, partition: &Partition, act: WriteAct| {
                    let dataset = recorder.mention(name, moment);
                    let scope = recorder.scope(partition);
                    let write = recorder.next_write + writes;
                    writes += 1;
                    recorder.batch.writes.push((write, Write { moment, dataset, scope, act }));
                };
            match change {
                DatasetChange::MovePartition { from, to, partition } => {
                    write(self, from, partition, WriteAct::PartitionMovedOut);
                    write(self, to, partition, WriteAct::PartitionMovedIn);
                }
                DatasetChange::DropPartition { dataset, partition } => {
                    write(self, dataset, partition, WriteAct::PartitionDropped);
                }
                other => {
                    if let Some(act) = self.identity_change(other) {
                        self.batch.changes.push(Change { moment, act });
                    }
                }
            }
        }
        writes
    }

    fn identity_change(&mut self, change: &'r DatasetChange) -> Option<ChangeAct> {
        let act = match change {
            DatasetChange::Create { dataset, columns } => {
                let (dataset, _) = self.dataset(dataset);
                ChangeAct::Create { dataset, columns: self.listed(dataset, columns) }
            }
            DatasetChange::Ensure { dataset, columns } => {
                let (dataset, _) = self.dataset(dataset);
                ChangeAct::Ensure { dataset, columns: self.listed(dataset, columns) }
            }
            DatasetChange::Drop { dataset } => ChangeAct::Drop { dataset: self.dataset(dataset).0 },
            DatasetChange::Rename { from, to } => {
                ChangeAct::Rename { from: self.dataset(from).0, to: self.dataset(to).0 }
            }
            DatasetChange::RenameColumn { dataset, from, to } => {
                let (dataset, _) = self.dataset(dataset);
                let (from, to) = (self.column(dataset, from), self.column(dataset, to));
                ChangeAct::RenameColumn { dataset, from, to }
            }
            DatasetChange::DropColumn { dataset, column } => {
                let (dataset, _) = self.dataset(dataset);
                ChangeAct::DropColumn { dataset, column: self.column(dataset, column) }
            }
            DatasetChange::MovePartition { .. } | DatasetChange::DropPartition { .. } => return None,
        };
        Some(act)
    }

    fn listed(&mut self, dataset: u32, columns: &'r [Name]) -> std::sync::Arc<[u32]> {
        columns.iter().map(|name| self.column(dataset, name)).collect()
    }

    fn column(&mut self, dataset: u32, name: &'r Name) -> u32 {
        self.node(dataset, Some(name));
        self.column_number(name)
    }

    fn target(&mut self, target: &'r Target, run: u32) {
        let writes = Moment::writes(run);
        let reads = Moment::reads(run);
        let into = self.mention(&target.dataset, writes);
        let whole = self.node(into, None);
        let scope = self.scope(&target.partition);
        let write = self.next_write;
        self.next_write += 1;
        let act = WriteAct::of(target.write);
        self.batch.writes.push((write, Write { moment: writes, dataset: into, scope, act }));
        self.flows.clear();
        for column in &target.columns {
            let (_, other) = self.mention_column(&target.dataset, &column.name, writes);
            for source in &column.sources {
                let (dataset, node) = self.mention_column(&source.dataset, &source.column, reads);
                let mark = Mark::column(source.kind, source.masked, source.unresolved);
                self.edge(dataset, Edge { node, other, write, mark }, &source.through, reads);
            }
            for influence in &column.influences {
                let (dataset, node) = self.mention_column(&influence.dataset, &influence.column, reads);
                let mark = Mark::column(influence.kind, influence.masked, influence.unresolved);
                self.edge(dataset, Edge { node, other, write, mark }, &influence.through, reads);
            }
            if column.sources.is_empty() && column.influences.is_empty() {
                self.batch.bare_writes.push((other, write));
            }
        }
        for influence in &target.influences {
            let (dataset, node) = self.mention_column(&influence.dataset, &influence.column, reads);
            let mark = Mark::column(influence.kind, influence.masked, influence.unresolved);
            self.edge(dataset, Edge { node, other: whole, write, mark }, &influence.through, reads);
        }
        for name in &target.whole {
            let dataset = self.mention(name, reads);
            let node = self.node(dataset, None);
            self.edge(dataset, Edge { node, other: whole, write, mark: Mark::WHOLE }, &[], reads);
        }
        for (dataset, flow) in &self.flows {
            self.used.insert(*dataset);
            let mark = Mark::dataset(flow.direct, flow.masked, flow.unresolved);
            self.batch.datasets.push(Edge { node: *dataset, other: into, write, mark });
        }
    }

    fn edge(&mut self, dataset: u32, edge: Edge, through: &'r [TableName], reads: Moment) {
        self.batch.columns.push(edge);
        flow(&mut self.flows, dataset, edge.mark);
        self.mention_views(through, reads);
        for view in through {
            let (view, _) = self.view(view);
            flow(&mut self.flows, view, edge.mark);
        }
    }

    /// What is read and goes nowhere.
    fn reads(&mut self, run: &'r Run, number: u32) {
        for input in &run.inputs {
            let (dataset, _) = self.dataset(&input.dataset);
            if self.used.insert(dataset) {
                self.batch.reads.push((dataset, number));
            }
            for view in input.through.iter() {
                let (view, _) = self.view(view);
                if self.used.insert(view) {
                    self.batch.reads.push((view, number));
                }
            }
        }
    }

    /// The graph, and the new numbers of all runs if they have any.
    fn finish(self) -> (Graph, Option<Vec<u32>>) {
        let Self { mut graph, batch, mut mentions, .. } = self;
        let edges = batch.columns.len();
        let mut changed: Vec<u32> = batch.changes.iter().flat_map(|change| change.act.datasets()).collect();
        if edges >= BULK_EDGES && edges * BULK_SHARE >= graph.base.columns_down.len() {
            let (mut graph, numbers) = compact::merge(&graph, batch);
            for dataset in &mut changed {
                *dataset = numbers.datasets.get(*dataset as usize).copied().unwrap_or(*dataset);
            }
            for mention in &mut mentions {
                mention.dataset =
                    numbers.datasets.get(mention.dataset as usize).copied().unwrap_or(mention.dataset);
                mention.moment = mention.moment.renumbered(&numbers.runs);
            }
            identity::refresh(&mut graph, changed, &mentions);
            return (compact::settled(graph), Some(numbers.runs));
        }
        let written = disturbing(&graph, &batch);
        absorb(&mut graph, batch);
        identity::refresh(&mut graph, changed, &mentions);
        for write in written {
            let born = graph.born_as(write.dataset, write.moment);
            graph.delta.disturbed.insert_mut(born.0, ());
        }
        (graph, None)
    }
}

fn flow(flows: &mut FxHashMap<u32, Flow>, dataset: u32, mark: Mark) {
    let one = Flow { direct: mark.is_direct(), masked: mark.is_masked(), unresolved: mark.is_unresolved() };
    flows
        .entry(dataset)
        .and_modify(|flow| {
            if one.direct == flow.direct {
                flow.masked &= one.masked;
                flow.unresolved &= one.unresolved;
            } else if one.direct {
                *flow = one;
            }
        })
        .or_insert(one);
}

fn absorb(graph: &mut Graph, batch: Batch) {
    let changes_before = (graph.base.changes.len() + graph.delta.changes.len()) as u32;
    let delta = &mut graph.delta;
    delta.edge_count += batch.columns.len();
    for edge in batch.columns {
        delta.columns_down.push_edge(edge);
        delta.columns_up.push_edge(edge.reversed());
    }
    for edge in batch.datasets {
        delta.datasets_down.push_edge(edge);
        delta.datasets_up.push_edge(edge.reversed());
    }
    for (dataset, run) in batch.reads {
        delta.reads_of.push(dataset, run);
    }
    for (node, write) in batch.bare_writes {
        delta.bare_writes_of.push(node, write);
    }
    for (change, number) in batch.changes.into_iter().zip(changes_before..) {
        for dataset in change.act.datasets() {
            delta.changes_of.push(dataset, number);
        }
        delta.changes.push_back_mut(change);
    }
    for (number, write) in batch.writes {
        delta.writes_of.push(write.dataset, number);
        delta.writes.push_back_mut(write);
    }
}

/// The writes after which what the base knows to be gone of their datasets is not right any more: those that remove,
/// and those that come late, which something in the base may have removed.
fn disturbing(graph: &Graph, batch: &Batch) -> Vec<Write> {
    let old = graph.base.runs.len();
    let is_late = |write: &Write| {
        let new = write.moment.run.checked_sub(old).and_then(|new| graph.delta.runs.get(new as usize));
        new.is_none_or(|run| run.after < old)
    };
    let writes = batch.writes.iter().map(|(_, write)| *write);
    writes.filter(|write| write.act.removes() || is_late(write)).collect()
}
