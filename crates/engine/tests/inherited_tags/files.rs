//! Tags of tables that lie at a path: files of statements, with what inherits tags more or less after each.
//!
//! A statement runs and is recorded. `WAITING` before it: nobody records it, so that it is pending. `ROOT` before it: it
//! administers. `UPDATE_EXPECTED=1` writes what really comes of the statements into the files.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::mpsc;

use crate::house::{House, test};
use guardbee_testkit::statement_files::differences;

#[test]
fn tags_go_to_what_lies_over_a_path_as_the_files_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/inherited_tags");
    let differences = differences(&folder, "tags", |_| {
        let (asked, questions) = mpsc::channel::<String>();
        let (answer, answers) = mpsc::channel::<Vec<String>>();
        std::thread::spawn(move || {
            test(|| async move {
                let mut house = House::new().await;
                let mut before = BTreeSet::new();
                for statement in questions {
                    follow(&mut house, &statement).await;
                    let after: BTreeSet<String> = house.inherited().into_iter().collect();
                    let new = after.difference(&before).map(|one| format!("+ {one}"));
                    let gone = before.difference(&after).map(|one| format!("- {one}"));
                    answer.send(new.chain(gone).collect()).expect("somebody who asks");
                    before = after;
                }
            });
        });
        move |_, statement| {
            asked.send(statement.to_owned()).expect("a house");
            answers.recv().unwrap_or_else(|_| panic!("{statement}"))
        }
    });
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
}

async fn follow(house: &mut House, statement: &str) {
    match statement.split_once(' ') {
        Some(("WAITING", statement)) => drop(house.executed(statement).await),
        Some(("ROOT", statement)) => house.administer(statement).await,
        Some(("SECONDS", seconds)) => {
            house.pass(seconds.parse().expect("seconds"));
            house.may("root", "SHOW DATABASES");
        }
        _ => house.ran(statement).await,
    }
}
