//! The cases of stores that older versions of the code made.

use guardbee_engine::audit::{AuditHead, AuditSeq};
use guardbee_engine::run_store::{Appended, RunSeq};

use super::Place;
use super::run_sample::{copy, record};
use super::sample::Dice;
use super::survey::{Survey, commit};

/// What the migrations after the first made.
const NEW_TABLES: [&str; 11] = [
    "run_state",
    "runs",
    "run_indexes",
    "run_index_chunks",
    "dead_letters",
    "audit_head",
    "audit",
    "audit_objects",
    "account_state",
    "accounts",
    "tokens",
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
    assert_eq!(place.count("_sqlx_migrations").await, 4);
}
