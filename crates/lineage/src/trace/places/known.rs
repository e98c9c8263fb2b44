//! What is known of the places that a walk has come to.

use std::cmp::Ordering;

use crate::question::{TraceNode, TraceSubject};
use crate::timeline::{ColumnId, DatasetId};

use super::{OPEN, Place, Places, WHOLE};

impl Places<'_> {
    pub fn is_hidden(&self, place: u32) -> bool {
        self.get(place).is_some_and(|place| place.is_hidden)
    }

    pub fn is_stop(&self, place: u32) -> bool {
        self.dataset_of(place).is_some_and(|dataset| dataset.is_stop)
    }

    pub fn is_masked(&self, place: u32) -> bool {
        self.dataset_of(place).is_some_and(|dataset| dataset.is_masked)
    }

    pub fn is_temporary(&self, place: u32) -> bool {
        self.dataset_of(place).is_some_and(|dataset| dataset.is_temporary)
    }

    pub fn is_closed(&self, place: u32) -> bool {
        self.get(place).is_some_and(|place| place.closed != OPEN)
            || self.dataset_of(place).is_some_and(|dataset| dataset.is_closed)
    }

    pub fn identity(&self, place: u32) -> (DatasetId, Option<ColumnId>) {
        let born = self.dataset_of(place).map_or((0, 0), |dataset| dataset.born);
        let column = self.get(place).map_or(WHOLE, |place| place.column);
        let column = (column != WHOLE).then_some(ColumnId { name: column.0, life: column.1 });
        (DatasetId { name: born.0, life: born.1 }, column)
    }

    pub fn trace_node(&self, place: u32) -> TraceNode {
        let (dataset, column) = self.identity(place);
        TraceNode {
            subject: match column {
                None => TraceSubject::Dataset(dataset),
                Some(column) => TraceSubject::Column(dataset, column),
            },
            depth: self.get(place).map_or(0, |place| place.depth),
            masked: self.is_masked(place),
            closed: self.is_closed(place),
            temporary: self.is_temporary(place),
        }
    }

    /// Does what is known of the one hold for the other?
    pub fn is_touching(&self, one: u32, other: u32) -> bool {
        match (self.get(one), self.get(other)) {
            (Some(one), Some(other)) => {
                one.dataset == other.dataset
                    && (one.column == other.column || one.column == WHOLE || other.column == WHOLE)
            }
            _ => false,
        }
    }

    /// The order that answers are in: datasets by the names they were born under, the whole before its columns.
    pub fn compare(&self, one: u32, other: u32) -> Ordering {
        if one == other {
            return Ordering::Equal;
        }
        let (Some(first), Some(second)) = (self.get(one), self.get(other)) else { return one.cmp(&other) };
        let born =
            |place: &Place| self.datasets.get(place.dataset as usize).map_or((0, 0), |dataset| dataset.born);
        let (first_born, second_born) = (born(first), born(second));
        self.graph
            .compare_datasets(first_born.0, second_born.0)
            .then_with(|| first_born.1.cmp(&second_born.1))
            .then_with(|| self.graph.compare_columns(first.column.0, second.column.0))
            .then_with(|| first.column.1.cmp(&second.column.1))
    }
}
