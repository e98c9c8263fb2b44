//! Who may read what was made of something that they may not read.

use guardbee_engine::tags;
use guardbee_wire::tags::LeaksDocument;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::defaults;
use crate::ground::{Ground, Unanswered};
use crate::tag_ground::TagGround;
use crate::tags::runs_of;

/// Who may read what was made of something that they may not read?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LeaksQuestion {
    /// How many to show, the worst first.
    #[serde(default = "defaults::leaks")]
    pub limit: usize,
}

impl Default for LeaksQuestion {
    fn default() -> Self {
        Self { limit: defaults::LEAKS }
    }
}

/// The worst leaks, and how many there are.
///
/// # Errors
/// [`Unanswered`].
pub async fn leaks(ground: &Ground<'_>, question: &LeaksQuestion) -> Result<LeaksDocument, Unanswered> {
    let along = TagGround::over(ground.graph.clone(), ground.calls, ground.storage, ground.policy).await?;
    let leaks = tags::leaks(ground.policy, &along.graph, &along.calls, ground.now);
    let shown = leaks.get(..question.limit.min(leaks.len())).unwrap_or_default();
    let runs = runs_of(ground.storage, shown.iter().flat_map(|leak| &leak.path), ground.viewer).await?;
    Ok(LeaksDocument::of(leaks.len(), shown, &runs, ground.viewer))
}
