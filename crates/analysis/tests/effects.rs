//! Statements and what they do, as text files: `tests/data/*.effects`.
//!
//! A file is one session. It starts with `version: 4.0`; then come blocks, with an empty line between
//! them. In a block, lines that start with `> ` are one statement, and the others are what is expected
//! of it, as `effects/describe.rs` writes it. Lines that start with `#` are remarks.
//!
//! `UPDATE_EXPECTED=1 cargo test` writes what comes out into the files: read the difference.

#[path = "effects/describe.rs"]
mod describe;

use std::path::Path;

use guardbee_analysis::{Catalog, Session};
use guardbee_testkit::statement_files::differences;

#[test]
fn statements_do_what_the_files_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let differences = differences(&folder, "effects", |version| {
        let mut session = Session::new(Catalog::new(), version);
        move |_, statement| describe::describe(&session.analyze(statement))
    });
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
