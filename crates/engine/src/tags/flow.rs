//! From assigned tags and recorded runs to what carries them by that: names become nodes of the graph, and nodes names
//! again.

use std::collections::{HashMap, HashSet};

use guardbee_lineage::{
    AsOf, ColumnId, DatasetId, DatasetName, DerivedTag, EdgeFilter, Graph, Node, NodeName, TagFlow,
    TagNumber, TagRules, TagSource, TagStep, TraceSubject,
};
use guardbee_model::Name;
use guardbee_policy::{Policy, Resource, Settings, TagAssignment, TagBoundary, Uri};

use super::boundaries::{FunctionCalls, FunctionName};
use super::direct::Arrival;
use super::heritage::{Heritage, TagValue, resource};

/// What tags flow through, and how.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'g> {
    pub graph: &'g Graph,
    pub calls: &'g FunctionCalls,
    pub edges: EdgeFilter,
    pub at: AsOf,
}

/// A flow, and what the numbers in it stand for.
pub(crate) struct Flowed {
    pub flow: TagFlow,
    pub tags: Vec<TagValue>,
    pub renamed: Vec<Renamed>,
}

/// What has another name than a tag was put on, as far as the policy knows.
pub(crate) struct Renamed {
    pub node: Node,
    pub name: NodeName,
    pub tag: TagValue,
    pub put_on: Resource,
}

impl Ground<'_> {
    /// Where the tags of some assignments go.
    pub fn flow<'a>(&self, policy: &Policy, assignments: impl Iterator<Item = &'a TagAssignment>) -> Flowed {
        let mut numbers = Numbers::default();
        let mut names = Names::new(self.graph, self.at);
        let mut sources = Vec::new();
        let mut renamed = Vec::new();
        for TagAssignment { tag, value, resource } in assignments {
            let number = numbers.number((tag.clone(), value.clone()));
            for node in names.nodes(resource) {
                sources.push(TagSource { node, tag: number });
                renamed.extend(self.new_name(node, resource).map(|name| Renamed {
                    node,
                    name,
                    tag: (tag.clone(), value.clone()),
                    put_on: resource.clone(),
                }));
            }
        }
        Flowed { renamed, ..self.follow(policy.settings(), numbers.tags, &sources) }
    }

    /// What something is called that a table or column which a policy names became.
    fn new_name(&self, node: Node, put_on: &Resource) -> Option<NodeName> {
        if !matches!(put_on, Resource::Table(_) | Resource::Column(_)) {
            return None;
        }
        let name = name(self.graph, node, self.at)?;
        let is_other = node.column != Some(ColumnId::UNNAMED)
            && resource(&name.dataset, name.column.as_ref()).is_some_and(|named| named != *put_on);
        is_other.then_some(name)
    }

    /// Where tags go on to that came to something.
    pub fn flow_on(&self, policy: &Policy, arrivals: &[Arrival]) -> Flowed {
        let mut numbers = Numbers::default();
        let mut sources = Vec::new();
        for (dataset, column, tag) in arrivals {
            if let Some(node) = node(self.graph, dataset, column.as_ref(), self.at) {
                sources.push(TagSource { node, tag: numbers.number(tag.clone()) });
            }
        }
        self.follow(policy.settings(), numbers.tags, &sources)
    }

    /// Where tags go from some nodes.
    pub fn follow(&self, settings: &Settings, tags: Vec<TagValue>, sources: &[TagSource]) -> Flowed {
        if sources.is_empty() {
            return Flowed { flow: TagFlow::default(), tags, renamed: Vec::new() };
        }
        let ends = Ends::of(self, settings, &tags);
        let stops = |step: TagStep| ends.stops(self, step);
        let stops: Option<&dyn Fn(TagStep) -> bool> = if ends.is_empty() { None } else { Some(&stops) };
        let rules = TagRules { edges: self.edges, as_of: self.at, stops };
        Flowed { flow: self.graph.tag_flow(sources, rules), tags, renamed: Vec::new() }
    }

    /// Adds what a flow came to.
    pub fn add(&self, heritage: &mut Heritage, flowed: &Flowed) {
        for Renamed { name, tag, .. } in &flowed.renamed {
            heritage.add(&name.dataset, name.column.as_ref(), tag);
        }
        let mut derived: Vec<DerivedTag> = flowed.flow.derived().collect();
        derived.sort_unstable_by_key(|derived| derived.node.dataset);
        for of_dataset in derived.chunk_by(|one, other| one.node.dataset == other.node.dataset) {
            let Some(DerivedTag { node: Node { dataset: id, .. }, .. }) = of_dataset.first() else {
                continue;
            };
            let Some(NodeName { dataset, .. }) = name(self.graph, Node::dataset(*id), self.at) else {
                continue;
            };
            if matches!(dataset, DatasetName::Result(_)) {
                continue;
            }
            let tags = of_dataset.iter().filter_map(|DerivedTag { node, tag, .. }| {
                let column = node.column.map(|column| self.graph.name_of_column(*id, column, self.at));
                Some((column, flowed.tags.get(tag.0 as usize)?.clone()))
            });
            heritage.add_all(dataset, tags);
        }
    }
}

#[derive(Default)]
struct Numbers {
    numbers: HashMap<TagValue, TagNumber>,
    tags: Vec<TagValue>,
}

impl Numbers {
    fn number(&mut self, tag: TagValue) -> TagNumber {
        if let Some(number) = self.numbers.get(&tag) {
            return *number;
        }
        let number = TagNumber(u32::try_from(self.tags.len()).unwrap_or(u32::MAX));
        self.tags.push(tag.clone());
        self.numbers.insert(tag, number);
        number
    }
}

