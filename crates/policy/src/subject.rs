//! Who asks: a user with groups and roles switched on, and every principal that this makes them.

use std::borrow::Cow;
use std::sync::Arc;

use guardbee_model::Name;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use smol_str::SmolStr;

use crate::index::cell::{Cell, PrincipalNumber};
use crate::index::node::Node;
use crate::index::principals::{Patterns, Principals};
use crate::policy::{ADMIN_NUMBER, PUBLIC_NUMBER, Stamp};
use crate::{BookName, Policy, Principal, PrincipalKind, Privileges};

/// Who asks, as a session knows it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Identity {
    pub user: SmolStr,
    pub groups: Vec<SmolStr>,
    pub roles: ActiveRoles,
}

impl Identity {
    /// A user without groups, with every role of theirs switched on.
    #[must_use]
    pub fn of_user(name: impl AsRef<str>) -> Self {
        Self { user: SmolStr::new(name), groups: Vec::new(), roles: ActiveRoles::All }
    }
}

/// Which roles are switched on.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum ActiveRoles {
    /// Every role that is the user's; in the sql-standard book all but `admin` itself.
    #[default]
    All,
    None,
    /// These, and the roles that they are in; in the sql-standard book `admin` only by its name. Names of roles that are not the user's do nothing.
    Only(Vec<Name>),
}

/// Every principal that somebody is, in one policy. Asked about another policy, or about this one after a
/// change, it is looked up anew.
#[derive(Debug, Clone)]
pub struct Subject {
    who: Who,
    pub(crate) stamp: Arc<Stamp>,
    principals: Principals,
    pub(crate) known: Known,
    administrator: bool,
    /// The entries at the server that name them.
    pub(crate) server: SmallVec<[Cell; 2]>,
    /// Their entries at names with `*`.
    pub(crate) patterns: SmallVec<[Arc<Patterns>; 2]>,
}

/// Whom a subject was made of.
#[derive(Debug, Clone)]
enum Who {
    Identity(Arc<Identity>),
    /// Somebody of whom nothing else is known.
    Principal(Principal),
}

/// The numbers of the principals that somebody is.
#[derive(Debug, Clone, Default)]
pub(crate) struct Known {
    /// In order.
    numbers: SmallVec<[Standing; 20]>,
    /// A bit for each number, many numbers to a bit: most that are not there are seen not to be at once.
    filter: [u64; 4],
}

/// A principal that somebody is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Standing(u32);

impl Standing {
    const fn new(number: PrincipalNumber, is_active: bool) -> Self {
        Self(number << 1 | is_active as u32)
    }

    pub(crate) const fn number(self) -> PrincipalNumber {
        self.0 >> 1
    }

    /// Do its grants hold? Its denials always do.
    pub(crate) const fn is_active(self) -> bool {
        self.0 & 1 != 0
    }
}

impl Known {
    fn new(all: &[PrincipalNumber], is_active: impl Fn(PrincipalNumber) -> bool) -> Self {
        let mut known = Self::default();
        known.numbers.extend(all.iter().map(|&number| Standing::new(number, is_active(number))));
        known.numbers.sort_unstable();
        for number in all {
            let (word, bit) = filter_bit(*number);
            if let Some(word) = known.filter.get_mut(word) {
                *word |= bit;
            }
        }
        known
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = Standing> + Clone {
        self.numbers.iter().copied()
    }

    #[inline]
    pub(crate) fn get(&self, number: PrincipalNumber) -> Option<Standing> {
        let (word, bit) = filter_bit(number);
        if self.filter.get(word)? & bit == 0 {
            return None;
        }
        let place = self.numbers.binary_search_by_key(&number, |standing| standing.number()).ok()?;
        self.numbers.get(place).copied()
    }

    #[inline]
    pub(crate) fn contains(&self, number: PrincipalNumber) -> bool {
        self.get(number).is_some()
    }
}

#[inline]
const fn filter_bit(number: PrincipalNumber) -> (usize, u64) {
    ((number >> 6 & 3) as usize, 1 << (number & 63))
}

impl Policy {
    /// Every principal that somebody is.
    #[must_use]
    pub fn subject(&self, identity: &Identity) -> Subject {
        self.subject_of(Arc::new(identity.clone()))
    }

    /// Somebody of whom only one principal is known: every role of theirs is switched on, and they are in
    /// `public` like everybody.
    #[must_use]
    pub fn subject_of_principal(&self, principal: &Principal) -> Subject {
        let number = self.principals.number(principal);
        let all = self.reach(number.into_iter().chain([PUBLIC_NUMBER]));
        self.subject_with(
            Who::Principal(principal.clone()),
            Known::new(&all, |number| self.starts_on(number)),
        )
    }

    fn subject_of(&self, identity: Arc<Identity>) -> Subject {
        let user = self.principals.number_of(PrincipalKind::User, &identity.user);
        let groups =
            identity.groups.iter().filter_map(|group| self.principals.number_of(PrincipalKind::Group, group));
        let person: SmallVec<[PrincipalNumber; 8]> =
            user.into_iter().chain(groups).chain([PUBLIC_NUMBER]).collect();
        let all = self.reach(person.iter().copied());
        let known = match &identity.roles {
            ActiveRoles::All => Known::new(&all, |number| self.starts_on(number)),
            ActiveRoles::None => self.known_with(&all, &person, &[]),
            ActiveRoles::Only(roles) => self.known_with(&all, &person, roles),
        };
        self.subject_with(Who::Identity(identity), known)
    }

    /// Is a role switched on from the start?
    fn starts_on(&self, number: PrincipalNumber) -> bool {
        number != ADMIN_NUMBER || self.settings.rule_book != BookName::SqlStandard
    }

