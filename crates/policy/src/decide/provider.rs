//! Decisions by vote: who is asked, and how the votes count.
//!
//! Providers vote on each privilege at each resource or column that is asked for. [`decide`](crate::decide) is
//! what comes out where entries, tags and owners are asked and any vote against refuses; it takes a shorter way.

use std::sync::Arc;

use guardbee_model::{ColumnName, Name};
use smallvec::SmallVec;

use super::place::Place;
use super::tally::{Ground, Tally, is_lost_to_denials};
use super::{Judge, Sources, missing, obligations};
use crate::decision::{Basis, Reason};
use crate::policy::Policy;
use crate::request::Columns;
use crate::requirement::{Reach, Requirement, Right};
use crate::subject::Subject;
use crate::{BookName, Decision, EntryId, GrantOption, Privilege, Privileges, Resource, Timestamp, Verdict};

/// Who is asked, in this order, and how the votes count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionManager {
    pub providers: Vec<Provider>,
    pub combiner: Combiner,
}

/// Entries, tags and owners, and any vote against refuses.
impl Default for DecisionManager {
    fn default() -> Self {
        Self {
            providers: vec![Provider::Entries, Provider::Tags, Provider::Ownership],
            combiner: Combiner::DenyOverrides,
        }
    }
}

/// Somebody who votes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Provider {
    /// The entries at names, SUPER, and the right to administer.
    Entries,
    /// The entries at tags.
    Tags,
    Ownership,
    /// Somebody outside, who has been asked before and answered, or not.
    External(Name),
}

/// How votes become a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Combiner {
    /// Any vote against refuses; else any vote for allows.
    #[default]
    DenyOverrides,
    /// Any vote for allows.
    PermitOverrides,
    /// More votes for than against allow. A tie refuses, and so do abstentions of all.
    Majority,
    /// Every provider must vote for it: to abstain is not to agree.
    Unanimous,
}

/// What a provider says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Vote {
    Against = -1,
    Abstain = 0,
    For = 1,
}

/// What came of asking an external provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExternalAnswer {
    pub provider: Name,
    pub outcome: Outcome,
}

/// An external provider's votes on the requirements in their order, or why there are none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Voted {
        votes: Vec<Vote>,
        reason: Arc<str>,
    },
    Failed(Arc<str>),
    /// It did not answer in time.
    Late,
}

/// One vote on one requirement as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ballot {
    pub requirement: usize,
    pub provider: Provider,
    pub vote: Vote,
    /// The entries that it rests on.
    pub entries: SmallVec<[EntryId; 4]>,
    /// What an external provider says, or why it says nothing.
    pub reason: Option<Arc<str>>,
}

/// A decision, and the votes that it was made of: for each requirement those of the providers in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Poll {
    pub decision: Decision,
    pub ballots: Vec<Ballot>,
}

/// Decides by vote. A provider that has failed, is late or was not asked refuses under every combiner.
#[must_use]
pub fn decide_by_vote(
    policy: &Policy,
    subject: &Subject,
    requirements: &[Requirement],
    now: Timestamp,
    manager: &DecisionManager,
    external: &[ExternalAnswer],
) -> Poll {
    let subject = &*subject.of(policy);
    let voting = Voting { judge: Judge::new(policy, subject, now), manager, external };
    let mut poll = Poll {
        decision: Decision { verdict: Verdict::Allowed, reasons: SmallVec::new(), obligations: Vec::new() },
        ballots: Vec::new(),
    };
    for (place, requirement) in requirements.iter().enumerate() {
        let reason = voting.reason(place, requirement, &mut poll.ballots);
        if !reason.missing.is_empty() {
            poll.decision.verdict = Verdict::Denied;
        }
        poll.decision.reasons.push(reason);
    }
    if poll.decision.is_allowed() {
        poll.decision.obligations = obligations::of(policy, subject, requirements);
    }
    poll
}

/// What one provider says of each privilege at one resource.
struct Opinion {
    provider: usize,
    granted: Privileges,
    denied: Privileges,
    grants: SmallVec<[EntryId; 4]>,
    denials: SmallVec<[EntryId; 4]>,
    /// Has it failed?
    is_out: bool,
}

