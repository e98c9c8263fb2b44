//! Questions asked the other way round, held against asking `decide` of everybody and everything.

mod random;

use std::collections::BTreeSet;

use guardbee_model::{ColumnName, Name, TableName};
use guardbee_policy::decision::Basis;
use guardbee_policy::explain::{PathEnd, explain};
use guardbee_policy::request::Columns;
use guardbee_policy::requirement::{Reach, Requirement, Right, Side};
use guardbee_policy::reverse::{Held, Holdings, least_grant, what_can, what_if_removed, who_can, why};
use guardbee_policy::{
    BookName, Change, Effect, Entry, EntryId, GrantOption, Identity, Policy, Principal, Privilege,
    Privileges, Resource, Scope, Timestamp, Validity, Visibility, decide,
};
use random::Dice;

const POLICIES: u64 = 150;

fn policy(seed: u64) -> (Dice, Policy) {
    let mut dice = Dice::new(seed);
    let policy = Policy::from_changes(random::changes(&mut dice)).expect("a policy");
    (dice, policy)
}

fn need(privileges: Privileges, resource: &Resource, reach: Reach) -> Requirement {
    Requirement {
        right: Right::AnyOf { privileges, grant_option: GrantOption::Without },
        resource: resource.clone(),
        columns: Columns::Whole,
        reach,
        side: Side::Input,
    }
}

const PRIVILEGES: [Privilege; 5] =
    [Privilege::Select, Privilege::Insert, Privilege::Alter, Privilege::Create, Privilege::Drop];

/// Everybody whom the random policies can name, and some whom they cannot.
fn everybody() -> Vec<Principal> {
    let users = ["ana", "Ana", "bo", "cy", "nobody"].map(Principal::user);
    let groups = ["g0", "g1", "G1"].map(Principal::group);
    let roles = ["r0", "r1", "r2", "r3", "r4", "r5", "public", "admin"].map(Principal::role);
    users.into_iter().chain(groups).chain(roles).collect()
}

/// Many things that there may be.
fn everything(dice: &mut Dice) -> Vec<Resource> {
    (0..60).map(|_| random::resource(dice)).chain([Resource::Server]).collect()
}

#[test]
fn who_can_is_complete() {
    for seed in 0..POLICIES {
        let (mut dice, policy) = policy(seed);
        for resource in everything(&mut dice).iter().take(12) {
            let privilege = *dice.pick(&PRIVILEGES);
            let now = Timestamp(dice.below(20) as i64);
            let answer = who_can(&policy, privilege, resource, now);
            let listed: BTreeSet<Principal> = answer.principals.iter().cloned().collect();
            for principal in everybody() {
                let subject = policy.subject_of_principal(&principal);
                let needs = [need(Privileges::of(privilege), resource, Reach::Around)];
                let can = decide(&policy, &subject, &needs, now).is_allowed();
                let is_known =
                    listed.contains(&principal) || answer.everybody && !is_named(&policy, &principal);
                assert_eq!(is_known, can, "seed {seed}: {principal} {privilege} on {resource}\n{answer:#?}");
            }
        }
    }
}

fn is_named(policy: &Policy, principal: &Principal) -> bool {
    matches!(principal, Principal::Role(_))
        || policy.entries().any(|entry| {
            entry.principal == *principal
                || entry.except.contains(principal)
                || entry.grantor.as_ref() == Some(principal)
        })
        || policy.memberships_of(principal).next().is_some()
        || policy.owners().any(|ownership| ownership.owner == *principal)
        || policy
            .data_policies()
            .any(|data| data.principals.contains(principal) || data.except.contains(principal))
}

