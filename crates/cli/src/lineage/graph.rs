//! Datasets, columns, and the statements that made one from another.

use std::collections::HashMap;

use guardbee_analysis::effects::{
    Derivation, Destination, Effects, Influence, Mode, Object, Origin, Source, Target, WriteAction,
};
use guardbee_analysis::{Catalog, CatalogChange};
use guardbee_model::{Name, TableName};

/// A node: a dataset as a whole, or one column of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dataset {
    Table(TableName),
    Path(String),
    Column {
        table: TableName,
        column: Name,
    },
    /// A column of a directory.
    PathColumn {
        path: String,
        column: Name,
    },
    /// A column that no known table could be found for.
    Unresolved(Name),
}

impl Dataset {
    /// The dataset that a column belongs to; a dataset belongs to itself.
    #[must_use]
    pub fn whole(&self) -> Option<Self> {
        match self {
            Self::Table(_) | Self::Path(_) => Some(self.clone()),
            Self::Column { table, .. } => Some(Self::Table(table.clone())),
            Self::PathColumn { path, .. } => Some(Self::Path(path.clone())),
            Self::Unresolved(_) => None,
        }
    }
}

impl std::fmt::Display for Dataset {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Table(table) => write!(f, "{table}"),
            Self::Path(path) => f.write_str(path),
            Self::Column { table, column } => write!(f, "{table}.{column}"),
            Self::PathColumn { path, column } => write!(f, "{path}#{column}"),
            Self::Unresolved(column) => write!(f, "?.{column}"),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

/// The statement that an edge comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Process {
    pub file: String,
    pub line: u32,
    pub operation: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Edge {
    pub from: NodeId,
    pub to: NodeId,
    /// Index into [`Graph::processes`].
    pub process: u32,
    /// `identity`, `transformation`, `aggregation`; the name of an influence; `load`, `rename` and kin.
    pub how: &'static str,
    pub is_direct: bool,
}

/// Everything that was found, each edge once.
#[derive(Debug, Default)]
pub struct Graph {
    nodes: Vec<Dataset>,
    ids: HashMap<Dataset, NodeId>,
    edges: Vec<Edge>,
    processes: Vec<Process>,
    incoming: HashMap<NodeId, Vec<u32>>,
    outgoing: HashMap<NodeId, Vec<u32>>,
    known: std::collections::HashSet<Edge>,
}

impl NodeId {
    #[must_use]
    pub const fn index(self) -> u32 {
        self.0
    }
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
        let is_whole = |id| matches!(self.node(id), Some(Dataset::Table(_) | Dataset::Path(_)));
        !is_whole(edge.from) && !is_whole(edge.to)
    }

    /// Takes in what a statement does. `catalog` is the state after it, for the columns of renamed tables.
    pub fn record(&mut self, effects: &Effects, process: Process, catalog: &Catalog) {
        if matches!(effects.mode, Mode::Explain | Mode::ExplainAuthorization) {
            return;
        }
        let index = u32::try_from(self.processes.len()).unwrap_or(u32::MAX);
        let edges_before = self.edges.len();
        self.processes.push(process);
        for target in &effects.targets {
            self.record_target(target, index);
        }
        self.record_datasets(effects, index);
        for change in &effects.changes {
            if let CatalogChange::RenameTable { from, to } = change {
                self.record_rename(from, to, catalog, index);
            }
        }
        if self.edges.len() == edges_before {
            self.processes.pop();
        }
    }

    fn record_target(&mut self, target: &Target, process: u32) {
        let Some(whole) = destination(&target.destination) else { return };
        for column in &target.columns {
            let to = self.add(column_of(&whole, &column.name));
            for source in &column.sources {
                self.record_source(source, to, process);
            }
            for influence in &column.influences {
                self.record_influence(influence, to, process);
            }
        }
        for influence in &target.influences {
            let to = self.add(whole.clone());
            self.record_influence(influence, to, process);
            for column in &target.columns {
                let to = self.add(column_of(&whole, &column.name));
                self.record_influence(influence, to, process);
            }
        }
    }

    fn record_source(&mut self, source: &Source, to: NodeId, process: u32) {
        let how = match source.derivation {
            Derivation::Identity => "identity",
            Derivation::Transformation => "transformation",
            Derivation::Aggregation => "aggregation",
        };
        let from = self.add(origin(&source.origin));
        self.connect(Edge { from, to, process, how, is_direct: true });
    }

    fn record_influence(&mut self, influence: &Influence, to: NodeId, process: u32) {
        let from = self.add(origin(&influence.origin));
        self.connect(Edge { from, to, process, how: influence.purpose.as_str(), is_direct: false });
    }

