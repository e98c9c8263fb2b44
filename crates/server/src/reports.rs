//! Reports of statements that ended, on their way to a run, the audit log or the dead letters.
//!
//! A report is worked on to its end even where nobody waits for the answer any more: sent again, it is answered by what
//! became of it. Reports with the same key take turns, and so do those of one session.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::http::StatusCode;
use guardbee_engine::audit::{AuditKind, AuditRecord, Verdict};
use guardbee_engine::record::{Occasion, SessionTables};
use guardbee_engine::run_store::{Appended, DeadLetter, LetterBounds};
use guardbee_engine::{Checked, Outcome, Session};
use guardbee_lineage::{Context, RunKey, RunOrigin, utc};
use guardbee_model::{Name, Timestamp};
use guardbee_policy::Identity;
use guardbee_wire::logged::LoggedLine;
use guardbee_wire::service::runs::{Kept, RunAnswer, RunOutcome, RunReport};
use rustc_hash::FxBuildHasher;
use smol_str::{SmolStr, format_smolstr};
use tokio::sync::{Mutex as Turn, OwnedMutexGuard, Semaphore};

use crate::endpoint::Call;
use crate::problem::Problem;

/// Reports that may be under way at once.
const MOST_UNDER_WAY: usize = 4096;
/// So long is waited for what becomes of one.
const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// Keys take turns by their hash, in so many queues.
const QUEUES: usize = 1024;
/// Sessions that are kept; where there are more, those go that were used least recently.
const MOST_SESSIONS: usize = 10_000;
/// So many answers are known still, and as many again from before those.
const MOST_ANSWERS: usize = 50_000;
/// Of a key.
const LONGEST_KEY_BYTES: usize = 512;

/// What reports have in common.
pub(crate) struct Reports {
    under_way: Arc<Semaphore>,
    queues: Vec<Turn<()>>,
    sessions: Mutex<Sessions>,
    answers: Mutex<Answers>,
    /// Runs that are recorded, and from which the policy does not follow yet: the store failed in between.
    unfollowed: Mutex<HashSet<SmolStr>>,
}

#[derive(Default)]
struct Sessions {
    known: HashMap<SmolStr, Known>,
    uses: u64,
}

struct Known {
    held: Arc<Turn<Held>>,
    last_use: u64,
}

/// A session of an engine, as its reports have left it.
struct Held {
    session: Session,
    tables: SessionTables,
}

#[derive(Default)]
struct Answers {
    recent: HashMap<SmolStr, RunAnswer>,
    before: HashMap<SmolStr, RunAnswer>,
}

/// The moments of a report.
#[derive(Debug, Clone, Copy)]
struct Moments {
    started_at: Option<Timestamp>,
    ended_at: Timestamp,
}

impl Default for Reports {
    fn default() -> Self {
        Self {
            under_way: Arc::new(Semaphore::new(MOST_UNDER_WAY)),
            queues: std::iter::repeat_with(Turn::default).take(QUEUES).collect(),
            sessions: Mutex::default(),
            answers: Mutex::default(),
            unfollowed: Mutex::default(),
        }
    }
}

/// What becomes of a report; it is durable then, and in all answers.
///
/// # Errors
/// The problem of a report that makes no sense, and of a store that does not keep it for now. It can be sent again.
pub(crate) async fn take(call: &Call, report: RunReport) -> Result<RunAnswer, Problem> {
    let moments = moments(&report)?;
    let place = call.service.reports.under_way.clone().try_acquire_owned().map_err(|_| waiting())?;
    let call = call.clone();
    let work = tokio::spawn(async move {
        let _place = place;
        kept(&call, &report, moments).await
    });
    match tokio::time::timeout(LONGEST_WAIT, work).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(_)) => Err(Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "broken", "the work broke off")),
        Err(_) => Err(waiting()),
    }
}

fn waiting() -> Problem {
    Problem::busy("runs-waiting", "too many runs wait to be recorded", Duration::from_secs(1))
        .with_hint("send it again: its key keeps it from being recorded twice")
}

fn moments(report: &RunReport) -> Result<Moments, Problem> {
    if report.key.is_empty() || report.key.len() > LONGEST_KEY_BYTES {
        let detail = format!("the key of a run has 1 to {LONGEST_KEY_BYTES} bytes");
        return Err(Problem::senseless("wrong-key", detail));
    }
    if report.user.is_empty() {
        return Err(Problem::senseless("no-user", "a report says whose statement it was"));
    }
    let moment = |field: &str, text: &str| {
        utc::parse(text).ok_or_else(|| {
            Problem::senseless("no-moment", format!("`{field}` is no moment"))
                .with_hint("write it like `2026-11-29T02:14:05.123Z`")
        })
    };
    Ok(Moments {
        started_at: report.started_at.as_deref().map(|text| moment("started_at", text)).transpose()?,
        ended_at: moment("ended_at", &report.ended_at)?,
    })
}

