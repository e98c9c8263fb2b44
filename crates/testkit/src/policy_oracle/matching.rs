//! What stands around what: names, addresses, tags, scopes.

use guardbee_model::{Name, TableName};
use guardbee_policy::{NamePattern, Resource, Scope, Uri};

use super::World;

/// A `*` stands for any characters, none included; everything else for itself.
#[must_use]
pub fn name_matches(pattern: &str, name: &str) -> bool {
    match_characters(pattern.as_bytes(), name.as_bytes())
}

fn match_characters(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern.split_first(), name.split_first()) {
        (None, None) => true,
        (None, Some(_)) => false,
        (Some((b'*', rest)), None) => match_characters(rest, name),
        (Some((b'*', rest)), Some((_, behind))) => {
            match_characters(rest, name) || match_characters(pattern, behind)
        }
        (Some(_), None) => false,
        (Some((wanted, rest)), Some((found, behind))) => wanted == found && match_characters(rest, behind),
    }
}

fn matches(pattern: &NamePattern, name: &Name) -> bool {
    name_matches(pattern.as_str(), name.as_str())
}

/// The place itself, or one that its path goes on to: component by component, so that `/data` does not hold
/// `/data2`.
#[must_use]
pub fn place_holds(outer: &Uri, inner: &Uri) -> bool {
    let outer: Vec<&str> = outer.key().split('/').collect();
    let inner: Vec<&str> = inner.key().split('/').collect();
    inner.len() >= outer.len() && inner[..outer.len()] == outer[..]
}

/// Is `inner` the resource `outer` or something in it? server > database > table > column; a database holds
/// its permanent functions, a directory what is beneath it, the server everything.
#[must_use]
pub fn encloses(outer: &Resource, inner: &Resource) -> bool {
    match (outer, inner) {
        (Resource::Server, _) => true,
        (Resource::Database(database), _) => database_of(inner) == Some(database),
        (Resource::Table(table), _) => table_of(inner) == Some(table),
        (Resource::Uri(outer), Resource::Uri(inner)) => place_holds(outer, inner),
        _ => outer == inner,
    }
}

/// The database that a database, table, column or function is or lies in.
fn database_of(resource: &Resource) -> Option<&Name> {
    match resource {
        Resource::Database(database) => Some(database),
        Resource::Function { database, .. } => database.as_ref(),
        _ => table_of(resource).map(|table| &table.database),
    }
}

/// The table that a table or column is or lies in.
pub(super) const fn table_of(resource: &Resource) -> Option<&TableName> {
    match resource {
        Resource::Table(table) => Some(table),
        Resource::Column(column) => Some(&column.table),
        _ => None,
    }
}

/// Does the resource, or something around it, carry the tag (with the value, where one is asked for)?
#[must_use]
pub fn carries(world: &World, resource: &Resource, tag: &Name, value: Option<&str>) -> bool {
    world.assignments.iter().any(|assignment| {
        assignment.tag == *tag
            && (value.is_none() || assignment.value.as_deref() == value)
            && encloses(&assignment.resource, resource)
    })
}

/// Does the scope stand at the resource or around it?
#[must_use]
pub fn scope_covers(world: &World, scope: &Scope, resource: &Resource) -> bool {
    match scope {
        Scope::Server => true,
        Scope::Database(pattern) => database_of(resource).is_some_and(|name| matches(pattern, name)),
        Scope::Table { database, table } => table_of(resource)
            .is_some_and(|name| matches(database, &name.database) && matches(table, &name.table)),
        Scope::Column { database, table, column } => match resource {
            Resource::Column(name) => {
                matches(database, &name.table.database)
                    && matches(table, &name.table.table)
                    && matches(column, &name.column)
            }
            _ => false,
        },
        Scope::Uri(place) => match resource {
            Resource::Uri(asked) => place_holds(place, asked),
            _ => false,
        },
        Scope::Function { database, function } => match resource {
            Resource::Function { database: Some(of), function: name } => {
                matches(database, of) && matches(function, name)
            }
            _ => false,
        },
        Scope::Connector(pattern) => match resource {
            Resource::Connector(name) => matches(pattern, name),
            _ => false,
        },
        Scope::Tag { tag, value } => carries(world, resource, tag, value.as_deref()),
    }
}

/// Does the scope stand at an address, or at something tagged at an address, that whoever is at the resource may
/// come to: beneath it, or around it, patterns in the path taken for whatever they may stand for?
#[must_use]
pub fn scope_reached(world: &World, scope: &Scope, resource: &Resource) -> bool {
    let Resource::Uri(asked) = resource else { return false };
    match scope {
        Scope::Uri(place) => place_reached(asked, place),
        Scope::Tag { tag, value } => world.assignments.iter().any(|assignment| {
            assignment.tag == *tag
                && (value.is_none() || assignment.value == *value)
                && matches!(&assignment.resource, Resource::Uri(place) if place_reached(asked, place))
        }),
        _ => false,
    }
}

/// Component by component, as far as both go.
fn place_reached(asked: &Uri, place: &Uri) -> bool {
    asked.key().split('/').zip(place.key().split('/')).all(|(asked, name)| file_name_matches(asked, name))
}

/// `*` any characters, `?` any one, `{a,b}` either; the worlds here have no other patterns.
#[must_use]
pub fn file_name_matches(pattern: &str, name: &str) -> bool {
    let Some(first) = pattern.chars().next() else { return name.is_empty() };
    let rest = &pattern[first.len_utf8()..];
    let without_first = |name: &str| name.chars().next().map(|first| name[first.len_utf8()..].to_owned());
    match first {
        '{' => {
            let (alternatives, rest) = rest.split_once('}').expect("braces are closed");
            alternatives
                .split(',')
                .any(|alternative| file_name_matches(&format!("{alternative}{rest}"), name))
        }
        '*' => {
            file_name_matches(rest, name)
                || without_first(name).is_some_and(|behind| file_name_matches(pattern, &behind))
        }
        '?' => without_first(name).is_some_and(|behind| file_name_matches(rest, &behind)),
        other => name.strip_prefix(other).is_some_and(|behind| file_name_matches(rest, behind)),
    }
}

/// Does the scope stand at something inside the resource?
#[must_use]
pub fn scope_inside(world: &World, scope: &Scope, resource: &Resource) -> bool {
    match (resource, scope) {
        (_, Scope::Tag { tag, value }) => world.assignments.iter().any(|assignment| {
            assignment.tag == *tag
                && (value.is_none() || assignment.value == *value)
                && encloses(resource, &assignment.resource)
        }),
        (Resource::Server, _) => true,
        (
            Resource::Database(name),
            Scope::Table { database, .. } | Scope::Column { database, .. } | Scope::Function { database, .. },
        ) => matches(database, name),
        (Resource::Table(name), Scope::Column { database, table, .. }) => {
            matches(database, &name.database) && matches(table, &name.table)
        }
        (Resource::Uri(place), Scope::Uri(beneath)) => place_holds(place, beneath),
        _ => false,
    }
}
