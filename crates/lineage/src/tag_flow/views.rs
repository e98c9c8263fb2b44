//! What is put on a view goes to what is made by reading through it.
//!
//! An edge names the column behind a view, and no column of the view; that something was read through the view is
//! known of a write as a whole. So what such a write makes of a column has what is put on each column that the view
//! makes of the same one, by the definition that the write found.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::base::ALL_COLUMNS;
use crate::endings::Endings;
use crate::graph::{Between, Graph, Until, Way};
use crate::mark::Mark;
use crate::moment::{Moment, Order, RunIndex};
use crate::question::{AsOf, EdgeFilter, Node};
use crate::timeline::{ColumnId, DatasetId};
use crate::write::WriteAct;

use super::ViewSource;

pub(super) struct Views<'g> {
    graph: &'g Graph,
    edges: EdgeFilter,
    until: Until,
    endings: Endings,
    /// The writes that read through a view.
    reads: FxHashMap<DatasetId, FxHashSet<u32>>,
}

/// That a definition makes a column of a view of another one.
#[derive(Debug, Clone, Copy)]
struct Shown {
    source: Node,
    is_masked: bool,
    from: u32,
    /// The run that removed the definition, which still reads it.
    until: u32,
}

/// The other end, the write, the mark.
type Edge = (u32, u32, Mark);

impl<'g> Views<'g> {
    pub fn new(graph: &'g Graph, edges: EdgeFilter, until: Until) -> Self {
        Self { graph, edges, until, endings: Endings::default(), reads: FxHashMap::default() }
    }

    /// Was a dataset ever a view?
    pub fn is_view(&self, dataset: DatasetId) -> bool {
        let graph = self.graph;
        if graph.is_plain(dataset.name) {
            return graph.is_defined(dataset.name);
        }
        graph.spans((dataset.name, dataset.life)).iter().any(|span| graph.is_defined(span.name))
    }

    /// The edges that take along what is put on a view as a whole or on a column of it.
    pub fn edges_through(&mut self, node: Node) -> Vec<Edge> {
        let mut edges = Vec::new();
        self.find_reads(node.dataset);
        let Some(reads) = self.reads.get(&node.dataset).filter(|reads| !reads.is_empty()) else {
            return edges;
        };
        let shown = shown(self.graph, &mut self.endings, node, (self.edges, self.until));
        for shown in shown {
            for near in nodes(self.graph, shown.source) {
                let down = self.graph.edges(Between::Columns, Way::Down, near);
                edges.extend(down.filter(|(_, write, mark)| {
                    let run = self.graph.run_of_write(*write);
                    reads.contains(write)
                        && goes(self.edges, *mark)
                        && (!mark.is_masked() || shown.is_masked)
                        && shown.is_read_by(self.graph, run)
                        && stood_for(self.graph, near, Moment::reads(run)) == shown.source
                }));
            }
        }
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    fn find_reads(&mut self, view: DatasetId) {
        let (graph, edges) = (self.graph, self.edges);
        self.reads.entry(view).or_insert_with(|| {
            let born = (view.name, view.life);
            let mut reads = FxHashSet::default();
            for span in graph.spans(born) {
                let down = graph.edges(Between::Datasets, Way::Down, span.name);
                let is_meant = |(_, write, mark): &Edge| {
                    let reads = Moment::reads(graph.run_of_write(*write));
                    goes(edges, *mark) && graph.born_as(span.name, reads) == born
                };
                reads.extend(down.filter(is_meant).map(|(_, write, _)| write));
            }
            reads
        });
    }
}

impl Shown {
    fn is_read_by(&self, graph: &Graph, run: u32) -> bool {
        let (from, until) = (Moment::reads(self.from), Moment::reads(self.until));
        let reads = Moment::reads(run);
        graph.is_before(from, reads) && !graph.is_before(until, reads)
    }
}

/// What the definition that a run found, or the one there is now, makes a column of a view of.
pub(super) fn sources(
    graph: &Graph,
    column: Node,
    edges: EdgeFilter,
    reader: Option<RunIndex>,
) -> Vec<ViewSource> {
    let until = graph.until(AsOf::Now);
    let reader = reader.map_or(Moment::NEVER.run, |RunIndex(run)| run);
    let shown = shown(graph, &mut Endings::default(), column, (edges, until));
    let is_read = shown.into_iter().filter(|shown| shown.is_read_by(graph, reader));
    is_read.map(|shown| ViewSource { node: shown.source, masked: shown.is_masked }).collect()
}

/// What any definition makes a column of a view of, or any of its columns where the whole of it is meant.
fn shown(
    graph: &Graph,
    endings: &mut Endings,
    node: Node,
    (edges, until): (EdgeFilter, Until),
) -> Vec<Shown> {
    let mut found = Vec::new();
    let mut of_view = nodes(graph, node);
    if node.column.is_none() {
        let spans = graph.spans((node.dataset.name, node.dataset.life));
        of_view.extend(spans.iter().flat_map(|span| graph.column_nodes(span.name)));
    }
    for near in of_view {
        for (far, number, mark) in graph.edges(Between::Columns, Way::Up, near) {
            let Some(write) = graph.write(number).filter(|write| write.act == WriteAct::Define) else {
                continue;
            };
            let run = write.moment.run;
            let written = stood_for(graph, near, write.moment);
            let is_meant =
                written.dataset == node.dataset && (node.column.is_none() || written.column == node.column);
            if goes(edges, mark) && is_meant && graph.is_until(run, until) {
                found.push(Shown {
                    source: stood_for(graph, far, Moment::reads(run)),
                    is_masked: mark.is_masked(),
                    from: run,
                    until: endings.of(graph, (written.dataset, written.column), number),
                });
            }
        }
    }
    found
}

pub(super) fn goes(edges: EdgeFilter, mark: Mark) -> bool {
    edges == EdgeFilter::All || mark.is_direct()
}

/// The nodes that ever stood for a thing.
pub(super) fn nodes(graph: &Graph, node: Node) -> Vec<u32> {
    let born = (node.dataset.name, node.dataset.life);
    let columns: Vec<u32> = match node.column {
        None => vec![ALL_COLUMNS],
        Some(column) => {
            graph.column_spans(born, (column.name, column.life)).iter().map(|span| span.name).collect()
        }
    };
    let spans = graph.spans(born);
    let named = spans.iter().flat_map(|span| columns.iter().map(|column| (span.name, *column)));
    let mut nodes: Vec<u32> = named.filter_map(|(dataset, column)| graph.node(dataset, column)).collect();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

/// What a node stood for when it was mentioned.
pub(super) fn stood_for(graph: &Graph, node: u32, moment: Moment) -> Node {
    let (name, column) = graph.node_parts(node);
    let born = graph.born_as(name, moment);
    let dataset = DatasetId { name: born.0, life: born.1 };
    if column == ALL_COLUMNS {
        return Node::dataset(dataset);
    }
    let (name, life) = graph.column_born_as(born, column, moment);
    Node::column(dataset, ColumnId { name, life })
}
