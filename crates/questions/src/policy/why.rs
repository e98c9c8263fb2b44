//! Why does somebody have a privilege on an object, or why not?

use guardbee_engine::explain::{explain, remedy};
use guardbee_policy::{Policy, Timestamp};
use guardbee_wire::policy::{Reasons, WhyDocument};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::asked::{decided, identity, object};
use crate::ground::Unanswered;
use crate::privilege::privilege;

/// Why may somebody do something to an object, or why not?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WhyQuestion {
    pub user: String,
    /// The groups that they are in.
    #[serde(default)]
    pub groups: Vec<String>,
    /// Such as `SELECT`, or `ALL`.
    pub privilege: String,
    /// Such as `hr.emp`, `hr.emp.ssn`, `DATABASE hr`, `URI 'hdfs://nn/in'`, `FUNCTION hr.f` or `SERVER`.
    pub object: String,
}

/// Whether they have it, what that rests on, and the least that would change it. With every role that they hold.
///
/// # Errors
/// [`Unanswered::WrongUse`] where there is no such privilege, or the text names no object.
pub fn why(policy: &Policy, question: &WhyQuestion, now: Timestamp) -> Result<WhyDocument, Unanswered> {
    let privilege = privilege(&question.privilege)?;
    let resource = object(policy, &question.object)?;
    let identity = identity(&question.user, &question.groups);
    let (requirements, decision) = decided(policy, &identity, privilege, &resource, now);
    Ok(WhyDocument::of(&Reasons {
        explained: explain(policy, &identity, &requirements, &decision, now),
        remedy: remedy(policy, &identity, &requirements, now),
        is_held: decision.is_allowed(),
        policy,
        identity,
        privilege,
        resource,
    }))
}