/// Nodes by what policies call them.
pub(crate) struct Names<'g> {
    graph: &'g Graph,
    at: AsOf,
    /// Everything that is there, once somebody asked for it.
    datasets: Option<Vec<(DatasetId, DatasetName)>>,
}

impl<'g> Names<'g> {
    pub fn new(graph: &'g Graph, at: AsOf) -> Self {
        Self { graph, at, datasets: None }
    }

    pub fn nodes(&mut self, resource: &Resource) -> Vec<Node> {
        let table = |table: &guardbee_model::TableName| DatasetName::Table(table.clone());
        match resource {
            Resource::Column(column) => {
                named(self.graph, &table(&column.table), Some(&column.column), self.at)
            }
            Resource::Table(name) => named(self.graph, &table(name), None, self.at),
            Resource::Database(database) => self.all(|name| match name {
                DatasetName::Table(table) => table.database == *database,
                DatasetName::Database(name) => name == database,
                _ => false,
            }),
            Resource::Uri(uri) => self.all(|name| match name {
                DatasetName::Path(path) => uri.covers(&Uri::from_normalised(path)),
                _ => false,
            }),
            Resource::Server => self.all(|name| matches!(name, DatasetName::Table(_) | DatasetName::Path(_))),
            Resource::Function { .. } | Resource::Connector(_) | Resource::Service(_) => Vec::new(),
        }
    }

    fn all(&mut self, is_meant: impl Fn(&DatasetName) -> bool) -> Vec<Node> {
        let (graph, at) = (self.graph, self.at);
        let datasets = self.datasets.get_or_insert_with(|| {
            let named = graph.datasets(at).filter_map(|dataset| {
                Some((dataset, graph.name(TraceSubject::Dataset(dataset), at)?.dataset))
            });
            named.collect()
        });
        let meant = datasets.iter().filter(|(_, name)| is_meant(name));
        meant.map(|(dataset, _)| Node::dataset(*dataset)).collect()
    }
}

/// What a name stands for, and what was dropped under it: what was made of that is of the same kind.
/// Where a name stands for nothing any more, what had it last goes on under another: nobody has told the policy.
fn named(graph: &Graph, dataset: &DatasetName, column: Option<&Name>, at: AsOf) -> Vec<Node> {
    let mut nodes = Vec::new();
    let open = graph.find(dataset, at);
    let all = graph.find_all(dataset);
    let had_it_last = all.last().copied().filter(|_| open.is_none());
    for known in all {
        let state = graph.dataset(known, at);
        let is_last_name = state.names.last().is_some_and(|last| last.name == *dataset);
        let was_dropped = state.closed_by.is_some() && is_last_name;
        if open != Some(known) && had_it_last != Some(known) && !was_dropped {
            continue;
        }
        match column {
            None => nodes.push(Node::dataset(known)),
            Some(column) => {
                let before = nodes.len();
                let called = state.columns.iter().filter(|known| known.name == *column);
                nodes.extend(called.clone().map(|column| Node::column(known, column.id)));
                if called.clone().all(|column| column.closed)
                    && let Some(had_it_last) = graph.find_all_columns(known, column).last()
                    && called.clone().all(|column| column.id != *had_it_last)
                {
                    nodes.push(Node::column(known, *had_it_last));
                }
                if nodes.len() == before {
                    nodes.push(Node::column(known, ColumnId::UNNAMED));
                }
            }
        }
    }
    nodes
}

pub(crate) fn node(graph: &Graph, dataset: &DatasetName, column: Option<&Name>, at: AsOf) -> Option<Node> {
    let dataset = graph.find(dataset, at)?;
    match column {
        None => Some(Node::dataset(dataset)),
        Some(column) => Some(Node::column(dataset, graph.find_column(dataset, column, at)?)),
    }
}

pub(crate) fn name(graph: &Graph, node: Node, at: AsOf) -> Option<NodeName> {
    let subject = match node.column {
        None => TraceSubject::Dataset(node.dataset),
        Some(column) => TraceSubject::Column(node.dataset, column),
    };
    graph.name(subject, at)
}

/// Where the tags of a flow end.
struct Ends {
    columns: HashSet<(Node, TagNumber)>,
    functions: HashMap<TagNumber, Vec<FunctionName>>,
}

impl Ends {
    fn of(ground: &Ground<'_>, settings: &Settings, tags: &[TagValue]) -> Self {
        let mut ends = Self { columns: HashSet::new(), functions: HashMap::new() };
        for ((tag, _), number) in tags.iter().zip(0..) {
            for one in settings.declassifiers.of_tag(tag) {
                match &one.at {
                    TagBoundary::Function { database, function } => {
                        let functions = ends.functions.entry(TagNumber(number)).or_default();
                        functions.push((database.clone(), function.clone()));
                    }
                    TagBoundary::Column(column) => {
                        let table = DatasetName::Table(column.table.clone());
                        let node = node(ground.graph, &table, Some(&column.column), ground.at);
                        ends.columns.extend(node.map(|node| (node, TagNumber(number))));
                    }
                }
            }
        }
        ends
    }

    fn is_empty(&self) -> bool {
        self.columns.is_empty() && self.functions.is_empty()
    }

    fn stops(&self, ground: &Ground<'_>, step: TagStep) -> bool {
        self.columns.contains(&(step.to, step.tag))
            || self
                .functions
                .get(&step.tag)
                .is_some_and(|functions| ground.calls.is_passed(ground, step, functions))
    }
}
