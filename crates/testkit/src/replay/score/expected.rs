//! What a recording says about each statement: whether it ran, what was missing, what it showed.

use std::collections::{BTreeMap, BTreeSet};

use crate::golden::{GoldenRecord, GoldenStatement};

/// Hive's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Allowed,
    Denied,
}

/// What to expect of one statement.
#[derive(Debug, Clone)]
pub(super) struct Expected {
    pub index: usize,
    /// None where it failed for another reason, or is one that authorization has no part in.
    pub verdict: Option<Verdict>,
    /// Privileges in upper case with objects in lower case, where Hive names them.
    pub missing: Option<BTreeSet<(String, String)>>,
    pub rows: Option<Vec<String>>,
}

/// How the legacy mode says that it refuses; the line stands in the output of the statement before.
const LEGACY_REFUSAL: &str = "Authorization failed";

pub(super) fn expectations(record: &GoldenRecord) -> Vec<Expected> {
    let statements = &record.statements;
    let refused = refused_by_legacy(statements);
    let mut all = Vec::with_capacity(statements.len());
    for (index, statement) in statements.iter().enumerate() {
        let refusal = refused.get(&index).copied();
        let nothing = Expected { index, verdict: None, missing: None, rows: None };
        let message = statement.error.as_deref().filter(|error| !error.is_empty()).or(refusal);
        if let Some(message) = message {
            let verdict = is_refusal(message).then_some(Verdict::Denied);
            all.push(Expected { verdict, missing: missing(message), ..nothing });
        } else if !statement.not_run {
            let is_setting = matches!(statement.op.as_deref(), Some("SET" | "RESET"));
            let verdict = (!is_setting).then_some(Verdict::Allowed);
            all.push(Expected { verdict, rows: rows(statement), ..nothing });
        }
    }
    all
}

fn refused_by_legacy(statements: &[GoldenStatement]) -> BTreeMap<usize, &str> {
    let mut refused = BTreeMap::new();
    for (index, statement) in statements.iter().enumerate() {
        let lines = statement.output.iter().flatten();
        for line in lines.filter(|line| line.starts_with("Authorization failed:")) {
            let after = statements.iter().enumerate().skip(index + 1);
            let is_meant = |later: &GoldenStatement| {
                let word = first_words(later.sql.as_deref().unwrap_or_default(), 1);
                !matches!(word.as_str(), "set" | "reset" | "use")
            };
            if let Some((meant, _)) = after.clone().find(|(_, later)| is_meant(later)) {
                refused.insert(meant, line.as_str());
            }
        }
    }
    refused
}

/// The first words of a statement in lower case, with one blank between them. A word ends where something else
/// than a letter, a digit or `_` follows.
fn first_words(sql: &str, count: usize) -> String {
    let words = sql.split_whitespace().take(count).map(|word| {
        let end = word.find(|character: char| !character.is_alphanumeric() && character != '_');
        word[..end.unwrap_or(word.len())].to_lowercase()
    });
    words.collect::<Vec<_>>().join(" ")
}

fn rows(statement: &GoldenStatement) -> Option<Vec<String>> {
    let sql = statement.sql.as_deref()?;
    let (two, three) = (first_words(sql, 2), first_words(sql, 3));
    let shows = matches!(two.as_str(), "show grant" | "show roles" | "show principals")
        || matches!(three.as_str(), "show current roles" | "show role grant");
    if !shows {
        return None;
    }
    let lines = statement.output.iter().flatten().filter(|line| !line.starts_with(LEGACY_REFUSAL));
    let rows: Vec<String> = lines.map(|line| line.trim_end_matches('\n').to_owned()).collect();
    let is_whole = !rows.iter().any(|row| row.contains("masked pattern"));
    is_whole.then_some(rows)
}

pub(super) fn is_refusal(error: &str) -> bool {
    let folded = error.to_lowercase();
    let words = [
        "is not allowed",
        "not allowed to",
        "admin role",
        "has no grant",
        "has no admin",
        "authorization failed",
    ];
    error.contains("HiveAccessControlException") || words.iter().any(|word| folded.contains(word))
}

/// The privileges that a message names, each with its object; none where it names none or hides them.
fn missing(message: &str) -> Option<BTreeSet<(String, String)>> {
    let mut found = BTreeSet::new();
    by_object(message, &mut found);
    by_legacy(message, &mut found);
    let is_hidden = found.iter().any(|(_, object)| object.contains("masked"));
    (!is_hidden && !found.is_empty()).then_some(found)
}

