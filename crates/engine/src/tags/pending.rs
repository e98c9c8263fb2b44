//! Statements that were allowed and of which nobody has said yet that they ran.
//!
//! What they would bring counts already. Once one is recorded, what the graph says takes its place; one that is never
//! recorded ends after a while.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use guardbee_lineage::{DatasetName, Run, WriteKind};
use guardbee_policy::Timestamp;
use smol_str::SmolStr;

use super::direct::Arrival;

/// So many are told apart. Of what was allowed before those, only what it brings is kept.
const MOST: usize = 50_000;

/// What the temporary tables of a session carry lasts longer: no run tells what they are called in the session.
const SESSION_FACTOR: i64 = 24;

/// Who wants to run what.
type Wish = (SmolStr, Arc<str>);

#[derive(Debug, Default)]
pub(crate) struct Pending {
    /// In the order in which they were allowed.
    statements: BTreeMap<u64, PendingRun>,
    places: HashMap<Wish, u64>,
    next_place: u64,
    folded: HashMap<Arrival, Timestamp>,
    next_end: Option<Timestamp>,
}

#[derive(Debug)]
struct PendingRun {
    wish: Wish,
    run: Arc<Run>,
    arrivals: Vec<Arrival>,
    until: Timestamp,
}

impl Pending {
    /// Counts a statement, with what it brings, from now on. One that is allowed again counts anew.
    pub fn add(&mut self, run: Run, arrivals: Vec<Arrival>, now: Timestamp, lasts: i64) {
        let lasts = if is_of_a_session(&run) { lasts.saturating_mul(SESSION_FACTOR) } else { lasts };
        let until = Timestamp(now.0.saturating_add(lasts.max(0)));
        let wish = wish(&run);
        if let Some(before) = self.places.remove(&wish).and_then(|place| self.statements.remove(&place))
            && before.run.targets != run.targets
        {
            // In another database it writes to something else.
            self.fold(before);
        }
        if self.statements.len() >= MOST
            && let Some((_, oldest)) = self.statements.pop_first()
        {
            self.places.remove(&oldest.wish);
            self.fold(oldest);
        }
        let place = self.next_place;
        self.next_place += 1;
        self.places.insert(wish.clone(), place);
        self.statements.insert(place, PendingRun { wish, run: Arc::new(run), arrivals, until });
        self.next_end = Some(self.next_end.map_or(until, |next| next.min(until)));
    }

    fn fold(&mut self, pending: PendingRun) {
        for arrival in pending.arrivals {
            let until = self.folded.entry(arrival).or_insert(pending.until);
            *until = pending.until.max(*until);
        }
    }

    /// A run was recorded: whoever waited for it does so no more.
    pub fn confirm(&mut self, run: &Run) {
        let wish = wish(run);
        let Some(place) = self.places.get(&wish).copied() else { return };
        if self.statements.get(&place).is_some_and(|pending| !is_of_a_session(&pending.run)) {
            self.places.remove(&wish);
            self.statements.remove(&place);
        }
    }

    /// Forgets what has ended. Says whether anything has.
    pub fn end(&mut self, now: Timestamp) -> bool {
        if self.next_end.is_none_or(|next| now < next) {
            return false;
        }
        let before = self.statements.len() + self.folded.len();
        self.statements.retain(|_, pending| now < pending.until);
        self.folded.retain(|_, until| now < *until);
        let statements = &self.statements;
        self.places.retain(|_, place| statements.contains_key(place));
        let ends = self.statements.values().map(|pending| pending.until);
        self.next_end = ends.chain(self.folded.values().copied()).min();
        self.statements.len() + self.folded.len() < before
    }

    /// When the next one ends.
    pub const fn next_end(&self) -> Option<Timestamp> {
        self.next_end
    }

    /// In the order in which they were allowed.
    pub fn runs(&self) -> Vec<Arc<Run>> {
        self.statements.values().map(|pending| Arc::clone(&pending.run)).collect()
    }

    /// Those that define a view.
    pub fn defining(&self, view: &DatasetName) -> Vec<Arc<Run>> {
        let runs = self.statements.values().map(|pending| &pending.run);
        runs.filter(|run| defines(run, view)).cloned().collect()
    }

    /// Those that lay a table over a path.
    pub fn lying_over_something(&self) -> Vec<Arc<Run>> {
        let runs = self.statements.values().map(|pending| &pending.run);
        runs.filter(|run| lies_over_something(run)).cloned().collect()
    }

    /// What is kept of those that are too many.
    pub fn folded(&self) -> Vec<Arrival> {
        self.folded.keys().cloned().collect()
    }
}

/// Does a run say what some view shows?
pub(super) fn defines_something(run: &Run) -> bool {
    run.targets.iter().any(|target| target.write == WriteKind::Define)
}

/// Does a run lay a table over a path?
pub(super) fn lies_over_something(run: &Run) -> bool {
    run.targets.iter().any(|target| target.write == WriteKind::Locate)
}

/// Does a run say what a view shows?
pub(super) fn defines(run: &Run, view: &DatasetName) -> bool {
    run.targets.iter().any(|target| target.write == WriteKind::Define && target.dataset == *view)
}

fn wish(run: &Run) -> Wish {
    (run.context.user.clone(), Arc::from(run.context.statement.trim()))
}

fn is_of_a_session(run: &Run) -> bool {
    run.targets.iter().any(|target| matches!(target.dataset, DatasetName::Temporary { .. }))
}
