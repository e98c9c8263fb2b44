//! Who holds rights: users, groups, roles.

use std::fmt;

use guardbee_model::Name;
use smol_str::SmolStr;

/// A user, group or role. Users and groups keep their case, roles do not
/// (`spec/policy-decisions.md`, "names").
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Principal {
    User(SmolStr),
    Group(SmolStr),
    Role(Name),
}

impl Principal {
    #[must_use]
    pub fn user(name: impl AsRef<str>) -> Self {
        Self::User(SmolStr::new(name))
    }

    #[must_use]
    pub fn group(name: impl AsRef<str>) -> Self {
        Self::Group(SmolStr::new(name))
    }

    #[must_use]
    pub fn role(name: impl AsRef<str>) -> Self {
        Self::Role(Name::fold(name.as_ref()))
    }

    /// The role that everybody is in.
    #[must_use]
    pub const fn public() -> Self {
        Self::Role(Name::from_static("public"))
    }

    #[must_use]
    pub const fn kind(&self) -> PrincipalKind {
        match self {
            Self::User(_) => PrincipalKind::User,
            Self::Group(_) => PrincipalKind::Group,
            Self::Role(_) => PrincipalKind::Role,
        }
    }

    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::User(name) | Self::Group(name) => name,
            Self::Role(name) => name,
        }
    }
}

/// `user ana`, `group analysts`, `role reader`.
impl fmt::Display for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind().as_str().to_ascii_lowercase(), self.name())
    }
}

/// What a principal is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PrincipalKind {
    User,
    Group,
    Role,
}

impl PrincipalKind {
    /// As Hive's and Sentry's tables print it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "USER",
            Self::Group => "GROUP",
            Self::Role => "ROLE",
        }
    }
}
