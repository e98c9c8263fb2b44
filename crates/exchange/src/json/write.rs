//! From the contents of a policy to the shape.

use guardbee_policy::{
    DataPolicy, DataRule, Effect, Entry, Principal, PrincipalKind, Privilege, Privileges, Resource, Scope,
    Settings,
};

use super::wire::{
    JsonDataPolicy, JsonDataRule, JsonEffect, JsonEntry, JsonMembership, JsonOwner, JsonPolicy,
    JsonPrincipal, JsonPrincipalKind, JsonResource, JsonRole, JsonScope, JsonTag, JsonTagAssignment, VERSION,
};
use crate::Contents;

pub(super) fn document(contents: &Contents) -> JsonPolicy {
    let default = Settings::default();
    let settings = contents.settings.keys().filter_map(|key| {
        let value = contents.settings.get(key)?;
        (default.get(key).as_ref() != Some(&value)).then(|| (key.to_owned(), value.to_string()))
    });
    JsonPolicy {
        version: VERSION,
        settings: settings.collect(),
        roles: contents
            .roles
            .values()
            .filter(|role| !matches!(role.name.as_str(), "public" | "admin"))
            .map(|role| JsonRole {
                name: role.name.to_string(),
                created_by: role.created_by.as_ref().map(ToString::to_string),
                created_at: role.created_at.0,
            })
            .collect(),
        memberships: contents
            .memberships
            .values()
            .map(|membership| JsonMembership {
                role: membership.role.to_string(),
                member: principal(&membership.member),
                admin_option: membership.admin_option.is_with(),
                grantor: membership.grantor.as_ref().map(principal),
                created_at: membership.created_at.0,
            })
            .collect(),
        entries: contents.entries.values().map(entry).collect(),
        tags: contents
            .tags
            .values()
            .map(|tag| JsonTag {
                name: tag.name.to_string(),
                allowed_values: tag.allowed_values.iter().map(ToString::to_string).collect(),
                comment: tag.comment.as_deref().map(str::to_owned),
                created_by: tag.created_by.as_ref().map(ToString::to_string),
                created_at: tag.created_at.0,
            })
            .collect(),
        tag_assignments: contents
            .tag_assignments
            .values()
            .map(|assignment| JsonTagAssignment {
                tag: assignment.tag.to_string(),
                value: assignment.value.as_ref().map(ToString::to_string),
                resource: resource(&assignment.resource),
            })
            .collect(),
        data_policies: contents.data_policies.values().map(data_policy).collect(),
        owners: contents
            .owners
            .values()
            .map(|ownership| JsonOwner {
                resource: resource(&ownership.resource),
                owner: principal(&ownership.owner),
            })
            .collect(),
    }
}

fn entry(entry: &Entry) -> JsonEntry {
    let (privileges, without) = privileges(entry.privileges);
    JsonEntry {
        id: Some(entry.id.0),
        effect: match entry.effect {
            Effect::Grant => JsonEffect::Grant,
            Effect::Deny => JsonEffect::Deny,
        },
        principal: principal(&entry.principal),
        except: entry.except.iter().map(principal).collect(),
        privileges,
        without,
        scope: scope(&entry.scope),
        grant_option: entry.grant_option.is_with(),
        grantor: entry.grantor.as_ref().map(principal),
        created_at: entry.created_at.0,
        from: entry.validity.from.map(|from| from.0),
        until: entry.validity.until.map(|until| until.0),
        purpose: entry.purpose.as_deref().map(str::to_owned),
    }
}

/// The words of a set. One that has privileges which only a later version knows is all but some.
fn privileges(privileges: Privileges) -> (Vec<String>, Vec<String>) {
    let words = |privileges: Privileges| privileges.iter().map(|privilege| privilege.to_string()).collect();
    let known: Privileges = Privilege::EACH.iter().copied().collect();
    if privileges.without(known).is_empty() {
        return (words(privileges), Vec::new());
    }
    (vec![Privileges::ALL.to_string()], words(Privileges::ALL.without(privileges)))
}

fn principal(principal: &Principal) -> JsonPrincipal {
    let kind = match principal.kind() {
        PrincipalKind::User => JsonPrincipalKind::User,
        PrincipalKind::Group => JsonPrincipalKind::Group,
        PrincipalKind::Role => JsonPrincipalKind::Role,
    };
    JsonPrincipal { kind, name: principal.name().to_owned() }
}

fn scope(scope: &Scope) -> JsonScope {
    match scope {
        Scope::Server => JsonScope::Server,
        Scope::Database(database) => JsonScope::Database { database: database.to_string() },
        Scope::Table { database, table } => {
            JsonScope::Table { database: database.to_string(), table: table.to_string() }
        }
        Scope::Column { database, table, column } => JsonScope::Column {
            database: database.to_string(),
            table: table.to_string(),
            column: column.to_string(),
        },
        Scope::Uri(uri) => JsonScope::Uri { uri: uri.to_string() },
        Scope::Function { database, function } => {
            JsonScope::Function { database: database.to_string(), function: function.to_string() }
        }
        Scope::Connector(connector) => JsonScope::Connector { connector: connector.to_string() },
        Scope::Tag { tag, value } => {
            JsonScope::Tag { tag: tag.to_string(), value: value.as_ref().map(ToString::to_string) }
        }
    }
}

fn resource(resource: &Resource) -> JsonResource {
    match resource {
        Resource::Server => JsonResource::Server,
        Resource::Database(database) => JsonResource::Database { database: database.to_string() },
        Resource::Table(name) => {
            JsonResource::Table { database: name.database.to_string(), table: name.table.to_string() }
        }
        Resource::Column(name) => JsonResource::Column {
            database: name.table.database.to_string(),
            table: name.table.table.to_string(),
            column: name.column.to_string(),
        },
        Resource::Uri(uri) => JsonResource::Uri { uri: uri.to_string() },
        Resource::Function { database, function } => JsonResource::Function {
            database: database.as_ref().map(ToString::to_string),
            function: function.to_string(),
        },
        Resource::Connector(connector) => JsonResource::Connector { connector: connector.to_string() },
        Resource::Service(service) => JsonResource::Service { service: service.to_string() },
    }
}

fn data_policy(policy: &DataPolicy) -> JsonDataPolicy {
    JsonDataPolicy {
        name: policy.name.to_string(),
        rule: match policy.rule {
            DataRule::RowFilter => JsonDataRule::RowFilter,
            DataRule::ColumnMask => JsonDataRule::ColumnMask,
        },
        scope: scope(&policy.scope),
        expression: policy.expression.to_string(),
        principals: policy.principals.iter().map(principal).collect(),
        except: policy.except.iter().map(principal).collect(),
        disabled: policy.state == guardbee_policy::PolicyState::Disabled,
        created_by: policy.created_by.as_ref().map(ToString::to_string),
        created_at: policy.created_at.0,
    }
}
