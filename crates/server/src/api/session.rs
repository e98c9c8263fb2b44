//! Signing in and out with a browser, and one's own password.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use axum::http::header::SET_COOKIE;
use guardbee_engine::accounts::{Account, NewToken, Permissions, Placing};
use guardbee_engine::audit::{AuditRecord, Verdict};
use guardbee_engine::store::StoreError;
use guardbee_policy::Timestamp;
use guardbee_wire::service::accounts::{PasswordRequest, SessionAnswer, SignInRequest, names};
use smol_str::SmolStr;

use crate::endpoint::{Access, Call, Endpoint, Reply};
use crate::identity::{Caller, SESSION_COOKIE, Secret, SignIn as _, Way, csrf_of, digest_of};
use crate::openapi::NoQuestion;
use crate::problem::Problem;
use crate::service::Service;

/// Of a name that somebody tried, in the audit log.
const LONGEST_NAME: usize = 64;
/// Neither who asks nor who reads the log is told which.
const WRONG: &str = "there is no such user, or the password is another";
/// What tokens of browsers are labelled with.
pub const SESSION_LABEL: &str = "browser session";
/// A session of a browser ends after so long.
const LASTS: Duration = Duration::from_secs(12 * 3600);

pub fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::post("/api/v1/session", Access::Anyone, sign_in)
            .changes()
            .says("sign in with a password; answers with a cookie")
            .takes_long(),
        Endpoint::get("/api/v1/session", Access::SignedIn, session).says("who is signed in?"),
        Endpoint::delete("/api/v1/session", Access::SignedIn, sign_out).changes().says("sign out"),
        Endpoint::put("/api/v1/password", Access::SignedIn, change_password)
            .changes()
            .says("change one's own password")
            .takes_long(),
    ]
}

async fn sign_in(call: Call, asked: SignInRequest) -> Result<Reply<SessionAnswer>, Problem> {
    let service = &call.service;
    let caller = tried(&call, &asked.user, &asked.password).await?;
    let secret = Secret::new().map_err(|error| no_randomness(&error))?;
    let now = service.now();
    remove_old_sessions(service, now).await?;
    let lasts = i64::try_from(LASTS.as_millis()).unwrap_or(i64::MAX);
    service
        .storage
        .add_token(&NewToken {
            digest: digest_of(&secret),
            account: caller.name.clone(),
            label: SmolStr::new_static(SESSION_LABEL),
            permissions: Permissions::of_all(),
            created_at: now,
            expires_at: Some(Timestamp(now.0.saturating_add(lasts))),
        })
        .await?;
    service.accounts.refresh(&*service.storage).await?;
    let cookie = cookie(service, &secret.text(), LASTS);
    Ok(Reply::of(answer(&caller, Some(csrf_of(&secret)))).with_header(SET_COOKIE, &cookie))
}

/// Who it is whose password that is.
async fn tried(call: &Call, user: &str, password: &str) -> Result<Caller, Problem> {
    let (service, now) = (&call.service, Instant::now());
    let address = call.client.parse().ok();
    if let Some(wait) = service.attempts.wait(user, address, now) {
        let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
        let detail = format!("too many attempts with a wrong password: wait {seconds} s");
        let problem = Problem::new(StatusCode::TOO_MANY_REQUESTS, "too-many-attempts", detail);
        return Err(Problem { retry_after: u32::try_from(seconds).ok(), ..problem });
    }
    service.attempts.begin(user, address, now);
    let found = service.passwords.sign_in(&service.accounts.known(), user, password).await?;
    let Some(caller) = found else {
        note_failure(call, user, now).await?;
        return Err(Problem::new(StatusCode::UNAUTHORIZED, "wrong-password", WRONG));
    };
    service.attempts.succeed(user, address);
    Ok(caller)
}

