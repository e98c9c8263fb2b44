//! `guardbee import querylog`: records what ran elsewhere. It ran, so nothing is decided.

use std::path::Path;
use std::sync::Arc;
use std::time::{Instant, UNIX_EPOCH};

use guardbee_engine::clock::{Clock, SystemClock};
use guardbee_engine::run_store::DeadLetter;
use guardbee_engine::store::At;
use guardbee_model::Timestamp;

use super::logged::{Defaults, LoggedRuns};
use super::query_log::{self, BadLine, LoggedStatement};
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
use crate::wire::lineage::{ImportDocument, ImportSummary};

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
    let (inputs, mut unreadable) = input::collect(&arguments.paths);
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
    let mut work = Work {
        runs: LoggedRuns::new(&opened, &arguments.reading, defaults).await?,
        recorder: Recorder::new(&opened),
        summary: ImportSummary::default(),
        quiet: arguments.format == AnswerFormat::Json,
    };
    let progress = Progress::of(&inputs, arguments.appearance);
    for input in &inputs {
        match work.input(input, arguments).await {
            Ok(()) => work.summary.files += 1,
            Err(Failed::Unreadable(file)) => unreadable.push(file),
            Err(Failed::Store(error)) => return Err(error.into()),
        }
        progress.advance(input.size_bytes());
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
    async fn input(&mut self, input: &Input, arguments: &QueryLog) -> Result<(), Failed> {
        let label = input.label();
        let windows =
            input.read().map_err(|error| Failed::Unreadable(Unreadable::new(label.clone(), &error)))?;
        let time = arguments.time.unwrap_or_else(|| time_of(input));
        for window in &windows {
            let form = arguments.form.unwrap_or_else(|| query_log::form_of(&window.label, &window.text));
            let log = query_log::read(form, &window.text);
            self.runs.start_file(&window.label, form, time);
            for statement in log.statements {
                self.statement(&window.label, statement).await.map_err(Failed::Store)?;
            }
            for bad in log.bad {
                self.bad_line(&window.label, bad);
            }
        }
        Ok(())
    }

    async fn statement(&mut self, label: &str, statement: LoggedStatement) -> anyhow::Result<()> {
        self.summary.statements += 1;
        let source: Arc<str> = Arc::from(format!("{label}:{}", statement.line));
        match self.runs.run_of(&statement) {
            Ok(Some(run)) => {
                let bytes = Arc::from(query_log::payload(&statement));
                self.recorder.run(run, Payload { source, bytes });
            }
            Ok(None) => self.summary.nothing += 1,
            Err(reason) => {
                let payload = query_log::payload(&self.runs.completed(&statement));
                self.bury(source, &reason, payload);
            }
        }
        self.recorder.write_when_full().await
    }

    fn bad_line(&mut self, label: &str, bad: BadLine) {
        let source: Arc<str> = Arc::from(format!("{label}:{}", bad.line));
        self.bury(source, &bad.reason, bad.text.into_bytes());
    }

    fn bury(&mut self, source: Arc<str>, reason: &str, payload: Vec<u8>) {
        self.summary.refused += 1;
        if self.summary.refused <= NAMED && !self.quiet {
            say(&printable(&format!("{source}: not recorded: {reason}")));
        }
        self.recorder.letter(DeadLetter {
            received_at: SystemClock.now(),
            source,
            reason: Arc::from(reason),
            payload: Arc::from(payload),
        });
    }
}

/// When a file was written last; now where nobody knows.
fn time_of(input: &Input) -> Timestamp {
    let Input::File(path) = input else { return SystemClock.now() };
    modified(path).unwrap_or_else(|| SystemClock.now())
}

fn modified(path: &Path) -> Option<Timestamp> {
    let modified = std::fs::metadata(path).and_then(|metadata| metadata.modified()).ok()?;
    let since = modified.duration_since(UNIX_EPOCH).ok()?;
    i64::try_from(since.as_millis()).ok().map(Timestamp)
}
