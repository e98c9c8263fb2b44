//! The command line as a client: asks a running service what a store would be asked.
//!
//! Questions go out as the service documents them, and documents come back that commands render as those of a store. What
//! is asked and how an answer looks is not known here.

mod choice;
mod login;
mod private_file;
mod problem;
mod profiles;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use guardbee_wire::service::accounts::{SessionAnswer, SignInRequest};
use serde::Serialize;
use serde::de::DeserializeOwned;
use ureq::Agent;
use ureq::http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, COOKIE, SET_COOKIE};
use ureq::http::{Request, Response};
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, TlsProvider, parse_pem};

pub use choice::{Choice, choose, refuse, service};
pub use login::{login, logout};
pub use problem::{NotAnswered, Problem};
use profiles::{Profile, Profiles};

use crate::arguments::Appearance;
use crate::progress::Progress;

/// To reach the server; a machine that is there answers sooner.
const CONNECTING: Duration = Duration::from_secs(10);
/// For all of an answer: longer than a service takes for one.
const ANSWERING: Duration = Duration::from_secs(120);
/// Of one answer.
const MOST_BYTES: u64 = 1 << 30;
/// The header that says that a text has no place for: a limit cut something off.
const TRUNCATED: &str = "guardbee-truncated";
/// The header that goes beside the cookie of a session.
const CSRF: &str = "x-csrf-token";

/// Where the service is, and who asks it.
#[derive(Clone)]
pub struct Connection {
    /// Without a slash at its end.
    pub server: String,
    pub credential: Option<Credential>,
    /// Who signs the server's certificate, as PEM.
    pub ca: Option<Vec<u8>>,
}

/// What says who asks; it shows itself nowhere but in the headers of a call.
#[derive(Clone)]
pub enum Credential {
    Token(Token),
    /// Of somebody who signed in with a password.
    Session {
        cookie: String,
        csrf: String,
    },
}

/// The secret of an account.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// A token, unless the text cannot be one.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        let is_token = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        is_token.then(|| Self(text.to_owned()))
    }
}

/// A text as the service wrote it.
pub struct ServedText {
    pub text: String,
    /// A limit cut something off.
    pub truncated: bool,
}

/// A service that can be asked.
pub struct Client {
    agent: Agent,
    connection: Connection,
    appearance: Appearance,
}

impl Client {
    /// # Errors
    /// A certificate that cannot be read, and a token that would go over the wire for all to see.
    pub fn new(connection: Connection, appearance: Appearance) -> anyhow::Result<Self> {
        let config = Agent::config_builder()
            // What stands in the environment for browsers is not meant for tokens.
            .proxy(None)
            // A token goes to the server that was named, and to no other.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            .timeout_connect(Some(CONNECTING))
            .timeout_global(Some(ANSWERING))
            .user_agent(concat!("guardbee/", env!("CARGO_PKG_VERSION")));
        let config = match connection.server.starts_with("https:") {
            true => config.tls_config(tls(connection.ca.as_deref())?),
            false => config,
        };
        Ok(Self { agent: config.build().new_agent(), connection, appearance })
    }

    /// Asks a question as a query.
    ///
    /// # Errors
    /// [`NotAnswered`].
    pub fn get<D: DeserializeOwned>(&self, path: &str, question: &impl Serialize) -> Result<D, NotAnswered> {
        let query = serde_html_form::to_string(question).context("the question cannot be asked")?;
        let request = Request::get(self.address(path, &query)).header(ACCEPT, "application/json");
        document(self.call(request, ())?.body())
    }

    /// The same where the answer is a text.
    ///
    /// # Errors
    /// [`NotAnswered`].
    pub fn get_text(&self, path: &str, query: &str) -> Result<ServedText, NotAnswered> {
        let answer = self.call(Request::get(self.address(path, query)), ())?;
        let truncated = answer.headers().contains_key(TRUNCATED);
        let text =
            String::from_utf8(answer.into_body()).map_err(|_| anyhow!("the server's answer is no text"))?;
        Ok(ServedText { text, truncated })
    }

    /// Has something done, or asks in more words than a query has room for.
    ///
    /// # Errors
    /// [`NotAnswered`].
    pub fn post<D: DeserializeOwned>(&self, path: &str, body: &impl Serialize) -> Result<D, NotAnswered> {
        let body = serde_json::to_vec(body).context("the question cannot be asked")?;
        let request = Request::post(self.address(path, "")).header(CONTENT_TYPE, "application/json");
        document(self.call(request, body)?.body())
    }

