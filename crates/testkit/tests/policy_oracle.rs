//! The policy crate before the naive oracle: cases on which they once differed, each settled by the
//! specification, and many random questions.

use guardbee_model::TableName;
use guardbee_policy::request::Columns;
use guardbee_policy::requirement::{Reach, Requirement, Right};
use guardbee_policy::{
    BookName, Change, DataPolicy, DataRule, Ownership, Policy, PolicyState, Principal, Privilege, Privileges,
    Resource, Role, Scope, Visibility, reverse,
};
use guardbee_testkit::policy_oracle::build::{book, deny, grant, member, named, needs};
use guardbee_testkit::policy_oracle::compare::Case;
use guardbee_testkit::policy_oracle::count::compare_many;
use guardbee_testkit::policy_oracle::random::NOW;
use guardbee_testkit::policy_oracle::{Active, Asker, Standing, decide};

const SELECT: Privileges = Privileges::of(Privilege::Select);
const INSERT: Privileges = Privileges::of(Privilege::Insert);
const OWNER: Privileges = Privileges::of(Privilege::Owner);

fn ann() -> Principal {
    Principal::user("ann")
}

fn table() -> Resource {
    Resource::Table(TableName::new("db".into(), "t".into()))
}

fn whole(privileges: Privileges) -> Requirement {
    needs(privileges, table(), named(&[]))
}

fn of_columns(privileges: Privileges, columns: &[&str]) -> Requirement {
    needs(privileges, table(), named(columns))
}

enum Verdict {
    Allowed,
    Denied,
}

/// Policy and oracle agree, and on this.
fn settled(changes: &[Change], active: Active, requirement: Requirement, verdict: &Verdict) {
    let case = Case {
        loaded: changes.to_vec(),
        steps: Vec::new(),
        asker: Asker { user: "ann".into(), groups: vec!["staff".into()], active },
        requirements: vec![requirement],
    };
    assert!(case.policy().is_some(), "the policy does not take\n{}", case.text());
    let world = case.world();
    let answer = decide(&world, &Standing::of(&world, &case.asker), &case.requirements, NOW);
    assert_eq!(answer.allowed, matches!(verdict, Verdict::Allowed), "{}", case.text());
    assert_eq!(case.difference(), None, "{}", case.text());
}

fn allowed(changes: &[Change], requirement: Requirement) {
    settled(changes, Active::All, requirement, &Verdict::Allowed);
}

fn denied(changes: &[Change], requirement: Requirement) {
    settled(changes, Active::All, requirement, &Verdict::Denied);
}

#[test]
fn no_column_named_is_the_table_as_a_whole() {
    denied(&[], of_columns(SELECT, &[]));
    denied(&[grant(1, SELECT, Scope::column("db", "t", "a"), ann())], of_columns(SELECT, &[]));
}

#[test]
fn what_a_revoke_left_of_all_is_neither_super_nor_owner() {
    let rest = [grant(1, Privileges::ALL.without(SELECT), Scope::Server, ann())];
    denied(&rest, whole(SELECT));
    allowed(&rest, whole(INSERT));
    denied(&rest, Requirement { right: Right::Ownership, ..whole(SELECT) });
}

#[test]
fn all_on_the_server_yields_to_a_denial() {
    let all = grant(1, Privileges::ALL, Scope::Server, ann());
    denied(&[all, deny(2, SELECT, Scope::database("db"), ann())], whole(SELECT));
}

#[test]
fn a_denied_column_takes_from_the_table_what_columns_have() {
    let drop = Privileges::of(Privilege::Drop);
    let changes = [
        grant(1, Privileges::ALL, Scope::table("db", "t"), ann()),
        deny(2, Privileges::ALL, Scope::column("db", "t", "ssn"), ann()),
    ];
    denied(&changes, whole(SELECT));
    denied(&changes, whole(INSERT));
    allowed(&changes, whole(drop));
    denied(&changes, whole(SELECT.union(INSERT)));
    allowed(&changes, whole(SELECT.union(drop)));
    denied(&changes, whole(Privileges::ALL));
}

