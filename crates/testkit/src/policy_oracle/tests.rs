//! The oracle before cases written by hand from the specification.

use guardbee_model::{ColumnName, TableName};
use guardbee_policy::request::Columns;
use guardbee_policy::requirement::{Reach, Requirement, Right};
use guardbee_policy::{
    BookName, Change, DataPolicy, DataRule, Effect, EntryId, Ownership, PolicyState, Principal, Privilege,
    Privileges, Resource, Scope, TagAssignment, Timestamp, Uri, Validity,
};

use super::build::{book, deny, entry, grant, member, named, needs};
use super::names::FEW;
use super::random::NOW;
use super::{Active, Answer, Asker, Standing, World, decide, name_matches};

const SELECT: Privileges = Privileges::of(Privilege::Select);
const INSERT: Privileges = Privileges::of(Privilege::Insert);

fn tag(resource: Resource, tag: &str, value: &str) -> Change {
    Change::PutTagAssignment(TagAssignment { tag: tag.into(), value: Some(value.into()), resource })
}

fn tagged(tag: &str, value: Option<&str>) -> Scope {
    Scope::Tag { tag: tag.into(), value: value.map(Into::into) }
}

fn table(name: &str) -> Resource {
    Resource::Table(TableName::new("db".into(), name.into()))
}

fn column(name: &str) -> Resource {
    Resource::Column(ColumnName::new(TableName::new("db".into(), "t".into()), name.into()))
}

fn select(columns: Columns) -> Requirement {
    needs(SELECT, table("t"), columns)
}

fn ann() -> Principal {
    Principal::user("ann")
}

fn asker(active: Active) -> Asker {
    Asker { user: "ann".into(), groups: vec!["users".into(), "users2".into()], active }
}

fn answer_to(changes: &[Change], active: Active, requirement: Requirement) -> Answer {
    let world = World::of(changes);
    decide(&world, &Standing::of(&world, &asker(active)), &[requirement], NOW)
}

fn allows(changes: &[Change], requirement: Requirement) -> bool {
    answer_to(changes, Active::All, requirement).allowed
}

#[test]
fn nothing_granted_is_nothing_allowed() {
    assert!(!allows(&[], select(Columns::Whole)));
    assert!(!allows(&[], select(named(&["a"]))));
    assert!(!allows(&[], select(named(&[]))));
}

#[test]
fn denial_of_one_group_beats_the_grant_of_another() {
    let some = [
        grant(1, Privileges::ALL, Scope::database("db"), Principal::group("users")),
        deny(2, Privileges::ALL, Scope::table("db", "t"), Principal::group("users2")),
    ];
    assert!(!allows(&some, select(Columns::Whole)));
    assert!(allows(&some, needs(SELECT, table("other"), Columns::Whole)));
}

#[test]
fn a_denial_around_beats_a_grant_inside_and_the_users_own() {
    let some = [
        grant(1, SELECT, Scope::table("db", "t"), ann()),
        deny(2, SELECT, Scope::database("db"), Principal::group("users")),
    ];
    let answer = answer_to(&some, Active::All, select(named(&["a", "b"])));
    assert!(!answer.allowed && answer.judged[0].granted);
    assert_eq!(answer.judged[0].missing.iter().cloned().collect::<Vec<_>>(), [column("a"), column("b")]);
    assert_eq!(answer.judged[0].denials.iter().collect::<Vec<_>>(), [&EntryId(2)]);
}

#[test]
fn a_denied_column_hides_itself_and_the_table_as_a_whole() {
    let some = [
        grant(1, SELECT, Scope::table("db", "t"), ann()),
        deny(2, SELECT, Scope::column("db", "t", "ssn"), Principal::public()),
    ];
    assert!(allows(&some, select(named(&["a"]))));
    assert!(!allows(&some, select(named(&["a", "ssn"]))));
    assert!(!allows(&some, select(Columns::Whole)));
}

#[test]
fn column_grants_do_not_add_up_to_the_table() {
    let some = [
        grant(1, SELECT, Scope::column("db", "t", "a"), ann()),
        grant(2, SELECT, Scope::column("db", "t", "*"), ann()),
    ];
    assert!(allows(&some, select(named(&["a", "b"]))));
    assert!(!allows(&some, select(Columns::Whole)));
    let inside = Requirement { reach: Reach::AroundOrInside, ..select(Columns::Whole) };
    assert!(allows(&some, inside));
}

