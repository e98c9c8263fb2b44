//! Searching and describing datasets, over a small warehouse: each line of `data/search.txt` is a search with its answer.

mod support;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use guardbee_analysis::{Catalog, Session};
use guardbee_engine::desired::{PolicyFile, desired_policy};
use guardbee_engine::lineage::Lineage;
use guardbee_engine::{Completeness, EngineOptions};
use guardbee_hiveql::script::Script;
use guardbee_lineage::{Context, DatasetName, Input, Run, RunKey, Target, WriteKind};
use guardbee_model::{HiveVersion, Name, TableName};
use guardbee_policy::{Change, Ownership, Principal, Resource, Settings, Timestamp};
use guardbee_questions::{
    AccessQuestion, AnalyzeRequest, AnalyzedText, DatasetsQuestion, DescribeQuestion, Listed, Unanswered,
    access, analyze, datasets, describe,
};
use guardbee_wire::datasets::{FoundDataset, TagOn};

use support::{NOW, Warehouse};

const DDL: &str = "
CREATE DATABASE sales COMMENT 'What was sold';
CREATE DATABASE hr;
CREATE TABLE sales.orders (id INT, customer_id INT COMMENT 'who bought', amount DECIMAL(10,2));
CREATE TABLE sales.order_items (order_id INT, sku STRING);
CREATE TABLE sales.customers (id INT, email STRING, phone STRING) COMMENT 'Everybody who ever ordered';
CREATE VIEW sales.loyal AS SELECT id, email FROM sales.customers;
CREATE TABLE hr.salaries (person STRING, amount DECIMAL(10,2)) PARTITIONED BY (year INT);
CREATE TABLE hr.customers (id INT);
";
const POLICY: &str = "
CREATE ROLE seller;
GRANT ROLE seller TO USER ana;
GRANT SELECT ON TABLE sales.orders TO ROLE seller;
GRANT SELECT ON TABLE sales.customers TO ROLE seller;
CREATE TAG pii;
CREATE TAG trade_secret;
SET TAG pii ON TABLE sales.customers;
SET TAG trade_secret ON TABLE hr.salaries;
GRANT ROLE admin TO USER root;
";

/// The warehouse of all of them.
async fn shop() -> Warehouse {
    let mut session = Session::new(Catalog::new(), HiveVersion::V3_1);
    for piece in Script::new(DDL) {
        let analysis = session.analyze(piece.text.trim());
        assert!(analysis.diagnostics.is_empty(), "{:?}", analysis.diagnostics);
    }
    let file = PolicyFile { label: "policy.sql", text: POLICY };
    let options = EngineOptions { completeness: Completeness::Partial, ..EngineOptions::default() };
    let mut policy = desired_policy(&[file], &Settings::default(), options).await.expect("a sound policy");
    let resource = Resource::Table(TableName::new(Name::fold("sales"), Name::fold("orders")));
    let owner = Principal::user("keeper");
    policy.apply(Change::PutOwner(Ownership { resource, owner })).expect("anybody may own it");
    let catalog = Arc::new(session.catalog().clone());
    Warehouse { catalog, policy, ..Warehouse::of(&[copied()]).await }
}

async fn searched(warehouse: &Warehouse, words: &str) -> Vec<FoundDataset> {
    let found = datasets(&warehouse.ground(), &DatasetsQuestion::about(words)).await;
    found.expect("it is a search").datasets
}

/// A run that wrote `raw.clicks` from files; the catalog knows neither.
fn copied() -> Run {
    let clicks = DatasetName::Table(TableName::new(Name::fold("raw"), Name::fold("clicks")));
    let files = DatasetName::Path("hdfs://nn/landing/clicks_2026".into());
    let column = guardbee_lineage::TargetColumn {
        name: Name::fold("clicked_sku"),
        expression: None,
        derivation: guardbee_lineage::Derivation::Script,
        sources: Vec::new(),
        influences: Vec::new(),
    };
    Run {
        key: RunKey("load".into()),
        operation: "LOAD".into(),
        started_at: None,
        ended_at: Timestamp(NOW.0 - 60_000),
        context: Arc::new(Context { user: "etl".into(), ..Context::default() }),
        inputs: vec![Input { dataset: files.clone(), partitions: Vec::new(), through: Arc::from([]) }],
        targets: vec![Target {
            dataset: clicks,
            write: WriteKind::Append,
            partition: Vec::new(),
            columns: vec![column],
            influences: Vec::new(),
            whole: vec![files],
        }],
        changes: Vec::new(),
    }
}

