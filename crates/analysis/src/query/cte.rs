//! Common table expressions: names for queries, read when first used.

use std::cell::RefCell;
use std::rc::Rc;

use guardbee_hiveql::tree::CommonTableExpression;
use guardbee_model::Name;

use super::analyzer::{Analyzer, Environment};
use super::scope::Rows;

/// The `WITH` of one query, inside of those around it.
pub(super) struct Definitions<'p, 'c> {
    items: &'p [CommonTableExpression<'p>],
    names: Vec<Name>,
    around: Environment<'p, 'c>,
    states: RefCell<Vec<State>>,
}

#[derive(Debug, Clone)]
enum State {
    Fresh,
    /// Its own text is being read: there its name means something else.
    Busy,
    Read(Rc<Rows>),
}

impl<'p, 'c> Definitions<'p, 'c> {
    pub(super) fn new(around: Environment<'p, 'c>, items: &'p [CommonTableExpression<'p>]) -> Self {
        Self {
            items,
            names: items.iter().map(|item| item.name.name()).collect(),
            around,
            states: RefCell::new(vec![State::Fresh; items.len()]),
        }
    }

    /// The nearest definition of that name that may be used here.
    fn find(&'p self, name: &str) -> Option<(&'p Self, usize)> {
        let mut definitions = Some(self);
        while let Some(current) = definitions {
            let place = current.names.iter().position(|known| known.as_str() == name);
            let usable = place.filter(|place| !current.is_busy(*place));
            if let Some(place) = usable {
                return Some((current, place));
            }
            definitions = current.around.ctes;
        }
        None
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
    /// The rows of the common table expression of that name (in lower case), if there is one in sight.
    pub(super) fn common_table<'p>(
        &mut self,
        environment: Environment<'p, 'c>,
        name: &str,
    ) -> Option<Rc<Rows>> {
        let (definitions, place) = environment.ctes?.find(name)?;
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
