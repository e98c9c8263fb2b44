//! What a server is started with.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use guardbee_engine::EngineOptions;
use guardbee_policy::Policy;
use smol_str::SmolStr;

use crate::jobs::JobOptions;

/// What a server is started with.
pub struct Options {
    pub listen: SocketAddr,
    /// Absent: without encryption.
    pub tls: Option<TlsFiles>,
    /// Absent: nobody may say for others who they are.
    pub trusted_proxy: Option<TrustedProxy>,
    pub engine: EngineOptions,
    pub limits: Limits,
    /// The account that the first start makes.
    pub first_account: SmolStr,
    /// How long decisions go on by what was known last while the store is away.
    pub longest_without_store: Duration,
    /// Writes all of a policy as JSON, for who asks for that; absent: nobody is told more than statements say.
    pub write_policy: Option<fn(&Policy) -> String>,
    /// What is done now and then, by one server of those that share a store.
    pub jobs: JobOptions,
    /// How long what is being answered may take when the server is told to stop.
    pub longest_stop: Duration,
}

/// A certificate and its key; both are read again when they change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsFiles {
    /// PEM, the server's own first.
    pub certificate: PathBuf,
    pub key: PathBuf,
    /// Who signs for clients that show a certificate; absent: nobody is asked for one.
    pub client_authority: Option<PathBuf>,
}

/// A proxy that signs people in and says who they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustedProxy {
    /// Where it calls from.
    pub addresses: Vec<IpAddr>,
    /// The header that names the user.
    pub user_header: SmolStr,
}

/// Bounds for what comes from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub connections: usize,
    /// Calls that are being answered: those that are quick, and those that may take a while.
    pub quick_calls: usize,
    pub long_calls: usize,
    /// Of a call that is no stream.
    pub body_bytes: usize,
    /// Of one line of a stream.
    pub line_bytes: usize,
    pub header_bytes: usize,
    /// For the headers of a call to arrive, and for its body.
    pub header_time: Duration,
    pub body_time: Duration,
    /// Between calls on one connection.
    pub idle_time: Duration,
    /// For an answer.
    pub quick_time: Duration,
    pub long_time: Duration,
    /// Records of the audit log that wait to be written.
    pub waiting_records: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 12_000,
            quick_calls: 1024,
            long_calls: 32,
            body_bytes: 16 << 20,
            line_bytes: 1 << 20,
            header_bytes: 32 << 10,
            header_time: Duration::from_secs(10),
            body_time: Duration::from_secs(30),
            idle_time: Duration::from_secs(300),
            quick_time: Duration::from_secs(10),
            long_time: Duration::from_secs(60),
            waiting_records: 100_000,
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 9085)),
            tls: None,
            trusted_proxy: None,
            engine: EngineOptions::default(),
            limits: Limits::default(),
            first_account: SmolStr::new_static("admin"),
            longest_without_store: Duration::from_secs(60),
            write_policy: None,
            jobs: JobOptions::default(),
            longest_stop: Duration::from_secs(10),
        }
    }
}
