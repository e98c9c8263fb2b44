//! Datasets, columns, and the edges between them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use guardbee_analysis::Catalog;
use guardbee_model::{Name, TableName};
use guardbee_questions::table_candidates;

use super::{Dataset, Relation};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    #[must_use]
    pub const fn index(self) -> u32 {
        self.0
    }
}

/// The statement that an edge comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Process {
    pub file: Arc<str>,
    pub line: u32,
    pub operation: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    pub from: NodeId,
    pub to: NodeId,
    /// Of the graph's processes; see [`Graph::process`].
    pub process: u32,
    /// `IDENTITY`, `TRANSFORMATION`, `AGGREGATION`; the name of an influence; `load`, `rename` and kin.
    pub how: &'static str,
    pub is_direct: bool,
    /// Does the value pass a function that hides it?
    pub is_masked: bool,
    /// What is computed, where it is more than a column.
    pub expression: Option<Arc<str>>,
    /// The views between both ends, outermost first.
    pub through: Arc<[TableName]>,
}

impl Edge {
    /// How, in the words of people.
    #[must_use]
    pub fn how_in_words(&self) -> String {
        let how = self.how.to_ascii_lowercase().replace('_', " ");
        if self.is_masked { how + ", masked" } else { how }
    }
}

/// Everything that was found; an edge of one statement is there once.
#[derive(Debug, Default)]
pub struct Graph {
    nodes: Vec<Dataset>,
    ids: HashMap<Dataset, NodeId>,
    edges: Vec<Edge>,
    processes: Vec<Process>,
    incoming: HashMap<NodeId, Vec<u32>>,
    outgoing: HashMap<NodeId, Vec<u32>>,
    known: HashSet<(NodeId, NodeId, u32, &'static str)>,
}

impl Graph {
    #[must_use]
    pub fn id(&self, dataset: &Dataset) -> Option<NodeId> {
        self.ids.get(dataset).copied()
    }

    #[must_use]
    pub fn node(&self, id: NodeId) -> Option<&Dataset> {
        self.nodes.get(id.0 as usize)
    }

    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &Dataset)> {
        (0..).map(NodeId).zip(&self.nodes)
    }

    #[must_use]
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    #[must_use]
    pub fn process(&self, edge: &Edge) -> Option<&Process> {
        self.processes.get(edge.process as usize)
    }

    pub fn incoming(&self, id: NodeId) -> impl Iterator<Item = &Edge> {
        self.incoming.get(&id).into_iter().flatten().filter_map(|&edge| self.edges.get(edge as usize))
    }

    pub fn outgoing(&self, id: NodeId) -> impl Iterator<Item = &Edge> {
        self.outgoing.get(&id).into_iter().flatten().filter_map(|&edge| self.edges.get(edge as usize))
    }

    /// Does the edge lead from a column to a column?
    #[must_use]
    pub fn is_between_columns(&self, edge: &Edge) -> bool {
        let is_whole = |id| self.node(id).is_some_and(Dataset::is_whole);
        !is_whole(edge.from) && !is_whole(edge.to)
    }

    /// The node that a text names: a path as it stands, `[db.]table` or `[db.]table.column`. A name that only
    /// temporary tables have stands for the first of them.
    #[must_use]
    pub fn find(&self, text: &str, database: &str) -> Option<NodeId> {
        let names = table_candidates(text, database);
        let shared = names.iter().cloned().map(|(name, column)| dataset(Relation::shared(name), column));
        let path = Dataset::Path(Arc::from(text));
        let path_column = text
            .rsplit_once('#')
            .map(|(path, column)| Dataset::PathColumn { path: Arc::from(path), column: Name::fold(column) });
        let known = shared.chain([path]).chain(path_column).find_map(|dataset| self.id(&dataset));
        known.or_else(|| {
            let is_meant = |node: &Dataset| match node {
                Dataset::Table(relation) => names.contains(&(relation.name.clone(), None)),
                Dataset::Column { relation, column } => {
                    names.contains(&(relation.name.clone(), Some(column.clone())))
                }
                _ => false,
            };
            self.nodes().find(|(_, node)| node.session().is_some() && is_meant(node)).map(|(id, _)| id)
        })
    }

    /// The node of a table, or a column of one, that a catalog knows though no statement touches it.
    pub fn find_in(&mut self, catalog: &Catalog, text: &str, database: &str) -> Option<NodeId> {
        let known = table_candidates(text, database).into_iter().find(|(name, column)| {
            let table = catalog.table(&name.database, &name.table);
            table.is_some_and(|table| column.as_ref().is_none_or(|column| table.column(column).is_some()))
        });
        known.map(|(name, column)| self.add(dataset(Relation::shared(name), column)))
    }

    pub(super) fn add_process(&mut self, process: Process) -> u32 {
        let index = u32::try_from(self.processes.len()).unwrap_or(u32::MAX);
        self.processes.push(process);
        index
    }

    pub(super) fn add(&mut self, dataset: Dataset) -> NodeId {
        if let Some(&id) = self.ids.get(&dataset) {
            return id;
        }
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(dataset.clone());
        self.ids.insert(dataset, id);
        id
    }

    pub(super) fn connect(&mut self, edge: Edge) {
        if !self.known.insert((edge.from, edge.to, edge.process, edge.how)) {
            return;
        }
        let index = u32::try_from(self.edges.len()).unwrap_or(u32::MAX);
        self.incoming.entry(edge.to).or_default().push(index);
        self.outgoing.entry(edge.from).or_default().push(index);
        self.edges.push(edge);
    }
}

fn dataset(relation: Relation, column: Option<Name>) -> Dataset {
    match column {
        Some(column) => Dataset::Column { relation, column },
        None => Dataset::Table(relation),
    }
}
