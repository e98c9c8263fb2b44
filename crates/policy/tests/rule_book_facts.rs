//! The rule books against `data/hive-operations.tsv`, which was read from the sources of Hive and Ranger.
//!
//! Of each side of each operation the rights are compared; where a book tells kinds of objects apart more
//! finely than the table does, that is its own business. What differs stands in `data/deviations.txt` with
//! its reason, and nothing stands there that does not differ.

mod support;

use std::collections::{BTreeMap, BTreeSet};

use guardbee_policy::requirement::Side;
use guardbee_policy::rule_book::{Clause, Condition, Kind, Rule};
use guardbee_policy::{BookName, RuleBook};

use support::data;

/// The rights of one side, each behind the kind or action it is limited to, where the table limits it.
type Rights = BTreeSet<String>;

#[test]
fn the_books_need_what_the_originals_need() {
    let columns = titles();
    let mut deviations = deviations();
    let mut wrong = Vec::new();
    for row in rows() {
        for (book, title) in [
            (BookName::HiveLegacy, "legacy"),
            (BookName::SqlStandard, "sqlstd"),
            (BookName::Ranger, "ranger"),
        ] {
            let cell = |side: &str| {
                let place = columns.iter().position(|known| *known == format!("{title}_{side}")).unwrap();
                row.get(place).map_or("", String::as_str)
            };
            let (input, output) = (cell("in"), cell("out"));
            if input.is_empty() && output.is_empty() {
                continue; // An operation that the original has no name for.
            }
            let told = (told(book, input), told(book, output));
            let said = said(book, &row[0]);
            let deviates = deviations.remove(&(book.as_str().to_owned(), row[0].clone()));
            match (told == said, deviates) {
                (true, None) | (false, Some(_)) => {}
                (true, Some(_)) => wrong.push(format!("{} {}: no deviation", book.as_str(), row[0])),
                (false, None) => {
                    wrong.push(format!("{} {}: {said:?}, the table {told:?}", book.as_str(), row[0]));
                }
            }
        }
    }
    wrong.extend(deviations.keys().map(|(book, operation)| format!("{book} {operation}: no such row")));
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

fn text() -> String {
    std::fs::read_to_string(data("hive-operations.tsv")).unwrap()
}

fn titles() -> Vec<String> {
    let text = text();
    let titles = text.lines().find(|line| !line.starts_with('#')).unwrap();
    titles.split('\t').map(str::to_owned).collect()
}

fn rows() -> Vec<Vec<String>> {
    let text = text();
    let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    rows.map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

/// `book OPERATION reason`.
fn deviations() -> BTreeMap<(String, String), String> {
    let text = std::fs::read_to_string(data("deviations.txt")).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines
        .map(|line| {
            let mut words = line.split_whitespace();
            let key = (words.next().unwrap().to_owned(), words.next().unwrap().to_owned());
            let reason = words.collect::<Vec<_>>().join(" ");
            assert!(!reason.is_empty(), "no reason: {line}");
            (key, reason)
        })
        .collect()
}

/// What a cell of the table tells.
fn told(book: BookName, cell: &str) -> Rights {
    match book {
        BookName::SqlStandard => told_by_sql_standard(cell),
        BookName::Ranger => {
            let word = cell.split(" (").next().unwrap();
            match word {
                _ if word.starts_with('-') || word.starts_with("refused") => Rights::new(),
                "_any" => Rights::from(["ANY".to_owned()]),
                _ => Rights::from([word.to_uppercase()]),
            }
        }
        _ => cell.split(',').filter(|word| *word != "-").map(str::to_uppercase).collect(),
    }
}

/// `SELECT+grant {DATABASE: OWNER} [session ADMIN]`.
fn told_by_sql_standard(cell: &str) -> Rights {
    let mut rights = Rights::new();
    let mut rest = cell.to_owned();
    if rest.contains("[session ADMIN]") {
        rights.insert("Server ADMIN".to_owned());
        rest = rest.replace("[session ADMIN]", "");
    }
    while let (Some(from), Some(to)) = (rest.find('{'), rest.find('}')) {
        let limited = rest[from + 1..to].to_owned();
        let (limit, words) = limited.split_once(": ").unwrap();
        let limit = match limit {
            "DFS_URI" | "LOCAL_URI" => "URI",
            "TABLE_OR_VIEW" => "Table",
            "DATABASE" => "Database",
            "INSERT_OVERWRITE" => "OVERWRITE",
            action => action,
        };
        rights.extend(words.split(',').map(|word| format!("{limit} {}", owned(word.trim()))));
        rest.replace_range(from..=to, "");
    }
    let words = rest.trim();
    rights.extend(words.split(',').filter(|word| !matches!(*word, "" | "-")).map(|word| owned(word.trim())));
    // Who has the role switched on has it for every object, too.
    if rights.contains("Server ADMIN") {
        rights.remove("ADMIN");
    }
    rights
}

fn owned(word: &str) -> String {
    word.replace("OWNER", "OWNERSHIP").replace("+grant", " with grant")
}

/// What the book says.
fn said(book: BookName, operation: &str) -> (Rights, Rights) {
    let rule_book = RuleBook::built_in(book);
    let named = rule_book.rules().iter().find(|named| named.operation == operation).unwrap();
    match &named.rule {
        Rule::Needs(clauses) => {
            // What Ranger asks for on the server holds for whatever stands on either side.
            let is_anywhere = |clause: &Clause| book == BookName::Ranger && clause.kind == Kind::Server;
            let is_unconditional = |clause: &Clause| clause.condition.is_none();
            let side = |side| {
                let clauses = clauses
                    .iter()
                    .filter(|clause| clause.side == side || is_anywhere(clause) && is_unconditional(clause));
                clauses.flat_map(|clause| rights(book, rule_book, clause)).collect()
            };
            (side(Side::Input), side(Side::Output))
        }
        _ => (Rights::new(), Rights::new()),
    }
}

fn rights(book: BookName, rule_book: &RuleBook, clause: &Clause) -> Vec<String> {
    let limit = match (&clause.condition, clause.kind) {
        (Some(condition @ Condition::Actions(_)), _) => format!("{condition} "),
        (_, kind) if book != BookName::SqlStandard || kind == Kind::Object => String::new(),
        (_, kind) => format!("{} ", kind.as_str()),
    };
    let right = |right: &guardbee_policy::requirement::Right| match right {
        guardbee_policy::requirement::Right::AnyOf { privileges, .. }
            if *privileges == rule_book.any() && !privileges.is_empty() =>
        {
            "ANY".to_owned()
        }
        right => right.to_string(),
    };
    clause.rights.iter().map(|needed| format!("{limit}{}", right(needed))).collect()
}
