//! When something happens: at which run, and where within the run.

use std::cmp::Ordering;

/// The number of a run within one graph. A compacted or loaded graph numbers anew; what stays is the run's key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RunIndex(pub(crate) u32);

/// A place in the order of everything that happens. Which run comes before which only the graph can say: [`Order`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Moment {
    pub run: u32,
    /// Reads come first, then the changes as they stand, then writes.
    pub step: u16,
}

const READS: u16 = 0;
const WRITES: u16 = u16::MAX;

/// More changes than this a run cannot have: their places lie between reads and writes.
pub(crate) const MOST_CHANGES: usize = u16::MAX as usize - 1;

/// No graph has as many runs.
const BEGINNING_RUN: u32 = u32::MAX - 1;
const NEVER_RUN: u32 = u32::MAX;
pub(crate) const MOST_RUNS: usize = BEGINNING_RUN as usize;

impl Moment {
    /// Before every run.
    pub const BEGINNING: Self = Self { run: BEGINNING_RUN, step: READS };
    /// After every run.
    pub const NEVER: Self = Self { run: NEVER_RUN, step: READS };

    pub const fn reads(run: u32) -> Self {
        Self { run, step: READS }
    }

    pub const fn change(run: u32, step: u16) -> Self {
        Self { run, step }
    }

    pub const fn writes(run: u32) -> Self {
        Self { run, step: WRITES }
    }

    /// The step of a change, by its place among the changes of its run.
    pub fn change_step(place: usize) -> u16 {
        u16::try_from(place + 1).unwrap_or(WRITES - 1)
    }

    pub const fn run_index(self) -> Option<RunIndex> {
        if self.run >= BEGINNING_RUN { None } else { Some(RunIndex(self.run)) }
    }

    /// The same moment where runs have other numbers.
    pub fn renumbered(self, runs: &[u32]) -> Self {
        Self { run: runs.get(self.run as usize).copied().unwrap_or(self.run), step: self.step }
    }
}

/// Which of two runs comes first.
pub(crate) trait Order {
    fn compare_runs(&self, one: u32, other: u32) -> Ordering;

    fn compare(&self, one: Moment, other: Moment) -> Ordering {
        if one.run == other.run {
            return one.step.cmp(&other.step);
        }
        match (one.run, other.run) {
            (BEGINNING_RUN, _) | (_, NEVER_RUN) => Ordering::Less,
            (_, BEGINNING_RUN) | (NEVER_RUN, _) => Ordering::Greater,
            (one, other) => self.compare_runs(one, other),
        }
    }

    fn is_before(&self, one: Moment, other: Moment) -> bool {
        self.compare(one, other).is_lt()
    }

    /// Does something that holds from one moment until before another hold at a third?
    fn covers(&self, from: Moment, until: Moment, moment: Moment) -> bool {
        !self.is_before(moment, from) && self.is_before(moment, until)
    }
}
