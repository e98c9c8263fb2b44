//! Where what came of a step differs from what was expected.

use std::collections::BTreeSet;
use std::sync::Arc;

use guardbee_policy::decision::Obligation;
use guardbee_policy::{DataRule, Policy};

use crate::outcome::Executed;

use super::Step;

pub(super) fn differences(
    step: &Step,
    policy: &Policy,
    executed: &Executed,
    missing: &[String],
) -> Vec<String> {
    let mut differences = Vec::new();
    let outcome = executed.checked.outcome;
    if outcome != step.expect {
        differences.push(format!("expected {}, got {}", step.expect.as_str(), outcome.as_str()));
    }
    if let Some(expected) = &step.missing
        && one_by_one(expected) != one_by_one(missing)
    {
        differences.push(format!("expected missing [{}], got [{}]", expected.join(", "), missing.join(", ")));
    }
    if let Some(expected) = &step.rows {
        differences.extend(rows(expected, executed));
    }
    let obligations = &executed.checked.decision.obligations;
    if let Some(expected) = &step.filters {
        let filters = obligations.iter().filter_map(|obligation| match obligation {
            Obligation::Filter { table, condition, .. } => Some((table.to_string(), condition.to_string())),
            Obligation::Mask { .. } => None,
        });
        differences.extend(rules("filters", expected, filters.collect()));
    }
    if let Some(expected) = &step.masks {
        let masks = obligations.iter().filter_map(|obligation| match obligation {
            Obligation::Mask { table, column, policy: rule, expression } => {
                let column_name = format!("{table}.{column}");
                // A mask on a tag calls the column `value`; a test may name it or keep to the rule's words.
                let written = policy.data_policy(DataRule::ColumnMask, rule).map(|rule| &rule.expression);
                let is_expected = |words: &&Arc<str>| {
                    expected.iter().any(|(object, expected)| {
                        object.eq_ignore_ascii_case(&column_name) && is_all_of(expected, &[words.to_string()])
                    })
                };
                let expression = written.filter(is_expected).unwrap_or(expression).to_string();
                Some((column_name, expression))
            }
            Obligation::Filter { .. } => None,
        });
        differences.extend(rules("masks", expected, masks.collect()));
    }
    differences
}

/// Letter case aside; `SELECT|INSERT on t` is `SELECT on t` and `INSERT on t`.
fn one_by_one(missing: &[String]) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for text in missing {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        match text.split_once(" on ") {
            Some((rights, object)) => {
                let (rights, option) = match rights.strip_suffix(" with grant") {
                    Some(rights) => (rights, " with grant"),
                    None => (rights, ""),
                };
                all.extend(rights.split('|').map(|right| format!("{}{option} on {object}", right.trim())));
            }
            None => {
                all.insert(text);
            }
        }
    }
    all
}

/// As sets; of each row the columns that the expected one has.
fn rows(expected: &[Vec<String>], executed: &Executed) -> Option<String> {
    let got: Vec<Vec<String>> =
        executed.answer.rows.iter().map(|row| row.iter().map(ToString::to_string).collect()).collect();
    let is_same = |expected: &[String], got: &[String]| got.starts_with(expected);
    let all_there = expected.iter().all(|row| got.iter().any(|got| is_same(row, got)));
    let nothing_else = got.iter().all(|got| expected.iter().any(|row| is_same(row, got)));
    (!all_there || !nothing_else).then(|| format!("expected rows {expected:?}, got {got:?}"))
}

/// Several on one object hold together.
fn rules(what: &str, expected: &[(String, String)], got: Vec<(String, String)>) -> Option<String> {
    let mut together: Vec<(String, Vec<String>)> = Vec::new();
    for (object, expression) in got {
        match together.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(&object)) {
            Some((_, expressions)) => expressions.push(expression),
            None => together.push((object, vec![expression])),
        }
    }
    let is_met = |(object, expression): &(String, String)| {
        together.iter().any(|(known, expressions)| {
            known.eq_ignore_ascii_case(object) && is_all_of(expression, expressions)
        })
    };
    let differs = together.len() != expected.len() || !expected.iter().all(is_met);
    differs.then(|| format!("expected {what} {expected:?}, got {together:?}"))
}

fn is_all_of(expected: &str, expressions: &[String]) -> bool {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let joined = expressions.iter().map(|text| plain(text)).collect::<Vec<_>>().join(" AND ");
    let bracketed =
        expressions.iter().map(|text| format!("({})", plain(text))).collect::<Vec<_>>().join(" AND ");
    [joined, bracketed].contains(&plain(expected))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternatives_may_be_written_one_by_one() {
        let texts = |texts: &[&str]| texts.iter().map(ToString::to_string).collect::<Vec<_>>();
        let one = one_by_one(&texts(&["SELECT|INSERT with grant on db.t"]));
        assert_eq!(one, one_by_one(&texts(&["insert with grant on db.t", "SELECT with grant on DB.t"])));
    }
}
