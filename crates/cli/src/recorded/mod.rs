//! Commands about the runs that a store remembers: recording, importing, and everything that is asked of them.

mod audit;
mod catalog;
mod dataset;
mod excerpt;
mod history;
mod impact;
mod import;
mod letters;
mod logged;
mod openlineage;
mod path;
mod prov;
mod query_log;
mod record;
mod recorder;
mod store;
mod trace;
mod viewer;
mod who_did;

use crate::arguments::{Audit, DatasetHistory, Impact, ImportRuns, PathBetween, Record, Trace, WhoDid};
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