#[test]
fn denials_of_roles_that_are_off_count_and_their_grants_do_not() {
    let some = [
        member("reader", ann()),
        member("outer", Principal::role("reader")),
        grant(1, SELECT, Scope::Server, Principal::role("outer")),
        grant(2, INSERT, Scope::Server, ann()),
        deny(3, INSERT, Scope::database("db"), Principal::role("outer")),
    ];
    assert!(answer_to(&some, Active::All, select(Columns::Whole)).allowed);
    assert!(answer_to(&some, Active::Only(vec!["reader".into()]), select(Columns::Whole)).allowed);
    assert!(!answer_to(&some, Active::None, select(Columns::Whole)).allowed);
    assert!(!answer_to(&some, Active::Only(vec!["other".into()]), select(Columns::Whole)).allowed);
    assert!(!answer_to(&some, Active::None, needs(INSERT, table("t"), Columns::Whole)).allowed);
    assert!(answer_to(&some, Active::None, needs(INSERT, Resource::Server, Columns::Whole)).allowed);
}

#[test]
fn super_passes_everything_but_its_own_denial_and_what_nobody_may() {
    let of_super = Privileges::of(Privilege::Super);
    let mut some = vec![
        grant(1, of_super, Scope::Server, Principal::group("users")),
        deny(2, Privileges::ALL, Scope::database("db"), ann()),
    ];
    let nobody = Requirement { right: Right::Nobody("reflect".into()), ..select(Columns::Whole) };
    assert!(allows(&some, select(Columns::Whole)));
    assert!(!allows(&some, nobody));
    some.push(deny(3, of_super, Scope::Server, ann()));
    assert!(!allows(&some, select(Columns::Whole)));
    let all = [grant(1, Privileges::ALL, Scope::Server, ann()), some[1].clone()];
    assert!(!allows(&all, select(Columns::Whole)), "ALL yields to a narrow denial");
}

#[test]
fn patterns_and_case() {
    assert!(name_matches("*", "") && name_matches("a*b", "ab") && name_matches("*b*", "abc"));
    assert!(!name_matches("a*a", "a") && !name_matches("", "a") && !name_matches("a", ""));
    let some = [grant(1, SELECT, Scope::table("D*", "*T"), ann())];
    assert!(allows(&some, select(Columns::Whole)));
    assert!(!allows(&some, needs(SELECT, Resource::Database("db".into()), Columns::Whole)));
    let upper = [grant(1, SELECT, Scope::Server, Principal::user("Ann"))];
    assert!(!allows(&upper, select(Columns::Whole)), "users keep their case");
}

#[test]
fn addresses_end_at_a_component() {
    let place = |text: &str| Uri::from_normalised(text);
    let some = [grant(1, Privileges::ALL, Scope::Uri(place("hdfs://nn/data")), ann())];
    let asks = |text: &str| needs(Privileges::ALL, Resource::Uri(place(text)), Columns::Whole);
    assert!(allows(&some, asks("hdfs://nn/data")) && allows(&some, asks("hdfs://nn/data/x=1")));
    assert!(!allows(&some, asks("hdfs://nn/data2")) && !allows(&some, asks("hdfs://nn")));
}

#[test]
fn tags_hold_for_what_is_beneath() {
    let some = [
        tag(Resource::Database("db".into()), "open", "yes"),
        tag(column("ssn"), "pii", "high"),
        grant(1, SELECT, tagged("open", None), ann()),
        deny(2, SELECT, tagged("pii", Some("high")), ann()),
    ];
    assert!(allows(&some, select(named(&["a"]))));
    assert!(!allows(&some, select(named(&["a", "ssn"]))));
    assert!(!allows(&some, select(Columns::Whole)));
    assert!(allows(&some, needs(SELECT, table("other"), Columns::Whole)));
    let other_value = [some[0].clone(), grant(1, SELECT, tagged("open", Some("no")), ann())];
    assert!(!allows(&other_value, select(Columns::Whole)));
}

#[test]
fn validity_ends_before_its_end() {
    let limited = |from: i64, until: i64| {
        let mut entry = entry(Effect::Grant, 1, SELECT, Scope::Server, ann());
        entry.validity = Validity { from: Some(Timestamp(from)), until: Some(Timestamp(until)) };
        allows(&[Change::PutEntry(entry)], select(Columns::Whole))
    };
    assert!(limited(1_000, 1_001));
    assert!(!limited(1_001, 1_002) && !limited(900, 1_000));
}

#[test]
fn exceptions_take_out() {
    let except = |effect, who: Principal| {
        let mut entry = entry(effect, 1, SELECT, Scope::Server, Principal::group("users"));
        entry.except = [who].into();
        Change::PutEntry(entry)
    };
    assert!(!allows(&[except(Effect::Grant, Principal::group("users2"))], select(Columns::Whole)));
    assert!(allows(&[except(Effect::Grant, Principal::user("bob"))], select(Columns::Whole)));
    let both = [grant(2, SELECT, Scope::Server, ann()), except(Effect::Deny, ann())];
    assert!(allows(&both, select(Columns::Whole)));
}

