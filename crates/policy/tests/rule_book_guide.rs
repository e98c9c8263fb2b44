//! `docs/rule-books.md` holds what the books say: its table is made from them.

mod support;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use guardbee_policy::{BookName, RuleBook};

use support::expect_file;

const START: &str = "<!-- made from the books: start -->\n";
const END: &str = "<!-- made from the books: end -->\n";

#[test]
fn the_guide_says_what_the_books_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rule-books.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(START).expect("the start of the table");
    let (_, after) = rest.split_once(END).expect("the end of the table");
    expect_file(&path, &format!("{before}{START}{}{END}{after}", table()));
}

/// A heading for each operation would be long: one row an operation, one column a book.
fn table() -> String {
    let mut rows: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for book in BookName::ALL.map(RuleBook::built_in) {
        for named in book.rules() {
            // A bar would end the cell.
            let rule = named.rule.to_string().replace('|', "\\|");
            rows.entry(named.operation.as_str()).or_default().push(rule);
        }
    }
    let mut table = String::from("\n| operation |");
    for book in BookName::ALL {
        let _ = write!(table, " {} |", book.as_str());
    }
    table.push_str("\n|---|---|---|---|---|\n");
    for (operation, rules) in rows {
        let _ = writeln!(table, "| `{operation}` | {} |", rules.join(" | "));
    }
    table.push('\n');
    table
}
