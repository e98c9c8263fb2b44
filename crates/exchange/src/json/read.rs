//! From the shape to the steps that build the policy.

use std::sync::Arc;

use guardbee_model::{ColumnName, Name, TableName};
use guardbee_policy::{
    Change, DataPolicy, DataRule, Effect, Entry, EntryId, GrantOption, Membership, NamePattern, Ownership,
    PolicyState, Principal, Privilege, Privileges, Resource, Role, Scope, Tag, TagAssignment, Timestamp, Uri,
    UriError, Validity,
};
use smol_str::SmolStr;

use super::wire::{
    JsonDataPolicy, JsonDataRule, JsonEffect, JsonEntry, JsonPolicy, JsonPrincipal, JsonPrincipalKind,
    JsonResource, JsonScope, JsonTag,
};
use crate::{EntryIds, Report, ReportLine, Stamp};

/// The steps of a policy. What is wrong is reported by where it stands in the document, as in `entries[3]`.
pub(super) fn changes(
    document: JsonPolicy,
    default_file_system: &str,
    stamp: &Stamp,
    report: &mut Report,
) -> Vec<Change> {
    let mut reader = Reader { default_file_system, report, changes: Vec::new() };
    let settings = document.settings.into_iter();
    reader.changes.extend(
        settings
            .map(|(key, value)| Change::PutSetting { key: SmolStr::from(key), value: SmolStr::from(value) }),
    );
    reader.changes.extend(document.roles.into_iter().map(|role| {
        Change::PutRole(Role {
            name: Name::fold(&role.name),
            created_by: role.created_by.map(SmolStr::from),
            created_at: Timestamp(role.created_at),
        })
    }));
    reader.changes.extend(document.tags.into_iter().map(tag));
    reader.changes.extend(document.memberships.into_iter().map(|membership| {
        Change::PutMembership(Membership {
            role: Name::fold(&membership.role),
            member: principal(membership.member),
            admin_option: option(membership.admin_option),
            grantor: membership.grantor.map(principal),
            created_at: Timestamp(membership.created_at),
        })
    }));
    reader.entries(document.entries, stamp);
    for (at, assignment) in document.tag_assignments.into_iter().enumerate() {
        let Some(resource) = reader.resource(assignment.resource, &format!("tag_assignments[{at}]")) else {
            continue;
        };
        let (tag, value) = (Name::fold(&assignment.tag), assignment.value.map(SmolStr::from));
        reader.changes.push(Change::PutTagAssignment(TagAssignment { tag, value, resource }));
    }
    for (at, policy) in document.data_policies.into_iter().enumerate() {
        reader.data_policy(policy, &format!("data_policies[{at}]"));
    }
    for (at, owner) in document.owners.into_iter().enumerate() {
        let Some(resource) = reader.resource(owner.resource, &format!("owners[{at}]")) else { continue };
        reader.changes.push(Change::PutOwner(Ownership { resource, owner: principal(owner.owner) }));
    }
    reader.changes
}

struct Reader<'r> {
    default_file_system: &'r str,
    report: &'r mut Report,
    changes: Vec<Change>,
}

