//! `guardbee backup`: a store in one file, and a store made of one.

use std::path::Path;

use anyhow::{Context as _, anyhow};
use guardbee_engine::clock::{Clock as _, SystemClock};
use guardbee_store::Location;
use guardbee_store::backup::{BackupError, Contents, Onto, back_up, restore, verify};

use crate::arguments::{Appearance, Backup, BackupCommand, BackupMake, BackupRestore, BackupVerify};
use crate::clock;
use crate::deep;
use crate::exit::Outcome;
use crate::output::print;
use crate::policy::source::NoPolicy;
use crate::progress::Progress;
use crate::recorded::named;
use crate::terminal::printable;

/// Runs the command.
///
/// # Errors
/// What kept it from being done.
pub fn run(arguments: &Backup) -> anyhow::Result<Outcome> {
    match &arguments.command {
        None => deep::run(|| told(make(&arguments.make), arguments.make.appearance)),
        Some(BackupCommand::Restore(asked)) => deep::run(|| told(put_back(asked), asked.appearance)),
        Some(BackupCommand::Verify(asked)) => deep::run(|| told(look_through(asked), asked.appearance)),
    }
}

async fn told(
    work: impl Future<Output = Result<(), NoPolicy>>,
    appearance: Appearance,
) -> anyhow::Result<Outcome> {
    match work.await {
        Ok(()) => Ok(Outcome::Fine),
        Err(none) => none.outcome(appearance),
    }
}

async fn make(arguments: &BackupMake) -> Result<(), NoPolicy> {
    let location = location(arguments.store.store.as_deref())?;
    let out = arguments.out.as_deref().ok_or_else(|| anyhow!("no file is named"))?;
    let progress = Progress::of_rows(arguments.appearance);
    let mut told = |rows| progress.advance(rows);
    let made = back_up(&location, out, SystemClock.now(), &mut told).await;
    progress.finish();
    let contents = made.map_err(|error| failure("cannot make the backup", error))?;
    print(&format!("made `{}` of {}\n{}", shown(out), printable(&location.to_string()), summary(&contents)))?;
    Ok(())
}

async fn put_back(arguments: &BackupRestore) -> Result<(), NoPolicy> {
    let location = location(arguments.store.store.as_deref())?;
    let onto = if arguments.replace { Onto::Anything } else { Onto::Empty };
    let progress = Progress::of_rows(arguments.appearance);
    let mut told = |rows| progress.advance(rows);
    let restored = restore(&arguments.backup, &location, onto, &mut told).await;
    progress.finish();
    let contents = restored.map_err(|error| failure("cannot restore the backup", error))?;
    let place = printable(&location.to_string());
    print(&format!("restored {place} from `{}`\n{}", shown(&arguments.backup), summary(&contents)))?;
    Ok(())
}

async fn look_through(arguments: &BackupVerify) -> Result<(), NoPolicy> {
    let contents = verify(&arguments.backup).await;
    let contents = contents.map_err(|error| failure("the backup cannot be used", error))?;
    print(&format!("`{}` is what was written\n{}", shown(&arguments.backup), summary(&contents)))?;
    Ok(())
}

fn location(store: Option<&str>) -> Result<Location, NoPolicy> {
    Ok(Location::parse(&named(store)?).context("cannot find the store")?)
}

/// What went wrong, with what can be done about it.
fn failure(what: &'static str, error: BackupError) -> NoPolicy {
    let hint = match &error {
        BackupError::NotEmpty(_) => Some("`--replace` puts the backup in its place"),
        BackupError::InUse(_) => Some("stop what uses it: it would go on with what is no longer there"),
        BackupError::Newer { .. } => Some("the newer guardbee restores it"),
        _ => None,
    };
    if let Some(hint) = hint {
        return NoPolicy::Failed(anyhow!("{what}: {error}; {hint}"));
    }
    NoPolicy::Failed(anyhow::Error::new(error).context(what))
}

fn summary(contents: &Contents) -> String {
    let Contents { made_at, schema, policy_version, runs, audit, rows, bytes } = contents;
    let audit = match audit.seq.0 {
        0 => "no audit records".to_owned(),
        records => format!("{}, ending at {records}:{}", counted(records, "audit record"), audit.hash),
    };
    format!(
        "as of {}, schema {schema}, policy version {policy_version}, {}\n{audit}\n{}, {bytes} bytes\n",
        clock::of(*made_at),
        counted(*runs, "run"),
        counted(*rows, "row"),
    )
}

fn shown(path: &Path) -> String {
    printable(&path.display().to_string())
}

fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
