//! `SHOW ROLES` and kin, tags, row filters and column masks.

use guardbee_hiveql::tree::{Identifier, PrincipalName, PrivilegeObject, QualifiedName, Show};
use guardbee_model::Name;
use guardbee_policy::{
    ActiveRoles, BookName, DataPolicy, DataRule, Membership, PolicyState, Principal, Resource, Scope,
};

use super::{Context, Grounds, Plan, Refusal, data_policies, names, objects, roles, show_grant, who_may};
use crate::named::table_name;
use crate::outcome::{Answer, Value};

pub(super) fn plan(context: Context<'_>, show: &Show<'_>) -> Result<Plan, Refusal> {
    let (grounds, answer) = match show {
        Show::Roles => all_roles(context)?,
        Show::CurrentRoles => current_roles(context),
        Show::RoleGrant(principal) => role_grants(context, principal)?,
        Show::Principals(role) => principals(context, *role)?,
        Show::Grant { principal, object } => {
            show_grant::answer(context, principal.as_ref(), object.as_ref())?
        }
        Show::Tags(object) => tags(context, object.as_ref())?,
        Show::RowFilters(table) => rules(context, DataRule::RowFilter, table.as_ref())?,
        Show::ColumnMasks(table) => rules(context, DataRule::ColumnMask, table.as_ref())?,
        _ => return Err(Refusal::error("not-administration", "the statement shows nothing of the policy")),
    };
    Ok(Plan { grounds, changes: Vec::new(), answer, roles: None })
}

/// Sentry has no built-in roles to show.
fn is_shown(context: Context<'_>, role: &str) -> bool {
    context.book() != BookName::Sentry || !roles::is_built_in(role)
}

fn all_roles(context: Context<'_>) -> Result<(Grounds, Answer), Refusal> {
    let grounds = match context.book() {
        BookName::HiveLegacy => Grounds::none_needed(),
        _ => who_may::administer(context, "list roles")?,
    };
    let names = context.policy.roles().map(|role| role.name.as_str());
    let rows = names.filter(|role| is_shown(context, role)).map(|role| vec![Value::text(role)]).collect();
    Ok((grounds, Answer::table(&["role"], rows)))
}

/// After `SET ROLE r` it is `r` alone, whatever other roles `r` is in.
fn current_roles(context: Context<'_>) -> (Grounds, Answer) {
    let chosen = |role: &Name| match &context.identity.roles {
        ActiveRoles::All => is_shown(context, role),
        ActiveRoles::None => false,
        ActiveRoles::Only(roles) => roles.contains(role),
    };
    let rows = context.subject.active_roles().filter(|role| chosen(role)).map(|role| vec![Value::text(role)]);
    let mut rows: Vec<Vec<Value>> = rows.collect();
    rows.sort();
    (Grounds::none_needed(), Answer::table(&["role"], rows))
}

fn grantor(context: Context<'_>, grantor: Option<&Principal>) -> Value {
    match grantor {
        // Sentry does not keep who granted what.
        _ if context.book() == BookName::Sentry => Value::text("--"),
        Some(grantor) => Value::text(grantor.name()),
        None => Value::text(""),
    }
}

fn role_grants(context: Context<'_>, name: &PrincipalName<'_>) -> Result<(Grounds, Answer), Refusal> {
    const COLUMNS: &[&str] = &["role", "grant_option", "grant_time", "grantor"];
    let principal = names::principal(context, name)?;
    let grounds = may_look_at(context, &principal, "list the roles of others")?;
    let row = |membership: &Membership| {
        vec![
            Value::text(&membership.role),
            Value::Boolean(membership.admin_option.is_with()),
            Value::Number(membership.created_at.0),
            grantor(context, membership.grantor.as_ref()),
        ]
    };
    let mut rows: Vec<Vec<Value>> = context
        .policy
        .memberships_of(&principal)
        .filter(|membership| is_shown(context, &membership.role))
        .map(row)
        .collect();
    if matches!(principal, Principal::User(_)) && is_shown(context, "public") {
        rows.push(vec![Value::text("public"), Value::Boolean(false), Value::Number(0), Value::text("")]);
    }
    rows.sort();
    Ok((grounds, Answer::table(COLUMNS, rows)))
}

/// Whoever the principal is may look at what it holds; otherwise administrators may. In Hive's legacy mode
/// everybody may.
pub(super) fn may_look_at(
    context: Context<'_>,
    principal: &Principal,
    action: &str,
) -> Result<Grounds, Refusal> {
    let is_own = match principal {
        Principal::Role(role) => context.subject.roles().any(|own| own == role),
        other => context.subject.is(other),
    };
    if is_own || context.book() == BookName::HiveLegacy {
        return Ok(Grounds::none_needed());
    }
    who_may::administer(context, action)
}

