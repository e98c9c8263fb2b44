//! Questions besides a trace: the history of a dataset, what depends on it, how one thing came into another.

use std::collections::{BTreeMap, BTreeSet};

use guardbee_lineage::{
    AsOf, ColumnId, DatasetName, Dependent, DependentKind, Direction, EdgeFilter, Filter as GraphFilter,
    FlowKind, Graph, Level, Temporaries, Trace, TraceEdge, WriteAct,
};

use super::answer::{EdgeFacts, Subject, answer_from, edges_of};
use super::pairing::Pairing;
use super::question::Asked;
use super::trace::{Filter, Step, touch, ways};
use super::{Node, World};

/// Compares the histories of all datasets at a moment.
///
/// # Errors
/// The first difference.
pub fn compare_histories(
    world: &World,
    graph: &Graph,
    pairing: &Pairing<'_>,
    at: AsOf,
) -> Result<(), String> {
    let runs = world.runs_until(at);
    for (index, dataset) in world.datasets.iter().enumerate() {
        let Some(id) = pairing.dataset_id(index) else { continue };
        let mut number = 0;
        let mut oracle = Vec::new();
        for write in dataset.writes.iter().filter(|write| write.run <= runs) {
            number += u32::from(write.is_version());
            let removed = dataset.removed((write.run, write.act), &write.partition) <= runs;
            let current = write.brings() && !removed && !dataset.life.is_closed_after(runs);
            let partition: BTreeMap<_, _> = write.partition.iter().cloned().collect();
            oracle.push((number, pairing.runs[write.run - 1], write.act, partition, current));
        }
        let history = graph.history(id, at).into_iter().map(|version| {
            let partition: BTreeMap<_, _> = version.partition.into_iter().collect();
            (version.number, version.run, version.act, partition, version.current)
        });
        let graph: Vec<_> = history.collect();
        if oracle != graph {
            return Err(format!("history of {index}, {at:?}\n  oracle {oracle:?}\n  graph  {graph:?}"));
        }
    }
    Ok(())
}

/// Compares what depends on what a question starts at. How many things do.
///
/// # Errors
/// The first difference.
pub fn compare_impacts(
    world: &World,
    graph: &Graph,
    pairing: &Pairing<'_>,
    asked: &Asked,
) -> Result<usize, String> {
    let runs = world.runs_until(asked.as_of);
    let mut count = 0;
    for node in asked.nodes(world) {
        let of = pairing.graph_node(node).ok_or("a node that is not paired")?;
        let impact = graph.impact(&of, asked.as_of);
        let reads: Vec<usize> =
            world.datasets[node.dataset].read_by.iter().copied().filter(|run| *run <= runs).collect();
        let last_read = reads.last().map(|run| pairing.runs[run - 1]);
        if (reads.len(), last_read) != (impact.reads, impact.last_read) {
            let theirs = (impact.reads, impact.last_read);
            return Err(format!("reads of {node:?}: oracle {reads:?}, graph {theirs:?}"));
        }
        let mut theirs = BTreeMap::new();
        for dependent in &impact.dependents {
            let found = in_oracle_words(pairing, dependent, asked.as_of)?;
            if theirs.insert(found.0, found.1).is_some() {
                return Err(format!("dependent {} is there twice", found.0));
            }
        }
        let ours = dependents(world, node, asked);
        let agree = ours.len() == theirs.len()
            && ours.iter().zip(&theirs).all(|((dataset, (depths, found)), (other, (depth, graph)))| {
                dataset == other && found == graph && depths.contains(&depth[0])
            });
        if !agree {
            return Err(format!("dependents of {node:?}\n  oracle {ours:?}\n  graph  {theirs:?}"));
        }
        count += ours.len();
    }
    Ok(count)
}

/// Something that depends on another: columns, those that are only decided about, kind, is it direct, the latest run.
type Facts = ([BTreeSet<Node>; 2], DependentKind, bool, usize);

/// By dataset: the depths that are right, and the facts.
fn dependents(world: &World, node: Node, asked: &Asked) -> BTreeMap<usize, (Vec<usize>, Facts)> {
    let level = if node.column.is_some() { Level::Column } else { Level::Dataset };
    let down = Asked {
        direction: Direction::Down,
        level,
        depth: None,
        edges: EdgeFilter::All,
        window: None,
        stop: Vec::new(),
        temporaries: Temporaries::Show,
        hidden: Vec::new(),
        ..asked.clone()
    };
    let found = answer_from(world, &down, &[node]);
    let of_values = answer_from(world, &Asked { edges: EdgeFilter::Direct, ..down }, &[node]);
    let has_values = |subject: &Subject| of_values.nodes.contains_key(subject);
    let runs = world.runs_until(asked.as_of);
    let mut dependents: BTreeMap<usize, (Vec<usize>, Facts)> = BTreeMap::new();
    for (edge, edge_runs) in &found.edges {
        let Subject::Node(to) = edge.to else { continue };
        if to.dataset == node.dataset || world.is_closed(to, runs) {
            continue;
        }
        let depths = &found.nodes[&edge.to].depths;
        let new = || (depths.clone(), (Default::default(), kind(world, to.dataset, runs), false, 0));
        let (least, facts) = dependents.entry(to.dataset).or_insert_with(new);
        facts.0[0].extend(to.column.map(|_| to));
        facts.0[1].extend(to.column.filter(|_| !has_values(&edge.to)).map(|_| to));
        facts.2 |= has_values(&edge.to);
        facts.3 = facts.3.max(edge_runs.latest);
        let low = least.iter().chain(depths).min().copied().unwrap_or(0);
        let high = least.iter().max().min(depths.iter().max()).copied().unwrap_or(0);
        *least = (low..=high).collect();
    }
    dependents
}

