//! `DENY` and `REVOKE DENY`.

use guardbee_hiveql::tree::PrivilegeStatement;
use guardbee_policy::{Effect, Entry, GrantOption};

use super::draft::{Draft, Holding};
use super::privileges::{Wanted, entries_at};
use super::{Context, Plan, Refusal, names, objects, who_may};

pub(super) fn deny(context: Context<'_>, statement: &PrivilegeStatement<'_>) -> Result<Plan, Refusal> {
    let wanted = Wanted::read(context, statement)?;
    if wanted.grant_option.is_with() {
        return Err(Refusal::error("grant-option-on-denial", "a denial cannot be passed on"));
    }
    let grounds = who_may::pass_on(context, &wanted.rights)?;
    wanted.must_exist(context)?;
    let mut draft = Draft::new(context);
    for (principal, privileges, scope) in wanted.each() {
        let is_denied = entries_at(&draft, Effect::Deny, principal, scope)
            .iter()
            .any(|entry| entry.except == wanted.except && entry.privileges.contains_all(privileges));
        if is_denied {
            draft.notice(format!("{privileges} on {scope} is denied to {principal} already"));
            continue;
        }
        draft.add_entry(Holding {
            effect: Effect::Deny,
            principal: principal.clone(),
            except: wanted.except.clone(),
            privileges,
            scope: scope.clone(),
            grant_option: GrantOption::Without,
        })?;
    }
    Ok(draft.finish(grounds))
}

/// Takes the privileges out of what is denied at exactly that scope; of ALL the rest stays denied.
pub(super) fn revoke_deny(context: Context<'_>, statement: &PrivilegeStatement<'_>) -> Result<Plan, Refusal> {
    let wanted = Wanted::read(context, statement)?;
    let grounds = who_may::pass_on(context, &wanted.rights)?;
    names::must_exist(context, &wanted.principals)?;
    let mut draft = Draft::new(context);
    for (principal, privileges, scope) in wanted.each() {
        let entries: Vec<Entry> = entries_at(&draft, Effect::Deny, principal, scope)
            .into_iter()
            .filter(|entry| wanted.except.is_empty() || entry.except == wanted.except)
            .filter(|entry| entry.privileges.intersects(privileges))
            .collect();
        if entries.is_empty() {
            objects::must_exist(context, scope)?;
            draft.notice(format!("{privileges} on {scope} is not denied to {principal}"));
        }
        for entry in entries {
            let rest = entry.privileges.without(privileges);
            draft.narrow_entry(entry, rest)?;
        }
    }
    Ok(draft.finish(grounds))
}
