//! The shape of a policy in JSON. Names are stable; a new field may come, none goes without a new `version`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of this shape.
pub const VERSION: u32 = 1;

/// A policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JsonPolicy {
    /// The version of this shape: 1.
    pub version: u32,
    /// The settings that decide with the entries, such as `rule_book`; the others have their defaults.
    #[serde(default)]
    pub settings: std::collections::BTreeMap<String, String>,
    #[serde(default)]
    pub roles: Vec<JsonRole>,
    #[serde(default)]
    pub memberships: Vec<JsonMembership>,
    /// Grants and denials.
    #[serde(default)]
    pub entries: Vec<JsonEntry>,
    #[serde(default)]
    pub tags: Vec<JsonTag>,
    #[serde(default)]
    pub tag_assignments: Vec<JsonTagAssignment>,
    /// Row filters and column masks.
    #[serde(default)]
    pub data_policies: Vec<JsonDataPolicy>,
    #[serde(default)]
    pub owners: Vec<JsonOwner>,
}

/// A role. `public` and `admin` are always there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JsonRole {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_by: Option<String>,
    /// In milliseconds since the beginning of 1970 (UTC), as all times here.
    #[serde(default)]
    pub created_at: i64,
}

/// A user, group or role.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JsonPrincipal {
    pub kind: JsonPrincipalKind,
    pub name: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JsonPrincipalKind {
    User,
    Group,
    Role,
}

/// A principal's place in a role.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JsonMembership {
    pub role: String,
    pub member: JsonPrincipal,
    /// May the member give the role on?
    #[serde(default)]
    pub admin_option: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grantor: Option<JsonPrincipal>,
    #[serde(default)]
    pub created_at: i64,
}

/// A grant or denial.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JsonEntry {
    /// Names the entry; where it is absent, it gets a free one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    pub effect: JsonEffect,
    pub principal: JsonPrincipal,
    /// Principals that the entry does not hold for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub except: Vec<JsonPrincipal>,
    /// As SQL writes them; `ALL` is every privilege, later ones included.
    pub privileges: Vec<String>,
    /// With `ALL`: those that are not meant.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<String>,
    pub scope: JsonScope,
    #[serde(default)]
    pub grant_option: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grantor: Option<JsonPrincipal>,
    #[serde(default)]
    pub created_at: i64,
    /// The entry holds from here on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<i64>,
    /// The entry holds until then, and not then any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JsonEffect {
    Grant,
    Deny,
}

/// Where an entry or data policy stands. In names `*` stands for any characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum JsonScope {
    Server,
    Database {
        database: String,
    },
    /// A table or view.
    Table {
        database: String,
        table: String,
    },
    Column {
        database: String,
        table: String,
        column: String,
    },
    /// A place and all beneath it.
    Uri {
        uri: String,
    },
    Function {
        database: String,
        function: String,
    },
    Connector {
        connector: String,
    },
    /// Whatever carries the tag, with this value where one is given.
    Tag {
        tag: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<String>,
    },
}

/// One thing in the warehouse.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum JsonResource {
    Server,
    Database {
        database: String,
    },
    Table {
        database: String,
        table: String,
    },
    Column {
        database: String,
        table: String,
        column: String,
    },
    Uri {
        uri: String,
    },
    Function {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        database: Option<String>,
        function: String,
    },
    Connector {
        connector: String,
    },
    Service {
        service: String,
    },
}

/// A tag that datasets may carry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JsonTag {
    pub name: String,
    /// The values it may have; none listed: any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allowed_values: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_by: Option<String>,
    #[serde(default)]
    pub created_at: i64,
}

/// A tag on a resource.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JsonTagAssignment {
    pub tag: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    pub resource: JsonResource,
}

/// A row filter or column mask.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JsonDataPolicy {
    pub name: String,
    pub rule: JsonDataRule,
    pub scope: JsonScope,
    /// HiveQL over the columns of the table.
    pub expression: String,
    /// Whom it holds for; none listed: everybody.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub principals: Vec<JsonPrincipal>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub except: Vec<JsonPrincipal>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub disabled: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_by: Option<String>,
    #[serde(default)]
    pub created_at: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JsonDataRule {
    RowFilter,
    ColumnMask,
}

/// Who owns a database or table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JsonOwner {
    pub resource: JsonResource,
    pub owner: JsonPrincipal,
}
