//! Which dataset and column of a graph is which of the oracle's. To pair them is to compare what names stand for.

use std::collections::{BTreeMap, HashMap};

use guardbee_lineage::{
    AsOf, ColumnId, DatasetId, DatasetName, Graph, Node as GraphNode, RunIndex, TraceSubject,
};
use guardbee_model::{Name, Timestamp};

use super::answer::Subject;
use super::random::LAST_MOMENT;
use super::{Mention, Node, Place, Side, World, dataset_text};

/// The same things in two worlds.
#[derive(Debug)]
pub struct Pairing<'w> {
    world: &'w World,
    graph: &'w Graph,
    datasets: HashMap<DatasetId, usize>,
    columns: HashMap<(DatasetId, ColumnId), Node>,
    /// The other way round.
    ids: BTreeMap<Node, GraphNode>,
    pub runs: Vec<RunIndex>,
}

impl<'w> Pairing<'w> {
    /// # Errors
    /// A name that stands for one thing in the one world and for another in the other.
    pub fn of(world: &'w World, graph: &'w Graph) -> Result<Self, String> {
        let index = |run: &guardbee_lineage::Run| {
            graph.run_of_key(&run.key).ok_or_else(|| format!("run {} is not known", run.key.0))
        };
        let runs = world.runs.iter().map(index).collect::<Result<_, _>>()?;
        let mut pairing = Self {
            world,
            graph,
            datasets: HashMap::new(),
            columns: HashMap::new(),
            ids: BTreeMap::new(),
            runs,
        };
        pairing.pair_datasets()?;
        for mention in &world.mentions {
            pairing.pair_mention(mention)?;
        }
        for moment in moments() {
            pairing.pair_moment(moment)?;
        }
        Ok(pairing)
    }

    #[must_use]
    pub fn dataset_id(&self, dataset: usize) -> Option<DatasetId> {
        self.ids.get(&Node { dataset, column: None }).map(|node| node.dataset)
    }

    #[must_use]
    pub fn graph_node(&self, node: Node) -> Option<GraphNode> {
        self.ids.get(&node).copied()
    }

    /// What a subject of the graph is in the oracle's world, by the names of a moment where nothing else tells.
    ///
    /// # Errors
    /// One that the oracle knows nothing of.
    pub fn subject(&self, subject: TraceSubject, at: AsOf) -> Result<Subject, String> {
        let dataset_of = |id| self.datasets.get(&id).copied().ok_or("a dataset that nothing is paired with");
        Ok(match subject {
            TraceSubject::Run(run) => {
                let place = self.runs.iter().position(|known| *known == run);
                Subject::Run(place.ok_or("a run that is not known")? + 1)
            }
            TraceSubject::Dataset(id) => Subject::Node(Node { dataset: dataset_of(id)?, column: None }),
            TraceSubject::Column(id, column) => match self.columns.get(&(id, column)) {
                Some(node) => Subject::Node(*node),
                None => Subject::Node(self.column_by_name(dataset_of(id)?, subject, at)?),
            },
        })
    }

    /// A column that was there only between runs that ended at the same moment is known by its name.
    fn column_by_name(&self, dataset: usize, subject: TraceSubject, at: AsOf) -> Result<Node, String> {
        let name =
            self.graph.name(subject, at).and_then(|name| name.column).ok_or("a column without a name")?;
        let runs = self.world.runs_until(at);
        let columns = self.world.datasets[dataset].columns.iter().enumerate();
        let mut unpaired = columns.filter(|(column, life)| {
            let node = Node { dataset, column: Some(*column) };
            !self.ids.contains_key(&node) && *life.name_after(runs) == name
        });
        match (unpaired.next(), unpaired.next()) {
            (Some((column, _)), None) => Ok(Node { dataset, column: Some(column) }),
            _ => Err(format!("which column is `{name}`?")),
        }
    }

