//! Passwords: argon2id, a few at a time, so that a flood of them takes neither memory nor all of the machine.

use argon2::Argon2;
use argon2::password_hash::{PasswordHash, PasswordHasher as _, PasswordVerifier as _, SaltString};
use axum::http::StatusCode;
use futures_util::future::BoxFuture;
use smol_str::SmolStr;
use std::sync::Arc;
use tokio::sync::Semaphore;

use super::{Caller, Known};
use crate::problem::Problem;

/// So many are looked at at once; each takes 19 MiB.
const AT_ONCE: usize = 2;
/// So many wait for it; more are sent away.
const WAITING: usize = 32;
/// A password is no shorter, and no longer, in characters and bytes.
const SHORTEST: usize = 12;
const LONGEST_BYTES: usize = 1024;
/// Looked at where there is no account, so that it takes as long as where there is one.
const NOBODYS: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$c29tZSBzYWx0IGZvciBub2JvZHk$2D3bQ0uL1k1Yb0tkq8n3b3v5V6fKp6xqgyd8sUW9c2A";

/// A way to tell whether somebody is who they say. Others than accounts with passwords come beside it.
pub trait SignIn: Send + Sync {
    /// Who it is; nobody where the password is not theirs.
    fn sign_in<'a>(
        &'a self,
        known: &'a Known,
        name: &'a str,
        password: &'a str,
    ) -> BoxFuture<'a, Result<Option<Caller>, Problem>>;
}

/// Passwords of accounts.
#[derive(Debug)]
pub struct Passwords {
    working: Arc<Semaphore>,
    waiting: Semaphore,
}

impl Default for Passwords {
    fn default() -> Self {
        Self { working: Arc::new(Semaphore::new(AT_ONCE)), waiting: Semaphore::new(WAITING) }
    }
}

impl Passwords {
    /// What is kept of a password.
    ///
    /// # Errors
    /// The problem of one that is too short or too long.
    pub async fn hash(&self, password: &str) -> Result<Arc<str>, Problem> {
        if password.chars().count() < SHORTEST {
            let detail = format!("a password has {SHORTEST} characters at least");
            return Err(Problem::senseless("password-too-short", detail));
        }
        if password.len() > LONGEST_BYTES {
            let detail = format!("a password has {LONGEST_BYTES} bytes at most");
            return Err(Problem::senseless("password-too-long", detail));
        }
        let password = password.to_owned();
        let salt = salt()?;
        let hashed = self.work(move || {
            Argon2::default()
                .hash_password(password.as_bytes(), &salt)
                .map(|hash| Arc::from(hash.to_string()))
        });
        hashed.await?.map_err(|error| {
            Problem::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "no-password",
                format!("no hash can be made: {error}"),
            )
        })
    }

    async fn is_right(&self, password: &str, kept: Arc<str>) -> Result<bool, Problem> {
        let password = password.to_owned();
        self.work(move || {
            let is_right = |hash: PasswordHash<'_>| {
                Argon2::default().verify_password(password.as_bytes(), &hash).is_ok()
            };
            password.len() <= LONGEST_BYTES && PasswordHash::new(&kept).is_ok_and(is_right)
        })
        .await
    }

    async fn work<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Problem> {
        let busy = || {
            let detail = "too many sign in at this moment";
            Problem::busy("too-many-sign-ins", detail, std::time::Duration::from_secs(2))
        };
        let _waiting = self.waiting.try_acquire().map_err(|_| busy())?;
        let place = self.working.clone().acquire_owned().await.map_err(|_| busy())?;
        let worked = tokio::task::spawn_blocking(move || {
            let _place = place;
            work()
        });
        worked.await.map_err(|_| busy())
    }
}

impl SignIn for Passwords {
    fn sign_in<'a>(
        &'a self,
        known: &'a Known,
        name: &'a str,
        password: &'a str,
    ) -> BoxFuture<'a, Result<Option<Caller>, Problem>> {
        Box::pin(async move {
            let kept = known.account(name).and_then(|account| account.password.clone());
            let is_known = kept.is_some();
            let is_right = self.is_right(password, kept.unwrap_or_else(|| Arc::from(NOBODYS))).await?;
            Ok((is_known && is_right).then(|| known.by_name(name)).flatten())
        })
    }
}

fn salt() -> Result<SaltString, Problem> {
    let mut bytes = [0; 16];
    let filled = getrandom::fill(&mut bytes).ok().and_then(|()| SaltString::encode_b64(&bytes).ok());
    filled.ok_or_else(|| {
        let detail = "the machine gives no randomness";
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "no-randomness", detail)
    })
}

/// A password that is shown once.
///
/// # Errors
/// Where the machine gives no randomness.
pub fn one_time_password() -> Result<SmolStr, getrandom::Error> {
    Ok(SmolStr::new(super::Secret::new()?.text().get(3..27).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_password_is_kept_as_a_hash_that_knows_it() {
        let passwords = Passwords::default();
        let kept = passwords.hash("correct horse battery").await.unwrap();
        assert!(kept.starts_with("$argon2id$"), "{kept}");
        assert!(passwords.is_right("correct horse battery", kept.clone()).await.unwrap());
        assert!(!passwords.is_right("correct horse batterz", kept).await.unwrap());
    }

    #[tokio::test]
    async fn what_nobody_has_is_looked_at_all_the_same() {
        assert!(PasswordHash::new(NOBODYS).is_ok());
        assert!(!Passwords::default().is_right("anything at all", Arc::from(NOBODYS)).await.unwrap());
    }

    #[tokio::test]
    async fn too_short_and_too_long_are_told() {
        let passwords = Passwords::default();
        assert_eq!(passwords.hash("short").await.unwrap_err().code, "password-too-short");
        assert_eq!(passwords.hash(&"x".repeat(2000)).await.unwrap_err().code, "password-too-long");
    }
}
