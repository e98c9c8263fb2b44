//! Accounts and tokens.

use std::sync::Arc;

use guardbee_engine::accounts::{Account, NewToken, Permission, Permissions, Placing, Token, TokenId};
use guardbee_engine::audit::{AuditKind, AuditObject, AuditRecord, Verdict};
use guardbee_policy::Timestamp;
use guardbee_wire::service::accounts::{
    AccountLine, AccountRequest, AccountsAnswer, TokenAnswer, TokenLine, TokenRequest, TokensAnswer,
};
use schemars::JsonSchema;
use serde::Deserialize;
use smol_str::{SmolStr, format_smolstr};

use super::session::no_randomness;
use crate::endpoint::{Access, Call, Endpoint, Reply};
use crate::identity::{Secret, Way, digest_of};
use crate::openapi::NoQuestion;
use crate::problem::Problem;

/// Only `admin`.
const ADMIN: Access = Access::Any(&[]);
const LONGEST_NAME_BYTES: usize = 256;
/// Ten years.
const LONGEST_TOKEN_SECONDS: u32 = 315_360_000;

pub fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get("/api/v1/accounts", ADMIN, accounts).says("all accounts"),
        Endpoint::post("/api/v1/accounts", ADMIN, put_account)
            .changes()
            .says("make or change an account")
            .makes()
            .takes_long(),
        Endpoint::delete("/api/v1/accounts/{name}", ADMIN, remove_account)
            .changes()
            .says("remove an account and its tokens"),
        Endpoint::get("/api/v1/tokens", Access::Account, tokens)
            .says("one's own tokens; all of them for `admin`"),
        Endpoint::post("/api/v1/tokens", Access::Account, add_token)
            .changes()
            .says("make a token for oneself; for others as `admin`")
            .makes(),
        Endpoint::delete("/api/v1/tokens/{id}", Access::Account, remove_token)
            .changes()
            .says("remove a token of one's own; any as `admin`"),
    ]
}

/// The account that a path names.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AccountName {
    name: String,
}

/// The token that a path names.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TokenNumber {
    id: u64,
}

async fn accounts(call: Call, _: NoQuestion) -> Result<Reply<AccountsAnswer>, Problem> {
    let accounts = call.service.storage.accounts().await?;
    Ok(Reply::of(AccountsAnswer { accounts: accounts.iter().map(AccountLine::from).collect() }))
}

async fn put_account(call: Call, asked: AccountRequest) -> Result<Reply<AccountLine>, Problem> {
    let service = &call.service;
    if asked.name.is_empty()
        || asked.name.len() > LONGEST_NAME_BYTES
        || asked.name.chars().any(char::is_control)
    {
        let detail =
            format!("the name of an account has 1 to {LONGEST_NAME_BYTES} bytes and nothing invisible");
        return Err(Problem::senseless("wrong-name", detail));
    }
    let permissions = permissions(&asked.permissions)?;
    let password = match &asked.password {
        Some(password) => Some(service.passwords.hash(password).await?),
        None => None,
    };
    let before = service.storage.account(&asked.name).await?;
    if before.is_some() && !asked.replace {
        return Err(already_there(&asked.name));
    }
    if let Some(before) = before.as_ref().filter(|_| !permissions.has(Permission::Admin)) {
        keep_an_admin(&call, before).await?;
    }
    let account = Account {
        name: SmolStr::new(&asked.name),
        permissions,
        must_change_password: match &password {
            Some(_) => true,
            None => before.as_ref().is_some_and(|before| before.must_change_password),
        },
        password: password.or_else(|| before.as_ref().and_then(|before| before.password.clone())),
        created_at: before.as_ref().map_or_else(|| service.now(), |before| before.created_at),
    };
    note(&call, "put account", &asked.name).await?;
    let placing = if before.is_some() { Placing::Replacing } else { Placing::New };
    if !service.storage.put_account(&account, placing).await? {
        return Err(already_there(&asked.name));
    }
    service.accounts.refresh(&*service.storage).await?;
    Ok(Reply::of(AccountLine::from(&account)))
}

