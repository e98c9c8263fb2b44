//! `GRANT` of privileges, and what all statements about privileges have in common.

use std::sync::Arc;

use guardbee_hiveql::tree::{PrivilegeAction, PrivilegeKind, PrivilegeObject, PrivilegeStatement};
use guardbee_policy::{BookName, Effect, Entry, GrantOption, Principal, Privilege, Privileges, Scope};

use super::draft::{Draft, Holding};
use super::{Context, Plan, Refusal, names, objects, privilege_kinds, who_may};

/// What a statement about privileges asks for.
pub(super) struct Wanted {
    pub principals: Vec<Principal>,
    pub except: Arc<[Principal]>,
    /// Each privilege with each place.
    pub rights: Vec<(Privileges, Scope)>,
    pub grant_option: GrantOption,
}

impl Wanted {
    /// Reads the statement; nothing in it needs to be there yet.
    pub(super) fn read(context: Context<'_>, statement: &PrivilegeStatement<'_>) -> Result<Self, Refusal> {
        must_be_of_the_original(context, statement)?;
        let scope = objects::scope(context, statement.object.as_ref())?;
        let mut rights: Vec<(Privileges, Scope)> = Vec::new();
        for privilege in statement.privileges {
            let places = match privilege.columns {
                [] => vec![scope.clone()],
                columns => objects::columns(context, &scope, columns)?,
            };
            for privileges in kinds(context, statement.action, privilege.kind)? {
                for place in &places {
                    let privileges = match place {
                        // Whatever Sentry is told to grant on an address, it grants all.
                        Scope::Uri(_) if context.book() == BookName::Sentry => Privileges::ALL,
                        _ => privileges,
                    };
                    privilege_kinds::must_fit(context.book(), privileges, place)?;
                    if !rights.contains(&(privileges, place.clone())) {
                        rights.push((privileges, place.clone()));
                    }
                }
            }
        }
        let principals = names::principals(context, statement.principals)?;
        let except = names::exceptions(context, statement.except)?;
        names::may_hold_privileges(context, &principals)?;
        let grant_option = if statement.grant_option { GrantOption::With } else { GrantOption::Without };
        Ok(Self { principals, except, rights, grant_option })
    }

    /// The roles must be there, and what the privileges stand on.
    pub(super) fn must_exist(&self, context: Context<'_>) -> Result<(), Refusal> {
        names::must_exist(context, self.principals.iter().chain(&*self.except))?;
        self.rights.iter().try_for_each(|(_, scope)| objects::must_exist(context, scope))
    }

    /// Each principal with each right.
    pub(super) fn each(&self) -> impl Iterator<Item = (&Principal, Privileges, &Scope)> {
        self.principals.iter().flat_map(|principal| {
            self.rights.iter().map(move |(privileges, scope)| (principal, *privileges, scope))
        })
    }
}

/// ALL is four privileges in the sql-standard book. A denial of ALL is of every privilege, later ones included.
fn kinds(
    context: Context<'_>,
    action: PrivilegeAction,
    kind: PrivilegeKind,
) -> Result<Vec<Privileges>, Refusal> {
    let is_denial = matches!(action, PrivilegeAction::Deny | PrivilegeAction::RevokeDeny);
    if is_denial && kind == PrivilegeKind::All {
        return Ok(vec![Privileges::ALL]);
    }
    privilege_kinds::privileges_of(context.book(), kind)
}

/// A strict book takes only what its original takes.
fn must_be_of_the_original(context: Context<'_>, statement: &PrivilegeStatement<'_>) -> Result<(), Refusal> {
    if !context.is_strict() {
        return Ok(());
    }
    let book = context.book().as_str();
    let unknown = |what: &str| Err(Refusal::error("strict", format!("the rule book {book} knows no {what}")));
    if matches!(statement.action, PrivilegeAction::Deny | PrivilegeAction::RevokeDeny) {
        return unknown("denials");
    }
    if !statement.except.is_empty() {
        return unknown("EXCEPT");
    }
    if statement.action == PrivilegeAction::Revoke
        && statement.grant_option
        && context.book() == BookName::Sentry
    {
        return unknown("REVOKE GRANT OPTION FOR");
    }
    match (&statement.object, context.book()) {
        (Some(PrivilegeObject::Table { .. } | PrivilegeObject::Database(_)), _) | (_, BookName::Ranger) => {
            Ok(())
        }
        (Some(PrivilegeObject::Server(_) | PrivilegeObject::Uri(_)), BookName::Sentry) => Ok(()),
        (None, BookName::HiveLegacy) => Ok(()),
        (None, _) => unknown("privileges without an object"),
        (Some(_), _) => unknown("privileges on such an object"),
    }
}

