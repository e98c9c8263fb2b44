//! `guardbee policy plan`, `apply` and `restore`: from the policy that is to the one that should be.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::anyhow;
use guardbee_engine::audit::AuditRecord;
use guardbee_engine::clock::{Clock, SystemClock};
use guardbee_engine::difference::{Author, locks_administrators_out};
use guardbee_engine::store::{Commit, PolicyVersion, Storage, Store, StoreError, new_commit_key};
use guardbee_engine::{ChangeAsked, Engine, EngineOptions};
use guardbee_policy::{Change, Policy, Settings};
use guardbee_questions::policy::{self, Lockout, PolicyChange};
use guardbee_questions::{Asker, Unanswered};
use smol_str::SmolStr;

use super::source::{self, NoPolicy, Warehouse};
use super::{comparison, past, remote};
use crate::arguments::{AnswerFormat, Appearance, Apply, Plan, Restore, Signature};
use crate::client;
use crate::exit::Outcome;
use crate::output::{Output, print};
use crate::terminal::{Paint, Style};
use crate::wire;
use crate::wire::policy::{ChangeDocument, PlanDocument};

/// What the audit log has for the place that a change comes from.
const CLIENT: &str = "guardbee";

/// Runs `policy plan`.
///
/// # Errors
/// What kept it from being done.
pub async fn plan(arguments: &Plan) -> anyhow::Result<Outcome> {
    match planned(arguments).await {
        Ok(document) => {
            told_plan(arguments, &document)?;
            Ok(if document.differences.is_empty() { Outcome::Fine } else { Outcome::Findings })
        }
        Err(none) => none.outcome(arguments.appearance),
    }
}

async fn planned(arguments: &Plan) -> Result<PlanDocument, NoPolicy> {
    let home = &arguments.home;
    if let Some(client) = client::service(home.store.store.is_some(), &home.service, arguments.appearance)? {
        return remote::plan(&client, arguments);
    }
    let warehouse = Warehouse::of(&arguments.known)?;
    let location = source::named_store(home.store.store.as_deref())?;
    let current = source::latest_or_empty(&location).await?;
    let desired = desired(&arguments.paths, &warehouse, arguments.appearance).await?;
    let version = current.version.unwrap_or_default();
    let plan = policy::Plan::of(&current.policy, version, &desired, SystemClock.now())?;
    let past = match arguments.log.as_slice() {
        [] => None,
        logs => {
            let mut past = plan.past(|| warehouse.options());
            past::read(logs, &mut past, arguments.appearance)?;
            Some(past.document())
        }
    };
    Ok(plan.document(past))
}

fn told_plan(arguments: &Plan, document: &PlanDocument) -> anyhow::Result<()> {
    match arguments.format {
        AnswerFormat::Json => print(&(wire::pretty(document)? + "\n")),
        AnswerFormat::Table => {
            let style = Style::for_output(arguments.appearance.color);
            let mut output = Output::standard();
            output.write(&comparison::text(style, &document.differences));
            if let Some(past) = &document.past {
                output.write(&past::text(style, past, arguments.limit));
            }
            output.write(&total(style, document));
            output.finish()
        }
    }
}

fn total(style: Style, document: &PlanDocument) -> String {
    let mut out = String::new();
    let (differences, version) = (&document.differences, document.policy_version);
    if differences.is_empty() {
        return format!("nothing to change: the policy is what the files say (version {version})\n");
    }
    out.push('\n');
    if document.locks_administrators_out {
        let warning = "nobody could administer the policy any more: `apply` would need --force";
        out.push_str(&format!("{}\n", style.paint(Paint::Bad, warning)));
    }
    let (added, removed) = (differences.added(), differences.removed());
    out.push_str(&format!("{added} to add, {removed} to remove, planned against version {version}\n"));
    out
}

/// Runs `policy apply`.
///
/// # Errors
/// What kept it from being done; nothing has changed then.
pub async fn apply(arguments: &Apply) -> anyhow::Result<Outcome> {
    match applied(arguments).await {
        Ok(document) => {
            let style = Style::for_output(arguments.appearance.color);
            print(&comparison::removals_text(style, &document.differences))?;
            told(&document)
        }
        Err(none) => none.outcome(arguments.appearance),
    }
}

async fn applied(arguments: &Apply) -> Result<ChangeDocument, NoPolicy> {
    let home = &arguments.home;
    if let Some(client) = client::service(home.store.store.is_some(), &home.service, arguments.appearance)? {
        return remote::apply(&client, arguments);
    }
    let warehouse = Warehouse::of(&arguments.known)?;
    let author = author(&arguments.signature)?;
    let location = source::named_store(home.store.store.as_deref())?;
    // Before the files are read: what somebody adds meanwhile is none of theirs, and would be removed.
    let base = match arguments.base {
        Some(base) => PolicyVersion(base),
        None => source::latest_version(&location).await?,
    };
    // Read before the store is made: files with mistakes leave nothing behind.
    let desired = desired(&arguments.paths, &warehouse, arguments.appearance).await?;
    let engine = engine(source::open_or_make(&location).await?).await?;
    let change = change(&author, &arguments.signature, Some(base));
    policy::apply(&engine, &desired, change).await.map_err(not_changed)
}

/// Runs `policy restore`.
///
/// # Errors
/// What kept it from being done; nothing has changed then.
pub async fn restore(arguments: &Restore) -> anyhow::Result<Outcome> {
    match restored(arguments).await {
        Ok(document) => told(&document),
        Err(none) => none.outcome(arguments.appearance),
    }
}

