//! May it be done? Denials first, then grants.
//!
//! A requirement is judged from its resource outwards: the nodes at it and around it, the tags that these
//! carry, the subject's entries at names with `*`. Each gives and takes privileges; what is taken is gone,
//! wherever it was given. Columns are looked at only where what holds for their table does not settle it.

mod columns;
mod inside;
mod obligations;
mod place;
pub(crate) mod provider;
mod tally;
pub(crate) mod visible;

use guardbee_model::Name;
use smallvec::SmallVec;

use crate::decision::{Basis, Missing, Obligation, Reason};
use crate::index::cell::Cell;
use crate::index::node::{Entries, Node};
use crate::policy::Policy;
use crate::request::Columns;
use crate::requirement::{Reach, Requirement, Right};
use crate::subject::{Standing, Subject};
use crate::{
    BookName, Decision, EntryId, GrantOption, Principal, Privilege, Privileges, Resource, Timestamp, Verdict,
};
use place::Place;
use tally::{Ground, Tally};

/// May the subject do what has these requirements? Every one of them must be met; a denial refuses whatever
/// else is granted.
///
/// A subject of another policy, or of this one before a change, is looked up anew, which takes longer.
#[must_use]
pub fn decide(policy: &Policy, subject: &Subject, requirements: &[Requirement], now: Timestamp) -> Decision {
    let subject = &*subject.of(policy);
    let judge = Judge::new(policy, subject, now);
    let mut decision =
        Decision { verdict: Verdict::Allowed, reasons: SmallVec::new(), obligations: Vec::new() };
    for (place, requirement) in requirements.iter().enumerate() {
        let reason = judge.reason(place, requirement);
        if !reason.missing.is_empty() {
            decision.verdict = Verdict::Denied;
        }
        decision.reasons.push(reason);
    }
    if decision.is_allowed() && !policy.data.is_empty() {
        decision.obligations = obligations::of(policy, subject, requirements);
    }
    decision
}

/// The row filters and column masks that apply to what the requirements say is read, whether the subject may
/// read it or not.
#[must_use]
pub fn obligations(policy: &Policy, subject: &Subject, requirements: &[Requirement]) -> Vec<Obligation> {
    if policy.data.is_empty() {
        return Vec::new();
    }
    obligations::of(policy, &subject.of(policy), requirements)
}

/// The entry by which somebody passes every check.
pub(crate) fn super_entry(policy: &Policy, subject: &Subject, now: Timestamp) -> Option<EntryId> {
    Judge::new(policy, subject, now).super_entry
}

/// The nodes of the entries at a resource and around it, and at the tags that these and its columns carry.
pub(crate) fn place_nodes<'p>(policy: &'p Policy, resource: &'p Resource) -> Vec<&'p Node> {
    let place = Place::new(policy, resource);
    let mut nodes: Vec<&Node> = policy.nodes.server().into_iter().chain(place.nodes()).collect();
    place.tags(policy, |node| nodes.push(node));
    for assignment in place.column_tags(policy) {
        place::tag_nodes(policy, assignment, &mut |node| nodes.push(node));
    }
    nodes
}

/// Judges for one subject at one moment.
struct Judge<'p> {
    policy: &'p Policy,
    subject: &'p Subject,
    now: Timestamp,
    /// The entry that gives SUPER, where it is not taken.
    super_entry: Option<EntryId>,
    sources: Sources,
}

/// Which entries are seen.
#[derive(Debug, Clone, Copy)]
struct Sources {
    /// Those at names.
    entries: bool,
    /// Those at tags.
    tags: bool,
}

impl Sources {
    const ALL: Self = Self { entries: true, tags: true };
}

impl<'p> Judge<'p> {
    fn new(policy: &'p Policy, subject: &'p Subject, now: Timestamp) -> Self {
        let mut judge = Self { policy, subject, now, super_entry: None, sources: Sources::ALL };
        judge.super_entry = judge.find_super();
        judge
    }

    fn reason(&self, place: usize, requirement: &Requirement) -> Reason {
        let met = |basis, entries| Reason { requirement: place, entries, basis, missing: Vec::new() };
        let unmet = |basis, entries| Reason {
            requirement: place,
            entries,
            basis,
            missing: vec![missing(requirement, requirement.resource.clone())],
        };
        let (privileges, grant_option) = match &requirement.right {
            Right::Nobody(_) => return unmet(Basis::Forbidden, SmallVec::new()),
            _ if self.super_entry.is_some() => {
                return met(Basis::Super, self.super_entry.into_iter().collect());
            }
            Right::Administration if self.subject.is_administrator() => {
                return met(Basis::Administrator, SmallVec::new());
            }
            Right::Administration => return unmet(Basis::NotGranted, SmallVec::new()),
            Right::Ownership => (Privileges::of(Privilege::Owner), GrantOption::Without),
            Right::AnyOf { privileges, grant_option } => (*privileges, *grant_option),
        };
        let reached = Place::new(self.policy, &requirement.resource);
        let ground = self.ground(requirement);
        let mut tally = Tally::new(privileges, grant_option, ground);
        self.see_around(&reached, &mut tally);
        let columns = match requirement.right {
            // One owns a table as a whole.
            Right::Ownership if reached.is_table() => None,
            _ => reached.columns(&requirement.columns),
        };
        if columns.is_none() && requirement.reach == Reach::Around {
            self.see_denials_inside(&reached, &mut tally);
        }
        if requirement.reach == Reach::AroundOrInside && (columns.is_some() || !tally.is_met()) {
            tally.next_level();
            self.see_grants_inside(&reached, &mut tally);
        }
        if let Some(columns) = columns {
            self.reason_of_columns(place, requirement, &reached, &tally, columns)
        } else if tally.is_met() {
            met(ground.basis(), tally.grants())
        } else if tally.is_lost_to_denials() {
            unmet(Basis::Denied, tally.denials())
        } else {
            unmet(Basis::NotGranted, SmallVec::new())
        }
    }

