//! The rights that a statement needs, as a rule book says.

use std::fmt;
use std::sync::Arc;

use crate::request::Columns;
use crate::{GrantOption, Privileges, Resource};

/// One right that is needed. A statement may run if every one of its requirements is met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirement {
    pub right: Right,
    pub resource: Resource,
    /// Of a table: the columns it is needed for.
    pub columns: Columns,
    pub reach: Reach,
    pub side: Side,
}

/// What has to be held.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Right {
    /// Any one of these privileges; [`Privileges::ALL`] asks for all of them at once.
    AnyOf {
        privileges: Privileges,
        grant_option: GrantOption,
    },
    Ownership,
    /// The right to administer: the role `admin`, switched on.
    Administration,
    /// Nobody may: a function or command that the rule book forbids. The reason is for a person.
    Nobody(Arc<str>),
}

/// As a list of missing rights writes it: `SELECT`, `SELECT|INSERT`, `SELECT with grant`, `OWNERSHIP`.
impl fmt::Display for Right {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AnyOf { privileges, grant_option } => {
                if privileges.is_all() {
                    f.write_str("ALL")?;
                } else {
                    for (place, privilege) in privileges.iter().enumerate() {
                        f.write_str(if place > 0 { "|" } else { "" })?;
                        f.write_str(privilege.as_str())?;
                    }
                }
                f.write_str(if grant_option.is_with() { " with grant" } else { "" })
            }
            Self::Ownership => f.write_str("OWNERSHIP"),
            Self::Administration => f.write_str("ADMIN"),
            Self::Nobody(reason) => f.write_str(reason),
        }
    }
}

/// Where an entry may stand that meets a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Reach {
    /// At the resource or around it.
    #[default]
    Around,
    /// Also at anything inside it: a right on one table lets one USE its database.
    AroundOrInside,
}

/// Is the resource an input or an output of the statement? Messages of Hive and Sentry say so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    Input,
    Output,
}