async fn restored(arguments: &Restore) -> Result<ChangeDocument, NoPolicy> {
    let home = &arguments.home;
    if let Some(client) = client::service(home.store.store.is_some(), &home.service, arguments.appearance)? {
        return remote::restore(&client, arguments);
    }
    let author = author(&arguments.signature)?;
    let storage = source::open(&source::named_store(home.store.store.as_deref())?).await?;
    let engine = engine(storage.clone()).await?;
    let change = change(&author, &arguments.signature, None);
    policy::restore(&engine, &*storage, PolicyVersion(arguments.old), change).await.map_err(not_changed)
}

async fn engine(storage: Arc<dyn Storage>) -> Result<Arc<Engine>, NoPolicy> {
    let opened = Engine::open(storage, EngineOptions::default()).await;
    Ok(opened.map_err(Unanswered::from)?)
}

fn change<'c>(author: &'c str, signature: &'c Signature, base: Option<PolicyVersion>) -> PolicyChange<'c> {
    PolicyChange {
        asker: Asker { user: author, client: CLIENT },
        reason: &signature.reason,
        base,
        lockout: if signature.force { Lockout::Accepted } else { Lockout::Refused },
        now: SystemClock.now(),
    }
}

fn told(document: &ChangeDocument) -> anyhow::Result<Outcome> {
    let version = document.policy_version;
    let text = match document.changes {
        0 => format!("nothing to change: the policy stays at version {version}\n"),
        1 => format!("version {version} made: 1 change\n"),
        count => format!("version {version} made: {count} changes\n"),
    };
    print(&text).map(|()| Outcome::Fine)
}

/// The policy that the files state.
async fn desired(
    paths: &[PathBuf],
    warehouse: &Warehouse,
    appearance: Appearance,
) -> Result<Policy, NoPolicy> {
    source::from_files(paths, &Settings::default(), warehouse, appearance).await
}

/// Who makes a change.
///
/// # Errors
/// [`NoPolicy::WrongUse`] where nobody is named.
pub fn author(signature: &Signature) -> Result<String, NoPolicy> {
    let author = signature.author.clone().or_else(user_of_environment).filter(|name| !name.is_empty());
    author.ok_or_else(|| NoPolicy::WrongUse("who makes the change? `--author NAME`".to_owned()))
}

/// Somebody who makes a change now.
#[must_use]
pub fn by(author: &str) -> Author {
    Author { user: SmolStr::new(author), now: SystemClock.now() }
}

/// The user that the operating system knows.
#[must_use]
pub fn user_of_environment() -> Option<String> {
    let mut names = ["USER", "LOGNAME"].into_iter().filter_map(|name| std::env::var(name).ok());
    names.find(|name| !name.is_empty())
}

/// # Errors
/// [`NoPolicy::Failed`] where nobody could administer any more and it is not forced.
pub fn must_keep_administrators(
    current: &Policy,
    next: &Policy,
    signature: &Signature,
) -> Result<(), NoPolicy> {
    if signature.force || !locks_administrators_out(current, next) {
        return Ok(());
    }
    Err(NoPolicy::Failed(locked_out()))
}

/// What came of a commit.
#[derive(Debug)]
pub enum Made {
    Nothing(PolicyVersion),
    Version(PolicyVersion, usize),
}

/// Who asked for a change, by which command and why.
pub struct Asked<'a> {
    pub author: String,
    pub operation: &'static str,
    pub reason: &'a str,
    /// The policy that is changed.
    pub before: &'a Policy,
}

/// Makes the steps the next version, all or none; the audit log has it with the version.
///
/// # Errors
/// Where somebody else was faster, or the store fails.
pub async fn commit(
    store: &dyn Store,
    base: PolicyVersion,
    asked: Asked<'_>,
    changes: Vec<Change>,
) -> Result<Made, NoPolicy> {
    if changes.is_empty() {
        return Ok(Made::Nothing(base));
    }
    let count = changes.len();
    let at = SystemClock.now();
    let key = Some(new_commit_key());
    let Asked { author, operation, reason, before } = asked;
    let change = ChangeAsked { actor: &author, at, operation, reason };
    let mut audit = AuditRecord::of_change(change, before, &changes);
    audit.client = Some(SmolStr::new_static(CLIENT));
    let commit = Commit { base, author: author.into(), at, reason: reason.into(), changes, key, audit };
    let mut answer = store.commit(commit.clone()).await;
    if matches!(answer, Err(StoreError::Unknown(_))) {
        answer = store.commit(commit).await;
    }
    let version = answer.map_err(uncommitted)?;
    Ok(Made::Version(version, count))
}

/// Why a change was not made.
fn not_changed(unanswered: Unanswered) -> NoPolicy {
    match unanswered {
        Unanswered::Refused(_) => NoPolicy::Failed(locked_out()),
        Unanswered::Store { error, cannot: policy::CHANGE } => uncommitted(error),
        other => other.into(),
    }
}

fn uncommitted(error: StoreError) -> NoPolicy {
    NoPolicy::Failed(match error {
        StoreError::Conflict { base, latest } => changed_meanwhile(base.0, latest),
        error @ StoreError::Unknown(_) => {
            let context = "it is not known whether the change was made: see `guardbee policy history`";
            anyhow::Error::new(error).context(context)
        }
        error => anyhow::Error::new(error).context("nothing was changed"),
    })
}

pub fn locked_out() -> anyhow::Error {
    anyhow!(
        "nobody could administer the policy any more: `GRANT ROLE admin TO USER ...` keeps somebody in, \
         --force does it all the same"
    )
}

pub fn changed_meanwhile(base: u64, latest: PolicyVersion) -> anyhow::Error {
    anyhow!(
        "somebody else changed the policy meanwhile: it is at version {}, not at {base}; nothing was changed, \
         see `guardbee policy diff {base}` and plan again",
        latest.0
    )
}
