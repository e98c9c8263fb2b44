//! Reports of statements that ended: what becomes of them, in which order, and when they come again.

mod support;

use std::thread;

use guardbee_engine::accounts::{Permission, Permissions};
use guardbee_model::Name;
use guardbee_policy::{NamePattern, Privilege, Privileges, Scope};
use guardbee_server::Options;
use serde_json::{Value, json};
use support::client::Answer;
use support::{Ground, Running};

struct Reporter {
    running: Running,
    token: String,
    auditor: String,
}

impl Reporter {
    fn on(ground: &Ground) -> Self {
        let token = ground.token("hive", Permissions::of(Permission::PlugIn), None);
        let auditor = ground.token("eve", Permissions::of(Permission::Auditor), None);
        Self { running: ground.start(Options::default()), token, auditor }
    }

    fn started_again(self, ground: &Ground) -> Self {
        let Self { running, token, auditor } = self;
        drop(running);
        Self { running: ground.start(Options::default()), token, auditor }
    }

    fn send(&self, report: &Value) -> Answer {
        self.running.post("/api/v1/runs").bearer(&self.token).json(report).send()
    }

    fn kept(&self, report: &Value) -> String {
        let answer = self.send(report);
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()["kept"].as_str().expect("it says where").to_owned()
    }

    fn read(&self, target: &str) -> String {
        let answer = self.running.get(target).bearer(&self.auditor).send();
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.text()
    }
}

fn ground() -> Ground {
    let ground = Ground::new();
    ground.account("hive", Permissions::of(Permission::PlugIn));
    ground.account("eve", Permissions::of(Permission::Auditor));
    ground
}

fn report(key: &str, statement: &str) -> Value {
    json!({
        "key": key, "user": "ana", "statement": statement, "outcome": "succeeded", "session": "s1",
        "ended_at": "2026-11-29T02:14:05Z", "engine": "hive", "query_id": key,
    })
}

fn with(mut report: Value, field: &str, value: &str) -> Value {
    report[field] = json!(value);
    report
}

#[test]
fn what_a_session_has_set_holds_for_its_next_reports_and_for_no_other() {
    let ground = ground();
    let reporter = Reporter::on(&ground);
    assert_eq!(reporter.kept(&report("1", "USE raw")), "nowhere");
    assert_eq!(reporter.kept(&report("2", "CREATE TABLE a (id INT)")), "run");
    assert_eq!(reporter.kept(&report("3", "SET hivevar:t=sales.b")), "nowhere");
    assert_eq!(reporter.kept(&report("4", "CREATE TEMPORARY TABLE t AS SELECT * FROM a")), "run");
    assert_eq!(reporter.kept(&report("5", "CREATE TABLE ${t} AS SELECT * FROM t")), "run");
    assert!(reporter.read("/api/v1/trace?dataset=sales.b.id").contains("raw.a"));
    let other = with(report("6", "CREATE TABLE sales.c AS SELECT * FROM t"), "session", "s2");
    assert_eq!(reporter.kept(&other), "run");
    assert!(!reporter.read("/api/v1/trace?dataset=sales.c").contains("raw.a"));
    let elsewhere = with(report("7", "CREATE TABLE sales.d AS SELECT * FROM x"), "database", "hr");
    assert_eq!(reporter.kept(&elsewhere), "run");
    assert!(reporter.read("/api/v1/trace?dataset=sales.d").contains("hr.x"));
}

#[test]
fn a_report_that_comes_again_is_answered_as_before_and_kept_once() {
    let ground = ground();
    let reporter = Reporter::on(&ground);
    let run = report("1", "INSERT INTO sales.b SELECT id FROM raw.a");
    let failed = with(with(report("2", "SELECT 1"), "outcome", "failed"), "reason", "out of memory");
    let unreadable = report("3", "SELEKT 1");
    let first = [&run, &failed, &unreadable].map(|report| reporter.send(report).json());
    let again = [&run, &failed, &unreadable].map(|report| reporter.send(report).json());
    assert_eq!(first, again);
    assert_eq!(first.each_ref().map(|answer| answer["kept"].clone()), ["run", "audit", "letter"]);
    assert_eq!(ground.runs(), 1);
    let letters = ground.letters();
    let [letter] = letters.as_slice() else { panic!("{letters:?}") };
    assert_eq!((letter["key"].as_str(), letter["sql"].as_str()), (Some("3"), Some("SELEKT 1")));
    assert_eq!(reporter.read("/api/v1/audit").matches("out of memory").count(), 1);
    // Another server answers the same, and what was answered is in its traces.
    let reporter = reporter.started_again(&ground);
    assert_eq!(reporter.send(&run).json(), first[0]);
    assert!(reporter.read("/api/v1/trace?dataset=sales.b").contains("raw.a"));
    assert_eq!(ground.runs(), 1);
}

