//! `guardbee login` and `logout`: a token of one's own, kept in a profile.

use std::io::{self, BufRead as _, IsTerminal as _};

use anyhow::{Context as _, anyhow};
use guardbee_wire::service::accounts::{PasswordRequest, SignInRequest, TokenAnswer, TokenRequest};

use super::choice::{READABLE, address, is_private};
use super::{Client, Connection, NotAnswered, Profile, Profiles, private_file, profiles, read_ca};
use crate::arguments::{Login, Logout};
use crate::exit::Outcome;
use crate::output::{print, say};
use crate::policy::plan::user_of_environment;
use crate::policy::source::NoPolicy;
use crate::terminal::printable;

const SECONDS_A_DAY: u32 = 24 * 3600;

/// Runs `guardbee login`.
///
/// # Errors
/// What keeps it from being done.
pub fn login(arguments: &Login) -> anyhow::Result<Outcome> {
    match logged_in(arguments) {
        Ok(text) => print(&text).map(|()| Outcome::Fine),
        Err(none) => none.outcome(arguments.appearance),
    }
}

fn logged_in(arguments: &Login) -> Result<String, NoPolicy> {
    let name = profile_name(&arguments.profile)?;
    let mut profiles = Profiles::read()?;
    let known = profiles.profile(name)?.unwrap_or_default();
    let of_environment = || std::env::var("GUARDBEE_SERVER").ok().filter(|server| !server.is_empty());
    let server = arguments.server.clone().or_else(of_environment).or_else(|| known.server.clone());
    let server = server.ok_or_else(|| {
        NoPolicy::WrongUse(
            "which server? `--server URL` names it (or GUARDBEE_SERVER in the environment)".to_owned(),
        )
    })?;
    let server = address(&server).map_err(NoPolicy::WrongUse)?;
    if !is_private(&server) {
        return Err(NoPolicy::WrongUse(READABLE.to_owned()));
    }
    let is_known = known.server.as_deref() == Some(server.as_str());
    let ca = arguments.ca.clone().or_else(|| known.ca.clone().filter(|_| is_known));
    let ca = ca.map(|path| std::path::absolute(&path).unwrap_or(path));
    let pem = ca.as_deref().map(read_ca).transpose()?;
    let client =
        Client::new(Connection { server: server.clone(), credential: None, ca: pem }, arguments.appearance)?;
    let user = arguments.user.clone().or_else(user_of_environment);
    let user = user.ok_or_else(|| NoPolicy::WrongUse("who signs in? `--user NAME`".to_owned()))?;
    let made = token(&client, &user, arguments)?;
    let file = profiles.token_file(name);
    private_file::write(&file, &format!("{}\n", made.secret))?;
    let profile =
        Profile { server: Some(server.clone()), token_file: Some(file), token: Some(made.token.id), ca };
    profiles.put(name, &profile)?;
    let until = made.token.expires_at.map(|at| format!(" until {at}")).unwrap_or_default();
    Ok(printable(&format!("`{user}` asks {server} by the profile `{name}`{until}")) + "\n")
}

/// Signs in, and has a token made. A one-time password is changed on the way.
fn token(client: &Client, user: &str, arguments: &Login) -> Result<TokenAnswer, NoPolicy> {
    let mut password = asked(&format!("password of {user}: "))?;
    let sign_in = |password: &str| {
        client.sign_in(&SignInRequest { user: user.to_owned(), password: password.to_owned() })
    };
    let (mut session, mut signed_in) = sign_in(&password)?;
    if session.must_change_password {
        say("that is a one-time password: choose another one");
        let new = new_password(user)?;
        signed_in.put("/api/v1/password", &PasswordRequest { old: password, new: new.clone() })?;
        password = new;
        (session, signed_in) = sign_in(&password)?;
    }
    if session.permissions.is_empty() {
        return Err(
            anyhow!("`{user}` may ask the server nothing: no permission is given to the account").into()
        );
    }
    let host = std::fs::read_to_string("/etc/hostname").unwrap_or_default();
    let request = TokenRequest {
        account: None,
        label: printable(&format!("guardbee login {}", host.trim())).trim().to_owned(),
        permissions: None,
        lasts_seconds: Some(arguments.days.saturating_mul(SECONDS_A_DAY)),
    };
    let made = signed_in.post("/api/v1/tokens", &request)?;
    // The session was for the token only.
    let _ = signed_in.delete("/api/v1/session");
    Ok(made)
}