#[test]
fn all_asks_for_all_and_a_list_for_any() {
    let some = [
        grant(1, Privileges::ALL, Scope::table("db", "t"), ann()),
        deny(2, INSERT, Scope::table("db", "t"), ann()),
    ];
    assert!(!allows(&some, needs(Privileges::ALL, table("t"), Columns::Whole)));
    assert!(allows(&some, needs(SELECT.union(INSERT), table("t"), Columns::Whole)));
    let owner = [grant(1, Privileges::of(Privilege::Owner), Scope::table("db", "t"), ann())];
    assert!(allows(&owner, needs(Privileges::ALL, table("t"), Columns::Whole)));
    assert!(!allows(&owner, needs(Privileges::of(Privilege::Super), Resource::Server, Columns::Whole)));
}

#[test]
fn the_admin_of_the_sql_standard_book_is_switched_on() {
    let some = [book(BookName::SqlStandard), member("admin", ann())];
    let administers = || Requirement { right: Right::Administration, ..select(Columns::Whole) };
    let on = || Active::Only(vec!["admin".into()]);
    assert!(!answer_to(&some, Active::All, administers()).allowed);
    assert!(answer_to(&some, on(), administers()).allowed);
    assert!(answer_to(&some, on(), select(Columns::Whole)).allowed);
    let sentry = [book(BookName::Sentry), some[1].clone()];
    assert!(answer_to(&sentry, Active::All, administers()).allowed);
    assert!(!answer_to(&sentry, Active::All, select(Columns::Whole)).allowed, "they read by grants");
}

#[test]
fn owners() {
    let owns = |resource: Resource| Requirement {
        right: Right::Ownership,
        ..needs(SELECT, resource, Columns::Whole)
    };
    let database = || Resource::Database("db".into());
    let some = [Change::PutOwner(Ownership { resource: database(), owner: ann() })];
    assert!(allows(&some, owns(database())));
    assert!(!allows(&some, owns(table("t"))));
    let default = || owns(Resource::Database("default".into()));
    assert!(!allows(&[], default()));
    assert!(allows(&[book(BookName::SqlStandard)], default()));
}

#[test]
fn masks_go_by_column_then_pattern_then_tag_then_name() {
    let policy = |name: &str, rule, scope| {
        Change::PutDataPolicy(DataPolicy {
            name: name.into(),
            rule,
            scope,
            expression: name.into(),
            principals: [].into(),
            except: [].into(),
            state: PolicyState::Enabled,
            created_by: None,
            created_at: NOW,
        })
    };
    let mut some = vec![
        grant(1, SELECT, Scope::Server, ann()),
        tag(table("t"), "pii", "high"),
        policy("a", DataRule::ColumnMask, tagged("pii", None)),
        policy("c", DataRule::ColumnMask, Scope::column("db", "t", "s*")),
        policy("b", DataRule::ColumnMask, Scope::column("*", "t", "ssn")),
        policy("f", DataRule::RowFilter, Scope::table("db", "t")),
        policy("g", DataRule::RowFilter, tagged("pii", Some("high"))),
    ];
    let masks = |some: &[Change]| {
        let answer = answer_to(some, Active::All, select(named(&["ssn", "x"])));
        assert_eq!(answer.filters.len(), 2, "all filters hold");
        answer.masks.iter().map(|mask| format!("{} {}", mask.column, mask.policy)).collect::<Vec<_>>()
    };
    assert_eq!(masks(&some), ["ssn b", "x a"]);
    some.push(policy("z", DataRule::ColumnMask, Scope::column("db", "t", "ssn")));
    assert_eq!(masks(&some), ["ssn z", "x a"]);
}

#[test]
fn random_worlds_are_answered_both_ways() {
    let mut random = crate::generate::Random::new(7);
    let (mut allowed, mut denied_by_entry, mut masked) = (0, 0, 0);
    for _ in 0..200 {
        let changes = super::random::WorldMaker::new(&mut random, &FEW).world();
        let world = World::of(&changes);
        for _ in 0..20 {
            let standing = Standing::of(&world, &super::random::asker(&mut random, &FEW, &changes));
            let asked = super::random::requirements(&mut random, &FEW, &changes);
            let answer = decide(&world, &standing, &asked, NOW);
            allowed += usize::from(answer.allowed);
            denied_by_entry += usize::from(answer.judged.iter().any(|one| !one.met && one.granted));
            masked += usize::from(!answer.masks.is_empty());
        }
    }
    assert!(allowed > 800 && denied_by_entry > 100 && masked > 10, "{allowed} {denied_by_entry} {masked}");
}
