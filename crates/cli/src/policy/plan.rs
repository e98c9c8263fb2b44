//! `guardbee policy plan`, `apply` and `restore`: from the policy that is to the one that should be.

use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use guardbee_engine::ChangeAsked;
use guardbee_engine::audit::AuditRecord;
use guardbee_engine::clock::{Clock, SystemClock};
use guardbee_engine::difference::{Author, difference, locks_administrators_out};
use guardbee_engine::store::{At, Commit, PolicyVersion, Store, StoreError, new_commit_key};
use guardbee_policy::{Change, Policy, Settings};
use smol_str::SmolStr;

use super::comparison::Comparison;
use super::past;
use super::source::{self, NoPolicy, Warehouse};
use crate::arguments::{AnswerFormat, Appearance, Apply, Plan, Restore, Signature};
use crate::exit::Outcome;
use crate::output::{Output, print};
use crate::terminal::{Paint, Style};
use crate::wire;
use crate::wire::policy::PlanDocument;

/// Runs `policy plan`.
///
/// # Errors
/// What kept it from being done.
pub async fn plan(arguments: &Plan) -> anyhow::Result<Outcome> {
    let warehouse = Warehouse::of(&arguments.known)?;
    let planned = async {
        let location = source::named_store(arguments.store.store.as_deref())?;
        let current = source::latest_or_empty(&location).await?;
        let desired = desired(&arguments.paths, &warehouse, arguments.appearance).await?;
        let (next, _) = followed(&current.policy, &desired, "")?;
        Ok::<_, NoPolicy>((current, next))
    };
    let (current, next) = match planned.await {
        Ok(planned) => planned,
        Err(none) => return none.outcome(arguments.appearance),
    };
    let comparison = Comparison::of(&current.policy, &next);
    let locks_out = locks_administrators_out(&current.policy, &next);
    let version = current.version.unwrap_or_default();
    let past = match arguments.log.as_slice() {
        [] => None,
        logs => Some(past::decided(logs, &current.policy, &next, &warehouse, arguments.appearance)?),
    };
    match arguments.format {
        AnswerFormat::Json => {
            let document = PlanDocument::of(
                version,
                (&comparison.groups, &comparison.touched),
                locks_out,
                past.as_ref().map(past::Past::document),
            );
            print(&(wire::pretty(&document)? + "\n"))?;
        }
        AnswerFormat::Table => {
            let style = Style::for_output(arguments.appearance.color);
            let mut output = Output::standard();
            output.write(&comparison.text(style));
            if let Some(past) = &past {
                output.write(&past.text(style, arguments.limit));
            }
            output.write(&total(style, &comparison, version, locks_out));
            output.finish()?;
        }
    }
    Ok(if has_changes(&comparison) { Outcome::Findings } else { Outcome::Fine })
}

fn has_changes(comparison: &Comparison) -> bool {
    !comparison.groups.is_empty() || !comparison.touched.is_empty()
}

fn total(style: Style, comparison: &Comparison, version: PolicyVersion, locks_out: bool) -> String {
    let mut out = String::new();
    if !has_changes(comparison) {
        return format!("nothing to change: the policy is what the files say (version {})\n", version.0);
    }
    out.push('\n');
    if locks_out {
        let warning = "nobody could administer the policy any more: `apply` would need --force";
        out.push_str(&format!("{}\n", style.paint(Paint::Bad, warning)));
    }
    let (added, removed) = (comparison.added(), comparison.removed());
    out.push_str(&format!("{added} to add, {removed} to remove, planned against version {}\n", version.0));
    out
}

/// Runs `policy apply`.
///
/// # Errors
/// What kept it from being done; nothing has changed then.
pub async fn apply(arguments: &Apply) -> anyhow::Result<Outcome> {
    let warehouse = Warehouse::of(&arguments.known)?;
    let applied = async {
        let author = author(&arguments.signature)?;
        let location = source::named_store(arguments.store.store.as_deref())?;
        // Before the files are read: what somebody adds meanwhile is none of theirs, and would be removed.
        let base = match arguments.base {
            Some(base) => PolicyVersion(base),
            None => source::latest_version(&location).await?,
        };
        // Read before the store is made: files with mistakes leave nothing behind.
        let desired = desired(&arguments.paths, &warehouse, arguments.appearance).await?;
        let store = source::open_or_make(&location).await?;
        let current = source::from_store(&*store, At::Latest).await?;
        let version = current.version.unwrap_or_default();
        if base != version {
            return Err(NoPolicy::Failed(changed_meanwhile(base.0, version)));
        }
        let (next, steps) = followed(&current.policy, &desired, &author)?;
        must_keep_administrators(&current.policy, &next, &arguments.signature)?;
        let asked = Asked {
            author,
            operation: "policy apply",
            reason: &arguments.signature.reason,
            before: &current.policy,
        };
        let made = commit(&*store, base, asked, steps).await?;
        Ok((made, Comparison::of(&current.policy, &next)))
    };
    match applied.await {
        Ok((made, comparison)) => {
            print(&comparison.removals_text(Style::for_output(arguments.appearance.color)))?;
            told(made)
        }
        Err(none) => none.outcome(arguments.appearance),
    }
}

