//! Policies and questions in few words, for cases written by hand.

use guardbee_policy::request::Columns;
use guardbee_policy::requirement::{Reach, Requirement, Right, Side};
use guardbee_policy::{
    BookName, Change, Effect, Entry, EntryId, GrantOption, Membership, Principal, Privileges, Resource,
    Scope, Validity,
};

use super::random::NOW;

#[must_use]
pub fn entry(effect: Effect, id: u64, privileges: Privileges, scope: Scope, principal: Principal) -> Entry {
    Entry {
        id: EntryId(id),
        effect,
        principal,
        except: [].into(),
        privileges,
        scope,
        grant_option: GrantOption::Without,
        grantor: None,
        created_at: NOW,
        validity: Validity::ALWAYS,
        purpose: None,
    }
}

#[must_use]
pub fn grant(id: u64, privileges: Privileges, scope: Scope, principal: Principal) -> Change {
    Change::PutEntry(entry(Effect::Grant, id, privileges, scope, principal))
}

#[must_use]
pub fn deny(id: u64, privileges: Privileges, scope: Scope, principal: Principal) -> Change {
    Change::PutEntry(entry(Effect::Deny, id, privileges, scope, principal))
}

#[must_use]
pub fn member(role: &str, member: Principal) -> Change {
    Change::PutMembership(Membership {
        role: role.into(),
        member,
        admin_option: GrantOption::Without,
        grantor: None,
        created_at: NOW,
    })
}

#[must_use]
pub fn book(book: BookName) -> Change {
    Change::PutSetting { key: "rule_book".into(), value: book.as_str().into() }
}

#[must_use]
pub fn needs(privileges: Privileges, resource: Resource, columns: Columns) -> Requirement {
    Requirement {
        right: Right::AnyOf { privileges, grant_option: GrantOption::Without },
        resource,
        columns,
        reach: Reach::Around,
        side: Side::Input,
    }
}

#[must_use]
pub fn named(columns: &[&str]) -> Columns {
    Columns::Named(columns.iter().map(|&name| name.into()).collect())
}
