//! Statements and what they do, as text files: `tests/data/*.effects`.
//!
//! A file is one session. It starts with `version: 4.0`; then come blocks, with an empty line between
//! them. In a block, lines that start with `> ` are one statement, and the others are what is expected
//! of it, as `runner/describe.rs` writes it. Lines that start with `#` are remarks.
//!
//! `UPDATE_EXPECTED=1 cargo test` writes what comes out into the files: read the difference.

mod runner;

use std::path::PathBuf;

use runner::run_file;

#[test]
fn statements_do_what_the_files_say() {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(&directory)
        .expect("the data is there")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "effects"))
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "no files in {}", directory.display());
    let differences: Vec<String> = paths.iter().filter_map(|path| run_file(path)).collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
