//! `REVOKE` of privileges. Denials are no concern of it.

use guardbee_hiveql::tree::{PrivilegeKind, PrivilegeStatement};
use guardbee_policy::{BookName, Effect, Entry, GrantOption, Principal, Privilege, Privileges, Scope};

use super::draft::Draft;
use super::privileges::{Wanted, entries_at};
use super::{Context, Plan, Refusal, names, objects, who_may};

pub(super) fn revoke(context: Context<'_>, statement: &PrivilegeStatement<'_>) -> Result<Plan, Refusal> {
    if statement.privileges.iter().any(|privilege| privilege.kind == PrivilegeKind::GrantOption) {
        return revoke_everything(context, statement);
    }
    let wanted = Wanted::read(context, statement)?;
    match context.book() {
        BookName::SqlStandard => revoke_own(context, &wanted),
        _ => revoke_any(context, &wanted),
    }
}

/// Whoever may grant a right may take it away, whoever granted it.
fn revoke_any(context: Context<'_>, wanted: &Wanted) -> Result<Plan, Refusal> {
    let grounds = who_may::pass_on(context, &wanted.rights)?;
    names::must_exist(context, &wanted.principals)?;
    let mut draft = Draft::new(context);
    for (principal, privileges, scope) in wanted.each() {
        let entries: Vec<Entry> = match context.book() {
            BookName::Sentry if reaches_down(scope) => within(&draft, principal, scope),
            _ => entries_at(&draft, Effect::Grant, principal, scope),
        };
        let entries: Vec<Entry> = entries.into_iter().filter(|entry| is_meant(wanted, entry)).collect();
        if entries.is_empty() {
            // What is gone from the catalog may still have entries to be taken away; what never was has none.
            objects::must_exist(context, scope)?;
        }
        let before = draft.steps();
        for entry in entries {
            if wanted.grant_option.is_with() {
                revoke_grant_option(&mut draft, entry, privileges)?;
            } else {
                revoke_one(context.book(), &mut draft, entry, privileges)?;
            }
        }
        if draft.steps() == before {
            draft.notice(format!(
                "{principal} holds nothing of {privileges} on {scope} that could be revoked"
            ));
        }
    }
    Ok(draft.finish(grounds))
}

/// Without EXCEPT the exceptions of an entry do not matter; with it they must be the same.
fn is_meant(wanted: &Wanted, entry: &Entry) -> bool {
    wanted.except.is_empty() || wanted.except == entry.except
}

fn reaches_down(scope: &Scope) -> bool {
    matches!(scope, Scope::Server | Scope::Database(_) | Scope::Table { .. })
}

fn within(draft: &Draft<'_>, principal: &Principal, scope: &Scope) -> Vec<Entry> {
    draft
        .policy()
        .entries_within(scope)
        .filter(|entry| entry.effect == Effect::Grant && entry.principal == *principal)
        .collect()
}

fn revoke_one(
    book: BookName,
    draft: &mut Draft<'_>,
    entry: Entry,
    privileges: Privileges,
) -> Result<(), Refusal> {
    // The owner's right goes with the ownership.
    if entry.privileges == Privileges::of(Privilege::Owner) {
        return Ok(());
    }
    if privileges.is_all() || entry.privileges == privileges {
        return draft.remove_entry(entry.id);
    }
    match book {
        BookName::Sentry if entry.privileges.is_all() => {
            let rest = sentry_rest(&entry.scope, privileges);
            rest.map_or(Ok(()), |rest| draft.narrow_entry(entry, rest))
        }
        BookName::Ranger => {
            let rest = entry.privileges.without(privileges);
            if rest == entry.privileges { Ok(()) } else { draft.narrow_entry(entry, rest) }
        }
        _ => Ok(()),
    }
}