/// Has the audit log keep that somebody was wrong about a password; of very many in a row only how many there were.
async fn note_failure(call: &Call, user: &str, now: Instant) -> Result<(), Problem> {
    let Some(left_out) = call.service.attempts.on_record(now) else { return Ok(()) };
    let mut reasons: Vec<Arc<str>> = vec![Arc::from(WRONG)];
    if left_out > 0 {
        reasons.push(Arc::from(format!("{left_out} more attempts before this one are not on record")));
    }
    // What was sent may be anything, and as long as a stranger may send.
    let user: SmolStr = user.chars().filter(|letter| !letter.is_control()).take(LONGEST_NAME).collect();
    let record = AuditRecord {
        actor: user.clone(),
        verdict: Verdict::Denied,
        reasons,
        ..super::accounts::record(call, "sign in", &user)
    };
    call.service.trail.note(record).await
}

async fn session(call: Call, _: NoQuestion) -> Result<Reply<SessionAnswer>, Problem> {
    let csrf = match &call.caller.way {
        Way::Session { secret, .. } => Some(csrf_of(secret)),
        _ => None,
    };
    Ok(Reply::of(answer(&call.caller, csrf)))
}

async fn sign_out(call: Call, _: NoQuestion) -> Result<Reply<()>, Problem> {
    let Way::Session { token, .. } = call.caller.way else { return Ok(Reply::of(())) };
    call.service.storage.remove_token(token).await?;
    call.service.accounts.refresh(&*call.service.storage).await?;
    Ok(Reply::of(()).with_header(SET_COOKIE, &cookie(&call.service, "", Duration::ZERO)))
}

async fn change_password(call: Call, asked: PasswordRequest) -> Result<Reply<()>, Problem> {
    let service = &call.service;
    let caller = tried(&call, &call.caller.name, &asked.old).await?;
    if asked.old == asked.new {
        return Err(Problem::senseless("same-password", "the new password is the old one"));
    }
    let password = service.passwords.hash(&asked.new).await?;
    let known = service.accounts.known();
    let Some(account) = known.account(&caller.name) else {
        return Err(Problem::not_found("the account is no more"));
    };
    let changed = Account { password: Some(password), must_change_password: false, ..account.clone() };
    super::accounts::note(&call, "change password", &caller.name).await?;
    service.storage.put_account(&changed, Placing::Replacing).await?;
    // Whoever knew the old one is signed out.
    for token in service.storage.tokens().await? {
        let is_this = matches!(&call.caller.way, Way::Session { token: own, .. } if *own == token.id);
        if token.token.account == caller.name && token.token.label == SESSION_LABEL && !is_this {
            service.storage.remove_token(token.id).await?;
        }
    }
    service.accounts.refresh(&*service.storage).await?;
    Ok(Reply::of(()))
}

fn answer(caller: &Caller, csrf_token: Option<String>) -> SessionAnswer {
    SessionAnswer {
        user: caller.name.to_string(),
        permissions: names(caller.permissions),
        must_change_password: caller.must_change_password,
        csrf_token,
    }
}

fn cookie(service: &Service, value: &str, lasts: Duration) -> String {
    let secure = if service.options.is_encrypted { "; Secure" } else { "" };
    let seconds = lasts.as_secs();
    format!("{SESSION_COOKIE}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age={seconds}{secure}")
}

/// Removes sessions that are over; how many there were.
pub async fn remove_old_sessions(service: &Service, now: Timestamp) -> Result<u64, StoreError> {
    let mut removed = 0;
    for token in service.storage.tokens().await? {
        let is_over = token.token.expires_at.is_some_and(|expires_at| expires_at <= now);
        if token.token.label == SESSION_LABEL && is_over {
            removed += u64::from(service.storage.remove_token(token.id).await?);
        }
    }
    Ok(removed)
}

pub fn no_randomness(error: &getrandom::Error) -> Problem {
    Problem::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        "no-randomness",
        format!("the machine gives no randomness: {error}"),
    )
}