fn already_there(name: &str) -> Problem {
    let detail = format!("there is an account `{name}` already");
    Problem::new(axum::http::StatusCode::CONFLICT, "account-exists", detail)
        .with_hint("say `\"replace\": true` to change it")
}

/// Somebody has to be left who may make accounts.
async fn keep_an_admin(call: &Call, leaving: &Account) -> Result<(), Problem> {
    let is_other_admin =
        |account: &Account| account.name != leaving.name && account.permissions.has(Permission::Admin);
    if !leaving.permissions.has(Permission::Admin)
        || call.service.storage.accounts().await?.iter().any(is_other_admin)
    {
        return Ok(());
    }
    let detail = format!("`{}` is the last account with the permission `admin`", leaving.name);
    Err(Problem::senseless("last-admin", detail).with_hint("give another account the permission first"))
}

async fn remove_account(call: Call, asked: AccountName) -> Result<Reply<()>, Problem> {
    let service = &call.service;
    let gone = || Problem::not_found(format!("there is no account `{}`", asked.name));
    let account = service.storage.account(&asked.name).await?.ok_or_else(gone)?;
    keep_an_admin(&call, &account).await?;
    note(&call, "remove account", &asked.name).await?;
    if !service.storage.remove_account(&asked.name).await? {
        return Err(gone());
    }
    service.accounts.refresh(&*service.storage).await?;
    Ok(Reply::of(()))
}

async fn tokens(call: Call, _: NoQuestion) -> Result<Reply<TokensAnswer>, Problem> {
    let tokens = call.service.storage.tokens().await?;
    let is_shown = |token: &&Token| {
        call.caller.permissions.has(Permission::Admin) || token.token.account == call.caller.name
    };
    Ok(Reply::of(TokensAnswer { tokens: tokens.iter().filter(is_shown).map(TokenLine::from).collect() }))
}

async fn add_token(call: Call, asked: TokenRequest) -> Result<Reply<TokenAnswer>, Problem> {
    let service = &call.service;
    let name = asked.account.as_deref().unwrap_or(&call.caller.name);
    if name != call.caller.name && !call.caller.permissions.has(Permission::Admin) {
        return Err(Problem::not_permitted("only `admin` makes tokens for others"));
    }
    if asked.label.len() > LONGEST_NAME_BYTES || asked.label.chars().any(char::is_control) {
        let detail = format!("a label has {LONGEST_NAME_BYTES} bytes at most and nothing invisible");
        return Err(Problem::senseless("wrong-label", detail));
    }
    if asked.lasts_seconds == Some(0) {
        return Err(Problem::senseless("already-over", "a token has to last for a second at least"));
    }
    if asked.lasts_seconds.is_some_and(|seconds| seconds > LONGEST_TOKEN_SECONDS) {
        let detail = format!("a token lasts for {LONGEST_TOKEN_SECONDS} s at most");
        return Err(Problem::senseless("lasts-too-long", detail));
    }
    let account = service.storage.account(name).await?;
    let account = account.ok_or_else(|| Problem::not_found(format!("there is no account `{name}`")))?;
    // A token gives no more than whoever makes it has.
    let most = match call.caller.permissions.has(Permission::Admin) {
        true => account.permissions,
        false => account.permissions.in_common(call.caller.permissions),
    };
    let permissions = match &asked.permissions {
        None => most,
        Some(names) => permissions(names)?,
    };
    if permissions.in_common(most) != permissions {
        return Err(Problem::not_permitted(format!("`{name}` does not have all of these permissions")));
    }
    let now = service.now();
    let lasts = asked.lasts_seconds.map(|seconds| i64::from(seconds) * 1000);
    let secret = Secret::new().map_err(|error| no_randomness(&error))?;
    let token = NewToken {
        digest: digest_of(&secret),
        account: account.name.clone(),
        label: SmolStr::new(&asked.label),
        permissions,
        created_at: now,
        expires_at: expiry(
            own_expiry(&call).await?,
            lasts.map(|lasts| Timestamp(now.0.saturating_add(lasts))),
        )?,
    };
    note(&call, "make token", name).await?;
    let id = service.storage.add_token(&token).await?;
    service.accounts.refresh(&*service.storage).await?;
    Ok(Reply::of(TokenAnswer { token: TokenLine::from(&Token { id, token }), secret: secret.text() }))
}

