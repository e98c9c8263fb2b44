//! Building a new base out of an old one and all that came since.
//!
//! Names and runs get new numbers, so that numbers are in order again. The order among the old ones stays, so the old
//! edges are read and written once, in a row, and only new ones are sorted.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::adjacency::{Adjacency, Edge, Packer};
use crate::base::{ALL_COLUMNS, Base, BaseNodes, BaseRuns, BaseWrites};
use crate::carried_on;
use crate::change::Change;
use crate::currency;
use crate::delta::{Delta, EdgeMap};
use crate::graph::Graph;
use crate::lists::{Bits, Lists};
use crate::moment::Order;
use crate::record::Batch;
use crate::text::{NewTexts, Texts};
use crate::timeline::{Columns, DatasetLife, Life, Segment, Span, Timeline};
use crate::write::{Write, WriteAct};
use crate::write_lists::WriteLists;

impl Graph {
    /// The same graph with all of it in the flat part, which is smaller and faster.
    #[must_use]
    pub fn compacted(&self) -> Self {
        if self.delta.runs.is_empty() {
            return self.clone();
        }
        settled(merge(self, Batch::default()).0)
    }
}

/// The new number of each old one.
pub(crate) struct Numbers {
    pub datasets: Vec<u32>,
    pub runs: Vec<u32>,
    nodes: Vec<u32>,
    writes: Vec<u32>,
}

/// A graph whose base holds everything, save for what has ended of it: see [`settled`].
pub(crate) fn merge(graph: &Graph, batch: Batch) -> (Graph, Numbers) {
    let (base, delta) = (&*graph.base, &graph.delta);
    let (datasets, dataset_numbers) = merge_datasets(&base.datasets, &delta.datasets);
    let columns = append(&base.columns, &delta.columns);
    let (runs, run_numbers) = merge_runs(graph);
    let (writes, write_numbers) = merge_writes(graph, &batch, &dataset_numbers, &run_numbers);
    let (nodes, node_numbers) = merge_nodes(graph, &columns, datasets.len(), &dataset_numbers);
    let numbers =
        Numbers { datasets: dataset_numbers, runs: run_numbers, nodes: node_numbers, writes: write_numbers };
    let changes = merge_changes(graph, batch.changes, &numbers);
    let dataset_count = datasets.len();
    let node_count = nodes.len();
    let (columns_down, columns_up) = merge_both(
        (&base.columns_down, &base.columns_up),
        (&delta.columns_down, batch.columns),
        node_count,
        (&numbers.nodes, &numbers.writes),
    );
    let (datasets_down, datasets_up) = merge_both(
        (&base.datasets_down, &base.datasets_up),
        (&delta.datasets_down, batch.datasets),
        dataset_count,
        (&numbers.datasets, &numbers.writes),
    );
    let reads = base.reads_of.iter().chain(delta.reads_of.iter().map(|(owner, item)| (owner, *item)));
    let bare = base.bare_writes_of.iter();
    let bare = bare.chain(delta.bare_writes_of.iter().map(|(owner, item)| (owner, *item)));
    let merged = Base {
        writes_of: writes.by_dataset(dataset_count, |_| true),
        unversioned_of: writes.by_dataset(dataset_count, |act| !act.is_version()),
        defined: writes.having(WriteAct::Define, dataset_count),
        located: writes.having(WriteAct::Locate, dataset_count),
        reads_of: merge_lists(reads.chain(batch.reads), dataset_count, &numbers.datasets, &numbers.runs),
        bare_writes_of: merge_lists(
            bare.chain(batch.bare_writes),
            node_count,
            &numbers.nodes,
            &numbers.writes,
        ),
        changes_of: changes_by_dataset(&changes, dataset_count),
        timelines: merge_timelines(graph, dataset_count, &numbers),
        scopes: append(&base.scopes, &delta.scopes),
        operations: append(&base.operations, &delta.operations),
        ended: Bits::default(),
        gone: Bits::default(),
        datasets,
        columns,
        runs,
        writes,
        nodes,
        columns_down,
        columns_up,
        datasets_down,
        datasets_up,
        changes,
    };
    (Graph { base: Arc::new(merged), delta: Delta::default() }, numbers)
}