/// `UPDATE_EXPECTED=1` rewrites the answers.
#[tokio::test]
async fn searches_find_what_is_written() {
    let (all, ana) = (shop().await, shop().await.seen_by("ana"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/search.txt");
    let expected = fs::read_to_string(&path).expect("there are searches");
    let mut found = String::new();
    for line in expected.lines().filter(|line| !line.starts_with("    ")) {
        writeln!(found, "{line}").expect("text takes it");
        let Some((who, words)) = line.split_once(": ") else { continue };
        let warehouse = if who == "ana" { &ana } else { &all };
        for dataset in searched(warehouse, words).await {
            let found_in =
                dataset.found_in.iter().map(|one| format!("{} {} `{}`", one.how, one.field, one.text));
            let found_in = found_in.collect::<Vec<_>>().join(", ");
            writeln!(found, "    {} ({}): {found_in}", dataset.name, dataset.kind).expect("text takes it");
        }
    }
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        fs::write(&path, &found).expect("it can be written");
        return;
    }
    assert_eq!(found, expected, "UPDATE_EXPECTED=1 rewrites it");
}

#[tokio::test]
async fn pages_are_the_whole_in_order() {
    let warehouse = shop().await;
    let whole: Vec<String> = searched(&warehouse, "s").await.into_iter().map(|found| found.name).collect();
    assert!(whole.len() > 4, "{whole:?}");
    let (mut pages, mut names) = (0, Vec::new());
    let mut question = DatasetsQuestion { limit: 2, ..DatasetsQuestion::about("s") };
    loop {
        let page = datasets(&warehouse.ground(), &question).await.expect("an answer");
        pages += 1;
        assert!(page.datasets.len() <= 2);
        names.extend(page.datasets.into_iter().map(|found| found.name));
        question.cursor = page.next;
        if question.cursor.is_none() {
            break;
        }
    }
    assert_eq!(names, whole);
    assert_eq!(pages, whole.len().div_ceil(2));
    let wrong = DatasetsQuestion { cursor: Some("x".to_owned()), ..question };
    assert!(matches!(datasets(&warehouse.ground(), &wrong).await, Err(Unanswered::WrongUse(_))));
}

/// What comes, goes and is renamed is found as it is, without anybody making the index anew.
#[tokio::test]
async fn the_index_follows() {
    let mut warehouse = shop().await;
    assert_eq!(searched(&warehouse, "salaries").await.len(), 1);
    let mut session = Session::new((*warehouse.catalog).clone(), HiveVersion::V3_1);
    for statement in [
        "ALTER TABLE hr.salaries RENAME TO hr.wages",
        "ALTER TABLE sales.orders ADD COLUMNS (voucher STRING)",
        "DROP TABLE hr.customers",
        "CREATE TABLE hr.absences (person STRING)",
    ] {
        session.analyze(statement);
    }
    warehouse.catalog = Arc::new(session.catalog().clone());
    let names = async |words: &str| -> Vec<String> {
        searched(&warehouse, words).await.into_iter().map(|found| found.name).collect()
    };
    assert_eq!(names("salaries").await, [""; 0]);
    assert_eq!(names("wages").await, ["hr.wages"]);
    assert_eq!(names("voucher").await, ["sales.orders"]);
    assert_eq!(names("customers").await, ["sales.customers", "sales.orders"], "one by its name, one nearly");
    assert_eq!(names("absences").await, ["hr.absences"]);

    let lineage = Lineage::open(warehouse.storage.clone()).await.expect("the runs are there");
    let clicks = DatasetName::Table(TableName::new(Name::fold("raw"), Name::fold("clicks")));
    let mut run = copied();
    run.key = RunKey("drop".into());
    run.ended_at = NOW;
    (run.inputs, run.targets) = (Vec::new(), Vec::new());
    run.changes = vec![guardbee_lineage::DatasetChange::Drop { dataset: clicks }];
    lineage.record(&[run]).await.expect("a run can be recorded");
    warehouse.graph = lineage.snapshot().graph.clone();
    let names: Vec<String> =
        searched(&warehouse, "clicks").await.into_iter().map(|found| found.name).collect();
    assert_eq!(names, ["hdfs://nn/landing/clicks_2026"]);
}

#[tokio::test]
async fn a_dataset_is_described_as_it_is_known() {
    let warehouse = shop().await;
    let about = async |dataset: &str| {
        let described = describe(&warehouse.ground(), &DescribeQuestion::about(dataset)).await;
        described.map(|document| document.described)
    };
    let customers = about("sales.customers").await.expect("it is there");
    assert_eq!((&*customers.kind, customers.in_catalog, customers.closed), ("table", true, false));
    assert_eq!(customers.comment.as_deref(), Some("Everybody who ever ordered"));
    assert_eq!(customers.tags, [TagOn { tag: "pii".to_owned(), value: None, by: "own".into() }]);
    let columns: Vec<(&str, Option<&str>)> =
        customers.columns.iter().map(|column| (column.name.as_str(), column.data_type.as_deref())).collect();
    assert_eq!(columns, [("id", Some("int")), ("email", Some("string")), ("phone", Some("string"))]);
    let salaries = about("hr.salaries").await.expect("it is there");
    assert!(salaries.columns.last().is_some_and(|column| column.name == "year" && column.partition));
    assert_eq!(about("sales.orders").await.expect("it is there").owner.as_deref(), Some("keeper"));
    let one = about("sales.orders.customer_id").await.expect("it is there");
    assert_eq!(one.columns.len(), 1);
    assert_eq!(one.columns[0].comment.as_deref(), Some("who bought"));
    let clicks = about("raw.clicks").await.expect("a run tells of it");
    assert_eq!((clicks.in_catalog, clicks.counts.versions, clicks.counts.reads), (false, 1, 0));
    let written = clicks.last_write.expect("it was written");
    assert_eq!((written.run.as_str(), written.user.as_deref()), ("load", Some("etl")));
    let files = about("hdfs://nn/landing/clicks_2026").await.expect("a run tells of it");
    assert_eq!(files.last_read.map(|read| read.operation).as_deref(), Some("LOAD"));
    assert!(matches!(about("hr.absent").await, Err(Unanswered::NotFound(_))));

    let ana = shop().await.seen_by("ana");
    let hidden = describe(&ana.ground(), &DescribeQuestion::about("hr.salaries")).await;
    let missing = describe(&ana.ground(), &DescribeQuestion::about("hr.absent")).await;
    let (hidden, missing) = (hidden.expect_err("hidden"), missing.expect_err("missing"));
    assert_eq!(hidden.to_string().replace("salaries", "absent"), missing.to_string());
}

#[tokio::test]
async fn who_has_access_is_said_privilege_by_privilege() {
    let warehouse = shop().await;
    let document = access(&warehouse.ground(), &AccessQuestion::about("sales.orders")).await;
    let document = document.expect("it is there");
    let who = |privilege: &str| -> Vec<String> {
        let line = document.privileges.iter().find(|line| line.privilege == privilege);
        line.into_iter().flat_map(|line| &line.holders).map(|holder| holder.principal.to_string()).collect()
    };
    assert!(who("SELECT").contains(&"role seller".to_owned()), "{:?}", who("SELECT"));
    assert!(!who("INSERT").contains(&"role seller".to_owned()), "{:?}", who("INSERT"));
    let absent = access(&warehouse.ground(), &AccessQuestion::about("sales.absent")).await;
    assert!(matches!(absent, Err(Unanswered::NotFound(_))));
}

/// What somebody may not know of is to them as if it were not there, also behind a view.
#[tokio::test]
async fn an_analysis_tells_nothing_of_what_may_not_be_known() {
    let asked = |texts: &[&str]| AnalyzeRequest {
        texts: texts
            .iter()
            .map(|text| AnalyzedText { label: "-e".to_owned(), text: (*text).to_owned() })
            .collect(),
        database: "default".to_owned(),
        hivevar: Vec::new(),
        hiveconf: Vec::new(),
        listed: Listed::All,
    };
    let analyzed = async |warehouse: &Warehouse, texts: &[&str]| {
        let document =
            analyze(&warehouse.ground(), &asked(texts), HiveVersion::V3_1).await.expect("an answer");
        serde_json::to_string(&document).expect("plain data")
    };
    let with_view = async || {
        let mut warehouse = shop().await;
        let mut session = Session::new((*warehouse.catalog).clone(), HiveVersion::V3_1);
        session.analyze("CREATE VIEW sales.wage_bill AS SELECT year, amount FROM hr.salaries");
        warehouse.catalog = Arc::new(session.catalog().clone());
        let grant = "CREATE ROLE seller; GRANT ROLE seller TO USER ana; GRANT SELECT ON DATABASE sales TO ROLE seller;";
        let file = PolicyFile { label: "policy.sql", text: grant };
        let options = EngineOptions { completeness: Completeness::Partial, ..EngineOptions::default() };
        warehouse.policy =
            desired_policy(&[file], &Settings::default(), options).await.expect("a sound policy");
        warehouse
    };
    let (all, ana) = (with_view().await, with_view().await.seen_by("ana"));
    for statement in [
        "SELECT * FROM hr.salaries",
        "SELECT person FROM hr.salaries JOIN sales.orders ON (salaries.amount = orders.amount)",
        "DROP TABLE hr.salaries",
        "ALTER TABLE hr.salaries ADD COLUMNS (x INT)",
        "CREATE TABLE hr.salaries (x INT)",
        "INSERT INTO hr.salaries SELECT id, amount, 1 FROM sales.orders",
        "USE hr; SELECT * FROM salaries",
        "DROP DATABASE hr",
        "CREATE TABLE sales.copy LIKE hr.salaries; SELECT * FROM sales.copy",
        "SELECT * FROM hr.salarie",
    ] {
        let hidden = analyzed(&ana, &[statement]).await;
        let absent = analyzed(&ana, &[&statement.replace("salaries", "absences").replace("hr", "xr")]).await;
        let absent = absent.replace("absences", "salaries").replace("xr", "hr");
        assert_eq!(hidden, absent, "{statement}");
        assert_ne!(analyzed(&all, &[statement]).await, hidden, "{statement}");
    }
    let through = analyzed(&ana, &["SELECT amount FROM sales.wage_bill"]).await;
    assert!(!through.contains("salaries") && through.contains("\"view\""), "{through}");
    assert!(analyzed(&all, &["SELECT amount FROM sales.wage_bill"]).await.contains("hr.salaries"));
    // Twice, for what stands in for the view goes with its statement.
    let twice = analyzed(&ana, &["SELECT amount FROM sales.wage_bill; DROP VIEW sales.wage_bill"]).await;
    assert!(twice.contains("\"errors\":0,\"warnings\":0"), "{twice}");
    let own =
        analyzed(&ana, &["CREATE TABLE hr.own AS SELECT id FROM sales.orders; SELECT id FROM hr.own"]).await;
    assert!(own.contains("{\"table\":\"hr.own\",\"column\":\"id\",\"resolved\":true"), "{own}");
    let seen = "SELECT email FROM sales.customers; SELECT * FROM sales.loyal";
    assert_eq!(analyzed(&ana, &[seen]).await, analyzed(&all, &[seen]).await);
}
