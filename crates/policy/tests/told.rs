//! What a decision by vote tells: on what ground it stands, by which entries, and what those outside said.

use std::sync::Arc;

use guardbee_model::{Name, TableName};
use guardbee_policy::decision::Basis;
use guardbee_policy::request::Columns;
use guardbee_policy::requirement::{Reach, Requirement, Right, Side};
use guardbee_policy::{
    Change, Combiner, DecisionManager, Effect, Entry, EntryId, ExternalAnswer, GrantOption, Identity,
    Membership, Outcome, Ownership, Policy, Poll, Principal, Privilege, Privileges, Provider, Resource,
    Scope, Tag, TagAssignment, Timestamp, Validity, Vote, decide, decide_by_vote,
};

fn ana() -> Principal {
    Principal::user("ana")
}

fn entry(id: u64, effect: Effect, privilege: Privilege, scope: Scope) -> Change {
    Change::PutEntry(Entry {
        id: EntryId(id),
        effect,
        principal: ana(),
        except: [].into(),
        privileges: Privileges::of(privilege),
        scope,
        grant_option: GrantOption::Without,
        grantor: None,
        created_at: Timestamp(0),
        validity: Validity::ALWAYS,
        purpose: None,
    })
}

fn table() -> Resource {
    Resource::Table(TableName::new(Name::fold("d"), Name::fold("t")))
}

fn tagged() -> [Change; 2] {
    let tag = Name::fold("pii");
    let (comment, created_by, created_at) = (None, None, Timestamp(0));
    let put = Tag { name: tag.clone(), allowed_values: [].into(), comment, created_by, created_at };
    let assignment = TagAssignment { tag, value: None, resource: table() };
    [Change::PutTag(put), Change::PutTagAssignment(assignment)]
}

fn on_tag() -> Scope {
    Scope::Tag { tag: Name::fold("pii"), value: None }
}

fn select() -> Right {
    let privileges = Privileges::of(Privilege::Select);
    Right::AnyOf { privileges, grant_option: GrantOption::Without }
}

fn poll(
    changes: impl IntoIterator<Item = Change>,
    right: Right,
    providers: &[Provider],
    answers: &[ExternalAnswer],
) -> Poll {
    let policy = Policy::from_changes(changes).expect("a policy");
    let subject = policy.subject(&Identity::of_user("ana"));
    let requirement = wanted(right, Columns::Whole);
    let manager = DecisionManager { providers: providers.to_vec(), combiner: Combiner::DenyOverrides };
    decide_by_vote(&policy, &subject, &[requirement], Timestamp(0), &manager, answers)
}

fn wanted(right: Right, columns: Columns) -> Requirement {
    Requirement { right, resource: table(), columns, reach: Reach::Around, side: Side::Input }
}

fn ids(poll: &Poll) -> Vec<u64> {
    poll.decision.reasons[0].entries.iter().map(|id| id.0).collect()
}

const ENTRIES_AND_TAGS: [Provider; 2] = [Provider::Entries, Provider::Tags];

#[test]
fn a_grant_stands_on_the_first_that_gives_it() {
    let at_table = || Scope::table("d", "t");
    let both = [
        entry(1, Effect::Grant, Privilege::Select, at_table()),
        entry(2, Effect::Grant, Privilege::Select, on_tag()),
    ];
    let found = poll(tagged().into_iter().chain(both), select(), &ENTRIES_AND_TAGS, &[]);
    assert!(found.decision.is_allowed());
    assert_eq!((&found.decision.reasons[0].basis, ids(&found)), (&Basis::Granted, vec![1]));
    assert!(found.ballots.iter().all(|ballot| ballot.reason.is_none()));

    let by_tag = [entry(2, Effect::Grant, Privilege::Select, on_tag())];
    let found = poll(tagged().into_iter().chain(by_tag), select(), &ENTRIES_AND_TAGS, &[]);
    assert_eq!((&found.decision.reasons[0].basis, ids(&found)), (&Basis::Granted, vec![2]));

    let by_super = [entry(3, Effect::Grant, Privilege::Super, Scope::Server)];
    let found = poll(by_super, select(), &ENTRIES_AND_TAGS, &[]);
    assert_eq!((&found.decision.reasons[0].basis, ids(&found)), (&Basis::Super, vec![3]));
}

#[test]
fn owners_and_administrators_are_named_as_such() {
    let owns = Change::PutOwner(Ownership { resource: table(), owner: ana() });
    let providers = [Provider::Entries, Provider::Ownership];
    let found = poll([owns], Right::Ownership, &providers, &[]);
    assert!(found.decision.is_allowed());
    assert_eq!((&found.decision.reasons[0].basis, ids(&found)), (&Basis::Owner, vec![]));

    let admin = Change::PutMembership(Membership {
        role: Name::fold("admin"),
        member: ana(),
        admin_option: GrantOption::Without,
        grantor: None,
        created_at: Timestamp(0),
    });
    let found = poll([admin], Right::Administration, &providers, &[]);
    assert!(found.decision.is_allowed());
    assert_eq!((&found.decision.reasons[0].basis, ids(&found)), (&Basis::Administrator, vec![]));
}

