//! What is read of files under other names than they were written under.
//!
//! Files have no names of columns: a column that is read and that nothing wrote may be any of those that were
//! written. And a directory is read with all that is in it: what was written to a path is read from each path above
//! it, and from each beneath it.
//!
//! A table that lies over a path says what its columns are there. So what is put on one of them is not read as another of
//! them.

use crate::base::ALL_COLUMNS;
use crate::graph::{Between, Graph, Until, Way};
use crate::moment::Moment;
use crate::name_text;
use crate::question::{EdgeFilter, Node};
use crate::timeline::{ColumnId, DatasetId};
use crate::trace::places::Places;
use crate::write::WriteAct;

use super::views::{goes, nodes, stood_for};

pub(super) struct Files<'g> {
    graph: &'g Graph,
    /// The paths that the base lacks, in order, once somebody asked for them.
    new: Option<Vec<(&'g str, u32)>>,
}

/// The paths that a table lies over, and what it has there.
#[derive(Default)]
pub(super) struct Under {
    paths: Vec<DatasetId>,
    /// What the paths carry of what is put on the table, and since which run.
    pub carries: Vec<(Node, u32)>,
    /// The names of the column that is meant; none where the whole table is.
    names: Option<Vec<u32>>,
    /// The names of all columns that the table has there.
    known: Vec<u32>,
}

impl Under {
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    fn learn(&mut self, column: Option<ColumnId>, (path, written): (Node, Node), run: u32) {
        if !self.paths.contains(&path.dataset) {
            self.paths.push(path.dataset);
        }
        let is_meant = column.is_none() || written.column.is_none() || written.column == column;
        if is_meant {
            self.carries.push((path, run));
        }
        let Some(name) = path.column.map(|column| column.name) else { return };
        self.known.push(name);
        if let Some(names) = self.names.as_mut().filter(|_| is_meant) {
            names.push(name);
        }
    }

    /// May a column that is read under a name be the one that is meant? What the table has under another name is not.
    fn may_be(&self, name: u32) -> bool {
        self.names.as_ref().is_none_or(|names| names.contains(&name) || !self.known.contains(&name))
    }
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
                let identity = places.identity(*near);
                identity.1.is_some() && !is_written(graph, identity) && !touched.contains(near)
            });
            touched.append(&mut others);
        }
        for name in self.around(graph.dataset_text(dataset.name)) {
            for life in 0..graph.timeline(name).map_or(1, |timeline| timeline.lives.len() as u32) {
                let whole = places.of_node(&Node::dataset(DatasetId { name, life }));
                places.touched(whole, &mut others);
                others.retain(|near| match (column, places.identity(*near)) {
                    (Some(column), identity @ (_, Some(read))) => {
                        column.name == read.name
                            || !is_written(graph, identity) && !is_written_as(graph, dataset, read.name)
                    }
                    _ => true,
                });
                touched.append(&mut others);
            }
        }
    }

    /// The paths that a table was said to lie over, with what is known there of a column of it or of the whole.
    pub fn under(&self, table: Node, (edges, until): (EdgeFilter, Until)) -> Under {
        let graph = self.graph;
        let spans = graph.spans((table.dataset.name, table.dataset.life));
        let located = spans.iter().map(|span| span.name).filter(|name| graph.is_located(*name));
        let names = table.column.map(|column| vec![column.name]);
        let mut under = Under { names, ..Under::default() };
        for near in
            located.flat_map(|name| graph.node(name, ALL_COLUMNS).into_iter().chain(graph.column_nodes(name)))
        {
            for (far, number, mark) in graph.edges(Between::Columns, Way::Up, near) {
                let Some(write) = graph.write(number).filter(|write| write.act == WriteAct::Locate) else {
                    continue;
                };
                let run = write.moment.run;
                let written = stood_for(graph, near, write.moment);
                let path = stood_for(graph, far, Moment::reads(run));
                let is_path = graph.dataset_text(path.dataset.name).starts_with(name_text::PATH);
                if !is_path
                    || written.dataset != table.dataset
                    || !goes(edges, mark)
                    || !graph.is_until(run, until)
                {
                    continue;
                }
                under.learn(table.column, (path, written), run);
            }
        }
        under
    }

    /// The places under which paths, or those above or beneath them, are read as what a table has there.
    pub fn read_as(&mut self, places: &mut Places<'_>, under: &Under) -> Vec<u32> {
        let graph = self.graph;
        let mut names: Vec<u32> = under.paths.iter().map(|path| path.name).collect();
        for path in &under.paths {
            names.extend(self.around(graph.dataset_text(path.name)));
        }
        names.sort_unstable();
        names.dedup();
        let datasets = names.into_iter().flat_map(|name| {
            let lives = graph.timeline(name).map_or(1, |timeline| timeline.lives.len() as u32);
            (0..lives).map(move |life| DatasetId { name, life })
        });
        let mut read = Vec::new();
        let mut touched = Vec::new();
        for dataset in datasets {
            let whole = places.of_node(&Node::dataset(dataset));
            places.touched(whole, &mut touched);
            touched.retain(|near| places.identity(*near).1.is_none_or(|column| under.may_be(column.name)));
            read.append(&mut touched);
        }
        read
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

/// Did any write name a column?
fn is_written(graph: &Graph, place: (DatasetId, Option<ColumnId>)) -> bool {
    let node = Node { dataset: place.0, column: place.1 };
    nodes(graph, node).into_iter().any(|near| {
        let made = graph.edges(Between::Columns, Way::Up, near).map(|(_, write, _)| write);
        let mut writes = made.chain(graph.bare_writes_of(near));
        writes
            .any(|write| graph.write(write).is_some_and(|write| stood_for(graph, near, write.moment) == node))
    })
}

/// Was anything written to a path as a column of that name?
fn is_written_as(graph: &Graph, path: DatasetId, column: u32) -> bool {
    if graph.node(path.name, column).is_none() {
        return false;
    }
    let columns = graph.life((path.name, path.life)).and_then(|dataset| dataset.columns.as_ref());
    let lives = columns.map_or(1, |columns| columns.lives.iter().filter(|one| one.born.0 == column).count());
    (0..lives as u32).any(|life| is_written(graph, (path, Some(ColumnId { name: column, life }))))
}
