//! From requests to the rights that each rule book asks for: `data/requirements/*.txt`.
//!
//! A file is a list of cases. `== title`, the operation, what the statement touches (the notation is that
//! of `support`), and behind `->` what each book needs. `set key value` changes a setting; `books a b`
//! asks only these.

mod support;

use std::fmt::Write as _;

use guardbee_policy::{BookName, Settings, requirements};

use support::{add, data, expect_file, request, written};

#[test]
fn each_book_asks_for_what_the_cases_say() {
    let mut files: Vec<_> =
        std::fs::read_dir(data("requirements")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 5);
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        expect_file(&file, &with_answers(&text));
    }
}

fn with_answers(text: &str) -> String {
    let mut answered = String::new();
    for (place, case) in text.split("== ").enumerate() {
        match place {
            0 => answered.push_str(case),
            _ => answered_case(case, &mut answered),
        }
    }
    answered
}

fn answered_case(case: &str, answered: &mut String) {
    let mut lines = case.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("->"));
    let title = lines.next().expect("a title");
    let operation = lines.next().expect("an operation");
    let mut request = request(operation);
    let mut settings = Settings::default();
    let mut books = BookName::ALL.to_vec();
    let _ = writeln!(answered, "== {title}\n{operation}");
    for line in lines {
        let _ = writeln!(answered, "{line}");
        match line.split_once(' ') {
            Some(("set", setting)) => {
                let (key, value) = setting.split_once(' ').expect("a key and a value");
                settings.set(key, value).unwrap();
            }
            Some(("books", names)) => {
                books = names.split(' ').map(|name| BookName::parse(name).expect(name)).collect();
            }
            _ => add(&mut request, line),
        }
    }
    for book in books {
        settings.rule_book = book;
        let needed = requirements(&settings, &request);
        if needed.is_empty() {
            let _ = writeln!(answered, "-> {:<12}  nothing", book.as_str());
        }
        for requirement in &needed {
            let _ = writeln!(answered, "-> {:<12}  {}", book.as_str(), written(requirement));
        }
    }
    answered.push('\n');
}
