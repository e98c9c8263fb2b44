//! Cases as texts of parts, each headed by `--- NAME`; the last part, `expect`, is what must come out. `BLESS=1`
//! writes what comes out as what must; read the difference before it is committed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub struct Case {
    pub path: PathBuf,
    pub parts: BTreeMap<String, String>,
    given: String,
    expected: String,
}

impl Case {
    /// The part, or nothing.
    pub fn part(&self, name: &str) -> &str {
        self.parts.get(name).map_or("", String::as_str)
    }

    /// The value of a line `NAME VALUE` of the part `options`.
    pub fn option(&self, name: &str) -> Option<&str> {
        self.part("options").lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))
    }
}

/// The cases of a folder of a crate.
pub fn cases(manifest: &str, folder: &str) -> Vec<Case> {
    let folder = Path::new(manifest).join("tests/data").join(folder);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "no cases in {}", folder.display());
    files.into_iter().map(read).collect()
}

fn read(path: PathBuf) -> Case {
    let text = std::fs::read_to_string(&path).unwrap();
    let (given, expected) = text.split_once("--- expect\n").unwrap_or((&text, ""));
    let mut parts: BTreeMap<String, String> = BTreeMap::new();
    let mut name = String::new();
    for line in given.split_inclusive('\n') {
        if let Some(heading) = line.strip_prefix("--- ") {
            name = heading.trim().to_owned();
            parts.insert(name.clone(), String::new());
        } else {
            parts.entry(name.clone()).or_default().push_str(line);
        }
    }
    Case { path, parts, given: given.to_owned(), expected: expected.to_owned() }
}

/// Compares what came out of each case with what must.
pub fn check(cases: &[Case], run: impl Fn(&Case) -> String) {
    let mut failures = Vec::new();
    for case in cases {
        let actual = run(case);
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&case.path, format!("{}--- expect\n{actual}", case.given)).unwrap();
        } else if case.expected != actual {
            let path = case.path.display();
            failures.push(format!("{path}\nexpected:\n{}\nactual:\n{actual}", case.expected));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