/// The entries of a principal at exactly a scope.
pub(super) fn entries_at(
    draft: &Draft<'_>,
    effect: Effect,
    principal: &Principal,
    scope: &Scope,
) -> Vec<Entry> {
    draft
        .policy()
        .entries_on(scope)
        .filter(|entry| entry.effect == effect && entry.principal == *principal)
        .collect()
}

pub(super) fn grant(context: Context<'_>, statement: &PrivilegeStatement<'_>) -> Result<Plan, Refusal> {
    let wanted = Wanted::read(context, statement)?;
    let grounds = who_may::pass_on(context, &wanted.rights)?;
    who_may::must_not_be_denied_inside(context, &wanted.rights)?;
    wanted.must_exist(context)?;
    let mut draft = Draft::new(context);
    for (principal, privileges, scope) in wanted.each() {
        let holding = Holding {
            effect: Effect::Grant,
            principal: principal.clone(),
            except: wanted.except.clone(),
            privileges,
            scope: scope.clone(),
            grant_option: wanted.grant_option,
        };
        let mut known = entries_at(&draft, Effect::Grant, principal, scope);
        known.retain(|entry| entry.except == wanted.except);
        match context.book() {
            BookName::Sentry => grant_as_sentry(&mut draft, holding, &known)?,
            BookName::HiveLegacy | BookName::SqlStandard => {
                grant_as_hive(context, &mut draft, holding, &known)?;
            }
            BookName::Ranger => grant_once(&mut draft, holding, &known)?,
        }
    }
    Ok(draft.finish(grounds))
}

/// The right with and without grant option are two entries. On databases, tables and columns ALL takes the
/// place of single privileges, and a single privilege beside ALL is not kept.
fn grant_as_sentry(draft: &mut Draft<'_>, holding: Holding, known: &[Entry]) -> Result<(), Refusal> {
    let same_option = |entry: &&Entry| entry.grant_option == holding.grant_option;
    let replaces = !matches!(holding.scope, Scope::Server | Scope::Uri(_));
    let is_known = known
        .iter()
        .filter(same_option)
        .any(|entry| entry.privileges == holding.privileges || replaces && entry.privileges.is_all());
    if is_known {
        return Ok(());
    }
    if replaces && holding.privileges.is_all() {
        let narrower = known.iter().filter(same_option);
        for entry in narrower.filter(|entry| !entry.privileges.contains(Privilege::Owner)) {
            draft.remove_entry(entry.id)?;
        }
    }
    draft.add_entry(holding)
}

/// Each grantor grants a privilege once.
fn grant_as_hive(
    context: Context<'_>,
    draft: &mut Draft<'_>,
    holding: Holding,
    known: &[Entry],
) -> Result<(), Refusal> {
    let grantor = Some(context.user());
    let is_known =
        known.iter().any(|entry| entry.privileges == holding.privileges && entry.grantor == grantor);
    if is_known {
        return Err(Refusal::error(
            "already-granted",
            format!(
                "{} is already granted on {} to {} by {}",
                holding.privileges, holding.scope, holding.principal, context.identity.user
            ),
        ));
    }
    draft.add_entry(holding)
}

/// One entry, which gains the grant option where it is granted with it later.
fn grant_once(draft: &mut Draft<'_>, holding: Holding, known: &[Entry]) -> Result<(), Refusal> {
    let is_known = known.iter().any(|entry| {
        entry.privileges.contains_all(holding.privileges) && entry.grant_option >= holding.grant_option
    });
    if is_known {
        return Ok(());
    }
    match known.iter().find(|entry| entry.privileges == holding.privileges) {
        Some(entry) => draft.replace_entry(Entry { grant_option: holding.grant_option, ..entry.clone() }),
        None => draft.add_entry(holding),
    }
}
