//! The port to whatever sees to it that what is done now and then is done by one process alone, and once.
//!
//! Time is cut into periods, which are numbered; each job is done once in a period. Who does it holds a claim, which ends
//! with its process: then another goes on. A job that its process did not live to end is done again.

use async_trait::async_trait;
use guardbee_model::Timestamp;
use smol_str::SmolStr;

use crate::store::StoreError;

/// Knows who does the jobs, and which have been done. Every implementation passes the same conformance suite.
#[async_trait]
pub trait JobStore: Send + Sync {
    /// The claim to do jobs, under a name that tells people who has it; none while another has it.
    async fn claim_jobs(&self, holder: &str) -> Result<Option<Box<dyn JobClaim + '_>>, StoreError>;

    /// What has been begun and done, newest first; of each job so many at most.
    async fn jobs(&self, limit: u32) -> Result<Vec<JobRun>, StoreError>;
}

/// Held by one process at a time. Dropped, it is free for another.
#[async_trait]
pub trait JobClaim: Send + Sync {
    /// Begins a job; none where it has been done in this period, or in a later one.
    ///
    /// # Errors
    /// [`StoreError`], after which the claim may be lost and should be dropped.
    async fn begin(
        &mut self,
        job: &str,
        period: i64,
        at: Timestamp,
    ) -> Result<Option<JobAttempt>, StoreError>;

    /// Notes how an attempt ended. Says whether it counts: it does not where somebody else has begun the same meanwhile.
    ///
    /// # Errors
    /// As for [`begin`](Self::begin).
    async fn end(
        &mut self,
        attempt: &JobAttempt,
        at: Timestamp,
        outcome: &JobOutcome,
    ) -> Result<bool, StoreError>;
}

/// A job that has been begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobAttempt {
    pub job: SmolStr,
    pub period: i64,
    /// Counts those that were begun in the period.
    pub attempt: u64,
}

/// How a job ended, and what it says of that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobOutcome {
    Done(SmolStr),
    /// It is tried again in the next period.
    Failed(SmolStr),
}

/// A job in a period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobRun {
    pub job: SmolStr,
    pub period: i64,
    /// More than one where processes died over it.
    pub attempts: u64,
    /// Who began the last of them.
    pub holder: SmolStr,
    pub begun_at: Timestamp,
    /// None while nobody has ended it.
    pub ended: Option<(Timestamp, JobOutcome)>,
}
