//! Which versions has the policy had?

use guardbee_engine::store::{PolicyVersion, Store};
use guardbee_wire::policy::{HistoryDocument, VersionLine};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ground::Unanswered;

/// Which versions has the policy had, newest first?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyVersionsQuestion {
    /// Only versions before this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<u64>,
    /// How many at most.
    #[serde(default = "PolicyVersionsQuestion::default_limit")]
    pub limit: u32,
}

impl PolicyVersionsQuestion {
    /// How many are listed unless somebody asks for more or fewer.
    #[must_use]
    pub const fn default_limit() -> u32 {
        20
    }
}

/// The versions, with who made each, when and why.
///
/// # Errors
/// [`Unanswered::Store`] where they cannot be read.
pub async fn versions(
    store: &dyn Store,
    question: &PolicyVersionsQuestion,
) -> Result<HistoryDocument, Unanswered> {
    let before = question.before.map(PolicyVersion);
    let records =
        store.history(before, question.limit).await.map_err(Unanswered::store("read the history"))?;
    Ok(HistoryDocument::of(records.iter().map(VersionLine::from).collect()))
}
