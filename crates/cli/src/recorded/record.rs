//! `guardbee record`: decides about statements, and records those that may run.
//!
//! Each input is a session of its own over a copy of the policy, as for `guardbee check`: nothing is executed, and
//! what a script grants counts for its later statements and nowhere else.

use std::sync::Arc;
use std::time::Instant;

use anyhow::Context as _;
use guardbee_engine::clock::{Clock, SystemClock};
use guardbee_engine::record::{KeyBase, Occasion, SessionTables};
use guardbee_engine::store::At;
use guardbee_engine::{Completeness, Outcome as Verdict, Session, recorded_catalog};
use guardbee_hiveql::script::Script;
use guardbee_lineage::{Context, RunOrigin};
use guardbee_model::Timestamp;
use guardbee_policy::Identity;
use guardbee_questions::TagGround;
use smol_str::SmolStr;

use super::query_log::{LoggedStatement, payload};
use super::recorder::{Payload, Recorder};
use super::store::{Made, Opened};
use crate::arguments::{AnswerFormat, Record};
use crate::catalogs::Catalogs;
use crate::check::{Ground, is_refused_ddl};
use crate::exit::Outcome;
use crate::input::{self, Input, Unreadable};
use crate::output::{Output, say, say_unreadable};
use crate::place::Places;
use crate::policy::plan::user_of_environment;
use crate::policy::source::{self, LoadedPolicy, NoPolicy};
use crate::progress::Progress;
use crate::render::record as page;
use crate::terminal::{Style, printable};
use crate::window::Window;
use crate::wire;
use crate::wire::recording::Line;

pub async fn record(arguments: &Record) -> anyhow::Result<Outcome> {
    match recorded(arguments).await {
        Ok(outcome) => Ok(outcome),
        Err(none) => none.outcome(arguments.appearance),
    }
}

async fn recorded(arguments: &Record) -> Result<Outcome, NoPolicy> {
    let started = Instant::now();
    let errors = Style::for_errors(arguments.appearance.color);
    let user = user(arguments)?;
    let (mut inputs, mut unreadable) = input::collect(&arguments.paths);
    if !arguments.expressions.is_empty() {
        inputs.push(Input::CommandLine(arguments.expressions.clone()));
    }
    let given = Catalogs::read(&arguments.reading)?;
    let opened = match Opened::open_or_make(arguments.store.store.as_deref(), &user).await? {
        Made::New(opened) => {
            say(&printable(&format!("made the store: `{user}` administers it and holds ALL ON SERVER")));
            opened
        }
        Made::Known(opened) => opened,
    };
    let loaded = source::from_store(&*opened.storage, At::Latest).await?;
    let progress = Progress::of(&inputs, arguments.appearance);
    let is_complete = !arguments.reading.catalog.is_empty();
    let given = match is_complete {
        true => given,
        false => {
            let version = arguments.reading.hive_version;
            let known = recorded_catalog(&*opened.storage, given.shared(), version).await;
            given.over(known.context("cannot read the recorded runs")?)
        }
    };
    let catalogs = given.with_declarations(&inputs, &arguments.reading, &progress);
    let groups = source::groups_of(&arguments.groups, &user)?;
    let identity = Identity { groups, ..Identity::of_user(&user) };
    let mut work = Work {
        arguments,
        loaded: &loaded,
        opened: &opened,
        identity,
        catalogs: &catalogs,
        completeness: if is_complete { Completeness::Complete } else { Completeness::Partial },
        time: arguments.time.unwrap_or_else(|| SystemClock.now()),
        recorder: Recorder::new(&opened),
        lines: Vec::new(),
        summary: wire::recording::RecordSummary::default(),
    };
    for (index, input) in inputs.iter().enumerate() {
        match input.read() {
            Ok(windows) => work.input(index, &windows).await?,
            Err(error) => unreadable.push(Unreadable::new(input.label(), &error)),
        }
        progress.advance(input.size_bytes());
    }
    progress.finish();
    let lines = std::mem::take(&mut work.lines);
    let mut summary = work.summary;
    let counts = work.recorder.finish().await?;
    summary.recorded = counts.recorded;
    summary.known = counts.known;
    summary.buried = counts.buried;
    summary.unreadable_files = unreadable.len() as u64;
    write(arguments, &lines, summary, started)?;
    say_unreadable(errors, &unreadable);
    Ok(if !unreadable.is_empty() {
        Outcome::Failure
    } else if summary.denied + summary.errors + summary.buried > 0 {
        Outcome::Findings
    } else {
        Outcome::Fine
    })
}

fn user(arguments: &Record) -> Result<String, NoPolicy> {
    let user = arguments.user.clone().or_else(user_of_environment);
    user.ok_or_else(|| NoPolicy::WrongUse("who runs the statements? `--user NAME`".to_owned()))
}