#[test]
fn what_somebody_holds_is_all_that_decides() {
    for seed in 0..POLICIES {
        let (mut dice, policy) = policy(seed);
        for _ in 0..5 {
            let identity = random::identity(&mut dice);
            let now = Timestamp(dice.below(20) as i64);
            let holdings = what_can(&policy, &identity, now);
            let subject = policy.subject(&identity);
            for held in holdings.grants.iter().chain(&holdings.denials) {
                assert!(is_a_way(&policy, &identity, &held.steps), "{:?}", held.steps);
                assert_eq!(held.steps.last(), Some(&held.entry.principal));
            }
            for resource in everything(&mut dice) {
                for privilege in PRIVILEGES {
                    let needs = [need(Privileges::of(privilege), &resource, Reach::Around)];
                    let can = decide(&policy, &subject, &needs, now).is_allowed();
                    let says = says(&policy, &holdings, privilege, &resource);
                    assert_eq!(
                        says, can,
                        "seed {seed}: {privilege} on {resource}\n{identity:#?}\n{holdings:#?}"
                    );
                }
            }
        }
    }
}

/// What a list of what somebody holds says of one privilege on one resource.
fn says(policy: &Policy, holdings: &Holdings, privilege: Privilege, resource: &Resource) -> bool {
    let is_switched_on = policy.settings().rule_book == BookName::SqlStandard && holdings.administrator;
    let reaches = |held: &&Held| {
        let around = match &held.entry.scope {
            Scope::Tag { .. } => held.carriers.iter().any(|carrier| around(carrier, resource)),
            scope => scope.covers(resource),
        };
        around && held.entry.effective().contains(privilege)
    };
    let at_column = |held: &&Held| {
        let Resource::Table(table) = resource else { return false };
        let inside = match &held.entry.scope {
            Scope::Tag { .. } => held
                .carriers
                .iter()
                .any(|carrier| matches!(carrier, Resource::Column(column) if column.table == *table)),
            scope => scope.is_inside(resource),
        };
        let of_columns = matches!(privilege, Privilege::Select | Privilege::Insert | Privilege::Update);
        inside && of_columns && held.entry.effective().contains(privilege)
    };
    let at_address = |held: &&Held| {
        let Resource::Uri(asked) = resource else { return false };
        let reached = match &held.entry.scope {
            Scope::Tag { .. } => held
                .carriers
                .iter()
                .any(|carrier| matches!(carrier, Resource::Uri(place) if asked.may_reach(place))),
            Scope::Uri(place) => asked.may_reach(place),
            _ => false,
        };
        reached && held.entry.effective().contains(privilege)
    };
    if holdings.super_entry.is_some() {
        return true;
    }
    !holdings.denials.iter().any(|held| reaches(&held) || at_column(&held) || at_address(&held))
        && (is_switched_on || holdings.grants.iter().any(|held| reaches(&held)))
}

fn around(outer: &Resource, inner: &Resource) -> bool {
    outer == inner || outer.scope().is_some_and(|scope| scope.covers(inner))
}

fn is_a_way(policy: &Policy, identity: &Identity, steps: &[Principal]) -> bool {
    let starts = match &steps[0] {
        Principal::User(name) => *name == identity.user,
        Principal::Group(name) => identity.groups.contains(name),
        other => *other == Principal::public(),
    };
    starts
        && steps.windows(2).all(|pair| {
            policy
                .memberships_of(&pair[0])
                .any(|membership| Principal::Role(membership.role.clone()) == pair[1])
        })
}

#[test]
fn every_reason_has_its_ways() {
    for seed in 0..POLICIES {
        let (mut dice, policy) = policy(seed);
        for _ in 0..20 {
            let identity = random::identity(&mut dice);
            let requirements = [random::requirement(&mut dice), random::requirement(&mut dice)];
            let now = Timestamp(dice.below(20) as i64);
            let subject = policy.subject(&identity);
            let decision = decide(&policy, &subject, &requirements, now);
            let paths = explain(&policy, &subject, &requirements, &decision);
            for path in &paths {
                assert!(is_a_way(&policy, &identity, &path.steps), "seed {seed}: {path:?}");
            }
            for reason in &decision.reasons {
                let of_reason = || paths.iter().filter(|path| path.requirement == reason.requirement);
                let entries = of_reason().filter_map(|path| match &path.end {
                    PathEnd::Entry(entry) if path.steps.last() == Some(&entry.principal) => Some(entry.id),
                    _ => None,
                });
                assert!(entries.eq(reason.entries.iter().copied()), "seed {seed}: {reason:?}\n{paths:#?}");
                if reason.basis == Basis::Administrator {
                    assert!(of_reason().any(|path| path.end == PathEnd::Administrator));
                }
            }
        }
    }
}

