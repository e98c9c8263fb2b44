//! A policy as short lines, for cases: read, and written.
//!
//!     role reader
//!     user ana in role reader with admin option by user root at 1000
//!     grant SELECT on TABLE sales.orders to role reader with grant option by user root at 1000
//!     deny ALL on DATABASE hr to group guests except user ben until 2000
//!     owner user ana of sales.orders

use std::fmt::Write;
use std::sync::Arc;

use guardbee_model::{Name, TableName};
use guardbee_policy::*;

/// The steps of the lines; entries are numbered as their lines are.
pub fn changes(text: &str) -> Vec<Change> {
    (1..).zip(text.lines()).map(|(id, line)| change(id, line)).collect()
}

/// A line for each step.
pub fn render(changes: &[Change]) -> String {
    let mut text = String::new();
    for change in changes {
        let line = match change {
            Change::PutRole(role) => {
                let by = role.created_by.as_ref().map(Principal::user);
                format!("role {}{}", role.name, origin(by.as_ref(), role.created_at))
            }
            Change::PutMembership(membership) => {
                let option = if membership.admin_option.is_with() { " with admin option" } else { "" };
                let origin = origin(membership.grantor.as_ref(), membership.created_at);
                format!("{} in role {}{option}{origin}", membership.member, membership.role)
            }
            Change::PutEntry(entry) => render_entry(entry),
            Change::PutSetting { key, value } => format!("setting {key} = {value}"),
            Change::PutOwner(ownership) => format!("owner {} of {}", ownership.owner, ownership.resource),
            other => format!("{other:?}"),
        };
        writeln!(text, "{line}").unwrap();
    }
    text
}

fn render_entry(entry: &Entry) -> String {
    let effect = if entry.effect == Effect::Grant { "grant" } else { "deny" };
    let option = if entry.grant_option.is_with() { " with grant option" } else { "" };
    let origin = origin(entry.grantor.as_ref(), entry.created_at);
    format!("{effect} {} on {} to {}{option}{origin}", entry.privileges, entry.scope, entry.principal)
}

fn origin(by: Option<&Principal>, at: Timestamp) -> String {
    let by = by.map_or(String::new(), |by| format!(" by {by}"));
    if at == Timestamp(0) { by } else { format!("{by} at {}", at.0) }
}

/// A line, less what ends it, and what that says.
fn cut<'t>(line: &mut &'t str, separator: &str) -> Option<&'t str> {
    let (before, behind) = line.rsplit_once(separator)?;
    *line = before;
    Some(behind)
}

fn change(id: u64, mut line: &str) -> Change {
    let created_at = Timestamp(cut(&mut line, " at ").map_or(0, |at| at.parse().unwrap()));
    let by = cut(&mut line, " by ").map(principal);
    let option = if line.ends_with(" option") {
        cut(&mut line, " with ");
        GrantOption::With
    } else {
        GrantOption::Without
    };
    if let Some((member, role)) = line.split_once(" in role ") {
        return Change::PutMembership(Membership {
            role: Name::fold(role),
            member: principal(member),
            admin_option: option,
            grantor: by,
            created_at,
        });
    }
    let (kind, rest) = line.split_once(' ').unwrap();
    match kind {
        "grant" | "deny" => {
            let effect = if kind == "grant" { Effect::Grant } else { Effect::Deny };
            let entry = entry(id, effect, rest);
            Change::PutEntry(Entry { grant_option: option, grantor: by, created_at, ..entry })
        }
        "role" => {
            let created_by = by.map(|by| by.name().into());
            Change::PutRole(Role { name: Name::fold(rest), created_by, created_at })
        }
        "owner" => {
            let (owner, resource) = rest.split_once(" of ").unwrap();
            let resource = match resource.split_once('.') {
                Some((database, table)) => {
                    Resource::Table(TableName::new(Name::fold(database), Name::fold(table)))
                }
                None => Resource::Database(Name::fold(resource)),
            };
            Change::PutOwner(Ownership { resource, owner: principal(owner) })
        }
        "tag" => Change::PutTag(Tag {
            name: Name::fold(rest),
            allowed_values: Arc::from([]),
            comment: None,
            created_by: None,
            created_at,
        }),
        "mask" => Change::PutDataPolicy(DataPolicy {
            name: Name::fold(rest),
            rule: DataRule::ColumnMask,
            scope: Scope::column("d", "t", "c"),
            expression: Arc::from("null"),
            principals: Arc::from([]),
            except: Arc::from([]),
            state: PolicyState::Enabled,
            created_by: None,
            created_at,
        }),
        _ => panic!("no step: {line}"),
    }
}

fn entry(id: u64, effect: Effect, line: &str) -> Entry {
    let (rights, rest) = line.split_once(" on ").unwrap();
    let (on, mut to) = rest.split_once(" to ").unwrap();
    let until = cut(&mut to, " until ").map(|until| Timestamp(until.parse().unwrap()));
    let except = cut(&mut to, " except ").map(principal);
    Entry {
        id: EntryId(id),
        effect,
        principal: principal(to),
        except: except.into_iter().collect(),
        privileges: privileges(rights),
        scope: scope(on),
        grant_option: GrantOption::Without,
        grantor: None,
        created_at: Timestamp(0),
        validity: Validity { from: None, until },
        purpose: None,
    }
}

fn principal(text: &str) -> Principal {
    match text.split_once(' ').unwrap() {
        ("user", name) => Principal::user(name),
        ("group", name) => Principal::group(name),
        ("role", name) => Principal::role(name),
        other => panic!("no principal: {other:?}"),
    }
}

fn scope(text: &str) -> Scope {
    let (kind, name) = text.split_once(' ').unwrap_or((text, ""));
    let names: Vec<&str> = name.split('.').collect();
    match (kind, &*names) {
        ("SERVER", _) => Scope::Server,
        ("DATABASE", [database]) => Scope::database(database),
        ("TABLE", [database, table]) => Scope::table(database, table),
        ("COLUMN", [database, table, column]) => Scope::column(database, table, column),
        ("URI", _) => Scope::Uri(Uri::from_normalised(name)),
        ("FUNCTION", [database, function]) => {
            Scope::Function { database: NamePattern::fold(database), function: NamePattern::fold(function) }
        }
        ("TAG", [tag]) => Scope::Tag { tag: Name::fold(tag), value: None },
        other => panic!("no scope: {other:?}"),
    }
}

fn privileges(text: &str) -> Privileges {
    if text == "ALL" {
        return Privileges::ALL;
    }
    let one = |word: &str| *Privilege::EACH.iter().find(|privilege| privilege.as_str() == word).unwrap();
    text.split(", ").map(one).collect()
}
