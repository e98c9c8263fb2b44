//! What an answer rests on, and what would change it: the shapes that checks and questions of policy share.

use std::fmt;

use guardbee_engine::entry_statements;
use guardbee_engine::explain::{Explained, Held, Remedy};
use guardbee_policy::decision::{Basis as PolicyBasis, Obligation};
use guardbee_policy::request::Columns;
use guardbee_policy::requirement::{Reach, Requirement, Right};
use guardbee_policy::{Effect, Entry, Policy, Principal, Resource, Scope};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{is_false, is_zero};

/// What decided one right.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reason {
    /// `SELECT`, `INSERT|ALTER`, `ALL with grant`, `OWNERSHIP`, `ADMIN`, or why nobody may.
    pub right: String,
    /// What sort of right it is.
    pub kind: RightKind,
    /// `server`, a name, or an address.
    pub object: String,
    /// The columns it is needed for; empty where the object as a whole matters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
    /// All of it in words, such as `SELECT on hr.emp (name, ssn)`.
    pub needed: String,
    pub held: bool,
    pub basis: Basis,
    /// The objects or columns that it is missing for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// The entries that decided.
    pub entries: Vec<HeldEntry>,
    /// Grants held on the same table or database that do not reach what is missing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nearby: Vec<HeldEntry>,
    /// The same by the way in which they are held, in as few statements as make them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nearby_ways: Vec<Way>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum RightKind {
    Privilege,
    Ownership,
    Administration,
    Nobody,
}

impl From<&Right> for RightKind {
    fn from(right: &Right) -> Self {
        match right {
            Right::AnyOf { .. } => Self::Privilege,
            Right::Ownership => Self::Ownership,
            Right::Administration => Self::Administration,
            Right::Nobody(_) => Self::Nobody,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Basis {
    Granted,
    Owner,
    Administrator,
    Super,
    Provider,
    Denied,
    NotGranted,
    Forbidden,
}

impl From<&PolicyBasis> for Basis {
    fn from(basis: &PolicyBasis) -> Self {
        match basis {
            PolicyBasis::Granted => Self::Granted,
            PolicyBasis::Owner => Self::Owner,
            PolicyBasis::Administrator => Self::Administrator,
            PolicyBasis::Super => Self::Super,
            PolicyBasis::Provider(_) => Self::Provider,
            PolicyBasis::Denied => Self::Denied,
            PolicyBasis::NotGranted => Self::NotGranted,
            PolicyBasis::Forbidden => Self::Forbidden,
        }
    }
}

/// An entry, and how the user comes to hold it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HeldEntry {
    pub entry: u64,
    pub effect: EntryEffect,
    /// The statement that makes it; absent where none does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sql: Option<String>,
    /// From the user to the principal of the entry: each is in the next.
    pub path: Vec<PrincipalName>,
    /// The tag that the entry stands on, as SQL writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
    /// What carries the tag that the entry stands on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carrier: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum EntryEffect {
    Grant,
    Deny,
}

/// Entries that are held in the same way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Way {
    /// From the user to the principal of the entries: each is in the next.
    pub path: Vec<PrincipalName>,
    pub entries: Vec<u64>,
    /// The statements that make them all.
    pub sql: Vec<String>,
}

/// A user, group or role.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PrincipalName {
    #[serde(rename = "type")]
    pub principal_type: PrincipalType,
    pub name: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum PrincipalType {
    User,
    Group,
    Role,
}

/// Something that has to be done to what is read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DataObligation {
    pub kind: ObligationKind,
    pub table: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// The condition of a filter, or what takes the place of a column.
    pub expression: String,
    /// The name of the row filter or column mask.
    pub policy: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum ObligationKind {
    RowFilter,
    ColumnMask,
}

/// What would have to change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Advice {
    /// Every role that is held would only have to be switched on.
    #[serde(default, skip_serializing_if = "is_false")]
    pub switch_roles_on: bool,
    /// The least that would have to be granted, as statements.
    pub grants: Vec<String>,
    /// How many grants would be needed beside these that no statement makes.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub grants_without_statement: u64,
    /// Denials that would refuse it all the same.
    pub denials: Vec<HeldEntry>,
}

impl Advice {
    #[must_use]
    pub fn of(policy: &Policy, remedy: &Remedy) -> Self {
        match remedy {
            Remedy::SwitchRolesOn => Self {
                switch_roles_on: true,
                grants: Vec::new(),
                grants_without_statement: 0,
                denials: Vec::new(),
            },
            Remedy::Change { grants, denials } => Self {
                switch_roles_on: false,
                grants: entry_statements(policy, grants),
                grants_without_statement: grants
                    .iter()
                    .filter(|grant| statement(policy, grant).is_none())
                    .count() as u64,
                denials: denials.iter().map(|held| HeldEntry::of(policy, held)).collect(),
            },
        }
    }

