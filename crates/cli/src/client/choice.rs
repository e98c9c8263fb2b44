//! Store or service, and which: the command line says, then the environment, then the profile.

use std::path::Path;

use anyhow::anyhow;

use super::{Client, Connection, Credential, Profile, Profiles, Token, private_file, profiles, read_ca};
use crate::arguments::{Appearance, ServiceArgument};
use crate::policy::source::NoPolicy;

const STORE_VARIABLE: &str = "GUARDBEE_STORE";
const SERVER_VARIABLE: &str = "GUARDBEE_SERVER";
const TOKEN_VARIABLE: &str = "GUARDBEE_TOKEN";

/// Why a secret is not sent.
pub const READABLE: &str =
    "no token or password goes over http://, where others can read it, but to this machine: use https://";

/// Who is asked.
pub enum Choice {
    /// A store or files, which the command line or the environment names; or nobody is named.
    Local,
    Service(Connection),
}

/// The service that is asked, where it is one that is.
///
/// # Errors
/// As for [`choose`].
pub fn service(
    is_local: bool,
    service: &ServiceArgument,
    appearance: Appearance,
) -> Result<Option<Client>, NoPolicy> {
    match choose(is_local, service)? {
        Choice::Local => Ok(None),
        Choice::Service(connection) => Ok(Some(Client::new(connection, appearance)?)),
    }
}

/// What only counts where a store is asked, said for a service: never passed over in silence.
///
/// # Errors
/// [`NoPolicy::WrongUse`] with the first that is given.
pub fn refuse(options: &[(&str, bool)], why: &str) -> Result<(), NoPolicy> {
    match options.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((option, _)) => Err(NoPolicy::WrongUse(format!("`{option}` does not go with a server: {why}"))),
    }
}

/// Chooses who is asked. `is_local` where the command line names a store or files.
///
/// # Errors
/// [`NoPolicy`] where both are named, or what is named cannot be used.
pub fn choose(is_local: bool, service: &ServiceArgument) -> Result<Choice, NoPolicy> {
    match (is_local, service.is_given()) {
        (true, true) => {
            let message = "either a server or a store and files: only one of them can answer";
            return Err(NoPolicy::WrongUse(message.to_owned()));
        }
        (true, false) => return Ok(Choice::Local),
        (false, _) => {}
    }
    let environment = if service.server.is_some() { None } else { variable(SERVER_VARIABLE) };
    let is_named = service.server.is_some() || service.profile.is_some();
    match (is_named, variable(STORE_VARIABLE).is_some(), environment.is_some()) {
        (false, true, true) => {
            let message = format!("the environment names both: unset {SERVER_VARIABLE} or {STORE_VARIABLE}");
            return Err(NoPolicy::WrongUse(message));
        }
        (false, true, false) if !service.is_given() => return Ok(Choice::Local),
        _ => {}
    }
    let profile = profile(service)?;
    let of_profile = service.profile.as_ref().and(profile.server.clone());
    // A profile that is named says more than the environment.
    let server = service.server.clone().or(of_profile).or(environment).or_else(|| profile.server.clone());
    let Some(server) = server else {
        return match service.is_given() {
            false => Ok(Choice::Local),
            true => {
                let message = format!(
                    "which server? `--server URL` names it, or {SERVER_VARIABLE} in the environment, or a profile"
                );
                Err(NoPolicy::WrongUse(message))
            }
        };
    };
    connection(&server, service, &profile).map(Choice::Service)
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|text| !text.is_empty())
}

/// The profile that is meant; an empty one where none is.
fn profile(service: &ServiceArgument) -> Result<Profile, NoPolicy> {
    let name = service.profile.as_deref().unwrap_or(profiles::DEFAULT);
    let found = match profiles::is_there() {
        true => Profiles::read()?.profile(name)?,
        false => None,
    };
    match (found, &service.profile) {
        (Some(profile), _) => Ok(profile),
        (None, None) => Ok(Profile::default()),
        (None, Some(name)) => {
            let message =
                format!("there is no profile `{name}`; `guardbee login --profile {name}` makes one");
            Err(NoPolicy::WrongUse(message))
        }
    }
}

