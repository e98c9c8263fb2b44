//! What questions name: somebody, and an object.

use guardbee_engine::explain::need;
use guardbee_engine::named_object;
use guardbee_policy::requirement::Requirement;
use guardbee_policy::{Decision, Identity, Policy, Privileges, Resource, Timestamp, decide};
use smol_str::SmolStr;

use crate::ground::Unanswered;

/// What a text names, as SQL does.
///
/// # Errors
/// [`Unanswered::WrongUse`] where it names nothing.
pub fn object(policy: &Policy, text: &str) -> Result<Resource, Unanswered> {
    named_object(policy, text).map_err(Unanswered::WrongUse)
}

/// Somebody with every role that they hold.
pub fn identity(user: &str, groups: &[String]) -> Identity {
    Identity { groups: groups.iter().map(SmolStr::new).collect(), ..Identity::of_user(user) }
}

/// The need of a privilege on an object, and what the policy says to it.
pub fn decided(
    policy: &Policy,
    identity: &Identity,
    privilege: Privileges,
    resource: &Resource,
    now: Timestamp,
) -> (Vec<Requirement>, Decision) {
    let requirements = vec![need(privilege, resource.clone())];
    let decision = decide(policy, &policy.subject(identity), &requirements, now);
    (requirements, decision)
}
