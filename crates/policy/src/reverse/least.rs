//! What it would take to allow something.

use std::collections::BTreeSet;

use crate::requirement::{Requirement, Right};
use crate::subject::Subject;
use crate::{
    Change, Decision, Effect, Entry, EntryId, GrantOption, Policy, Principal, Privilege, Privileges, Scope,
    Timestamp, Validity, decide,
};

/// What it would take to allow something.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LeastGrant {
    /// Grants that are all needed, each as narrow as can be.
    pub grants: Vec<NeededGrant>,
    /// Denials that would have to go besides.
    pub denials: Vec<EntryId>,
    /// The requirements, by place, that no grant meets: ownership, the right to administer, what nobody may.
    pub beyond: Vec<usize>,
}

/// A grant that is not there.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct NeededGrant {
    pub scope: Scope,
    pub privileges: Privileges,
    pub grant_option: GrantOption,
}

impl NeededGrant {
    /// The grant as an entry that somebody holds, made by nobody at no time.
    #[must_use]
    pub fn held_by(self, principal: Principal, id: EntryId) -> Entry {
        Entry {
            id,
            effect: Effect::Grant,
            principal,
            except: [].into(),
            privileges: self.privileges,
            scope: self.scope,
            grant_option: self.grant_option,
            grantor: None,
            created_at: Timestamp::default(),
            validity: Validity::ALWAYS,
            purpose: None,
        }
    }
}

/// The smallest grants that would allow what is refused, and the denials that would have to go besides. Nothing
/// where it is allowed.
#[must_use]
pub fn least_grant(
    policy: &Policy,
    subject: &Subject,
    requirements: &[Requirement],
    now: Timestamp,
) -> LeastGrant {
    let mut trial = Trial { policy: policy.clone(), subject, requirements, now };
    let mut least = LeastGrant { beyond: trial.beyond(), ..LeastGrant::default() };
    least.denials = trial.lift_denials();
    let mut grants: Vec<(NeededGrant, EntryId)> = Vec::new();
    // What can be met in one way only comes first: it may meet the rest as well.
    for is_choice in [false, true] {
        for alternatives in trial.needs().into_iter().filter(|found| (found.len() > 1) == is_choice) {
            let added = alternatives.into_iter().find_map(|grant| Some((grant.clone(), trial.add(grant)?)));
            grants.extend(added);
        }
    }
    for (grant, id) in grants {
        if trial.is_needed(id) {
            least.grants.push(grant);
        }
    }
    least.grants.sort();
    least
}

/// A policy that is changed until it allows.
struct Trial<'t> {
    policy: Policy,
    subject: &'t Subject,
    requirements: &'t [Requirement],
    now: Timestamp,
}

impl Trial<'_> {
    fn decide(&self) -> Decision {
        decide(&self.policy, self.subject, self.requirements, self.now)
    }

    /// What no grant meets.
    fn beyond(&self) -> Vec<usize> {
        let can_be_granted = |place: usize| {
            let requirement = self.requirements.get(place);
            requirement.is_some_and(|requirement| matches!(requirement.right, Right::AnyOf { .. }))
        };
        let decision = self.decide();
        let refused = decision.reasons.iter().filter(|reason| !reason.missing.is_empty());
        refused.map(|reason| reason.requirement).filter(|place| !can_be_granted(*place)).collect()
    }

    /// For each thing that is missing the grants any one of which would do, as far as denials go.
    fn needs(&self) -> Vec<Vec<NeededGrant>> {
        let decision = self.decide();
        let missing = decision.missing().filter_map(|missing| {
            let Right::AnyOf { privileges, grant_option } = missing.right else { return None };
            // What no entry can stand on only the server holds.
            let scope = missing.resource.scope().unwrap_or(Scope::Server);
            let grant = |privileges| NeededGrant { scope: scope.clone(), privileges, grant_option };
            Some(if privileges.is_all() {
                vec![grant(privileges)]
            } else {
                narrow(privileges, &scope).iter().map(|privilege| grant(Privileges::of(privilege))).collect()
            })
        });
        missing.collect()
    }

    /// Takes the denials away that refuse whatever is granted.
    fn lift_denials(&mut self) -> Vec<EntryId> {
        let mut lifted = BTreeSet::new();
        loop {
            let mut granted = Trial { policy: self.policy.clone(), ..*self };
            for grant in granted.needs().into_iter().flatten() {
                granted.add_unasked(grant);
            }
            let refused: Vec<EntryId> = granted.decide().reasons.iter().flat_map(refusing).collect();
            let new = refused.into_iter().filter(|id| lifted.insert(*id)).count();
            if new == 0 {
                return lifted.into_iter().collect();
            }
            lifted.iter().for_each(|id| self.remove(*id));
        }
    }

    /// Adds a grant if it gets anything nearer to being allowed.
    fn add(&mut self, grant: NeededGrant) -> Option<EntryId> {
        let before = self.decide().missing().count();
        let id = self.add_unasked(grant);
        if self.decide().missing().count() < before {
            return Some(id);
        }
        self.remove(id);
        None
    }

    /// Gives a grant to everybody, as the subject is.
    fn add_unasked(&mut self, grant: NeededGrant) -> EntryId {
        let id = self.policy.next_entry_id();
        let entry = grant.held_by(Principal::public(), id);
        // The scope is a resource's own, and `public` is always there: it is refused only where a table has no
        // room for one more column, and then it is not needed either.
        let _ = self.policy.apply(Change::PutEntry(entry));
        id
    }

    fn remove(&mut self, id: EntryId) {
        // A removal is never refused.
        let _ = self.policy.apply(Change::RemoveEntry(id));
    }

    /// Is anything missing without a grant that was added? If not, it goes.
    fn is_needed(&mut self, id: EntryId) -> bool {
        let with = self.decide().missing().count();
        let kept = self.policy.clone();
        self.remove(id);
        let is_needed = self.decide().missing().count() > with;
        if is_needed {
            self.policy = kept;
        }
        is_needed
    }
}

/// The alternatives that are worth granting: SUPER at the server passes every check, denials among them, so it
/// is no narrow way to a right that others give as well.
fn narrow(alternatives: Privileges, scope: &Scope) -> Privileges {
    let others = alternatives.without(Privileges::of(Privilege::Super));
    if *scope == Scope::Server && !others.is_empty() { others } else { alternatives }
}

/// The denials of a requirement that is refused.
fn refusing(reason: &crate::decision::Reason) -> Vec<EntryId> {
    if reason.missing.is_empty() { Vec::new() } else { reason.entries.to_vec() }
}
