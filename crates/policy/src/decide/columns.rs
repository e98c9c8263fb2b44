//! Columns one by one, where what holds for their table does not settle it.

use guardbee_model::{ColumnName, Name};
use smallvec::SmallVec;

use super::place::{Place, tag_nodes};
use super::tally::{Tally, is_lost_to_denials, is_met};
use super::{Judge, missing};
use crate::decision::{Basis, Reason};
use crate::index::cell::Cell;
use crate::index::node::ColumnEntries;
use crate::requirement::Requirement;
use crate::{EntryId, NamePattern, Privileges, Resource, Scope};

/// What entries give and take at one column.
#[derive(Clone, Copy)]
struct State {
    granted: Privileges,
    denied: Privileges,
    /// The first entry that was made of those that give something.
    grant: EntryId,
}

const UNTOUCHED: State =
    State { granted: Privileges::NONE, denied: Privileges::NONE, grant: EntryId(u64::MAX) };

/// Up to this many columns lie on the stack.
type States = SmallVec<[State; 128]>;

/// What is known of the columns of a table.
struct Sheet<'p> {
    /// The columns that entries name, by their places in the node.
    entries: Option<&'p ColumnEntries>,
    by_place: States,
    /// The first places at which the subject has something, and how many there are.
    touched: SmallVec<[usize; FEW]>,
    touched_count: usize,
    /// Entries at patterns and tags: they reach the columns that are asked for by their names.
    others: SmallVec<[(Matcher<'p>, &'p Cell); 4]>,
}

/// Up to this many columns are compared one by one.
const FEW: usize = 4;

impl Sheet<'_> {
    /// What is known of a column, and its place.
    #[inline]
    fn find(&self, column: &Name, guess: usize) -> Option<(usize, State)> {
        if self.touched_count == 0 {
            return None;
        }
        let entries = self.entries?;
        let place = if self.touched_count <= FEW {
            let is_it =
                |place: &&usize| entries.name(**place).is_some_and(|name| name.as_str() == column.as_str());
            *self.touched.iter().find(is_it)?
        } else {
            entries.place(column, guess)?
        };
        self.by_place.get(place).map(|state| (place, *state))
    }

    fn change(&mut self, cell: &Cell, change: impl FnOnce(&mut State)) {
        let place = cell.column().get();
        if let Some(state) = self.by_place.get_mut(place) {
            if !self.touched.contains(&place) {
                self.touched_count += 1;
                if self.touched.len() < FEW {
                    self.touched.push(place);
                }
            }
            change(state);
        }
    }
}

/// Which columns an entry reaches.
#[derive(Clone, Copy)]
enum Matcher<'p> {
    Pattern(&'p NamePattern),
    Column(&'p Name),
}

impl Matcher<'_> {
    fn matches(self, column: &Name) -> bool {
        match self {
            Self::Pattern(pattern) => pattern.matches(column),
            Self::Column(name) => name == column,
        }
    }
}

impl<'p> Judge<'p> {
    /// The reason of a requirement for columns that are named.
    pub(super) fn reason_of_columns(
        &self,
        place: usize,
        requirement: &Requirement,
        reached: &Place<'p>,
        tally: &Tally,
        columns: &[Name],
    ) -> Reason {
        let entries = reached.table_node().and_then(|node| node.columns.as_deref());
        let others = self.entries_at_patterns_and_tags(reached, tally);
        let may_lose = others.iter().any(|(_, cell)| cell.is_denial())
            || entries.is_some_and(|entries| entries.entries.denied.intersects(tally.wanted()));
        let is_met = tally.is_met();
        if is_met && !may_lose {
            let entries = tally.grants();
            return Reason { requirement: place, entries, basis: tally.basis(), missing: Vec::new() };
        }
        if tally.wanted().bits().count_ones() > 1 {
            return self.reason_of_alternatives(place, requirement, reached, tally, columns);
        }
        let mut sheet = Sheet {
            entries,
            by_place: SmallVec::from_elem(UNTOUCHED, entries.map_or(0, ColumnEntries::len)),
            touched: SmallVec::new(),
            touched_count: 0,
            others,
        };
        if may_lose {
            self.see_column_denials(&mut sheet, tally);
        }
        if !is_met {
            self.see_column_grants(&mut sheet, tally);
        }
        self.judge_columns(place, requirement, &sheet, tally, columns)
    }

