//! What privileges, tags and data policies stand on: from the words of a statement to scopes and resources.

use guardbee_analysis::effects::FunctionName;
use guardbee_hiveql::tree::{Identifier, PrivilegeObject, QualifiedName};
use guardbee_model::{ColumnName, Name};
use guardbee_policy::{NamePattern, Resource, Scope, Uri};
use smol_str::SmolStr;

use super::{Context, Refusal};
use crate::engine::Completeness;
use crate::named::table_name;

/// Where an entry stands. The object need not be there: see [`must_exist`].
pub(super) fn scope(context: Context<'_>, object: Option<&PrivilegeObject<'_>>) -> Result<Scope, Refusal> {
    let Some(object) = object else { return Ok(Scope::Server) };
    match object {
        PrivilegeObject::Table { partition: Some(_), .. } => Err(Refusal::error(
            "unsupported-object",
            "privileges cannot stand on a partition; grant them on the table",
        )),
        PrivilegeObject::Table { name, .. } | PrivilegeObject::View(name) => table(context, name),
        PrivilegeObject::Database(name) | PrivilegeObject::AllInDatabase(name) => {
            Ok(Scope::Database(pattern(context, *name)?))
        }
        PrivilegeObject::AllInCurrentDatabase => Ok(Scope::Database(context.database.clone().into())),
        PrivilegeObject::Everything => Ok(Scope::Server),
        PrivilegeObject::AllTablesIn(name) => {
            Ok(Scope::Table { database: pattern(context, *name)?, table: NamePattern::any() })
        }
        PrivilegeObject::Uri(uri) => address(context, &uri.value()).map(Scope::Uri),
        PrivilegeObject::Server(name) => server(context, *name),
        PrivilegeObject::Function(name) => {
            let database = match name.database {
                Some(database) => pattern(context, database)?,
                None => context.database.clone().into(),
            };
            Ok(Scope::Function { database, function: pattern(context, name.name)? })
        }
        PrivilegeObject::DataConnector(name) => Ok(Scope::Connector(pattern(context, *name)?)),
        PrivilegeObject::Tag { name, value } => {
            tag(context, *name, value.map(|value| SmolStr::new(value.value())))
        }
        PrivilegeObject::Column { table: name, column } => {
            column_of(&table(context, name)?, pattern(context, *column)?)
        }
    }
}

