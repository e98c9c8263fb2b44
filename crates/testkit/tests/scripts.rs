//! Pieces of scripts and client commands, over the statements of Hive's own tests.
//!
//! The corpora lie beside a checkout, or where `GUARDBEE_SHARED` points; without them the tests say
//! that they skip.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;

use flate2::read::GzDecoder;
use guardbee_hiveql::command::ClientCommand;
use guardbee_hiveql::script::Script;
use serde::Deserialize;

#[derive(Deserialize)]
struct TestFile {
    #[serde(default)]
    file: String,
    #[serde(default)]
    statements: Vec<Statement>,
}

#[derive(Deserialize)]
struct Statement {
    sql: String,
    op: Option<String>,
}

/// Operation types that are client commands. DELETE is one, too: the statement of that name is a QUERY.
const COMMANDS: [&str; 12] = [
    "SET", "RESET", "DFS", "ADD", "SHELL", "DELETE", "LIST", "SOURCE", "COMPILE", "RELOAD", "CRYPTO",
    "ERASURE",
];

/// Says so where the harness, which keeps what tests print to itself, cannot hide it.
fn left_out(reason: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "left out in scripts.rs: {reason}");
}

fn test_files() -> Vec<TestFile> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let corpus = std::env::var_os("GUARDBEE_SHARED").map_or_else(beside, PathBuf::from).join("corpus");
    let Ok(entries) = fs::read_dir(&corpus) else {
        left_out("no corpus found");
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.to_string_lossy().ends_with("-dev.jsonl.gz"));
    paths.sort();
    paths
        .iter()
        .flat_map(|path| BufReader::new(GzDecoder::new(File::open(path).unwrap())).lines())
        .filter_map(|line| serde_json::from_str(&line.unwrap()).ok())
        .collect()
}

#[test]
fn exactly_the_client_commands_are_recognised() {
    let mut commands = 0;
    let mut wrong = Vec::new();
    for statement in test_files().iter().flat_map(|file| &file.statements) {
        let Some(operation) = statement.op.as_deref() else { continue };
        let expected = Some(operation).filter(|operation| COMMANDS.contains(operation));
        let found = ClientCommand::parse(&statement.sql).map(|command| command.name());
        commands += usize::from(expected.is_some());
        if found != expected {
            wrong.push(format!("{found:?} instead of {expected:?}: {}", statement.sql));
        }
    }
    eprintln!("{commands} client commands");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_script_falls_into_the_statements_it_was_made_of() {
    let mut pieces = 0;
    let mut wrong = Vec::new();
    for file in test_files() {
        let script: String =
            file.statements.iter().map(|statement| statement.sql.clone() + "\n;\n").collect();
        let mut found = Script::new(&script);
        // What the recording masks looks like one of beeline's comments.
        for statement in file.statements.iter().filter(|statement| !statement.sql.starts_with('#')) {
            pieces += 1;
            let piece = found.next().map_or("", |piece| piece.text);
            if !statement.sql.trim().ends_with(piece) {
                wrong.push(format!("{}: `{piece}` instead of `{}`", file.file, statement.sql));
                break;
            }
        }
    }
    eprintln!("{pieces} pieces");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
