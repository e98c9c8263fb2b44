//! Worlds and questions as a person would write them, in the style of SQL.

use guardbee_policy::request::Columns;
use guardbee_policy::requirement::{Reach, Requirement, Side};
use guardbee_policy::{Change, DataPolicy, DataRule, Effect, Entry, PolicyState, Principal, Resource};

use super::{Active, Asker};

fn list<T: ToString>(items: &[T]) -> String {
    items.iter().map(T::to_string).collect::<Vec<_>>().join(", ")
}

fn except(principals: &[Principal]) -> String {
    if principals.is_empty() { String::new() } else { format!(" EXCEPT {}", list(principals)) }
}

fn entry_text(entry: &Entry) -> String {
    let rest = if entry.privileges.bits().count_ones() as usize > entry.privileges.iter().count()
        && !entry.privileges.is_all()
    {
        " and later ones"
    } else {
        ""
    };
    let (verb, to) = match entry.effect {
        Effect::Grant => ("GRANT", "TO"),
        Effect::Deny => ("DENY", "FROM"),
    };
    let mut text = format!("{verb} {}{rest} ON {} {to} {}", entry.privileges, entry.scope, entry.principal);
    text += &except(&entry.except);
    if entry.grant_option.is_with() {
        text += " WITH GRANT OPTION";
    }
    if let Some(from) = entry.validity.from {
        text += &format!(" FROM {}", from.0);
    }
    if let Some(until) = entry.validity.until {
        text += &format!(" UNTIL {}", until.0);
    }
    format!("{text};  -- {}", entry.id)
}

fn data_policy_text(policy: &DataPolicy) -> String {
    let kind = match policy.rule {
        DataRule::RowFilter => "ROW FILTER",
        DataRule::ColumnMask => "COLUMN MASK",
    };
    let mut text = format!("CREATE {kind} {} ON {} AS {}", policy.name, policy.scope, policy.expression);
    if !policy.principals.is_empty() {
        text += &format!(" FOR {}", list(&policy.principals));
    }
    text += &except(&policy.except);
    if policy.state == PolicyState::Disabled {
        text += " DISABLED";
    }
    text + ";"
}

#[must_use]
pub fn change_text(change: &Change) -> String {
    match change {
        Change::PutRole(role) => format!("CREATE ROLE {};", role.name),
        Change::RemoveRole(name) => format!("DROP ROLE {name};"),
        Change::PutMembership(membership) => {
            format!("GRANT ROLE {} TO {};", membership.role, membership.member)
        }
        Change::RemoveMembership { role, member } => format!("REVOKE ROLE {role} FROM {member};"),
        Change::PutEntry(entry) => entry_text(entry),
        Change::RemoveEntry(id) => format!("remove {id};"),
        Change::PutDataPolicy(policy) => data_policy_text(policy),
        Change::RemoveDataPolicy { rule, name } => format!("DROP {rule:?} {name};"),
        Change::PutTag(tag) => format!("CREATE TAG {} ({});", tag.name, list(&tag.allowed_values)),
        Change::RemoveTag(name) => format!("DROP TAG {name};"),
        Change::PutTagAssignment(assignment) => {
            let value = assignment.value.as_ref().map(|value| format!(" = '{value}'")).unwrap_or_default();
            format!("ALTER {} SET TAG {}{value};", assignment.resource, assignment.tag)
        }
        Change::RemoveTagAssignment { tag, resource } => format!("ALTER {resource} UNSET TAG {tag};"),
        Change::PutOwner(owner) => format!("ALTER {} SET OWNER {};", owner.resource, owner.owner),
        Change::RemoveOwner(resource) => format!("ALTER {resource} UNSET OWNER;"),
        Change::PutSetting { key, value } => format!("SET {key} = {value};"),
        Change::RemoveSetting(key) => format!("RESET {key};"),
    }
}

#[must_use]
pub fn requirement_text(requirement: &Requirement) -> String {
    let columns = match &requirement.columns {
        Columns::Whole => String::new(),
        Columns::Named(columns) => format!(" ({})", list(columns)),
    };
    let reach = match requirement.reach {
        Reach::Around => "",
        Reach::AroundOrInside => " or on anything inside",
    };
    let side = match requirement.side {
        Side::Input => "in",
        Side::Output => "out",
    };
    let kind = match &requirement.resource {
        Resource::Server => "",
        Resource::Database(_) => "database ",
        Resource::Table(_) => "table ",
        Resource::Column(_) => "column ",
        Resource::Uri(_) => "address ",
        Resource::Function { .. } => "function ",
        Resource::Connector(_) => "connector ",
        Resource::Service(_) => "service ",
    };
    format!("needs {} on {kind}{}{columns}{reach} [{side}]", requirement.right, requirement.resource)
}

#[must_use]
pub fn asker_text(asker: &Asker) -> String {
    let roles = match &asker.active {
        Active::All => "ALL".to_owned(),
        Active::None => "NONE".to_owned(),
        Active::Only(names) => list(names),
    };
    format!("user {}, groups ({}), SET ROLE {roles}", asker.user, list(&asker.groups))
}
