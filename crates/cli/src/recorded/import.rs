//! `guardbee import querylog`: records what ran elsewhere. It ran, so nothing is decided.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Instant, UNIX_EPOCH};

use guardbee_engine::clock::{Clock, SystemClock};
use guardbee_engine::run_store::{DeadLetter, LetterBounds};
use guardbee_engine::store::At;
use guardbee_model::Timestamp;

use super::logged::{Defaults, LoggedRuns};
use super::query_log::{self, BadPiece, LogReader, LoggedStatement, Piece};
use super::recorder::{Payload, Recorder};
use super::store::{Made, Opened};
use crate::arguments::{AnswerFormat, QueryLog};
use crate::exit::Outcome;
use crate::input::{self, Input, Unreadable};
use crate::output::{print, say, say_unreadable};
use crate::policy::plan::user_of_environment;
use crate::policy::source::{self, NoPolicy};
use crate::progress::Progress;
use crate::render::record::import_total;
use crate::terminal::{Style, printable};
use crate::wire;
use crate::wire::recording::{ImportDocument, ImportSummary};

/// So many of what could not be recorded are named; the rest is counted.
const NAMED: u64 = 10;

pub async fn import(arguments: &QueryLog) -> anyhow::Result<Outcome> {
    match imported(arguments).await {
        Ok(outcome) => Ok(outcome),
        Err(none) => none.outcome(arguments.appearance),
    }
}

async fn imported(arguments: &QueryLog) -> Result<Outcome, NoPolicy> {
    let started = Instant::now();
    let (logs, mut unreadable) = logs(&arguments.paths);
    let maker = user_of_environment().or_else(|| arguments.user.clone());
    let maker = maker.ok_or_else(|| NoPolicy::WrongUse("who imports? `--user NAME`".to_owned()))?;
    let opened = match Opened::open_or_make(arguments.store.store.as_deref(), &maker).await? {
        Made::New(opened) => {
            say(&printable(&format!("made the store: `{maker}` administers it and holds ALL ON SERVER")));
            opened
        }
        Made::Known(opened) => opened,
    };
    let policy = source::from_store(&*opened.storage, At::Latest).await?.policy;
    let defaults =
        Defaults { user: arguments.user.clone(), file_system: policy.settings().default_file_system.clone() };
    let bounds = LetterBounds { count: arguments.most_letters, ..LetterBounds::default() };
    let mut work = Work {
        runs: LoggedRuns::new(&opened, &arguments.reading, defaults).await?,
        recorder: Recorder::new(&opened).with_letters(bounds),
        summary: ImportSummary::default(),
        quiet: arguments.format == AnswerFormat::Json,
    };
    let progress = Progress::of_bytes(logs.iter().map(|log| size_bytes(log)).sum(), arguments.appearance);
    for log in &logs {
        match work.log(log, arguments, &progress).await {
            Ok(()) => work.summary.files += 1,
            Err(Failed::Unreadable(file)) => unreadable.push(file),
            Err(Failed::Store(error)) => {
                progress.finish();
                return Err(error.into());
            }
        }
    }
    progress.finish();
    let mut summary = work.summary;
    let counts = work.recorder.finish().await?;
    summary.recorded = counts.recorded;
    summary.known = counts.known;
    summary.buried = counts.buried;
    summary.unreadable_files = unreadable.len() as u64;
    let text = match arguments.format {
        AnswerFormat::Table => {
            import_total(Style::for_output(arguments.appearance.color), summary, started.elapsed())
        }
        AnswerFormat::Json => wire::pretty(&ImportDocument::of(summary)).map_err(anyhow::Error::new)? + "\n",
    };
    print(&text)?;
    say_unreadable(Style::for_errors(arguments.appearance.color), &unreadable);
    Ok(if !unreadable.is_empty() {
        Outcome::Failure
    } else if summary.buried > 0 {
        Outcome::Findings
    } else {
        Outcome::Fine
    })
}

enum Failed {
    Unreadable(Unreadable),
    Store(anyhow::Error),
}

