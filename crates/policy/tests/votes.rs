//! Decisions by vote.

mod random;

use guardbee_model::{Name, TableName};
use guardbee_policy::decision::Basis;
use guardbee_policy::request::Columns;
use guardbee_policy::requirement::{Reach, Requirement, Right, Side};
use guardbee_policy::{
    Change, Combiner, DecisionManager, Effect, Entry, EntryId, ExternalAnswer, GrantOption, Identity,
    Outcome, Policy, Principal, Privilege, Privileges, Provider, Resource, Scope, Tag, TagAssignment,
    Timestamp, Validity, Vote, decide, decide_by_vote,
};
use random::Dice;

#[test]
fn votes_of_entries_tags_and_owners_are_the_plain_decision() {
    for seed in 0..1_000 {
        let mut dice = Dice::new(seed);
        let policy = Policy::from_changes(random::changes(&mut dice)).expect("a policy");
        for _ in 0..20 {
            let identity = random::identity(&mut dice);
            let requirements = [random::requirement(&mut dice), random::requirement(&mut dice)];
            let now = Timestamp(dice.below(20) as i64);
            let subject = policy.subject(&identity);
            let plain = decide(&policy, &subject, &requirements, now);
            let manager = DecisionManager::default();
            let poll = decide_by_vote(&policy, &subject, &requirements, now, &manager, &[]);
            let context = || format!("seed {seed}\n{identity:#?}\n{requirements:#?}\n{plain:#?}\n{poll:#?}");
            assert_eq!(poll.decision.verdict, plain.verdict, "{}", context());
            assert_eq!(poll.decision.obligations, plain.obligations, "{}", context());
            for (voted, plain) in poll.decision.reasons.iter().zip(&plain.reasons) {
                assert_eq!(voted.missing, plain.missing, "{}", context());
            }
            assert_eq!(poll.ballots.len(), requirements.len() * manager.providers.len());
        }
    }
}

/// What each provider says: `+` for, `-` against, `0` nothing, `!` failed, `?` late, ` ` not asked.
struct Case {
    entries: char,
    tags: char,
    external: char,
    /// In the order of the combiners below.
    allowed: [bool; 4],
}

const COMBINERS: [Combiner; 4] =
    [Combiner::DenyOverrides, Combiner::PermitOverrides, Combiner::Majority, Combiner::Unanimous];

#[test]
fn combiners_count_as_they_say() {
    let case = |entries, tags, external, allowed| Case { entries, tags, external, allowed };
    let cases = [
        case('0', '0', '0', [false, false, false, false]),
        case('+', '0', '0', [true, true, true, false]),
        case('0', '+', '0', [true, true, true, false]),
        case('0', '0', '+', [true, true, true, false]),
        case('+', '+', '0', [true, true, true, false]),
        case('+', '+', '+', [true, true, true, true]),
        case('-', '0', '0', [false, false, false, false]),
        case('+', '-', '0', [false, true, false, false]),
        case('+', '-', '+', [false, true, true, false]),
        case('-', '+', '-', [false, true, false, false]),
        case('-', '+', '+', [false, true, true, false]),
        case('+', '0', '-', [false, true, false, false]),
        case('-', '-', '-', [false, false, false, false]),
        case('+', '+', '!', [false, false, false, false]),
        case('+', '+', '?', [false, false, false, false]),
        case('+', '+', ' ', [false, false, false, false]),
    ];
    for case in cases {
        for (combiner, allowed) in COMBINERS.into_iter().zip(case.allowed) {
            let told = format!("{}{}{} {combiner:?}", case.entries, case.tags, case.external);
            let poll = case.poll(combiner);
            assert_eq!(poll.decision.is_allowed(), allowed, "{told}: {poll:#?}");
            let votes: Vec<Vote> = poll.ballots.iter().map(|ballot| ballot.vote).collect();
            assert_eq!(votes, [vote(case.entries), vote(case.tags), vote(case.external)], "{told}");
            let failed = matches!(case.external, '!' | '?' | ' ');
            let by_outsider = poll.decision.reasons[0].basis == Basis::Provider(Name::fold("outsider"));
            assert!(!failed || by_outsider, "{told}: {poll:#?}");
        }
    }
}

fn vote(sign: char) -> Vote {
    match sign {
        '+' => Vote::For,
        '0' => Vote::Abstain,
        _ => Vote::Against,
    }
}

impl Case {
    fn poll(&self, combiner: Combiner) -> guardbee_policy::Poll {
        let table = TableName::new(Name::fold("hr"), Name::fold("emp"));
        let tag = Name::fold("pii");
        let mut changes = vec![
            Change::PutTag(Tag {
                name: tag.clone(),
                allowed_values: [].into(),
                comment: None,
                created_by: None,
                created_at: Timestamp(0),
            }),
            Change::PutTagAssignment(TagAssignment {
                tag: tag.clone(),
                value: None,
                resource: Resource::Table(table.clone()),
            }),
        ];
        let scopes =
            [(self.entries, Scope::table("hr", "emp")), (self.tags, Scope::Tag { tag, value: None })];
        for (place, (sign, scope)) in scopes.into_iter().enumerate().filter(|(_, (sign, _))| *sign != '0') {
            changes.push(Change::PutEntry(Entry {
                id: EntryId(place as u64 + 1),
                effect: if sign == '+' { Effect::Grant } else { Effect::Deny },
                principal: Principal::user("ana"),
                except: [].into(),
                privileges: Privileges::of(Privilege::Select),
                scope,
                grant_option: GrantOption::Without,
                grantor: None,
                created_at: Timestamp(0),
                validity: Validity::ALWAYS,
                purpose: None,
            }));
        }
        let policy = Policy::from_changes(changes).expect("a policy");
        let outsider = Name::fold("outsider");
        let voted = |vote| Outcome::Voted { votes: vec![vote], reason: "it says so".into() };
        let outcome = match self.external {
            '!' => Some(Outcome::Failed("no connection".into())),
            '?' => Some(Outcome::Late),
            ' ' => None,
            sign => Some(voted(vote(sign))),
        };
        let answers: Vec<ExternalAnswer> = outcome
            .into_iter()
            .map(|outcome| ExternalAnswer { provider: outsider.clone(), outcome })
            .collect();
        let manager = DecisionManager {
            providers: vec![Provider::Entries, Provider::Tags, Provider::External(outsider)],
            combiner,
        };
        let requirement = Requirement {
            right: Right::AnyOf {
                privileges: Privileges::of(Privilege::Select),
                grant_option: GrantOption::Without,
            },
            resource: Resource::Table(table),
            columns: Columns::Whole,
            reach: Reach::Around,
            side: Side::Input,
        };
        let subject = policy.subject(&Identity::of_user("ana"));
        decide_by_vote(&policy, &subject, &[requirement], Timestamp(0), &manager, &answers)
    }
}