    fn subject_with(&self, who: Who, known: Known) -> Subject {
        let must_switch = self.settings.rule_book == BookName::SqlStandard;
        let administrator = known.get(ADMIN_NUMBER).is_some_and(|admin| admin.is_active() || !must_switch);
        let nodes = known.iter().filter_map(|standing| self.principals.get(standing.number()));
        let patterns = nodes.filter_map(|node| node.patterns.clone()).collect();
        Subject {
            who,
            stamp: Arc::clone(&self.stamp),
            principals: self.principals.clone(),
            administrator,
            server: self.nodes.server().map_or_else(SmallVec::new, |node| server_entries(node, &known)),
            patterns,
            known,
        }
    }

    /// The principals of somebody who has switched on only some roles, and what these are in.
    fn known_with(&self, all: &[PrincipalNumber], person: &[PrincipalNumber], roles: &[Name]) -> Known {
        let roles = roles.iter().filter_map(|role| self.principals.number_of(PrincipalKind::Role, role));
        let roles = roles.filter(|role| all.contains(role));
        let active = self.reach(roles.clone().chain([PUBLIC_NUMBER]));
        // `admin` is switched on by its name only, not by a role that is in it.
        let keeps_admin = self.settings.rule_book != BookName::SqlStandard
            || roles.clone().any(|role| role == ADMIN_NUMBER);
        Known::new(all, |number| {
            person.contains(&number) || active.contains(&number) && (keeps_admin || number != ADMIN_NUMBER)
        })
    }

    /// Some principals and every role that they are in, over any number of roles.
    fn reach(&self, from: impl Iterator<Item = PrincipalNumber>) -> SmallVec<[PrincipalNumber; 32]> {
        let mut found = Found::default();
        from.for_each(|number| found.add(number));
        let mut next = 0;
        while let Some(&number) = found.numbers.get(next) {
            if let Some(node) = self.principals.get(number) {
                node.roles.iter().for_each(|&role| found.add(role));
            }
            next += 1;
        }
        found.numbers
    }
}

/// Numbers in the order in which they were found, each once.
#[derive(Default)]
struct Found {
    numbers: SmallVec<[PrincipalNumber; 32]>,
    /// The same, once they are many.
    set: FxHashSet<PrincipalNumber>,
}

impl Found {
    fn add(&mut self, number: PrincipalNumber) {
        let is_new = if self.numbers.len() < 32 {
            !self.numbers.contains(&number)
        } else {
            if self.set.is_empty() {
                self.set.extend(self.numbers.iter().copied());
            }
            self.set.insert(number)
        };
        if is_new {
            self.numbers.push(number);
        }
    }
}

/// The entries at the server that name somebody.
fn server_entries(server: &Node, known: &Known) -> SmallVec<[Cell; 2]> {
    let mut found = SmallVec::new();
    server.here.cells_of(known, Privileges::ALL, |cell, standing| {
        if standing.is_active() || cell.is_denial() {
            found.push(*cell);
        }
    });
    found
}

impl Subject {
    /// Who asks; nothing where it is not known but for one principal.
    #[must_use]
    pub fn identity(&self) -> Option<&Identity> {
        match &self.who {
            Who::Identity(identity) => Some(identity),
            Who::Principal(_) => None,
        }
    }

    /// The principals that they are without being in a role: user and groups, or the one that is known.
    pub(crate) fn persons(&self) -> Vec<Principal> {
        match &self.who {
            Who::Principal(principal) => vec![principal.clone()],
            Who::Identity(identity) => std::iter::once(Principal::User(identity.user.clone()))
                .chain(identity.groups.iter().cloned().map(Principal::Group))
                .collect(),
        }
    }

    /// The same in a policy: itself where it was looked up there.
    pub(crate) fn of(&self, policy: &Policy) -> Cow<'_, Self> {
        if Arc::ptr_eq(&policy.stamp, &self.stamp) {
            Cow::Borrowed(self)
        } else {
            Cow::Owned(self.again(policy))
        }
    }

    #[cold]
    fn again(&self, policy: &Policy) -> Self {
        match &self.who {
            Who::Identity(identity) => policy.subject_of(Arc::clone(identity)),
            Who::Principal(principal) => policy.subject_of_principal(principal),
        }
    }

    /// May they administer: are they in the role `admin`, and is it switched on where it must be?
    #[must_use]
    pub fn is_administrator(&self) -> bool {
        self.administrator
    }

    /// Are they this principal, with the roles that are switched on?
    #[must_use]
    pub fn is(&self, principal: &Principal) -> bool {
        let number = self.principals.number(principal);
        number.and_then(|number| self.known.get(number)).is_some_and(Standing::is_active)
    }

    /// Are they this principal, with every role that is theirs? So it is with denials and exceptions: to switch a
    /// role off lifts no restriction.
    #[must_use]
    pub fn belongs_to(&self, principal: &Principal) -> bool {
        self.principals.number(principal).is_some_and(|number| self.known.contains(number))
    }

    /// The roles that are switched on, and those that these are in, by name.
    pub fn active_roles(&self) -> impl Iterator<Item = &Name> {
        self.sorted_roles(Standing::is_active).into_iter()
    }

    /// Every role that is theirs, switched on or not, by name.
    pub fn roles(&self) -> impl Iterator<Item = &Name> {
        self.sorted_roles(|_| true).into_iter()
    }

    fn sorted_roles(&self, wanted: impl Fn(Standing) -> bool) -> Vec<&Name> {
        let standings = self.known.iter().filter(|standing| wanted(*standing));
        let mut names: Vec<&Name> = standings
            .filter_map(|standing| match &self.principals.get(standing.number())?.principal {
                Principal::Role(name) => Some(name),
                Principal::User(_) | Principal::Group(_) => None,
            })
            .collect();
        names.sort();
        names
    }
}
