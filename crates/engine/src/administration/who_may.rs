//! Who may change the policy.
//!
//! Administrators may change everything. Whoever holds a privilege with grant option may pass it on, deny it
//! and take it away, where it is not denied to themselves. Whoever holds a role with admin option may give the
//! role on.

use guardbee_model::Name;
use guardbee_policy::request::Columns;
use guardbee_policy::requirement::{Reach, Requirement, Right, Side};
use guardbee_policy::{
    ActiveRoles, BookName, Decision, Effect, Entry, GrantOption, Identity, Principal, Privilege, Privileges,
    Resource, Scope, Subject, decide,
};

use super::{Authority, Context, Grounds, Refusal};
use crate::outcome::Problem;

/// Asks for the right to administer. `action` completes "... may not", as in `create roles`.
pub(super) fn administer(context: Context<'_>, action: &str) -> Result<Grounds, Refusal> {
    if context.authority == Authority::Given {
        return Ok(Grounds::none_needed());
    }
    let grounds = ask(context, context.subject, vec![administration()]);
    if grounds.decision.is_allowed() { Ok(grounds) } else { Err(denied(context, grounds, action)) }
}

/// Asks for the right to give a role to others and take it from them.
pub(super) fn give_role(context: Context<'_>, role: &Name) -> Result<Grounds, Refusal> {
    let has_admin_option = context
        .policy
        .members_of(role)
        .any(|membership| membership.admin_option.is_with() && context.subject.is(&membership.member));
    // The role itself must be switched on there.
    let is_current =
        context.book() != BookName::SqlStandard || context.subject.is(&Principal::Role(role.clone()));
    if has_admin_option && is_current {
        return Ok(Grounds::none_needed());
    }
    administer(context, &format!("grant or revoke the role `{role}`"))
}

/// Asks for the right to pass privileges on, or to take them away or deny them to others: all of these.
pub(super) fn pass_on(context: Context<'_>, rights: &[(Privileges, Scope)]) -> Result<Grounds, Refusal> {
    if context.authority == Authority::Given {
        return Ok(Grounds::none_needed());
    }
    let administrator = ask(context, context.subject, vec![administration()]);
    if administrator.decision.is_allowed() {
        return Ok(administrator);
    }
    let everything;
    let holder = match context.book() {
        // Sentry looks at all roles, switched on or not.
        BookName::Sentry => {
            let identity = Identity { roles: ActiveRoles::All, ..context.identity.clone() };
            everything = context.policy.subject(&identity);
            &everything
        }
        _ => context.subject,
    };
    let mut met: Option<Grounds> = None;
    for (privileges, scope) in rights {
        let grounds = pass_on_one(context, holder, *privileges, scope)?;
        met = Some(match met {
            Some(before) => both(before, grounds),
            None => grounds,
        });
    }
    Ok(met.unwrap_or_else(Grounds::none_needed))
}

/// Whoever is denied a privilege somewhere does not pass it on for what is around that: whom they grant it to would
/// have it there as well. Who passes every check and who administers may.
pub(super) fn must_not_be_denied_inside(
    context: Context<'_>,
    rights: &[(Privileges, Scope)],
) -> Result<(), Refusal> {
    let is_wide = |scope: &Scope| {
        matches!(scope, Scope::Server | Scope::Database(_) | Scope::Tag { .. }) || scope.has_pattern()
    };
    if context.authority == Authority::Given || !rights.iter().any(|(_, scope)| is_wide(scope)) {
        return Ok(());
    }
    let grounds = ask(context, context.subject, vec![administration()]);
    if grounds.decision.is_allowed() {
        return Ok(());
    }
    let holds = |denial: &Entry| {
        denial.effect == Effect::Deny
            && context.subject.belongs_to(&denial.principal)
            && !denial.except.iter().any(|except| context.subject.belongs_to(except))
            && denial.validity.holds_at(context.now)
    };
    let denials: Vec<Entry> = context.policy.entries().filter(holds).collect();
    let found = rights.iter().filter(|(_, scope)| is_wide(scope)).find_map(|(privileges, scope)| {
        let reaches = |denial: &&Entry| {
            denial.privileges.intersects(*privileges) && may_share(context, scope, &denial.scope)
        };
        denials.iter().find(reaches).map(|denial| (privileges, scope, denial))
    });
    match found {
        None => Ok(()),
        Some((privileges, scope, denial)) => {
            let action = format!(
                "pass on {privileges} on {scope}: {} on {} is denied to them ({})",
                denial.privileges, denial.scope, denial.id
            );
            Err(denied(context, grounds, &action))
        }
    }
}

/// Could something be at or in both, by its name or by a tag that it carries?
fn may_share(context: Context<'_>, one: &Scope, other: &Scope) -> bool {
    let places = |scope: &Scope| match scope {
        Scope::Tag { tag, value } => context
            .policy
            .tag_assignments()
            .filter(|assigned| assigned.tag == *tag && (value.is_none() || assigned.value == *value))
            .filter_map(|assigned| assigned.resource.scope())
            .collect(),
        named => vec![named.clone()],
    };
    let others = places(other);
    one == other || places(one).iter().any(|one| others.iter().any(|other| one.may_share(other)))
}