/// Puts what the delta knows better into the base, which holds all runs, and finds what has ended.
pub(crate) fn settled(graph: Graph) -> Graph {
    let mut ended = Bits::of(graph.base.writes.len() as usize);
    let mut with_endings = Vec::new();
    let mut lists = WriteLists::new(&graph);
    for dataset in 0..graph.base.datasets.len() {
        let lives = graph.timeline(dataset).map_or(1, |timeline| timeline.lives.len() as u32);
        for life in 0..lives {
            if currency::mark_ended(&mut lists, (dataset, life), &mut ended) {
                with_endings.push((dataset, life));
            }
        }
    }
    let gone = carried_on::gone(&graph, &ended, &with_endings);
    let Graph { base, delta } = graph;
    let mut base = Arc::unwrap_or_clone(base);
    for (dataset, timeline) in &delta.timelines {
        if let Some(place) = base.timelines.get_mut(*dataset as usize) {
            *place = Some(Arc::clone(timeline));
        }
    }
    (base.ended, base.gone) = (ended, gone);
    Graph { base: Arc::new(base), delta: Delta::default() }
}

fn append(base: &Texts, new: &NewTexts) -> Texts {
    if new.len() == 0 {
        return base.clone();
    }
    let mut texts = Texts::with_capacity(base.len() as usize + new.len() as usize, base.bytes.len());
    base.iter().for_each(|text| texts.push(text));
    new.iter().for_each(|text| texts.push(text));
    texts.indexed()
}

/// The order of old and new things that are each in order: old ones by their numbers, new ones by their places.
fn interleave(old: u32, new: usize, is_new_first: impl Fn(usize, u32) -> bool, mut take: impl FnMut(Side)) {
    let mut place = 0;
    for number in 0..old {
        while place < new && is_new_first(place, number) {
            take(Side::New(place));
            place += 1;
        }
        take(Side::Old(number));
    }
    (place..new).for_each(|place| take(Side::New(place)));
}

#[derive(Clone, Copy)]
enum Side {
    Old(u32),
    New(usize),
}

fn merge_datasets(base: &Texts, new: &NewTexts) -> (Texts, Vec<u32>) {
    let mut sorted: Vec<(&str, u32)> = new.iter().map(|text| text.as_str()).zip(base.len()..).collect();
    sorted.sort_unstable();
    let mut texts = Texts::with_capacity(base.len() as usize + sorted.len(), base.bytes.len());
    let mut numbers = vec![0; base.len() as usize + sorted.len()];
    let text = |place: usize| sorted.get(place).map_or("", |one| one.0);
    interleave(
        base.len(),
        sorted.len(),
        |place, old| text(place) < base.get(old),
        |side| {
            let (text, old) = match side {
                Side::Old(old) => (base.get(old), old),
                Side::New(place) => sorted.get(place).copied().unwrap_or_default(),
            };
            set(&mut numbers, old, texts.len());
            texts.push(text);
        },
    );
    (texts.indexed(), numbers)
}

fn set(numbers: &mut [u32], old: u32, new: u32) {
    if let Some(place) = numbers.get_mut(old as usize) {
        *place = new;
    }
}

fn renumbered(numbers: &[u32], old: u32) -> u32 {
    numbers.get(old as usize).copied().unwrap_or(old)
}

fn merge_runs(graph: &Graph) -> (BaseRuns, Vec<u32>) {
    let (base, delta) = (&graph.base.runs, &graph.delta);
    let old = base.len();
    let mut sorted: Vec<u32> = (old..old + delta.runs.len() as u32).collect();
    sorted.sort_unstable_by(|one, other| graph.compare_runs(*one, *other));
    let mut runs = BaseRuns {
        keys: Texts::with_capacity(old as usize + sorted.len(), base.keys.bytes.len()),
        ended: Vec::with_capacity(old as usize + sorted.len()),
        operations: Vec::with_capacity(old as usize + sorted.len()),
    };
    let mut numbers = vec![0; old as usize + sorted.len()];
    let new = |place: usize| sorted.get(place).copied().unwrap_or(0);
    interleave(
        old,
        sorted.len(),
        |place, old| graph.compare_runs(new(place), old).is_lt(),
        |side| {
            let run = match side {
                Side::Old(run) => run,
                Side::New(place) => new(place),
            };
            set(&mut numbers, run, runs.len());
            runs.keys.push(delta.keys.get(&base.keys, run));
            runs.ended.push(graph.ended(run));
            runs.operations.push(graph.operation(run));
        },
    );
    runs.keys = runs.keys.indexed();
    (runs, numbers)
}