    /// Would a grant help?
    #[must_use]
    pub const fn has_grants(&self) -> bool {
        !self.grants.is_empty() || self.grants_without_statement > 0
    }
}

impl Reason {
    #[must_use]
    pub fn of(policy: &Policy, reason: &Explained) -> Self {
        let entries = |held: &[Held]| held.iter().map(|held| HeldEntry::of(policy, held)).collect();
        let requirement = &reason.requirement;
        Self {
            right: requirement.right.to_string(),
            kind: RightKind::from(&requirement.right),
            object: requirement.resource.to_string(),
            columns: match &requirement.columns {
                Columns::Whole => Vec::new(),
                Columns::Named(names) => names.iter().map(ToString::to_string).collect(),
            },
            needed: needed(policy, requirement),
            held: reason.missing.is_empty(),
            basis: Basis::from(&reason.basis),
            missing: reason.missing.iter().map(|missing| missing.resource.to_string()).collect(),
            entries: entries(&reason.entries),
            nearby: entries(&reason.nearby),
            nearby_ways: ways(policy, &reason.nearby),
        }
    }
}

/// `SELECT on hr.emp (name, ssn)`.
fn needed(policy: &Policy, requirement: &Requirement) -> String {
    if let Right::Nobody(reason) = &requirement.right {
        return reason.to_string();
    }
    let mut out = match &requirement.resource {
        Resource::Server => format!("{} on SERVER {}", requirement.right, policy.settings().server),
        resource => format!("{} on {resource}", requirement.right),
    };
    if let Columns::Named(columns) = &requirement.columns {
        let names: Vec<&str> = columns.iter().map(|name| name.as_str()).collect();
        out.push_str(&format!(" ({})", names.join(", ")));
    }
    if requirement.reach == Reach::AroundOrInside {
        out.push_str(" or anything in it");
    }
    out
}

/// The entries of one way together, in their order.
fn ways(policy: &Policy, held: &[Held]) -> Vec<Way> {
    let mut groups: Vec<(&[Principal], Vec<Entry>)> = Vec::new();
    for held in held {
        match groups.iter_mut().find(|(path, _)| *path == held.path) {
            Some((_, entries)) => entries.push(held.entry.clone()),
            None => groups.push((&held.path, vec![held.entry.clone()])),
        }
    }
    let way = |(path, entries): &(&[Principal], Vec<Entry>)| Way {
        path: path.iter().map(PrincipalName::from).collect(),
        entries: entries.iter().map(|entry| entry.id.0).collect(),
        sql: entry_statements(policy, entries),
    };
    groups.iter().map(way).collect()
}

fn statement(policy: &Policy, entry: &Entry) -> Option<String> {
    entry_statements(policy, std::slice::from_ref(entry)).pop()
}

impl HeldEntry {
    #[must_use]
    pub fn of(policy: &Policy, held: &Held) -> Self {
        Self {
            entry: held.entry.id.0,
            effect: match held.entry.effect {
                Effect::Grant => EntryEffect::Grant,
                Effect::Deny => EntryEffect::Deny,
            },
            sql: statement(policy, &held.entry),
            path: held.path.iter().map(PrincipalName::from).collect(),
            tag: matches!(held.entry.scope, Scope::Tag { .. }).then(|| held.entry.scope.to_string()),
            carrier: held.carrier.as_ref().map(Resource::to_string),
        }
    }
}

impl PrincipalName {
    /// Is it the role that everybody is in?
    #[must_use]
    pub fn is_public(&self) -> bool {
        self.principal_type == PrincipalType::Role && self.name == Principal::public().name()
    }
}

impl From<&Principal> for PrincipalName {
    fn from(principal: &Principal) -> Self {
        let principal_type = match principal {
            Principal::User(_) => PrincipalType::User,
            Principal::Group(_) => PrincipalType::Group,
            Principal::Role(_) => PrincipalType::Role,
        };
        Self { principal_type, name: principal.name().to_owned() }
    }
}

/// `group analysts`.
impl fmt::Display for PrincipalName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.principal_type {
            PrincipalType::User => "user",
            PrincipalType::Group => "group",
            PrincipalType::Role => "role",
        };
        write!(f, "{word} {}", self.name)
    }
}

impl From<&Obligation> for DataObligation {
    fn from(obligation: &Obligation) -> Self {
        match obligation {
            Obligation::Filter { table, policy, condition } => Self {
                kind: ObligationKind::RowFilter,
                table: table.to_string(),
                column: None,
                expression: condition.to_string(),
                policy: policy.to_string(),
            },
            Obligation::Mask { table, column, policy, expression } => Self {
                kind: ObligationKind::ColumnMask,
                table: table.to_string(),
                column: Some(column.to_string()),
                expression: expression.to_string(),
                policy: policy.to_string(),
            },
        }
    }
}
