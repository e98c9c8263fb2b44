//! The policy of a moment.

use std::borrow::Cow;

use guardbee_engine::PolicySnapshot;
use guardbee_engine::store::{At, PolicyVersion, Store};
use guardbee_policy::{Policy, Timestamp};

use crate::ground::{Ground, Unanswered};
use crate::moment::Moment;

/// So many versions are read at once.
const PAGE: u32 = 500;

/// The policy as it was, without the tags that came with data then; that of today has those of today.
///
/// # Errors
/// What the store says.
pub async fn policy_at<'g>(ground: &Ground<'g>, at: Option<Moment>) -> Result<Cow<'g, Policy>, Unanswered> {
    let Some(Moment(at)) = at else { return Ok(Cow::Borrowed(ground.policy)) };
    let version = version_at(ground.storage, at).await?;
    Ok(Cow::Owned(PolicySnapshot::load(ground.storage, At::Version(version)).await?.policy))
}

async fn version_at(store: &dyn Store, at: Timestamp) -> Result<PolicyVersion, Unanswered> {
    let mut before = None;
    loop {
        let page = store.history(before, PAGE).await;
        let page = page.map_err(Unanswered::store("read the history of the policy"))?;
        let Some(last) = page.last() else { return Ok(PolicyVersion(0)) };
        if let Some(found) = page.iter().find(|record| record.at <= at) {
            return Ok(found.version);
        }
        before = Some(last.version);
    }
}