fn write(
    arguments: &Record,
    lines: &[Line],
    summary: wire::recording::RecordSummary,
    started: Instant,
) -> anyhow::Result<()> {
    let mut output = Output::standard();
    match arguments.format {
        AnswerFormat::Table => {
            let style = Style::for_output(arguments.appearance.color);
            output.write(&page::page(style, lines, summary, started.elapsed()));
        }
        AnswerFormat::Json => {
            let document = wire::recording::RecordDocument::of(lines, summary);
            output.write(&(wire::pretty(&document)? + "\n"));
        }
    }
    output.finish()
}

/// Records inputs, one after the other.
struct Work<'w> {
    arguments: &'w Record,
    loaded: &'w LoadedPolicy,
    opened: &'w Opened,
    identity: Identity,
    catalogs: &'w Catalogs,
    completeness: Completeness,
    time: Timestamp,
    recorder: Recorder,
    lines: Vec<Line>,
    summary: wire::recording::RecordSummary,
}

impl Work<'_> {
    async fn input(&mut self, index: usize, windows: &[Window<'_>]) -> anyhow::Result<()> {
        // Tags come with what was recorded of the inputs before.
        let tags = match self.loaded.policy.has_tags() {
            true => {
                self.recorder.write().await?;
                let (graph, storage) = (self.opened.graph(), &*self.opened.storage);
                TagGround::over(graph, &Arc::default(), storage, &self.loaded.policy).await?
            }
            false => TagGround::default(),
        };
        let ground = Ground {
            policy: &self.loaded.policy,
            tags: &tags,
            catalogs: self.catalogs,
            completeness: self.completeness,
            reading: &self.arguments.reading,
        };
        let mut session = ground.session(index, self.identity.clone());
        // Inputs follow each other in time; statements of one input do by their keys.
        let time = Timestamp(self.time.0.saturating_add(i64::try_from(index).unwrap_or(i64::MAX)));
        let texts = windows.iter().flat_map(|window| [window.label.as_str(), &*window.text]);
        let base = KeyBase::new(time, &self.identity.user, &texts.collect::<Vec<_>>());
        let mut tables = SessionTables::new(base.session());
        let mut ordinal = 0;
        for window in windows {
            let mut places = Places::starting_at(&window.text, window.start);
            for piece in Script::new(&window.text) {
                let line = places.of(piece.span.start).line;
                let script: Arc<str> = Arc::from(format!("{}:{line}", window.label));
                let occasion = Occasion {
                    key: base.key(ordinal),
                    started_at: None,
                    ended_at: time,
                    context: Arc::new(self.context(piece.text, &script, &session)),
                };
                ordinal += 1;
                self.statement((&mut session, &mut tables), piece.text.trim(), script, occasion).await?;
            }
        }
        Ok(())
    }

    async fn statement(
        &mut self,
        (session, tables): (&mut Session, &mut SessionTables),
        text: &str,
        script: Arc<str>,
        occasion: Occasion,
    ) -> anyhow::Result<()> {
        let before = session.snapshot();
        let executed = session.execute(text).await;
        if is_refused_ddl(&executed.checked) {
            session.carry_out(text).await;
        }
        let checked = &executed.checked;
        let mut audit = before.audit_of(text, checked, SystemClock.now());
        audit.policy_version = self.loaded.version.unwrap_or_default();
        audit.client = Some(SmolStr::new_static("guardbee record"));
        self.recorder.audit(audit);
        let run = before.run_of(text, checked, tables, occasion);
        self.summary.statements += 1;
        match (checked.outcome, &run) {
            (Verdict::Allowed, None) => self.summary.nothing += 1,
            (Verdict::Allowed, Some(_)) => {}
            (Verdict::Denied, _) => self.summary.denied += 1,
            (Verdict::Error, _) => self.summary.errors += 1,
        }
        self.lines.push(Line::of(script.clone(), checked, run.as_ref(), &self.loaded.policy));
        if let Some(run) = run {
            let logged = LoggedStatement {
                time: Some(run.ended_at),
                user: Some(run.context.user.clone()),
                groups: run.context.groups.clone(),
                text: text.to_owned(),
                ..LoggedStatement::default()
            };
            self.recorder.run(run, Payload { source: script, bytes: Arc::from(payload(&logged)) });
        }
        self.recorder.write_when_full().await
    }

    fn context(&self, statement: &str, script: &Arc<str>, session: &Session) -> Context {
        Context {
            origin: RunOrigin::Declared,
            statement: Arc::from(statement.trim()),
            script: Some(script.clone()),
            user: session.identity().user.clone(),
            groups: session.identity().groups.clone(),
            job: self.arguments.job.as_deref().map(SmolStr::new),
            purpose: self.arguments.purpose.as_deref().map(Arc::from),
            ..Context::default()
        }
    }
}
