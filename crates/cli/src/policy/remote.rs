//! The policy of a service: read, planned and changed there.

use anyhow::anyhow;
use guardbee_exchange::Stamp;
use guardbee_exchange::json::import_json;
use guardbee_model::HiveVersion;
use guardbee_policy::Policy;
use guardbee_questions::policy::{
    ApplyRequest, Lockout, PlanQuestion, PolicyText, PolicyVersionsQuestion, RestoreRequest,
};
use guardbee_wire::service::policy::PolicyAnswer;

use super::past::{self, PastLines};
use super::plan::{changed_meanwhile, locked_out};
use super::source::{self, NoPolicy};
use crate::arguments::{Appearance, Apply, Known, Plan, Restore, Signature};
use crate::client::{self, Client, NotAnswered};
use crate::terminal::Style;
use crate::wire::policy::{ChangeDocument, HistoryDocument, PastDocument, PlanDocument};

const POLICY: &str = "/api/v1/policy";

/// The statements that make a version of the policy; the latest unless one is named.
///
/// # Errors
/// What the service says.
pub fn statements(client: &Client, version: Option<u64>) -> Result<PolicyAnswer, NotAnswered> {
    asked(client, version, None)
}

/// All of a version of the policy in Guardbee's JSON.
///
/// # Errors
/// What the service says.
pub fn json(client: &Client, version: Option<u64>) -> Result<String, NotAnswered> {
    let answer = asked(client, version, Some(true))?;
    let json = answer.json.ok_or_else(|| anyhow!("the server is older than that question"))?;
    Ok(json)
}

/// The same, ready to be looked into.
///
/// # Errors
/// What the service says.
pub fn policy(client: &Client, version: Option<u64>) -> Result<Policy, NoPolicy> {
    let text = json(client, version)?;
    let damaged = || anyhow!("the server's policy is not what this version of guardbee can read");
    let imported = import_json(&text, client.server(), "", &Stamp::default()).map_err(|_| damaged())?;
    let mut policy = Policy::new();
    for change in imported.changes {
        policy.apply(change).map_err(|_| damaged())?;
    }
    Ok(policy)
}

fn asked(client: &Client, version: Option<u64>, whole: Option<bool>) -> Result<PolicyAnswer, NotAnswered> {
    let version = version.map(|version| ("version", version.to_string()));
    let whole = whole.map(|whole| ("whole", whole.to_string()));
    client.get(POLICY, &version.into_iter().chain(whole).collect::<Vec<_>>())
}

/// The versions of the policy.
///
/// # Errors
/// What the service says.
pub fn versions(client: &Client, question: &PolicyVersionsQuestion) -> Result<HistoryDocument, NotAnswered> {
    client.get("/api/v1/policy/versions", question)
}

fn latest_version(client: &Client) -> Result<u64, NotAnswered> {
    let newest = versions(client, &PolicyVersionsQuestion { before: None, limit: 1 })?;
    Ok(newest.versions.first().map_or(0, |version| version.version))
}

/// What would change if the policy became what files state.
///
/// # Errors
/// What the service says, and files that cannot be read.
pub fn plan(client: &Client, arguments: &Plan) -> Result<PlanDocument, NoPolicy> {
    refuse_known(&arguments.known)?;
    let files = source::texts(&arguments.paths, arguments.appearance)?;
    let mut past = PastLines::default();
    past::read(&arguments.log, &mut past, arguments.appearance)?;
    let question = PlanQuestion { files, past: past.lines };
    let planned = client.post::<PlanDocument>("/api/v1/policy/plan", &question);
    let mut document = planned.map_err(|none| unchanged(none, &question.files, arguments.appearance))?;
    if !arguments.log.is_empty() {
        // Lines that are none were not sent.
        document.past.get_or_insert_with(PastDocument::default).bad_lines += past.bad;
    }
    Ok(document)
}

/// Makes the policy what files state.
///
/// # Errors
/// What the service says, and files that cannot be read; nothing has changed then.
pub fn apply(client: &Client, arguments: &Apply) -> Result<ChangeDocument, NoPolicy> {
    refuse_known(&arguments.known)?;
    refuse_author(&arguments.signature)?;
    // Before the files are read: what somebody adds meanwhile is none of theirs, and would be removed.
    let base = match arguments.base {
        Some(base) => base,
        None => latest_version(client)?,
    };
    let files = source::texts(&arguments.paths, arguments.appearance)?;
    let Signature { reason, force, .. } = &arguments.signature;
    let request = ApplyRequest { files, base: Some(base), reason: reason.clone(), lockout: lockout(*force) };
    let changed = client.post("/api/v1/policy/apply", &request);
    changed.map_err(|none| match none {
        NotAnswered::Problem(problem) if problem.code == "store-conflict" => {
            NoPolicy::Failed(match latest_version(client) {
                Ok(latest) => changed_meanwhile(base, guardbee_engine::store::PolicyVersion(latest)),
                Err(error) => error.into(),
            })
        }
        none => unchanged(none, &request.files, arguments.appearance),
    })
}

/// Makes an old version the policy again.
///
/// # Errors
/// What the service says; nothing has changed then.
pub fn restore(client: &Client, arguments: &Restore) -> Result<ChangeDocument, NoPolicy> {
    refuse_author(&arguments.signature)?;
    let Signature { reason, force, .. } = &arguments.signature;
    let request = RestoreRequest {
        version: arguments.old,
        base: None,
        reason: reason.clone(),
        lockout: lockout(*force),
    };
    let changed = client.post("/api/v1/policy/restore", &request);
    changed.map_err(|none| unchanged(none, &[], arguments.appearance))
}

const fn lockout(force: bool) -> Lockout {
    if force { Lockout::Accepted } else { Lockout::Refused }
}

/// Why nothing was changed or planned, as with a store.
fn unchanged(none: NotAnswered, files: &[PolicyText], appearance: Appearance) -> NoPolicy {
    match none {
        NotAnswered::Problem(problem) if problem.code == "policy-text" => {
            source::tell_problems(Style::for_errors(appearance.color), files, &problem.mistakes);
            NoPolicy::Told
        }
        NotAnswered::Problem(problem) if problem.code == "no-administrator" => NoPolicy::Failed(locked_out()),
        // The command was right; what it asks for cannot be.
        NotAnswered::Problem(problem) if problem.status == 422 => NoPolicy::Failed(problem.failure()),
        none => none.into(),
    }
}

fn refuse_known(known: &Known) -> Result<(), NoPolicy> {
    let other_version = known.hive_version != HiveVersion::default();
    let options = [("--catalog", !known.catalog.is_empty()), ("--hive-version", other_version)];
    client::refuse(&options, "it knows its warehouse, see `guardbee serve`")
}

fn refuse_author(signature: &Signature) -> Result<(), NoPolicy> {
    let options = [("--author", signature.author.is_some())];
    client::refuse(&options, "the account of the token makes the change")
}
