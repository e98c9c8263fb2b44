//! The lineage crate before the oracle: one history, fed in some way, and one question.

use std::collections::BTreeMap;

use guardbee_lineage::{AsOf, Graph, Limit, Outcome, Question, Run, Trace, TraceEdge, TraceNode, Visibility};

use super::answer::{Answer, EdgeFacts, NodeFacts, Runs, answer, difference};
use super::others::{compare_histories, compare_impacts, compare_paths};
use super::pairing::{Pairing, moments};
use super::question::Asked;
use super::random::arrivals;
use super::reduce::reduce;
use super::{World, run_text};
use crate::generate::Random;

/// How runs come to the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feed {
    /// One by one, in their order.
    InOrder,
    /// As chance has it: out of order, again, in batches, with the graph compacted or saved and loaded in between.
    Random(u64),
}

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asking {
    /// What names stood for, and the history of each dataset.
    States,
    Trace(Asked),
    /// What depends on what the question starts at.
    Impact(Asked),
    /// The ways from what the one question starts at to what the other does.
    Paths(Asked, Asked),
}

impl Asking {
    fn text(&self) -> String {
        match self {
            Self::States => "names and histories".to_owned(),
            Self::Trace(asked) => asked.text(),
            Self::Impact(asked) => format!("impact; {}", asked.text()),
            Self::Paths(from, to) => format!("paths; {}; to {}", from.text(), to.text()),
        }
    }

    fn simpler(&self) -> Vec<Self> {
        match self {
            Self::States => Vec::new(),
            Self::Trace(asked) => asked.simpler().into_iter().map(Self::Trace).collect(),
            Self::Impact(asked) => asked.simpler().into_iter().map(Self::Impact).collect(),
            Self::Paths(from, to) => {
                from.simpler().into_iter().map(|simpler| Self::Paths(simpler, to.clone())).collect()
            }
        }
    }
}

/// A question to a history.
#[derive(Debug, Clone)]
pub struct Case {
    pub runs: Vec<Run>,
    pub feed: Feed,
    pub asked: Asking,
}

impl Case {
    /// How the graph and the oracle differ on it.
    #[must_use]
    pub fn difference(&self) -> Option<String> {
        let world = World::of(&self.runs);
        let graph = match fed(&self.runs, self.feed) {
            Ok(graph) => graph,
            Err(what) => return Some(what),
        };
        let compared = Pairing::of(&world, &graph).and_then(|pairing| match &self.asked {
            Asking::States => compare_states(&world, &graph, &pairing),
            Asking::Trace(asked) => compare_traces(&world, &graph, &pairing, asked).map(|_| ()),
            Asking::Impact(asked) => compare_impacts(&world, &graph, &pairing, asked).map(|_| ()),
            Asking::Paths(from, to) => compare_paths(&world, &graph, &pairing, from, to).map(|_| ()),
        });
        compared.err()
    }

    /// The case as a person would write it.
    #[must_use]
    pub fn text(&self) -> String {
        let mut lines: Vec<String> = self.runs.iter().map(run_text).collect();
        lines.push(format!("-- fed {:?}", self.feed));
        lines.push(format!("-- {}", self.asked.text()));
        lines.join("\n")
    }

    /// The smallest case that still has a difference.
    #[must_use]
    pub fn reduced(&self) -> Self {
        let mut current = self.clone();
        loop {
            let before = current.text();
            let plain = Self { feed: Feed::InOrder, ..current.clone() };
            if plain.difference().is_some() {
                current = plain;
            }
            let with_runs = |runs: &[Run]| Self { runs: runs.to_vec(), ..current.clone() };
            let runs = reduce(&current.runs, |runs| with_runs(runs).difference().is_some());
            current = with_runs(&runs);
            for asked in current.asked.simpler() {
                let candidate = Self { asked, ..current.clone() };
                if candidate.difference().is_some() {
                    current = candidate;
                    break;
                }
            }
            if current.text() == before {
                return current;
            }
        }
    }
}

/// The graph of a history.
///
/// # Errors
/// A run that is not taken, or a graph that does not come back as it was saved.
pub fn fed(runs: &[Run], feed: Feed) -> Result<Graph, String> {
    let mut graph = Graph::new();
    match feed {
        Feed::InOrder => {
            let world = World::of(runs);
            for run in &world.runs {
                graph = recorded(&graph, std::slice::from_ref(run))?;
            }
        }
        Feed::Random(seed) => {
            let mut random = Random::new(seed);
            for batch in arrivals(&mut random, runs) {
                graph = recorded(&graph, &batch)?;
                if random.percent(20) {
                    graph = graph.compacted();
                }
                if random.percent(10) {
                    graph = Graph::from_parts(graph.to_parts())
                        .map_err(|error| format!("not loaded as it was saved: {error}"))?;
                }
            }
        }
    }
    Ok(graph)
}

fn recorded(graph: &Graph, batch: &[Run]) -> Result<Graph, String> {
    let recorded = graph.record(batch);
    for (run, outcome) in batch.iter().zip(&recorded.outcomes) {
        let was_known = graph.run_of_key(&run.key).is_some();
        match outcome {
            Outcome::Refused(error) => return Err(format!("run {} is refused: {error}", run.key.0)),
            Outcome::New(_) if was_known => return Err(format!("run {} is new again", run.key.0)),
            _ => {}
        }
    }
    Ok(recorded.graph)
}