    /// Signs in with a password: who that is, and the service as they ask it, until the session ends.
    ///
    /// # Errors
    /// [`NotAnswered`].
    pub fn sign_in(&self, request: &SignInRequest) -> Result<(SessionAnswer, Self), NotAnswered> {
        let body = serde_json::to_vec(request).context("the question cannot be asked")?;
        let call =
            Request::post(self.address("/api/v1/session", "")).header(CONTENT_TYPE, "application/json");
        let answer = self.call(call, body)?;
        let cookies = answer.headers().get_all(SET_COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut cookies = cookies.filter_map(|cookie| cookie.split(';').next());
        let cookie = cookies.next().context("the server signs nobody in")?.to_owned();
        let session: SessionAnswer = document(answer.body())?;
        let csrf = session.csrf_token.clone().unwrap_or_default();
        Ok((session, self.as_bearer(Credential::Session { cookie, csrf })))
    }

    /// Puts something into its place.
    ///
    /// # Errors
    /// [`NotAnswered`].
    pub fn put(&self, path: &str, body: &impl Serialize) -> Result<(), NotAnswered> {
        let body = serde_json::to_vec(body).context("the question cannot be asked")?;
        let request = Request::put(self.address(path, "")).header(CONTENT_TYPE, "application/json");
        self.call(request, body).map(|_| ())
    }

    /// Removes something.
    ///
    /// # Errors
    /// [`NotAnswered`].
    pub fn delete(&self, path: &str) -> Result<(), NotAnswered> {
        self.call(Request::delete(self.address(path, "")), ()).map(|_| ())
    }

    /// The same service, asked by somebody else.
    #[must_use]
    fn as_bearer(&self, credential: Credential) -> Self {
        let connection = Connection { credential: Some(credential), ..self.connection.clone() };
        Self { agent: self.agent.clone(), connection, appearance: self.appearance }
    }

    /// The address of the service.
    #[must_use]
    pub fn server(&self) -> &str {
        &self.connection.server
    }

    fn address(&self, path: &str, query: &str) -> String {
        let mark = if query.is_empty() { "" } else { "?" };
        format!("{}{path}{mark}{query}", self.connection.server)
    }

    fn call(
        &self,
        request: ureq::http::request::Builder,
        body: impl ureq::AsSendBody,
    ) -> Result<Response<Vec<u8>>, NotAnswered> {
        let request = match &self.connection.credential {
            Some(Credential::Token(Token(token))) => request.header(AUTHORIZATION, format!("Bearer {token}")),
            Some(Credential::Session { cookie, csrf }) => request.header(COOKIE, cookie).header(CSRF, csrf),
            None => request,
        };
        let request = request.body(body).context("the question cannot be asked")?;
        let waiting = Progress::of_waiting(self.appearance);
        let answer = self.agent.run(request).and_then(|answer| {
            let (parts, body) = answer.into_parts();
            let bytes = body.into_with_config().limit(MOST_BYTES).read_to_vec()?;
            Ok(Response::from_parts(parts, bytes))
        });
        waiting.finish();
        let answer = answer.map_err(|error| self.unreachable(&error))?;
        if answer.status().is_success() {
            return Ok(answer);
        }
        Err(NotAnswered::Problem(Box::new(Problem::of(answer.status().as_u16(), answer.body()))))
    }

    fn unreachable(&self, error: &ureq::Error) -> NotAnswered {
        let server = &self.connection.server;
        NotAnswered::Failed(match error {
            ureq::Error::Timeout(_) => anyhow!("the server `{server}` does not answer in time"),
            error => anyhow!("cannot reach the server `{server}`: {}", reason(error)),
        })
    }
}

/// What is wrong with a connection, in words.
fn reason(error: &ureq::Error) -> String {
    match error {
        ureq::Error::Io(error) => match error.get_ref().and_then(|inner| inner.downcast_ref()) {
            Some(error) => certificate_reason(error),
            None => crate::input::reason(error),
        },
        ureq::Error::Rustls(error) => certificate_reason(error),
        ureq::Error::HostNotFound => "there is no such host".to_owned(),
        ureq::Error::ConnectionFailed => "nobody answers there".to_owned(),
        error => error.to_string(),
    }
}

fn certificate_reason(error: &rustls::Error) -> String {
    use rustls::CertificateError as Wrong;
    match error {
        rustls::Error::InvalidCertificate(Wrong::UnknownIssuer) => {
            "nobody who is trusted signed its certificate; `--ca FILE` says who does".to_owned()
        }
        rustls::Error::InvalidCertificate(Wrong::NotValidForName | Wrong::NotValidForNameContext { .. }) => {
            "its certificate is for another name".to_owned()
        }
        rustls::Error::InvalidCertificate(Wrong::Expired | Wrong::ExpiredContext { .. }) => {
            "its certificate has expired".to_owned()
        }
        rustls::Error::InvalidMessage(_) => "it does not speak TLS; is it meant to be http://?".to_owned(),
        error => error.to_string(),
    }
}

fn document<D: DeserializeOwned>(bytes: &[u8]) -> Result<D, NotAnswered> {
    let read = serde_json::from_slice(bytes);
    read.map_err(|error| {
        NotAnswered::Failed(anyhow!(
            "the server's answer is not what this version of guardbee can read: {error}"
        ))
    })
}

fn tls(ca: Option<&[u8]>) -> anyhow::Result<TlsConfig> {
    let roots = match ca {
        Some(pem) => certificates(pem)?,
        None => system_certificates()?,
    };
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    Ok(TlsConfig::builder()
        .provider(TlsProvider::Rustls)
        .unversioned_rustls_crypto_provider(provider)
        .root_certs(RootCerts::Specific(Arc::new(roots)))
        .build())
}

fn certificates(pem: &[u8]) -> anyhow::Result<Vec<Certificate<'static>>> {
    let mut found = Vec::new();
    for item in parse_pem(pem) {
        if let PemItem::Certificate(certificate) = item.context("the file of `--ca` is no PEM")? {
            found.push(certificate);
        }
    }
    if found.is_empty() {
        return Err(anyhow!("the file of `--ca` has no certificate"));
    }
    Ok(found)
}

fn system_certificates() -> anyhow::Result<Vec<Certificate<'static>>> {
    let found = rustls_native_certs::load_native_certs();
    if found.certs.is_empty() {
        return Err(anyhow!("the system trusts nobody who signs certificates; `--ca FILE` says who does"));
    }
    Ok(found.certs.iter().map(|certificate| Certificate::from_der(certificate).to_owned()).collect())
}

/// Reads who signs certificates.
///
/// # Errors
/// A file that cannot be read.
pub fn read_ca(path: &Path) -> anyhow::Result<Vec<u8>> {
    std::fs::read(path)
        .map_err(|error| anyhow!("cannot read `{}`: {}", path.display(), crate::input::reason(&error)))
}