async fn kept(call: &Call, report: &RunReport, moments: Moments) -> Result<RunAnswer, Problem> {
    let reports = &call.service.reports;
    let _turn = reports.turn(&report.key).await;
    if let Some(answer) = reports.answer(call, &report.key) {
        return Ok(answer);
    }
    let mut held = reports.session(call, report).await;
    let identity = Identity {
        groups: report.groups.iter().map(SmolStr::new).collect(),
        ..Identity::of_user(&report.user)
    };
    held.session = held.session.clone().passed_to(identity);
    if let Some(database) = &report.database {
        held.session.use_database(Name::fold(database));
    }
    let (kept, reason) = match report.outcome {
        RunOutcome::Succeeded => recorded(call, report, moments, &mut held).await?,
        RunOutcome::Failed | RunOutcome::Denied => {
            let record = audit(call, report, &held.session);
            call.service.trail.keep(record).await?;
            (Kept::Audit, None)
        }
    };
    let answer = RunAnswer { key: report.key.clone(), kept, reason };
    reports.remember(&answer);
    Ok(answer)
}

/// First the run, so that nothing follows from one that is not kept.
async fn recorded(
    call: &Call,
    report: &RunReport,
    moments: Moments,
    held: &mut Held,
) -> Result<(Kept, Option<String>), Problem> {
    let before = held.session.snapshot();
    let checked = before.reported(&report.statement);
    if !checked.is_allowed() {
        let reason = checked.problem.as_ref().map_or("it cannot be read", |problem| &problem.message);
        return bury(call, report, reason).await;
    }
    let mut tables = held.tables.clone();
    let occasion = Occasion {
        key: RunKey(SmolStr::new(&report.key)),
        started_at: moments.started_at,
        ended_at: moments.ended_at,
        context: Arc::new(context(report)),
    };
    let run = before.run_of(&report.statement, &checked, &mut tables, occasion);
    let appended = match run {
        Some(run) => Some(call.service.lineage.ingest(run).await?),
        None => None,
    };
    let is_known = matches!(appended, Some(Appended::Known(_)));
    if !is_known || call.service.reports.has_not_followed(&report.key) {
        follow(call, report, &checked, held).await?;
        held.tables = tables;
    }
    match appended {
        Some(Appended::Refused(reason)) => bury(call, report, &reason).await,
        Some(Appended::New(_) | Appended::Known(_)) => Ok((Kept::Run, None)),
        None => Ok((Kept::Nowhere, None)),
    }
}

async fn follow(call: &Call, report: &RunReport, checked: &Checked, held: &mut Held) -> Result<(), Problem> {
    let reports = &call.service.reports;
    let followed = held.session.follow(&report.statement, checked).await;
    let failed = followed.filter(|followed| followed.checked.outcome != Outcome::Allowed);
    let mut unfollowed = reports.unfollowed.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(failed) = failed else {
        unfollowed.remove(report.key.as_str());
        return Ok(());
    };
    if unfollowed.len() < MOST_ANSWERS {
        unfollowed.insert(SmolStr::new(&report.key));
    }
    let why = failed.checked.problem.map_or_else(String::new, |problem| problem.message);
    let detail = format!("the run is recorded, and the policy does not follow from it yet: {why}");
    Err(Problem::busy("not-followed", detail, Duration::from_secs(1)).with_hint("send it again"))
}

/// Who sent it, and what it would take to try it again.
async fn bury(call: &Call, report: &RunReport, reason: &str) -> Result<(Kept, Option<String>), Problem> {
    let letter = DeadLetter {
        received_at: call.service.now(),
        source: Arc::from(format!("reported by `{}`", call.caller.name)),
        reason: Arc::from(reason),
        payload: Arc::from(logged(report).to_bytes()),
    };
    match call.service.storage.bury(&[letter], LetterBounds::default()).await?.first() {
        Some(Some(_)) => Ok((Kept::Letter, Some(reason.to_owned()))),
        _ => {
            let detail =
                format!("it cannot be recorded, and there is no room for more dead letters: {reason}");
            Err(Problem::new(StatusCode::INSUFFICIENT_STORAGE, "letters-full", detail)
                .with_hint("`guardbee import discard` makes room"))
        }
    }
}

fn logged(report: &RunReport) -> LoggedLine {
    LoggedLine {
        time: Some(report.ended_at.clone().into()),
        user: Some(report.user.clone()),
        groups: report.groups.clone(),
        database: report.database.clone(),
        sql: report.statement.clone(),
        key: Some(report.key.clone()),
        query_id: report.query_id.clone(),
        session: report.session.clone(),
        host: report.host.clone(),
        client_address: report.client_address.clone(),
    }
}