fn new_password(user: &str) -> anyhow::Result<String> {
    let new = asked(&format!("new password of {user}: "))?;
    if io::stdin().is_terminal() && asked("the same again: ")? != new {
        return Err(anyhow!("the two are not the same; nothing was changed"));
    }
    Ok(new)
}

/// Asks on the terminal without showing what is typed; where there is none, a line of standard input is taken.
fn asked(prompt: &str) -> anyhow::Result<String> {
    if io::stdin().is_terminal() {
        return rpassword::prompt_password(printable(prompt)).context("cannot ask for a password");
    }
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line).context("cannot read a password from standard input")?;
    let password = line.trim_end_matches(['\r', '\n']);
    if password.is_empty() {
        return Err(anyhow!("standard input has no password"));
    }
    Ok(password.to_owned())
}

/// Runs `guardbee logout`.
///
/// # Errors
/// What keeps it from being done.
pub fn logout(arguments: &Logout) -> anyhow::Result<Outcome> {
    match logged_out(arguments) {
        Ok(text) => print(&text).map(|()| Outcome::Fine),
        Err(none) => none.outcome(arguments.appearance),
    }
}

fn logged_out(arguments: &Logout) -> Result<String, NoPolicy> {
    let name = profile_name(&arguments.profile)?;
    let mut profiles = Profiles::read()?;
    let known = profiles.profile(name)?;
    let Some(Profile { server: Some(server), token_file: Some(file), token, ca }) = known else {
        return Err(NoPolicy::WrongUse(format!("the profile `{name}` has no token")));
    };
    let removed = match token {
        Some(token) => removed(&server, &file, ca.as_deref(), token, arguments),
        None => Ok(()),
    };
    // The token goes from here in any case, even if the server cannot be told.
    if file == profiles.token_file(name) {
        std::fs::remove_file(&file).with_context(|| format!("cannot remove `{}`", file.display()))?;
    }
    profiles.forget_token(name)?;
    removed.context("the token is forgotten here, but the server still knows it")?;
    Ok(format!("the profile `{name}` has no token any more\n"))
}

fn removed(
    server: &str,
    file: &std::path::Path,
    ca: Option<&std::path::Path>,
    token: u64,
    arguments: &Logout,
) -> anyhow::Result<()> {
    let server = address(server).map_err(|wrong| anyhow!(wrong))?;
    if !is_private(&server) {
        return Err(anyhow!(READABLE));
    }
    let secret =
        super::Token::new(&private_file::read(file)?).context("the profile's file holds no token")?;
    let credential = Some(super::Credential::Token(secret));
    let ca = ca.map(read_ca).transpose()?;
    let client = Client::new(Connection { server, credential, ca }, arguments.appearance)?;
    match client.delete(&format!("/api/v1/tokens/{token}")) {
        // Gone already: expired, or removed by somebody else.
        Ok(()) => Ok(()),
        Err(NotAnswered::Problem(problem)) if matches!(problem.status, 401 | 404) => Ok(()),
        Err(none) => Err(none.into()),
    }
}

fn profile_name(name: &str) -> Result<&str, NoPolicy> {
    match profiles::is_name(name) {
        true => Ok(name),
        false => {
            let message = format!("`{name}` is no name of a profile: letters, digits, `_` and `-`");
            Err(NoPolicy::WrongUse(message))
        }
    }
}
