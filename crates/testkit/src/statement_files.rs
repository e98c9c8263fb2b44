//! Files of statements with what comes of each as text.
//!
//! A file is one session. It starts with `version: 4.0`; then come blocks, with an empty line between them. In a block,
//! lines that start with `> ` are one statement, and the others are what is expected of it. Lines that start with `#` are
//! remarks. `UPDATE_EXPECTED=1` writes what really comes of the statements into the files.

use std::path::{Path, PathBuf};

use guardbee_model::HiveVersion;

/// Runs every file of a folder that has the ending, and says how each differs from what it expects. `open` opens the session
/// of a file; that is given the place of a block and its statement, and tells what came of it, line by line.
///
/// # Panics
/// Where there are no such files, or one cannot be read.
pub fn differences<S: FnMut(u32, &str) -> Vec<String>>(
    folder: &Path,
    ending: &str,
    mut open: impl FnMut(HiveVersion) -> S,
) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder of the files");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|found| found == ending)).collect();
    files.sort();
    assert!(!files.is_empty(), "no files in {}", folder.display());
    files.iter().filter_map(|path| run_file(path, &mut open)).collect()
}

fn run_file<S: FnMut(u32, &str) -> Vec<String>>(
    path: &Path,
    open: &mut impl FnMut(HiveVersion) -> S,
) -> Option<String> {
    let text = std::fs::read_to_string(path).expect("a readable file");
    let mut blocks = text.split("\n\n").map(str::trim_end);
    let header = blocks.next().unwrap_or_default();
    let version = header
        .lines()
        .find_map(|line| line.strip_prefix("version: "))
        .map_or(HiveVersion::default(), |version| version.parse().expect("a version of Hive"));
    let mut session = open(version);
    let mut result = header.to_owned();
    for (place, block) in (0..).zip(blocks) {
        result.push_str("\n\n");
        result.push_str(&run_block(&mut session, block, place));
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
fn run_block(session: &mut impl FnMut(u32, &str) -> Vec<String>, block: &str, place: u32) -> String {
    let statement: Vec<&str> = block.lines().filter_map(|line| line.strip_prefix("> ")).collect();
    let kept = block.lines().filter(|line| line.starts_with("> ") || line.starts_with('#'));
    let mut lines: Vec<String> = kept.map(str::to_owned).collect();
    if !statement.is_empty() {
        lines.extend(session(place, &statement.join("\n")));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_names_its_file_and_block() {
        let folder = std::env::temp_dir().join(format!("guardbee-statements-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("one.txt"), "version: 4.0\n\n# why\n> a\nA\n\n> b\nC\n").expect("written");
        std::fs::write(folder.join("two.other"), "version: 4.0\n\n> a\nB\n").expect("written");
        let open = |version| {
            assert_eq!(version, HiveVersion::V4_0);
            |_: u32, statement: &str| vec![statement.to_uppercase()]
        };
        let found = differences(&folder, "txt", open);
        std::fs::remove_dir_all(&folder).expect("removed");
        assert_eq!(found, ["one.txt\n--- expected\n> b\nC\n\n--- got\n> b\nB\n"]);
    }
}
