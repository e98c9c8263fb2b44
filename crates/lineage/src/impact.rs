//! What breaks when something is dropped or changed: who read it, and what is derived from it.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::Graph;
use crate::moment::{Order, RunIndex};
use crate::question::{
    AsOf, Direction, EdgeFilter, Level, Node, Question, Temporaries, Trace, TraceEdge, TraceSubject,
};
use crate::run::DatasetName;
use crate::timeline::{ColumnId, DatasetId};
use crate::write::WriteAct;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Impact {
    /// How many runs read the dataset until the moment asked for, whether anything of it went somewhere or not.
    pub reads: usize,
    pub last_read: Option<RunIndex>,
    /// What is derived from it and is there, nearest first; by way of what was dropped too.
    pub dependents: Vec<Dependent>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependent {
    pub dataset: DatasetId,
    /// The columns that something of it goes into or decides about; none where only the whole is known.
    pub columns: Vec<ColumnId>,
    /// Those among them that no value of it goes into.
    pub decided: Vec<ColumnId>,
    pub kind: DependentKind,
    pub depth: u32,
    /// Values go into it, all the way; otherwise they only decide about its rows.
    pub direct: bool,
    /// The latest run that brought something of it there.
    pub last_run: RunIndex,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DependentKind {
    /// Fails at its next use.
    View,
    Table,
    Temporary,
    /// Files outside of any table.
    Export,
    /// Rows that somebody was given.
    Result,
}

impl DependentKind {
    pub const ALL: [Self; 5] = [Self::View, Self::Table, Self::Temporary, Self::Export, Self::Result];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::View => "view",
            Self::Table => "table",
            Self::Temporary => "temporary table",
            Self::Export => "export",
            Self::Result => "result",
        }
    }
}

impl Graph {
    /// What a dataset or column is used for, as of a moment.
    #[must_use]
    pub fn impact(&self, of: &Node, at: AsOf) -> Impact {
        let until = self.until(at);
        let reads = self.readers_of(of.dataset).into_iter().filter(|run| self.is_until(*run, until));
        let reads: Vec<u32> = reads.collect();
        Impact {
            reads: reads.len(),
            last_read: reads.last().map(|run| RunIndex(*run)),
            dependents: self.dependents(of, at),
        }
    }

    fn dependents(&self, of: &Node, at: AsOf) -> Vec<Dependent> {
        let trace = self.all_below(of, EdgeFilter::All, at);
        let mut dependents: Vec<Dependent> = Vec::new();
        let mut places: FxHashMap<DatasetId, usize> = FxHashMap::default();
        for edge in &trace.edges {
            let Some(node) = trace.node(edge.to).filter(|node| !node.closed) else { continue };
            let (dataset, column) = match node.subject {
                TraceSubject::Dataset(dataset) => (dataset, None),
                TraceSubject::Column(dataset, column) => (dataset, Some(column)),
                TraceSubject::Run(_) => continue,
            };
            if dataset == of.dataset {
                continue;
            }
            let place = *places.entry(dataset).or_insert_with(|| {
                dependents.push(Dependent {
                    dataset,
                    columns: Vec::new(),
                    decided: Vec::new(),
                    kind: self.dependent_kind(dataset, at),
                    depth: node.depth,
                    direct: false,
                    last_run: edge.run,
                });
                dependents.len() - 1
            });
            if let Some(dependent) = dependents.get_mut(place) {
                self.note(dependent, edge, node.depth, column);
            }
        }
        let valued = self.valued(of, at);
        for dependent in &mut dependents {
            dependent.columns.sort_by(|one, other| {
                self.compare_columns(one.name, other.name).then_with(|| one.life.cmp(&other.life))
            });
            dependent.columns.dedup();
            let columns = valued.get(&dependent.dataset);
            dependent.direct = columns.is_some();
            let is_decided = |column: &&ColumnId| columns.is_none_or(|valued| !valued.contains(column));
            dependent.decided = dependent.columns.iter().filter(is_decided).copied().collect();
        }
        dependents.sort_by(|one, other| {
            one.depth
                .cmp(&other.depth)
                .then_with(|| self.compare_datasets(one.dataset.name, other.dataset.name))
                .then_with(|| one.dataset.life.cmp(&other.dataset.life))
        });
        dependents
    }

    fn all_below(&self, of: &Node, edges: EdgeFilter, at: AsOf) -> Trace {
        self.trace(&Question {
            start: vec![*of],
            direction: Direction::Down,
            level: if of.column.is_some() { Level::Column } else { Level::Dataset },
            edges,
            as_of: at,
            temporaries: Temporaries::Show,
            ..Question::default()
        })
    }

    /// The datasets that values go into, each with the columns of which that is known.
    fn valued(&self, of: &Node, at: AsOf) -> FxHashMap<DatasetId, FxHashSet<ColumnId>> {
        let trace = self.all_below(of, EdgeFilter::Direct, at);
        let mut valued: FxHashMap<DatasetId, FxHashSet<ColumnId>> = FxHashMap::default();
        for node in &trace.nodes {
            match node.subject {
                TraceSubject::Dataset(dataset) => drop(valued.entry(dataset).or_default()),
                TraceSubject::Column(dataset, column) => {
                    valued.entry(dataset).or_default().insert(column);
                }
                TraceSubject::Run(_) => {}
            }
        }
        valued
    }

    fn note(&self, dependent: &mut Dependent, edge: &TraceEdge, depth: u32, column: Option<ColumnId>) {
        dependent.columns.extend(column);
        dependent.depth = dependent.depth.min(depth);
        if edge.run != dependent.last_run && self.compare_runs(dependent.last_run.0, edge.run.0).is_lt() {
            dependent.last_run = edge.run;
        }
    }

    fn dependent_kind(&self, dataset: DatasetId, at: AsOf) -> DependentKind {
        match self.name(TraceSubject::Dataset(dataset), at).map(|name| name.dataset) {
            Some(DatasetName::Path(_)) => DependentKind::Export,
            Some(DatasetName::Result(_)) => DependentKind::Result,
            Some(DatasetName::Temporary { .. }) => DependentKind::Temporary,
            _ if self.is_view(dataset, at) => DependentKind::View,
            _ => DependentKind::Table,
        }
    }

    /// A view is what was defined last.
    fn is_view(&self, dataset: DatasetId, at: AsOf) -> bool {
        let until = self.until(at);
        let writes = self.writes_to(dataset);
        let last = writes.iter().rev().find(|(_, write)| self.is_until(write.moment.run, until));
        last.is_some_and(|(_, write)| write.act == WriteAct::Define)
    }
}
