//! What the service is asked: the questions of a policy load, as a plug-in and as a person would put them.

use std::fmt::Write as _;

use guardbee_policy::Resource;
use guardbee_policy::request::Columns;
use guardbee_testkit::policy_load::{PolicyLoad, Question};
use serde_json::{Value, json};

/// Each as the objects that Hive hands over.
pub fn by_objects(load: PolicyLoad, count: usize) -> Vec<String> {
    let body = |question: Question| {
        let input = match &question.requirement.resource {
            Resource::Table(table) => json!({
                "type": "TABLE_OR_VIEW",
                "database": table.database.as_str(),
                "name": table.table.as_str(),
                "columns": columns(&question),
            }),
            other => json!({ "type": "DFS_URI", "name": other.to_string() }),
        };
        json!({
            "user": question.identity.user,
            "groups": question.identity.groups,
            "objects": { "operation": "QUERY", "inputs": [input] },
        })
        .to_string()
    };
    load.questions(count).map(body).collect()
}

/// Each as a statement; those about paths are left out.
pub fn by_text(load: PolicyLoad, count: usize) -> Vec<String> {
    let body = |question: Question| {
        let Resource::Table(table) = &question.requirement.resource else { return None };
        let mut statement = "SELECT ".to_owned();
        for column in columns(&question).iter().take(8) {
            let _ = write!(statement, "t.{column}, ");
        }
        let _ = write!(statement, "count(*) FROM {}.{} t WHERE ", table.database, table.table);
        let _ = write!(statement, "t.column_00 > 10 GROUP BY t.column_00");
        Some(
            json!({ "user": question.identity.user, "groups": question.identity.groups, "statement": statement })
                .to_string(),
        )
    };
    load.questions(count).filter_map(body).collect()
}

/// Many questions in one body.
pub fn batch(bodies: &[String], count: usize) -> String {
    let checks: Vec<&str> = bodies.iter().cycle().take(count).map(String::as_str).collect();
    format!("{{\"checks\":[{}]}}", checks.join(","))
}

/// Many questions of one user in one body: may they read this table, and this one, and this one?
pub fn tables(load: PolicyLoad, user: usize, count: usize) -> String {
    let identity = load.question(user).identity;
    let tables = load.questions(usize::MAX).skip(user).filter_map(|question| {
        let Resource::Table(table) = &question.requirement.resource else { return None };
        let (database, name) = (table.database.as_str(), table.table.as_str());
        Some(json!({ "type": "TABLE_OR_VIEW", "database": database, "name": name }))
    });
    let checks = tables.map(|table| json!({ "objects": { "operation": "QUERY", "inputs": [table] } }));
    let checks: Vec<Value> = checks.take(count).collect();
    json!({ "user": identity.user, "groups": identity.groups, "checks": checks }).to_string()
}

/// All tables of a warehouse, of which somebody wants to know which they see.
pub fn names(load: PolicyLoad, count: usize) -> String {
    let somebody = load.question(0).identity;
    let names: Vec<String> = (0..count).map(|table| format!("table_{table}")).collect();
    let tables: Value = json!([{ "database": "db_0", "names": names }]);
    json!({ "user": somebody.user, "groups": somebody.groups, "tables": tables }).to_string()
}

fn columns(question: &Question) -> Vec<&str> {
    match &question.requirement.columns {
        Columns::Named(columns) => columns.iter().map(|column| column.as_str()).collect(),
        Columns::Whole => Vec::new(),
    }
}
