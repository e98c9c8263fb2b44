//! What is left of a write: whether a later one removed what it put there, or it went with its dataset.
//!
//! `Overwrite`, `Define` and `Truncate` remove what older runs put into a dataset: all without a partition; with one
//! whose values are all known, what went into partitions that have the same known value for each of its columns;
//! with one of which a value comes from the data, nothing, since nobody knows what was in there. A partition that is
//! dropped or moved away removes in the same way. A run never removes what it put there itself. Of a dataset that is
//! closed nothing is left. What became of a source does not matter.
//!
//! What was removed may have gone on before: see `carried_on`.

use guardbee_model::Name;
use rustc_hash::FxHashMap;
use std::sync::Arc;

use crate::graph::{Graph, Until};
use crate::lists::Bits;
use crate::moment::{Moment, Order};
use crate::question::AsOf;
use crate::timeline::Span;
use crate::write::{WHOLE_DATASET, Write};
use crate::write_lists::WriteLists;

/// How to tell what is left of the writes to a dataset, at a moment.
#[derive(Debug)]
pub(crate) enum Currency {
    /// After all runs, and the base knows.
    Settled,
    Closed,
    Cut(Cuts),
}

impl Currency {
    pub fn of(lists: &mut WriteLists<'_>, born: (u32, u32), until: Until) -> Self {
        let graph = lists.graph;
        if until.is_now() && !graph.delta.has_late_runs && !graph.delta.disturbed.contains_key(&born.0) {
            return Self::Settled;
        }
        if graph.is_closed(born, until) {
            return Self::Closed;
        }
        Self::Cut(Cuts::of(lists, &graph.spans(born), until))
    }

    /// Is something of a write there?
    #[inline]
    pub fn is_there(&self, graph: &Graph, write: u32) -> bool {
        match self {
            Self::Settled => !graph.base.ended.get(write),
            Self::Closed => false,
            Self::Cut(cuts) => !cuts.removes(graph, write),
        }
    }
}

/// The latest removals of a dataset.
#[derive(Debug, Default)]
pub(crate) struct Cuts {
    /// The last run that removed all.
    whole: Option<u32>,
    /// By the columns of the partition, then by their values: the last run that removed that.
    scoped: Vec<(Vec<Name>, LastRuns)>,
}

/// By the values of a partition.
type LastRuns = FxHashMap<Vec<Arc<str>>, u32>;

impl Cuts {
    fn of(lists: &mut WriteLists<'_>, spans: &[Span], until: Until) -> Self {
        let graph = lists.graph;
        let mut cuts = Self::default();
        // Latest first, so that nothing before the last removal of all is looked at.
        for span in spans.iter().rev() {
            for (_, write) in lists.backwards(span, until) {
                if write.act.removes() && cuts.add(graph, write) {
                    return cuts;
                }
            }
        }
        cuts
    }

    fn is_empty(&self) -> bool {
        self.whole.is_none() && self.scoped.is_empty()
    }

    /// Says whether what comes before does not matter any more.
    fn add(&mut self, graph: &Graph, write: Write) -> bool {
        let run = write.moment.run;
        if write.scope == WHOLE_DATASET {
            self.whole = Some(run);
            return true;
        }
        let mut partition = graph.partition(write.scope);
        partition.sort();
        let Some(values) = partition.iter().map(|(_, value)| value.clone()).collect() else { return false };
        let columns: Vec<Name> = partition.into_iter().map(|(column, _)| column).collect();
        let group = match self.scoped.iter_mut().find(|(other, _)| *other == columns) {
            Some((_, group)) => group,
            None => {
                self.scoped.push((columns, FxHashMap::default()));
                match self.scoped.last_mut() {
                    Some((_, group)) => group,
                    None => return false,
                }
            }
        };
        group.entry(values).or_insert(run);
        false
    }

    pub fn removes(&self, graph: &Graph, write: u32) -> bool {
        let Some(write) = graph.write(write).filter(|write| !write.act.is_lasting()) else { return false };
        let run = write.moment.run;
        let is_later = |removal: u32| removal != run && graph.compare_runs(run, removal).is_lt();
        if self.whole.is_some_and(is_later) {
            return true;
        }
        if self.scoped.is_empty() || write.scope == WHOLE_DATASET {
            return false;
        }
        let partition = graph.partition(write.scope);
        let value = |column: &Name| {
            partition.iter().find(|(other, _)| other == column).and_then(|(_, value)| value.clone())
        };
        self.scoped.iter().any(|(columns, group)| {
            let values: Option<Vec<Arc<str>>> = columns.iter().map(value).collect();
            values.and_then(|values| group.get(&values).copied()).is_some_and(is_later)
        })
    }
}

pub(crate) fn is_within(graph: &Graph, span: &Span, moment: Moment) -> bool {
    graph.covers(span.from, span.until, moment)
}

impl Until {
    pub fn is_now(self) -> bool {
        self.ended == i64::MAX
    }
}

/// Marks the writes to a dataset of which nothing is left after all runs. Are there any?
pub(crate) fn mark_ended(lists: &mut WriteLists<'_>, born: (u32, u32), ended: &mut Bits) -> bool {
    let graph = lists.graph;
    let spans = graph.spans(born);
    let now = graph.until(AsOf::Now);
    let is_closed = graph.is_closed(born, now);
    let cuts = if is_closed { Cuts::default() } else { Cuts::of(lists, &spans, now) };
    if !is_closed && cuts.is_empty() {
        return false;
    }
    let mut has_ended = false;
    for span in &spans {
        for (number, _) in lists.backwards(span, now) {
            if is_closed || cuts.removes(graph, number) {
                ended.set(number);
                has_ended = true;
            }
        }
    }
    has_ended
}
