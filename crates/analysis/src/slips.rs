//! Which table was meant where a name is misspelt.
//!
//! Every question looks at all tables of a database, so a session may ask only so much.

use std::cell::{Cell, RefCell};

use guardbee_model::{Name, TableName, nearest};
use rustc_hash::FxHashMap;

use crate::context::Context;

/// How many names of tables a session compares in all.
const MOST_COMPARED: usize = 200_000;

/// How many answers are kept for when the same name comes again.
const MOST_REMEMBERED: usize = 1_000;

/// What a session knows of misspelt names.
#[derive(Debug, Clone)]
pub(crate) struct Slips {
    remaining: Cell<usize>,
    answers: RefCell<FxHashMap<TableName, Option<TableName>>>,
}

impl Default for Slips {
    fn default() -> Self {
        Self { remaining: Cell::new(MOST_COMPARED), answers: RefCell::default() }
    }
}

impl Slips {
    /// Knows of none: names of tables are compared with nothing.
    pub(crate) fn none() -> Self {
        Self { remaining: Cell::new(0), ..Self::default() }
    }
}

impl Context<'_> {
    /// The table that an unknown name differs from by a slip of the keyboard.
    pub(crate) fn nearest_table(&self, name: &TableName) -> Option<TableName> {
        if let Some(known) = self.slips.answers.borrow().get(name) {
            return known.clone();
        }
        let answer = self.search_nearest_table(name);
        let mut answers = self.slips.answers.borrow_mut();
        if answers.len() < MOST_REMEMBERED {
            answers.insert(name.clone(), answer.clone());
        }
        answer
    }

    fn search_nearest_table(&self, name: &TableName) -> Option<TableName> {
        let catalogs = [self.catalog, self.session];
        let database = name.database.as_str();
        let count = catalogs.iter().map(|catalog| catalog.count_tables(database)).sum::<usize>();
        self.slips.remaining.set(self.slips.remaining.get().checked_sub(count)?);
        let tables = catalogs.iter().flat_map(|catalog| catalog.tables(database));
        let candidates = tables.map(|table| table.name.table.as_str());
        let meant = nearest(&name.table, candidates.filter(|known| !is_numbered_alike(known, &name.table)))?;
        Some(TableName::new(name.database.clone(), Name::fold(meant)))
    }
}

/// Do two names differ in their digits only, as those of monthly tables do? That is no slip.
fn is_numbered_alike(left: &str, right: &str) -> bool {
    let letters = |name: &str| name.bytes().filter(|byte| !byte.is_ascii_digit()).collect::<Vec<u8>>();
    left.bytes().next() == right.bytes().next() && letters(left) == letters(right)
}
