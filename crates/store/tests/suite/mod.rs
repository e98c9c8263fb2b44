//! What every store does. Each test binary runs all of it against its own kind of store.

#![allow(dead_code, reason = "each test binary uses its part")]

pub mod account_cases;
pub mod audit_cases;
pub mod cases;
pub mod job_cases;
pub mod killing;
pub mod letter_cases;
pub mod limits;
pub mod model;
pub mod run_cases;
pub mod run_sample;
pub mod run_survey;
pub mod sample;
pub mod schema_cases;
pub mod server;
pub mod survey;

use std::sync::Arc;

use guardbee_engine::ChangeAsked;
use guardbee_engine::audit::AuditRecord;
use guardbee_engine::store::{Commit, PolicyVersion, Storage};
use guardbee_policy::{Change, Policy, Timestamp};

/// A place for one test's store, empty at first. What it returns keeps the place for as long as it lives.
#[async_trait::async_trait]
pub trait Place: Send + Sync {
    /// Opens the store there, as another process would.
    async fn open(&self) -> Arc<dyn Storage>;

    /// Runs SQL on the tables behind the store's back.
    async fn execute(&self, sql: &str);

    /// Bytes, told in hexadecimal, as its SQL writes them.
    fn bytes(&self, hexadecimal: &str) -> String;

    /// How many rows a table has.
    async fn count(&self, table: &str) -> i64;
}

pub fn commit(base: PolicyVersion, changes: Vec<Change>) -> Commit {
    let at = Timestamp(1_700_000_000_000 + i64::try_from(base.0).expect("small"));
    let reason = format!("change {}", base.0);
    let asked = ChangeAsked { actor: "root", at, operation: "test", reason: &reason };
    let audit = AuditRecord::of_change(asked, &Policy::new(), &changes);
    Commit { base, author: "root".into(), at, reason: reason.into(), changes, key: None, audit }
}

/// Runs every case as a test of its own: `conformance!(function that makes a Place, or none to leave out)`.
#[macro_export]
macro_rules! conformance {
    ($place:path) => {
        $crate::conformance!(@ $place: cases:
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
        $crate::conformance!(@ $place: run_cases:
            an_empty_store_has_no_runs
            every_part_of_a_run_comes_back
            sending_a_run_again_changes_nothing
            a_run_that_cannot_be_kept_stops_no_other
            a_run_of_any_size_comes_back
            writers_share_one_order
            runs_are_found_last_ended_first
            a_run_is_seen_by_others_at_once
            forgotten_runs_leave_their_keys
            an_index_is_kept_part_by_part
            an_index_that_is_given_up_changes_nothing
            a_run_that_was_changed_by_hand_is_noticed
        );
        $crate::conformance!(@ $place: letter_cases:
            letters_are_kept_until_they_are_removed
            a_letter_that_comes_again_is_counted
            a_letter_is_revived_once
            a_letter_that_is_too_large_is_refused
            a_letter_that_was_changed_by_hand_is_noticed
            letters_have_a_bound
        );
        $crate::conformance!(@ $place: audit_cases:
            an_empty_log_is_whole
            every_record_comes_back_in_both_orders
            records_are_found_by_any_question
            writers_share_one_chain
            a_change_is_in_the_log_with_its_version
            changes_and_decisions_share_one_chain
            a_damaged_log_lets_nothing_be_changed
            a_record_that_is_too_large_is_refused
            whatever_is_done_to_the_log_is_noticed
            whatever_is_done_to_its_groups_is_noticed
            groups_hide_nothing
            a_damaged_log_is_not_read
        );
        $crate::conformance!(@ $place: account_cases:
            accounts_come_back
            of_many_who_would_be_first_one_is
            tokens_go_with_their_account
            every_change_to_accounts_is_counted
            a_change_to_accounts_is_seen_by_others_at_once
            an_account_that_was_changed_by_hand_is_noticed
            names_of_accounts_have_a_bound
            somebody_stays_who_may_make_accounts
        );
        $crate::conformance!(@ $place: job_cases:
            jobs_are_claimed_by_one_at_a_time
            a_job_is_done_once_in_a_period
            a_job_that_nobody_ended_is_begun_again
            jobs_are_told_newest_first
        );
        $crate::conformance!(@ $place: schema_cases:
            a_store_of_policies_alone_is_brought_up_to_date
            a_log_of_a_row_a_record_is_brought_along
        );
    };
    (@ $place:path: $cases:ident: $($case:ident)*) => {
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $case() {
                if let Some(place) = $place().await {
                    $crate::suite::$cases::$case(&place).await;
                }
            }
        )*
    };
}
