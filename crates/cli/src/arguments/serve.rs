//! `guardbee serve`.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use guardbee_model::HiveVersion;

use super::StoreArgument;

const EXAMPLES: &str = "\
Examples:
  guardbee serve --store guardbee.db                                    on 127.0.0.1:9085
  guardbee serve --store postgres://guardbee@db/guardbee --listen 0.0.0.0:9085 \\
      --tls-certificate server.pem --tls-key server.key                 encrypted, one of several

The first start makes the account `admin` and prints its one-time password.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Serve {
    #[command(flatten)]
    pub store: StoreArgument,

    /// Where to listen
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:9085")]
    pub listen: SocketAddr,

    /// The server's certificate as PEM; read again when it changes
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub tls_certificate: Option<PathBuf>,

    /// The key of the certificate as PEM
    #[arg(long, value_name = "FILE", requires = "tls_certificate")]
    pub tls_key: Option<PathBuf>,

    /// Who signs the certificates that clients may show instead of a token, as PEM; the common name is the account
    #[arg(long, value_name = "FILE", requires = "tls_certificate")]
    pub tls_client_authority: Option<PathBuf>,

    /// A proxy that signs people in, by its address; may be given several times
    #[arg(long, value_name = "ADDRESS", requires = "proxy_user_header")]
    pub trusted_proxy: Vec<IpAddr>,

    /// The header in which the proxy names the user
    #[arg(long, value_name = "NAME", requires = "trusted_proxy")]
    pub proxy_user_header: Option<String>,

    /// Who knows the groups of users: `system`, `file:FILE` (lines of `user = group, group`),
    /// or a command that is given the user's name and prints one a line
    #[arg(long, value_name = "SOURCE")]
    pub groups_from: Option<String>,

    /// What is in the warehouse beside what recorded runs tell: a file or folder of DDL, or JSON
    #[arg(long, value_name = "FILE")]
    pub catalog: Vec<PathBuf>,

    /// The version of Hive whose grammar and functions count first: 2.3, 3.1, 4.0, 4.1 or 4.2
    #[arg(long, value_name = "VERSION", default_value_t = HiveVersion::default())]
    pub hive_version: HiveVersion,

    /// The account that the first start makes
    #[arg(long, value_name = "NAME", default_value = "admin")]
    pub first_account: String,

    /// Seconds for which decisions go on by what is known while the store is away
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub longest_without_store: u32,

    /// Days after which runs are forgotten, save for those that say where what is there came from; for ever unless given
    #[arg(long, value_name = "DAYS")]
    pub keep_runs_for: Option<u32>,

    /// Seconds between the times at which one of the servers on the store forgets runs, saves the index and tidies up
    #[arg(long, value_name = "SECONDS", default_value_t = 3600, value_parser = clap::value_parser!(u32).range(1..))]
    pub jobs_every: u32,

    /// How to write the log
    #[arg(long, value_enum, default_value_t = LogLines::Text)]
    pub log: LogLines,

    /// What to log: error, warn, info, debug or trace
    #[arg(long, value_name = "LEVEL", default_value = "info")]
    pub log_level: tracing::Level,
}

/// A form of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogLines {
    /// For people
    Text,
    /// One JSON object a line
    Json,
}
