//! The example warehouse as the compiler of Hive 3.1.3 sees it: our answer is Hive's for every statement,
//! but for the differences that are named here.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use guardbee_analysis::Catalog;
use guardbee_hiveql::script::Script;
use guardbee_model::HiveVersion;
use guardbee_testkit::golden::{GoldenFlags, GoldenRecord, GoldenStatement};
use guardbee_testkit::predict::{PredictedColumn, Prediction, predict_record};
use serde::Deserialize;

/// The order in which the folders were compiled.
const LAYERS: [&str; 4] = ["ddl", "etl", "marts", "exports"];

/// To Hive, every column that passes a window function is part of the condition on its result
/// (`WHERE newest = 1`). Ours are the columns that the window looks at.
const WINDOW: &str = "every column that passes a window function";
/// The tables of the answers are empty: what Hive lists by partition is not there.
const PARTITIONS: &str = "Hive lists partitions, and there are none";

/// What differs, and why.
const KNOWN: &[(&str, &str)] = &[
    ("etl/load_campaigns.hql:18 predicates", WINDOW),
    ("etl/load_customers.hql:17 predicates", WINDOW),
    ("etl/load_orders.hql:7 predicates", WINDOW),
    ("etl/load_subscriptions.hql:9 predicates", WINDOW),
    ("etl/load_usage.hql:26 predicates", WINDOW),
    ("etl/register_partitions.hql:33 outputs", PARTITIONS),
    ("exports/archive.hql:8 inputs", PARTITIONS),
    (
        "etl/build_facts.hql:33 predicates",
        "Hive names `quantity` where the second key of the join is `line_no`",
    ),
];

/// Hive's answer to one statement.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Answer {
    file: String,
    line: u32,
    op: Option<String>,
    skipped: Option<String>,
    inputs: Vec<String>,
    /// Inputs that are reached through a view; they are among `inputs`, too.
    indirect: Vec<String>,
    outputs: Vec<String>,
    predicates: BTreeSet<String>,
    lineage: Vec<Column>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Column {
    target: String,
    kind: String,
    sources: BTreeSet<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/warehouse")
}

fn answers() -> Vec<Answer> {
    let text = fs::read_to_string(root().join("oracle-lineage.json")).expect("Hive's answers are there");
    serde_json::from_str(&text).expect("the answers are JSON")
}

/// What we say about all statements, by file and line. They are one session, as before the compiler.
fn predictions() -> BTreeMap<(String, u32), Prediction> {
    let mut places = Vec::new();
    let mut statements = Vec::new();
    for file in LAYERS.iter().flat_map(|layer| scripts(&root().join(layer))) {
        let text = fs::read_to_string(&file).expect("a script is UTF-8");
        let name = file.strip_prefix(root()).expect("it is below").display().to_string();
        places.push((name.clone(), 0));
        statements.push(statement("USE default"));
        for piece in Script::new(&text) {
            let line = 1 + text[..piece.span.start as usize].matches('\n').count();
            places.push((name.clone(), u32::try_from(line).expect("a short file")));
            statements.push(statement(piece.text));
        }
    }
    let record = GoldenRecord {
        file: "warehouse".to_owned(),
        recorded_by: None,
        datasets: Vec::new(),
        tpcds: false,
        flags: GoldenFlags::default(),
        statements,
    };
    let predictions = predict_record(&record, Catalog::new(), HiveVersion::V3_1);
    assert_eq!(predictions.len(), places.len());
    places.into_iter().zip(predictions).collect()
}

fn scripts(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the layer is there");
    let paths = entries.map(|entry| entry.expect("a readable folder").path());
    let mut scripts: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "hql")).collect();
    scripts.sort();
    scripts
}

fn statement(sql: &str) -> GoldenStatement {
    GoldenStatement { sql: Some(sql.to_owned()), ..GoldenStatement::default() }
}

/// Tables and databases without their partitions, which depend on data, and without the helper that stands
/// for no table at all.
fn entities(answer: &[String]) -> BTreeSet<String> {
    let names = answer.iter().filter(|name| name.contains('@') || name.starts_with("database:"));
    let tables = names.map(|name| name.splitn(3, '@').take(2).collect::<Vec<_>>().join("@"));
    tables.filter(|name| name != "_dummy_database@_dummy_table").collect()
}

/// Hive's name of a source: a whole table is one without a column.
fn source(name: &str) -> String {
    name.strip_suffix(".*").unwrap_or(name).to_owned()
}

#[test]
fn every_statement_is_as_hive_sees_it() {
    let predictions = predictions();
    let mut differences = Vec::new();
    for answer in answers().iter().filter(|answer| answer.skipped.is_none()) {
        let place = (answer.file.clone(), answer.line);
        let ours = predictions.get(&place).unwrap_or_else(|| panic!("there is no statement at {place:?}"));
        let found = compare(answer, ours);
        differences
            .extend(found.into_iter().map(|(what, how)| (format!("{}:{} {what}", place.0, place.1), how)));
    }
    let known: BTreeSet<&str> = KNOWN.iter().map(|(difference, _)| *difference).collect();
    let new: Vec<String> = differences
        .iter()
        .filter(|(what, _)| !known.contains(what.as_str()))
        .map(|(what, how)| format!("{what}: {how}"))
        .collect();
    assert!(new.is_empty(), "not as Hive sees it:\n{}", new.join("\n"));
    let found: BTreeSet<&str> = differences.iter().map(|(what, _)| what.as_str()).collect();
    let gone: Vec<&&str> = known.difference(&found).collect();
    assert!(gone.is_empty(), "no difference any more: {gone:?}");
}

/// What differs, and how.
fn compare(hive: &Answer, ours: &Prediction) -> Vec<(String, String)> {
    let mut differences = Vec::new();
    let mut note = |what: &str, hive: String, ours: String| {
        if hive != ours {
            differences.push((what.to_owned(), format!("Hive {hive}, ours {ours}")));
        }
    };
    note("operation", format!("{:?}", hive.op.as_deref()), format!("{:?}", ours.op));
    note("error", "None".to_owned(), format!("{:?}", ours.error));
    note("inputs", format!("{:?}", entities(&hive.inputs)), format!("{:?}", entities(&ours.inputs)));
    note("outputs", format!("{:?}", entities(&hive.outputs)), format!("{:?}", entities(&ours.outputs)));
    if hive.lineage.is_empty() {
        return differences;
    }
    // A multi-insert may have the same target several times.
    let mut left: Vec<&PredictedColumn> = ours.columns.iter().collect();
    for column in &hive.lineage {
        let place = left.iter().position(|ours| ours.target == column.target);
        let ours = place.map(|place| left.remove(place));
        let sources: Option<BTreeSet<String>> =
            ours.map(|ours| ours.sources.iter().map(|name| source(name)).collect());
        let is_window = column.kind == "SCRIPT"
            && sources.as_ref().is_some_and(|sources| sources.is_subset(&column.sources));
        if !is_window {
            note(&column.target, format!("{:?}", Some(&column.sources)), format!("{:?}", sources.as_ref()));
        }
        let what = format!("kind of {}", column.target);
        note(&what, format!("{:?}", Some(column.kind.as_str())), format!("{:?}", ours.map(|ours| ours.kind)));
    }
    for column in left {
        note(&column.target, "nothing".to_owned(), format!("{:?}", column.sources));
    }
    let influences: BTreeSet<String> = ours.influences.iter().map(|name| source(name)).collect();
    let missing: Vec<&String> = hive.predicates.difference(&influences).collect();
    note("predicates", "[]".to_owned(), format!("{missing:?}"));
    differences
}
