//! `SHOW GRANT`: the ten columns that Hive and Sentry print.

use guardbee_hiveql::tree::{GrantFilter, PrincipalName, PrivilegeObject};
use guardbee_policy::{
    ActiveRoles, BookName, Effect, Entry, Identity, Principal, Privileges, Scope, Subject,
};

use super::{Context, Grounds, Refusal, names, objects, show, who_may};
use crate::named::table_name;
use crate::outcome::{Answer, Value};
use crate::sight::{Sight, parent};

const COLUMNS: &[&str] = &[
    "database",
    "table",
    "partition",
    "column",
    "principal_name",
    "principal_type",
    "privilege",
    "grant_option",
    "grant_time",
    "grantor",
];

pub(super) fn answer(
    context: Context<'_>,
    principal: Option<&PrincipalName<'_>>,
    object: Option<&GrantFilter<'_>>,
) -> Result<(Grounds, Answer), Refusal> {
    let principal = principal.map(|name| names::principal(context, name)).transpose()?;
    let places = object.map(|object| places(context, object)).transpose()?.flatten();
    let (grounds, audience) = match &principal {
        Some(principal) => {
            must_be_shown(context, principal)?;
            let action = format!("see the privileges of {principal}");
            (show::may_look_at(context, principal, &action)?, Audience::Everybody)
        }
        None => audience(context)?,
    };
    if let Some(principal) = &principal {
        names::must_exist(context, [principal])?;
    }
    for place in places.iter().flatten() {
        // Whoever may not look there is shown nothing, be there something or not.
        if context.policy.entries_on(place).next().is_none() && may_look_at(context, place) {
            objects::must_exist(context, place)?;
        }
    }
    let entries: Vec<Entry> = match &principal {
        Some(principal) => context.policy.entries_of(principal).collect(),
        None => context.policy.entries().collect(),
    };
    let reads_around = context.book() == BookName::Sentry && principal.is_some();
    let is_meant = |entry: &&Entry| {
        let there = places.as_ref().is_none_or(|places| {
            places.iter().any(|place| match reads_around {
                true => is_on_or_around(&entry.scope, place),
                false => is_exactly(context.book(), &entry.scope, place),
            })
        });
        there && audience.sees(entry)
    };
    let mut rows: Vec<Vec<Value>> =
        entries.iter().filter(is_meant).map(|entry| row(context, entry)).collect();
    rows.sort();
    Ok((grounds, Answer::table(COLUMNS, rows)))
}

/// Which scopes are asked for; none for all.
fn places(context: Context<'_>, object: &GrantFilter<'_>) -> Result<Option<Vec<Scope>>, Refusal> {
    match object {
        GrantFilter::All => Ok(None),
        // No privilege can stand there. Hive shows that, too.
        GrantFilter::Object { object: PrivilegeObject::Table { name, partition: Some(_), .. }, .. } => {
            let table = table_name(name, context.database);
            let place = Scope::table(&table.database, &table.table);
            if may_look_at(context, &place) {
                objects::must_exist(context, &place)?;
            }
            Ok(Some(Vec::new()))
        }
        GrantFilter::Object { object, columns } => {
            let scope = objects::scope(context, Some(object))?;
            match columns {
                [] => Ok(Some(vec![scope])),
                columns => objects::columns(context, &scope, columns).map(Some),
            }
        }
    }
}

fn may_look_at(context: Context<'_>, place: &Scope) -> bool {
    let sight = Sight { policy: context.policy, subject: context.subject, now: context.now };
    who_may::resource_of(place).is_none_or(|(resource, _)| sight.sees(&parent(&resource)))
}

fn must_be_shown(context: Context<'_>, principal: &Principal) -> Result<(), Refusal> {
    let is_group = matches!(principal, Principal::Group(_));
    if is_group && context.is_strict() && context.book() != BookName::HiveLegacy {
        let message = format!("the rule book {} knows no SHOW GRANT GROUP", context.book().as_str());
        return Err(Refusal::error("unsupported-principal", message));
    }
    Ok(())
}