/// `[[SELECT, INSERT] on Object [type=TABLE_OR_VIEW, name=db.t, action=INSERT], [OBJECT OWNERSHIP] on ...`.
fn by_object(message: &str, found: &mut BTreeSet<(String, String)>) {
    const ON: &str = "] on Object [type=";
    for (start, _) in message.match_indices(ON) {
        let Some((before, privileges)) = message[..start].rsplit_once('[') else { continue };
        if !before.ends_with('[') && !before.ends_with(", ") {
            continue;
        }
        let Some((object, _)) = message[start + ON.len()..].split_once(']') else { continue };
        let named = object.split_once(", name=").map(|(_, name)| name);
        let name = named.map_or(object, |name| name.split_once(", action=").map_or(name, |(name, _)| name));
        for privilege in privileges.split(',') {
            found.insert((privilege.trim().to_uppercase(), name.trim().to_lowercase()));
        }
    }
}

/// `No privilege 'Select' found for inputs { database:db, table:t, columnName:c}`.
fn by_legacy(message: &str, found: &mut BTreeSet<(String, String)>) {
    for piece in message.split("No privilege '").skip(1) {
        let Some((privilege, rest)) = piece.split_once("' found for ") else { continue };
        let rest = rest.strip_prefix("inputs {").or_else(|| rest.strip_prefix("outputs {"));
        let Some((place, _)) = rest.and_then(|rest| rest.split_once('}')) else { continue };
        let at: BTreeMap<&str, &str> =
            place.split(',').filter_map(|part| part.trim().split_once(':')).collect();
        let parts: Vec<&str> =
            ["database", "table", "columnName"].iter().filter_map(|key| at.get(key).copied()).collect();
        found.insert((privilege.to_uppercase(), parts.join(".").to_lowercase()));
    }
}

/// Rows in any order, without case, blanks around them, and times.
pub(super) fn normal(rows: &[String]) -> Vec<String> {
    let mut rows: Vec<String> = rows.iter().map(|row| timeless(row).trim().to_lowercase()).collect();
    rows.sort();
    rows
}

fn timeless(row: &str) -> String {
    let fields: Vec<&str> = row.split('\t').collect();
    let last = fields.len().saturating_sub(1);
    let is_time = |place: usize, field: &str| {
        place > 0 && place < last && field.len() >= 9 && field.bytes().all(|byte| byte.is_ascii_digit())
    };
    let field = |(place, field): (usize, &&str)| if is_time(place, field) { "-1" } else { field }.to_owned();
    fields.iter().enumerate().map(field).collect::<Vec<_>>().join("\t")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(message: &str) -> Vec<(String, String)> {
        missing(message).unwrap_or_default().into_iter().collect()
    }

    fn pair(privilege: &str, object: &str) -> (String, String) {
        (privilege.to_owned(), object.to_owned())
    }

    #[test]
    fn messages_name_privileges_with_their_objects() {
        let standard = "for operation QUERY [[SELECT, DELETE] on Object [type=TABLE_OR_VIEW, name=Default.t1], \
                        [INSERT] on Object [type=TABLE_OR_VIEW, name=default.t2, action=INSERT]]";
        assert_eq!(
            pairs(standard),
            [pair("DELETE", "default.t1"), pair("INSERT", "default.t2"), pair("SELECT", "default.t1")]
        );
        let legacy = "Authorization failed:No privilege 'Select' found for inputs { database:default, \
                      table:v2, columnName:Value}. Use SHOW GRANT to get more details.";
        assert_eq!(pairs(legacy), [pair("SELECT", "default.v2.value")]);
        assert_eq!(pairs("[ADMIN PRIVILEGE on INPUT, ADMIN PRIVILEGE on OUTPUT]"), []);
    }

    #[test]
    fn a_legacy_refusal_is_about_the_next_statement() {
        let statement = |sql: &str, output: &[&str]| GoldenStatement {
            sql: Some(sql.to_owned()),
            output: Some(output.iter().map(|line| (*line).to_owned()).collect()),
            ..GoldenStatement::default()
        };
        let refusal = "Authorization failed:No privilege 'Drop' found for outputs { database:d}.";
        let statements = [
            statement("create database d", &[refusal]),
            statement("set a=b", &[]),
            GoldenStatement { not_run: true, ..statement("drop database d", &[]) },
        ];
        assert_eq!(refused_by_legacy(&statements).into_iter().collect::<Vec<_>>(), [(2, refusal)]);
    }

    #[test]
    fn rows_compare_without_case_and_times() {
        let row = |text: &str| vec![text.to_owned()];
        assert_eq!(normal(&row("R\tfalse\t1700000000\tU ")), normal(&row("r\tfalse\t-1\tu")));
        assert_ne!(normal(&row("r\tfalse\t-1\tu")), normal(&row("r\ttrue\t-1\tu")));
    }
}
