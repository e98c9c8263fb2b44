//! What does somebody hold?

use guardbee_policy::reverse::what_can as what_they_can;
use guardbee_policy::{Policy, Timestamp};
use guardbee_wire::policy::WhatCanDocument;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::asked::identity;

/// What can somebody do?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WhatCanQuestion {
    pub user: String,
    /// The groups that they are in.
    #[serde(default)]
    pub groups: Vec<String>,
}

/// Every entry that holds for somebody, and what they own. With every role that they hold.
#[must_use]
pub fn what_can(policy: &Policy, question: &WhatCanQuestion, now: Timestamp) -> WhatCanDocument {
    let identity = identity(&question.user, &question.groups);
    WhatCanDocument::of(policy, &identity, &what_they_can(policy, &identity, now))
}