fn context(report: &RunReport) -> Context {
    let text = |text: &Option<String>| text.as_deref().map(SmolStr::new);
    Context {
        origin: RunOrigin::Reported,
        statement: Arc::from(report.statement.trim()),
        script: None,
        user: SmolStr::new(&report.user),
        impersonated: text(&report.impersonated),
        groups: report.groups.iter().map(SmolStr::new).collect(),
        roles: Vec::new(),
        cluster: text(&report.cluster),
        host: text(&report.host),
        client_address: text(&report.client_address),
        engine: text(&report.engine),
        engine_version: text(&report.engine_version),
        query_id: text(&report.query_id),
        session: text(&report.session),
        application: text(&report.application),
        job: text(&report.job),
        purpose: report.purpose.as_deref().map(Arc::from),
        parent_run: report.parent_run.as_deref().map(|key| RunKey(SmolStr::new(key))),
        rows_written: report.rows_written,
        bytes_written: report.bytes_written,
    }
}

fn audit(call: &Call, report: &RunReport, session: &Session) -> AuditRecord {
    let session = session.snapshot();
    let checked = session.reported(&report.statement);
    let record = session.audit_of(&report.statement, &checked, call.service.now());
    let (kind, verdict) = match report.outcome {
        RunOutcome::Denied => (record.kind, Verdict::Denied),
        RunOutcome::Failed | RunOutcome::Succeeded => (AuditKind::Failure, Verdict::Allowed),
    };
    let client = report.client_address.as_deref().unwrap_or(&call.client);
    AuditRecord {
        kind,
        verdict,
        reasons: report.reason.as_deref().map(Arc::from).into_iter().collect(),
        client: Some(SmolStr::new(client)).filter(|client| !client.is_empty()),
        ..record
    }
}

impl Reports {
    async fn turn(&self, key: &str) -> Option<tokio::sync::MutexGuard<'_, ()>> {
        let place = usize::try_from(FxBuildHasher.hash_one(key) >> 32).unwrap_or_default() % QUEUES;
        match self.queues.get(place) {
            Some(queue) => Some(queue.lock().await),
            None => None,
        }
    }

    /// What became of a report with that key before.
    fn answer(&self, call: &Call, key: &str) -> Option<RunAnswer> {
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(answer) = answers.of(key) {
            return Some(answer);
        }
        drop(answers);
        let snapshot = call.service.lineage.snapshot();
        let is_recorded = snapshot.graph.run_of_key(&RunKey(SmolStr::new(key))).is_some();
        let is_done = is_recorded && !self.has_not_followed(key);
        is_done.then(|| RunAnswer { key: key.to_owned(), kept: Kept::Run, reason: None })
    }

    fn remember(&self, answer: &RunAnswer) {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.add(answer.clone());
    }

    fn has_not_followed(&self, key: &str) -> bool {
        self.unfollowed.lock().unwrap_or_else(PoisonError::into_inner).contains(key)
    }

    /// The session that a report is of; one of its own where it names none.
    async fn session(&self, call: &Call, report: &RunReport) -> OwnedMutexGuard<Held> {
        let start = |name: SmolStr| {
            let session = call.service.session(&report.user, Vec::new());
            Arc::new(Turn::new(Held { session, tables: SessionTables::new(name) }))
        };
        let held = match &report.session {
            None => start(SmolStr::new(&report.key)),
            Some(session) => {
                // What one account reports does not reach into the sessions of another.
                let name = format_smolstr!("{}\0{session}", call.caller.name);
                let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
                sessions.held(name, || start(SmolStr::new(session)))
            }
        };
        held.lock_owned().await
    }
}

impl Sessions {
    fn held(&mut self, name: SmolStr, start: impl FnOnce() -> Arc<Turn<Held>>) -> Arc<Turn<Held>> {
        if self.known.len() >= MOST_SESSIONS && !self.known.contains_key(&name) {
            self.forget_older_half();
        }
        self.uses += 1;
        let known = self.known.entry(name).or_insert_with(|| Known { held: start(), last_use: 0 });
        known.last_use = self.uses;
        known.held.clone()
    }

    fn forget_older_half(&mut self) {
        let mut uses: Vec<u64> = self.known.values().map(|known| known.last_use).collect();
        let middle = uses.len() / 2;
        let median = *uses.select_nth_unstable(middle).1;
        self.known.retain(|_, known| known.last_use >= median);
    }
}

impl Answers {
    fn of(&self, key: &str) -> Option<RunAnswer> {
        self.recent.get(key).or_else(|| self.before.get(key)).cloned()
    }

    fn add(&mut self, answer: RunAnswer) {
        if self.recent.len() >= MOST_ANSWERS {
            self.before = std::mem::take(&mut self.recent);
        }
        self.recent.insert(SmolStr::new(&answer.key), answer);
    }
}
