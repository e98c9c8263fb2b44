//! The writes under names in the order in which they happened, without putting them in order again for each dataset
//! that had the name.

use rustc_hash::FxHashMap;

use crate::graph::{Graph, Until};
use crate::moment::Order;
use crate::timeline::Span;
use crate::write::Write;

pub(crate) struct WriteLists<'g> {
    pub graph: &'g Graph,
    /// Those of the delta, where it has any.
    new: FxHashMap<u32, Vec<u32>>,
}

impl<'g> WriteLists<'g> {
    pub fn new(graph: &'g Graph) -> Self {
        Self { graph, new: FxHashMap::default() }
    }

    /// Those that had ended by then, of the time in which a dataset was called so; latest first, and no more of them
    /// looked at than are taken.
    pub fn backwards(&mut self, span: &Span, until: Until) -> impl Iterator<Item = (u32, Write)> {
        let graph = self.graph;
        let (old, new) = self.within(span, until);
        let (mut old, mut new) = (old.iter().rev().copied().peekable(), new.iter().rev().copied().peekable());
        let numbers = std::iter::from_fn(move || match (old.peek(), new.peek()) {
            (Some(first), Some(second)) if graph.compare_writes(*first, *second).is_gt() => old.next(),
            (_, Some(_)) => new.next(),
            (_, None) => old.next(),
        });
        numbers.filter_map(|number| Some((number, graph.write(number)?)))
    }

    fn within(&mut self, span: &Span, until: Until) -> (&[u32], &[u32]) {
        let graph = self.graph;
        let new: &[u32] = if graph.delta.writes_of.has(span.name) {
            self.new.entry(span.name).or_insert_with(|| {
                let mut new: Vec<u32> = graph.delta.writes_of.get(span.name).copied().collect();
                new.sort_by(|one, other| graph.compare_writes(*one, *other));
                new
            })
        } else {
            &[]
        };
        let moment = |number: u32| graph.write(number).map(|write| write.moment);
        let clip = |list: &'_ [u32]| {
            let is_early =
                |number: &u32| moment(*number).is_some_and(|moment| graph.is_before(moment, span.from));
            let is_meant = |number: &u32| {
                moment(*number).is_some_and(|moment| {
                    graph.is_before(moment, span.until) && graph.is_until(moment.run, until)
                })
            };
            (list.partition_point(is_early), list.partition_point(is_meant))
        };
        let old = graph.base.writes_of.get(span.name);
        let (old_range, new_range) = (clip(old), clip(new));
        (
            old.get(old_range.0..old_range.1).unwrap_or_default(),
            new.get(new_range.0..new_range.1).unwrap_or_default(),
        )
    }
}
