//! The built-in rule books: complete, readable, and true to what their originals are known to need.

mod support;

use std::collections::BTreeSet;

use guardbee_model::Operation;
use guardbee_policy::rule_book::rule_name;
use guardbee_policy::{BookName, RuleBook, Settings, requirements};

fn text(book: BookName) -> String {
    let path = format!("{}/src/rule_book/books/{}.book", env!("CARGO_MANIFEST_DIR"), book.as_str());
    std::fs::read_to_string(path).unwrap()
}

/// The rows of the table of facts, without comments and the line of titles.
fn facts() -> Vec<Vec<String>> {
    let path = format!("{}/tests/data/hive-operations.tsv", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    rows.map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

#[test]
fn every_book_can_be_read() {
    for book in BookName::ALL {
        if let Err(errors) = RuleBook::parse(book, &text(book)) {
            let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
            panic!("{}:\n{}", book.as_str(), errors.join("\n"));
        }
        assert!(!RuleBook::built_in(book).rules().is_empty());
    }
}

#[test]
fn no_operation_is_forgotten_and_none_is_made_up() {
    let rows = facts();
    let in_table: BTreeSet<String> = rows.iter().filter_map(|row| row.first().cloned()).collect();
    let in_model: BTreeSet<String> = Operation::ALL.iter().map(|&operation| rule_name(operation)).collect();
    let expected: BTreeSet<&str> = in_table.union(&in_model).map(String::as_str).collect();
    assert!(in_table.len() > 160, "{}", in_table.len());
    for book in BookName::ALL {
        let book = RuleBook::built_in(book);
        let found: BTreeSet<&str> = book.rules().iter().map(|named| named.operation.as_str()).collect();
        let missing: Vec<_> = expected.difference(&found).collect();
        let made_up: Vec<_> = found.difference(&expected).collect();
        assert!(
            missing.is_empty() && made_up.is_empty(),
            "{}: {missing:?} {made_up:?}",
            book.name().as_str()
        );
        for &operation in Operation::ALL {
            assert!(book.rule(operation).is_some(), "{}: {operation}", book.name().as_str());
        }
    }
}

#[test]
fn each_right_is_asked_for_once_however_many_there_are() {
    let settings = Settings { rule_book: BookName::SqlStandard, ..Settings::default() };
    for tables in [3, 300] {
        let mut request = support::request("DROPDATABASE");
        for _ in 0..2 {
            (0..tables).for_each(|place| support::add(&mut request, &format!("writes drop hr.t{place}")));
        }
        let needed = requirements(&settings, &request);
        assert_eq!(needed.len(), tables);
        assert_eq!(support::written(&needed[2]), "out OWNERSHIP on hr.t2");
    }
}