    /// The reason where several privileges would do, or all are asked for: what is denied at a column and what
    /// is granted there may be different ones, so each column is counted on its own.
    fn reason_of_alternatives(
        &self,
        place: usize,
        requirement: &Requirement,
        reached: &Place<'p>,
        tally: &Tally,
        columns: &[Name],
    ) -> Reason {
        let count_at = |column: &Name| {
            let mut here = tally.clone();
            self.see_column(reached, column, &mut here);
            here
        };
        let mut entries = SmallVec::<[EntryId; 4]>::new();
        let mut lost = Vec::new();
        let mut is_denied = false;
        for column in columns {
            let here = count_at(column);
            if here.is_met() {
                let grants = here.grants();
                let new = grants.into_iter().filter(|id| !entries.contains(id)).collect::<SmallVec<[_; 4]>>();
                entries.extend(new);
            } else {
                is_denied |= here.is_lost_to_denials();
                lost.push(missing(requirement, column_of(&requirement.resource, column)));
            }
        }
        let basis = match (lost.is_empty(), is_denied) {
            (true, _) => tally.basis(),
            (false, true) => Basis::Denied,
            (false, false) => Basis::NotGranted,
        };
        if !lost.is_empty() {
            entries.clear();
        }
        if is_denied {
            entries.extend(columns.iter().flat_map(|column| count_at(column).denials()));
        }
        entries.sort_unstable();
        entries.dedup();
        Reason { requirement: place, entries, basis, missing: lost }
    }

