//! Whose eyes an answer is for, as the command line states it.

use guardbee_engine::Viewer;
use guardbee_engine::clock::{Clock, SystemClock};
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
    Ok(Viewer::of(policy.clone(), &identity, SystemClock.now()))
}
