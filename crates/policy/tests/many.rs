//! Decisions where there are more principals, groups and columns than the fast ways are made for.

use guardbee_model::{Name, TableName};
use guardbee_policy::request::Columns;
use guardbee_policy::requirement::{Reach, Requirement, Right, Side};
use guardbee_policy::{
    ActiveRoles, Change, Combiner, DecisionManager, Effect, Entry, EntryId, GrantOption, Identity,
    Membership, Policy, Principal, Privilege, Privileges, Provider, Resource, Role, Scope, Subject, Tag,
    TagAssignment, Timestamp, Uri, Validity, decide, decide_by_vote,
};

fn entry(id: u64, effect: Effect, principal: Principal, scope: Scope) -> Change {
    Change::PutEntry(Entry {
        id: EntryId(id),
        effect,
        principal,
        except: [].into(),
        privileges: Privileges::of(Privilege::Select),
        scope,
        grant_option: GrantOption::Without,
        grantor: None,
        created_at: Timestamp(0),
        validity: Validity::ALWAYS,
        purpose: None,
    })
}

fn role(name: &str) -> Change {
    Change::PutRole(Role { name: Name::fold(name), created_by: None, created_at: Timestamp(0) })
}

fn member(of: &str, member: Principal) -> Change {
    let admin_option = GrantOption::Without;
    let created_at = Timestamp(0);
    Change::PutMembership(Membership {
        role: Name::fold(of),
        member,
        admin_option,
        grantor: None,
        created_at,
    })
}

fn select(table: &str, columns: Columns) -> Requirement {
    let privileges = Privileges::of(Privilege::Select);
    Requirement {
        right: Right::AnyOf { privileges, grant_option: GrantOption::Without },
        resource: Resource::Table(TableName::new(Name::fold("d"), Name::fold(table))),
        columns,
        reach: Reach::Around,
        side: Side::Input,
    }
}

fn may(policy: &Policy, subject: &Subject, table: &str) -> bool {
    decide(policy, subject, &[select(table, Columns::Whole)], Timestamp(0)).is_allowed()
}

#[test]
fn each_of_many_users_may_what_is_theirs() {
    const USERS: u64 = 700;
    let grants = (0..USERS).map(|user| {
        let principal = Principal::user(format!("u{user}"));
        entry(user + 1, Effect::Grant, principal, Scope::table("d", &format!("t{user}")))
    });
    let policy = Policy::from_changes(grants).expect("a policy");
    for user in 0..USERS {
        let subject = policy.subject(&Identity::of_user(format!("u{user}")));
        assert!(may(&policy, &subject, &format!("t{user}")), "{user}");
        for other in [user + 1, user + 64, user + 256].map(|other| other % USERS) {
            assert!(!may(&policy, &subject, &format!("t{other}")), "{user} and {other}");
        }
    }
}

/// Groups in roles in roles, some of them reached more than once: all that they hold counts, and a denial too.
#[test]
fn who_is_in_many_groups_and_roles_has_all_of_them() {
    const GROUPS: u64 = 90;
    let mut changes = Vec::new();
    for number in 0..GROUPS {
        changes.extend([role(&format!("r{number}")), role(&format!("s{number}"))]);
    }
    for number in 0..GROUPS {
        let group = Principal::Group(format!("g{number}").into());
        changes.push(member(&format!("r{number}"), group.clone()));
        changes.push(member(&format!("r{}", (number + 7) % GROUPS), group));
        changes.push(member(&format!("s{number}"), Principal::Role(Name::fold(&format!("r{number}")))));
        let holder = Principal::Role(Name::fold(&format!("s{number}")));
        changes.push(entry(number + 1, Effect::Grant, holder, Scope::table("d", &format!("t{number}"))));
    }
    let denied = Principal::Role(Name::fold("s88"));
    changes.push(entry(1_000, Effect::Deny, denied, Scope::table("d", "t5")));
    let policy = Policy::from_changes(changes).expect("a policy");
    for count in [1, 31, 32, 33, 34, 60, GROUPS] {
        let groups = (0..count).map(|number| format!("g{number}").into()).collect();
        let subject = policy.subject(&Identity { groups, ..Identity::of_user("ana") });
        for number in 0..GROUPS {
            let held = number < count || (number + GROUPS - 7) % GROUPS < count;
            let refused = number == 5 && (count > 81 || count > 88);
            assert_eq!(may(&policy, &subject, &format!("t{number}")), held && !refused, "{count} {number}");
        }
        let roles: Vec<&Name> = subject.active_roles().collect();
        let distinct: std::collections::BTreeSet<&Name> = roles.iter().copied().collect();
        assert_eq!(roles.len(), distinct.len(), "each once");
    }
}

/// However many groups lead to the same roles, each role is theirs once.
#[test]
fn a_role_that_many_groups_are_in_is_listed_once() {
    const GROUPS: u64 = 40;
    let mut changes = vec![role("a"), role("b")];
    for number in 0..GROUPS {
        let group = Principal::Group(format!("g{number}").into());
        changes.extend([member("a", group.clone()), member("b", group)]);
    }
    let policy = Policy::from_changes(changes).expect("a policy");
    for count in 1..=GROUPS {
        let groups = (0..count).map(|number| format!("g{number}").into()).collect();
        let subject = policy.subject(&Identity { groups, ..Identity::of_user("ana") });
        let roles: Vec<&str> =
            subject.active_roles().map(Name::as_str).filter(|role| *role != "public").collect();
        assert_eq!(roles.len(), 2, "{count}: {roles:?}");
    }
}

