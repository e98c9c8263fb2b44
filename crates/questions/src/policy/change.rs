//! Making the policy what somebody wants it to be, as one version.

use std::sync::Arc;

use guardbee_engine::difference::{Author, locks_administrators_out};
use guardbee_engine::store::{At, PolicyVersion, Store, StoreError};
use guardbee_engine::{ChangeAsked, Engine, EngineError, PolicySnapshot, Problem};
use guardbee_policy::{Change, Policy, Timestamp};
use guardbee_wire::policy::{ChangeDocument, Differences};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use super::desired::{PolicyText, followed};
use crate::ground::{Asker, Unanswered};

/// What a store did not do where it says [`Unanswered::Store`] to a change.
pub const CHANGE: &str = "change the policy";

/// Asks for the policy that texts state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ApplyRequest {
    /// Together they are the whole policy.
    pub files: Vec<PolicyText>,
    /// The version that it was planned against; nothing changes where that is not the latest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<u64>,
    /// Why, for the history.
    #[serde(default)]
    pub reason: String,
    #[serde(default)]
    pub lockout: Lockout,
}

/// Asks for the policy of a version that was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RestoreRequest {
    pub version: u64,
    /// The version that is known to be the latest; nothing changes where it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<u64>,
    /// Why, for the history; that a version is restored unless given.
    #[serde(default)]
    pub reason: String,
    #[serde(default)]
    pub lockout: Lockout,
}

/// What if nobody could administer the policy any more?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Lockout {
    #[default]
    Refused,
    Accepted,
}

/// Who changes the policy, why, and on what condition.
#[derive(Debug, Clone, Copy)]
pub struct PolicyChange<'c> {
    pub asker: Asker<'c>,
    pub reason: &'c str,
    /// The version that must be the latest; whichever is where nobody says.
    pub base: Option<PolicyVersion>,
    pub lockout: Lockout,
    pub now: Timestamp,
}

/// Makes the policy say what the desired one says, all of it or nothing; the audit log has it with the version.
///
/// # Errors
/// [`Unanswered::Store`] with [`StoreError::Conflict`] where somebody else was faster, [`Unanswered::Refused`] where nobody
/// could administer any more, and whatever else the store says. Nothing has changed then, unless it is
/// [`StoreError::Unknown`].
pub async fn apply(
    engine: &Engine,
    desired: &Policy,
    change: PolicyChange<'_>,
) -> Result<ChangeDocument, Unanswered> {
    let current = current(engine, change.base).await?;
    let author = Author { user: SmolStr::new(change.asker.user), now: change.now };
    let next = followed(&current.policy, desired, &author)?;
    must_keep_administrators(&current.policy, &next.policy, change.lockout)?;
    let differences = Differences::of(&current.policy, &next.policy);
    let steps = Steps { operation: "policy apply", reason: change.reason, changes: next.steps };
    commit(engine, current.version, change, steps, differences).await
}

/// Makes the policy what it was at a version.
///
/// # Errors
/// As for [`apply`]; and where there is no such version.
pub async fn restore(
    engine: &Engine,
    store: &dyn Store,
    version: PolicyVersion,
    change: PolicyChange<'_>,
) -> Result<ChangeDocument, Unanswered> {
    let current = current(engine, change.base).await?;
    let old = PolicySnapshot::load(store, At::Version(version)).await?.policy;
    must_keep_administrators(&current.policy, &old, change.lockout)?;
    let differences = Differences::of(&current.policy, &old);
    let usual = format!("restore version {}", version.0);
    let reason = if change.reason.is_empty() { &usual } else { change.reason };
    let steps = Steps { operation: "policy restore", reason, changes: current.policy.diff(&old) };
    commit(engine, current.version, change, steps, differences).await
}

/// The latest policy. Others may have changed it where this engine has not looked yet.
async fn current(engine: &Engine, base: Option<PolicyVersion>) -> Result<Arc<PolicySnapshot>, Unanswered> {
    engine.catch_up().await?;
    let current = engine.policy();
    match base {
        Some(base) if base != current.version => {
            Err(Unanswered::store(CHANGE)(StoreError::Conflict { base, latest: current.version }))
        }
        _ => Ok(current),
    }
}

fn must_keep_administrators(current: &Policy, next: &Policy, lockout: Lockout) -> Result<(), Unanswered> {
    if lockout == Lockout::Accepted || !locks_administrators_out(current, next) {
        return Ok(());
    }
    let problem = Problem::new("no-administrator", "nobody could administer the policy any more")
        .with_hint("`GRANT ROLE admin TO USER ...` keeps somebody in");
    Err(Unanswered::Refused(problem))
}

struct Steps<'s> {
    operation: &'static str,
    reason: &'s str,
    changes: Vec<Change>,
}

async fn commit(
    engine: &Engine,
    base: PolicyVersion,
    change: PolicyChange<'_>,
    steps: Steps<'_>,
    differences: Differences,
) -> Result<ChangeDocument, Unanswered> {
    let Steps { operation, reason, changes } = steps;
    if changes.is_empty() {
        return Ok(ChangeDocument::of(base, 0, differences));
    }
    let count = changes.len() as u64;
    let asked = ChangeAsked { actor: change.asker.user, at: change.now, operation, reason };
    match engine.commit_asked(base, asked, change.asker.client, changes).await {
        Ok(version) => Ok(ChangeDocument::of(version, count, differences)),
        Err(EngineError::Store(error)) => Err(Unanswered::store(CHANGE)(error)),
        Err(EngineError::Change(error)) => Err(Unanswered::Impossible(error)),
    }
}
