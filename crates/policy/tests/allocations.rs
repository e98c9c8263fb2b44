//! Allowing allocates nothing.

mod random;

use std::alloc::System;
use std::hint::black_box;

use guardbee_model::{Name, TableName};
use guardbee_policy::request::Columns;
use guardbee_policy::requirement::{Reach, Requirement, Right, Side};
use guardbee_policy::{
    Change, Effect, Entry, EntryId, GrantOption, Identity, Membership, Policy, Principal, Privilege,
    Privileges, Resource, Role, Timestamp, Validity, decide,
};
use random::Dice;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// How often memory is asked for while something is done. Other tests must not run in this process.
fn allocations(work: impl FnOnce()) -> usize {
    let region = Region::new(ALLOCATOR);
    work();
    let change = region.change();
    change.allocations + change.reallocations
}

fn table_read(columns: usize) -> Requirement {
    Requirement {
        right: Right::AnyOf {
            privileges: Privileges::of(Privilege::Select),
            grant_option: GrantOption::Without,
        },
        resource: Resource::Table(TableName::new(
            Name::fold("a_database_with_quite_a_long_name"),
            Name::fold("a_table_with_quite_a_long_name"),
        )),
        columns: Columns::Named(
            (0..columns).map(|column| Name::fold(&format!("a_column_with_a_long_name_{column}"))).collect(),
        ),
        reach: Reach::Around,
        side: Side::Input,
    }
}

#[test]
fn allowing_allocates_nothing() {
    let role = |name: &str| {
        Change::PutRole(Role { name: Name::fold(name), created_by: None, created_at: Timestamp(0) })
    };
    let member = |role: &str, member| {
        Change::PutMembership(Membership {
            role: Name::fold(role),
            member,
            admin_option: GrantOption::Without,
            grantor: None,
            created_at: Timestamp(0),
        })
    };
    let requirement = table_read(50);
    let scope = requirement.resource.scope().expect("a scope");
    let mut changes = vec![
        role("outer"),
        role("inner"),
        member("outer", Principal::role("inner")),
        member("inner", Principal::group("analysts")),
    ];
    for place in 0..40 {
        let principal =
            if place == 17 { Principal::role("outer") } else { Principal::user(format!("user{place}")) };
        changes.push(Change::PutEntry(Entry {
            id: EntryId(place + 1),
            effect: Effect::Grant,
            principal,
            except: [].into(),
            privileges: Privileges::of(Privilege::Select),
            scope: scope.clone(),
            grant_option: GrantOption::Without,
            grantor: None,
            created_at: Timestamp(0),
            validity: Validity { from: Some(Timestamp(0)), until: None },
            purpose: None,
        }));
    }
    let policy = Policy::from_changes(changes).expect("a policy");
    let identity = Identity { groups: vec!["analysts".into()], ..Identity::of_user("ana") };
    let subject = policy.subject(&identity);
    let requirements = vec![requirement; 4];
    let count = allocations(|| {
        for _ in 0..100 {
            let decision = decide(black_box(&policy), &subject, &requirements, Timestamp(5));
            assert!(decision.is_allowed() && decision.reasons.len() == 4);
        }
    });
    assert_eq!(count, 0);
    random_decisions_allocate_nothing_where_they_allow();
}

/// One test only, as what others allocate would be counted.
fn random_decisions_allocate_nothing_where_they_allow() {
    let mut allowed = 0;
    for seed in 0..500 {
        let mut dice = Dice::new(seed);
        let changes: Vec<Change> = random::changes(&mut dice)
            .into_iter()
            .filter(|change| !matches!(change, Change::PutDataPolicy(_)))
            .collect();
        let policy = Policy::from_changes(changes).expect("a policy");
        for _ in 0..20 {
            let identity = random::identity(&mut dice);
            let requirements = [random::requirement(&mut dice), random::requirement(&mut dice)];
            let now = Timestamp(dice.below(20) as i64);
            let subject = policy.subject(&identity);
            let mut decision = None;
            let count = allocations(|| decision = Some(decide(&policy, &subject, &requirements, now)));
            let decision = decision.expect("a decision");
            // A look at everything inside the server or an address is a look at every tag.
            let looks_around = |requirement: &Requirement| {
                requirement.reach == Reach::AroundOrInside
                    && matches!(requirement.resource, Resource::Server | Resource::Uri(_))
            };
            // Patterns in a path are written out to be compared with what is denied.
            let has_pattern = |requirement: &Requirement| matches!(&requirement.resource, Resource::Uri(uri) if uri.key().contains(['*', '{', '?']));
            if requirements.iter().any(|requirement| looks_around(requirement) || has_pattern(requirement)) {
                continue;
            }
            let few = |entries: usize| entries <= 4;
            if decision.is_allowed() && decision.reasons.iter().all(|reason| few(reason.entries.len())) {
                allowed += 1;
                assert_eq!(count, 0, "seed {seed}\n{identity:#?}\n{requirements:#?}\n{decision:#?}");
            }
        }
    }
    assert!(allowed > 500, "only {allowed} were allowed");
}
