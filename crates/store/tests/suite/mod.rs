//! What every store does. Each test binary runs all of it against its own kind of store.

#![allow(dead_code, reason = "each test binary uses its part")]

pub mod cases;
pub mod model;
pub mod sample;
pub mod server;
pub mod survey;

use std::sync::Arc;

use guardbee_engine::store::{Commit, PolicyVersion, Store};
use guardbee_policy::{Change, Timestamp};

/// A place for one test's store, empty at first. What it returns keeps the place for as long as it lives.
#[async_trait::async_trait]
pub trait Place: Send + Sync {
    /// Opens the store there, as another process would.
    async fn open(&self) -> Arc<dyn Store>;
}

pub fn commit(base: PolicyVersion, changes: Vec<Change>) -> Commit {
    Commit {
        base,
        author: "root".into(),
        at: Timestamp(1_700_000_000_000 + i64::try_from(base.0).expect("small")),
        reason: format!("change {}", base.0).into(),
        changes,
        key: None,
    }
}

/// Runs every case as a test of its own: `conformance!(function that makes a Place, or none to leave out)`.
#[macro_export]
macro_rules! conformance {
    ($place:path) => {
        $crate::conformance!(@ $place:
            an_empty_store_has_version_zero
            every_kind_of_step_comes_back
            every_version_stays_answerable
            steps_lead_from_version_to_version
            the_last_of_several_steps_counts
            who_saw_an_older_version_is_told
            of_two_writers_one_wins
            a_key_makes_sending_twice_harmless
            history_is_read_newest_first
            entry_ids_are_never_given_again
            what_cannot_be_kept_changes_nothing
            many_steps_are_one_version
            a_change_is_seen_by_others_at_once
            waiting_can_be_given_up
            what_is_written_is_there_when_opened_again
        );
    };
    (@ $place:path: $($case:ident)*) => {
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $case() {
                if let Some(place) = $place().await {
                    $crate::suite::cases::$case(&place).await;
                }
            }
        )*
    };
}
