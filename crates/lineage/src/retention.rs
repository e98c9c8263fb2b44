//! Which runs an answer about now cannot do without, however old they are.

use guardbee_model::Timestamp;

use crate::carried_on::CarriedOn;
use crate::currency::Currency;
use crate::endings::{Endings, NEVER};
use crate::graph::{Graph, Until};
use crate::lists::Bits;
use crate::moment::{Moment, Order, RunIndex};
use crate::question::AsOf;
use crate::timeline::DatasetId;
use crate::write_lists::WriteLists;

impl Graph {
    /// The runs that ended before a moment and still count: something that they brought is there or in what was made of
    /// it, or what they removed would be, or they made, renamed or dropped what names stand for.
    #[must_use]
    pub fn runs_still_needed(&self, ended_before: Timestamp) -> Vec<RunIndex> {
        let now = self.until(AsOf::Now);
        let mut needed = Bits::of(self.run_count());
        self.mark_current(now, &mut needed);
        for change in self.base.changes.iter().chain(self.delta.changes.iter()) {
            needed.set(change.moment.run);
        }
        self.mark_removals(now, &mut needed);
        let is_needed = |run: &u32| needed.get(*run) && self.ended(*run) < ended_before.0;
        (0..self.run_count() as u32).filter(is_needed).map(RunIndex).collect()
    }

    /// How many runs ended before a moment.
    #[must_use]
    pub fn runs_ended_before(&self, moment: Timestamp) -> usize {
        let old = self.base.runs.ended.partition_point(|ended| *ended < moment.0);
        old + self.delta.runs.iter().filter(|run| run.ended < moment.0).count()
    }

    fn mark_current(&self, now: Until, needed: &mut Bits) {
        let mut lists = WriteLists::new(self);
        let mut carried_on = CarriedOn::new(self, now);
        for born in self.all_datasets() {
            let currency = Currency::of(&mut lists, born, now);
            for span in self.spans(born) {
                // What removes counts as long as nothing later removes the same.
                for (number, write) in lists.backwards(&span, now) {
                    if currency.is_there(self, number) || carried_on.is_carried_on(born, number) {
                        needed.set(write.moment.run);
                    }
                }
            }
        }
    }

    /// A run that stays for one thing stays with all that it wrote: what removed that stays as well, and so on.
    fn mark_removals(&self, now: Until, needed: &mut Bits) {
        let mut endings = Endings::default();
        let mut lists = WriteLists::new(self);
        let mut removals = Vec::new();
        for born in self.all_datasets() {
            let dataset = DatasetId { name: born.0, life: born.1 };
            for span in self.spans(born) {
                for (number, write) in lists.backwards(&span, now) {
                    let end = endings.of(self, (dataset, None), number);
                    if end != NEVER {
                        removals.push((write.moment.run, end));
                    }
                }
            }
        }
        // A removal comes later than what it removes: in order of time each is marked before it is looked at.
        removals.sort_by(|one, other| self.compare(Moment::reads(one.0), Moment::reads(other.0)));
        for (run, end) in removals {
            if needed.get(run) {
                needed.set(end);
            }
        }
    }

    fn all_datasets(&self) -> impl Iterator<Item = (u32, u32)> {
        (0..self.dataset_names()).flat_map(|name| {
            let lives = self.timeline(name).map_or(1, |timeline| timeline.lives.len() as u32);
            (0..lives).map(move |life| (name, life))
        })
    }
}