/// Whose entries may be shown where nobody is named.
enum Audience {
    Everybody,
    /// One's own.
    Own(Subject),
}

impl Audience {
    fn sees(&self, entry: &Entry) -> bool {
        match self {
            Self::Everybody => true,
            Self::Own(subject) => subject.is(&entry.principal),
        }
    }
}

/// In Hive's SQL-standard mode whoever does not administer has to name somebody.
fn audience(context: Context<'_>) -> Result<(Grounds, Audience), Refusal> {
    if context.book() == BookName::HiveLegacy {
        return Ok((Grounds::none_needed(), Audience::Everybody));
    }
    match who_may::administer(context, "see the privileges of everybody") {
        Ok(grounds) => Ok((grounds, Audience::Everybody)),
        Err(refusal) if context.book() == BookName::SqlStandard => Err(refusal),
        Err(_) => {
            let identity = Identity { roles: ActiveRoles::All, ..context.identity.clone() };
            Ok((Grounds::none_needed(), Audience::Own(context.policy.subject(&identity))))
        }
    }
}

/// Sentry shows what stands at the object, around it, and inside it; of an address, around it only.
fn is_on_or_around(scope: &Scope, place: &Scope) -> bool {
    scope.holds(place) || place.holds(scope) && !matches!(place, Scope::Uri(_))
}

/// Without a principal Sentry shows the columns of a table with it, and what covers an address; Hive shows
/// what stands exactly there.
fn is_exactly(book: BookName, scope: &Scope, place: &Scope) -> bool {
    scope == place
        || book == BookName::Sentry
            && match (scope, place) {
                (Scope::Column { .. }, Scope::Table { .. }) => place.holds(scope),
                (Scope::Uri(around), Scope::Uri(address)) => around.covers(address),
                _ => false,
            }
}

fn row(context: Context<'_>, entry: &Entry) -> Vec<Value> {
    let [database, table, column] = parts(context.book(), &entry.scope);
    let grantor = match &entry.grantor {
        // Sentry does not keep who granted what.
        _ if context.book() == BookName::Sentry => "--",
        Some(grantor) => grantor.name(),
        None => "",
    };
    vec![
        Value::text(database),
        Value::text(table),
        Value::text(""),
        Value::text(column),
        Value::text(entry.principal.name()),
        Value::text(entry.principal.kind().as_str()),
        Value::text(privilege(context.book(), entry)),
        Value::Boolean(entry.grant_option.is_with()),
        Value::Number(entry.created_at.0),
        Value::text(grantor),
    ]
}

/// Database, table and column. What is neither stands in the place of the database, as Sentry has it for
/// addresses.
fn parts(book: BookName, scope: &Scope) -> [String; 3] {
    let none = String::new;
    match scope {
        Scope::Server if book == BookName::Sentry => ["*".to_owned(), none(), none()],
        Scope::Server => [none(), none(), none()],
        Scope::Database(database) => [database.to_string(), none(), none()],
        Scope::Table { database, table } => [database.to_string(), table.to_string(), none()],
        Scope::Column { database, table, column } => {
            [database.to_string(), table.to_string(), column.to_string()]
        }
        Scope::Uri(uri) => [uri.to_string(), none(), none()],
        other => [other.to_string(), none(), none()],
    }
}

/// Sentry's word for ALL is `*`. A denial says so.
fn privilege(book: BookName, entry: &Entry) -> String {
    let text = match entry.privileges {
        privileges if privileges.is_all() && book == BookName::Sentry => "*".to_owned(),
        privileges => rest(privileges),
    };
    match entry.effect {
        Effect::Grant => text,
        Effect::Deny => format!("DENY {text}"),
    }
}

/// What is left of ALL is told by what is gone.
fn rest(privileges: Privileges) -> String {
    let gone = Privileges::ALL.without(privileges);
    let is_rest = !privileges.is_all() && gone.iter().collect::<Privileges>() == gone;
    if is_rest { format!("ALL EXCEPT {gone}") } else { privileges.to_string() }
}
