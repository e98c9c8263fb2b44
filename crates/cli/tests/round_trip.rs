//! Answers about runs, tags and the audit log come back from the wire as they went out: whoever asks a service reads the
//! same.

mod support;

use guardbee_wire::audit::{AuditDocument, AuditLine, VerifyDocument, WhoDidDocument};
use guardbee_wire::lineage::{HistoryDocument, ImpactDocument, PathDocument, TraceDocument};
use guardbee_wire::recording::{ImportDocument, LettersDocument, RecordDocument};
use guardbee_wire::tags::{LeaksDocument, TagsDocument, WhoCouldDocument};
use serde::Serialize;
use serde::de::DeserializeOwned;
use support::{Folder, run, stderr, stdout};

/// What a command wrote is what its document writes that was read of it.
fn comes_back<D: Serialize + DeserializeOwned>(question: &[&str], store: &str) -> D {
    let output = run(&[question, &["--store", store, "--format", "json"]].concat());
    let text = stdout(&output);
    assert!(!text.is_empty(), "{question:?}: {}", stderr(&output));
    let document: D = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{question:?}: {error}"));
    assert_eq!(guardbee_wire::pretty(&document).expect("plain data") + "\n", text, "{question:?}");
    document
}

fn store(folder: &Folder) -> String {
    let store = format!("{}/runs.db", folder.path());
    let record = ["record", "examples/warehouse", "--user", "etl", "--time", "2026-11-29T02:00"];
    let recorded: RecordDocument = comes_back(&record, &store);
    assert!(recorded.summary.recorded > 100);
    let applied = run(&["policy", "apply", "examples/policy", "--author", "etl", "--store", &store]);
    assert!(matches!(applied.status.code(), Some(0 | 1)), "{}", stderr(&applied));
    let log = folder.file(
        "log.jsonl",
        b"{\"time\":\"2026-11-30 02:00\",\"user\":\"bob\",\"sql\":\"CREATE TABLE d.t AS SELECT 1 AS c\"}\nno line\n",
    );
    let imported: ImportDocument = comes_back(&["import", "querylog", &log, "--user", "etl"], &store);
    assert_eq!((imported.summary.recorded, imported.summary.refused), (1, 1));
    store
}

#[test]
fn answers_come_back_as_they_went_out() {
    let folder = Folder::new("round-trip");
    let store = store(&folder);
    let column = "mart.customer_360.email";
    for options in [&["--up", "--down"][..], &["--level", "run"], &["--edges", "all", "--limit", "3"]] {
        let trace: TraceDocument = comes_back(&[&["trace", column], options].concat(), &store);
        assert_eq!(trace.truncated, trace.cursor.is_some(), "{options:?}");
        assert!(!trace.edges.is_empty() && !trace.runs.is_empty(), "{options:?}");
    }
    let impact: ImpactDocument = comes_back(&["impact", "raw.crm_customers.email"], &store);
    assert!(impact.dependents.len() > 3);
    let path: PathDocument = comes_back(&["path", "cln.customer.email", column], &store);
    assert!(path.shortest.is_some() && !path.runs.is_empty());
    let none: PathDocument = comes_back(&["path", column, "cln.customer.email"], &store);
    assert!(none.shortest.is_none() && none.runs.is_empty());
    let history: HistoryDocument = comes_back(&["history", "mart.customer_360", "--limit", "1"], &store);
    assert!(history.truncated && history.older > 0 && history.events.len() == 1);
    let tags: TagsDocument = comes_back(&["tags", column], &store);
    assert!(tags.tags.iter().any(|tag| !tag.path.is_empty()));
    let leaks: LeaksDocument = comes_back(&["leaks", "--limit", "2"], &store);
    assert!(leaks.count > leaks.leaks.len() && leaks.leaks.len() == 2);
    let could: WhoCouldDocument = comes_back(&["who-could", "SELECT", "cln.customer.email"], &store);
    assert!(could.objects.iter().any(|one| !one.who.is_empty()));
    let then: WhoCouldDocument =
        comes_back(&["who-could", "SELECT", "cln.customer.email", "--as-of", "2026-11-30"], &store);
    assert!(then.objects.iter().all(|one| one.who.is_empty()), "there was no policy yet");
    let did: WhoDidDocument = comes_back(&["who-did", "cln.customer.email"], &store);
    assert!(!did.runs.is_empty() && !did.decisions.is_empty());
    let audit: AuditDocument = comes_back(&["audit", "--verdict", "denied"], &store);
    assert!(audit.records.iter().all(|record| record.verdict == "denied" && !record.missing.is_empty()));
    let verified: VerifyDocument = comes_back(&["audit", "verify"], &store);
    assert!(verified.whole);
    let letters: LettersDocument = comes_back(&["import", "letters"], &store);
    assert_eq!(letters.letters.len(), 1);
}

#[test]
fn what_is_masked_comes_back_too() {
    let folder = Folder::new("round-trip-viewer");
    let store = store(&folder);
    let viewer = ["--viewer", "hel", "--group", "help_desk"];
    let seen = "mart.v_service_desk.email";
    let trace: TraceDocument = comes_back(&[&["trace", seen], &viewer[..]].concat(), &store);
    assert!(trace.nodes.iter().any(|node| node.node_type == "masked" && node.name.is_none()));
    let tags: TagsDocument = comes_back(&[&["tags", seen], &viewer[..]].concat(), &store);
    assert!(tags.tags.iter().flat_map(|tag| &tag.path).any(|step| step.from.is_none()));
    let leaks: LeaksDocument = comes_back(&[&["leaks"], &viewer[..]].concat(), &store);
    assert!(leaks.leaks.iter().any(|leak| leak.derived.is_none() && leak.who.is_empty()));
    let audit: AuditDocument = comes_back(&[&["audit", "--limit", "500"], &viewer[..]].concat(), &store);
    assert!(audit.records.iter().any(|record| record.user.is_empty()));
}

#[test]
fn lines_of_an_exported_log_come_back() {
    let folder = Folder::new("round-trip-log");
    let store = store(&folder);
    let lines = stdout(&run(&["audit", "export", "--store", &store]));
    assert!(lines.lines().count() > 200);
    for line in lines.lines() {
        let record: AuditLine = serde_json::from_str(line).expect("a record");
        assert_eq!(guardbee_wire::line(&record).expect("plain data"), line);
    }
}
