//! Windows: what brings rows together and sorts them for a function.

use guardbee_hiveql::tree::{FrameBound, Identifier, NamedWindow, Partitioning, Window, WindowSpecification};
use guardbee_model::{Diagnostic, DiagnosticCode, Name};

use crate::lookup::GrowingIndex;

use super::analyzer::{Analyzer, Place};
use super::flow::Flow;
use super::name::folded;

/// How many names of windows may stand for each other.
const LONGEST_CHAIN: u32 = 50;

/// The windows that one SELECT names.
#[derive(Debug)]
pub(super) struct Windows<'p> {
    definitions: &'p [NamedWindow<'p>],
    index: GrowingIndex<Name>,
}

impl<'p> Windows<'p> {
    pub(super) fn new(definitions: &'p [NamedWindow<'p>]) -> Self {
        Self { definitions, index: GrowingIndex::default() }
    }

    /// The window of that name (in lower case).
    fn named(&self, name: &str) -> Option<&'p NamedWindow<'p>> {
        let is_wanted = |window: &NamedWindow<'p>| folded(&window.name) == name;
        let place =
            self.index.place(self.definitions, is_wanted, || Name::fold(name), |window| window.name.name());
        self.definitions.get(place?)
    }
}

impl<'c> Analyzer<'c, '_> {
    pub(super) fn collect_window<'p>(&mut self, place: Place<'p, 'c>, window: &Window<'p>, flow: Flow) {
        match window {
            Window::Named(name) => self.collect_named_window(place, name, flow, LONGEST_CHAIN),
            Window::Specified(specification) => {
                self.collect_specification(place, specification, flow, LONGEST_CHAIN);
            }
        }
    }

    fn collect_named_window<'p>(
        &mut self,
        place: Place<'p, 'c>,
        name: &Identifier<'p>,
        flow: Flow,
        remaining: u32,
    ) {
        let wanted = folded(name);
        let Some(definition) = place.windows.and_then(|windows| windows.named(&wanted)) else {
            self.report(|| {
                let message = format!("there is no window `{wanted}`");
                Diagnostic::error(DiagnosticCode::SEMANTIC, name.span(), message)
            });
            return;
        };
        let Some(remaining) = remaining.checked_sub(1) else { return };
        match &definition.window {
            Window::Specified(specification) => {
                self.collect_specification(place, specification, flow, remaining);
            }
            Window::Named(other) => self.collect_named_window(place, other, flow, remaining),
        }
    }

    fn collect_specification<'p>(
        &mut self,
        place: Place<'p, 'c>,
        specification: &WindowSpecification<'p>,
        flow: Flow,
        remaining: u32,
    ) {
        if let Some(base) = &specification.base {
            self.collect_named_window(place, base, flow, remaining);
        }
        if let Some(partitioning) = &specification.partitioning {
            self.collect_partitioning(place, partitioning, flow);
        }
        if let Some(frame) = &specification.frame {
            let bounds = std::iter::once(&frame.start).chain(frame.end.as_ref());
            for bound in bounds {
                if let FrameBound::Preceding(amount) | FrameBound::Following(amount) = bound {
                    self.collect(place, amount, flow);
                }
            }
        }
    }

    /// `PARTITION BY ... ORDER BY ...` and its other spellings.
    pub(super) fn collect_partitioning<'p>(
        &mut self,
        place: Place<'p, 'c>,
        partitioning: &Partitioning<'p>,
        flow: Flow,
    ) {
        let (keys, sort) = match partitioning {
            Partitioning::PartitionBy { keys, order } => (*keys, *order),
            Partitioning::DistributeBy { keys, sort } => (*keys, *sort),
            Partitioning::ClusterBy { keys } => (*keys, &[][..]),
        };
        for key in keys {
            self.collect(place, key, flow);
        }
        self.collect_sort_keys(place, sort, flow);
    }
}
