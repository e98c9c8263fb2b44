//! What policies are made of, as columns, and back.

use std::sync::Arc;

use guardbee_model::{ColumnName, Name, TableName};
use guardbee_policy::{
    Change, DataPolicy, DataRule, Effect, Entry, EntryId, GrantOption, Membership, NamePattern, Ownership,
    PolicyState, Principal, Privileges, Resource, Role, Scope, Tag, TagAssignment, Timestamp, Uri, Validity,
};
use smol_str::{SmolStr, format_smolstr};

use crate::rows::{Kind, Table, Value};

/// A column's value that stands on its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    Null(Kind),
    Integer(i64),
    Text(SmolStr),
}

impl Cell {
    pub fn value(&self) -> Value<'_> {
        match self {
            Self::Null(kind) => Value::Null(*kind),
            Self::Integer(number) => Value::Integer(*number),
            Self::Text(text) => Value::Text(text),
        }
    }
}

/// What a step does to the row of its key.
pub enum Action {
    Put,
    Remove,
}

/// The table that a step is about, and what it does there.
pub const fn target(change: &Change) -> (Table, Action) {
    use Action::{Put, Remove};
    match change {
        Change::PutRole(_) => (Table::Roles, Put),
        Change::RemoveRole(_) => (Table::Roles, Remove),
        Change::PutMembership(_) => (Table::Memberships, Put),
        Change::RemoveMembership { .. } => (Table::Memberships, Remove),
        Change::PutEntry(_) => (Table::Entries, Put),
        Change::RemoveEntry(_) => (Table::Entries, Remove),
        Change::PutDataPolicy(_) => (Table::DataPolicies, Put),
        Change::RemoveDataPolicy { .. } => (Table::DataPolicies, Remove),
        Change::PutTag(_) => (Table::Tags, Put),
        Change::RemoveTag(_) => (Table::Tags, Remove),
        Change::PutTagAssignment(_) => (Table::TagAssignments, Put),
        Change::RemoveTagAssignment { .. } => (Table::TagAssignments, Remove),
        Change::PutOwner(_) => (Table::Owners, Put),
        Change::RemoveOwner(_) => (Table::Owners, Remove),
        Change::PutSetting { .. } => (Table::Settings, Put),
        Change::RemoveSetting(_) => (Table::Settings, Remove),
    }
}

/// The key of the row that a step is about.
pub fn key(change: &Change) -> Vec<Cell> {
    match change {
        Change::PutRole(Role { name, .. }) | Change::RemoveRole(name) => vec![text(name)],
        Change::PutMembership(Membership { role, member, .. })
        | Change::RemoveMembership { role, member } => {
            vec![text(role), principal(member)]
        }
        Change::PutEntry(Entry { id, .. }) | Change::RemoveEntry(id) => vec![integer(id.0)],
        Change::PutDataPolicy(DataPolicy { rule, name, .. }) | Change::RemoveDataPolicy { rule, name } => {
            vec![rule_word(*rule), text(name)]
        }
        Change::PutTag(Tag { name, .. }) | Change::RemoveTag(name) => vec![text(name)],
        Change::PutTagAssignment(TagAssignment { tag, resource: of, .. })
        | Change::RemoveTagAssignment { tag, resource: of } => {
            let mut cells = vec![text(tag)];
            cells.extend(resource(of));
            cells
        }
        Change::PutOwner(Ownership { resource: of, .. }) | Change::RemoveOwner(of) => resource(of).into(),
        Change::PutSetting { key, .. } | Change::RemoveSetting(key) => vec![text(key)],
    }
}

/// The columns behind the key that a step puts; none of a step that removes.
pub fn values(change: &Change) -> Option<Vec<Cell>> {
    Some(match change {
        Change::PutRole(role) => vec![optional(role.created_by.as_deref()), time(role.created_at)],
        Change::PutMembership(membership) => vec![
            option(membership.admin_option),
            optional_principal(membership.grantor.as_ref()),
            time(membership.created_at),
        ],
        Change::PutEntry(entry) => entry_values(entry),
        Change::PutDataPolicy(policy) => data_policy_values(policy),
        Change::PutTag(tag) => vec![
            list(tag.allowed_values.iter().map(SmolStr::as_str)),
            optional(tag.comment.as_deref()),
            optional(tag.created_by.as_deref()),
            time(tag.created_at),
        ],
        Change::PutTagAssignment(assignment) => vec![optional(assignment.value.as_deref())],
        Change::PutOwner(ownership) => vec![principal(&ownership.owner)],
        Change::PutSetting { value, .. } => vec![text(value)],
        Change::RemoveRole(_)
        | Change::RemoveMembership { .. }
        | Change::RemoveEntry(_)
        | Change::RemoveDataPolicy { .. }
        | Change::RemoveTag(_)
        | Change::RemoveTagAssignment { .. }
        | Change::RemoveOwner(_)
        | Change::RemoveSetting(_) => return None,
    })
}

