//! Who calls: by a token, by the session of a browser, by a certificate, or by the word of a proxy that is trusted.
//!
//! The trait [`SignIn`] is where other ways to look at a password go; here is the one of accounts with passwords.

mod accounts;
mod attempts;
mod passwords;
mod secrets;

use std::net::IpAddr;

use axum::http::header::{AUTHORIZATION, COOKIE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode};
use guardbee_engine::accounts::{Permission, Permissions, TokenId};
use guardbee_policy::Timestamp;
use smol_str::SmolStr;

use crate::options::TrustedProxy;
use crate::problem::Problem;

pub use accounts::{Accounts, Known};
pub use attempts::Attempts;
pub use passwords::{Passwords, SignIn, one_time_password};
pub use secrets::{Secret, csrf_of, digest_of, is_csrf_of};

/// The cookie of a browser's session.
pub const SESSION_COOKIE: &str = "guardbee_session";
/// The header that a page sends beside the cookie, for that no other page can.
pub const CSRF_HEADER: &str = "x-csrf-token";

/// Who calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The user that it is in the warehouse; empty where nobody knows.
    pub name: SmolStr,
    pub permissions: Permissions,
    pub must_change_password: bool,
    pub way: Way,
}

/// How a caller is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Way {
    Nobody,
    Token(TokenId),
    /// A browser, with the session's own token.
    Session {
        token: TokenId,
        secret: Secret,
    },
    Proxy,
    Certificate,
}

/// What a connection says of who calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Peer {
    pub address: Option<IpAddr>,
    /// The name in the certificate that the client showed, where it showed one that is signed as asked for.
    pub certificate_name: Option<SmolStr>,
}

impl Caller {
    #[must_use]
    pub const fn nobody() -> Self {
        Self {
            name: SmolStr::new_static(""),
            permissions: Permissions::NONE,
            must_change_password: false,
            way: Way::Nobody,
        }
    }

    #[must_use]
    pub fn is_known(&self) -> bool {
        self.way != Way::Nobody
    }

    #[must_use]
    pub fn has(&self, permission: Permission) -> bool {
        self.permissions.has(permission) || self.permissions.has(Permission::Admin)
    }
}

/// Who makes a call.
///
/// # Errors
/// The problem of one who says who they are and is not.
pub fn caller(
    parts: &Parts,
    peer: &Peer,
    known: &Known,
    proxy: Option<&TrustedProxy>,
    now: Timestamp,
) -> Result<Caller, Problem> {
    if let Some(stated) = parts.headers.get(AUTHORIZATION) {
        let secret = stated.to_str().ok().and_then(bearer).and_then(Secret::read);
        let found = secret.and_then(|secret| known.by_token(&digest_of(&secret), now));
        return found.map(|(token, caller)| Caller { way: Way::Token(token), ..caller }).ok_or_else(refused);
    }
    if let Some(name) = proxy.and_then(|proxy| told_by(proxy, &parts.headers, peer)) {
        return Ok(Caller { way: Way::Proxy, ..known.by_name_or_user(&name) });
    }
    if let Some(name) = &peer.certificate_name {
        return known
            .by_name(name)
            .map(|caller| Caller { way: Way::Certificate, ..caller })
            .ok_or_else(refused);
    }
    let Some(secret) = cookie(&parts.headers, SESSION_COOKIE).and_then(Secret::read) else {
        return Ok(Caller::nobody());
    };
    let Some((token, caller)) = known.by_token(&digest_of(&secret), now) else { return Ok(Caller::nobody()) };
    if !is_harmless(&parts.method) {
        let stated = parts.headers.get(CSRF_HEADER).map(|value| value.as_bytes()).unwrap_or_default();
        if !is_csrf_of(&secret, stated) {
            return Err(Problem::not_permitted(format!(
                "a call by a browser's session needs `{CSRF_HEADER}`"
            ))
            .with_hint("`/api/v1/session` tells what to send there"));
        }
    }
    Ok(Caller { way: Way::Session { token, secret }, ..caller })
}

fn refused() -> Problem {
    Problem::new(StatusCode::UNAUTHORIZED, "unknown-token", "nobody is known by what the call shows")
        .with_hint("the token may have expired or been removed: ask for another one")
}

fn bearer(stated: &str) -> Option<&str> {
    let (scheme, secret) = stated.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| secret.trim())
}

fn told_by(proxy: &TrustedProxy, headers: &HeaderMap, peer: &Peer) -> Option<SmolStr> {
    let is_it = peer.address.is_some_and(|address| proxy.addresses.contains(&address.to_canonical()));
    // Two values would be the proxy's and one that the client sent along.
    let mut stated = headers.get_all(proxy.user_header.as_str()).iter();
    let (Some(name), None) = (stated.next(), stated.next()) else { return None };
    let name = name.to_str().ok()?;
    (is_it && !name.is_empty()).then(|| SmolStr::new(name))
}

fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let stated = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = stated.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(known, _)| *known == name).map(|(_, value)| value)
}

/// Does the method promise to change nothing?
fn is_harmless(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}
