//! Which names runs mention, for whoever keeps something beside the graph that follows from them.
//!
//! Names only come: what a name stands for changes with every run, and is asked of the graph itself.

use std::sync::{Arc, Weak};

use guardbee_model::Name;

use crate::base::{ALL_COLUMNS, Base};
use crate::graph::Graph;
use crate::run::DatasetName;

/// Up to where somebody knows the names of a graph; the default knows none.
#[derive(Debug, Clone, Default)]
pub struct Mentions {
    /// The compacted part that the numbers below go on from. It does not keep it alive.
    base: Weak<Base>,
    datasets: u32,
    nodes: usize,
}

impl Graph {
    /// The names of datasets that are new, or have a new column, since `known`, which knows them from then on; where the
    /// graph was compacted meanwhile, all names.
    pub fn mentioned_since(&self, known: &mut Mentions) -> Vec<DatasetName> {
        let is_same = std::ptr::eq(known.base.as_ptr(), Arc::as_ptr(&self.base));
        let (first_dataset, first_node) = if is_same { (known.datasets, known.nodes) } else { (0, 0) };
        let (datasets, nodes) = (self.dataset_names(), self.node_count());
        let mut numbers: Vec<u32> = (first_dataset..datasets).collect();
        if is_same {
            let new = first_node..nodes;
            let owners = new.filter_map(|node| Some(self.node_parts(u32::try_from(node).ok()?).0));
            numbers.extend(owners.filter(|owner| *owner < first_dataset));
            numbers.sort_unstable();
            numbers.dedup();
        }
        *known = Mentions { base: Arc::downgrade(&self.base), datasets, nodes };
        numbers.into_iter().map(|number| self.dataset_name(number)).collect()
    }

    /// The columns that were ever mentioned under a name.
    #[must_use]
    pub fn mentioned_columns(&self, name: &DatasetName) -> Vec<Name> {
        let nodes = self.dataset_number(name).map(|number| self.column_nodes(number)).unwrap_or_default();
        let columns = nodes.into_iter().map(|node| self.node_parts(node).1);
        columns.filter(|column| *column != ALL_COLUMNS).map(|column| self.column_name(column)).collect()
    }

    /// Was a view ever defined under a name?
    #[must_use]
    pub fn was_view(&self, name: &DatasetName) -> bool {
        self.dataset_number(name).is_some_and(|number| self.is_defined(number))
    }
}
