//! Connections that are encrypted: the server's own certificate, its replacement, and those that clients show.

mod support;

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use guardbee_engine::accounts::{Permission, Permissions};
use guardbee_server::{Options, TlsFiles};
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use serde_json::json;
use support::client::{Answer, connect};
use support::{Ground, PASSWORD, Running};
use time::OffsetDateTime;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

/// Somebody who signs certificates.
struct Authority {
    pem: String,
    issuer: Issuer<'static, KeyPair>,
}

/// A certificate and its key, as PEM.
struct Signed {
    certificate: String,
    key: String,
}

impl Authority {
    fn new(name: &str) -> Self {
        let key = KeyPair::generate().expect("a key can be made");
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let pem = params.self_signed(&key).expect("it can be signed").pem();
        Self { pem, issuer: Issuer::new(params, key) }
    }

    /// For a name; valid for days from now, which may be over.
    fn sign(&self, name: &str, days: i64) -> Signed {
        let key = KeyPair::generate().expect("a key can be made");
        let mut params = CertificateParams::new(vec!["localhost".to_owned()]).expect("it is a name");
        params.distinguished_name.push(DnType::CommonName, name);
        params.not_before = OffsetDateTime::now_utc() - time::Duration::days(30);
        params.not_after = OffsetDateTime::now_utc() + time::Duration::days(days);
        let certificate = params.signed_by(&key, &self.issuer).expect("it can be signed").pem();
        Signed { certificate, key: key.serialize_pem() }
    }
}

impl Signed {
    fn write(&self, folder: &Path) {
        fs::write(folder.join("certificate.pem"), &self.certificate).expect("it can be written");
        fs::write(folder.join("key.pem"), &self.key).expect("it can be written");
    }
}

/// A server with a certificate.
fn start(ground: &Ground, own: &Signed, clients: Option<&Authority>) -> Running {
    let folder = ground.path("");
    own.write(&folder);
    let client_authority = clients.map(|clients| {
        let path = folder.join("clients.pem");
        fs::write(&path, &clients.pem).expect("it can be written");
        path
    });
    let (certificate, key) = (folder.join("certificate.pem"), folder.join("key.pem"));
    ground.start(Options { tls: Some(TlsFiles { certificate, key, client_authority }), ..Options::default() })
}

/// What a client gets that trusts an authority and shows a certificate.
fn session(running: &Running, trusted: &Authority, shown: Option<&Signed>) -> Result<Answer, String> {
    let mut roots = RootCertStore::empty();
    roots.add(certificate(&trusted.pem)).expect("it can be trusted");
    let builder = ClientConfig::builder_with_provider(Arc::new(default_provider()));
    let builder = builder.with_safe_default_protocol_versions().expect("there are versions");
    let builder = builder.with_root_certificates(roots);
    let config = match shown {
        None => builder.with_no_client_auth(),
        Some(shown) => {
            let key = PrivateKeyDer::from_pem_slice(shown.key.as_bytes()).expect("it is a key");
            builder.with_client_auth_cert(vec![certificate(&shown.certificate)], key).expect("they fit")
        }
    };
    let name = ServerName::try_from("localhost").expect("it is a name");
    let client = ClientConnection::new(Arc::new(config), name).map_err(|error| error.to_string())?;
    let mut stream = StreamOwned::new(client, connect(running.address));
    let call = b"GET /api/v1/session HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    stream.write_all(call).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    let read = stream.read_to_end(&mut bytes);
    support::client::parse(&bytes).ok_or_else(|| format!("{read:?}"))
}

fn certificate(pem: &str) -> CertificateDer<'static> {
    CertificateDer::from_pem_slice(pem.as_bytes()).expect("it is a certificate")
}

#[test]
fn a_certificate_is_replaced_without_a_restart() {
    let ground = Ground::new();
    let (old, new) = (Authority::new("old"), Authority::new("new"));
    let running = start(&ground, &old.sign("server", 1), None);
    assert_eq!(session(&running, &old, None).expect("it is trusted").status, 401);
    assert!(session(&running, &new, None).is_err(), "it is not trusted yet");

    // A key that is not of the certificate changes nothing.
    let other = new.sign("server", 1);
    fs::write(ground.path("key.pem"), &other.key).expect("it can be written");
    std::thread::sleep(Duration::from_secs(11));
    assert_eq!(session(&running, &old, None).expect("the one before stays").status, 401);

    other.write(&ground.path(""));
    let begun = Instant::now();
    while session(&running, &new, None).is_err() {
        assert!(begun.elapsed() < Duration::from_secs(15), "it is looked at every ten seconds");
        std::thread::sleep(Duration::from_millis(200));
    }
    assert!(session(&running, &old, None).is_err(), "the old one is gone");
}

#[test]
fn a_client_is_known_by_a_certificate_that_is_signed_and_not_over() {
    let ground = Ground::new();
    ground.account("hive", Permissions::of(Permission::PlugIn));
    let (authority, stranger) = (Authority::new("ours"), Authority::new("theirs"));
    let running = start(&ground, &authority.sign("server", 1), Some(&authority));
    let ask = |shown: &Signed| session(&running, &authority, Some(shown));

    let known = ask(&authority.sign("hive", 1)).expect("it is let in");
    assert_eq!((known.status, &known.json()["permissions"]), (200, &json!(["plug-in"])));
    let unknown = ask(&authority.sign("without an account", 1)).expect("it is let in");
    assert_eq!(unknown.status, 401);
    let none = session(&running, &authority, None).expect("people with a token need none");
    assert_eq!(none.status, 401);
    assert!(ask(&authority.sign("hive", -1)).is_err(), "it is over");
    assert!(ask(&stranger.sign("hive", 1)).is_err(), "somebody else has signed it");
}

#[test]
fn without_encryption_nothing_is_answered_and_a_session_stays_within_it() {
    let ground = Ground::new();
    ground.account("ann", Permissions::of(Permission::User));
    let authority = Authority::new("ours");
    let running = start(&ground, &authority.sign("server", 1), None);
    let mut plain = connect(running.address);
    plain.write_all(b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("it is taken");
    assert!(support::client::answer_of(&mut plain).is_none(), "that is no HTTP");

    let mut roots = RootCertStore::empty();
    roots.add(certificate(&authority.pem)).expect("it can be trusted");
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .expect("there are versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from("localhost").expect("it is a name");
    let client = ClientConnection::new(Arc::new(config), name).expect("it can begin");
    let ask = running.post("/api/v1/session").json(&json!({ "user": "ann", "password": PASSWORD }));
    let answer = ask.send_over(StreamOwned::new(client, connect(running.address)));
    assert_eq!(answer.status, 200);
    assert!(answer.header("Set-Cookie").is_some_and(|cookie| cookie.contains("; Secure")), "{answer:?}");
}

#[test]
fn a_server_with_a_certificate_that_is_over_is_not_trusted() {
    let ground = Ground::new();
    let authority = Authority::new("ours");
    let running = start(&ground, &authority.sign("server", -1), None);
    let error = session(&running, &authority, None).expect_err("it is over");
    assert!(error.to_lowercase().contains("expired"), "{error}");
}