fn principals(context: Context<'_>, role: Identifier<'_>) -> Result<(Grounds, Answer), Refusal> {
    const COLUMNS: &[&str] =
        &["principal_name", "principal_type", "grant_option", "grantor", "grantor_type", "grant_time"];
    if context.is_strict() && context.book() == BookName::Sentry {
        return Err(Refusal::error("strict", "the rule book sentry knows no SHOW PRINCIPALS"));
    }
    let role = names::role(role)?;
    let grounds = match context.book() {
        BookName::HiveLegacy => Grounds::none_needed(),
        _ => who_may::give_role(context, &role)?,
    };
    names::must_be_role(context, &role)?;
    let row = |membership: &Membership| {
        vec![
            Value::text(membership.member.name()),
            Value::text(membership.member.kind().as_str()),
            Value::Boolean(membership.admin_option.is_with()),
            grantor(context, membership.grantor.as_ref()),
            Value::text(membership.grantor.as_ref().map_or("", |grantor| grantor.kind().as_str())),
            Value::Number(membership.created_at.0),
        ]
    };
    let mut rows: Vec<Vec<Value>> = context.policy.members_of(&role).map(row).collect();
    rows.sort();
    Ok((grounds, Answer::table(COLUMNS, rows)))
}

fn tags(context: Context<'_>, object: Option<&PrivilegeObject<'_>>) -> Result<(Grounds, Answer), Refusal> {
    let grounds = who_may::administer(context, "list tags")?;
    let Some(object) = object else {
        let rows = context.policy.tags().map(|tag| {
            let comment = tag.comment.as_deref().unwrap_or_default();
            vec![Value::text(&tag.name), Value::text(tag.allowed_values.join(", ")), Value::text(comment)]
        });
        return Ok((grounds, Answer::table(&["tag", "allowed_values", "comment"], rows.collect())));
    };
    let resource = objects::resource(context, object)?;
    let mut rows = Vec::new();
    for carrier in and_around(&resource) {
        rows.extend(context.policy.tags_on(&carrier).map(|assignment| {
            let value = assignment.value.as_deref().unwrap_or_default();
            vec![Value::text(&assignment.tag), Value::text(value), Value::text(carrier.to_string())]
        }));
    }
    rows.sort();
    Ok((grounds, Answer::table(&["tag", "value", "object"], rows)))
}

/// A resource and what it lies in: a tag holds for all that is beneath what carries it.
fn and_around(resource: &Resource) -> Vec<Resource> {
    let mut around = vec![resource.clone()];
    match resource {
        Resource::Column(column) => {
            around.push(Resource::Table(column.table.clone()));
            around.push(Resource::Database(column.table.database.clone()));
        }
        Resource::Table(table) => around.push(Resource::Database(table.database.clone())),
        Resource::Function { database: Some(database), .. } => {
            around.push(Resource::Database(database.clone()));
        }
        Resource::Uri(uri) => {
            let places = uri.and_ancestors().skip(1).map(guardbee_policy::Uri::from_normalised);
            around.extend(places.map(Resource::Uri));
        }
        _ => {}
    }
    if *resource != Resource::Server {
        around.push(Resource::Server);
    }
    around
}

fn rules(
    context: Context<'_>,
    rule: DataRule,
    table: Option<&QualifiedName<'_>>,
) -> Result<(Grounds, Answer), Refusal> {
    const COLUMNS: &[&str] = &["name", "object", "expression", "principals", "except", "state"];
    let grounds = who_may::administer(context, &format!("list {}s", data_policies::word(rule)))?;
    let wanted = table.map(|table| {
        let table = table_name(table, context.database);
        Scope::table(&table.database, &table.table)
    });
    if let Some(scope) = &wanted {
        objects::must_exist(context, scope)?;
    }
    let rows = context
        .policy
        .data_policies()
        .filter(|policy| policy.rule == rule)
        .filter(|policy| wanted.as_ref().is_none_or(|scope| scope.holds(&policy.scope)))
        .map(rule_row)
        .collect();
    Ok((grounds, Answer::table(COLUMNS, rows)))
}

fn rule_row(policy: &DataPolicy) -> Vec<Value> {
    let list = |principals: &[Principal]| {
        Value::text(principals.iter().map(Principal::to_string).collect::<Vec<_>>().join(", "))
    };
    vec![
        Value::text(&policy.name),
        Value::text(policy.scope.to_string()),
        Value::text(&policy.expression),
        list(&policy.principals),
        list(&policy.except),
        Value::text(match policy.state {
            PolicyState::Enabled => "enabled",
            PolicyState::Disabled => "disabled",
        }),
    ]
}
