//! Roles and who is in them.

use guardbee_hiveql::tree::{Existence, Identifier, RoleChoice, RoleGrant};
use guardbee_model::Name;
use guardbee_policy::{
    ActiveRoles, BookName, Change, Entry, GrantOption, Identity, Membership, Principal, Role,
};

use super::draft::Draft;
use super::{Context, Grounds, Plan, Refusal, look_alike, names, who_may};
use crate::outcome::{Answer, Problem};

const BUILT_IN: [&str; 2] = ["public", "admin"];
const ADMIN: &str = "admin";

pub(super) fn is_built_in(role: &str) -> bool {
    BUILT_IN.contains(&role)
}

pub(super) fn create(
    context: Context<'_>,
    name: Identifier<'_>,
    if_not_exists: Existence,
) -> Result<Plan, Refusal> {
    let name = names::new_role(context, name)?;
    let grounds = who_may::administer(context, "create roles")?;
    let mut draft = Draft::new(context);
    if context.policy.role(&name).is_some() {
        if if_not_exists == Existence::Required {
            return Err(Refusal::error("role-exists", format!("the role `{name}` already exists")));
        }
        draft.notice(format!("the role `{name}` already exists"));
        return Ok(draft.finish(grounds));
    }
    if let Some(warning) = look_alike::warning(&name) {
        draft.notice(warning);
    }
    draft.make(Change::PutRole(Role {
        name,
        created_by: Some(context.identity.user.clone()),
        created_at: context.now,
    }))?;
    Ok(draft.finish(grounds))
}

/// The role goes with its members, its entries and its places in other roles.
pub(super) fn drop(
    context: Context<'_>,
    name: Identifier<'_>,
    if_exists: Existence,
) -> Result<Plan, Refusal> {
    let name = names::role(name)?;
    if is_built_in(&name) {
        return Err(Refusal::error("built-in-role", format!("the role `{name}` cannot be dropped")));
    }
    let grounds = who_may::administer(context, "drop roles")?;
    let mut draft = Draft::new(context);
    if context.policy.role(&name).is_none() && if_exists == Existence::Tolerated {
        draft.notice(format!("there is no role `{name}`"));
        return Ok(draft.finish(grounds));
    }
    names::must_be_role(context, &name)?;
    must_not_be_in_data_policies(context, &name)?;
    let role = Principal::Role(name.clone());
    let memberships: Vec<Membership> =
        context.policy.members_of(&name).chain(context.policy.memberships_of(&role)).cloned().collect();
    for membership in memberships {
        draft.make(Change::RemoveMembership { role: membership.role, member: membership.member })?;
    }
    let entries: Vec<Entry> = context.policy.entries_of(&role).collect();
    for entry in entries {
        draft.remove_entry(entry.id)?;
    }
    drop_from_exceptions(context, &mut draft, &role)?;
    draft.make(Change::RemoveRole(name))?;
    Ok(draft.finish(grounds))
}

/// A rule for the role alone would hold for everybody without it, or for nobody: neither goes unsaid.
fn must_not_be_in_data_policies(context: Context<'_>, name: &Name) -> Result<(), Refusal> {
    let role = Principal::Role(name.clone());
    let found = context
        .policy
        .data_policies()
        .find(|policy| policy.principals.contains(&role) || policy.except.contains(&role));
    match found {
        None => Ok(()),
        Some(policy) => Err(Refusal::error(
            "role-in-use",
            format!("the role `{name}` is named by the data policy `{}`; change that first", policy.name),
        )),
    }
}

fn drop_from_exceptions(
    context: Context<'_>,
    draft: &mut Draft<'_>,
    role: &Principal,
) -> Result<(), Refusal> {
    let entries: Vec<Entry> = context.policy.entries().filter(|entry| entry.except.contains(role)).collect();
    for entry in entries {
        if draft.policy().entry(entry.id).is_some() {
            let except = entry.except.iter().filter(|except| *except != role).cloned().collect();
            draft.make(Change::PutEntry(Entry { except, ..entry }))?;
        }
    }
    Ok(())
}

