//! What was written to a dataset, write by write.

use crate::currency::{Currency, is_within};
use crate::graph::Graph;
use crate::moment::{Order, RunIndex};
use crate::question::AsOf;
use crate::run::Partition;
use crate::timeline::DatasetId;
use crate::write::{Write, WriteAct};
use crate::write_lists::WriteLists;

/// The state of a dataset after a write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// The first is 1. A partition that is dropped makes no version: the number stays.
    pub number: u32,
    pub run: RunIndex,
    pub act: WriteAct,
    /// Empty: the whole dataset.
    pub partition: Partition,
    /// Something that came in by it is there still, for all that is known.
    pub current: bool,
}

impl Graph {
    /// The versions of a dataset until a moment, whatever it was called, in order.
    #[must_use]
    pub fn history(&self, dataset: DatasetId, at: AsOf) -> Vec<Version> {
        let until = self.until(at);
        let born = (dataset.name, dataset.life);
        let currency = Currency::of(&mut WriteLists::new(self), born, until);
        let mut number = 0;
        let mut versions = Vec::new();
        for (place, write) in self.writes_to(dataset) {
            if !self.is_until(write.moment.run, until) {
                continue;
            }
            number += u32::from(write.act.is_version());
            versions.push(Version {
                number,
                run: RunIndex(write.moment.run),
                act: write.act,
                partition: self.partition(write.scope),
                current: write.act.brings() && currency.is_there(self, place),
            });
        }
        versions
    }

    /// The runs that read a dataset, whatever it was called, in order.
    #[must_use]
    pub fn readers(&self, dataset: DatasetId) -> Vec<RunIndex> {
        self.readers_of(dataset).into_iter().map(RunIndex).collect()
    }

    /// All writes to a dataset with their numbers, in order.
    pub(crate) fn writes_to(&self, dataset: DatasetId) -> Vec<(u32, Write)> {
        let mut writes = Vec::new();
        let mut lists = WriteLists::new(self);
        for span in self.spans((dataset.name, dataset.life)).iter().rev() {
            writes.extend(lists.backwards(span, self.until(AsOf::Now)));
        }
        writes.reverse();
        writes
    }

    /// All runs that read, write or change a dataset, in order.
    #[must_use]
    pub fn runs_touching(&self, dataset: DatasetId) -> Vec<RunIndex> {
        let mut runs = self.readers_of(dataset);
        runs.extend(self.writes_to(dataset).into_iter().map(|(_, write)| write.moment.run));
        for span in self.spans((dataset.name, dataset.life)) {
            runs.extend(self.changes_of(span.name).into_iter().map(|change| change.moment.run));
        }
        self.in_order(&mut runs);
        runs.into_iter().map(RunIndex).collect()
    }

    /// All runs that read a dataset, in order, whether anything of it went somewhere or not.
    pub(crate) fn readers_of(&self, dataset: DatasetId) -> Vec<u32> {
        use crate::graph::{Between, Way};
        use crate::moment::Moment;
        let mut runs = Vec::new();
        for span in self.spans((dataset.name, dataset.life)) {
            let derived = self.edges(Between::Datasets, Way::Down, span.name);
            let derived = derived.map(|(_, write, _)| self.run_of_write(write));
            let named = derived.chain(self.reads_of(span.name));
            runs.extend(named.filter(|run| is_within(self, &span, Moment::reads(*run))));
        }
        self.in_order(&mut runs);
        runs
    }

    /// Each run once, in order.
    fn in_order(&self, runs: &mut Vec<u32>) {
        runs.sort_by(|one, other| match one == other {
            true => std::cmp::Ordering::Equal,
            false => self.compare_runs(*one, *other),
        });
        runs.dedup();
    }
}