/// What Sentry leaves of ALL when one privilege is revoked: of SELECT and INSERT the other one, though ALL was
/// more than these two; the revocation of any other privilege does nothing.
fn sentry_rest(scope: &Scope, privileges: Privileges) -> Option<Privileges> {
    let (select, insert) = (Privileges::of(Privilege::Select), Privileges::of(Privilege::Insert));
    match scope {
        Scope::Column { .. } if privileges == select => Some(Privileges::NONE),
        Scope::Server | Scope::Database(_) | Scope::Table { .. } if privileges == select => Some(insert),
        Scope::Server | Scope::Database(_) | Scope::Table { .. } if privileges == insert => Some(select),
        _ => None,
    }
}

/// The right stays, the grant option goes.
fn revoke_grant_option(draft: &mut Draft<'_>, entry: Entry, privileges: Privileges) -> Result<(), Refusal> {
    if !entry.grant_option.is_with() || !(privileges.is_all() || entry.privileges == privileges) {
        return Ok(());
    }
    draft.replace_entry(Entry { grant_option: GrantOption::Without, ..entry })
}

/// As in Hive's SQL-standard mode: everybody takes back what they granted themselves, and nothing else.
fn revoke_own(context: Context<'_>, wanted: &Wanted) -> Result<Plan, Refusal> {
    let grantor = Some(context.user());
    let mut draft = Draft::new(context);
    let mut absent = None;
    for (principal, privileges, scope) in wanted.each() {
        let own = entries_at(&draft, Effect::Grant, principal, scope).into_iter().find(|entry| {
            entry.privileges == privileges && entry.grantor == grantor && is_meant(wanted, entry)
        });
        match own {
            None => absent = absent.or(Some((principal, privileges, scope))),
            Some(entry) if wanted.grant_option.is_with() => {
                revoke_grant_option(&mut draft, entry, privileges)?;
            }
            Some(entry) => draft.remove_entry(entry.id)?,
        }
    }
    let Some((principal, privileges, scope)) = absent else {
        return Ok(draft.finish(super::Grounds::none_needed()));
    };
    // Whoever could not have granted it is told that they may not, not what there is.
    who_may::pass_on(context, &wanted.rights)?;
    wanted.must_exist(context)?;
    Err(Refusal::error(
        "not-granted",
        format!(
            "cannot find privilege {privileges} for {principal} on {scope} granted by {}",
            context.identity.user
        ),
    ))
}

/// AuthDev's `REVOKE ALL PRIVILEGES, GRANT OPTION FROM p`: all that they were granted, here or everywhere.
fn revoke_everything(context: Context<'_>, statement: &PrivilegeStatement<'_>) -> Result<Plan, Refusal> {
    let [all, option] = statement.privileges else {
        return Err(Refusal::error("unsupported-privilege", "expected `ALL PRIVILEGES, GRANT OPTION`"));
    };
    if all.kind != PrivilegeKind::All || option.kind != PrivilegeKind::GrantOption {
        return Err(Refusal::error("unsupported-privilege", "expected `ALL PRIVILEGES, GRANT OPTION`"));
    }
    let principals = names::principals(context, statement.principals)?;
    let scope = statement.object.as_ref().map(|object| objects::scope(context, Some(object))).transpose()?;
    let grounds = match &scope {
        Some(scope) => who_may::pass_on(context, &[(Privileges::ALL, scope.clone())])?,
        None => who_may::administer(context, "revoke all privileges of somebody")?,
    };
    names::must_exist(context, &principals)?;
    let mut draft = Draft::new(context);
    for principal in &principals {
        let entries: Vec<Entry> = match &scope {
            Some(scope) => entries_at(&draft, Effect::Grant, principal, scope),
            None => within(&draft, principal, &Scope::Server),
        };
        for entry in entries
            .into_iter()
            .filter(|entry| !entry.privileges.contains(Privilege::Owner) || entry.privileges.is_all())
        {
            draft.remove_entry(entry.id)?;
        }
    }
    Ok(draft.finish(grounds))
}