struct Work {
    runs: LoggedRuns,
    recorder: Recorder,
    summary: ImportSummary,
    quiet: bool,
}

impl Work {
    /// Reads one log. No more of it is in memory than what waits for the store's next transaction.
    async fn log(&mut self, path: &Path, arguments: &QueryLog, progress: &Progress) -> Result<(), Failed> {
        let label = path.display().to_string();
        let unreadable = |error| Failed::Unreadable(Unreadable::new(label.clone(), &error));
        let time = arguments.time.unwrap_or_else(|| time_of(path));
        let mut reader = LogReader::open(path, arguments.form).map_err(unreadable)?;
        self.runs.start_file(&label, reader.form(), time);
        while let Some(piece) = reader.next().map_err(unreadable)? {
            match piece {
                Piece::Statement(statement) => self.statement(&label, &statement, progress),
                Piece::Bad(bad) => self.bad_piece(&label, bad, progress),
            }
            progress.advance(reader.taken_bytes());
            self.recorder.write_when_full().await.map_err(Failed::Store)?;
        }
        progress.advance(reader.taken_bytes());
        Ok(())
    }

    fn statement(&mut self, label: &str, statement: &LoggedStatement, progress: &Progress) {
        self.summary.statements += 1;
        let source: Arc<str> = Arc::from(format!("{label}:{}", statement.line));
        match self.runs.run_of(statement) {
            Ok(Some(run)) => {
                let bytes = Arc::from(query_log::payload(&self.runs.completed(statement)));
                self.recorder.run(run, Payload { source, bytes });
            }
            Ok(None) => self.summary.nothing += 1,
            Err(reason) => {
                let payload = query_log::payload(&self.runs.completed(statement));
                self.bury(source, &reason, payload, progress);
            }
        }
    }

    fn bad_piece(&mut self, label: &str, bad: BadPiece, progress: &Progress) {
        let source: Arc<str> = Arc::from(format!("{label}:{}", bad.line));
        self.bury(source, &bad.reason, bad.payload, progress);
    }

    fn bury(&mut self, source: Arc<str>, reason: &str, payload: Vec<u8>, progress: &Progress) {
        self.summary.refused += 1;
        if self.summary.refused <= NAMED && !self.quiet {
            progress.aside(|| say(&printable(&format!("{source}: not recorded: {reason}"))));
        }
        self.recorder.letter(DeadLetter {
            received_at: SystemClock.now(),
            source,
            reason: Arc::from(reason),
            payload: Arc::from(payload),
        });
    }
}

/// The logs that the paths stand for, in their order; `-` is standard input.
fn logs(paths: &[PathBuf]) -> (Vec<PathBuf>, Vec<Unreadable>) {
    let (mut logs, mut unreadable): (Vec<PathBuf>, Vec<Unreadable>) = Default::default();
    for path in paths {
        if path.as_os_str() == "-" {
            logs.push(path.clone());
            continue;
        }
        let (found, missing) = input::collect(std::slice::from_ref(path));
        unreadable.extend(missing);
        logs.extend(found.into_iter().filter_map(|input| match input {
            Input::File(path) => Some(path),
            Input::Standard(_) | Input::CommandLine(_) => None,
        }));
    }
    let mut seen = HashSet::new();
    logs.retain(|path| seen.insert(path.clone()));
    (logs, unreadable)
}

fn size_bytes(log: &Path) -> u64 {
    std::fs::metadata(log).map_or(0, |metadata| metadata.len())
}

/// When a file was written last; now where nobody knows.
fn time_of(log: &Path) -> Timestamp {
    modified(log).unwrap_or_else(|| SystemClock.now())
}

fn modified(path: &Path) -> Option<Timestamp> {
    let modified = std::fs::metadata(path).and_then(|metadata| metadata.modified()).ok()?;
    let since = modified.duration_since(UNIX_EPOCH).ok()?;
    i64::try_from(since.as_millis()).ok().map(Timestamp)
}