fn connection(server: &str, service: &ServiceArgument, profile: &Profile) -> Result<Connection, NoPolicy> {
    let server = address(server).map_err(NoPolicy::WrongUse)?;
    // What a profile has for one server is not shown to another.
    let is_its = profile.server.as_deref().and_then(|its| address(its).ok()).is_some_and(|its| its == server);
    let own = if is_its { profile.clone() } else { Profile::default() };
    let token = token(service.token_file.as_deref(), own.token_file.as_deref())?;
    if token.is_some() && !is_private(&server) {
        return Err(NoPolicy::WrongUse(READABLE.to_owned()));
    }
    let ca = service.ca.as_deref().or(own.ca.as_deref()).map(read_ca).transpose()?;
    Ok(Connection { server, credential: token.map(Credential::Token), ca })
}

fn token(named: Option<&Path>, of_profile: Option<&Path>) -> anyhow::Result<Option<Token>> {
    let of_file = |path: &Path| {
        let text = private_file::read(path)?;
        Token::new(&text).map(Some).ok_or_else(|| anyhow!("`{}` holds no token", path.display()))
    };
    match (named, variable(TOKEN_VARIABLE), of_profile) {
        (Some(path), _, _) => of_file(path),
        (None, Some(text), _) => {
            let token = Token::new(&text);
            token.map(Some).ok_or_else(|| anyhow!("what {TOKEN_VARIABLE} holds is no token"))
        }
        (None, None, Some(path)) => of_file(path),
        (None, None, None) => Ok(None),
    }
}

/// The address of a server as it is called, without a slash at its end; or what is wrong with it.
///
/// # Errors
/// What is wrong with it. It is not repeated: there might be a password in it.
pub fn address(text: &str) -> Result<String, String> {
    let text = text.trim().trim_end_matches('/');
    let wrong = |what: &str| Err(format!("that is no address of a server: {what}"));
    let (scheme, rest) = match text.split_once("://") {
        Some((scheme, rest)) if matches!(scheme, "http" | "https") => (scheme, rest),
        _ => return wrong("it starts with https:// or http://"),
    };
    let Ok(uri) = text.parse::<ureq::http::Uri>() else { return wrong("it is like https://guardbee:9085") };
    if rest.contains('@') {
        return wrong("a name or password in it would be seen by others; a token says who asks");
    }
    match uri.host() {
        Some(host) if !host.is_empty() && uri.query().is_none() && !rest.contains('#') => {
            Ok(format!("{scheme}://{rest}"))
        }
        _ => wrong("it is like https://guardbee:9085"),
    }
}

/// Nobody else sees what goes there.
pub fn is_private(server: &str) -> bool {
    let Ok(uri) = server.parse::<ureq::http::Uri>() else { return false };
    let host = uri.host().unwrap_or_default().trim_matches(['[', ']']);
    let is_here = host.eq_ignore_ascii_case("localhost")
        || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
    uri.scheme_str() == Some("https") || is_here
}

#[cfg(test)]
mod tests {
    use super::{address, is_private};

    #[test]
    fn addresses_are_told_from_what_is_none() {
        assert_eq!(address("https://guardbee:9085/").as_deref(), Ok("https://guardbee:9085"));
        assert_eq!(address(" http://[::1]:9085 ").as_deref(), Ok("http://[::1]:9085"));
        assert_eq!(address("https://proxy/guardbee/").as_deref(), Ok("https://proxy/guardbee"));
        for wrong in
            ["guardbee:9085", "ftp://guardbee", "https://", "https://a b", "https://a?b=c", "https://a#b"]
        {
            assert!(address(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_password_in_an_address_is_not_repeated() {
        let told = address("https://ana:s3cret@guardbee").expect_err("a password has no place there");
        assert!(!told.contains("s3cret"), "{told}");
    }

    #[test]
    fn tokens_go_where_nobody_else_reads_them() {
        for private in
            ["https://guardbee:9085", "http://127.0.0.1:9085", "http://[::1]:1", "http://localhost:1"]
        {
            assert!(is_private(private), "{private}");
        }
        for public in ["http://guardbee:9085", "http://10.0.0.1", "http://127.0.0.1.evil.org"] {
            assert!(!is_private(public), "{public}");
        }
    }
}