/// When the token that the call is made with is over.
async fn own_expiry(call: &Call) -> Result<Option<Timestamp>, Problem> {
    let Way::Token(own) = &call.caller.way else { return Ok(None) };
    let tokens = call.service.storage.tokens().await?;
    Ok(tokens.iter().find(|token| token.id == *own).and_then(|token| token.token.expires_at))
}

/// A token makes none that outlives it: whoever finds it would have it for ever.
fn expiry(own: Option<Timestamp>, asked: Option<Timestamp>) -> Result<Option<Timestamp>, Problem> {
    match (own, asked) {
        (Some(own), Some(asked)) if asked > own => {
            Err(Problem::senseless("outlives-token", "the token that asks is over before that"))
        }
        (own, None) => Ok(own),
        (_, asked) => Ok(asked),
    }
}

async fn remove_token(call: Call, asked: TokenNumber) -> Result<Reply<()>, Problem> {
    let service = &call.service;
    // A token of somebody else looks as if it were not there.
    let gone = || Problem::not_found(format!("there is no token {}", asked.id));
    let is_admin = call.caller.permissions.has(Permission::Admin);
    let tokens = service.storage.tokens().await?;
    let found = tokens.iter().find(|token| token.id == TokenId(asked.id));
    let found = found.filter(|token| is_admin || token.token.account == call.caller.name);
    let found = found.ok_or_else(gone)?;
    let account = service.storage.account(&found.token.account).await?;
    let held = account.map_or(Permissions::NONE, |account| account.permissions);
    let held = held.in_common(found.token.permissions);
    let is_stronger = held.in_common(call.caller.permissions) != held;
    if is_stronger && !is_admin && matches!(call.caller.way, Way::Token(own) if own != found.id) {
        return Err(Problem::not_permitted("a token removes none that has more permissions than it"));
    }
    note(&call, "remove token", &found.token.account).await?;
    if !service.storage.remove_token(found.id).await? {
        return Err(gone());
    }
    service.accounts.refresh(&*service.storage).await?;
    Ok(Reply::of(()))
}

fn permissions(names: &[String]) -> Result<Permissions, Problem> {
    let named = |name: &String| {
        Permission::named(name).ok_or_else(|| {
            let known: Vec<&str> = Permission::ALL.into_iter().map(Permission::as_str).collect();
            let detail = format!("there is no permission `{name}`");
            Problem::senseless("unknown-permission", detail)
                .with_hint(format!("there are {}", known.join(", ")))
        })
    };
    names.iter().map(named).collect()
}

/// Has the audit log keep, before it is done, what somebody does to an account.
///
/// # Errors
/// The problem of a log that cannot be written: then it is not to be done.
pub async fn note(call: &Call, what: &'static str, account: &str) -> Result<(), Problem> {
    call.service.trail.keep(record(call, what, account)).await
}

/// The record of something that is done to an account.
pub fn record(call: &Call, what: &'static str, account: &str) -> AuditRecord {
    AuditRecord {
        at: call.service.now(),
        actor: call.caller.name.clone(),
        groups: Vec::new(),
        kind: AuditKind::Change,
        statement: Arc::from(""),
        operation: SmolStr::new_static(what),
        objects: vec![AuditObject {
            name: format_smolstr!("account {account}"),
            access: SmolStr::new_static("CHANGE"),
            columns: Vec::new(),
        }],
        verdict: Verdict::Allowed,
        reasons: Vec::new(),
        missing: Vec::new(),
        policy_version: call.service.engine.policy().version,
        client: call.client(),
    }
}