#[test]
fn a_denied_column_does_not_hide_that_the_table_is_there() {
    let changes = [
        grant(1, SELECT, Scope::table("db", "t"), ann()),
        deny(2, SELECT, Scope::column("db", "t", "ssn"), ann()),
    ];
    allowed(&changes, Requirement { reach: Reach::AroundOrInside, ..whole(SELECT) });
}

#[test]
fn a_refusal_names_the_denial_that_is_its_only_ground() {
    let changes = [grant(1, SELECT, Scope::Server, ann()), deny(2, SELECT, Scope::table("db", "t"), ann())];
    denied(&changes, whole(SELECT.union(INSERT)));
}

#[test]
fn admin_is_switched_on_by_its_name_in_the_sql_standard_book() {
    let changes = [book(BookName::SqlStandard), member("admin", Principal::public())];
    for active in [Active::None, Active::Only(vec!["public".into()]), Active::All] {
        settled(&changes, active, whole(SELECT), &Verdict::Denied);
    }
    settled(&changes, Active::Only(vec!["admin".into()]), whole(SELECT), &Verdict::Allowed);
}

#[test]
fn a_tag_that_nothing_carries_is_on_nothing() {
    use guardbee_policy::{Tag, TagAssignment};
    let tag = Change::PutTag(Tag {
        name: "pii".into(),
        allowed_values: [].into(),
        comment: None,
        created_by: None,
        created_at: NOW,
    });
    let held = grant(1, SELECT, Scope::Tag { tag: "pii".into(), value: None }, ann());
    let server =
        || Requirement { reach: Reach::AroundOrInside, ..needs(SELECT, Resource::Server, Columns::Whole) };
    denied(&[tag.clone(), held.clone()], server());
    let assignment =
        Change::PutTagAssignment(TagAssignment { tag: "pii".into(), value: None, resource: table() });
    allowed(&[tag, held, assignment], server());
}

/// The policy named a grant of SELECT alone where ALL was asked for.
#[test]
fn the_grants_that_are_named_are_enough() {
    let changes = [
        grant(1, SELECT, Scope::column("db", "t", "*"), ann()),
        grant(2, OWNER, Scope::column("db", "t", "a"), ann()),
    ];
    allowed(&changes, of_columns(Privileges::ALL, &["a"]));
}

/// On the column OWNER is held, and INSERT alone is denied there.
#[test]
fn one_alternative_on_the_table_and_another_on_the_column() {
    let changes = [
        deny(1, INSERT, Scope::column("db", "t", "a"), ann()),
        grant(2, OWNER, Scope::column("db", "t", "a"), ann()),
        grant(3, INSERT, Scope::table("db", "t"), ann()),
    ];
    allowed(&changes, of_columns(INSERT.union(OWNER), &["a"]));
}

fn created(role: &str) -> Change {
    Change::PutRole(Role { name: role.into(), created_by: None, created_at: NOW })
}

/// A role that something speaks of stays, or its name may be spoken of without it.
#[test]
fn what_a_policy_says_of_itself_builds_it_again() {
    let filter = DataPolicy {
        name: "f".into(),
        rule: DataRule::RowFilter,
        scope: Scope::table("db", "t"),
        expression: "a > 1".into(),
        principals: [Principal::role("r")].into(),
        except: [].into(),
        state: PolicyState::Enabled,
        created_by: None,
        created_at: NOW,
    };
    let owner = Ownership { resource: table(), owner: Principal::role("r") };
    for speaks_of_it in [Change::PutOwner(owner), Change::PutDataPolicy(filter)] {
        let mut policy = Policy::from_changes([created("r"), speaks_of_it]).expect("sound changes");
        let _ = policy.apply(Change::RemoveRole("r".into()));
        let again = Policy::from_changes(policy.changes());
        assert!(again.is_ok(), "{:?}", again.err());
    }
}

