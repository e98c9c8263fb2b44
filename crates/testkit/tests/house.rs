//! The house rules of `ARCHITECTURE.md`, checked: which crate may use which, and that the pure ones stay
//! pure.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// For each crate the crates of ours that it may use. A crate that is missing here fails the test.
const ARROWS: &[(&str, &[&str])] = &[
    ("model", &[]),
    ("hiveql", &["model"]),
    ("analysis", &["model", "hiveql"]),
    ("policy", &["model"]),
    ("lineage", &["model"]),
    ("engine", &["model", "hiveql", "analysis", "policy", "lineage"]),
    ("store", &["model", "policy", "lineage", "engine"]),
    ("wire", &["model", "analysis", "policy", "lineage", "engine"]),
    ("questions", &["model", "hiveql", "analysis", "policy", "lineage", "engine", "wire"]),
    ("server", &["model", "hiveql", "analysis", "policy", "lineage", "engine", "wire", "questions"]),
    ("exchange", &["model", "policy"]),
    ("sentry", &["model", "policy", "engine", "exchange"]),
    ("metastore", &["model", "policy", "engine", "exchange"]),
    ("testkit", &["model", "hiveql", "analysis", "policy", "lineage", "engine"]),
    ("bench", &["model", "hiveql", "analysis", "policy", "lineage", "engine", "store", "testkit"]),
    (
        "cli",
        &[
            "model",
            "hiveql",
            "analysis",
            "policy",
            "lineage",
            "engine",
            "store",
            "exchange",
            "sentry",
            "metastore",
            "wire",
            "questions",
            "server",
        ],
    ),
];

/// Crates that take values and give values: no IO, no async, no clock, no logging, no wire format.
const PURE: &[&str] = &["model", "hiveql", "analysis", "policy", "lineage"];

/// What a pure crate may depend on outside this workspace.
const PURE_DEPENDENCIES: &[&str] = &["bumpalo", "memchr", "rpds", "rustc-hash", "smallvec", "smol_str"];

/// Text that has no place in a pure crate.
const IMPURE: &[&str] = &[
    "std::fs",
    "std::io",
    "std::net",
    "std::env",
    "std::process",
    "std::thread",
    "std::time",
    "SystemTime::",
    "Instant::now",
    "println!",
    "eprintln!",
    "async fn",
    "serde::",
    "serde_json::",
    "tracing::",
    "log::",
];

/// Lints that every pure crate turns into errors for its own code.
const PANIC_LINTS: &[&str] = &["unwrap_used", "expect_used", "panic", "indexing_slicing", "string_slice"];

/// A file past this many lines has two subjects. Tables of facts are counted in their own files.
const LONGEST_FILE_LINES: usize = 600;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn crates() -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(root().join("crates"))
        .expect("the workspace has crates")
        .map(|entry| entry.expect("a readable folder").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// The dependencies of one section of a crate's manifest.
fn dependencies(name: &str, section: &str) -> Vec<String> {
    let manifest = read(&root().join("crates").join(name).join("Cargo.toml"));
    manifest
        .lines()
        .skip_while(|line| line.trim() != format!("[{section}]"))
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|line| line.split(['.', '=', ' ']).next().unwrap_or("").to_owned())
        .collect()
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Does `word` stand in the code, and not as the end of a longer word?
fn holds_word(code: &str, word: &str) -> bool {
    let starts_word = |before: &str| !before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
    code.match_indices(word).any(|(place, _)| code.get(..place).is_some_and(starts_word))
}

#[test]
fn words_that_only_end_alike_are_pure() {
    assert!(holds_word("use serde::Serialize;", "serde::"));
    assert!(holds_word("log::info!()", "log::"));
    assert!(!holds_word("use crate::catalog::Table;", "log::"));
    assert!(!holds_word("fn serde_format()", "serde::"));
}

#[test]
fn crates_use_only_what_lies_below_them() {
    let allowed: BTreeMap<&str, &[&str]> = ARROWS.iter().copied().collect();
    for name in crates() {
        let below =
            allowed.get(name.as_str()).unwrap_or_else(|| panic!("crate `{name}` has no arrows in this test"));
        for dependency in dependencies(&name, "dependencies") {
            if let Some(ours) = dependency.strip_prefix("guardbee-") {
                assert!(below.contains(&ours), "`{name}` must not use `{ours}`");
            }
        }
    }
}

#[test]
fn pure_crates_depend_on_little() {
    for name in PURE {
        for dependency in dependencies(name, "dependencies") {
            let known =
                dependency.starts_with("guardbee-") || PURE_DEPENDENCIES.contains(&dependency.as_str());
            assert!(known, "`{name}` depends on `{dependency}`, which this test does not know as pure");
        }
    }
}

#[test]
fn pure_crates_do_no_io() {
    for name in PURE {
        for file in sources(&root().join("crates").join(name).join("src")) {
            let text = read(&file);
            let code = text.split("#[cfg(test)]").next().unwrap_or("");
            for (number, line) in code.lines().enumerate() {
                let statement = line.split("//").next().unwrap_or("");
                for word in IMPURE {
                    assert!(
                        !holds_word(statement, word),
                        "{}:{}: `{word}` in a pure crate",
                        file.display(),
                        number + 1
                    );
                }
            }
        }
    }
}

#[test]
fn pure_crates_deny_panics() {
    for name in PURE {
        let text = read(&root().join("crates").join(name).join("src/lib.rs"));
        for lint in PANIC_LINTS {
            assert!(text.contains(&format!("clippy::{lint}")), "crate `{name}` does not deny `{lint}`");
        }
    }
}

#[test]
fn files_have_one_subject() {
    let mut long = Vec::new();
    for name in crates() {
        for file in sources(&root().join("crates").join(&name).join("src")) {
            let lines = read(&file).lines().count();
            if lines > LONGEST_FILE_LINES {
                long.push(format!("{} has {lines} lines", file.display()));
            }
        }
    }
    assert!(long.is_empty(), "more than {LONGEST_FILE_LINES} lines:\n{}", long.join("\n"));
}

#[test]
fn every_crate_opens_with_what_it_is_for() {
    for name in crates() {
        let folder = root().join("crates").join(&name).join("src");
        let entry = [folder.join("lib.rs"), folder.join("main.rs")].into_iter().find(|path| path.is_file());
        let text = read(&entry.unwrap_or_else(|| panic!("crate `{name}` has no entry file")));
        assert!(text.starts_with("//!"), "crate `{name}` does not open with what it is for");
    }
}