    /// What meets a requirement unless entries deny it.
    fn ground(&self, requirement: &Requirement) -> Ground {
        let is_sql_standard = self.policy.settings.rule_book == BookName::SqlStandard;
        if is_sql_standard && self.subject.is_administrator() {
            Ground::Administrator
        } else if requirement.right != Right::Ownership {
            Ground::Grants
        } else if self.owns(&requirement.resource, is_sql_standard) {
            Ground::Owner
        } else {
            Ground::Nothing
        }
    }

    fn owns(&self, resource: &Resource, is_sql_standard: bool) -> bool {
        match resource {
            Resource::Database(name) if is_sql_standard && name.as_str() == "default" => true,
            _ => self.policy.owner(resource).is_some_and(|owner: &Principal| self.subject.is(owner)),
        }
    }

    /// SUPER counts where an entry at the server names it: to hold every right of the server is not yet to
    /// stand above denials.
    fn find_super(&self) -> Option<EntryId> {
        let names_super = |cell: &&Cell| cell.privileges.contains(Privilege::Super) && self.holds(cell);
        let mut found: Option<EntryId> = None;
        for cell in self.subject.server.iter().filter(names_super) {
            if cell.is_denial() {
                return None;
            }
            if cell.privileges.is_named() {
                found = Some(found.map_or(cell.id, |known| known.min(cell.id)));
            }
        }
        found
    }

    /// Is an entry of the subject's in force?
    #[inline]
    fn holds(&self, cell: &Cell) -> bool {
        !cell.is_conditional() || self.conditions_hold(cell)
    }

    #[cold]
    fn conditions_hold(&self, cell: &Cell) -> bool {
        let record = self.policy.records.get(&cell.id);
        record.and_then(|record| record.details.as_ref()).is_none_or(|details| {
            details.validity.holds_at(self.now)
                && !details.except.iter().any(|&number| self.subject.known.contains(number))
        })
    }

    /// Sees the entries at one scope that the subject holds.
    #[inline]
    fn see<const INLINE: usize>(&self, entries: &Entries<INLINE>, tally: &mut Tally) {
        if !entries.granted.union(entries.denied).intersects(tally.wanted()) {
            return;
        }
        let wanted = tally.wanted();
        entries.cells_of(&self.subject.known, wanted, |cell, standing| self.count(cell, standing, tally));
    }

    #[inline]
    fn count(&self, cell: &Cell, standing: Standing, tally: &mut Tally) {
        if (standing.is_active() || cell.is_denial()) && self.holds(cell) {
            tally.count(cell);
        }
    }

    /// Sees everything at a place and around it, from the server inwards.
    fn see_around(&self, place: &Place<'p>, tally: &mut Tally) {
        if self.sources.entries {
            for cell in &self.subject.server {
                if cell.effective().intersects(tally.wanted()) && self.holds(cell) {
                    tally.count(cell);
                }
            }
        }
        self.see_at(place, tally);
    }

    /// Sees everything at a place and around it but what stands at the server.
    fn see_at(&self, place: &Place<'p>, tally: &mut Tally) {
        let nodes = place.nodes().filter(|_| self.sources.entries);
        for node in nodes {
            tally.next_level();
            self.see(&node.here, tally);
        }
        if self.sources.tags && self.policy.nodes.tag_entries > 0 && self.policy.tags.are_assigned() {
            tally.next_level();
            place.tags(self.policy, |node| self.see(&node.here, tally));
        }
        if self.sources.entries && !self.subject.patterns.is_empty() {
            tally.next_level();
            self.patterns_near(place.resource(), |pattern| {
                if pattern.scope.covers(place.resource()) {
                    self.count_pattern(&pattern.cell, tally);
                }
            });
        }
    }

    fn patterns_near(&self, resource: &Resource, see: impl FnMut(&'p crate::index::principals::PatternCell)) {
        self.subject.patterns.iter().flat_map(|patterns| patterns.near(resource)).for_each(see);
    }

    fn count_pattern(&self, cell: &Cell, tally: &mut Tally) {
        if cell.effective().intersects(tally.wanted())
            && let Some(standing) = self.subject.known.get(cell.principal)
        {
            self.count(cell, standing, tally);
        }
    }
}

fn missing(requirement: &Requirement, resource: Resource) -> Missing {
    Missing { right: requirement.right.clone(), resource }
}

/// The columns that a requirement names, where it names any.
fn named(columns: &Columns) -> Option<&[Name]> {
    match columns {
        Columns::Named(columns) => Some(columns),
        Columns::Whole => None,
    }
}