    /// The subject's entries in force at columns with `*` and at tags on columns.
    fn entries_at_patterns_and_tags(
        &self,
        reached: &Place<'p>,
        tally: &Tally,
    ) -> SmallVec<[(Matcher<'p>, &'p Cell); 4]> {
        let mut found = SmallVec::new();
        let wanted = tally.wanted();
        let mut add = |matcher, cell: &'p Cell, is_active: bool| {
            if (is_active || cell.is_denial()) && cell.effective().intersects(wanted) && self.holds(cell) {
                found.push((matcher, cell));
            }
        };
        let known = &self.subject.known;
        let column_tags = if self.sources.tags { reached.column_tags(self.policy) } else { &[] };
        for assignment in column_tags {
            let Resource::Column(column) = &assignment.resource else { continue };
            tag_nodes(self.policy, assignment, &mut |node| {
                node.here.cells_of(known, wanted, |cell, standing| {
                    add(Matcher::Column(&column.column), cell, standing.is_active());
                });
            });
        }
        if !self.sources.entries {
            return found;
        }
        if let Some(columns) = reached.table_node().and_then(|node| node.columns.as_deref())
            && !columns.patterns.is_empty()
        {
            columns.entries.cells_of(known, wanted, |cell, standing| {
                if let Some(name) = columns.name(cell.column().get())
                    && !name.is_literal()
                {
                    add(Matcher::Pattern(name), cell, standing.is_active());
                }
            });
        }
        if self.subject.patterns.is_empty() {
            return found;
        }
        let table = reached.table_name().cloned().map(Resource::Table);
        self.patterns_near(reached.resource(), |pattern| {
            if let Scope::Column { column, .. } = &pattern.scope
                && table.as_ref().is_some_and(|table| pattern.scope.is_inside(table))
                && let Some(standing) = known.get(pattern.cell.principal)
            {
                add(Matcher::Pattern(column), &pattern.cell, standing.is_active());
            }
        });
        found
    }

    /// Sees what stands at one column.
    pub(super) fn see_column(&self, reached: &Place<'p>, column: &Name, tally: &mut Tally) {
        let entries = reached.table_node().and_then(|node| node.columns.as_deref());
        if let Some(entries) = entries.filter(|_| self.sources.entries)
            && let Some(place) = entries.place(column, 0)
        {
            tally.next_level();
            let wanted = tally.wanted();
            entries.entries.cells_of(&self.subject.known, wanted, |cell, standing| {
                if cell.column().get() == place {
                    self.count(cell, standing, tally);
                }
            });
        }
        let others = self.entries_at_patterns_and_tags(reached, tally);
        tally.next_level();
        others.iter().filter(|(matcher, _)| matcher.matches(column)).for_each(|(_, cell)| tally.count(cell));
    }

    fn see_column_denials(&self, sheet: &mut Sheet<'p>, tally: &Tally) {
        let Some(columns) = sheet.entries else { return };
        columns.entries.cells_of(&self.subject.known, tally.wanted(), |cell, _| {
            if cell.is_denial() && self.holds(cell) {
                let taken = cell.effective().intersection(tally.wanted());
                sheet.change(cell, |state| state.denied = state.denied.union(taken));
            }
        });
    }

    fn see_column_grants(&self, sheet: &mut Sheet<'p>, tally: &Tally) {
        let Some(columns) = sheet.entries else { return };
        columns.entries.cells_of(&self.subject.known, tally.wanted(), |cell, standing| {
            if !cell.is_denial() && standing.is_active() && tally.takes(cell) && self.holds(cell) {
                sheet.change(cell, |state| state.grant(cell, tally));
            }
        });
    }

    fn judge_columns(
        &self,
        place: usize,
        requirement: &Requirement,
        sheet: &Sheet<'p>,
        tally: &Tally,
        columns: &[Name],
    ) -> Reason {
        let mut entries: SmallVec<[EntryId; 4]> = SmallVec::new();
        let mut lost = Vec::new();
        let mut is_denied = false;
        let mut guess = 0;
        let mut last = EntryId(u64::MAX);
        let by_table = tally.is_met();
        for (asked, column) in columns.iter().enumerate() {
            let known = sheet.find(column, guess);
            guess = known.map_or(guess, |(place, _)| place + 1);
            let mut state = known.map_or(UNTOUCHED, |(_, state)| state);
            if !sheet.others.is_empty() {
                state.see_others(sheet, column, tally);
            }
            let denied = tally.denied().union(state.denied);
            let granted = tally.granted().union(state.granted);
            if is_met(tally.wanted(), granted, denied) {
                if !by_table && state.grant != last {
                    last = state.grant;
                    if entries.len() == entries.inline_size() {
                        entries.reserve_exact(columns.len());
                    }
                    entries.push(last);
                }
            } else {
                is_denied |= is_lost_to_denials(tally.wanted(), granted, denied);
                if lost.is_empty() {
                    lost.reserve_exact(columns.len() - asked);
                }
                lost.push(missing(requirement, column_of(&requirement.resource, column)));
            }
        }
        if lost.is_empty() {
            if by_table {
                entries.extend(tally.grants());
            }
            entries.sort_unstable();
            entries.dedup();
            return Reason { requirement: place, entries, basis: tally.basis(), missing: lost };
        }
        let (basis, entries) = if is_denied {
            (Basis::Denied, self.column_denials(sheet, tally, columns))
        } else {
            (Basis::NotGranted, SmallVec::new())
        };
        Reason { requirement: place, entries, basis, missing: lost }
    }

    /// The denials at the table or around it, and at the columns that are asked for.
    fn column_denials(&self, sheet: &Sheet<'p>, tally: &Tally, columns: &[Name]) -> SmallVec<[EntryId; 4]> {
        let mut found: SmallVec<[EntryId; 4]> = SmallVec::new();
        if let Some(entries) = sheet.entries {
            let places: SmallVec<[usize; 64]> =
                columns.iter().filter_map(|column| entries.place(column, 0)).collect();
            entries.entries.cells_of(&self.subject.known, tally.wanted(), |cell, _| {
                if cell.is_denial() && self.holds(cell) && places.contains(&cell.column().get()) {
                    found.push(cell.id);
                }
            });
        }
        let reaches = |matcher: &Matcher<'_>| columns.iter().any(|column| matcher.matches(column));
        let others = sheet.others.iter().filter(|(matcher, cell)| cell.is_denial() && reaches(matcher));
        found.extend(others.map(|(_, cell)| cell.id));
        found.extend(tally.denials());
        found.sort_unstable();
        found.dedup();
        found
    }
}

impl State {
    fn grant(&mut self, cell: &Cell, tally: &Tally) {
        let given = cell.effective().intersection(tally.wanted());
        self.granted = self.granted.union(given);
        if given.without(self.denied.union(tally.denied())) != Privileges::NONE {
            self.grant = self.grant.min(cell.id);
        }
    }

    fn see_others(&mut self, sheet: &Sheet<'_>, column: &Name, tally: &Tally) {
        let reaching = || sheet.others.iter().filter(|(matcher, _)| matcher.matches(column));
        for (_, cell) in reaching().filter(|(_, cell)| cell.is_denial()) {
            self.denied = self.denied.union(cell.effective().intersection(tally.wanted()));
        }
        for (_, cell) in reaching().filter(|(_, cell)| !cell.is_denial() && tally.takes(cell)) {
            self.grant(cell, tally);
        }
    }
}

/// A column of a table, or the column that the resource is.
fn column_of(resource: &Resource, column: &Name) -> Resource {
    match resource {
        Resource::Table(table) => Resource::Column(ColumnName::new(table.clone(), column.clone())),
        other => other.clone(),
    }
}