/// Switches roles on for the rest of the session.
pub(super) fn set(context: Context<'_>, choice: &RoleChoice<'_>) -> Result<Plan, Refusal> {
    if context.is_strict() && context.book() == BookName::HiveLegacy {
        return Err(Refusal::error("strict", "the rule book hive-legacy knows no SET ROLE"));
    }
    let roles = match choice {
        RoleChoice::All => ActiveRoles::All,
        RoleChoice::None => ActiveRoles::None,
        RoleChoice::Role(name) => ActiveRoles::Only(vec![held_role(context, names::role(*name)?)?]),
    };
    let answer = Answer::default();
    Ok(Plan { grounds: Grounds::none_needed(), changes: Vec::new(), answer, roles: Some(roles) })
}

/// Somebody who is not in a role learns nothing about whether there is one.
fn held_role(context: Context<'_>, name: Name) -> Result<Name, Refusal> {
    let identity = Identity { roles: ActiveRoles::All, ..context.identity.clone() };
    if context.policy.subject(&identity).roles().any(|role| *role == name) {
        return Ok(name);
    }
    let message = format!("user `{}` does not belong to the role `{name}`", context.identity.user);
    Err(Refusal::denied(Grounds::none_needed().refused(), Problem::new("role-not-held", message)))
}

pub(super) fn grant(context: Context<'_>, grant: &RoleGrant<'_>) -> Result<Plan, Refusal> {
    let (roles, members) = read(context, grant)?;
    let grounds = may_give(context, &roles)?;
    names::must_exist(context, &members)?;
    let option = if grant.admin_option { GrantOption::With } else { GrantOption::Without };
    let mut draft = Draft::new(context);
    for role in &roles {
        names::must_be_role(context, role)?;
        for member in &members {
            let known = draft.policy().members_of(role).find(|known| known.member == *member).cloned();
            match known {
                Some(known) if known.admin_option >= option => {
                    draft.notice(format!("{member} belongs to the role `{role}` already"));
                }
                Some(known) => {
                    draft.make(Change::PutMembership(Membership { admin_option: option, ..known }))?;
                }
                None => draft.make(Change::PutMembership(Membership {
                    role: role.clone(),
                    member: member.clone(),
                    admin_option: option,
                    grantor: Some(context.user()),
                    created_at: context.now,
                }))?,
            }
        }
    }
    Ok(draft.finish(grounds))
}

pub(super) fn revoke(context: Context<'_>, revoke: &RoleGrant<'_>) -> Result<Plan, Refusal> {
    let (roles, members) = read(context, revoke)?;
    let grounds = may_give(context, &roles)?;
    names::must_exist(context, &members)?;
    let mut draft = Draft::new(context);
    for role in &roles {
        names::must_be_role(context, role)?;
        for member in &members {
            let known = draft.policy().members_of(role).find(|known| known.member == *member).cloned();
            let Some(known) = known else {
                draft.notice(format!("{member} does not belong to the role `{role}`"));
                continue;
            };
            if revoke.admin_option {
                let without = Membership { admin_option: GrantOption::Without, ..known };
                draft.make(Change::PutMembership(without))?;
            } else {
                draft.make(Change::RemoveMembership { role: role.clone(), member: member.clone() })?;
            }
        }
        must_keep_an_administrator(&draft, role)?;
    }
    Ok(draft.finish(grounds))
}

fn read(context: Context<'_>, grant: &RoleGrant<'_>) -> Result<(Vec<Name>, Vec<Principal>), Refusal> {
    let roles = grant.roles.iter().map(|role| names::role(*role)).collect::<Result<Vec<_>, _>>()?;
    if roles.iter().any(|role| role.as_str() == "public") {
        let message = "everybody is in the role `public`: it can be neither granted nor revoked";
        return Err(Refusal::error("public-members", message));
    }
    let members = names::principals(context, grant.principals)?;
    names::may_hold_roles(context, &members)?;
    if grant.admin_option && context.is_strict() && context.book() == BookName::Sentry {
        return Err(Refusal::error("strict", "the rule book sentry knows no ADMIN OPTION"));
    }
    Ok((roles, members))
}

fn may_give(context: Context<'_>, roles: &[Name]) -> Result<Grounds, Refusal> {
    let mut grounds = Grounds::none_needed();
    for role in roles {
        grounds = who_may::give_role(context, role)?;
    }
    Ok(grounds)
}

/// Nobody could mend a policy that nobody may change.
fn must_keep_an_administrator(draft: &Draft<'_>, role: &Name) -> Result<(), Refusal> {
    if role.as_str() == ADMIN && draft.policy().members_of(ADMIN).next().is_none() {
        return Err(Refusal::error("last-administrator", "nobody would be left in the role `admin`"));
    }
    Ok(())
}