/// What is known of each dataset at each moment.
///
/// # Errors
/// The first difference.
pub fn compare_states(world: &World, graph: &Graph, pairing: &Pairing<'_>) -> Result<(), String> {
    for at in moments() {
        let runs = world.runs_until(at);
        for (index, dataset) in world.datasets.iter().enumerate() {
            let Some(id) = pairing.dataset_id(index) else { continue };
            let state = graph.dataset(id, at);
            let versions = dataset.writes.iter().filter(|write| write.run <= runs && write.is_version());
            let versions = versions.count();
            let closed = dataset.life.closed.map(|place| pairing.runs[place.run - 1]);
            let predecessor = dataset.predecessor.and_then(|index| pairing.dataset_id(index));
            let names: Vec<_> = dataset.life.segments.iter().map(|segment| segment.name.clone()).collect();
            let theirs: Vec<_> = state.names.iter().map(|period| period.name.clone()).collect();
            let oracle = (versions, closed, predecessor, names, world.is_temporary(index));
            let graph =
                (state.versions as usize, state.closed_by, state.predecessor, theirs, state.temporary);
            if oracle != graph {
                return Err(format!("dataset {index} {at:?}\n  oracle {oracle:?}\n  graph  {graph:?}"));
            }
        }
        compare_histories(world, graph, pairing, at)?;
    }
    Ok(())
}

/// Both answers to a question; how much they hold.
///
/// # Errors
/// The first difference.
pub fn compare_traces(
    world: &World,
    graph: &Graph,
    pairing: &Pairing<'_>,
    asked: &Asked,
) -> Result<Answer, String> {
    let oracle = answer(world, asked);
    let trace = traced(world, graph, pairing, asked)?;
    let graph = in_oracle_words(world, graph, pairing, asked, &trace)?;
    difference(&oracle, &graph).map_or(Ok(oracle), Err)
}

/// The graph's answer, put together from its pages.
fn traced(world: &World, graph: &Graph, pairing: &Pairing<'_>, asked: &Asked) -> Result<Trace, String> {
    let runs = world.runs_until(asked.as_of);
    let ids = |names: &[guardbee_lineage::DatasetName]| -> Vec<_> {
        let found = names.iter().filter_map(|name| world.find(name, runs));
        found.filter_map(|dataset| pairing.dataset_id(dataset)).collect()
    };
    let hidden = ids(&asked.hidden);
    let visible = |id| if hidden.contains(&id) { Visibility::Masked } else { Visibility::Visible };
    let start = asked.nodes(world).into_iter().map(|node| pairing.graph_node(node));
    let mut question = Question {
        start: start.collect::<Option<_>>().ok_or("a start that is not paired")?,
        direction: asked.direction,
        level: asked.level,
        depth: asked.depth,
        edges: asked.edges,
        as_of: asked.as_of,
        window: asked.window,
        stop: ids(&asked.stop),
        limit: Limit::NONE,
        cursor: None,
        temporaries: asked.temporaries,
        shown: Vec::new(),
        visible: &visible,
    };
    let whole = graph.trace(&question);
    if whole.truncated.is_some() {
        return Err("truncated without a limit".to_owned());
    }
    question.limit = Limit { nodes: asked.page, edges: asked.page };
    let mut pages = Trace::default();
    for _ in 0..=whole.nodes.len() + whole.edges.len() {
        let page = graph.trace(&question);
        pages.nodes.extend(page.nodes);
        pages.edges.extend(page.edges);
        question.cursor = page.truncated;
        if page.truncated.is_none() {
            break;
        }
    }
    if pages.nodes != whole.nodes || pages.edges != whole.edges {
        return Err(format!("pages are not the whole:\n{pages:?}\n{whole:?}"));
    }
    Ok(whole)
}

fn in_oracle_words(
    world: &World,
    graph: &Graph,
    pairing: &Pairing<'_>,
    asked: &Asked,
    trace: &Trace,
) -> Result<Answer, String> {
    let mut nodes = BTreeMap::new();
    let mut subjects = Vec::new();
    for node in &trace.nodes {
        let subject = pairing.subject(node.subject, asked.as_of)?;
        subjects.push(subject);
        if nodes.insert(subject, node_facts(graph, pairing, world, asked.as_of, node)).is_some() {
            return Err(format!("node {subject:?} is there twice"));
        }
    }
    let end = |place: u32| subjects.get(place as usize).copied().ok_or("an edge to no node");
    let mut edges = BTreeMap::new();
    for edge in &trace.edges {
        let facts = EdgeFacts {
            from: end(edge.from)?,
            to: end(edge.to)?,
            kind: edge.kind,
            masked: edge.masked,
            unresolved: edge.unresolved,
        };
        if edges.insert(facts, runs_of(pairing, edge)?).is_some() {
            return Err(format!("edge {facts:?} is there twice"));
        }
    }
    Ok(Answer { nodes, edges })
}

fn runs_of(pairing: &Pairing<'_>, edge: &TraceEdge) -> Result<Runs, String> {
    let latest = pairing.runs.iter().position(|run| *run == edge.run).ok_or("an edge of no run")?;
    Ok(Runs { latest: latest + 1, count: edge.run_count as usize })
}

fn node_facts(graph: &Graph, pairing: &Pairing<'_>, world: &World, at: AsOf, node: &TraceNode) -> NodeFacts {
    let name = match node.subject {
        guardbee_lineage::TraceSubject::Run(run) => {
            let place = pairing.runs.iter().position(|known| *known == run);
            place.map_or(String::new(), |place| world.runs[place].key.0.to_string())
        }
        subject => graph.name(subject, at).map_or(String::new(), |name| super::question::node_text(&name)),
    };
    NodeFacts {
        name,
        depths: vec![node.depth as usize],
        masked: node.masked,
        closed: node.closed,
        temporary: node.temporary,
    }
}