/// The scopes of some columns of a table.
pub(super) fn columns(
    context: Context<'_>,
    scope: &Scope,
    columns: &[Identifier<'_>],
) -> Result<Vec<Scope>, Refusal> {
    columns.iter().map(|column| column_of(scope, pattern(context, *column)?)).collect()
}

fn column_of(scope: &Scope, column: NamePattern) -> Result<Scope, Refusal> {
    match scope {
        Scope::Table { database, table } => {
            Ok(Scope::Column { database: database.clone(), table: table.clone(), column })
        }
        other => Err(Refusal::error("unsupported-object", format!("{other} has no columns"))),
    }
}

fn table(context: Context<'_>, name: &QualifiedName<'_>) -> Result<Scope, Refusal> {
    if name.meta.is_some() {
        return Err(Refusal::error("unsupported-object", "a table's name has two parts at most"));
    }
    let database = match name.database {
        Some(database) => pattern(context, database)?,
        None => context.database.clone().into(),
    };
    Ok(Scope::Table { database, table: pattern(context, name.name)? })
}

/// A name; in backticks a `*` in it stands for any characters.
fn pattern(context: Context<'_>, identifier: Identifier<'_>) -> Result<NamePattern, Refusal> {
    let pattern = NamePattern::from(identifier.name());
    if pattern.as_str().trim().is_empty() {
        return Err(Refusal::error("malformed-name", "a name cannot be empty"));
    }
    if context.is_strict() && !pattern.is_literal() {
        let message = format!("`{pattern}`: the rule book {} has no patterns", context.book().as_str());
        return Err(Refusal::error("unsupported-object", message));
    }
    Ok(pattern)
}

fn address(context: Context<'_>, text: &str) -> Result<Uri, Refusal> {
    Uri::granted(text, &context.settings().default_file_system)
        .map_err(|error| Refusal::error("malformed-address", format!("`{text}`: {error}")))
}

fn server(context: Context<'_>, name: Identifier<'_>) -> Result<Scope, Refusal> {
    let server = &context.settings().server;
    if name.value().eq_ignore_ascii_case(server) {
        return Ok(Scope::Server);
    }
    let message = format!("there is no server `{}`; this one is `{server}`", name.value());
    Err(Refusal::error("unknown-server", message))
}

fn tag(context: Context<'_>, name: Identifier<'_>, value: Option<SmolStr>) -> Result<Scope, Refusal> {
    let tag = must_be_tag(context, name)?;
    let allowed = context.policy.tag(&tag).map(|tag| tag.allowed_values.clone()).unwrap_or_default();
    match value {
        Some(value) if !allowed.is_empty() && !allowed.contains(&value) => {
            Err(Refusal::error("tag-value", format!("the tag `{tag}` cannot have the value `{value}`")))
        }
        value => Ok(Scope::Tag { tag, value }),
    }
}

pub(super) fn must_be_tag(context: Context<'_>, identifier: Identifier<'_>) -> Result<Name, Refusal> {
    let name = identifier.name();
    match context.policy.tag(&name) {
        Some(_) => Ok(name),
        None => Err(Refusal::error("unknown-tag", format!("there is no tag `{name}`"))),
    }
}

/// Does the catalog have what the scope stands on? Of patterns and of what no catalog knows nothing is asked.
pub(super) fn must_exist(context: Context<'_>, scope: &Scope) -> Result<(), Refusal> {
    if context.completeness == Completeness::Partial {
        return Ok(());
    }
    let unknown = |what: &str, name: &dyn std::fmt::Display| {
        Err(Refusal::error("unknown-object", format!("there is no {what} `{name}`")))
    };
    match scope {
        Scope::Database(database) => match database.literal() {
            Some(name) if context.catalog.database(name).is_none() => unknown("database", name),
            _ => Ok(()),
        },
        Scope::Table { database, table } => {
            let (Some(home), Some(name)) = (database.literal(), table.literal()) else {
                return must_exist(context, &Scope::Database(database.clone()));
            };
            match context.catalog.table(home, name) {
                None => unknown("table", &format_args!("{home}.{name}")),
                Some(_) => Ok(()),
            }
        }
        Scope::Column { database, table, column } => {
            must_exist(context, &Scope::Table { database: database.clone(), table: table.clone() })?;
            let (Some(home), Some(name), Some(column)) =
                (database.literal(), table.literal(), column.literal())
            else {
                return Ok(());
            };
            match context.catalog.table(home, name) {
                Some(table) if table.column(column).is_none() => {
                    unknown("column", &format_args!("{home}.{name}.{column}"))
                }
                _ => Ok(()),
            }
        }
        Scope::Function { database, function } => {
            let (Some(home), Some(name)) = (database.literal(), function.literal()) else { return Ok(()) };
            let function = FunctionName { database: Some(home.clone()), name: name.clone() };
            match context.catalog.function(&function) {
                None => unknown("function", &function),
                Some(_) => Ok(()),
            }
        }
        Scope::Server | Scope::Uri(_) | Scope::Connector(_) | Scope::Tag { .. } => Ok(()),
    }
}

/// The one thing that a tag is put on.
pub(super) fn resource(context: Context<'_>, object: &PrivilegeObject<'_>) -> Result<Resource, Refusal> {
    let unsupported =
        |what: &str| Err(Refusal::error("unsupported-object", format!("a tag cannot stand on {what}")));
    let scope = scope(context, Some(object))?;
    must_exist(context, &scope)?;
    match (&scope, object) {
        (Scope::Tag { .. }, _) => return unsupported("a tag"),
        (_, PrivilegeObject::AllInCurrentDatabase | PrivilegeObject::Everything) => {
            return unsupported("`*`; name the database or the server");
        }
        (_, PrivilegeObject::Column { table, column }) => {
            let table = table_name(table, context.database);
            return Ok(Resource::Column(ColumnName::new(table, column.name())));
        }
        _ => {}
    }
    match super::who_may::resource_of(&scope) {
        Some((resource, _)) => Ok(resource),
        None => unsupported("a name with `*`"),
    }
}
