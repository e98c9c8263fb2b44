//! What a policy is made of: entries, roles and their members, tags, data policies, owners.

use std::fmt;
use std::sync::Arc;

use guardbee_model::{Name, Timestamp};
use smol_str::SmolStr;

use crate::{Principal, Privileges, Resource, Scope};

/// Names an entry for ever; never used again after the entry is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntryId(pub u64);

impl fmt::Display for EntryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "entry {}", self.0)
    }
}

/// One grant or denial.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub id: EntryId,
    pub effect: Effect,
    pub principal: Principal,
    /// Principals that the entry does not hold for, though they are in `principal`.
    pub except: Arc<[Principal]>,
    pub privileges: Privileges,
    pub scope: Scope,
    /// May the holder pass the privileges on? Of grants only.
    pub grant_option: GrantOption,
    /// Who made the entry; absent where the source does not say.
    pub grantor: Option<Principal>,
    pub created_at: Timestamp,
    pub validity: Validity,
    pub purpose: Option<Arc<str>>,
}

impl Entry {
    /// The privileges that it gives or takes: OWNER is as good as all. That does not go for the OWNER that is
    /// left of ALL after something was taken from it.
    #[must_use]
    pub const fn effective(&self) -> Privileges {
        if self.privileges.counts_as_all() { Privileges::ALL } else { self.privileges }
    }
}

/// Does an entry allow or refuse?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Effect {
    Grant,
    Deny,
}

/// May a right or role be passed on?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum GrantOption {
    #[default]
    Without,
    With,
}

impl GrantOption {
    #[must_use]
    pub const fn is_with(self) -> bool {
        matches!(self, Self::With)
    }
}

/// When an entry holds: from `from` on, up to but not including `until`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Validity {
    pub from: Option<Timestamp>,
    pub until: Option<Timestamp>,
}

impl Validity {
    pub const ALWAYS: Self = Self { from: None, until: None };

    #[must_use]
    pub fn holds_at(self, now: Timestamp) -> bool {
        self.from.is_none_or(|from| from <= now) && self.until.is_none_or(|until| now < until)
    }

    #[must_use]
    pub const fn is_always(self) -> bool {
        self.from.is_none() && self.until.is_none()
    }
}

/// A role. `public` and `admin` are always there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Role {
    pub name: Name,
    pub created_by: Option<SmolStr>,
    pub created_at: Timestamp,
}

/// A principal's place in a role. A role has a member once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Membership {
    pub role: Name,
    pub member: Principal,
    /// May the member give the role on?
    pub admin_option: GrantOption,
    pub grantor: Option<Principal>,
    pub created_at: Timestamp,
}

/// A rule that leaves out rows or changes what a column shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataPolicy {
    pub name: Name,
    pub rule: DataRule,
    /// A table, a column, or a tag.
    pub scope: Scope,
    /// HiveQL over the columns of the table; on a tag, `value` is the column that carries it.
    pub expression: Arc<str>,
    /// Whom it holds for; empty: everybody.
    pub principals: Arc<[Principal]>,
    pub except: Arc<[Principal]>,
    pub state: PolicyState,
    pub created_by: Option<SmolStr>,
    pub created_at: Timestamp,
}

/// What a data policy does. Names are unique in each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DataRule {
    RowFilter,
    ColumnMask,
}

/// Does a data policy hold?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PolicyState {
    #[default]
    Enabled,
    Disabled,
}

/// A tag that datasets may carry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    pub name: Name,
    /// The values it may have; none listed: any.
    pub allowed_values: Arc<[SmolStr]>,
    pub comment: Option<Arc<str>>,
    pub created_by: Option<SmolStr>,
    pub created_at: Timestamp,
}

/// A tag on a resource. A resource carries a tag once.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TagAssignment {
    pub tag: Name,
    pub value: Option<SmolStr>,
    pub resource: Resource,
}

/// Who owns a database or table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ownership {
    pub resource: Resource,
    pub owner: Principal,
}
