//! Who has a privilege on an object, and by what?

use guardbee_engine::explain::{Held, explain};
use guardbee_policy::reverse::who_can as who_can_do;
use guardbee_policy::{Effect, Entry, Identity, Policy, Principal, Privileges, Resource, Scope, Timestamp};
use guardbee_wire::policy::{Beside, Holder, WhoCanDocument};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::asked::{decided, object};
use crate::ground::Unanswered;
use crate::privilege::privilege;

/// Who can do something to an object?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WhoCanQuestion {
    /// Such as `SELECT`, or `ALL`.
    pub privilege: String,
    /// Such as `hr.emp`, `hr.emp.ssn`, `DATABASE hr`, `URI 'hdfs://nn/in'`, `FUNCTION hr.f` or `SERVER`.
    pub object: String,
}

/// Everybody who can, with the entries that let them; and beside that, what nearly does and what forbids it.
///
/// # Errors
/// [`Unanswered::WrongUse`] where there is no such privilege, or the text names no object.
pub fn who_can(
    policy: &Policy,
    question: &WhoCanQuestion,
    now: Timestamp,
) -> Result<WhoCanDocument, Unanswered> {
    let privilege = privilege(&question.privilege)?;
    let resource = object(policy, &question.object)?;
    Ok(who_can_on(policy, privilege, &resource, now))
}

/// The same for what is known to be an object.
#[must_use]
pub fn who_can_on(
    policy: &Policy,
    privilege: Privileges,
    resource: &Resource,
    now: Timestamp,
) -> WhoCanDocument {
    let asked = Asked { policy, privilege, resource, now };
    let found = who_can_do(policy, privilege, resource, now);
    let holder =
        |principal: &Principal| Holder { principal: principal.clone(), entries: asked.grants_of(principal) };
    let holders: Vec<Holder> = found.principals.iter().map(holder).collect();
    WhoCanDocument::of(policy, privilege, resource, found.everybody, &holders, &asked.beside())
}

struct Asked<'q> {
    policy: &'q Policy,
    privilege: Privileges,
    resource: &'q Resource,
    now: Timestamp,
}

impl Asked<'_> {
    fn beside(&self) -> Beside {
        let mut beside = Beside::default();
        for entry in self.policy.entries() {
            if !entry.effective().intersects(self.privilege) || !entry.validity.holds_at(self.now) {
                continue;
            }
            let (around, inside) = self.reaches(&entry.scope);
            match entry.effect {
                Effect::Deny if around || inside => beside.denials.push(entry),
                Effect::Grant if inside && !around && matches!(self.resource, Resource::Table(_)) => {
                    beside.columns.push(entry);
                }
                Effect::Deny | Effect::Grant => {}
            }
        }
        beside
    }

    /// Does what stands at a scope reach the resource, and does it reach something inside it?
    fn reaches(&self, scope: &Scope) -> (bool, bool) {
        let Scope::Tag { tag, value } = scope else {
            return (scope.covers(self.resource), scope.is_inside(self.resource));
        };
        let carriers = self
            .policy
            .tag_assignments()
            .filter(|carried| carried.tag == *tag && (value.is_none() || carried.value == *value))
            .filter_map(|carried| carried.resource.scope());
        carriers.fold((false, false), |(around, inside), carrier| {
            (around || carrier.covers(self.resource), inside || carrier.is_inside(self.resource))
        })
    }

    /// The entries by which a principal has it by itself. Of roles those that name the role or one it is in.
    fn grants_of(&self, principal: &Principal) -> Vec<Held> {
        let identity = match principal {
            Principal::User(user) => Identity::of_user(user),
            Principal::Group(group) => Identity { groups: vec![group.clone()], ..Identity::of_user("") },
            Principal::Role(_) => return self.role_grants(principal),
        };
        let (requirements, decision) =
            decided(self.policy, &identity, self.privilege, self.resource, self.now);
        let explained = explain(self.policy, &identity, &requirements, &decision, self.now);
        let mut held: Vec<Held> = explained.into_iter().flat_map(|reason| reason.entries).collect();
        for held in &mut held {
            held.path.retain(|step| step.name() != "");
        }
        held
    }

    fn role_grants(&self, role: &Principal) -> Vec<Held> {
        let gives = |entry: &Entry| {
            entry.effect == Effect::Grant
                && entry.validity.holds_at(self.now)
                && entry.effective().intersects(self.privilege)
                && entry.scope.covers(self.resource)
        };
        let mut path = vec![role.clone()];
        loop {
            let Some(last) = path.last().cloned() else { return Vec::new() };
            let entries: Vec<Held> = self
                .policy
                .entries_of(&last)
                .filter(gives)
                .map(|entry| Held { entry, path: path.clone(), carrier: None })
                .collect();
            if !entries.is_empty() {
                return entries;
            }
            let mut next = self.policy.memberships_of(&last).map(|found| Principal::Role(found.role.clone()));
            match next.find(|next| !path.contains(next)) {
                Some(next) => path.push(next),
                None => return Vec::new(),
            }
        }
    }
}