fn merge_writes(graph: &Graph, batch: &Batch, datasets: &[u32], runs: &[u32]) -> (BaseWrites, Vec<u32>) {
    let base = &graph.base.writes;
    let old = base.len();
    let recorded = graph.delta.writes.iter().copied().zip(old..).map(|(write, number)| (number, write));
    let renumber = |write: Write| Write {
        moment: write.moment.renumbered(runs),
        dataset: renumbered(datasets, write.dataset),
        ..write
    };
    let mut sorted: Vec<(u32, Write)> = recorded
        .chain(batch.writes.iter().copied())
        .map(|(number, write)| (number, renumber(write)))
        .collect();
    sorted.sort_unstable_by_key(|(number, write)| (write.moment.run, *number));
    let mut writes = BaseWrites::default();
    let mut numbers = vec![0; old as usize + sorted.len()];
    interleave(
        old,
        sorted.len(),
        |place, old| {
            sorted.get(place).is_some_and(|(_, write)| write.moment.run < renumbered(runs, base.run(old)))
        },
        |side| {
            let write = match side {
                Side::Old(number) => base.get(number).map(|write| (number, renumber(write))),
                Side::New(place) => sorted.get(place).copied(),
            };
            if let Some((number, write)) = write {
                set(&mut numbers, number, writes.len());
                writes.push(write);
            }
        },
    );
    (writes, numbers)
}

fn merge_nodes(
    graph: &Graph,
    columns: &Texts,
    dataset_count: u32,
    datasets: &[u32],
) -> (BaseNodes, Vec<u32>) {
    let (base, delta) = (&graph.base.nodes, &graph.delta);
    let old = base.len();
    // Each dataset has its whole, whether it was ever asked for or not.
    let mut sorted: Vec<(u32, u32, u32)> = delta
        .nodes
        .iter()
        .zip(old..)
        .map(|((dataset, column), node)| (renumbered(datasets, *dataset), *column, node))
        .collect();
    let compare = |one: (u32, u32), other: (u32, u32)| -> Ordering {
        one.0.cmp(&other.0).then_with(|| match (one.1, other.1) {
            (one, other) if one == other => Ordering::Equal,
            (ALL_COLUMNS, _) => Ordering::Less,
            (_, ALL_COLUMNS) => Ordering::Greater,
            (one, other) => columns.get(one).cmp(columns.get(other)),
        })
    };
    sorted.sort_unstable_by(|one, other| compare((one.0, one.1), (other.0, other.1)));
    let parts = |node: u32| {
        base.get(node).map_or((0, 0), |(dataset, column)| (renumbered(datasets, dataset), column))
    };
    let mut nodes = BaseNodes::default();
    let mut numbers = vec![0; old as usize + sorted.len()];
    interleave(
        old,
        sorted.len(),
        |place, old| sorted.get(place).is_some_and(|one| compare((one.0, one.1), parts(old)).is_lt()),
        |side| {
            let (dataset, column, number) = match side {
                Side::Old(node) => {
                    let (dataset, column) = parts(node);
                    (dataset, column, node)
                }
                Side::New(place) => sorted.get(place).copied().unwrap_or_default(),
            };
            start_datasets(&mut nodes, dataset + 1);
            if column != ALL_COLUMNS {
                nodes.datasets.push(dataset);
                nodes.columns.push(column);
            }
            // The whole was put there by the start of its dataset.
            set(&mut numbers, number, nodes.len() - 1);
        },
    );
    start_datasets(&mut nodes, dataset_count);
    nodes.firsts.push(nodes.len());
    (nodes, numbers)
}

/// Makes room for datasets until before one, each with its whole.
fn start_datasets(nodes: &mut BaseNodes, until: u32) {
    for dataset in nodes.firsts.len() as u32..until {
        nodes.firsts.push(nodes.len());
        nodes.datasets.push(dataset);
        nodes.columns.push(ALL_COLUMNS);
    }
}

fn merge_changes(graph: &Graph, new: Vec<Change>, numbers: &Numbers) -> Vec<Change> {
    let all = graph.base.changes.iter().chain(graph.delta.changes.iter()).cloned().chain(new);
    let mut changes: Vec<Change> = all
        .map(|change| Change {
            moment: change.moment.renumbered(&numbers.runs),
            act: change.act.renumbered(&numbers.datasets),
        })
        .collect();
    changes.sort_by_key(|change| (change.moment.run, change.moment.step));
    changes
}

fn changes_by_dataset(changes: &[Change], datasets: u32) -> Lists {
    let mut pairs: Vec<(u32, u32)> = changes
        .iter()
        .zip(0..)
        .flat_map(|(change, number)| change.act.datasets().map(move |dataset| (dataset, number)))
        .collect();
    pairs.sort_unstable();
    Lists::of(datasets, &pairs)
}

fn merge_lists(
    pairs: impl Iterator<Item = (u32, u32)>,
    owners: u32,
    owner_numbers: &[u32],
    item_numbers: &[u32],
) -> Lists {
    let mut pairs: Vec<(u32, u32)> = pairs
        .map(|(owner, item)| (renumbered(owner_numbers, owner), renumbered(item_numbers, item)))
        .collect();
    pairs.sort_unstable();
    Lists::of(owners, &pairs)
}

