//! What Hive would have printed of an answer of ours.

use guardbee_engine::{Answer, Checked, Outcome, Value};
use guardbee_policy::decision::Missing;
use guardbee_policy::requirement::Right;
use guardbee_policy::{BookName, Privileges, Resource};

/// Hive names the roles that cannot be dropped in words that read like a refusal.
const REFUSED_BY_HIVE: [&str; 1] = ["built-in-role"];

pub(super) fn is_refusal(checked: &Checked) -> bool {
    let problem = checked.problem.as_ref();
    problem.is_some_and(|problem| REFUSED_BY_HIVE.contains(&problem.code))
}

/// Why the statement fails, where authorization is not the reason.
pub(super) fn failure(checked: &Checked) -> Option<String> {
    let is_failure = checked.outcome == Outcome::Error && !is_refusal(checked);
    let problem = checked.problem.as_ref().filter(|_| is_failure);
    problem.map(|problem| problem.message.clone())
}

/// What is missing, in Hive's words: all of it, or the first where the legacy mode stops at that.
pub(super) fn missing(book: BookName, checked: &Checked) -> Vec<(String, String)> {
    if checked.outcome != Outcome::Denied {
        return Vec::new();
    }
    let missing = checked.decision.missing();
    match book {
        BookName::HiveLegacy => missing.take(1).flat_map(legacy).take(1).collect(),
        _ => missing.flat_map(sql_standard).collect(),
    }
}

fn sql_standard(missing: &Missing) -> Vec<(String, String)> {
    let object = object(&missing.resource);
    match &missing.right {
        Right::Ownership => vec![("OBJECT OWNERSHIP".to_owned(), object)],
        Right::Administration => vec![("ADMIN PRIVILEGE".to_owned(), object)],
        Right::AnyOf { privileges, grant_option } => {
            let option = if grant_option.is_with() { " with grant" } else { "" };
            names(*privileges).map(|name| (format!("{name}{option}"), object.clone())).collect()
        }
        Right::Nobody(_) => Vec::new(),
    }
}

/// `Select` on `db.table.column`.
fn legacy(missing: &Missing) -> Vec<(String, String)> {
    let Right::AnyOf { privileges, .. } = &missing.right else { return Vec::new() };
    let capitalised = |name: String| {
        let mut characters = name.chars();
        let first = characters.next().into_iter();
        first.chain(characters.map(|character| character.to_ascii_lowercase())).collect::<String>()
    };
    names(*privileges).map(|name| (capitalised(name), object(&missing.resource))).collect()
}

fn names(privileges: Privileges) -> impl Iterator<Item = String> {
    let all = privileges.is_all().then(|| "ALL".to_owned());
    let each = (!privileges.is_all()).then(|| privileges.iter().map(|privilege| privilege.to_string()));
    all.into_iter().chain(each.into_iter().flatten())
}

fn object(resource: &Resource) -> String {
    match resource {
        Resource::Server => "INPUT".to_owned(),
        resource => resource.to_string(),
    }
}

/// The rows as the console shows them. Where Hive's tests run, every time is -1.
pub(super) fn rows(answer: &Answer, prints_header: bool) -> Vec<String> {
    let header = (prints_header && !answer.columns.is_empty()).then(|| answer.columns.join("\t"));
    let rows = answer.rows.iter().map(|row| row.iter().map(field).collect::<Vec<_>>().join("\t"));
    header.into_iter().chain(rows).collect()
}

fn field(value: &Value) -> String {
    match value {
        Value::Number(_) => "-1".to_owned(),
        value => value.to_string(),
    }
}
