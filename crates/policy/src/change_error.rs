//! Why a change is refused.

use std::fmt;

use guardbee_model::Name;
use smol_str::SmolStr;

use crate::{BookName, EntryId, Scope};

/// A change that a policy cannot take. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangeError {
    UnknownRole(Name),
    /// A name that SET ROLE gives another meaning, or that the rule book keeps for itself.
    ReservedRoleName {
        name: Name,
        book: BookName,
    },
    /// `public` and `admin` stay.
    BuiltInRole(Name),
    /// Everybody is in `public`, for ever.
    PublicMembers,
    /// The role would be a member of itself: `role` belongs to `member` already.
    Cycle {
        role: Name,
        member: Name,
    },
    /// Entries, memberships, data policies or owners name the role still.
    RoleInUse(Name),
    EmptyName,
    EmptyPrivileges(EntryId),
    GrantOptionOnDenial(EntryId),
    /// The entries at one table name more columns than there is room for.
    TooManyColumns(EntryId),
    UnknownTag(Name),
    TagValueNotAllowed {
        tag: Name,
        value: SmolStr,
    },
    /// Assignments, entries or data policies hang on the tag still.
    TagInUse(Name),
    /// A row filter stands on a table or tag, a column mask on a column, table or tag.
    DataPolicyScope {
        policy: Name,
        scope: Scope,
    },
    UnknownSetting(SmolStr),
    SettingValue {
        key: SmolStr,
        value: SmolStr,
        allowed: &'static str,
    },
}

impl ChangeError {
    /// The stable name of the kind of error.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::UnknownRole(_) => "unknown-role",
            Self::ReservedRoleName { .. } => "reserved-role-name",
            Self::BuiltInRole(_) => "built-in-role",
            Self::PublicMembers => "public-members",
            Self::Cycle { .. } => "role-cycle",
            Self::RoleInUse(_) => "role-in-use",
            Self::EmptyName => "empty-name",
            Self::EmptyPrivileges(_) => "empty-privileges",
            Self::GrantOptionOnDenial(_) => "grant-option-on-denial",
            Self::TooManyColumns(_) => "too-many-columns",
            Self::UnknownTag(_) => "unknown-tag",
            Self::TagValueNotAllowed { .. } => "tag-value-not-allowed",
            Self::TagInUse(_) => "tag-in-use",
            Self::DataPolicyScope { .. } => "data-policy-scope",
            Self::UnknownSetting(_) => "unknown-setting",
            Self::SettingValue { .. } => "setting-value",
        }
    }
}

impl fmt::Display for ChangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownRole(role) => write!(f, "there is no role `{role}`"),
            Self::ReservedRoleName { name, book } => {
                write!(f, "the name `{name}` is reserved in the rule book {}", book.as_str())
            }
            Self::BuiltInRole(role) => write!(f, "the role `{role}` is built in and cannot be dropped"),
            Self::PublicMembers => {
                f.write_str("everybody is in the role `public`: it can be neither granted nor revoked")
            }
            Self::Cycle { role, member } => write!(
                f,
                "cannot grant role {member} to {role} as {role} already belongs to the role {member} \
                 (no cycles allowed)"
            ),
            Self::RoleInUse(role) => {
                write!(f, "the role `{role}` is named by entries, memberships, data policies or owners still")
            }
            Self::EmptyName => f.write_str("a name is empty"),
            Self::EmptyPrivileges(entry) => write!(f, "{entry} names no privilege"),
            Self::GrantOptionOnDenial(entry) => write!(f, "{entry} is a denial and has a grant option"),
            Self::TooManyColumns(entry) => write!(f, "{entry} names one more column than a table can have"),
            Self::UnknownTag(tag) => write!(f, "there is no tag `{tag}`"),
            Self::TagValueNotAllowed { tag, value } => {
                write!(f, "the tag `{tag}` does not allow the value `{value}`")
            }
            Self::TagInUse(tag) => {
                write!(f, "the tag `{tag}` is on objects, or entries or data policies name it still")
            }
            Self::DataPolicyScope { policy, scope } => {
                write!(f, "the data policy `{policy}` cannot stand on `{scope}`")
            }
            Self::UnknownSetting(key) => write!(f, "there is no setting `{key}`"),
            Self::SettingValue { key, value, allowed } => {
                write!(f, "the setting `{key}` cannot be `{value}`: expected {allowed}")
            }
        }
    }
}

impl std::error::Error for ChangeError {}
