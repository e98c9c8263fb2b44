//! The policy as a text.

use guardbee_engine::PolicySql;
use guardbee_engine::store::PolicyVersion;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The policy as the statements that make it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct PolicyAnswer {
    pub version: u64,
    /// Statements in groups: roles, memberships, grants and so on.
    pub groups: Vec<StatementGroup>,
    /// What no statement can say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// All of it in Guardbee's JSON, with ids, times and grantors; where it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub json: Option<String>,
}

/// Statements of one kind.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct StatementGroup {
    pub heading: String,
    pub statements: Vec<String>,
}

impl PolicyAnswer {
    /// The statements as a script, with the headings as comments.
    #[must_use]
    pub fn sql(&self) -> String {
        let group = |group: &StatementGroup| {
            let statements: String = group.statements.iter().map(|sql| format!("{sql};\n")).collect();
            format!("-- {}\n{statements}", group.heading)
        };
        self.groups.iter().map(group).collect::<Vec<_>>().join("\n")
    }

    #[must_use]
    pub fn of(version: PolicyVersion, sql: &PolicySql) -> Self {
        let group = |group: &guardbee_engine::SqlGroup| StatementGroup {
            heading: group.heading.to_owned(),
            statements: group.statements.clone(),
        };
        Self {
            version: version.0,
            groups: sql.groups.iter().map(group).collect(),
            left_out: sql.left_out.iter().map(|left_out| left_out.message.clone()).collect(),
            json: None,
        }
    }
}
