//! `guardbee serve`: starts the service over a store, and stops it when told to.

use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;
use guardbee_engine::groups::{CachedGroups, CommandGroups, FixedGroups, GroupMapping, SystemGroups};
use guardbee_engine::{Completeness, EngineOptions, recorded_catalog};
use guardbee_exchange::json::export_json;
use guardbee_model::HiveVersion;
use guardbee_server::{JobOptions, Options, STACK_BYTES, Server, TlsFiles, TrustedProxy};
use smol_str::SmolStr;
use tokio::signal::unix::{SignalKind, signal};

use crate::arguments::{Appearance, ColorChoice, LogLines, Reading, Serve};
use crate::catalogs::Catalogs;
use crate::exit::Outcome;
use crate::output::say;
use crate::policy::source::NoPolicy;
use crate::recorded::storage_or_new;
use crate::terminal::printable;

const SECONDS_OF_A_DAY: u64 = 86_400;

/// Runs the command.
///
/// # Errors
/// What keeps the service from starting.
pub fn run(arguments: &Serve) -> anyhow::Result<Outcome> {
    log(arguments);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .thread_name("guardbee")
        .thread_stack_size(STACK_BYTES)
        .enable_all()
        .build()
        .context("cannot start a runtime")?;
    let served = runtime.block_on(serve(arguments));
    runtime.shutdown_timeout(Duration::from_secs(1));
    match served {
        Ok(()) => Ok(Outcome::Fine),
        Err(none) => none.outcome(Appearance { color: ColorChoice::Auto, quiet: true }),
    }
}

fn log(arguments: &Serve) {
    let lines = tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_max_level(arguments.log_level)
        .with_target(false);
    match arguments.log {
        LogLines::Text => lines.with_ansi(false).init(),
        LogLines::Json => lines.json().flatten_event(true).init(),
    }
}

async fn serve(arguments: &Serve) -> Result<(), NoPolicy> {
    // Told to stop while it starts, it stops once it has started.
    let mut interrupted = signal(SignalKind::interrupt()).context("cannot be told to stop")?;
    let mut terminated = signal(SignalKind::terminate()).context("cannot be told to stop")?;
    let (storage, is_new) =
        storage_or_new(arguments.store.store.as_deref(), &arguments.first_account).await?;
    if is_new {
        tracing::info!(administrator = arguments.first_account, "made the store");
    }
    let given = Catalogs::read(&Reading::with_catalog(arguments.catalog.clone(), arguments.hive_version))?;
    let catalog = recorded_catalog(&*storage, given.shared(), arguments.hive_version).await;
    let catalog = catalog.context("cannot read the recorded runs")?;
    let options = Options {
        listen: arguments.listen,
        tls: tls(arguments),
        trusted_proxy: proxy(arguments),
        engine: EngineOptions {
            hive_version: arguments.hive_version,
            other_versions: HiveVersion::ALL
                .iter()
                .copied()
                .filter(|one| *one != arguments.hive_version)
                .collect(),
            catalog,
            completeness: Completeness::Partial,
            groups: groups(arguments.groups_from.as_deref())?,
            ..EngineOptions::default()
        },
        first_account: SmolStr::new(&arguments.first_account),
        write_policy: Some(|policy| export_json(policy.changes())),
        longest_without_store: Duration::from_secs(u64::from(arguments.longest_without_store)),
        jobs: JobOptions {
            every: Duration::from_secs(u64::from(arguments.jobs_every)),
            keep_runs_for: arguments
                .keep_runs_for
                .map(|days| Duration::from_secs(u64::from(days) * SECONDS_OF_A_DAY)),
        },
        ..Options::default()
    };
    let server = Server::start(storage, options).await.context("cannot start the service")?;
    if let Some(account) = server.first_account() {
        let name = printable(&account.name);
        say(&format!("made the account `{name}` with the one-time password {}", account.password));
        say("sign in with it and change it: it is not shown again");
    }
    let scheme = if arguments.tls_certificate.is_some() { "https" } else { "http" };
    tracing::info!(address = %format!("{scheme}://{}", server.address()), "listening");
    server
        .run_until(async {
            tokio::select! {
                _ = interrupted.recv() => {}
                _ = terminated.recv() => {}
            }
            tracing::info!("stopping");
        })
        .await;
    tracing::info!("stopped");
    Ok(())
}

fn tls(arguments: &Serve) -> Option<TlsFiles> {
    Some(TlsFiles {
        certificate: arguments.tls_certificate.clone()?,
        key: arguments.tls_key.clone()?,
        client_authority: arguments.tls_client_authority.clone(),
    })
}

fn proxy(arguments: &Serve) -> Option<TrustedProxy> {
    Some(TrustedProxy {
        addresses: arguments.trusted_proxy.clone(),
        user_header: SmolStr::new(arguments.proxy_user_header.as_deref()?),
    })
}

/// The mapping that the command line names; without one nobody is in any group.
fn groups(source: Option<&str>) -> anyhow::Result<Box<dyn GroupMapping>> {
    Ok(match source {
        None => Box::new(FixedGroups::default()),
        Some("system") => Box::new(CachedGroups::new(Box::new(SystemGroups))),
        Some(source) => match source.strip_prefix("file:") {
            Some(path) => Box::new(FixedGroups::read(Path::new(path)).with_context(|| format!("`{path}`"))?),
            None => {
                let mut words = source.split_whitespace();
                let program = words.next().context("`--groups-from` names no command")?;
                let command = CommandGroups::new(program, words.map(Into::into).collect());
                Box::new(CachedGroups::new(Box::new(command)))
            }
        },
    })
}
