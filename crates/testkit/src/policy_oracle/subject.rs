//! Who asks, and what that makes him.

use guardbee_model::Name;
use guardbee_policy::{Entry, Principal, Timestamp};
use smol_str::SmolStr;

use super::World;

/// A user in a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asker {
    pub user: SmolStr,
    pub groups: Vec<SmolStr>,
    pub active: Active,
}

impl Asker {
    fn names_admin(&self) -> bool {
        match &self.active {
            Active::Only(names) => names.iter().any(|name| name.as_str() == "admin"),
            Active::All | Active::None => false,
        }
    }
}

/// The roles that are switched on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Active {
    /// In the sql-standard book all but `admin`.
    All,
    None,
    Only(Vec<Name>),
}

/// Everything that the asker is.
#[derive(Debug, Clone)]
pub struct Standing {
    administers: bool,
    /// By what is switched on: rights come from these.
    pub active: Vec<Principal>,
    /// By all roles: restrictions come from these, and exceptions look at these.
    pub all: Vec<Principal>,
}

impl Standing {
    #[must_use]
    pub fn of(world: &World, asker: &Asker) -> Self {
        let mut own = vec![Principal::User(asker.user.clone())];
        own.extend(asker.groups.iter().cloned().map(Principal::Group));

        let mut start = own.clone();
        start.push(Principal::public());
        let all = with_roles_reached(world, start.clone());

        let admin = Principal::role("admin");
        let mut active = match &asker.active {
            Active::All => all.clone(),
            Active::None => with_own(own, with_roles_reached(world, vec![Principal::public()])),
            Active::Only(names) => {
                let mut switched_on = vec![Principal::public()];
                for name in names {
                    let role = Principal::Role(name.clone());
                    if all.contains(&role) {
                        switched_on.push(role);
                    }
                }
                with_own(own, with_roles_reached(world, switched_on))
            }
        };
        if world.is_sql_standard() && !asker.names_admin() {
            active.retain(|held| *held != admin);
        }
        let administers = if world.is_sql_standard() { &active } else { &all }.contains(&admin);
        Self { administers, active, all }
    }

    /// Of somebody of whom one principal is known: all roles are on that are on by themselves, and they are
    /// in `public`.
    #[must_use]
    pub fn of_principal(world: &World, principal: &Principal) -> Self {
        let all = with_roles_reached(world, vec![principal.clone(), Principal::public()]);
        let mut active = all.clone();
        active.retain(|held| !world.is_sql_standard() || *held != Principal::role("admin"));
        Self { administers: active.contains(&Principal::role("admin")), active, all }
    }

    /// Is the role `admin` held? In the sql-standard book it has to be switched on as well.
    #[must_use]
    pub const fn administers(&self) -> bool {
        self.administers
    }

    /// Does the grant hold for the asker at the moment?
    #[must_use]
    pub fn has_grant(&self, entry: &Entry, now: Timestamp) -> bool {
        self.active.contains(&entry.principal) && !self.is_any_of(&entry.except) && is_valid(entry, now)
    }

    /// Does the denial hold for the asker at the moment?
    #[must_use]
    pub fn has_denial(&self, entry: &Entry, now: Timestamp) -> bool {
        self.is_any_of(std::slice::from_ref(&entry.principal))
            && !self.is_any_of(&entry.except)
            && is_valid(entry, now)
    }

    #[must_use]
    pub fn is_any_of(&self, principals: &[Principal]) -> bool {
        principals.iter().any(|principal| self.all.contains(principal))
    }
}

fn with_own(mut own: Vec<Principal>, roles: Vec<Principal>) -> Vec<Principal> {
    own.extend(roles);
    own
}

/// The principals, the roles that they are members of, the roles that those are members of, and so on.
fn with_roles_reached(world: &World, mut reached: Vec<Principal>) -> Vec<Principal> {
    loop {
        let before = reached.len();
        for membership in &world.memberships {
            let role = Principal::Role(membership.role.clone());
            if reached.contains(&membership.member) && !reached.contains(&role) {
                reached.push(role);
            }
        }
        if reached.len() == before {
            return reached;
        }
    }
}

fn is_valid(entry: &Entry, now: Timestamp) -> bool {
    let begun = match entry.validity.from {
        Some(from) => from.0 <= now.0,
        None => true,
    };
    let over = match entry.validity.until {
        Some(until) => until.0 <= now.0,
        None => false,
    };
    begun && !over
}
