//! Which runs an answer about now cannot do without, however old they are.

use guardbee_model::Timestamp;

use crate::currency::Currency;
use crate::graph::Graph;
use crate::lists::Bits;
use crate::moment::RunIndex;
use crate::question::AsOf;
use crate::write_lists::WriteLists;

impl Graph {
    /// The runs that ended before a moment and still count: something that they brought is there, or what they removed
    /// would be, or they made, renamed or dropped what names stand for.
    #[must_use]
    pub fn runs_still_needed(&self, ended_before: Timestamp) -> Vec<RunIndex> {
        let now = self.until(AsOf::Now);
        let mut needed = Bits::of(self.run_count());
        let mut lists = WriteLists::new(self);
        for dataset in 0..self.dataset_names() {
            let lives = self.timeline(dataset).map_or(1, |timeline| timeline.lives.len() as u32);
            for life in 0..lives {
                let currency = Currency::of(&mut lists, (dataset, life), now);
                for span in self.spans((dataset, life)) {
                    // What removes counts as long as nothing later removes the same.
                    for (number, write) in lists.backwards(&span, now) {
                        if currency.is_current(self, number) {
                            needed.set(write.moment.run);
                        }
                    }
                }
            }
        }
        for change in self.base.changes.iter().chain(self.delta.changes.iter()) {
            needed.set(change.moment.run);
        }
        let is_needed = |run: &u32| needed.get(*run) && self.ended(*run) < ended_before.0;
        (0..self.run_count() as u32).filter(is_needed).map(RunIndex).collect()
    }
}
