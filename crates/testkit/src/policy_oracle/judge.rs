//! May they? Straight from the specification.

use std::collections::BTreeSet;

use guardbee_model::{ColumnName, Name};
use guardbee_policy::request::Columns;
use guardbee_policy::requirement::{Reach, Requirement, Right};
use guardbee_policy::{
    Effect, Entry, EntryId, GrantOption, Privilege, Privileges, Resource, Scope, Timestamp,
};

use super::{Filter, Mask, Standing, World, obligations, scope_covers, scope_inside, scope_reached};

/// The answer to all requirements of a request.
#[derive(Debug, Clone)]
pub struct Answer {
    pub allowed: bool,
    pub judged: Vec<Judged>,
    /// Empty where it is refused.
    pub filters: BTreeSet<Filter>,
    pub masks: BTreeSet<Mask>,
}

/// The answer to one requirement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    pub met: bool,
    /// The resources that the right is missing on: of a table read by columns those columns.
    pub missing: BTreeSet<Resource>,
    /// Would nothing be missing were it not for denials?
    pub granted: bool,
    /// All grants that speak for it.
    pub grants: BTreeSet<EntryId>,
    /// All denials that speak against it.
    pub denials: BTreeSet<EntryId>,
    pub by_super: bool,
}

/// Every requirement has to be met.
#[must_use]
pub fn decide(world: &World, standing: &Standing, requirements: &[Requirement], now: Timestamp) -> Answer {
    let judged: Vec<Judged> = requirements
        .iter()
        .map(|requirement| decide_one(world, standing, requirement, now, &|_| true))
        .collect();
    let allowed = judged.iter().all(|judged| judged.met);
    let (filters, masks) =
        if allowed { obligations(world, standing, requirements) } else { Default::default() };
    Answer { allowed, judged, filters, masks }
}

/// One requirement, with only those grants that `counts` lets count.
#[must_use]
pub fn decide_one(
    world: &World,
    standing: &Standing,
    requirement: &Requirement,
    now: Timestamp,
    counts: &dyn Fn(EntryId) -> bool,
) -> Judged {
    let question = Question { world, standing, requirement, now, counts };
    if matches!(requirement.right, Right::Nobody(_)) {
        return question.plain(false);
    }
    if let Some(holder) = question.super_entry() {
        return Judged { grants: BTreeSet::from([holder]), by_super: true, ..question.plain(true) };
    }
    match &requirement.right {
        Right::Nobody(_) => question.plain(false),
        Right::Administration => question.plain(standing.administers()),
        Right::Ownership => question.ownership(),
        Right::AnyOf { privileges, grant_option } => question.privileges(*privileges, *grant_option),
    }
}

struct Question<'w> {
    world: &'w World,
    standing: &'w Standing,
    requirement: &'w Requirement,
    now: Timestamp,
    counts: &'w dyn Fn(EntryId) -> bool,
}

/// Privileges that can be held on single columns. A denial of one on a column refuses it for the table as a
/// whole.
const OF_COLUMNS: [Privilege; 3] = [Privilege::Select, Privilege::Insert, Privilege::Update];

/// What the entry holds. OWNER is as good as all; what a REVOKE left of ALL holds just the rest.
fn bits(entry: &Entry) -> u32 {
    if names(entry, Privilege::Owner) { u32::MAX } else { entry.privileges.bits() }
}

/// Does the entry name the privilege, rather than hold it as a part of ALL?
fn names(entry: &Entry, privilege: Privilege) -> bool {
    let every_one_is_known = entry.privileges.iter().count() == entry.privileges.bits().count_ones() as usize;
    every_one_is_known && entry.privileges.contains(privilege)
}