#[test]
fn of_many_with_one_key_at_once_one_is_kept() {
    let ground = ground();
    let reporter = Reporter::on(&ground);
    let run = report("1", "INSERT INTO sales.b SELECT id FROM raw.a");
    let answers: Vec<Value> = thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| reporter.send(&run).json())).collect();
        threads.into_iter().map(|thread| thread.join().expect("it answers")).collect()
    });
    assert!(answers.iter().all(|answer| answer["kept"] == "run"), "{answers:?}");
    assert_eq!(ground.runs(), 1);
}

#[test]
fn what_is_denied_is_in_the_audit_log_alone() {
    let ground = ground();
    let reporter = Reporter::on(&ground);
    let statement = "INSERT INTO sales.b SELECT id FROM raw.a";
    let denied = with(with(report("1", statement), "outcome", "denied"), "client_address", "192.0.2.7");
    assert_eq!(reporter.kept(&denied), "audit");
    assert_eq!(ground.runs(), 0);
    let log: Value = serde_json::from_str(&reporter.read("/api/v1/audit?user=ana")).expect("it is JSON");
    let text = log.to_string();
    assert!(text.contains("192.0.2.7") && text.contains("denied") && text.contains("raw.a"), "{text}");
}

#[test]
fn entries_go_with_a_table_that_is_renamed() {
    let ground = ground();
    let table = |name: &str| Scope::Table {
        database: NamePattern::from(Name::fold("sales")),
        table: NamePattern::from(Name::fold(name)),
    };
    ground.grant("ana", Privileges::of(Privilege::Select), table("b"));
    let reporter = Reporter::on(&ground);
    assert_eq!(reporter.kept(&report("1", "CREATE TABLE sales.b (id INT)")), "run");
    let before = ground.policy_version();
    let rename = report("2", "ALTER TABLE sales.b RENAME TO sales.c");
    assert_eq!(reporter.kept(&rename), "run");
    assert_eq!(ground.policy_version(), before + 1);
    assert_eq!(reporter.kept(&rename), "run");
    assert_eq!(ground.policy_version(), before + 1);
    let check = json!({ "user": "ana", "statement": "SELECT id FROM sales.c" });
    let asked = reporter.running.post("/api/v1/check").bearer(&reporter.token).json(&check).send();
    assert_eq!(asked.json()["outcome"], "allowed", "{}", asked.text());
}

#[test]
fn administration_is_not_taken_on_trust() {
    let ground = ground();
    let reporter = Reporter::on(&ground);
    let before = ground.policy_version();
    assert_eq!(reporter.kept(&report("1", "CREATE ROLE keepers")), "nowhere");
    assert_eq!(reporter.kept(&report("2", "GRANT ALL ON SERVER server1 TO USER hive")), "nowhere");
    assert_eq!(ground.policy_version(), before);
}

#[test]
fn reports_come_in_batches_and_lines_and_each_makes_sense_alone() {
    let ground = ground();
    let reporter = Reporter::on(&ground);
    let runs = [
        report("1", "CREATE TABLE raw.a (id INT)"),
        with(report("2", "SELECT 1"), "ended_at", "soon"),
        report("3", "CREATE TABLE sales.b AS SELECT * FROM raw.a"),
        report("", "SELECT 1"),
    ];
    let batch = reporter.running.post("/api/v1/runs/batch").bearer(&reporter.token);
    let answers = batch.json(&json!({ "runs": runs })).send().json()["answers"].clone();
    assert_eq!((&answers[0]["kept"], &answers[2]["kept"]), (&json!("run"), &json!("run")));
    assert_eq!(answers[1]["problem"]["code"], "no-moment");
    assert_eq!(answers[3]["problem"]["code"], "wrong-key");
    let lines: String = runs.iter().map(|run| format!("{run}\n")).collect();
    let stream = reporter.running.post("/api/v1/runs/stream").bearer(&reporter.token);
    let text = stream.body("application/x-ndjson", lines + "nothing\n").send().text();
    assert_eq!(text.matches("\"kept\":\"run\"").count(), 2, "{text}");
    assert_eq!(text.matches("\"problem\"").count(), 3, "{text}");
    assert_eq!(ground.runs(), 2);
    let many = vec![report("x", "SELECT 1"); 1001];
    let batch = reporter.running.post("/api/v1/runs/batch").bearer(&reporter.token);
    assert_eq!(batch.json(&json!({ "runs": many })).send().code(), "too-many");
}