#[test]
fn why_is_a_decision_with_its_ways() {
    let (_, policy) = policy(1);
    let resource = Resource::Database(Name::fold("fin"));
    let answer = why(&policy, &Identity::of_user("ana"), Privilege::Select, &resource, Timestamp(0));
    assert_eq!(answer.decision.reasons.len(), 1);
    assert_eq!(answer.paths.len(), answer.decision.reasons[0].entries.len());
}

#[test]
fn the_least_grant_is_enough_and_not_too_much() {
    let mut granted = 0;
    for seed in 0..POLICIES {
        let (mut dice, policy) = policy(seed);
        for _ in 0..10 {
            let identity = random::identity(&mut dice);
            let requirements = [random::requirement(&mut dice), random::requirement(&mut dice)];
            let now = Timestamp(dice.below(20) as i64);
            let subject = policy.subject(&identity);
            let decision = decide(&policy, &subject, &requirements, now);
            let least = least_grant(&policy, &subject, &requirements, now);
            let context =
                || format!("seed {seed}\n{identity:#?}\n{requirements:#?}\n{decision:#?}\n{least:#?}");
            if decision.is_allowed() {
                assert_eq!(least, Default::default(), "{}", context());
            }
            if !least.beyond.is_empty() {
                continue;
            }
            let with = |left_out: Option<usize>| {
                let mut policy = policy.clone();
                for id in &least.denials {
                    policy.apply(Change::RemoveEntry(*id)).expect("a removal");
                }
                for (place, grant) in
                    least.grants.iter().enumerate().filter(|(place, _)| Some(*place) != left_out)
                {
                    let entry = Entry {
                        id: EntryId(1_000 + place as u64),
                        effect: Effect::Grant,
                        principal: Principal::User(identity.user.clone()),
                        except: [].into(),
                        privileges: grant.privileges,
                        scope: grant.scope.clone(),
                        grant_option: grant.grant_option,
                        grantor: None,
                        created_at: now,
                        validity: Validity::ALWAYS,
                        purpose: None,
                    };
                    policy.apply(Change::PutEntry(entry)).expect("a grant");
                }
                decide(&policy, &policy.subject(&identity), &requirements, now).is_allowed()
            };
            assert!(with(None), "not enough: {}", context());
            for place in 0..least.grants.len() {
                granted += 1;
                assert!(!with(Some(place)), "too much: {}", context());
            }
        }
    }
    assert!(granted > 100, "only {granted} grants were needed in all");
}

