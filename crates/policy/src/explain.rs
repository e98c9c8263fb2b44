//! How somebody comes to what they may do: the way from the person over groups and roles to an entry.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::decision::Basis;
use crate::index::cell::PrincipalNumber;
use crate::policy::PUBLIC_NUMBER;
use crate::requirement::Requirement;
use crate::subject::Subject;
use crate::{Decision, Entry, Policy, Principal, Resource};

/// One way to a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path {
    /// The place of the requirement that it decides.
    pub requirement: usize,
    /// From the user or group, over roles each of which the one before is in, to the principal that decides. A
    /// shortest way; of several the first by name.
    pub steps: Vec<Principal>,
    pub end: PathEnd,
}

/// What stands at the end of a way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathEnd {
    /// A grant or denial that names the last principal.
    Entry(Entry),
    /// The last principal is the role `admin`.
    Administrator,
    /// The last principal owns the resource.
    Owner(Resource),
}

/// The ways to everything that a decision rests on, by requirement and entry.
///
/// Requirements that were met or missed without any principal, because nothing grants them or nobody may, have
/// none.
#[must_use]
pub fn explain(
    policy: &Policy,
    subject: &Subject,
    requirements: &[Requirement],
    decision: &Decision,
) -> Vec<Path> {
    let ways = Ways::of(policy, &subject.of(policy));
    let mut paths = Vec::new();
    for reason in &decision.reasons {
        let mut add = |principal: &Principal, end| {
            if let Some(steps) = ways.to(policy, principal) {
                paths.push(Path { requirement: reason.requirement, steps, end });
            }
        };
        for entry in reason.entries.iter().filter_map(|id| policy.entry(*id)) {
            add(&entry.principal.clone(), PathEnd::Entry(entry));
        }
        match &reason.basis {
            Basis::Administrator => add(&Principal::Role(crate::policy::ADMIN), PathEnd::Administrator),
            Basis::Owner => {
                let resource = requirements.get(reason.requirement).map(|requirement| &requirement.resource);
                if let Some((resource, owner)) =
                    resource.and_then(|resource| Some((resource, policy.owner(resource)?)))
                {
                    add(owner, PathEnd::Owner(resource.clone()));
                }
            }
            _ => {}
        }
    }
    paths
}

/// The shortest ways from somebody to every principal that they are.
pub(crate) struct Ways {
    /// For each principal the one before it; for those where a way begins nothing.
    before: FxHashMap<PrincipalNumber, Option<PrincipalNumber>>,
    /// Persons that the policy knows nothing of.
    strangers: FxHashSet<Principal>,
}

impl Ways {
    pub(crate) fn of(policy: &Policy, subject: &Subject) -> Self {
        let mut ways = Self { before: FxHashMap::default(), strangers: FxHashSet::default() };
        let mut open = VecDeque::new();
        for person in subject.persons() {
            match policy.principals.number(&person) {
                Some(number) => ways.begin(number, &mut open),
                None => drop(ways.strangers.insert(person)),
            }
        }
        // Everybody is in `public`, but a way over somebody's own roles says more.
        ways.walk(policy, &mut open);
        ways.begin(PUBLIC_NUMBER, &mut open);
        ways.walk(policy, &mut open);
        ways
    }

    fn begin(&mut self, number: PrincipalNumber, open: &mut VecDeque<PrincipalNumber>) {
        if self.before.insert(number, None).is_none() {
            open.push_back(number);
        }
    }

    fn walk(&mut self, policy: &Policy, open: &mut VecDeque<PrincipalNumber>) {
        while let Some(number) = open.pop_front() {
            let Some(node) = policy.principals.get(number) else { continue };
            let mut roles: Vec<(&str, PrincipalNumber)> = node
                .memberships
                .iter()
                .map(|membership| &*membership.role)
                .zip(node.roles.iter().copied())
                .collect();
            roles.sort_unstable();
            for (_, role) in roles {
                self.before.entry(role).or_insert_with(|| {
                    open.push_back(role);
                    Some(number)
                });
            }
        }
    }

    /// The way to a principal; none where they are not it.
    pub(crate) fn to(&self, policy: &Policy, principal: &Principal) -> Option<Vec<Principal>> {
        if self.strangers.contains(principal) {
            return Some(vec![principal.clone()]);
        }
        let mut next = Some(policy.principals.number(principal)?);
        let mut steps = Vec::new();
        while let Some(number) = next {
            next = *self.before.get(&number)?;
            steps.push(policy.principal(number));
        }
        steps.reverse();
        Some(steps)
    }
}