/// The step that puts a row; none where no step writes such a row.
pub fn put(table: Table, row: &[Value<'_>]) -> Option<Change> {
    let mut row = Reader(row.iter());
    Some(match table {
        Table::Settings => Change::PutSetting { key: row.text()?.into(), value: row.text()?.into() },
        Table::Roles => Change::PutRole(Role {
            name: row.name()?,
            created_by: row.optional()?.map(SmolStr::new),
            created_at: row.time()?,
        }),
        Table::Tags => Change::PutTag(Tag {
            name: row.name()?,
            allowed_values: row.list()?.into_iter().map(SmolStr::from).collect(),
            comment: row.optional()?.map(Arc::from),
            created_by: row.optional()?.map(SmolStr::new),
            created_at: row.time()?,
        }),
        Table::Memberships => Change::PutMembership(Membership {
            role: row.name()?,
            member: row.principal()?,
            admin_option: row.option()?,
            grantor: row.optional_principal()?,
            created_at: row.time()?,
        }),
        Table::Entries => Change::PutEntry(read_entry(&mut row)?),
        Table::DataPolicies => Change::PutDataPolicy(DataPolicy {
            rule: row.rule()?,
            name: row.name()?,
            scope: row.scope()?,
            expression: row.text()?.into(),
            principals: row.principals()?,
            except: row.principals()?,
            state: if row.integer()? == 0 { PolicyState::Disabled } else { PolicyState::Enabled },
            created_by: row.optional()?.map(SmolStr::new),
            created_at: row.time()?,
        }),
        Table::TagAssignments => Change::PutTagAssignment(TagAssignment {
            tag: row.name()?,
            resource: row.resource()?,
            value: row.optional()?.map(SmolStr::new),
        }),
        Table::Owners => Change::PutOwner(Ownership { resource: row.resource()?, owner: row.principal()? }),
    })
}

/// The step that removes the row with a key.
pub fn remove(table: Table, key: &[Value<'_>]) -> Option<Change> {
    let mut key = Reader(key.iter());
    Some(match table {
        Table::Settings => Change::RemoveSetting(key.text()?.into()),
        Table::Roles => Change::RemoveRole(key.name()?),
        Table::Tags => Change::RemoveTag(key.name()?),
        Table::Memberships => Change::RemoveMembership { role: key.name()?, member: key.principal()? },
        Table::Entries => Change::RemoveEntry(key.id()?),
        Table::DataPolicies => Change::RemoveDataPolicy { rule: key.rule()?, name: key.name()? },
        Table::TagAssignments => Change::RemoveTagAssignment { tag: key.name()?, resource: key.resource()? },
        Table::Owners => Change::RemoveOwner(key.resource()?),
    })
}

fn entry_values(entry: &Entry) -> Vec<Cell> {
    let [scope, part_1, part_2, part_3] = scope(&entry.scope);
    vec![
        Cell::Text(SmolStr::new_static(match entry.effect {
            Effect::Grant => "grant",
            Effect::Deny => "deny",
        })),
        principal(&entry.principal),
        principals(&entry.except),
        integer(u64::from(entry.privileges.bits())),
        scope,
        part_1,
        part_2,
        part_3,
        option(entry.grant_option),
        optional_principal(entry.grantor.as_ref()),
        time(entry.created_at),
        optional_time(entry.validity.from),
        optional_time(entry.validity.until),
        optional(entry.purpose.as_deref()),
    ]
}

fn read_entry(row: &mut Reader<'_, '_>) -> Option<Entry> {
    Some(Entry {
        id: row.id()?,
        effect: match row.text()? {
            "grant" => Effect::Grant,
            "deny" => Effect::Deny,
            _ => return None,
        },
        principal: row.principal()?,
        except: row.principals()?,
        privileges: Privileges::from_bits(u32::try_from(row.integer()?).ok()?),
        scope: row.scope()?,
        grant_option: row.option()?,
        grantor: row.optional_principal()?,
        created_at: row.time()?,
        validity: Validity { from: row.optional_time()?, until: row.optional_time()? },
        purpose: row.optional()?.map(Arc::from),
    })
}

fn data_policy_values(policy: &DataPolicy) -> Vec<Cell> {
    let [scope, part_1, part_2, part_3] = scope(&policy.scope);
    vec![
        scope,
        part_1,
        part_2,
        part_3,
        text(&policy.expression),
        principals(&policy.principals),
        principals(&policy.except),
        Cell::Integer(match policy.state {
            PolicyState::Disabled => 0,
            PolicyState::Enabled => 1,
        }),
        optional(policy.created_by.as_deref()),
        time(policy.created_at),
    ]
}

fn text(text: &str) -> Cell {
    Cell::Text(SmolStr::new(text))
}

fn optional(of: Option<&str>) -> Cell {
    of.map_or(Cell::Null(Kind::Text), text)
}

fn integer(number: u64) -> Cell {
    Cell::Integer(number.cast_signed())
}

const fn time(at: Timestamp) -> Cell {
    Cell::Integer(at.0)
}

fn optional_time(at: Option<Timestamp>) -> Cell {
    at.map_or(Cell::Null(Kind::Integer), time)
}

const fn option(option: GrantOption) -> Cell {
    Cell::Integer(option.is_with() as i64)
}

const fn rule_word(rule: DataRule) -> Cell {
    Cell::Text(SmolStr::new_static(match rule {
        DataRule::RowFilter => "row filter",
        DataRule::ColumnMask => "column mask",
    }))
}

/// `user ana`, `group analysts`, `role reader`.
fn principal_text(principal: &Principal) -> SmolStr {
    match principal {
        Principal::User(name) => format_smolstr!("user {name}"),
        Principal::Group(name) => format_smolstr!("group {name}"),
        Principal::Role(name) => format_smolstr!("role {name}"),
    }
}

fn read_principal(text: &str) -> Option<Principal> {
    let (kind, name) = text.split_once(' ')?;
    match kind {
        "user" => Some(Principal::user(name)),
        "group" => Some(Principal::group(name)),
        "role" => Some(Principal::role(name)),
        _ => None,
    }
}

fn principal(principal: &Principal) -> Cell {
    Cell::Text(principal_text(principal))
}

fn optional_principal(of: Option<&Principal>) -> Cell {
    of.map_or(Cell::Null(Kind::Text), principal)
}

fn principals(principals: &[Principal]) -> Cell {
    let texts: Vec<SmolStr> = principals.iter().map(principal_text).collect();
    list(texts.iter().map(SmolStr::as_str))
}

/// A JSON list; nothing where it is empty.
fn list<'t>(texts: impl Iterator<Item = &'t str>) -> Cell {
    let texts: Vec<&str> = texts.collect();
    if texts.is_empty() {
        return Cell::Null(Kind::Text);
    }
    Cell::Text(SmolStr::from(serde_json::Value::from(texts).to_string()))
}

fn scope(scope: &Scope) -> [Cell; 4] {
    let word = |word: &'static str| Cell::Text(SmolStr::new_static(word));
    let none = || Cell::Null(Kind::Text);
    let pattern = |pattern: &NamePattern| text(pattern.as_str());
    match scope {
        Scope::Server => [word("server"), none(), none(), none()],
        Scope::Database(database) => [word("database"), pattern(database), none(), none()],
        Scope::Table { database, table } => [word("table"), pattern(database), pattern(table), none()],
        Scope::Column { database, table, column } => {
            [word("column"), pattern(database), pattern(table), pattern(column)]
        }
        Scope::Uri(uri) => [word("uri"), text(&uri.to_string()), none(), none()],
        Scope::Function { database, function } => {
            [word("function"), pattern(database), pattern(function), none()]
        }
        Scope::Connector(connector) => [word("connector"), pattern(connector), none(), none()],
        Scope::Tag { tag, value } => [word("tag"), text(tag), optional(value.as_deref()), none()],
    }
}

/// Part of keys, so that no part is nothing.
fn resource(resource: &Resource) -> [Cell; 4] {
    let cells = |word: &'static str, parts: [&str; 3]| {
        let [part_1, part_2, part_3] = parts.map(text);
        [Cell::Text(SmolStr::new_static(word)), part_1, part_2, part_3]
    };
    match resource {
        Resource::Server => cells("server", ["", "", ""]),
        Resource::Database(database) => cells("database", [database, "", ""]),
        Resource::Table(TableName { database, table }) => cells("table", [database, table, ""]),
        Resource::Column(ColumnName { table: TableName { database, table }, column }) => {
            cells("column", [database, table, column])
        }
        Resource::Uri(uri) => cells("uri", [&uri.with_port(), "", ""]),
        Resource::Function { database: Some(database), function } => {
            cells("function", [database, function, ""])
        }
        Resource::Function { database: None, function } => cells("free function", [function, "", ""]),
        Resource::Connector(connector) => cells("connector", [connector, "", ""]),
        Resource::Service(service) => cells("service", [service, "", ""]),
    }
}

