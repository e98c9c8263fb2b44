//! The cases of what is done now and then by one process alone.

use std::time::Duration;

use guardbee_engine::jobs::{JobClaim, JobOutcome};
use guardbee_engine::store::Storage;
use guardbee_model::Timestamp;

use super::Place;

/// A lock that was let go may take a moment to be free.
async fn claimed<'s>(store: &'s dyn Storage, holder: &str) -> Box<dyn JobClaim + 's> {
    for _ in 0..500 {
        if let Some(claim) = store.claim_jobs(holder).await.expect("asked") {
            return claim;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("nobody gets the claim");
}

fn done(says: &str) -> JobOutcome {
    JobOutcome::Done(says.into())
}

pub async fn jobs_are_claimed_by_one_at_a_time(place: &impl Place) {
    let (one, other) = (place.open().await, place.open().await);
    let claim = claimed(&*one, "one").await;
    assert!(other.claim_jobs("other").await.expect("asked").is_none());
    assert!(one.claim_jobs("one again").await.expect("asked").is_none());
    drop(claim);
    let claim = claimed(&*other, "other").await;
    assert!(one.claim_jobs("one").await.expect("asked").is_none());
    drop(claim);
}

pub async fn a_job_is_done_once_in_a_period(place: &impl Place) {
    let (one, other) = (place.open().await, place.open().await);
    let mut claim = claimed(&*one, "one").await;
    let attempt = claim.begin("tidy", 7, Timestamp(70)).await.expect("asked").expect("it is to be done");
    assert_eq!((attempt.period, attempt.attempt), (7, 1));
    assert_eq!(claim.end(&attempt, Timestamp(71), &done("3 rows")).await, Ok(true));
    assert_eq!(claim.begin("tidy", 7, Timestamp(72)).await, Ok(None));
    // What failed is not tried again before the next period.
    let failing = claim.begin("check", 7, Timestamp(72)).await.expect("asked").expect("it is another job");
    assert_eq!(claim.end(&failing, Timestamp(73), &JobOutcome::Failed("no".into())).await, Ok(true));
    drop(claim);
    // Nor does another do it, whose clock is behind.
    let mut claim = claimed(&*other, "other").await;
    for (job, period) in [("tidy", 7), ("tidy", 6), ("check", 7)] {
        assert_eq!(claim.begin(job, period, Timestamp(60)).await, Ok(None));
    }
    assert!(claim.begin("tidy", 8, Timestamp(80)).await.expect("asked").is_some());
}

pub async fn a_job_that_nobody_ended_is_begun_again(place: &impl Place) {
    let (one, other) = (place.open().await, place.open().await);
    let mut claim = claimed(&*one, "one").await;
    let lost = claim.begin("tidy", 1, Timestamp(1)).await.expect("asked").expect("it is to be done");
    drop(claim);
    let mut claim = claimed(&*other, "other").await;
    let again = claim.begin("tidy", 1, Timestamp(2)).await.expect("asked").expect("nobody has ended it");
    assert_eq!(again.attempt, 2);
    // Who began before and comes to an end only now does not count.
    assert_eq!(claim.end(&lost, Timestamp(3), &done("late")).await, Ok(false));
    assert_eq!(claim.end(&again, Timestamp(4), &done("in time")).await, Ok(true));
    drop(claim);
    let runs = one.jobs(10).await.expect("readable");
    let [run] = runs.as_slice() else { panic!("{runs:?}") };
    assert_eq!((run.attempts, &*run.holder, run.begun_at), (2, "other", Timestamp(2)));
    assert_eq!(run.ended, Some((Timestamp(4), done("in time"))));
}

pub async fn jobs_are_told_newest_first(place: &impl Place) {
    let store = place.open().await;
    let mut claim = claimed(&*store, "one").await;
    for period in 0..5 {
        for (job, at) in [("a", period * 10), ("b", period * 10 + 1)] {
            claim.begin(job, period, Timestamp(at)).await.expect("asked").expect("it is to be done");
        }
    }
    drop(claim);
    let told: Vec<(String, i64)> = place
        .open()
        .await
        .jobs(2)
        .await
        .expect("readable")
        .into_iter()
        .map(|run| (run.job.to_string(), run.period))
        .collect();
    let expected = [("b", 4), ("a", 4), ("b", 3), ("a", 3)].map(|(job, period)| (job.to_owned(), period));
    assert_eq!(told, expected);
}
