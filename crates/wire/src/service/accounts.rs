//! Who may call the service.

use guardbee_engine::accounts::{Account, Permissions, Token};
use guardbee_lineage::utc;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::is_false;

/// Signing in with a password.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SignInRequest {
    pub user: String,
    pub password: String,
}

/// Who is signed in.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct SessionAnswer {
    pub user: String,
    pub permissions: Vec<String>,
    /// Nothing may be done before the one-time password was changed.
    #[serde(default, skip_serializing_if = "is_false")]
    pub must_change_password: bool,
    /// What a page sends as `X-CSRF-Token` with calls that change something; of sessions of browsers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub csrf_token: Option<String>,
}

/// Changing one's own password.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordRequest {
    pub old: String,
    pub new: String,
}

/// An account to be made, or changed.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AccountRequest {
    /// The user that it is in the warehouse.
    pub name: String,
    #[schemars(extend("items" = { "type": "string", "enum": PERMISSIONS }))]
    pub permissions: Vec<String>,
    /// Has to be changed by whoever signs in first with it. Absent: no password is given, or the one that is there stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<String>,
    /// Change the account that is there; otherwise one of that name must not be.
    #[serde(default, skip_serializing_if = "is_false")]
    pub replace: bool,
}

/// The names of permissions.
pub const PERMISSIONS: [&str; 6] = ["admin", "policy-editor", "steward", "auditor", "plug-in", "user"];

/// All accounts.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct AccountsAnswer {
    pub accounts: Vec<AccountLine>,
}

/// An account, without its password.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct AccountLine {
    pub name: String,
    pub permissions: Vec<String>,
    pub has_password: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    pub must_change_password: bool,
    pub created_at: String,
}

/// A token to be made.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TokenRequest {
    /// The account that it speaks for; absent: the own one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
    /// What it is for.
    pub label: String,
    /// At most those of the account; absent: all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("items" = { "type": "string", "enum": PERMISSIONS }))]
    pub permissions: Option<Vec<String>>,
    /// Seconds for which it lasts; absent: until it is removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 315_360_000))]
    pub lasts_seconds: Option<u32>,
}

/// A token that was made. Its secret is told this once.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
pub struct TokenAnswer {
    pub token: TokenLine,
    pub secret: String,
}

/// All tokens, or one's own.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct TokensAnswer {
    pub tokens: Vec<TokenLine>,
}

/// A token, without its secret.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct TokenLine {
    pub id: u64,
    pub account: String,
    pub label: String,
    pub permissions: Vec<String>,
    pub created_at: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<String>,
}

#[must_use]
pub fn names(permissions: Permissions) -> Vec<String> {
    permissions.iter().map(|permission| permission.as_str().to_owned()).collect()
}

impl From<&Account> for AccountLine {
    fn from(account: &Account) -> Self {
        Self {
            name: account.name.to_string(),
            permissions: names(account.permissions),
            has_password: account.password.is_some(),
            must_change_password: account.must_change_password,
            created_at: utc::text(account.created_at),
        }
    }
}

impl From<&Token> for TokenLine {
    fn from(Token { id, token }: &Token) -> Self {
        Self {
            id: id.0,
            account: token.account.to_string(),
            label: token.label.to_string(),
            permissions: names(token.permissions),
            created_at: utc::text(token.created_at),
            expires_at: token.expires_at.map(utc::text),
        }
    }
}