fn pass_on_one(
    context: Context<'_>,
    holder: &Subject,
    privileges: Privileges,
    scope: &Scope,
) -> Result<Grounds, Refusal> {
    let Some((resource, columns)) = resource_of(scope) else {
        return pass_on_around(context, holder, privileges, scope);
    };
    let mut requirement = needed(with_grant(privileges), resource);
    requirement.columns = columns;
    let grounds = ask(context, holder, vec![requirement.clone()]);
    if grounds.decision.is_allowed() {
        return Ok(grounds);
    }
    let is_denied = grounds
        .decision
        .reasons
        .iter()
        .any(|reason| reason.basis == guardbee_policy::decision::Basis::Denied);
    if context.book() == BookName::SqlStandard && !is_denied {
        let owner = ask(context, holder, vec![Requirement { right: Right::Ownership, ..requirement }]);
        if owner.decision.is_allowed() {
            return Ok(owner);
        }
    }
    Err(denied(context, grounds, &format!("pass on {privileges} on {scope}")))
}

/// A scope with `*` or a tag stands for no single resource: entries there and around it answer.
fn pass_on_around(
    context: Context<'_>,
    holder: &Subject,
    privileges: Privileges,
    scope: &Scope,
) -> Result<Grounds, Refusal> {
    let mut around = vec![Scope::Server, scope.clone()];
    match scope {
        Scope::Table { database, .. } | Scope::Column { database, .. } | Scope::Function { database, .. } => {
            around.push(Scope::Database(database.clone()));
        }
        Scope::Tag { tag, value: Some(_) } => around.push(Scope::Tag { tag: tag.clone(), value: None }),
        _ => {}
    }
    let mut granted = Privileges::NONE;
    let mut is_denied = false;
    for entry in around.iter().flat_map(|scope| context.policy.entries_on(scope)) {
        let is_theirs = match entry.effect {
            Effect::Grant => holder.is(&entry.principal),
            Effect::Deny => holder.belongs_to(&entry.principal),
        };
        let holds = is_theirs
            && !entry.except.iter().any(|except| holder.belongs_to(except))
            && entry.validity.holds_at(context.now);
        match entry.effect {
            Effect::Grant if holds && entry.grant_option.is_with() => {
                granted = granted.union(match entry.privileges.contains(Privilege::Owner) {
                    true => Privileges::ALL,
                    false => entry.privileges,
                });
            }
            Effect::Deny if holds => is_denied |= entry.privileges.intersects(privileges),
            _ => {}
        }
    }
    if granted.contains_all(privileges) && !is_denied {
        return Ok(Grounds::none_needed());
    }
    let grounds = ask(context, holder, vec![administration()]);
    Err(denied(context, grounds, &format!("pass on {privileges} on {scope}")))
}

/// The one resource that a scope stands for.
pub(super) fn resource_of(scope: &Scope) -> Option<(Resource, Columns)> {
    use guardbee_model::TableName;
    if scope.has_pattern() {
        return None;
    }
    let resource = match scope {
        Scope::Server => Resource::Server,
        Scope::Database(database) => Resource::Database(database.literal()?.clone()),
        Scope::Table { database, table } => {
            Resource::Table(TableName::new(database.literal()?.clone(), table.literal()?.clone()))
        }
        Scope::Column { database, table, column } => {
            let table = TableName::new(database.literal()?.clone(), table.literal()?.clone());
            return Some((Resource::Table(table), Columns::Named(vec![column.literal()?.clone()])));
        }
        Scope::Uri(uri) => Resource::Uri(uri.clone()),
        Scope::Function { database, function } => Resource::Function {
            database: Some(database.literal()?.clone()),
            function: function.literal()?.clone(),
        },
        Scope::Connector(connector) => Resource::Connector(connector.literal()?.clone()),
        Scope::Tag { .. } => return None,
    };
    Some((resource, Columns::Whole))
}

fn administration() -> Requirement {
    needed(Right::Administration, Resource::Server)
}

const fn with_grant(privileges: Privileges) -> Right {
    Right::AnyOf { privileges, grant_option: GrantOption::With }
}

fn needed(right: Right, resource: Resource) -> Requirement {
    Requirement { right, resource, columns: Columns::Whole, reach: Reach::Around, side: Side::Output }
}

fn ask(context: Context<'_>, subject: &Subject, requirements: Vec<Requirement>) -> Grounds {
    let decision = decide(context.policy, subject, &requirements, context.now);
    Grounds { requirements, decision }
}

fn both(one: Grounds, other: Grounds) -> Grounds {
    let shift = one.requirements.len();
    let mut requirements = one.requirements;
    requirements.extend(other.requirements);
    let Decision { verdict, mut reasons, obligations } = one.decision;
    reasons.extend(other.decision.reasons.into_iter().map(|mut reason| {
        reason.requirement += shift;
        reason
    }));
    Grounds { requirements, decision: Decision { verdict, reasons, obligations } }
}

fn denied(context: Context<'_>, grounds: Grounds, action: &str) -> Refusal {
    let message = format!("user `{}` may not {action}", context.identity.user);
    let hint = match context.book() {
        BookName::SqlStandard => "the role `admin` may; it must be switched on (SET ROLE ADMIN)",
        _ => "members of the role `admin` may",
    };
    Refusal::denied(grounds, Problem::new("not-allowed", message).with_hint(hint))
}