/// Takes one column after the other; nothing where the column holds something else than it should.
struct Reader<'r, 'v>(std::slice::Iter<'r, Value<'v>>);

impl<'v> Reader<'_, 'v> {
    fn text(&mut self) -> Option<&'v str> {
        match self.0.next()? {
            Value::Text(text) => Some(text),
            Value::Integer(_) | Value::Bytes(_) | Value::Null(_) => None,
        }
    }

    fn optional(&mut self) -> Option<Option<&'v str>> {
        match self.0.next()? {
            Value::Text(text) => Some(Some(text)),
            Value::Null(_) => Some(None),
            Value::Integer(_) | Value::Bytes(_) => None,
        }
    }

    fn integer(&mut self) -> Option<i64> {
        match self.0.next()? {
            Value::Integer(number) => Some(*number),
            Value::Text(_) | Value::Bytes(_) | Value::Null(_) => None,
        }
    }

    fn id(&mut self) -> Option<EntryId> {
        self.integer().map(|number| EntryId(number.cast_unsigned()))
    }

    fn time(&mut self) -> Option<Timestamp> {
        self.integer().map(Timestamp)
    }

    fn optional_time(&mut self) -> Option<Option<Timestamp>> {
        match self.0.next()? {
            Value::Integer(number) => Some(Some(Timestamp(*number))),
            Value::Null(_) => Some(None),
            Value::Text(_) | Value::Bytes(_) => None,
        }
    }

    fn name(&mut self) -> Option<Name> {
        self.text().map(Name::fold)
    }

    fn option(&mut self) -> Option<GrantOption> {
        match self.integer()? {
            0 => Some(GrantOption::Without),
            1 => Some(GrantOption::With),
            _ => None,
        }
    }

    fn rule(&mut self) -> Option<DataRule> {
        match self.text()? {
            "row filter" => Some(DataRule::RowFilter),
            "column mask" => Some(DataRule::ColumnMask),
            _ => None,
        }
    }

    fn principal(&mut self) -> Option<Principal> {
        read_principal(self.text()?)
    }

    fn optional_principal(&mut self) -> Option<Option<Principal>> {
        match self.optional()? {
            Some(text) => read_principal(text).map(Some),
            None => Some(None),
        }
    }

    fn list(&mut self) -> Option<Vec<String>> {
        match self.optional()? {
            Some(text) => serde_json::from_str(text).ok(),
            None => Some(Vec::new()),
        }
    }

    fn principals(&mut self) -> Option<Arc<[Principal]>> {
        match self.optional()? {
            Some(text) => {
                let texts: Vec<String> = serde_json::from_str(text).ok()?;
                texts.iter().map(|text| read_principal(text)).collect()
            }
            None => Some(Arc::default()),
        }
    }

    fn scope(&mut self) -> Option<Scope> {
        let word = self.text()?;
        let parts = [self.optional()?, self.optional()?, self.optional()?];
        let pattern = NamePattern::fold;
        Some(match (word, parts) {
            ("server", [None, None, None]) => Scope::Server,
            ("database", [Some(database), None, None]) => Scope::Database(pattern(database)),
            ("table", [Some(database), Some(table), None]) => {
                Scope::Table { database: pattern(database), table: pattern(table) }
            }
            ("column", [Some(database), Some(table), Some(column)]) => {
                Scope::Column { database: pattern(database), table: pattern(table), column: pattern(column) }
            }
            ("uri", [Some(uri), None, None]) => Scope::Uri(Uri::from_normalised(uri)),
            ("function", [Some(database), Some(function), None]) => {
                Scope::Function { database: pattern(database), function: pattern(function) }
            }
            ("connector", [Some(connector), None, None]) => Scope::Connector(pattern(connector)),
            ("tag", [Some(tag), value, None]) => {
                Scope::Tag { tag: Name::fold(tag), value: value.map(SmolStr::new) }
            }
            _ => return None,
        })
    }

    fn resource(&mut self) -> Option<Resource> {
        let word = self.text()?;
        let [part_1, part_2, part_3] = [self.text()?, self.text()?, self.text()?];
        let table = || TableName::new(Name::fold(part_1), Name::fold(part_2));
        Some(match word {
            "server" => Resource::Server,
            "database" => Resource::Database(Name::fold(part_1)),
            "table" => Resource::Table(table()),
            "column" => Resource::Column(ColumnName::new(table(), Name::fold(part_3))),
            "uri" => Resource::Uri(Uri::from_normalised(part_1)),
            "function" => {
                Resource::Function { database: Some(Name::fold(part_1)), function: Name::fold(part_2) }
            }
            "free function" => Resource::Function { database: None, function: Name::fold(part_1) },
            "connector" => Resource::Connector(Name::fold(part_1)),
            "service" => Resource::Service(Name::fold(part_1)),
            _ => return None,
        })
    }
}