/// Old adjacency down and up, and new edges downwards, give the new ones.
fn merge_both(
    old: (&Adjacency, &Adjacency),
    new: (&EdgeMap, Vec<Edge>),
    nodes: u32,
    numbers: (&[u32], &[u32]),
) -> (Adjacency, Adjacency) {
    let mut edges: Vec<Edge> = new.0.edges().chain(new.1).collect();
    for edge in &mut edges {
        *edge = Edge {
            node: renumbered(numbers.0, edge.node),
            other: renumbered(numbers.0, edge.other),
            write: renumbered(numbers.1, edge.write),
            mark: edge.mark,
        };
    }
    edges.sort_unstable();
    let down = merge_adjacency(old.0, &edges, nodes, numbers);
    edges.iter_mut().for_each(|edge| *edge = edge.reversed());
    edges.sort_unstable();
    (down, merge_adjacency(old.1, &edges, nodes, numbers))
}

fn merge_adjacency(old: &Adjacency, new: &[Edge], nodes: u32, numbers: (&[u32], &[u32])) -> Adjacency {
    let mut packer = Packer::with_capacity(nodes as usize, old.len() + new.len());
    let mut new = new.iter().copied().peekable();
    let mut old_node = 0;
    for node in 0..nodes {
        packer.start_node();
        let is_old = old_node < old.node_count() && renumbered(numbers.0, old_node) == node;
        if is_old {
            for (other, write, mark) in old.edges(old_node) {
                let (other, write) = (renumbered(numbers.0, other), renumbered(numbers.1, write));
                let edge = Edge { node, other, write, mark };
                while let Some(first) = new.next_if(|one| *one < edge) {
                    packer.push(first.other, first.write, first.mark);
                }
                packer.push(other, write, mark);
            }
            old_node += 1;
        }
        while let Some(edge) = new.next_if(|one| one.node == node) {
            packer.push(edge.other, edge.write, edge.mark);
        }
    }
    packer.finish()
}

fn merge_timelines(graph: &Graph, datasets: u32, numbers: &Numbers) -> Vec<Option<Arc<Timeline>>> {
    let mut timelines = vec![None; datasets as usize];
    for name in 0..graph.dataset_names() {
        let Some(timeline) = graph.timeline(name) else { continue };
        if let Some(place) = timelines.get_mut(renumbered(&numbers.datasets, name) as usize) {
            *place = Some(Arc::new(renumbered_timeline(timeline, numbers)));
        }
    }
    timelines
}

fn renumbered_timeline(timeline: &Timeline, numbers: &Numbers) -> Timeline {
    let born = |born: (u32, u32)| (renumbered(&numbers.datasets, born.0), born.1);
    Timeline {
        segments: timeline
            .segments
            .iter()
            .map(|segment| Segment { born: born(segment.born), ..renumbered_segment(segment, numbers) })
            .collect(),
        lives: timeline
            .lives
            .iter()
            .map(|one| DatasetLife {
                life: Life {
                    born: born(one.life.born),
                    predecessor: one.life.predecessor.map(born),
                    spans: one
                        .life
                        .spans
                        .iter()
                        .map(|span| {
                            let name = renumbered(&numbers.datasets, span.name);
                            Span { name, ..renumbered_span(span, numbers) }
                        })
                        .collect(),
                    closed: one.life.closed.map(|closed| closed.renumbered(&numbers.runs)),
                },
                columns: one.columns.as_ref().map(|columns| Arc::new(renumbered_columns(columns, numbers))),
            })
            .collect(),
    }
}

/// Columns keep their numbers.
fn renumbered_columns(columns: &Columns, numbers: &Numbers) -> Columns {
    Columns {
        segments: columns
            .segments
            .iter()
            .map(|(name, segment)| (*name, renumbered_segment(segment, numbers)))
            .collect(),
        lives: columns
            .lives
            .iter()
            .map(|life| Life {
                spans: life.spans.iter().map(|span| renumbered_span(span, numbers)).collect(),
                closed: life.closed.map(|closed| closed.renumbered(&numbers.runs)),
                ..life.clone()
            })
            .collect(),
    }
}

fn renumbered_segment(segment: &Segment, numbers: &Numbers) -> Segment {
    Segment {
        from: segment.from.renumbered(&numbers.runs),
        until: segment.until.renumbered(&numbers.runs),
        born: segment.born,
    }
}

fn renumbered_span(span: &Span, numbers: &Numbers) -> Span {
    Span {
        name: span.name,
        from: span.from.renumbered(&numbers.runs),
        until: span.until.renumbered(&numbers.runs),
    }
}