#[test]
fn removing_an_entry_changes_what_is_said_and_nothing_else() {
    let mut changes = 0;
    for seed in 0..POLICIES / 3 {
        let (mut dice, policy) = policy(seed);
        let ids: Vec<EntryId> = policy.entries().map(|entry| entry.id).collect();
        let id = *dice.pick(&ids);
        let now = Timestamp(dice.below(20) as i64);
        let mut without = policy.clone();
        without.apply(Change::RemoveEntry(id)).expect("a removal");
        let differences = what_if_removed(&policy, id, now);
        let entry = policy.entry(id).expect("an entry");
        let can = |policy: &Policy, principal: &Principal, privilege, resource: &Resource| {
            let needs = [need(Privileges::of(privilege), resource, Reach::Around)];
            decide(policy, &policy.subject_of_principal(principal), &needs, now).is_allowed()
        };
        for principal in everybody() {
            for resource in everything(&mut dice) {
                for privilege in PRIVILEGES {
                    let before = can(&policy, &principal, privilege, &resource);
                    let after = can(&without, &principal, privilege, &resource);
                    if before == after {
                        continue;
                    }
                    changes += 1;
                    let told = differences.iter().any(|difference| {
                        let side = if before { difference.lost } else { difference.gained };
                        difference.principal == principal && side.contains(privilege)
                    });
                    // Of principals that the policy does not know `public` speaks.
                    let by_public =
                        differences.iter().any(|difference| difference.principal == Principal::public());
                    assert!(
                        told || by_public && !is_named(&policy, &principal),
                        "seed {seed}: {principal} {privilege} on {resource}: {entry:#?} {differences:#?}"
                    );
                }
            }
        }
        for difference in &differences {
            for privilege in PRIVILEGES {
                let before = can(&policy, &difference.principal, privilege, &difference.resource);
                let after = can(&without, &difference.principal, privilege, &difference.resource);
                assert_eq!(
                    difference.lost.contains(privilege),
                    before && !after,
                    "seed {seed}: {difference:?}"
                );
                assert_eq!(
                    difference.gained.contains(privilege),
                    !before && after,
                    "seed {seed}: {difference:?}"
                );
            }
        }
    }
    assert!(changes > 100, "only {changes} decisions changed");
}

#[test]
fn what_is_seen_is_what_one_holds_something_on() {
    let actions = [
        Privilege::Select,
        Privilege::Insert,
        Privilege::Alter,
        Privilege::Create,
        Privilege::Drop,
        Privilege::Index,
        Privilege::Lock,
    ];
    for seed in 0..POLICIES {
        let (mut dice, mut policy) = policy(seed);
        let identity = random::identity(&mut dice);
        let now = Timestamp(dice.below(20) as i64);
        if dice.one_in(2) {
            policy
                .apply(Change::PutSetting { key: "restrict_default_db".into(), value: "true".into() })
                .expect("a setting");
        }
        let subject = policy.subject(&identity);
        let book = policy.settings().rule_book;
        let is_open = !policy.settings().restrict_default_database.is_on();
        let seen = |actions: &[Privilege], resource: &Resource| {
            let any = match book {
                BookName::Sentry => actions.iter().copied().collect(),
                BookName::Ranger => Privilege::EACH.iter().copied().collect(),
                BookName::HiveLegacy | BookName::SqlStandard => return true,
            };
            book == BookName::Sentry && is_open && *resource == Resource::Database(Name::fold("default"))
                || decide(&policy, &subject, &[need(any, resource, Reach::AroundOrInside)], now).is_allowed()
        };
        let names = |names: &[&str]| names.iter().map(|name| Name::fold(name)).collect::<Vec<Name>>();
        let databases = names(&["default", "fin", "fin_old", "other"]);
        let tables = names(&["t", "t_raw", "emp", "other"]);
        let columns = names(&["a", "ssn", "ssn2", "name", "w0", "w11", "other"]);
        let visibility = Visibility::new(&policy, &subject, now);
        let expected: Vec<&Name> =
            databases.iter().filter(|name| seen(&actions, &Resource::Database((*name).clone()))).collect();
        assert_eq!(visibility.databases(&databases), expected, "seed {seed}");
        for database in &databases {
            let table = |name: &Name| TableName::new(database.clone(), name.clone());
            let expected: Vec<&Name> =
                tables.iter().filter(|name| seen(&actions, &Resource::Table(table(name)))).collect();
            assert_eq!(visibility.tables(database, &tables), expected, "seed {seed}: {database}");
            for name in &tables {
                let expected: Vec<&Name> = columns
                    .iter()
                    .filter(|column| {
                        let column = ColumnName::new(table(name), (*column).clone());
                        seen(&actions[..3], &Resource::Column(column))
                    })
                    .collect();
                assert_eq!(
                    visibility.columns(&table(name), &columns),
                    expected,
                    "seed {seed}: {}",
                    table(name)
                );
            }
        }
    }
}
