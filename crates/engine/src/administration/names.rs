//! Names of roles and principals: which are allowed, and whom they mean.

use std::sync::Arc;

use guardbee_hiveql::tree::{Identifier, PrincipalKind, PrincipalName};
use guardbee_model::Name;
use guardbee_policy::{BookName, Principal};
use smol_str::SmolStr;

use super::{Context, Refusal, look_alike};

/// Names that `SET ROLE` gives another meaning, or that no role may have.
const RESERVED: [&str; 4] = ["all", "default", "none", "public"];
const RESERVED_BY_SENTRY: &str = "superuser";
const BUILT_IN: &str = "admin";

/// Characters that nobody sees, or that turn the direction of a text: names with them look like others.
const fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
    )
}

fn check(kind: &str, name: &str) -> Result<(), Refusal> {
    let error = |what: &str| Err(Refusal::error("malformed-name", format!("the name of a {kind} {what}")));
    if name.trim().is_empty() {
        return error("cannot be empty");
    }
    if name.trim() != name {
        return error(&format!("cannot begin or end with a blank: `{name}`"));
    }
    if name.chars().any(|character| character.is_control() || is_invisible(character)) {
        return error(&format!("cannot have invisible characters: `{}`", name.escape_debug()));
    }
    Ok(())
}

/// As long as Sentry and Hive's metastore keep them.
const LONGEST_ROLE_NAME: usize = 128;

/// The name of a role that is to be made.
pub(super) fn new_role(context: Context<'_>, identifier: Identifier<'_>) -> Result<Name, Refusal> {
    let name = role(identifier)?;
    let is_reserved = RESERVED.contains(&name.as_str())
        || context.book() == BookName::Sentry && name.as_str() == RESERVED_BY_SENTRY;
    if is_reserved {
        return Err(Refusal::error("reserved-name", format!("`{name}` is reserved and cannot name a role")));
    }
    if name.chars().count() > LONGEST_ROLE_NAME {
        let message = format!("the name of a role has at most {LONGEST_ROLE_NAME} characters");
        return Err(Refusal::error("long-name", message));
    }
    if context.policy.role(&name).is_some() {
        return Ok(name);
    }
    let known = context.policy.roles().map(|role| role.name.as_str());
    match look_alike::first(&name, known.chain(RESERVED).chain([BUILT_IN, RESERVED_BY_SENTRY])) {
        Some(other) => {
            let message = format!("`{name}` looks like `{other}` and is another name");
            Err(Refusal::error("look-alike-name", message))
        }
        None => Ok(name),
    }
}

/// The name of a role, be there one or not.
pub(super) fn role(identifier: Identifier<'_>) -> Result<Name, Refusal> {
    check("role", &identifier.value())?;
    Ok(identifier.name())
}

/// Is there such a role?
pub(super) fn must_be_role(context: Context<'_>, name: &Name) -> Result<(), Refusal> {
    if context.policy.role(name).is_some() {
        return Ok(());
    }
    let nearest = guardbee_model::nearest(name, context.policy.roles().map(|role| role.name.as_str()));
    let mut refusal = guardbee_policy::ChangeError::UnknownRole(name.clone()).to_string();
    if let Some(nearest) = nearest {
        refusal = format!("{refusal}; is `{nearest}` meant?");
    }
    Err(Refusal::error("unknown-role", refusal))
}

/// Whom a name means. Without a kind (AuthDev): the role of that name, else the group, else the user.
pub(super) fn principal(context: Context<'_>, name: &PrincipalName<'_>) -> Result<Principal, Refusal> {
    let text = name.name.value();
    match name.kind {
        Some(PrincipalKind::User) => check("user", &text).map(|()| Principal::User(SmolStr::new(&text))),
        Some(PrincipalKind::Group) => check("group", &text).map(|()| Principal::Group(SmolStr::new(&text))),
        Some(PrincipalKind::Role) => role(name.name).map(Principal::Role),
        None if context.is_strict() => Err(Refusal::error(
            "unsupported-principal",
            format!("say whether `{text}` is a user, a group or a role"),
        )),
        None => {
            check("principal", &text)?;
            Ok(match name.name.name() {
                role if context.policy.role(&role).is_some() => Principal::Role(role),
                _ if context.groups.is_only_group(&text) => Principal::Group(SmolStr::new(&text)),
                _ => Principal::User(SmolStr::new(&text)),
            })
        }
    }
}

/// Those whom a list means, each once.
pub(super) fn principals(
    context: Context<'_>,
    names: &[PrincipalName<'_>],
) -> Result<Vec<Principal>, Refusal> {
    let mut principals = Vec::new();
    for name in names {
        let principal = principal(context, name)?;
        if !principals.contains(&principal) {
            principals.push(principal);
        }
    }
    Ok(principals)
}

/// Those whom an `EXCEPT` means, in order, so that the same exceptions compare as such.
pub(super) fn exceptions(
    context: Context<'_>,
    names: &[PrincipalName<'_>],
) -> Result<Arc<[Principal]>, Refusal> {
    let mut principals = principals(context, names)?;
    principals.sort();
    Ok(principals.into())
}

/// The roles among them must be there.
pub(super) fn must_exist<'p>(
    context: Context<'_>,
    principals: impl IntoIterator<Item = &'p Principal>,
) -> Result<(), Refusal> {
    principals.into_iter().try_for_each(|principal| match principal {
        Principal::Role(role) => must_be_role(context, role),
        Principal::User(_) | Principal::Group(_) => Ok(()),
    })
}

/// Whom the original of a rule book takes as holder of privileges, where the settings are strict.
pub(super) fn may_hold_privileges(context: Context<'_>, principals: &[Principal]) -> Result<(), Refusal> {
    may(context, principals, "hold privileges", |principal| match context.book() {
        BookName::Sentry => matches!(principal, Principal::Role(_)),
        BookName::SqlStandard => !matches!(principal, Principal::Group(_)),
        BookName::HiveLegacy | BookName::Ranger => true,
    })
}

/// Whom the original of a rule book takes as member of a role, where the settings are strict.
pub(super) fn may_hold_roles(context: Context<'_>, principals: &[Principal]) -> Result<(), Refusal> {
    may(context, principals, "be a member of a role", |principal| match context.book() {
        BookName::Sentry => !matches!(principal, Principal::Role(_)),
        BookName::SqlStandard => !matches!(principal, Principal::Group(_)),
        BookName::HiveLegacy | BookName::Ranger => true,
    })
}

fn may(
    context: Context<'_>,
    principals: &[Principal],
    what: &str,
    is_taken: impl Fn(&Principal) -> bool,
) -> Result<(), Refusal> {
    let refused = principals.iter().find(|principal| context.is_strict() && !is_taken(principal));
    match refused {
        None => Ok(()),
        Some(principal) => Err(Refusal::error(
            "unsupported-principal",
            format!("in the rule book {} a {principal} cannot {what}", context.book().as_str()),
        )),
    }
}
