//! What is measured: statements out of Hive's own tests where they lie beside the repository, else the
//! example warehouse.
//!
//! This crate holds inputs, [`figures`] and the collection of results only; the measurements are in `benches/`.

pub mod figures;

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use guardbee_hiveql::script::{PieceKind, Script as HiveScript};
use serde_json::Value;

/// Statements to measure with.
#[derive(Debug)]
pub struct Corpus {
    /// Where they come from: `golden` or `examples`.
    pub name: &'static str,
    /// Scripts in order: each is a session of its own.
    pub scripts: Vec<Script>,
}

#[derive(Debug, Default)]
pub struct Script {
    /// Statements that make the tables which the script takes for granted.
    pub init: String,
    pub statements: Vec<String>,
}

impl Corpus {
    /// Hive's own test statements, or else the example warehouse.
    ///
    /// # Errors
    /// What keeps the files from being read.
    pub fn load() -> anyhow::Result<Self> {
        let shared = root().join("../shared/corpus");
        if shared.join("hive-golden-dev.jsonl.gz").is_file() { golden(&shared) } else { examples() }
    }

    /// The TPC-DS queries of Hive's own tests; none without the corpus.
    ///
    /// # Errors
    /// What keeps the files from being read.
    pub fn tpcds() -> anyhow::Result<Option<Script>> {
        let shared = root().join("../shared/corpus");
        if !shared.join("hive-golden-dev.jsonl.gz").is_file() {
            return Ok(None);
        }
        let init = fs::read_to_string(shared.join("init-tpcds.sql"))?;
        let mut statements = Vec::new();
        for record in records(&shared.join("hive-golden-dev.jsonl.gz"))? {
            if record["tpcds"] == Value::Bool(true) {
                statements.extend(sql(&record).into_iter().filter(|statement| statement.len() > 400));
            }
        }
        Ok(Some(Script { init, statements }))
    }

    pub fn statements(&self) -> impl Iterator<Item = &str> {
        self.scripts.iter().flat_map(|script| &script.statements).map(String::as_str)
    }

    #[must_use]
    pub fn size_bytes(&self) -> usize {
        self.statements().map(str::len).sum()
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn records(path: &Path) -> anyhow::Result<Vec<Value>> {
    let mut text = String::new();
    GzDecoder::new(fs::File::open(path)?).read_to_string(&mut text)?;
    text.lines().map(|line| serde_json::from_str(line).map_err(Into::into)).collect()
}

/// The statements of a record that Hive ran as SQL.
fn sql(record: &Value) -> Vec<String> {
    const CLIENT: [&str; 14] = [
        "SET", "RESET", "DFS", "ADD", "LIST", "DELETE", "COMPILE", "SHELL", "SOURCE", "RELOAD", "CRYPTO",
        "ERASURE", "LLAP", "QUIT",
    ];
    record["statements"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|statement| statement["scored"] == Value::Bool(true))
        .filter(|statement| !CLIENT.contains(&statement["op"].as_str().unwrap_or("SET")))
        .filter_map(|statement| statement["sql"].as_str().map(str::to_owned))
        .collect()
}

/// The part of an init file that makes one dataset.
fn section(init: &str, dataset: &str) -> String {
    let head = format!("-- dataset: {dataset}\n");
    init.split_once(&head)
        .map_or_else(String::new, |(_, rest)| rest.split("-- dataset: ").next().unwrap_or("").to_owned())
}

fn golden(shared: &Path) -> anyhow::Result<Corpus> {
    let init = fs::read_to_string(shared.join("init.sql"))?;
    let mut scripts = Vec::new();
    for record in records(&shared.join("hive-golden-dev.jsonl.gz"))? {
        if record["tpcds"] == Value::Bool(true) {
            continue;
        }
        let datasets = record["datasets"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let init = datasets.map(|dataset| section(&init, dataset)).collect();
        scripts.push(Script { init, statements: sql(&record) });
    }
    Ok(Corpus { name: "golden", scripts })
}

fn examples() -> anyhow::Result<Corpus> {
    let mut files = Vec::new();
    let mut folders = vec![root().join("examples/warehouse")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "hql") {
                files.push(path);
            }
        }
    }
    files.sort();
    let mut statements = Vec::new();
    for file in files {
        let text = fs::read_to_string(file)?;
        let pieces = HiveScript::new(&text);
        statements.extend(
            pieces
                .filter(|piece| matches!(piece.kind, PieceKind::Statement))
                .map(|piece| piece.text.to_owned()),
        );
    }
    Ok(Corpus { name: "examples", scripts: vec![Script { init: String::new(), statements }] })
}
