//! What a policy takes and what it refuses.

use guardbee_model::Name;
use guardbee_policy::{
    Change, ChangeError, Effect, Entry, EntryId, GrantOption, Membership, Policy, Principal, Privilege,
    Privileges, Role, Scope, Timestamp, Validity,
};

fn role(name: &str) -> Change {
    Change::PutRole(Role { name: Name::fold(name), created_by: None, created_at: Timestamp(7) })
}

fn member(role: &str, member: Principal) -> Change {
    Change::PutMembership(Membership {
        role: Name::fold(role),
        member,
        admin_option: GrantOption::Without,
        grantor: None,
        created_at: Timestamp(7),
    })
}

fn entry(id: u64, principal: Principal, scope: Scope) -> Entry {
    Entry {
        id: EntryId(id),
        effect: Effect::Grant,
        principal,
        except: [].into(),
        privileges: Privileges::of(Privilege::Select),
        scope,
        grant_option: GrantOption::Without,
        grantor: None,
        created_at: Timestamp(7),
        validity: Validity::ALWAYS,
        purpose: None,
    }
}

/// The code of the refusal of the last of some changes; the others must be taken.
fn refusal(changes: Vec<Change>) -> ChangeError {
    let mut changes = changes;
    let last = changes.pop().expect("a change to be refused");
    let mut policy = Policy::from_changes(changes).expect("changes that can be taken");
    let before = policy.clone();
    let error = policy.apply(last).expect_err("a refusal");
    assert_eq!(policy, before, "a refused change must change nothing");
    error
}

#[test]
fn what_cannot_be_is_refused() {
    let reader = || Principal::role("reader");
    let table = || Scope::table("hr", "emp");
    let denial =
        Entry { effect: Effect::Deny, grant_option: GrantOption::With, ..entry(1, reader(), table()) };
    let nothing = Entry { privileges: Privileges::NONE, ..entry(1, reader(), table()) };
    let tagged = Scope::Tag { tag: Name::fold("pii"), value: None };
    let cases = [
        (vec![Change::PutEntry(entry(1, reader(), table()))], "unknown-role"),
        (vec![member("reader", Principal::user("ana"))], "unknown-role"),
        (vec![role("a"), member("a", reader())], "unknown-role"),
        (vec![role("ALL")], "reserved-role-name"),
        (vec![role("default")], "reserved-role-name"),
        (vec![role("none")], "reserved-role-name"),
        (vec![role("superuser")], "reserved-role-name"),
        (vec![role("public")], "reserved-role-name"),
        (vec![role(" ")], "empty-name"),
        (vec![Change::RemoveRole(Name::fold("admin"))], "built-in-role"),
        (vec![Change::RemoveRole(Name::fold("public"))], "built-in-role"),
        (vec![member("public", Principal::user("ana"))], "public-members"),
        (vec![role("a"), member("a", Principal::role("a"))], "role-cycle"),
        (
            vec![
                role("reader"),
                member("reader", Principal::user("ana")),
                Change::RemoveRole("reader".into()),
            ],
            "role-in-use",
        ),
        (
            vec![
                role("reader"),
                Change::PutEntry(entry(1, reader(), table())),
                Change::RemoveRole("reader".into()),
            ],
            "role-in-use",
        ),
        (vec![role("reader"), Change::PutEntry(denial)], "grant-option-on-denial"),
        (vec![role("reader"), Change::PutEntry(nothing)], "empty-privileges"),
        (vec![Change::PutEntry(entry(1, Principal::user(""), table()))], "empty-name"),
        (vec![Change::PutEntry(entry(1, Principal::user("ana"), Scope::table("hr", "")))], "empty-name"),
        (vec![Change::PutEntry(entry(1, Principal::user("ana"), tagged))], "unknown-tag"),
        (vec![Change::RemoveSetting("colour".into())], "unknown-setting"),
        (vec![Change::PutSetting { key: "strict".into(), value: "perhaps".into() }], "setting-value"),
    ];
    for (changes, code) in cases {
        let text = format!("{changes:?}");
        assert_eq!(refusal(changes).code(), code, "{text}");
    }
}

#[test]
fn a_cycle_is_refused_as_hive_words_it() {
    let nested = |inner: &str, outer: &str| member(outer, Principal::role(inner));
    let error =
        refusal(vec![role("a"), role("b"), role("c"), nested("a", "b"), nested("b", "c"), nested("c", "a")]);
    assert_eq!(
        error.to_string(),
        "cannot grant role c to a as a already belongs to the role c (no cycles allowed)"
    );
}

#[test]
fn sentrys_names_are_free_in_other_books() {
    let book = Change::PutSetting { key: "rule_book".into(), value: "hive-legacy".into() };
    let policy = Policy::from_changes([book, role("superuser")]).expect("a role of that name");
    assert!(policy.role("superuser").is_some());
}

#[test]
fn ids_are_never_used_again() {
    let ana = || Principal::user("ana");
    let mut policy = Policy::new();
    policy.apply(Change::PutEntry(entry(5, ana(), Scope::Server))).expect("an entry");
    policy.apply(Change::RemoveEntry(EntryId(5))).expect("no entry");
    assert_eq!(policy.next_entry_id(), EntryId(6));
    policy.reserve_entry_ids(EntryId(9));
    policy.reserve_entry_ids(EntryId(2));
    assert_eq!(policy.next_entry_id(), EntryId(9));
}