impl Question<'_> {
    /// An answer that rests on no entry.
    fn plain(&self, met: bool) -> Judged {
        Judged {
            met,
            missing: if met { BTreeSet::new() } else { BTreeSet::from([self.requirement.resource.clone()]) },
            granted: met,
            grants: BTreeSet::new(),
            denials: BTreeSet::new(),
            by_super: false,
        }
    }

    fn grants(&self) -> impl Iterator<Item = &Entry> {
        self.world.entries.iter().filter(|entry| {
            entry.effect == Effect::Grant
                && (self.counts)(entry.id)
                && self.standing.has_grant(entry, self.now)
        })
    }

    fn denials(&self) -> impl Iterator<Item = &Entry> {
        self.world
            .entries
            .iter()
            .filter(|entry| entry.effect == Effect::Deny && self.standing.has_denial(entry, self.now))
    }

    /// The grant of SUPER on the server, unless SUPER is denied there. ALL on the server is not SUPER: it
    /// yields to denials.
    fn super_entry(&self) -> Option<EntryId> {
        let denied = self
            .denials()
            .any(|entry| entry.scope == Scope::Server && entry.privileges.contains(Privilege::Super));
        let mut holders =
            self.grants().filter(|entry| entry.scope == Scope::Server && names(entry, Privilege::Super));
        if denied { None } else { holders.next().map(|entry| entry.id) }
    }

    /// In the sql-standard book the switched-on admin holds everything.
    fn holds_everything(&self) -> bool {
        self.world.is_sql_standard() && self.standing.administers()
    }

    fn ownership(&self) -> Judged {
        let resource = &self.requirement.resource;
        let owns = self.world.owner(resource).is_some_and(|owner| self.standing.active.contains(owner));
        let default = Resource::Database(Name::from_static("default"));
        let everybodys = self.world.is_sql_standard() && *resource == default;
        let granted = owns || everybodys || self.holds_everything();
        let denials: BTreeSet<EntryId> = self
            .denials()
            .filter(|entry| bits(entry) & Privileges::of(Privilege::Owner).bits() != 0)
            .filter(|entry| {
                scope_covers(self.world, &entry.scope, resource)
                    || scope_reached(self.world, &entry.scope, resource)
            })
            .map(|entry| entry.id)
            .collect();
        Judged { granted, denials: denials.clone(), ..self.plain(granted && denials.is_empty()) }
    }

    fn privileges(&self, wanted: Privileges, option: GrantOption) -> Judged {
        let mut judged = Judged { granted: true, ..self.plain(true) };
        for resource in self.asked_for() {
            let granted = self.granted(&resource, wanted, option, &mut judged.grants);
            let denied = self.denied(&resource, wanted, &mut judged.denials);
            if !satisfies(granted, wanted) {
                judged.granted = false;
            }
            if !satisfies(granted & !denied, wanted) {
                judged.met = false;
                judged.missing.insert(resource);
            }
        }
        judged
    }

    /// The resource, or each of the columns named. No column named is the table as a whole.
    fn asked_for(&self) -> Vec<Resource> {
        match (&self.requirement.resource, &self.requirement.columns) {
            (Resource::Table(table), Columns::Named(columns)) if !columns.is_empty() => columns
                .iter()
                .map(|column| Resource::Column(ColumnName::new(table.clone(), column.clone())))
                .collect(),
            (resource, _) => vec![resource.clone()],
        }
    }

    /// What is granted on the resource, by whichever entries.
    fn granted(
        &self,
        resource: &Resource,
        wanted: Privileges,
        option: GrantOption,
        by: &mut BTreeSet<EntryId>,
    ) -> u32 {
        let mut granted = if self.holds_everything() { u32::MAX } else { 0 };
        for entry in self.grants() {
            let around = scope_covers(self.world, &entry.scope, resource);
            let inside = self.requirement.reach == Reach::AroundOrInside
                && scope_inside(self.world, &entry.scope, &self.requirement.resource);
            let may_pass_on = option == GrantOption::Without || entry.grant_option == GrantOption::With;
            if (around || inside) && may_pass_on && bits(entry) & wanted.bits() != 0 {
                granted |= bits(entry);
                by.insert(entry.id);
            }
        }
        granted
    }

    /// What is denied on the resource, by whichever entries.
    fn denied(&self, resource: &Resource, wanted: Privileges, by: &mut BTreeSet<EntryId>) -> u32 {
        let of_columns = Privileges::from_iter(OF_COLUMNS).bits();
        let mut denied = 0;
        for entry in self.denials() {
            let mut these = 0;
            if scope_covers(self.world, &entry.scope, resource) {
                these |= bits(entry);
            }
            if self.requirement.reach == Reach::Around && self.is_on_a_column_of(entry, resource) {
                these |= bits(entry) & of_columns;
            }
            if self.requirement.reach == Reach::Around && scope_reached(self.world, &entry.scope, resource) {
                these |= bits(entry);
            }
            if these & wanted.bits() != 0 {
                denied |= these;
                by.insert(entry.id);
            }
        }
        denied
    }

    /// Does the entry stand on some column of the table?
    fn is_on_a_column_of(&self, entry: &Entry, resource: &Resource) -> bool {
        matches!(resource, Resource::Table(_)) && scope_inside(self.world, &entry.scope, resource)
    }
}

/// ALL asks for all at once, everything else for any.
fn satisfies(held: u32, wanted: Privileges) -> bool {
    if wanted.is_all() { held == u32::MAX } else { held & wanted.bits() != 0 }
}
