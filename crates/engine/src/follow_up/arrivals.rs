//! Something new is there, or has a new owner.

use std::sync::Arc;

use guardbee_model::{Name, TableName};
use guardbee_policy::{
    BookName, Change, ChangeError, Effect, Entry, GrantOption, OwnerPrivileges, Ownership, Principal,
    Privilege, Privileges, Resource, Validity,
};

use super::{Ddl, Steps, removal, scope_of};

pub(super) fn database(steps: &mut Steps, ddl: &Ddl<'_>, name: &Name) -> Result<(), ChangeError> {
    arrive(steps, ddl, &Resource::Database(name.clone()))
}

pub(super) fn table(steps: &mut Steps, ddl: &Ddl<'_>, name: &TableName) -> Result<(), ChangeError> {
    let resource = Resource::Table(name.clone());
    arrive(steps, ddl, &resource)?;
    let Some(actor) = &ddl.actor else { return Ok(()) };
    for (principal, privileges) in first_grants(steps, ddl, actor) {
        grant(steps, ddl, &resource, principal, privileges, GrantOption::With)?;
    }
    Ok(())
}

fn arrive(steps: &mut Steps, ddl: &Ddl<'_>, resource: &Resource) -> Result<(), ChangeError> {
    if steps.policy.settings().sync_create.is_on() {
        removal::remove_entries(steps, resource)?;
    }
    match &ddl.actor {
        Some(actor) => own(steps, ddl, resource.clone(), actor),
        None => Ok(()),
    }
}

/// `SET OWNER`.
pub(super) fn new_owner(
    steps: &mut Steps,
    ddl: &Ddl<'_>,
    resource: Resource,
    owner: &Principal,
) -> Result<(), ChangeError> {
    removal::remove_owner_privileges(steps, &resource)?;
    own(steps, ddl, resource, owner)
}

fn own(steps: &mut Steps, ddl: &Ddl<'_>, resource: Resource, owner: &Principal) -> Result<(), ChangeError> {
    let settings = steps.policy.settings();
    let option = match settings.owner_privileges {
        _ if settings.rule_book != BookName::Sentry => None,
        OwnerPrivileges::None => None,
        OwnerPrivileges::All => Some(GrantOption::Without),
        OwnerPrivileges::AllWithGrant => Some(GrantOption::With),
    };
    if let Some(option) = option {
        grant(steps, ddl, &resource, owner.clone(), Privileges::of(Privilege::Owner), option)?;
    }
    if steps.keeps_owners() {
        steps.make(Change::PutOwner(Ownership { resource, owner: owner.clone() }))?;
    }
    Ok(())
}

/// What Hive grants on a new table, as its settings say: to users, groups and roles that they list, and to the
/// owner. The SQL-standard mode gives the owner the four privileges that it knows, whatever they say.
fn first_grants(steps: &Steps, ddl: &Ddl<'_>, actor: &Principal) -> Vec<(Principal, Privileges)> {
    let book = steps.policy.settings().rule_book;
    if !matches!(book, BookName::HiveLegacy | BookName::SqlStandard) {
        return Vec::new();
    }
    let setting = |whom: &str| {
        let key = format!("hive.security.authorization.createtable.{whom}.grants");
        ddl.before.setting(&key).unwrap_or_default().to_owned()
    };
    let mut grants = Vec::new();
    grants.extend(listed(&setting("user"), |name| Principal::user(name)));
    grants.extend(listed(&setting("group"), |name| Principal::group(name)));
    let roles = setting("role");
    let roles = listed(&roles, |name| Principal::role(name));
    grants.extend(roles.into_iter().filter(|(role, _)| steps.policy.role(role.name()).is_some()));
    let owners = match book {
        BookName::SqlStandard => "insert,select,update,delete".to_owned(),
        _ => setting("owner"),
    };
    grants.extend(owners.split(',').filter_map(privilege).map(|privilege| (actor.clone(), privilege)));
    grants
}

/// `u1,u2:select,drop;u3:create`. What cannot be read grants nothing.
fn listed(text: &str, principal: impl Fn(&str) -> Principal) -> Vec<(Principal, Privileges)> {
    let mut grants = Vec::new();
    for part in text.split(';') {
        let Some((names, privileges)) = part.split_once(':') else { continue };
        for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            grants.extend(privileges.split(',').filter_map(privilege).map(|kind| (principal(name), kind)));
        }
    }
    grants
}

fn privilege(word: &str) -> Option<Privileges> {
    let word = word.trim();
    if word.eq_ignore_ascii_case("all") {
        return Some(Privileges::ALL);
    }
    let named = |privilege: &&Privilege| privilege.as_str().eq_ignore_ascii_case(word);
    Privilege::EACH.iter().find(named).copied().map(Privileges::of)
}

fn grant(
    steps: &mut Steps,
    ddl: &Ddl<'_>,
    resource: &Resource,
    principal: Principal,
    privileges: Privileges,
    grant_option: GrantOption,
) -> Result<(), ChangeError> {
    let Some(scope) = scope_of(resource) else { return Ok(()) };
    let is_known = steps.policy.entries_on(&scope).any(|entry| {
        entry.principal == principal && entry.privileges == privileges && entry.effect == Effect::Grant
    });
    if is_known {
        return Ok(());
    }
    steps.make(Change::PutEntry(Entry {
        id: steps.policy.next_entry_id(),
        effect: Effect::Grant,
        principal,
        except: Arc::from([]),
        privileges,
        scope,
        grant_option,
        grantor: ddl.actor.clone(),
        created_at: ddl.now,
        validity: Validity::ALWAYS,
        purpose: None,
    }))
}
