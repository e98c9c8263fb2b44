//! What do two versions of the policy differ in?

use guardbee_engine::PolicySnapshot;
use guardbee_engine::store::{At, PolicyVersion, Store};
use guardbee_wire::policy::DifferenceDocument;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ground::Unanswered;

/// What do two versions of the policy differ in?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyDifferenceQuestion {
    /// The version that is compared.
    pub from: u64,
    /// The version that it is compared with; the latest unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<u64>,
}

/// The statements that come and go on the way from one version to the other, and whom that touches.
///
/// # Errors
/// [`Unanswered`] where there is no such version, or it cannot be read.
pub async fn difference(
    store: &dyn Store,
    question: &PolicyDifferenceQuestion,
) -> Result<DifferenceDocument, Unanswered> {
    let to = question.to.map_or(At::Latest, |version| At::Version(PolicyVersion(version)));
    let before = PolicySnapshot::load(store, At::Version(PolicyVersion(question.from))).await?;
    let after = PolicySnapshot::load(store, to).await?;
    Ok(DifferenceDocument::of(&before.policy, &after.policy))
}
