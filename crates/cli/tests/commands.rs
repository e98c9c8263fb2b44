//! The command as a person uses it: what is typed and what comes out, as text files. A file holds one
//! behaviour; the guides hold examples, which are run as well. `TRYCMD=overwrite` rewrites them.

use std::env;
use std::fs;
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

/// The guide to policies makes a store and changes it, in a folder of its own.
#[test]
fn policies_are_managed_as_the_guide_says() {
    guide("policy");
}

/// The same for the guide to lineage.
#[test]
fn runs_are_recorded_as_the_guide_says() {
    guide("lineage");
}

/// The same for the guide to tags.
#[test]
fn tags_go_as_the_guide_says() {
    guide("tags");
}

fn guide(name: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let guide = root.join(format!("docs/{name}.md"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-guide-{}", std::process::id()));
    let files = folder.join(format!("{name}.in"));
    copy(&root.join(format!("crates/cli/tests/guides/{name}.in")), &files);
    copy(&root.join("examples"), &files.join("examples"));
    // That there is such a folder lets the commands of the guide change their files.
    fs::create_dir_all(folder.join(format!("{name}.out"))).expect("a folder can be made");
    let copied = folder.join(format!("{name}.md"));
    fs::copy(&guide, &copied).expect("the guide is there");
    cases(100).case(&copied);
    if env::var("TRYCMD").is_ok_and(|wish| wish == "overwrite") {
        fs::copy(&copied, &guide).expect("the guide can be written");
    }
    let _ = fs::remove_dir_all(&folder);
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder can be made");
    for entry in fs::read_dir(from).expect("the folder is there") {
        let entry = entry.expect("a readable folder");
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            fs::copy(&from, &to).expect("a file can be copied");
        }
    }
}

fn cases(width: usize) -> trycmd::TestCases {
    let cases = trycmd::TestCases::new();
    cases.env("COLUMNS", width.to_string()).env("NO_COLOR", "1").env("DAY", "2026-11-29");
    cases
}
