//! Commands about the runs that a store remembers: recording, importing, and everything that is asked of them.

mod asking;
mod audit;
mod audit_table;
mod catalog;
mod forget;
mod history;
mod impact;
mod import;
mod leaks;
mod letters;
mod logged;
mod path;
mod query_log;
mod record;
mod recorder;
mod store;
mod tags;
mod trace;
pub mod trail;
mod viewing;
pub mod who_could;
mod who_did;

use crate::arguments::{
    Audit, DatasetHistory, Forget, Impact, ImportRuns, Leaks, PathBetween, Record, Tags, Trace, WhoCould,
    WhoDid,
};
use crate::deep;
use crate::exit::Outcome;

/// Runs `guardbee record`.
///
/// # Errors
/// What kept it from being done.
pub fn record(arguments: &Record) -> anyhow::Result<Outcome> {
    deep::run(|| record::record(arguments))
}

/// Runs `guardbee import`.
///
/// # Errors
/// What kept it from being done.
pub fn import(command: &ImportRuns) -> anyhow::Result<Outcome> {
    match command {
        ImportRuns::Querylog(arguments) => deep::run(|| import::import(arguments)),
        ImportRuns::Letters(arguments) => deep::run(|| letters::list(arguments)),
        ImportRuns::Replay(arguments) => deep::run(|| letters::replay(arguments)),
        ImportRuns::Discard(arguments) => deep::run(|| letters::discard(arguments)),
    }
}

/// Runs `guardbee trace` over a store.
///
/// # Errors
/// What kept it from being done.
pub fn trace(arguments: &Trace) -> anyhow::Result<Outcome> {
    deep::run(|| trace::trace(arguments))
}

/// Runs `guardbee impact`.
///
/// # Errors
/// What kept it from being done.
pub fn impact(arguments: &Impact) -> anyhow::Result<Outcome> {
    deep::run(|| impact::impact(arguments))
}

/// Runs `guardbee path`.
///
/// # Errors
/// What kept it from being done.
pub fn path(arguments: &PathBetween) -> anyhow::Result<Outcome> {
    deep::run(|| path::path(arguments))
}

/// Runs `guardbee history`.
///
/// # Errors
/// What kept it from being done.
pub fn history(arguments: &DatasetHistory) -> anyhow::Result<Outcome> {
    deep::run(|| history::history(arguments))
}

/// Runs `guardbee forget`.
///
/// # Errors
/// What kept it from being done.
pub fn forget(arguments: &Forget) -> anyhow::Result<Outcome> {
    deep::run(|| forget::forget(arguments))
}

/// Runs `guardbee audit`.
///
/// # Errors
/// What kept it from being done.
pub fn audit(arguments: &Audit) -> anyhow::Result<Outcome> {
    deep::run(|| audit::audit(arguments))
}

/// Runs `guardbee who-did`.
///
/// # Errors
/// What kept it from being done.
pub fn who_did(arguments: &WhoDid) -> anyhow::Result<Outcome> {
    deep::run(|| who_did::who_did(arguments))
}

/// Runs `guardbee who-could`.
///
/// # Errors
/// What kept it from being done.
pub fn who_could(arguments: &WhoCould) -> anyhow::Result<Outcome> {
    deep::run(|| who_could::who_could(arguments))
}

/// Runs `guardbee tags`.
///
/// # Errors
/// What kept it from being done.
pub fn tags(arguments: &Tags) -> anyhow::Result<Outcome> {
    deep::run(|| tags::tags(arguments))
}

/// Runs `guardbee leaks`.
///
/// # Errors
/// What kept it from being done.
pub fn leaks(arguments: &Leaks) -> anyhow::Result<Outcome> {
    deep::run(|| leaks::leaks(arguments))
}
