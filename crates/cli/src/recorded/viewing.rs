//! Whose eyes an answer is for, as the command line states it.

use guardbee_engine::{Completeness, Engine, EngineOptions, Viewer};
use guardbee_policy::{Identity, Policy};

use crate::arguments::Viewing;
use crate::policy::source;

/// Who looks, by a policy.
///
/// # Errors
/// Groups that cannot be told.
pub fn viewer(policy: &Policy, viewing: &Viewing) -> anyhow::Result<Viewer> {
    let Some(user) = viewing.viewer.as_deref() else { return Ok(Viewer::of_everything()) };
    let groups = source::groups_of(&viewing.groups, user)?;
    let identity = Identity { groups, ..Identity::of_user(user) };
    let options = EngineOptions { completeness: Completeness::Partial, ..EngineOptions::default() };
    Ok(Viewer::of(Engine::new(policy.clone(), options).session(identity)))
}