struct Voting<'p, 'm> {
    judge: Judge<'p>,
    manager: &'m DecisionManager,
    external: &'m [ExternalAnswer],
}

impl Voting<'_, '_> {
    fn reason(&self, place: usize, requirement: &Requirement, ballots: &mut Vec<Ballot>) -> Reason {
        let wanted = wanted(&requirement.right);
        let mut reason = Reason {
            requirement: place,
            entries: SmallVec::new(),
            basis: Basis::NotGranted,
            missing: Vec::new(),
        };
        let resources = asked_for(requirement);
        let mut votes = vec![(Vote::For, SmallVec::new()); self.manager.providers.len()];
        let mut grounds = Vec::new();
        for resource in resources {
            let opinions = self.opinions(place, requirement, &resource);
            for opinion in &opinions {
                opinion.add_to(wanted, &mut votes);
            }
            let granted = self.combine(&opinions);
            if is_enough(wanted, granted) && !matches!(requirement.right, Right::Nobody(_)) {
                grounds.push(self.ground_of_grant(wanted, granted, &opinions, &mut reason.entries));
            } else {
                reason.missing.push(missing(requirement, resource));
                grounds.push(self.ground_of_refusal(requirement, wanted, &opinions));
            }
        }
        if !reason.missing.is_empty() {
            reason.entries.clear();
            grounds.retain(|ground| !ground.1);
            reason.entries.extend(
                votes
                    .iter()
                    .filter(|(vote, _)| *vote == Vote::Against)
                    .flat_map(|(_, ids)| ids.iter().copied()),
            );
        }
        reason.entries.sort_unstable();
        reason.entries.dedup();
        reason.basis = grounds.into_iter().map(|ground| ground.0).next().unwrap_or(Basis::NotGranted);
        for (provider, (vote, entries)) in self.manager.providers.iter().zip(votes) {
            let reason = self.said(provider);
            ballots.push(Ballot { requirement: place, provider: provider.clone(), vote, entries, reason });
        }
        reason
    }

    fn opinions(&self, place: usize, requirement: &Requirement, resource: &Resource) -> Vec<Opinion> {
        let opinion = |(number, provider): (usize, &Provider)| {
            let mut opinion = match provider {
                Provider::Entries => self.judge.entries_say(requirement, resource),
                Provider::Tags => self.judge.tags_say(requirement, resource),
                Provider::Ownership => self.judge.owner_says(requirement, resource),
                Provider::External(name) => self.external_says(name, place),
            };
            opinion.provider = number;
            opinion
        };
        self.manager.providers.iter().enumerate().map(opinion).collect()
    }

    fn external_says(&self, name: &Name, place: usize) -> Opinion {
        let answer = self.external.iter().find(|answer| answer.provider == *name);
        let vote = match answer.map(|answer| &answer.outcome) {
            Some(Outcome::Voted { votes, .. }) => votes.get(place).copied(),
            Some(Outcome::Failed(_) | Outcome::Late) | None => None,
        };
        let all = |is_so: bool| if is_so { Privileges::ALL } else { Privileges::NONE };
        Opinion {
            granted: all(vote == Some(Vote::For)),
            denied: all(vote == Some(Vote::Against)),
            is_out: vote.is_none(),
            ..Opinion::none()
        }
    }

    /// What an external provider says for a person.
    fn said(&self, provider: &Provider) -> Option<Arc<str>> {
        let Provider::External(name) = provider else { return None };
        let answer = self.external.iter().find(|answer| answer.provider == *name);
        Some(match answer.map(|answer| &answer.outcome) {
            Some(Outcome::Voted { reason, .. }) => Arc::clone(reason),
            Some(Outcome::Failed(reason)) => Arc::clone(reason),
            Some(Outcome::Late) => Arc::from("it did not answer in time"),
            None => Arc::from("it was not asked"),
        })
    }

    /// The privileges that the votes give.
    fn combine(&self, opinions: &[Opinion]) -> Privileges {
        if opinions.iter().any(|opinion| opinion.is_out) {
            return Privileges::NONE;
        }
        let any = |side: fn(&Opinion) -> Privileges| {
            opinions.iter().map(side).fold(Privileges::NONE, Privileges::union)
        };
        let (granted, denied) = (any(|opinion| opinion.votes_for()), any(|opinion| opinion.denied));
        match self.manager.combiner {
            Combiner::DenyOverrides => granted.without(denied),
            Combiner::PermitOverrides => granted,
            Combiner::Majority => majority(opinions),
            Combiner::Unanimous => {
                let all = opinions.iter().map(Opinion::votes_for).reduce(Privileges::intersection);
                all.unwrap_or(Privileges::NONE)
            }
        }
    }

