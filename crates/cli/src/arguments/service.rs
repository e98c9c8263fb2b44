//! Which service is asked, instead of a store.

use std::path::PathBuf;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use super::{Appearance, StoreArgument};

/// A running service, as the command line names it. A token is never among it: command lines can be read by others.
#[derive(Debug, Args, Clone, Default)]
pub struct ServiceArgument {
    /// Ask a running `guardbee serve` instead of a store, such as https://guardbee:9085; unless given, the
    /// environment's GUARDBEE_SERVER, then the profile
    #[arg(long, value_name = "URL", help_heading = "Service")]
    pub server: Option<String>,

    /// The file with the token to show; unless given, the environment's GUARDBEE_TOKEN, then the profile's
    #[arg(long, value_name = "FILE", help_heading = "Service")]
    pub token_file: Option<PathBuf>,

    /// The profile of profiles.toml that names server, token and certificate; `default` unless given
    #[arg(long, value_name = "NAME", help_heading = "Service")]
    pub profile: Option<String>,

    /// Who signs the server's certificate, as PEM, instead of those whom the system trusts
    #[arg(long, value_name = "FILE", help_heading = "Service")]
    pub ca: Option<PathBuf>,
}

const LOGIN_EXAMPLES: &str = "\
Examples:
  guardbee login --server https://guardbee:9085 --user ana
  guardbee trace mart.revenue                                   asks that server from then on

The password is asked for, or read from standard input where that is no terminal; it is kept nowhere.
Exit codes: 0 done, 2 wrong use, 3 failure";

#[derive(Debug, Args)]
#[command(after_help = LOGIN_EXAMPLES)]
pub struct Login {
    /// The service, such as https://guardbee:9085; unless given, the environment's GUARDBEE_SERVER, then the profile's
    #[arg(long, value_name = "URL")]
    pub server: Option<String>,

    /// Who signs in; unless given, the environment's USER
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub user: Option<String>,

    /// The profile that keeps server and token
    #[arg(long, value_name = "NAME", default_value = "default")]
    pub profile: String,

    /// Who signs the server's certificate, as PEM, instead of those whom the system trusts
    #[arg(long, value_name = "FILE")]
    pub ca: Option<PathBuf>,

    /// For how many days the token is good
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=3650))]
    pub days: u32,

    #[command(flatten)]
    pub appearance: Appearance,
}

#[derive(Debug, Args)]
pub struct Logout {
    /// The profile whose token is removed, here and from the server
    #[arg(long, value_name = "NAME", default_value = "default")]
    pub profile: String,

    #[command(flatten)]
    pub appearance: Appearance,
}

impl ServiceArgument {
    /// Whether any of it is given.
    #[must_use]
    pub const fn is_given(&self) -> bool {
        self.server.is_some() || self.token_file.is_some() || self.profile.is_some() || self.ca.is_some()
    }
}

/// Where what is asked about is kept: in a store, or behind a service.
#[derive(Debug, Args, Clone)]
pub struct Home {
    #[command(flatten)]
    pub store: StoreArgument,

    #[command(flatten)]
    pub service: ServiceArgument,
}