#[test]
fn a_refusal_names_what_is_against_and_nothing_that_is_for() {
    let grant = entry(1, Effect::Grant, Privilege::Select, Scope::table("d", "t"));
    let deny = entry(2, Effect::Deny, Privilege::Select, on_tag());
    let found = poll(tagged().into_iter().chain([grant, deny]), select(), &ENTRIES_AND_TAGS, &[]);
    assert!(!found.decision.is_allowed());
    assert_eq!((&found.decision.reasons[0].basis, ids(&found)), (&Basis::Denied, vec![2]));
}

#[test]
fn those_outside_are_told_with_their_own_words() {
    let name = |text: &str| Name::fold(text);
    let answer = |text: &str, outcome| ExternalAnswer { provider: name(text), outcome };
    let voted = |reason: &str| Outcome::Voted { votes: vec![Vote::For], reason: Arc::from(reason) };
    let answers = [
        answer("first", voted("one is as good as another")),
        answer("second", voted("the second says so")),
        answer("broken", Outcome::Failed("no connection".into())),
        answer("slow", Outcome::Late),
    ];
    let providers =
        |names: &[&str]| names.iter().map(|text| Provider::External(name(text))).collect::<Vec<_>>();
    let found = poll([], select(), &providers(&["second"]), &answers);
    assert!(found.decision.is_allowed());
    assert_eq!(found.decision.reasons[0].basis, Basis::Provider(name("second")));
    let all = providers(&["first", "second", "broken", "slow", "silent"]);
    let found = poll([], select(), &all, &answers);
    let said: Vec<&str> = found.ballots.iter().map(|ballot| ballot.reason.as_deref().unwrap_or("")).collect();
    assert_eq!(
        said,
        [
            "one is as good as another",
            "the second says so",
            "no connection",
            "it did not answer in time",
            "it was not asked",
        ]
    );
}

/// Of several columns a ballot rests on the entries of all where it is for all, and else on those that are against.
#[test]
fn a_ballot_over_columns_rests_on_what_made_it() {
    let column = |name: &str| Scope::column("d", "t", name);
    let grants =
        [("a", 1), ("b", 2)].map(|(name, id)| entry(id, Effect::Grant, Privilege::Select, column(name)));
    let columns = Columns::Named(vec![Name::fold("a"), Name::fold("b")]);
    let ballot = |changes: Vec<Change>| {
        let policy = Policy::from_changes(changes).expect("a policy");
        let subject = policy.subject(&Identity::of_user("ana"));
        let manager =
            DecisionManager { providers: vec![Provider::Entries], combiner: Combiner::DenyOverrides };
        let requirements = [wanted(select(), columns.clone())];
        let found = decide_by_vote(&policy, &subject, &requirements, Timestamp(0), &manager, &[]);
        let ids: Vec<u64> = found.ballots[0].entries.iter().map(|id| id.0).collect();
        (found.ballots[0].vote, ids)
    };
    assert_eq!(ballot(grants.to_vec()), (Vote::For, vec![1, 2]));
    let denied = [entry(3, Effect::Deny, Privilege::Select, column("b"))];
    assert_eq!(ballot(grants.iter().cloned().chain(denied).collect()), (Vote::Against, vec![3]));
}

/// Each privilege has its own majority.
#[test]
fn a_majority_is_counted_for_each_privilege() {
    let table_scope = || Scope::table("d", "t");
    let changes = [
        entry(1, Effect::Grant, Privilege::Insert, table_scope()),
        entry(2, Effect::Grant, Privilege::Alter, table_scope()),
        entry(3, Effect::Deny, Privilege::Alter, on_tag()),
    ];
    let policy = Policy::from_changes(tagged().into_iter().chain(changes)).expect("a policy");
    let subject = policy.subject(&Identity::of_user("ana"));
    let manager = DecisionManager { providers: ENTRIES_AND_TAGS.to_vec(), combiner: Combiner::Majority };
    for (privilege, allowed) in
        [(Privilege::Insert, true), (Privilege::Alter, false), (Privilege::Select, false)]
    {
        let right =
            Right::AnyOf { privileges: Privileges::of(privilege), grant_option: GrantOption::Without };
        let requirements = [wanted(right, Columns::Whole)];
        let found = decide_by_vote(&policy, &subject, &requirements, Timestamp(0), &manager, &[]);
        assert_eq!(found.decision.is_allowed(), allowed, "{privilege:?}");
    }
}

/// Of grants at several scopes the one at the widest is told: without it the others would matter.
#[test]
fn of_grants_at_several_scopes_the_widest_is_told() {
    let changes = [
        entry(1, Effect::Grant, Privilege::Select, Scope::table("d", "t")),
        entry(5, Effect::Grant, Privilege::Select, Scope::database("d")),
    ];
    let policy = Policy::from_changes(changes).expect("a policy");
    let subject = policy.subject(&Identity::of_user("ana"));
    let found = decide(&policy, &subject, &[wanted(select(), Columns::Whole)], Timestamp(0));
    assert_eq!(found.reasons[0].entries.as_slice(), [EntryId(5)]);
}