    /// The first provider that gives something that counts, and the entries it gives it by.
    fn ground_of_grant(
        &self,
        wanted: Privileges,
        granted: Privileges,
        opinions: &[Opinion],
        entries: &mut SmallVec<[EntryId; 4]>,
    ) -> (Basis, bool) {
        let counting = granted.intersection(wanted);
        let mut basis = None;
        for opinion in opinions.iter().filter(|opinion| opinion.votes_for().intersects(counting)) {
            entries.extend(opinion.grants.iter().copied());
            basis = basis.or_else(|| Some(self.basis_of(opinion)));
            if !wanted.is_all() {
                break;
            }
        }
        (basis.unwrap_or(Basis::Granted), true)
    }

    fn basis_of(&self, opinion: &Opinion) -> Basis {
        match self.manager.providers.get(opinion.provider) {
            Some(Provider::External(name)) => Basis::Provider(name.clone()),
            Some(Provider::Ownership) => Basis::Owner,
            Some(Provider::Entries) if self.judge.super_entry.is_some() => Basis::Super,
            Some(Provider::Entries) if opinion.grants.is_empty() => Basis::Administrator,
            _ => Basis::Granted,
        }
    }

    fn ground_of_refusal(
        &self,
        requirement: &Requirement,
        wanted: Privileges,
        opinions: &[Opinion],
    ) -> (Basis, bool) {
        if matches!(requirement.right, Right::Nobody(_)) {
            return (Basis::Forbidden, false);
        }
        let granted = opinions.iter().fold(Privileges::NONE, |all, opinion| all.union(opinion.granted));
        let against = |opinion: &&Opinion| {
            opinion.is_out || is_lost_to_denials(wanted, granted, opinion.denied.intersection(wanted))
        };
        let basis = match opinions.iter().find(against) {
            Some(opinion) => match self.manager.providers.get(opinion.provider) {
                Some(Provider::External(name)) => Basis::Provider(name.clone()),
                _ => Basis::Denied,
            },
            None => Basis::NotGranted,
        };
        (basis, false)
    }
}

impl Opinion {
    fn none() -> Self {
        Self {
            provider: 0,
            granted: Privileges::NONE,
            denied: Privileges::NONE,
            grants: SmallVec::new(),
            denials: SmallVec::new(),
            is_out: false,
        }
    }

    fn votes_for(&self) -> Privileges {
        self.granted.without(self.denied)
    }

    /// Adds to what the provider says of the whole requirement: it is for it if it is for every part, against it
    /// if it is against any.
    fn add_to(&self, wanted: Privileges, votes: &mut [(Vote, SmallVec<[EntryId; 4]>)]) {
        let Some((vote, entries)) = votes.get_mut(self.provider) else { return };
        let here =
            if self.is_out || is_lost_to_denials(wanted, self.granted, self.denied.intersection(wanted)) {
                Vote::Against
            } else if is_enough(wanted, self.votes_for()) {
                Vote::For
            } else {
                Vote::Abstain
            };
        if here < *vote {
            entries.clear();
        }
        *vote = here.min(*vote);
        match *vote {
            Vote::For => entries.extend(self.grants.iter().copied()),
            Vote::Against if here == Vote::Against => entries.extend(self.denials.iter().copied()),
            _ => {}
        }
        entries.sort_unstable();
        entries.dedup();
    }
}

impl From<Tally> for Opinion {
    fn from(tally: Tally) -> Self {
        let grants = if tally.is_met() { tally.grants() } else { SmallVec::new() };
        let denials = tally.denials();
        Self { granted: tally.granted(), denied: tally.denied(), grants, denials, ..Self::none() }
    }
}

