//! The policy crate before the oracle: one question in one world.

use std::collections::BTreeSet;

use guardbee_policy::decision::{Basis, Obligation, Reason};
use guardbee_policy::requirement::{Requirement, Right};
use guardbee_policy::{ActiveRoles, Change, Decision, EntryId, Identity, Policy, Resource, decide};

use super::random::NOW;
use super::{
    Active, Answer, Asker, Filter, Judged, Mask, Standing, World, asker_text, change_text, decide_one,
    requirement_text,
};

/// A question in a world. The policy loads the one changes at once and takes the others one by one.
#[derive(Debug, Clone)]
pub struct Case {
    pub loaded: Vec<Change>,
    pub steps: Vec<Change>,
    pub asker: Asker,
    pub requirements: Vec<Requirement>,
}

impl Case {
    #[must_use]
    pub fn world(&self) -> World {
        World::of(self.loaded.iter().chain(&self.steps))
    }

    /// The policy; none where it does not take the changes.
    #[must_use]
    pub fn policy(&self) -> Option<Policy> {
        let mut policy = Policy::from_changes(self.loaded.iter().cloned()).ok()?;
        for step in &self.steps {
            policy.apply(step.clone()).ok()?;
        }
        Some(policy)
    }

    /// How the policy and the oracle differ on it; none where they agree, or where it is no case at all.
    #[must_use]
    pub fn difference(&self) -> Option<String> {
        let world = self.world();
        let policy = self.policy()?;
        let standing = Standing::of(&world, &self.asker);
        let answer = super::decide(&world, &standing, &self.requirements, NOW);
        let decision = decide(&policy, &policy.subject(&identity(&self.asker)), &self.requirements, NOW);
        compare(&world, &standing, &self.requirements, &answer, &decision).err()
    }

    /// The case as a person would write it.
    #[must_use]
    pub fn text(&self) -> String {
        let mut lines: Vec<String> = self.loaded.iter().map(change_text).collect();
        if !self.steps.is_empty() {
            lines.push("-- then, step by step".to_owned());
            lines.extend(self.steps.iter().map(change_text));
        }
        lines.push(format!("-- {} at {}", asker_text(&self.asker), NOW.0));
        lines.extend(
            self.requirements.iter().map(|requirement| format!("-- {}", requirement_text(requirement))),
        );
        lines.join("\n")
    }
}

/// The asker in the policy crate's words.
#[must_use]
pub fn identity(asker: &Asker) -> Identity {
    Identity {
        user: asker.user.clone(),
        groups: asker.groups.clone(),
        roles: match &asker.active {
            Active::All => ActiveRoles::All,
            Active::None => ActiveRoles::None,
            Active::Only(names) => ActiveRoles::Only(names.clone()),
        },
    }
}

/// Does the decision say what the oracle says?
///
/// # Errors
/// The first difference, for a person.
pub fn compare(
    world: &World,
    standing: &Standing,
    requirements: &[Requirement],
    answer: &Answer,
    decision: &Decision,
) -> Result<(), String> {
    if answer.allowed != decision.is_allowed() {
        return Err(format!("verdict: oracle {}, policy {:?}", word(answer.allowed), decision.verdict));
    }
    if decision.reasons.len() != requirements.len() {
        return Err(format!("{} reasons for {} requirements", decision.reasons.len(), requirements.len()));
    }
    for (place, requirement) in requirements.iter().enumerate() {
        let (judged, reason) = (&answer.judged[place], &decision.reasons[place]);
        let context = Context { world, standing, requirement, judged };
        context
            .compare(place, reason)
            .map_err(|problem| format!("{}: {problem}", requirement_text(requirement)))?;
    }
    compare_obligations(answer, decision)
}

const fn word(allowed: bool) -> &'static str {
    if allowed { "Allowed" } else { "Denied" }
}

struct Context<'c> {
    world: &'c World,
    standing: &'c Standing,
    requirement: &'c Requirement,
    judged: &'c Judged,
}

impl Context<'_> {
    fn compare(&self, place: usize, reason: &Reason) -> Result<(), String> {
        let judged = self.judged;
        if reason.requirement != place {
            return Err(format!("the reason at place {place} is for requirement {}", reason.requirement));
        }
        let missing: BTreeSet<Resource> =
            reason.missing.iter().map(|missing| missing.resource.clone()).collect();
        if missing != judged.missing || missing.len() != reason.missing.len() {
            return Err(format!("missing: oracle {:?}, policy {:?}", judged.missing, reason.missing));
        }
        if reason.missing.iter().any(|missing| missing.right != self.requirement.right) {
            return Err(format!("missing another right: {:?}", reason.missing));
        }
        self.ground(reason).map_err(|wrong| {
            format!("{wrong}: policy {:?} by {:?}; oracle {judged:?}", reason.basis, reason.entries)
        })
    }

    /// The ground that is given has to be true.
    fn ground(&self, reason: &Reason) -> Result<(), &'static str> {
        let judged = self.judged;
        let entries: BTreeSet<EntryId> = reason.entries.iter().copied().collect();
        if entries.len() != reason.entries.len() {
            return Err("an entry is named twice");
        }
        let (holds, wrong) = match reason.basis {
            Basis::Granted => {
                let counts = |id| entries.contains(&id);
                let enough = decide_one(self.world, self.standing, self.requirement, NOW, &counts).met;
                let true_ones = !entries.is_empty() && entries.is_subset(&judged.grants);
                (judged.met && true_ones && enough, "not these grants")
            }
            Basis::Owner => {
                let asks = self.requirement.right == Right::Ownership;
                (judged.met && asks && entries.is_empty(), "no owner")
            }
            Basis::Administrator => {
                (judged.met && self.standing.administers() && entries.is_empty(), "no administrator")
            }
            Basis::Super => (judged.by_super && entries.is_subset(&judged.grants), "no SUPER"),
            Basis::Provider(_) => (false, "no provider was asked"),
            Basis::Denied => {
                (!judged.met && !entries.is_empty() && entries == judged.denials, "not these denials")
            }
            Basis::NotGranted => (!judged.granted && entries.is_empty(), "granted, were it not for denials"),
            Basis::Forbidden => {
                (matches!(self.requirement.right, Right::Nobody(_)) && entries.is_empty(), "not forbidden")
            }
        };
        if holds { Ok(()) } else { Err(wrong) }
    }
}

fn compare_obligations(answer: &Answer, decision: &Decision) -> Result<(), String> {
    let (mut filters, mut masks) = (BTreeSet::new(), BTreeSet::new());
    for obligation in &decision.obligations {
        let first = match obligation.clone() {
            Obligation::Filter { table, policy, condition } => {
                filters.insert(Filter { table, policy, condition: condition.to_string() })
            }
            Obligation::Mask { table, column, policy, expression } => {
                masks.insert(Mask { table, column, policy, expression: expression.to_string() })
            }
        };
        if !first {
            return Err(format!("twice: {obligation:?}"));
        }
    }
    if filters != answer.filters {
        return Err(format!("filters: oracle {:?}, policy {filters:?}", answer.filters));
    }
    if masks != answer.masks {
        return Err(format!("masks: oracle {:?}, policy {masks:?}", answer.masks));
    }
    Ok(())
}