impl Reader<'_> {
    fn error(&mut self, place: &str, code: &'static str, message: &str) {
        self.report.push(ReportLine::error(code, format!("{place}: {message}")));
    }

    fn entries(&mut self, entries: Vec<JsonEntry>, stamp: &Stamp) {
        let mut taken: Vec<u64> = entries.iter().filter_map(|entry| entry.id).collect();
        taken.sort_unstable();
        if let Some(pair) = taken.windows(2).find(|pair| pair.first() == pair.last()) {
            let id = pair.first().copied().unwrap_or_default();
            self.error("entries", "repeated-id", &format!("two have the id {id}"));
        }
        let first = taken.last().map_or(stamp.first_entry, |last| EntryId(last.saturating_add(1)));
        let mut ids = EntryIds::from(first.max(stamp.first_entry));
        for (at, entry) in entries.into_iter().enumerate() {
            let place = format!("entries[{at}]");
            let privileges = self.privileges(&entry, &place);
            let scope = self.scope(entry.scope, &place);
            let (Some(privileges), Some(scope)) = (privileges, scope) else { continue };
            self.changes.push(Change::PutEntry(Entry {
                id: entry.id.map_or_else(|| ids.next_id(), EntryId),
                effect: match entry.effect {
                    JsonEffect::Grant => Effect::Grant,
                    JsonEffect::Deny => Effect::Deny,
                },
                principal: principal(entry.principal),
                except: entry.except.into_iter().map(principal).collect(),
                privileges,
                scope,
                grant_option: option(entry.grant_option),
                grantor: entry.grantor.map(principal),
                created_at: Timestamp(entry.created_at),
                validity: Validity { from: entry.from.map(Timestamp), until: entry.until.map(Timestamp) },
                purpose: entry.purpose.map(Arc::from),
            }));
        }
    }

    fn privileges(&mut self, entry: &JsonEntry, place: &str) -> Option<Privileges> {
        let mut sets = [Privileges::NONE; 2];
        for (words, set) in [&entry.privileges, &entry.without].into_iter().zip(&mut sets) {
            for word in words {
                let Some(privileges) = privileges_of(word) else {
                    self.error(place, "unknown-privilege", &format!("there is no privilege `{word}`"));
                    return None;
                };
                *set = set.union(privileges);
            }
        }
        let [privileges, without] = sets;
        if !without.is_empty() && !privileges.is_all() {
            self.error(place, "without", "`without` needs `ALL` to take from");
            return None;
        }
        Some(privileges.without(without))
    }

    fn uri(&mut self, text: &str, place: &str) -> Option<Uri> {
        let uri: Result<Uri, UriError> = Uri::granted(text, self.default_file_system);
        match uri {
            Ok(uri) => Some(uri),
            Err(error) => {
                self.error(place, "bad-uri", &format!("`{text}`: {error}"));
                None
            }
        }
    }

    fn scope(&mut self, scope: JsonScope, place: &str) -> Option<Scope> {
        let pattern = |text: String| NamePattern::fold(&text);
        Some(match scope {
            JsonScope::Server => Scope::Server,
            JsonScope::Database { database } => Scope::Database(pattern(database)),
            JsonScope::Table { database, table } => {
                Scope::Table { database: pattern(database), table: pattern(table) }
            }
            JsonScope::Column { database, table, column } => {
                Scope::Column { database: pattern(database), table: pattern(table), column: pattern(column) }
            }
            JsonScope::Uri { uri } => Scope::Uri(self.uri(&uri, place)?),
            JsonScope::Function { database, function } => {
                Scope::Function { database: pattern(database), function: pattern(function) }
            }
            JsonScope::Connector { connector } => Scope::Connector(pattern(connector)),
            JsonScope::Tag { tag, value } => {
                Scope::Tag { tag: Name::fold(&tag), value: value.map(SmolStr::from) }
            }
        })
    }

    fn resource(&mut self, resource: JsonResource, place: &str) -> Option<Resource> {
        let name = |text: String| Name::fold(&text);
        Some(match resource {
            JsonResource::Server => Resource::Server,
            JsonResource::Database { database } => Resource::Database(name(database)),
            JsonResource::Table { database, table } => {
                Resource::Table(TableName::new(name(database), name(table)))
            }
            JsonResource::Column { database, table, column } => {
                let table = TableName::new(name(database), name(table));
                Resource::Column(ColumnName::new(table, name(column)))
            }
            JsonResource::Uri { uri } => Resource::Uri(self.uri(&uri, place)?),
            JsonResource::Function { database, function } => {
                Resource::Function { database: database.map(name), function: name(function) }
            }
            JsonResource::Connector { connector } => Resource::Connector(name(connector)),
            JsonResource::Service { service } => Resource::Service(name(service)),
        })
    }

    fn data_policy(&mut self, policy: JsonDataPolicy, place: &str) {
        let Some(scope) = self.scope(policy.scope, place) else { return };
        self.changes.push(Change::PutDataPolicy(DataPolicy {
            name: Name::fold(&policy.name),
            rule: match policy.rule {
                JsonDataRule::RowFilter => DataRule::RowFilter,
                JsonDataRule::ColumnMask => DataRule::ColumnMask,
            },
            scope,
            expression: Arc::from(policy.expression),
            principals: policy.principals.into_iter().map(principal).collect(),
            except: policy.except.into_iter().map(principal).collect(),
            state: if policy.disabled { PolicyState::Disabled } else { PolicyState::Enabled },
            created_by: policy.created_by.map(SmolStr::from),
            created_at: Timestamp(policy.created_at),
        }));
    }
}

fn tag(tag: JsonTag) -> Change {
    Change::PutTag(Tag {
        name: Name::fold(&tag.name),
        allowed_values: tag.allowed_values.into_iter().map(SmolStr::from).collect(),
        comment: tag.comment.map(Arc::from),
        created_by: tag.created_by.map(SmolStr::from),
        created_at: Timestamp(tag.created_at),
    })
}

fn privileges_of(word: &str) -> Option<Privileges> {
    if word.eq_ignore_ascii_case("ALL") {
        return Some(Privileges::ALL);
    }
    let known = Privilege::EACH.iter().find(|privilege| privilege.as_str().eq_ignore_ascii_case(word));
    known.copied().map(Privileges::of)
}

fn principal(principal: JsonPrincipal) -> Principal {
    match principal.kind {
        JsonPrincipalKind::User => Principal::user(principal.name),
        JsonPrincipalKind::Group => Principal::group(principal.name),
        JsonPrincipalKind::Role => Principal::role(principal.name),
    }
}

const fn option(is_with: bool) -> GrantOption {
    if is_with { GrantOption::With } else { GrantOption::Without }
}
