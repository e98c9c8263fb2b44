//! What is read of files under other names than they were written under.
//!
//! Files have no names of columns: a column that is read and that nothing wrote may be any of those that were
//! written. And a directory is read with all that is in it: what was written to a path is read from each path above
//! it, and from each beneath it.

use crate::graph::{Graph, Way};
use crate::name_text;
use crate::question::Node;
use crate::timeline::{ColumnId, DatasetId};
use crate::trace::places::Places;

pub(super) struct Files<'g> {
    graph: &'g Graph,
    /// The paths that the base lacks, in order, once somebody asked for them.
    new: Option<Vec<(&'g str, u32)>>,
}

impl<'g> Files<'g> {
    pub const fn new(graph: &'g Graph) -> Self {
        Self { graph, new: None }
    }

    /// Adds the places under which what lies at a place is read as well, where that is one of a path.
    pub fn also_read_as(&mut self, places: &mut Places<'_>, place: u32, touched: &mut Vec<u32>) {
        let graph = self.graph;
        let (dataset, column) = places.identity(place);
        if !graph.dataset_text(dataset.name).starts_with(name_text::PATH) {
            return;
        }
        let mut others = Vec::new();
        if column.is_some() {
            let whole = places.of_node(&Node::dataset(dataset));
            places.touched(whole, &mut others);
            others.retain(|near| {
                places.identity(*near).1.is_some() && !is_written(places, *near) && !touched.contains(near)
            });
            touched.append(&mut others);
        }
        for name in self.around(graph.dataset_text(dataset.name)) {
            for life in 0..graph.timeline(name).map_or(1, |timeline| timeline.lives.len() as u32) {
                let whole = places.of_node(&Node::dataset(DatasetId { name, life }));
                places.touched(whole, &mut others);
                others.retain(|near| match (column, places.identity(*near).1) {
                    (Some(column), Some(read)) => {
                        column.name == read.name
                            || !is_written(places, *near) && !is_written_as(graph, places, dataset, read.name)
                    }
                    _ => true,
                });
                touched.append(&mut others);
            }
        }
    }

    /// The paths above one and those beneath it.
    fn around(&mut self, path: &str) -> Vec<u32> {
        let graph = self.graph;
        let datasets = &graph.base.datasets;
        let mut around = Vec::new();
        let mut above = path;
        let root = path.find("://").map_or(0, |scheme| scheme + "://".len());
        while let Some(parent) =
            above.rfind('/').filter(|slash| *slash >= root).and_then(|slash| path.get(..slash))
        {
            around.extend(graph.delta.datasets.find(datasets, parent));
            above = parent;
        }
        let within = format!("{path}/");
        let first = datasets.first_not_before(&within);
        around.extend((first..datasets.len()).take_while(|name| datasets.get(*name).starts_with(&within)));
        let new = self.new.get_or_insert_with(|| {
            let named = graph.delta.datasets.iter().zip(datasets.len()..);
            let mut new: Vec<(&str, u32)> = named
                .filter(|(text, _)| text.starts_with(name_text::PATH))
                .map(|(text, name)| (text.as_str(), name))
                .collect();
            new.sort_unstable();
            new
        });
        let first = new.partition_point(|(text, _)| *text < within.as_str());
        let inner = new.get(first..).unwrap_or_default().iter();
        around.extend(inner.take_while(|(text, _)| text.starts_with(&within)).map(|(_, name)| *name));
        around
    }
}

fn is_written(places: &mut Places<'_>, place: u32) -> bool {
    let mut into = Vec::new();
    places.scan(place, Way::Up, &mut into);
    !into.is_empty()
}

/// Was anything written to a path as a column of that name?
fn is_written_as(graph: &Graph, places: &mut Places<'_>, path: DatasetId, column: u32) -> bool {
    if graph.node(path.name, column).is_none() {
        return false;
    }
    let columns = graph.life((path.name, path.life)).and_then(|dataset| dataset.columns.as_ref());
    let lives = columns.map_or(1, |columns| columns.lives.iter().filter(|one| one.born.0 == column).count());
    (0..lives as u32).any(|life| {
        let place = places.of_node(&Node::column(path, ColumnId { name: column, life }));
        is_written(places, place)
    })
}
