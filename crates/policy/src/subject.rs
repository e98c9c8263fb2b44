//! Who asks: a user with groups and roles switched on, and every principal that this makes them.

use std::collections::BTreeSet;

use guardbee_model::Name;
use smol_str::SmolStr;

use crate::policy::ADMIN;
use crate::{BookName, Policy, Principal};

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
    /// Every role that is the user's; in the sql-standard book all but `admin`.
    #[default]
    All,
    None,
    /// These, and the roles that they are in. Names of roles that are not the user's do nothing.
    Only(Vec<Name>),
}

/// Every principal that somebody is, in one policy.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The user, the groups, `public`, and the roles that are switched on: their grants hold.
    pub(crate) granted: BTreeSet<Principal>,
    /// With the roles that are not switched on: their denials hold all the same.
    pub(crate) all: BTreeSet<Principal>,
    administrator: bool,
}

impl Policy {
    /// Every principal that somebody is.
    #[must_use]
    pub fn subject(&self, identity: &Identity) -> Subject {
        let person: Vec<Principal> = std::iter::once(Principal::User(identity.user.clone()))
            .chain(identity.groups.iter().cloned().map(Principal::Group))
            .chain([Principal::public()])
            .collect();
        let all = self.reached(person.iter().cloned(), None);
        let must_switch = self.settings().rule_book == BookName::SqlStandard;
        let granted = match &identity.roles {
            ActiveRoles::All if must_switch => self.reached(person, Some(&Principal::Role(ADMIN))),
            ActiveRoles::All => all.clone(),
            ActiveRoles::None => self.reached_of_public(person, &[], &all),
            ActiveRoles::Only(roles) => self.reached_of_public(person, roles, &all),
        };
        let administrator = if must_switch { &granted } else { &all }.contains(&Principal::Role(ADMIN));
        Subject { granted, all, administrator }
    }

    fn reached_of_public(
        &self,
        person: Vec<Principal>,
        roles: &[Name],
        all: &BTreeSet<Principal>,
    ) -> BTreeSet<Principal> {
        let roles = roles.iter().cloned().map(Principal::Role).filter(|role| all.contains(role));
        let mut granted = self.reached(roles.chain([Principal::public()]), None);
        granted.extend(person);
        granted
    }

    fn reached(
        &self,
        from: impl IntoIterator<Item = Principal>,
        without: Option<&Principal>,
    ) -> BTreeSet<Principal> {
        let mut found = BTreeSet::new();
        let mut open: Vec<Principal> = from.into_iter().collect();
        while let Some(principal) = open.pop() {
            if Some(&principal) == without || !found.insert(principal.clone()) {
                continue;
            }
            open.extend(
                self.memberships_of(&principal).map(|membership| Principal::Role(membership.role.clone())),
            );
        }
        found
    }
}

impl Subject {
    /// May they administer: are they in the role `admin`, and is it switched on where it must be?
    #[must_use]
    pub fn is_administrator(&self) -> bool {
        self.administrator
    }

    /// Are they this principal, with the roles that are switched on?
    #[must_use]
    pub fn is(&self, principal: &Principal) -> bool {
        self.granted.contains(principal)
    }

    /// The roles that are switched on, and those that these are in, by name.
    pub fn active_roles(&self) -> impl Iterator<Item = &Name> {
        roles(&self.granted)
    }

    /// Every role that is theirs, switched on or not, by name.
    pub fn roles(&self) -> impl Iterator<Item = &Name> {
        roles(&self.all)
    }
}

fn roles(principals: &BTreeSet<Principal>) -> impl Iterator<Item = &Name> {
    principals.iter().filter_map(|principal| match principal {
        Principal::Role(name) => Some(name),
        Principal::User(_) | Principal::Group(_) => None,
    })
}