#[test]
fn who_can_names_those_whom_a_denial_of_everybody_excepts() {
    let mut denial = deny(2, SELECT, Scope::Server, Principal::public());
    if let Change::PutEntry(entry) = &mut denial {
        entry.except = [Principal::role("r")].into();
    }
    let changes = [created("r"), grant(1, SELECT, Scope::Server, Principal::public()), denial];
    let policy = Policy::from_changes(changes).expect("sound changes");
    let answer = reverse::who_can(&policy, Privilege::Select, &table(), NOW);
    assert_eq!(answer.principals, [Principal::role("r")]);
}

#[test]
fn the_ranger_book_shows_the_database_default_to_holders_of_rights_only() {
    let policy = Policy::from_changes([book(BookName::Ranger)]).expect("sound changes");
    let subject = policy.subject_of_principal(&ann());
    let names = [guardbee_model::Name::from("default")];
    assert!(Visibility::new(&policy, &subject, NOW).databases(&names).is_empty());
}

/// Only the server holds service objects, but it does.
#[test]
fn a_service_object_is_met_by_a_grant_on_the_server() {
    let service = needs(SELECT, Resource::Service("plan".into()), Columns::Whole);
    let policy = Policy::new();
    let least = reverse::least_grant(&policy, &policy.subject_of_principal(&ann()), &[service], NOW);
    assert_eq!(least.grants.iter().map(|grant| &grant.scope).collect::<Vec<_>>(), [&Scope::Server]);
    assert!(least.beyond.is_empty());
}

/// Where SUPER would do as well as what is granted in its stead, the denial of something else stays.
#[test]
fn the_least_grant_names_denials_that_super_would_pass() {
    let policy =
        Policy::from_changes([deny(1, SELECT, Scope::database("db"), ann())]).expect("sound changes");
    let or_super = SELECT.union(Privileges::of(Privilege::Super));
    let on_the_server = needs(or_super, Resource::Server, Columns::Whole);
    let subject = policy.subject_of_principal(&ann());
    let least = reverse::least_grant(&policy, &subject, &[on_the_server, of_columns(SELECT, &["a"])], NOW);
    assert_eq!(least.denials, [guardbee_policy::EntryId(1)]);
}

/// Two denials beneath one address: what one refuses is gained beneath it, not at it.
#[test]
fn who_gains_by_a_denial_that_goes_is_named_though_another_is_beneath_it() {
    let place = |text: &str| Scope::Uri(guardbee_policy::Uri::from_normalised(text));
    let changes = [
        grant(1, SELECT, place("hdfs://nn"), ann()),
        deny(2, SELECT, place("hdfs://nn/a"), ann()),
        deny(3, SELECT, place("hdfs://nn/a/b"), ann()),
    ];
    let policy = Policy::from_changes(changes).expect("sound changes");
    let gains = reverse::what_if_removed(&policy, guardbee_policy::EntryId(2), NOW);
    assert!(gains.iter().any(|gain| gain.principal == ann() && gain.gained == SELECT), "{gains:?}");
}

#[test]
fn policy_and_oracle_agree_on_random_questions() {
    let counts = compare_many(200_000, 4, 2)
        .unwrap_or_else(|difference| panic!("{}\n-- {}", difference.case, difference.what));
    // So that every kind of answer is among them.
    let kinds = [
        counts.allowed,
        counts.overruled,
        counts.after_steps,
        counts.refused_changes,
        counts.by_super,
        counts.by_administrator,
        counts.by_owner,
        counts.by_tag,
        counts.by_pattern,
        counts.with_exception,
        counts.with_limits,
        counts.inside,
        counts.by_several,
        counts.some_columns,
        counts.filtered,
        counts.masked,
    ];
    assert!(kinds.iter().all(|&count| count >= 50), "{counts}");
}