    /// All datasets that a name ever stood for, in order.
    fn pair_datasets(&mut self) -> Result<(), String> {
        let mut names: BTreeMap<&DatasetName, Vec<(Place, Place, usize)>> = BTreeMap::new();
        for (index, dataset) in self.world.datasets.iter().enumerate() {
            for segment in &dataset.life.segments {
                names.entry(&segment.name).or_default().push((segment.from, segment.until, index));
            }
        }
        for (name, mut segments) in names {
            segments.sort_unstable();
            let ids = self.graph.find_all(name);
            if ids.len() != segments.len() {
                let name = dataset_text(name);
                return Err(format!("{name}: oracle {} datasets, graph {}", segments.len(), ids.len()));
            }
            for ((.., dataset), id) in segments.into_iter().zip(ids) {
                self.pair_dataset(name, Some(dataset), Some(id))?;
            }
        }
        Ok(())
    }

    fn pair_mention(&mut self, mention: &Mention) -> Result<(), String> {
        let run = self.runs[mention.run - 1];
        let name = &mention.dataset;
        let id = match mention.side {
            Side::Read => self.graph.dataset_read_by(name, run),
            Side::Written => self.graph.dataset_written_by(name, run),
        };
        self.pair_dataset(name, Some(mention.node.dataset), id)?;
        if let (Some(id), Some(column)) = (id, &mention.column) {
            let column_id = self.graph.column_read_by(id, column, run);
            self.pair_column(column, id, Some(mention.node), column_id)?;
        }
        Ok(())
    }

    fn pair_moment(&mut self, at: AsOf) -> Result<(), String> {
        let world = self.world;
        let runs = world.runs_until(at);
        let lives = world.datasets.iter().map(|dataset| &dataset.life);
        for name in lives.flat_map(|life| &life.segments).map(|segment| &segment.name) {
            let (dataset, id) = (world.find(name, runs), self.graph.find(name, at));
            self.pair_dataset(name, dataset, id).map_err(|wrong| format!("{at:?}: {wrong}"))?;
            let (Some(dataset), Some(id)) = (dataset, id) else { continue };
            let columns = &world.datasets[dataset].columns;
            for name in columns.iter().flat_map(|life| &life.segments).map(|segment| &segment.name) {
                let column = world.find_column(dataset, name, runs);
                let node = column.map(|column| Node { dataset, column: Some(column) });
                let column_id = self.graph.find_column(id, name, at);
                self.pair_column(name, id, node, column_id).map_err(|wrong| format!("{at:?}: {wrong}"))?;
            }
        }
        Ok(())
    }

    fn pair_dataset(
        &mut self,
        name: &DatasetName,
        dataset: Option<usize>,
        id: Option<DatasetId>,
    ) -> Result<(), String> {
        let name = dataset_text(name);
        let (Some(dataset), Some(id)) = (dataset, id) else {
            return match (dataset, id) {
                (None, None) => Ok(()),
                _ => Err(format!("{name}: oracle {dataset:?}, graph {id:?}")),
            };
        };
        let node = Node { dataset, column: None };
        let other = *self.datasets.entry(id).or_insert(dataset);
        let other_id = self.ids.entry(node).or_insert(GraphNode::dataset(id)).dataset;
        if other == dataset && other_id == id {
            return Ok(());
        }
        Err(format!("{name}: oracle {dataset} paired with {other_id:?}, graph {id:?} paired with {other}"))
    }

    fn pair_column(
        &mut self,
        name: &Name,
        dataset: DatasetId,
        node: Option<Node>,
        id: Option<ColumnId>,
    ) -> Result<(), String> {
        let (Some(node), Some(id)) = (node, id) else {
            return match (node, id) {
                (None, None) => Ok(()),
                _ => Err(format!("column {name} of {dataset:?}: oracle {node:?}, graph {id:?}")),
            };
        };
        let other = *self.columns.entry((dataset, id)).or_insert(node);
        let other_id = self.ids.entry(node).or_insert(GraphNode::column(dataset, id)).column;
        if other == node && other_id == Some(id) {
            return Ok(());
        }
        Err(format!("column {name}: oracle {node:?} paired with {other_id:?}, graph {id:?} with {other:?}"))
    }
}

/// Every moment at which something may be different.
pub fn moments() -> impl Iterator<Item = AsOf> {
    (0..=LAST_MOMENT).map(|moment| AsOf::At(Timestamp(moment))).chain([AsOf::Now])
}