    /// Edges between datasets as a whole: each target with what it is read from.
    fn record_datasets(&mut self, effects: &Effects, process: u32) {
        let read: Vec<Dataset> = effects
            .reads
            .iter()
            .filter(|read| read.access.is_direct())
            .filter_map(|read| dataset(&read.object))
            .collect();
        let written: Vec<(Dataset, WriteAction)> = effects
            .writes
            .iter()
            .filter_map(|write| Some((dataset(&write.object)?, write.action)))
            .filter(|(_, action)| carries_rows(*action))
            .collect();
        let several_targets = effects.targets.len() > 1;
        for (to, action) in written {
            let sources = if several_targets { sources_of(effects, &to) } else { read.clone() };
            for from in sources {
                let (from, to) = (self.add(from), self.add(to.clone()));
                self.connect(Edge { from, to, process, how: action.as_str(), is_direct: true });
            }
        }
    }

    fn record_rename(&mut self, from: &TableName, to: &TableName, catalog: &Catalog, process: u32) {
        let (old, new) = (self.add(Dataset::Table(from.clone())), self.add(Dataset::Table(to.clone())));
        self.connect(Edge { from: old, to: new, process, how: "rename", is_direct: true });
        let Some(table) = catalog.table(&to.database, &to.table) else { return };
        for column in table.all_columns() {
            let old = self.add(Dataset::Column { table: from.clone(), column: column.name.clone() });
            let new = self.add(Dataset::Column { table: to.clone(), column: column.name.clone() });
            self.connect(Edge { from: old, to: new, process, how: "rename", is_direct: true });
        }
    }

    fn add(&mut self, dataset: Dataset) -> NodeId {
        if let Some(&id) = self.ids.get(&dataset) {
            return id;
        }
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(dataset.clone());
        self.ids.insert(dataset, id);
        id
    }

    fn connect(&mut self, edge: Edge) {
        if !self.known.insert(edge) {
            return;
        }
        let index = u32::try_from(self.edges.len()).unwrap_or(u32::MAX);
        self.edges.push(edge);
        self.incoming.entry(edge.to).or_default().push(index);
        self.outgoing.entry(edge.from).or_default().push(index);
    }
}

const fn carries_rows(action: WriteAction) -> bool {
    matches!(
        action,
        WriteAction::Create
            | WriteAction::Insert
            | WriteAction::Overwrite
            | WriteAction::Update
            | WriteAction::Delete
            | WriteAction::Load
    )
}

/// What one target of several reads: the datasets of its sources and influences.
fn sources_of(effects: &Effects, to: &Dataset) -> Vec<Dataset> {
    let mut sources: Vec<Dataset> = Vec::new();
    for target in
        effects.targets.iter().filter(|target| destination(&target.destination).as_ref() == Some(to))
    {
        let direct = target.columns.iter().flat_map(|column| &column.sources).map(|source| &source.origin);
        let indirect = target.influences.iter().map(|influence| &influence.origin);
        for found in direct.chain(indirect).filter_map(|found| origin(found).whole()) {
            if !sources.contains(&found) {
                sources.push(found);
            }
        }
    }
    sources
}

fn dataset(object: &Object) -> Option<Dataset> {
    match object {
        Object::Table(table) => Some(Dataset::Table(table.clone())),
        Object::Path(path) => Some(Dataset::Path(path.to_string())),
        _ => None,
    }
}

fn destination(destination: &Destination) -> Option<Dataset> {
    match destination {
        Destination::Table(table) => Some(Dataset::Table(table.clone())),
        Destination::Directory(path) => Some(Dataset::Path(path.to_string())),
        Destination::Result => None,
    }
}

fn column_of(whole: &Dataset, column: &Name) -> Dataset {
    match whole {
        Dataset::Table(table) => Dataset::Column { table: table.clone(), column: column.clone() },
        Dataset::Path(path) => Dataset::PathColumn { path: path.clone(), column: column.clone() },
        other => other.clone(),
    }
}

fn origin(origin: &Origin) -> Dataset {
    match origin {
        Origin::Column { table, column } => Dataset::Column { table: table.clone(), column: column.clone() },
        Origin::FileColumn { path, column } => {
            Dataset::PathColumn { path: path.to_string(), column: column.clone() }
        }
        Origin::WholeTable(table) => Dataset::Table(table.clone()),
        Origin::Unresolved { column, .. } => Dataset::Unresolved(column.clone()),
    }
}
