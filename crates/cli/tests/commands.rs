//! The command as a person uses it: what is typed and what comes out, as text files. A file holds one
//! behaviour; the guides hold examples, which are run as well. `TRYCMD=overwrite` rewrites them.

use std::env;
use std::path::Path;

#[test]
fn commands_answer_as_written() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    env::set_current_dir(root).expect("the root of the repository is there");
    cases(100).case("crates/cli/tests/commands/*.trycmd").case("crates/cli/tests/commands/*.toml");
    cases(60).case("crates/cli/tests/narrow/*.trycmd");
    let guides = cases(100);
    for guide in ["README.md", "docs/analyze.md", "docs/trace.md", "docs/formats.md", "docs/catalog.md"] {
        if Path::new(guide).try_exists().is_ok_and(|exists| exists) {
            guides.case(guide);
        }
    }
}

fn cases(width: usize) -> trycmd::TestCases {
    let cases = trycmd::TestCases::new();
    cases.env("COLUMNS", width.to_string()).env("NO_COLOR", "1").env("DAY", "2026-11-29");
    cases
}
