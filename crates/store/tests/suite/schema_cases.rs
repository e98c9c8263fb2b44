//! The cases of stores that older versions of the code made.

use guardbee_engine::audit::{AuditCursor, AuditFilter, AuditHead, AuditSeq, AuditVerdict};
use guardbee_engine::run_store::{Appended, RunSeq};

use super::Place;
use super::run_sample::{copy, record};
use super::sample::Dice;
use super::survey::{Survey, commit};

/// What the migrations after the first made.
const NEW_TABLES: [&str; 12] = [
    "run_state",
    "runs",
    "run_indexes",
    "run_index_chunks",
    "dead_letters",
    "audit_head",
    "audit_blocks",
    "audit_groups",
    "account_state",
    "accounts",
    "tokens",
    "job_runs",
];

pub async fn a_store_of_policies_alone_is_brought_up_to_date(place: &impl Place) {
    let store = place.open().await;
    for version in 1..=3 {
        store.commit(commit(version)).await.expect("made");
    }
    for table in NEW_TABLES {
        place.execute(&format!("DROP TABLE {table}")).await;
    }
    place.execute("DELETE FROM _sqlx_migrations WHERE version > 1").await;
    let store = place.open().await;
    Survey::new().check(&*store, 3).await;
    assert_eq!(store.append_runs(&[copy("one", 1, 1)]).await, Ok(vec![Appended::New(RunSeq(1))]));
    let head = store.append_audit(&[record(&mut Dice::new(1))]).await;
    assert!(matches!(head, Ok(AuditHead { seq: AuditSeq(1), .. })), "{head:?}");
    store.commit(commit(4)).await.expect("made");
    assert_eq!(place.count("_sqlx_migrations").await, 6);
}

/// Each row of a log was one record. They stay what they were, in a chain with those that come behind.
pub async fn a_log_of_a_row_a_record_is_brought_along(place: &impl Place) {
    let store = place.open().await;
    drop(store);
    for step in [
        "DROP TABLE audit_blocks",
        "DROP TABLE audit_groups",
        "CREATE TABLE audit (seq BIGINT PRIMARY KEY, at BIGINT, actor BIGINT, kind BIGINT, verdict BIGINT, body BYTEA, \
         hash BYTEA)",
        "CREATE TABLE audit_objects (object BIGINT, seq BIGINT)",
        "DROP TABLE job_runs",
        "DELETE FROM _sqlx_migrations WHERE version > 4",
    ] {
        place.execute(step).await;
    }
    let rows: Vec<Vec<&str>> = include_str!("../data/audit_of_schema_4.txt")
        .lines()
        .skip(1)
        .map(|row| row.split(' ').collect())
        .collect();
    for row in &rows {
        let [seq, at, actor, kind, verdict, body, hash] = row[..] else { panic!("{row:?}") };
        let (body, hash) = (place.bytes(body), place.bytes(hash));
        let sql =
            format!("INSERT INTO audit VALUES ({seq}, {at}, {actor}, {kind}, {verdict}, {body}, {hash})");
        place.execute(&sql).await;
    }
    let last = rows.last().expect("rows");
    let hash = place.bytes(last[6]);
    place.execute(&format!("UPDATE audit_head SET newest = {}, hash = {hash}", last[0])).await;

    let store = place.open().await;
    let mut dice = Dice::new(77);
    let mut expected: Vec<_> = rows.iter().map(|_| record(&mut dice)).collect();
    let all = async || {
        let cursor = AuditCursor::After(AuditSeq(0));
        let entries = store.read_audit(&AuditFilter::default(), cursor, u32::MAX).await.expect("readable");
        entries.into_iter().map(|entry| entry.record).collect::<Vec<_>>()
    };
    assert_eq!(all().await, expected);
    let more: Vec<_> = (0..5_000).map(|_| record(&mut dice)).collect();
    store.append_audit(&more).await.expect("kept");
    expected.extend(more);
    assert_eq!(all().await, expected);
    let verdict = store.verify_audit(None).await.expect("readable");
    assert!(matches!(verdict, AuditVerdict::Verified { count: 5_040, .. }), "{verdict:?}");
    assert_eq!(place.count("audit_groups").await, 1);
}
