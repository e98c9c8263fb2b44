//! Running one file of statements, and comparing or rewriting what is expected.

mod describe;

use std::path::Path;

use guardbee_analysis::{Catalog, Session};
use guardbee_model::HiveVersion;

use describe::describe;

/// Runs a file; the answer is how it differs from what it expects.
pub fn run_file(path: &Path) -> Option<String> {
    let text = std::fs::read_to_string(path).expect("a readable file");
    let mut blocks = text.split("\n\n").map(str::trim_end);
    let header = blocks.next().unwrap_or_default();
    let version = header
        .lines()
        .find_map(|line| line.strip_prefix("version: "))
        .map_or(HiveVersion::default(), |version| version.parse().expect("a version of Hive"));
    let mut session = Session::new(Catalog::new(), version);
    let mut result = header.to_owned();
    for block in blocks {
        result.push_str("\n\n");
        result.push_str(&run_block(&mut session, block));
    }
    result.push('\n');
    if result == text {
        return None;
    }
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        std::fs::write(path, result).expect("a writable file");
        return None;
    }
    Some(difference(path, &text, &result))
}

/// The block with what really comes of its statement.
fn run_block(session: &mut Session, block: &str) -> String {
    let statement: Vec<&str> = block.lines().filter_map(|line| line.strip_prefix("> ")).collect();
    let kept = block.lines().filter(|line| line.starts_with("> ") || line.starts_with('#'));
    let mut lines: Vec<String> = kept.map(str::to_owned).collect();
    if !statement.is_empty() {
        lines.extend(describe(&session.analyze(&statement.join("\n"))));
    }
    lines.join("\n")
}

fn difference(path: &Path, expected: &str, got: &str) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut differences = Vec::new();
    let (mut expected, mut got) = (expected.split("\n\n"), got.split("\n\n"));
    loop {
        let (expected, got) = match (expected.next(), got.next()) {
            (None, None) => break,
            (expected, got) => (expected.unwrap_or("(no block)"), got.unwrap_or("(no block)")),
        };
        if expected.trim_end() != got.trim_end() {
            differences.push(format!("{name}\n--- expected\n{expected}\n--- got\n{got}"));
        }
    }
    if differences.is_empty() {
        differences.push(format!("{name}: only blanks or line ends differ"));
    }
    differences.join("\n\n")
}
