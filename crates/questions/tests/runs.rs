//! Questions about recorded runs, over a store.

mod support;

use std::sync::Arc;

use guardbee_engine::desired::{PolicyFile, desired_policy};
use guardbee_engine::lineage::Lineage;
use guardbee_engine::{Completeness, EngineOptions, Viewer};
use guardbee_lineage::{
    ColumnSource, Context, DatasetName, Derivation, EdgeKind, Input, Run, RunKey, Target, TargetColumn,
    WriteKind,
};
use guardbee_model::{Name, TableName};
use guardbee_policy::{Identity, Settings, Timestamp};
use guardbee_questions::{
    AccessQuestion, AuditQuestion, DatasetsQuestion, DescribeQuestion, Direction, HistoryQuestion,
    ImpactQuestion, LeaksQuestion, Moment, PathQuestion, RunQuestion, RunsQuestion, TagsQuestion,
    TraceFormat, TraceQuestion, Unanswered, VerifyQuestion, WhoCouldQuestion, WhoDidQuestion, access, audit,
    datasets, describe, export, history, impact, leaks, path, run, runs, tags, trace, verify, who_could,
    who_did,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use support::{NOW, Warehouse};

/// A store in which each table of a row was made of the one before.
async fn row_of(tables: usize) -> Warehouse {
    let runs: Vec<Run> = (1..tables).map(made_of_the_one_before).collect();
    Warehouse::of(&runs).await
}

fn table(number: usize) -> DatasetName {
    DatasetName::Table(TableName::new(Name::fold("d"), Name::fold(&format!("t{number}"))))
}

fn made_of_the_one_before(number: usize) -> Run {
    let source = ColumnSource {
        dataset: table(number - 1),
        column: Name::fold("c"),
        kind: EdgeKind::Transformation,
        masked: false,
        unresolved: false,
        through: Arc::from([]),
    };
    let column = TargetColumn {
        name: Name::fold("c"),
        expression: Some(Arc::from("c  +\n1")),
        derivation: Derivation::Expression,
        sources: vec![source],
        influences: Vec::new(),
    };
    let minutes = i64::try_from(number).expect("a small number");
    Run {
        key: RunKey(format!("run{number}").into()),
        operation: "QUERY".into(),
        started_at: None,
        ended_at: Timestamp(NOW.0 - 3_600_000 + minutes * 60_000),
        context: Arc::new(Context { user: "etl".into(), ..Context::default() }),
        inputs: vec![Input { dataset: table(number - 1), partitions: Vec::new(), through: Arc::from([]) }],
        targets: vec![Target {
            dataset: table(number),
            write: WriteKind::Append,
            partition: Vec::new(),
            columns: vec![column],
            influences: Vec::new(),
            whole: Vec::new(),
        }],
        changes: Vec::new(),
    }
}

/// A question that says no more than it must means what the command line does without options.
fn says_no_more<Q>(least: serde_json::Value, meant: &Q)
where
    Q: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug,
{
    let read: Q = serde_json::from_value(least.clone()).expect("nothing is missing");
    assert_eq!(read, *meant);
    let again: Q =
        serde_json::from_value(serde_json::to_value(meant).expect("plain data")).expect("the same");
    assert_eq!(again, *meant);
    let mut strange = least;
    strange["colour"] = json!("red");
    let refused = serde_json::from_value::<Q>(strange).expect_err("nobody knows that field");
    assert!(refused.to_string().contains("colour"), "{refused}");
}

#[test]
fn questions_have_the_defaults_of_the_command_line() {
    says_no_more(json!({"dataset": "d.t"}), &TraceQuestion::about("d.t"));
    says_no_more(json!({"dataset": "d.t"}), &ImpactQuestion::about("d.t"));
    says_no_more(json!({"from": "a", "to": "b"}), &PathQuestion::between("a", "b"));
    says_no_more(json!({"dataset": "d.t"}), &HistoryQuestion::about("d.t"));
    says_no_more(json!({}), &RunsQuestion::default());
    says_no_more(json!({"q": "two words"}), &DatasetsQuestion::about("two words"));
    says_no_more(json!({"dataset": "d.t"}), &DescribeQuestion::about("d.t"));
    says_no_more(json!({"dataset": "d.t"}), &AccessQuestion::about("d.t"));
    says_no_more(json!({"dataset": "d.t"}), &TagsQuestion::about("d.t"));
    says_no_more(json!({}), &LeaksQuestion::default());
    says_no_more(json!({"privilege": "select", "dataset": "d.t"}), &WhoCouldQuestion::about("select", "d.t"));
    says_no_more(json!({"dataset": "d.t"}), &WhoDidQuestion::about("d.t"));
    says_no_more(json!({}), &AuditQuestion::default());
    says_no_more(json!({}), &VerifyQuestion::default());
}

#[test]
fn moments_are_text() {
    let question = |as_of: &str| {
        serde_json::from_value::<ImpactQuestion>(json!({"dataset": "d.t", "as_of": as_of}))
            .map(|question| question.as_of)
    };
    assert_eq!(question("1970-01-02").expect("a day"), Some(Moment(Timestamp(86_400_000))));
    assert_eq!(question("5").expect("milliseconds"), Some(Moment(Timestamp(5))));
    let refused = question("yesterday").expect_err("no moment");
    assert!(refused.to_string().starts_with("expected a moment such as"), "{refused}");
}

/// A service answers many at once.
#[tokio::test]
async fn answers_may_be_waited_for_anywhere() {
    fn anywhere<F: Future + Send>(_: F) {}
    let row = row_of(2).await;
    let ground = row.ground();
    anywhere(trace(&ground, &TraceQuestion::about("d.t1")));
    anywhere(export(&ground, &TraceQuestion::about("d.t1"), TraceFormat::Dot));
    anywhere(impact(&ground, &ImpactQuestion::about("d.t0")));
    anywhere(path(&ground, &PathQuestion::between("d.t0", "d.t1")));
    anywhere(history(&ground, &HistoryQuestion::about("d.t1")));
    anywhere(runs(&ground, &RunsQuestion::default()));
    anywhere(run(&ground, &RunQuestion { key: "run1".to_owned() }));
    anywhere(datasets(&ground, &DatasetsQuestion::about("d.t1")));
    anywhere(describe(&ground, &DescribeQuestion::about("d.t1")));
    anywhere(access(&ground, &AccessQuestion::about("d.t1")));
    anywhere(tags(&ground, &TagsQuestion::about("d.t1")));
    anywhere(leaks(&ground, &LeaksQuestion::default()));
    anywhere(who_could(&ground, &WhoCouldQuestion::about("select", "d.t1")));
    anywhere(who_did(&ground, &WhoDidQuestion::about("d.t1")));
    anywhere(audit(&ground, &AuditQuestion::default()));
    anywhere(verify(&ground, &VerifyQuestion::default()));
}

#[tokio::test]
async fn pages_of_a_trace_are_the_whole() {
    let row = row_of(12).await;
    let whole = TraceQuestion { direction: Direction::Down, ..TraceQuestion::about("d.t0.c") };
    let whole_answer = trace(&row.ground(), &whole).await.expect("an answer");
    assert_eq!(whole_answer.nodes.len(), 12);
    assert!(whole_answer.edges.iter().all(|edge| edge.expression.as_deref() == Some("c + 1")));

    let (mut nodes, mut edges, mut pages) = (Vec::new(), Vec::new(), 0);
    let mut question = TraceQuestion { limit: 5, ..whole.clone() };
    loop {
        let page = trace(&row.ground(), &question).await.expect("an answer");
        nodes.extend(page.nodes.iter().map(|node| (node.id, node.name.clone())));
        edges.extend(page.edges.iter().map(|edge| (edge.from, edge.to)));
        pages += 1;
        assert_eq!(page.truncated, page.cursor.is_some());
        let Some(cursor) = page.cursor else { break };
        question.cursor_nodes = cursor.nodes;
        question.cursor_edges = cursor.edges;
    }
    assert_eq!(pages, 3);
    let all: Vec<_> = whole_answer.nodes.iter().map(|node| (node.id, node.name.clone())).collect();
    assert_eq!(nodes, all);
    let all: Vec<_> = whole_answer.edges.iter().map(|edge| (edge.from, edge.to)).collect();
    assert_eq!(edges, all);
}

#[tokio::test]
async fn an_export_says_what_it_is_and_whether_it_is_all() {
    let row = row_of(4).await;
    let question = TraceQuestion::about("d.t3");
    for (format, media_type, start) in [
        (TraceFormat::Dot, "text/vnd.graphviz; charset=utf-8", "digraph"),
        (TraceFormat::Mermaid, "text/vnd.mermaid; charset=utf-8", "flowchart"),
        (TraceFormat::Csv, "text/csv; charset=utf-8", "from"),
        (TraceFormat::Graphml, "application/graphml+xml", "<?xml"),
        (TraceFormat::Openlineage, "application/x-ndjson", "{\"eventTime\""),
        (TraceFormat::Prov, "application/provenance+json", "{\n"),
    ] {
        let found = export(&row.ground(), &question, format).await.expect("an answer");
        assert_eq!(found.media_type, media_type);
        assert!(found.text.starts_with(start), "{}", found.text);
        assert!(!found.truncated);
    }
    let cut = TraceQuestion { limit: 2, ..question };
    assert!(export(&row.ground(), &cut, TraceFormat::Csv).await.expect("an answer").truncated);
}

#[tokio::test]
async fn what_nobody_knows_is_not_found_and_may_have_a_hint() {
    let row = row_of(3).await;
    let unknown = impact(&row.ground(), &ImpactQuestion::about("t1")).await.expect_err("another database");
    let Unanswered::NotFound(problem) = unknown else { panic!("{unknown}") };
    assert_eq!(problem.code, "unknown-dataset");
    assert_eq!(problem.hint.as_deref(), Some("did you mean `d.t1`?"));
    let stop = TraceQuestion { stop: vec!["d.nowhere".to_owned()], ..TraceQuestion::about("d.t1") };
    let wrong = trace(&row.ground(), &stop).await.expect_err("nowhere to stop");
    assert!(matches!(&wrong, Unanswered::WrongUse(problem) if problem.code == "unknown-stop"), "{wrong}");
}

/// `t0.c` is a table that somebody may not know of, or else a column of `d.t0`.
#[tokio::test]
async fn a_name_that_may_not_be_known_does_not_take_the_place_of_one_that_may() {
    let mut row = row_of(2).await;
    let lineage = Lineage::open(row.storage.clone()).await.expect("the runs are there");
    let mut hidden = made_of_the_one_before(5);
    hidden.targets[0].dataset = DatasetName::Table(TableName::new(Name::fold("t0"), Name::fold("c")));
    lineage.record(&[hidden]).await.expect("a run can be recorded");
    row.graph = lineage.snapshot().graph.clone();
    let question = TraceQuestion { database: "d".to_owned(), ..TraceQuestion::about("t0.c") };
    let to_all = trace(&row.ground(), &question).await.expect("an answer");
    assert_eq!(to_all.nodes[0].node_type, "table");

    let grant = "CREATE ROLE r; GRANT ROLE r TO USER ana; GRANT SELECT ON DATABASE d TO ROLE r;";
    let file = PolicyFile { label: "policy.sql", text: grant };
    let options = EngineOptions { completeness: Completeness::Partial, ..EngineOptions::default() };
    let policy = desired_policy(&[file], &Settings::default(), options).await.expect("a sound policy");
    row.viewer = Viewer::of(policy, &Identity::of_user("ana"), NOW);
    let to_ana = trace(&row.ground(), &question).await.expect("an answer");
    assert_eq!(to_ana.nodes[0].name.as_deref(), Some("d.t0.c"));
    let could = WhoCouldQuestion { database: "d".to_owned(), ..WhoCouldQuestion::about("select", "t0.c") };
    let could = who_could(&row.ground(), &could).await.expect("an answer");
    assert_eq!(could.objects[0].object.as_deref(), Some("d.t0.c"));
}

/// Whoever reads the log is noted, and goes on with the next page where the last one ended.
#[tokio::test]
async fn the_log_is_read_page_by_page() {
    let row = row_of(2).await;
    for _ in 0..6 {
        who_did(&row.ground(), &WhoDidQuestion::about("d.t1")).await.expect("an answer");
    }
    let mut numbers = Vec::new();
    let mut question = AuditQuestion { limit: 4, ..AuditQuestion::default() };
    loop {
        let page = audit(&row.ground(), &question).await.expect("an answer");
        assert!(!page.unnoted);
        let Some(last) = page.records.last() else { break };
        assert!(page.records.iter().all(|record| record.user == "ana" && record.kind == "read"));
        question.before = Some(last.number);
        numbers.extend(page.records.iter().map(|record| record.number));
    }
    assert_eq!(numbers, [6, 5, 4, 3, 2, 1]);
    let newest = audit(&row.ground(), &AuditQuestion::default()).await.expect("an answer");
    assert_eq!(newest.records.len(), 9, "three pages were asked for besides");
    assert_eq!(newest.records[0].operation, "audit");
}

#[tokio::test]
async fn runs_are_listed_page_by_page() {
    let row = row_of(9).await;
    let keys = async |question: &RunsQuestion| -> Vec<String> {
        let (mut keys, mut question) = (Vec::new(), question.clone());
        loop {
            let page = runs(&row.ground(), &question).await.expect("an answer");
            assert!(page.runs.len() <= question.limit as usize);
            keys.extend(page.runs.into_iter().map(|listed| listed.run.key));
            question.cursor = page.next;
            if question.cursor.is_none() {
                return keys;
            }
        }
    };
    let all: Vec<String> = (1..9).rev().map(|number| format!("run{number}")).collect();
    for limit in [1, 3, 8, 50] {
        assert_eq!(keys(&RunsQuestion { limit, ..RunsQuestion::default() }).await, all, "{limit}");
    }
    let of = |dataset: &str| RunsQuestion {
        dataset: Some(dataset.to_owned()),
        limit: 1,
        ..RunsQuestion::default()
    };
    assert_eq!(keys(&of("d.t4")).await, ["run5", "run4"], "it is read by one and written by the other");
    let moment = Moment(Timestamp(NOW.0 - 3_600_000 + 5 * 60_000));
    let until = RunsQuestion { until: Some(moment), ..of("d.t4") };
    assert_eq!(keys(&until).await, ["run4"]);
    let from = RunsQuestion { from: Some(moment), limit: 2, ..RunsQuestion::default() };
    assert_eq!(keys(&from).await, ["run8", "run7", "run6", "run5"]);
    let user = |user: &str| RunsQuestion { user: Some(user.to_owned()), ..RunsQuestion::default() };
    assert_eq!((keys(&user("etl")).await.len(), keys(&user("ana")).await.len()), (8, 0));
    let operation = |name: &str| RunsQuestion { operation: Some(name.to_owned()), ..of("d.t4") };
    assert_eq!((keys(&operation("QUERY")).await.len(), keys(&operation("LOAD")).await.len()), (2, 0));
    for cursor in ["nonsense", "1:x"] {
        let wrong = RunsQuestion { cursor: Some(cursor.to_owned()), ..RunsQuestion::default() };
        assert!(matches!(runs(&row.ground(), &wrong).await, Err(Unanswered::WrongUse(_))));
        let wrong = RunsQuestion { cursor: Some(cursor.to_owned()), ..of("d.t4") };
        assert!(matches!(runs(&row.ground(), &wrong).await, Err(Unanswered::WrongUse(_))));
    }
}

/// Of a run that touched something else as well they see that it was there and what they may know of, but not who ran it; of
/// their own they see that, too.
#[tokio::test]
async fn runs_are_seen_as_far_as_what_they_touched() {
    let mut row = row_of(4).await;
    let own = Run {
        key: RunKey("own".into()),
        context: Arc::new(Context { user: "ana".into(), ..Context::default() }),
        ..made_of_the_one_before(9)
    };
    let lineage = Lineage::open(row.storage.clone()).await.expect("the runs are there");
    lineage.record(&[own]).await.expect("a run can be recorded");
    row.graph = lineage.snapshot().graph.clone();
    let grant = "CREATE ROLE r; GRANT ROLE r TO USER ana; GRANT SELECT ON TABLE d.t1 TO ROLE r;";
    let file = PolicyFile { label: "policy.sql", text: grant };
    let options = EngineOptions { completeness: Completeness::Partial, ..EngineOptions::default() };
    let policy = desired_policy(&[file], &Settings::default(), options).await.expect("a sound policy");
    row.viewer = Viewer::of(policy, &Identity::of_user("ana"), NOW);
    let listed = runs(&row.ground(), &RunsQuestion::default()).await.expect("an answer").runs;
    let seen: Vec<(&str, &str, bool, &[String])> = listed
        .iter()
        .map(|one| (one.run.key.as_str(), one.run.user.as_str(), one.partial, one.inputs.as_slice()))
        .collect();
    let known = ["d.t1".to_owned()];
    assert_eq!(
        seen,
        [("own", "ana", true, &[][..]), ("run2", "", true, &known[..]), ("run1", "", true, &[][..])]
    );
    let shown = async |key: &str| run(&row.ground(), &RunQuestion { key: key.to_owned() }).await;
    let hidden = shown("run3").await.expect_err("it touched nothing that she may know of");
    let missing = shown("run7").await.expect_err("there is none");
    assert_eq!(hidden.to_string().replace("run3", "run7"), missing.to_string());
    let second = shown("run2").await.expect("she may know of what it read");
    assert!(second.targets.is_empty() && second.inputs.len() == 1 && second.partial);
    let asked = RunsQuestion { user: Some("etl".to_owned()), ..RunsQuestion::default() };
    assert!(runs(&row.ground(), &asked).await.expect("an answer").runs.is_empty());
    let hidden = RunsQuestion { dataset: Some("d.t3".to_owned()), ..RunsQuestion::default() };
    assert!(matches!(runs(&row.ground(), &hidden).await, Err(Unanswered::NotFound(_))));
}