fn kind(world: &World, dataset: usize, runs: usize) -> DependentKind {
    let dataset = &world.datasets[dataset];
    let last = dataset.writes.iter().rev().find(|write| write.run <= runs);
    match dataset.life.name_after(runs) {
        DatasetName::Path(_) => DependentKind::Export,
        DatasetName::Result(_) => DependentKind::Result,
        DatasetName::Temporary { .. } => DependentKind::Temporary,
        _ if last.is_some_and(|write| write.act == WriteAct::Define) => DependentKind::View,
        _ => DependentKind::Table,
    }
}

fn in_oracle_words(
    pairing: &Pairing<'_>,
    dependent: &Dependent,
    at: AsOf,
) -> Result<(usize, (Vec<usize>, Facts)), String> {
    use guardbee_lineage::TraceSubject;
    let node = |subject| match pairing.subject(subject, at)? {
        Subject::Node(node) => Ok(node),
        Subject::Run(_) => Err("a run that depends".to_owned()),
    };
    let dataset = node(TraceSubject::Dataset(dependent.dataset))?.dataset;
    let in_words = |columns: &[ColumnId]| {
        let columns = columns.iter().map(|column| node(TraceSubject::Column(dependent.dataset, *column)));
        columns.collect::<Result<BTreeSet<_>, String>>()
    };
    let columns = [in_words(&dependent.columns)?, in_words(&dependent.decided)?];
    let last =
        pairing.runs.iter().position(|run| *run == dependent.last_run).ok_or("a run that is not known")?;
    Ok((dataset, (vec![dependent.depth as usize], (columns, dependent.kind, dependent.direct, last + 1))))
}

/// Compares the ways from one thing that a question names to another. How many steps the shortest has.
///
/// # Errors
/// The first difference.
pub fn compare_paths(
    world: &World,
    graph: &Graph,
    pairing: &Pairing<'_>,
    asked: &Asked,
    to: &Asked,
) -> Result<Option<usize>, String> {
    let named = |question: &Asked| Asked { as_of: asked.as_of, ..question.clone() }.nodes(world);
    let (Some(from), Some(to)) = (named(asked).first().copied(), named(to).first().copied()) else {
        return Ok(None);
    };
    let column_level = from.column.is_some() || to.column.is_some();
    let level = if column_level { Level::Column } else { Level::Dataset };
    let steps = world.steps(&Filter { level, ..asked.filter() }, &[from, to]);
    let (between, shortest) = ways(&steps, from, to);
    let filter = GraphFilter {
        edges: asked.edges,
        as_of: asked.as_of,
        window: asked.window,
        temporaries: asked.temporaries,
        ..GraphFilter::default()
    };
    let id = |node| pairing.graph_node(node).ok_or("a node that is not paired");
    let (from_id, to_id) = (id(from)?, id(to)?);
    let path = graph.shortest_path(&from_id, &to_id, &filter);
    let length = path.as_ref().map(|path| path.edges.len());
    if length != shortest {
        return Err(format!("shortest path {from:?} to {to:?}: oracle {shortest:?}, graph {path:?}"));
    }
    let words = Words { pairing, at: asked.as_of, level };
    let facts: BTreeSet<EdgeFacts> = words.facts(&steps);
    if let Some(path) = &path {
        let edges = path.edges.iter().map(|edge| words.edge(path, edge)).collect::<Result<Vec<_>, _>>()?;
        let mut at = from;
        for edge in &edges {
            let (Subject::Node(near), Subject::Node(far)) = (edge.from, edge.to) else { continue };
            if !touch(at, near) || !facts.contains(edge) {
                return Err(format!("no such way: {path:?}"));
            }
            at = far;
        }
        if !touch(at, to) {
            return Err(format!("the way does not end at {to:?}: {path:?}"));
        }
    }
    let summary = graph.paths_summary(&from_id, &to_id, &filter);
    let Some(summary) = summary else {
        return if shortest.is_none() { Ok(None) } else { Err("no summary of a way".to_owned()) };
    };
    let theirs = summary.ways.edges.iter().map(|edge| words.edge(&summary.ways, edge));
    let theirs = theirs.collect::<Result<BTreeSet<_>, _>>()?;
    let ours = words.facts(&between);
    if theirs != ours || Some(summary.shortest as usize) != shortest {
        return Err(format!("all ways {from:?} to {to:?}\n  oracle {ours:?}\n  graph  {theirs:?}"));
    }
    Ok(shortest)
}

struct Words<'a> {
    pairing: &'a Pairing<'a>,
    at: AsOf,
    level: Level,
}

impl Words<'_> {
    /// What steps are as edges; those between datasets as one where they lead to the same.
    fn facts(&self, steps: &BTreeSet<Step>) -> BTreeSet<EdgeFacts> {
        edges_of(steps, self.level).into_keys().collect()
    }

    fn edge(&self, trace: &Trace, edge: &TraceEdge) -> Result<EdgeFacts, String> {
        let end = |place| {
            let node = trace.node(place).ok_or("an edge to no node")?;
            self.pairing.subject(node.subject, self.at)
        };
        let kind: FlowKind = edge.kind;
        let (masked, unresolved) = (edge.masked, edge.unresolved);
        Ok(EdgeFacts { from: end(edge.from)?, to: end(edge.to)?, kind, masked, unresolved })
    }
}
