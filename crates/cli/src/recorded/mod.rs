//! Commands about the runs that a store remembers: recording, importing, and everything that is asked of them.

mod answerable;
mod asking;
mod audit;
mod audit_pages;
mod audit_table;
mod describe;
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
mod runs;
mod search;
mod store;
mod tags;
mod trace;
pub mod trail;
mod viewing;
pub mod who_could;
mod who_did;

pub use store::{named, storage_or_new};

use crate::arguments::{
    Audit, DatasetHistory, Describe, Forget, Impact, ImportRuns, Leaks, PathBetween, Record, Runs, Search,
    Tags, Trace, WhoCould, WhoDid,
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

/// Runs `guardbee runs`.
///
/// # Errors
/// What kept it from being done.
pub fn runs(arguments: &Runs) -> anyhow::Result<Outcome> {
    deep::run(|| runs::runs(arguments))
}

/// Runs `guardbee search`.
///
/// # Errors
/// What kept it from being done.
pub fn search(arguments: &Search) -> anyhow::Result<Outcome> {
    deep::run(|| search::search(arguments))
}

/// Runs `guardbee describe`.
///
/// # Errors
/// What kept it from being done.
pub fn describe(arguments: &Describe) -> anyhow::Result<Outcome> {
    deep::run(|| describe::describe(arguments))
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

#[cfg(test)]
mod tests {
    use clap::Parser as _;
    use guardbee_questions::{
        AuditQuestion, DatasetsQuestion, DescribeQuestion, Direction, HistoryQuestion, ImpactQuestion,
        LeaksQuestion, PathQuestion, RunsQuestion, TagsQuestion, TraceQuestion, WhoCouldQuestion,
        WhoDidQuestion,
    };

    use crate::arguments::{Arguments, Command};

    /// Without options a question is the one that a service is asked with no more than what it is about.
    #[test]
    fn questions_have_the_same_defaults_everywhere() {
        for line in [
            "trace d.t",
            "impact d.t",
            "path a.b c.d",
            "history d.t",
            "runs",
            "search two words",
            "describe d.t",
            "tags d.t",
            "leaks",
            "who-could SELECT d.t",
            "who-did d.t",
            "audit",
        ] {
            let words = ["guardbee"].into_iter().chain(line.split(' '));
            match Arguments::try_parse_from(words).expect("a command line").command {
                Command::Trace(asked) => {
                    assert_eq!(super::trace::question(&asked), TraceQuestion::about("d.t"));
                    let down = crate::arguments::Trace { down: true, ..asked };
                    assert_eq!(super::trace::question(&down).direction, Direction::Down);
                    let both = crate::arguments::Trace { up: true, ..down };
                    assert_eq!(super::trace::question(&both).direction, Direction::Both);
                }
                Command::Impact(asked) => {
                    assert_eq!(super::impact::question(&asked), ImpactQuestion::about("d.t"));
                }
                Command::Path(asked) => {
                    assert_eq!(super::path::question(&asked), PathQuestion::between("a.b", "c.d"));
                }
                Command::History(asked) => {
                    assert_eq!(super::history::question(&asked), HistoryQuestion::about("d.t"));
                }
                Command::Runs(asked) => {
                    assert_eq!(super::runs::question(&asked.list), RunsQuestion::default());
                }
                Command::Search(asked) => {
                    assert_eq!(super::search::question(&asked), DatasetsQuestion::about("two words"));
                }
                Command::Describe(asked) => {
                    assert_eq!(super::describe::question(&asked), DescribeQuestion::about("d.t"));
                }
                Command::Tags(asked) => {
                    assert_eq!(super::tags::question(&asked), TagsQuestion::about("d.t"));
                }
                Command::Leaks(asked) => assert_eq!(asked.limit, LeaksQuestion::default().limit),
                Command::WhoCould(asked) => {
                    assert_eq!(super::who_could::question(&asked), WhoCouldQuestion::about("SELECT", "d.t"));
                }
                Command::WhoDid(asked) => {
                    assert_eq!(super::who_did::question(&asked), WhoDidQuestion::about("d.t"));
                }
                Command::Audit(asked) => {
                    assert_eq!(super::audit::question(&asked.list), AuditQuestion::default());
                }
                other => panic!("{line} is no {other:?}"),
            }
        }
    }
}