impl Judge<'_> {
    fn entries_say(&self, requirement: &Requirement, resource: &Resource) -> Opinion {
        let all = Opinion { granted: Privileges::ALL, ..Opinion::none() };
        if let Some(entry) = self.super_entry {
            return Opinion { grants: std::iter::once(entry).collect(), ..all };
        }
        let is_administrator = self.subject.is_administrator();
        if requirement.right == Right::Administration {
            return if is_administrator { all } else { Opinion::none() };
        }
        let is_sql_standard = self.policy.settings.rule_book == BookName::SqlStandard;
        let ground = match requirement.right {
            _ if is_sql_standard && is_administrator => Ground::Administrator,
            Right::Ownership => Ground::Nothing,
            _ => Ground::Grants,
        };
        self.with_sources(Sources { entries: true, tags: false }).opinion(requirement, resource, ground)
    }

    fn tags_say(&self, requirement: &Requirement, resource: &Resource) -> Opinion {
        let ground = match requirement.right {
            Right::AnyOf { .. } => Ground::Grants,
            Right::Ownership => Ground::Nothing,
            Right::Administration | Right::Nobody(_) => return Opinion::none(),
        };
        if self.super_entry.is_some() {
            return Opinion::none();
        }
        self.with_sources(Sources { entries: false, tags: true }).opinion(requirement, resource, ground)
    }

    fn owner_says(&self, requirement: &Requirement, resource: &Resource) -> Opinion {
        let is_sql_standard = self.policy.settings.rule_book == BookName::SqlStandard;
        let owns = requirement.right == Right::Ownership && self.owns(resource, is_sql_standard);
        Opinion { granted: if owns { Privileges::ALL } else { Privileges::NONE }, ..Opinion::none() }
    }

    fn with_sources(&self, sources: Sources) -> Judge<'_> {
        Judge {
            policy: self.policy,
            subject: self.subject,
            now: self.now,
            super_entry: self.super_entry,
            sources,
        }
    }

    fn opinion(&self, requirement: &Requirement, resource: &Resource, ground: Ground) -> Opinion {
        let option = match &requirement.right {
            Right::AnyOf { grant_option, .. } => *grant_option,
            _ => GrantOption::Without,
        };
        let place = Place::new(self.policy, resource);
        let mut tally = Tally::new(wanted(&requirement.right), option, ground);
        self.see_around(&place, &mut tally);
        match resource {
            Resource::Column(column) => self.see_column(&place, &column.column, &mut tally),
            _ if requirement.reach == Reach::Around => self.see_denials_inside(&place, &mut tally),
            _ => {}
        }
        if requirement.reach == Reach::AroundOrInside {
            let whole = Place::new(self.policy, &requirement.resource);
            tally.next_level();
            self.see_grants_inside(&whole, &mut tally);
        }
        tally.into()
    }
}

/// The privileges that are voted on.
fn wanted(right: &Right) -> Privileges {
    match right {
        Right::AnyOf { privileges, .. } => *privileges,
        Right::Ownership => Privileges::of(Privilege::Owner),
        // Anything will do, as long as it is one privilege.
        Right::Administration | Right::Nobody(_) => Privileges::of(Privilege::ServiceAdmin),
    }
}

fn is_enough(wanted: Privileges, granted: Privileges) -> bool {
    if wanted.is_all() { granted.is_all() } else { granted.intersects(wanted) }
}

/// The resource, or each of the columns that are named.
fn asked_for(requirement: &Requirement) -> Vec<Resource> {
    match (&requirement.resource, &requirement.columns) {
        (Resource::Table(table), Columns::Named(columns))
            if !columns.is_empty() && matches!(requirement.right, Right::AnyOf { .. }) =>
        {
            let column = |name: &Name| Resource::Column(ColumnName::new(table.clone(), name.clone()));
            columns.iter().map(column).collect()
        }
        (resource, _) => vec![resource.clone()],
    }
}

/// The privileges with more votes for them than against them.
fn majority(opinions: &[Opinion]) -> Privileges {
    let mut bits = 0;
    for bit in 0..u32::BITS {
        let is_in = |privileges: Privileges| i32::from(privileges.bits() >> bit & 1 != 0);
        let sum: i32 =
            opinions.iter().map(|opinion| is_in(opinion.votes_for()) - is_in(opinion.denied)).sum();
        bits |= u32::from(sum > 0) << bit;
    }
    Privileges::from_bits(bits)
}
