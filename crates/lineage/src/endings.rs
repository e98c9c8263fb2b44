//! When what a write brought was removed, or went with its dataset: the first time, where `currency` only asks whether.

use std::sync::Arc;

use guardbee_model::Name;
use rustc_hash::FxHashMap;

use crate::currency::is_within;
use crate::graph::Graph;
use crate::moment::{Moment, Order};
use crate::timeline::{ColumnId, DatasetId};
use crate::write::WHOLE_DATASET;

/// The removals of each dataset that was asked about.
#[derive(Debug, Default)]
pub(crate) struct Endings {
    datasets: FxHashMap<(u32, u32), Removals>,
}

/// Runs that removed something, in their order.
#[derive(Debug, Default)]
struct Removals {
    closed: Option<u32>,
    whole: Vec<u32>,
    /// By the columns of the partition, then by their values.
    scoped: Vec<(Vec<Name>, ByValues)>,
}

type ByValues = FxHashMap<Vec<Arc<str>>, Vec<u32>>;

/// In place of a run: it was not removed.
pub(crate) const NEVER: u32 = Moment::NEVER.run;

impl Endings {
    /// The run that first removed what a write brought into a dataset, or into a column of it.
    pub fn of(&mut self, graph: &Graph, place: (DatasetId, Option<ColumnId>), write: u32) -> u32 {
        let (dataset, column) = place;
        let born = (dataset.name, dataset.life);
        let removals = self.datasets.entry(born).or_insert_with(|| Removals::of(graph, born));
        let columns = graph.life(born).and_then(|life| life.columns.as_ref());
        let closed = column
            .zip(columns)
            .and_then(|(column, columns)| columns.life((column.name, column.life))?.closed);
        let mut first = earlier(graph, closed.map(|closed| closed.run), removals.closed);
        first = earlier(graph, first, removals.first_after(graph, write));
        first.unwrap_or(NEVER)
    }
}

impl Removals {
    fn of(graph: &Graph, born: (u32, u32)) -> Self {
        let closed = graph.life(born).and_then(|life| life.life.closed).map(|closed| closed.run);
        let mut removals = Self { closed, ..Self::default() };
        for span in graph.spans(born) {
            let writes = graph.writes_of(span.name);
            for write in writes.into_iter().filter_map(|write| graph.write(write)) {
                if !write.act.removes() || !is_within(graph, &span, write.moment) {
                    continue;
                }
                if write.scope == WHOLE_DATASET {
                    removals.whole.push(write.moment.run);
                    continue;
                }
                let mut partition = graph.partition(write.scope);
                partition.sort();
                let values = partition.iter().map(|(_, value)| value.clone()).collect();
                if let Some(values) = values {
                    let columns = partition.into_iter().map(|(column, _)| column).collect();
                    removals.add(columns, values, write.moment.run);
                }
            }
        }
        removals
    }

    fn add(&mut self, columns: Vec<Name>, values: Vec<Arc<str>>, run: u32) {
        match self.scoped.iter_mut().find(|(other, _)| *other == columns) {
            Some((_, by_values)) => by_values.entry(values).or_default().push(run),
            None => self.scoped.push((columns, std::iter::once((values, vec![run])).collect())),
        }
    }

    fn first_after(&self, graph: &Graph, write: u32) -> Option<u32> {
        let write = graph.write(write).filter(|write| !write.act.is_lasting())?;
        let run = write.moment.run;
        let mut first = after(graph, &self.whole, run);
        if write.scope != WHOLE_DATASET && !self.scoped.is_empty() {
            let partition = graph.partition(write.scope);
            let value = |column: &Name| {
                partition.iter().find(|(other, _)| other == column).and_then(|(_, value)| value.clone())
            };
            for (columns, by_values) in &self.scoped {
                let values: Option<Vec<Arc<str>>> = columns.iter().map(value).collect();
                let runs = values.and_then(|values| by_values.get(&values));
                first = earlier(graph, first, runs.and_then(|runs| after(graph, runs, run)));
            }
        }
        first
    }
}

/// The first of some runs in their order that comes after one.
fn after(graph: &Graph, runs: &[u32], run: u32) -> Option<u32> {
    let place = runs.partition_point(|other| !graph.is_before(Moment::reads(run), Moment::reads(*other)));
    runs.get(place).copied()
}

fn earlier(graph: &Graph, one: Option<u32>, other: Option<u32>) -> Option<u32> {
    match (one, other) {
        (Some(one), Some(other)) => {
            Some(if graph.is_before(Moment::reads(one), Moment::reads(other)) { one } else { other })
        }
        (one, other) => one.or(other),
    }
}