#[test]
fn many_columns_are_granted_and_denied_one_by_one() {
    const COLUMNS: u64 = 40;
    let column = |number: u64| Scope::column("d", "t", &format!("c{number}"));
    let ana = || Principal::user("ana");
    let grants = (0..COLUMNS).map(|number| entry(number + 1, Effect::Grant, ana(), column(number)));
    let names: Vec<Name> = (0..COLUMNS).map(|number| Name::fold(&format!("c{number}"))).collect();
    let all = Columns::Named(names);
    let mut policy = Policy::from_changes(grants).expect("a policy");
    let missing = |policy: &Policy| {
        let decision = decide(
            policy,
            &policy.subject(&Identity::of_user("ana")),
            &[select("t", all.clone())],
            Timestamp(0),
        );
        decision.missing().count()
    };
    assert_eq!(missing(&policy), 0);
    for number in [0, 4, 5, 39] {
        let id = 100 + number;
        policy.apply(entry(id, Effect::Deny, ana(), column(number))).expect("a change");
        assert_eq!(missing(&policy), 1, "c{number}");
        policy.apply(Change::RemoveEntry(EntryId(id))).expect("a change");
        policy.apply(Change::RemoveEntry(EntryId(number + 1))).expect("a change");
        assert_eq!(missing(&policy), 1, "c{number}");
        policy.apply(entry(number + 1, Effect::Grant, ana(), column(number))).expect("a change");
    }
    assert_eq!(missing(&policy), 0);
}

/// Entries at names with `*` are entries: where only tags are asked they say nothing.
#[test]
fn patterns_say_nothing_where_entries_are_not_asked() {
    let scope = Scope::table("d", "t*");
    let policy =
        Policy::from_changes([entry(1, Effect::Grant, Principal::user("ana"), scope)]).expect("a policy");
    let subject = policy.subject(&Identity::of_user("ana"));
    assert!(may(&policy, &subject, "t1"));
    for (provider, allowed) in [(Provider::Entries, true), (Provider::Tags, false)] {
        let manager = DecisionManager { providers: vec![provider], combiner: Combiner::DenyOverrides };
        let requirements = [select("t1", Columns::Whole)];
        let poll = decide_by_vote(&policy, &subject, &requirements, Timestamp(0), &manager, &[]);
        assert_eq!(poll.decision.is_allowed(), allowed, "{manager:?}");
    }
}

/// What others ask about somebody: who it is, and what they belong to, switched on or not.
#[test]
fn somebody_is_who_they_are_with_all_roles_that_are_theirs() {
    let changes = [
        role("r"),
        role("s"),
        role("other"),
        member("r", Principal::user("ana")),
        member("s", Principal::Role(Name::fold("r"))),
    ];
    let policy = Policy::from_changes(changes).expect("a policy");
    let identity = Identity { roles: ActiveRoles::None, ..Identity::of_user("ana") };
    let subject = policy.subject(&identity);
    assert_eq!(subject.identity(), Some(&identity));
    let role = |name: &str| Principal::Role(Name::fold(name));
    for (principal, belongs, is) in [
        (Principal::user("ana"), true, true),
        (role("r"), true, false),
        (role("s"), true, false),
        (role("other"), false, false),
        (Principal::user("bob"), false, false),
        (role("nowhere"), false, false),
    ] {
        assert_eq!(subject.belongs_to(&principal), belongs, "{principal}");
        assert_eq!(subject.is(&principal), is, "{principal}");
    }
    assert!(subject.active_roles().all(|role| role.as_str() == "public"));
    let all: Vec<&str> = subject.roles().map(Name::as_str).filter(|role| *role != "public").collect();
    assert_eq!(all, ["r", "s"], "by name");
    let subject = policy.subject(&Identity::of_user("ana"));
    let active: Vec<&str> =
        subject.active_roles().map(Name::as_str).filter(|role| *role != "public").collect();
    assert_eq!(active.len(), 2, "{active:?}");
    assert!(active.contains(&"r") && active.contains(&"s"));
}

/// A denial on a tag is the tags' to say, at an address as well.
#[test]
fn tags_at_addresses_say_nothing_where_tags_are_not_asked() {
    let place = |text: &str| Uri::from_normalised(text);
    let tag = Name::fold("secret");
    let changes = [
        Change::PutTag(Tag {
            name: tag.clone(),
            allowed_values: [].into(),
            comment: None,
            created_by: None,
            created_at: Timestamp(0),
        }),
        entry(1, Effect::Grant, Principal::user("ana"), Scope::Uri(place("hdfs://nn:8020/a"))),
        entry(2, Effect::Deny, Principal::user("ana"), Scope::Tag { tag: tag.clone(), value: None }),
        Change::PutTagAssignment(TagAssignment {
            tag,
            value: None,
            resource: Resource::Uri(place("hdfs://nn:8020/a/b")),
        }),
    ];
    let policy = Policy::from_changes(changes).expect("a policy");
    let subject = policy.subject(&Identity::of_user("ana"));
    let resource = Resource::Uri(place("hdfs://nn:8020/a"));
    let requirements = [Requirement { resource, ..select("t", Columns::Whole) }];
    assert!(!decide(&policy, &subject, &requirements, Timestamp(0)).is_allowed());
    for (providers, allowed) in
        [(vec![Provider::Entries], true), (vec![Provider::Entries, Provider::Tags], false)]
    {
        let manager = DecisionManager { providers, combiner: Combiner::DenyOverrides };
        let poll = decide_by_vote(&policy, &subject, &requirements, Timestamp(0), &manager, &[]);
        assert_eq!(poll.decision.is_allowed(), allowed, "{manager:?}");
    }
}
