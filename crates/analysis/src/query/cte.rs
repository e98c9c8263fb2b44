//! Common table expressions: names for queries, read when first used.

use std::cell::RefCell;
use std::rc::Rc;

use guardbee_hiveql::tree::{CommonTableExpression, Identifier};
use guardbee_model::{Diagnostic, DiagnosticCode, Name};
use rustc_hash::FxHashMap;

use super::analyzer::{Analyzer, Environment};
use super::name::folded;
use super::scope::Rows;

/// The `WITH` of one query, inside of those around it.
pub(super) struct Definitions<'p, 'c> {
    items: &'p [CommonTableExpression<'p>],
    names: FxHashMap<Name, usize>,
    around: Environment<'p, 'c>,
    states: RefCell<Vec<State>>,
}

/// What there is of a name.
struct Sighting<'p, 'c> {
    /// The nearest definition that may be used here.
    definition: Option<(&'p Definitions<'p, 'c>, usize)>,
    /// Is the nearest definition one whose text is being read?
    is_recursive: bool,
}

#[derive(Debug, Clone)]
enum State {
    Fresh,
    /// Its own text is being read: there its name means something else.
    Busy,
    Read(Rc<Rows>),
}

impl<'p, 'c> Definitions<'p, 'c> {
    fn new(around: Environment<'p, 'c>, items: &'p [CommonTableExpression<'p>]) -> Self {
        Self {
            items,
            names: items.iter().enumerate().rev().map(|(place, item)| (item.name.name(), place)).collect(),
            around,
            states: RefCell::new(vec![State::Fresh; items.len()]),
        }
    }

    /// Finds a name here or around.
    fn find(&'p self, name: &str) -> Sighting<'p, 'c> {
        let mut sighting = Sighting { definition: None, is_recursive: false };
        let mut definitions = Some(self);
        while let Some(current) = definitions {
            match current.names.get(name) {
                Some(place) if current.is_busy(*place) => sighting.is_recursive = true,
                Some(place) => {
                    sighting.definition = Some((current, *place));
                    break;
                }
                None => {}
            }
            definitions = current.around.ctes;
        }
        sighting
    }

    fn is_busy(&self, place: usize) -> bool {
        matches!(self.states.borrow().get(place), Some(State::Busy))
    }

    fn state(&self, place: usize) -> State {
        self.states.borrow().get(place).cloned().unwrap_or(State::Busy)
    }

    fn set(&self, place: usize, state: State) {
        if let Some(slot) = self.states.borrow_mut().get_mut(place) {
            *slot = state;
        }
    }
}

impl<'c> Analyzer<'c, '_> {
    /// The definitions of a `WITH`, whose names must differ.
    pub(super) fn definitions<'p>(
        &mut self,
        around: Environment<'p, 'c>,
        items: &'p [CommonTableExpression<'p>],
    ) -> Definitions<'p, 'c> {
        let definitions = Definitions::new(around, items);
        if definitions.names.len() < items.len() {
            let is_second = |(place, item): &(usize, &CommonTableExpression<'p>)| {
                definitions.names.get(&item.name.name()) != Some(place)
            };
            for (_, item) in items.iter().enumerate().filter(is_second) {
                self.report(|| {
                    let message = format!("two queries of the `WITH` are called `{}`", item.name.name());
                    Diagnostic::error(DiagnosticCode::AMBIGUOUS, item.name.span(), message)
                });
            }
        }
        definitions
    }

    /// The rows of the common table expression of that name, if there is one in sight. In its own text the
    /// name means what it means around, since that is better known than nothing; but Hive refuses it.
    pub(super) fn common_table<'p>(
        &mut self,
        environment: Environment<'p, 'c>,
        identifier: &Identifier<'p>,
    ) -> Option<Rc<Rows>> {
        let sighting = environment.ctes?.find(&folded(identifier));
        if sighting.is_recursive {
            self.report(|| {
                let message = format!("the query `{}` of the `WITH` reads itself", identifier.value());
                Diagnostic::error(DiagnosticCode::SEMANTIC, identifier.span(), message)
                    .with_hint("a table of that name is reached with its database: `db.t`")
            });
        }
        let (definitions, place) = sighting.definition?;
        match definitions.state(place) {
            State::Read(rows) => return Some(rows),
            State::Busy => return None,
            State::Fresh => {}
        }
        let item = definitions.items.get(place)?;
        definitions.set(place, State::Busy);
        let inner = Environment { ctes: Some(definitions), ..definitions.around };
        let rows = self.query(inner, item.query);
        let rows = Rc::new(super::from::renamed(rows, item.columns));
        definitions.set(place, State::Read(rows.clone()));
        Some(rows)
    }
}
