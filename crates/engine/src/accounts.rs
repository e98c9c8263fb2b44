//! The port to whatever keeps who may call the service: people with passwords, and tokens for programs.
//!
//! What an account may do here is a permission of the service. It is not a role: those are SQL's, and say what may be
//! done in the warehouse.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use guardbee_model::Timestamp;
use smol_str::SmolStr;

use crate::store::StoreError;

/// Keeps accounts and tokens. Every implementation passes the same conformance suite. No secret is kept: of a
/// password a slow hash, of a token a digest.
#[async_trait]
pub trait AccountStore: Send + Sync {
    /// Keeps an account, in the place of one of that name; only as the very first where [`Placing::First`] asks so.
    /// Says whether it is kept.
    async fn put_account(&self, account: &Account, placing: Placing) -> Result<bool, StoreError>;

    async fn account(&self, name: &str) -> Result<Option<Account>, StoreError>;

    /// All accounts, by name.
    async fn accounts(&self) -> Result<Vec<Account>, StoreError>;

    /// Removes an account and its tokens. Says whether it was there.
    async fn remove_account(&self, name: &str) -> Result<bool, StoreError>;

    /// Keeps a token; its id.
    async fn add_token(&self, token: &NewToken) -> Result<TokenId, StoreError>;

    /// All tokens, by id.
    async fn tokens(&self) -> Result<Vec<Token>, StoreError>;

    /// Removes a token. Says whether it was there.
    async fn remove_token(&self, id: TokenId) -> Result<bool, StoreError>;

    /// Counts the changes to accounts and tokens: what was read at a count holds as long as it stays.
    async fn account_changes(&self) -> Result<u64, StoreError>;

    /// Returns as soon as there are more changes than `after`, made by this process or another, with their count.
    /// Dropping the future is safe.
    async fn wait_account_changes(&self, after: u64) -> Result<u64, StoreError>;
}

/// When an account is to be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placing {
    /// Only where there is no account at all.
    First,
    New,
    Replacing,
}

/// Somebody or something that may log in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// The user that it is in the warehouse.
    pub name: SmolStr,
    pub permissions: Permissions,
    /// As argon2 writes it; none where nobody can log in by password.
    pub password: Option<Arc<str>>,
    /// Nothing may be done before the password was changed.
    pub must_change_password: bool,
    pub created_at: Timestamp,
}

/// Names a token; counts up from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TokenId(pub u64);

/// A token to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewToken {
    /// SHA-256 of the secret.
    pub digest: [u8; 32],
    /// The account that it speaks for.
    pub account: SmolStr,
    /// What it is for, in the words of who made it.
    pub label: SmolStr,
    /// At most those of the account; what the account loses the token loses.
    pub permissions: Permissions,
    pub created_at: Timestamp,
    pub expires_at: Option<Timestamp>,
}

/// A token as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    pub id: TokenId,
    pub token: NewToken,
}

/// What may be asked of the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Permission {
    /// Everything, accounts included.
    Admin,
    /// Changing the policy.
    PolicyEditor,
    /// Putting tags on data.
    Steward,
    /// Reading everything: lineage, policy and audit log.
    Auditor,
    /// Checking for others and recording what they ran.
    PlugIn,
    /// Checking for oneself, and seeing what one may see.
    User,
}

impl Permission {
    pub const ALL: [Self; 6] =
        [Self::Admin, Self::PolicyEditor, Self::Steward, Self::Auditor, Self::PlugIn, Self::User];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::PolicyEditor => "policy-editor",
            Self::Steward => "steward",
            Self::Auditor => "auditor",
            Self::PlugIn => "plug-in",
            Self::User => "user",
        }
    }

    /// The permission of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|permission| permission.as_str() == name)
    }
}

impl fmt::Display for Permission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Some of the permissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Permissions(u8);

impl Permissions {
    pub const NONE: Self = Self(0);

    #[must_use]
    pub const fn of(permission: Permission) -> Self {
        Self(1 << permission as u8)
    }

    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// All of them.
    #[must_use]
    pub fn of_all() -> Self {
        Permission::ALL.into_iter().collect()
    }

    /// Those that both have.
    #[must_use]
    pub const fn in_common(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    #[must_use]
    pub const fn has(self, permission: Permission) -> bool {
        self.0 & Self::of(permission).0 != 0
    }

    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn iter(self) -> impl Iterator<Item = Permission> {
        Permission::ALL.into_iter().filter(move |permission| self.has(*permission))
    }

    /// As a number that stays the same from version to version.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Those of a number; none where it is not of this version.
    #[must_use]
    pub fn from_bits(bits: u8) -> Option<Self> {
        let known = Permission::ALL.into_iter().map(Self::of).fold(Self::NONE, Self::and);
        (bits & !known.0 == 0).then_some(Self(bits))
    }
}

impl FromIterator<Permission> for Permissions {
    fn from_iter<I: IntoIterator<Item = Permission>>(permissions: I) -> Self {
        permissions.into_iter().map(Self::of).fold(Self::NONE, Self::and)
    }
}