/// Runs `policy restore`.
///
/// # Errors
/// What kept it from being done; nothing has changed then.
pub async fn restore(arguments: &Restore) -> anyhow::Result<Outcome> {
    let restored = async {
        let author = author(&arguments.signature)?;
        let store = source::open(&source::named_store(arguments.store.store.as_deref())?).await?;
        let current = source::from_store(&*store, At::Latest).await?;
        let old = source::from_store(&*store, At::Version(PolicyVersion(arguments.old))).await?;
        must_keep_administrators(&current.policy, &old.policy, &arguments.signature)?;
        let reason = match arguments.signature.reason.as_str() {
            "" => format!("restore version {}", arguments.old),
            reason => reason.to_owned(),
        };
        let steps = current.policy.diff(&old.policy);
        let asked = Asked { author, operation: "policy restore", reason: &reason, before: &current.policy };
        commit(&*store, current.version.unwrap_or_default(), asked, steps).await
    };
    match restored.await {
        Ok(made) => told(made),
        Err(none) => none.outcome(arguments.appearance),
    }
}

fn told(made: Made) -> anyhow::Result<Outcome> {
    let text = match made {
        Made::Nothing(version) => format!("nothing to change: the policy stays at version {}\n", version.0),
        Made::Version(version, count) => {
            let steps = if count == 1 { "change" } else { "changes" };
            format!("version {} made: {count} {steps}\n", version.0)
        }
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

/// The current policy after the steps that make it say what the desired one says, and these steps.
///
/// # Errors
/// Steps that the policy does not take.
pub fn followed(current: &Policy, desired: &Policy, author: &str) -> anyhow::Result<(Policy, Vec<Change>)> {
    let author = Author { user: SmolStr::new(author), now: SystemClock.now() };
    let steps = difference(current, desired, &author);
    let mut next = current.clone();
    for step in &steps {
        next.apply(step.clone()).context("the policy cannot become what is stated")?;
    }
    Ok((next, steps))
}

/// Who makes a change.
///
/// # Errors
/// [`NoPolicy::WrongUse`] where nobody is named.
pub fn author(signature: &Signature) -> Result<String, NoPolicy> {
    let author = signature.author.clone().or_else(user_of_environment).filter(|name| !name.is_empty());
    author.ok_or_else(|| NoPolicy::WrongUse("who makes the change? `--author NAME`".to_owned()))
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
    Err(NoPolicy::Failed(anyhow!(
        "nobody could administer the policy any more: `GRANT ROLE admin TO USER ...` keeps somebody in, \
         --force does it all the same"
    )))
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
    audit.client = Some(SmolStr::new_static("guardbee"));
    let commit = Commit { base, author: author.into(), at, reason: reason.into(), changes, key, audit };
    let mut answer = store.commit(commit.clone()).await;
    if matches!(answer, Err(StoreError::Unknown(_))) {
        answer = store.commit(commit).await;
    }
    match answer {
        Ok(version) => Ok(Made::Version(version, count)),
        Err(StoreError::Conflict { base, latest }) => {
            Err(NoPolicy::Failed(changed_meanwhile(base.0, latest)))
        }
        Err(error @ StoreError::Unknown(_)) => {
            let context = "it is not known whether the change was made: see `guardbee policy history`";
            Err(NoPolicy::Failed(anyhow::Error::new(error).context(context)))
        }
        Err(error) => Err(NoPolicy::Failed(anyhow::Error::new(error).context("nothing was changed"))),
    }
}

fn changed_meanwhile(base: u64, latest: PolicyVersion) -> anyhow::Error {
    anyhow!(
        "somebody else changed the policy meanwhile: it is at version {}, not at {base}; nothing was changed, \
         see `guardbee policy diff {base}` and plan again",
        latest.0
    )
}
