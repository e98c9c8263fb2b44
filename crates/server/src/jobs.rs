//! What is done now and then by one server alone, whichever of them holds the claim to it.
//!
//! Every server asks for the claim; it is free once who had it has stopped or died. What was done in a period is noted in
//! the store, so that nobody does it again.

use std::sync::Arc;
use std::time::Duration;

use guardbee_engine::EngineError;
use guardbee_engine::audit::{AuditRecord, AuditVerdict};
use guardbee_engine::jobs::{JobClaim, JobOutcome};
use guardbee_engine::run_store::{IndexSaved, RunHead};
use guardbee_engine::store::StoreError;
use guardbee_policy::Timestamp;
use smol_str::{SmolStr, format_smolstr};

use crate::api::remove_old_sessions;
use crate::service::Service;

/// At least and at most so often it is looked whether something is to be done, and the claim asked for.
const SOONEST: Duration = Duration::from_millis(100);
const LATEST: Duration = Duration::from_secs(10);
/// Reading all of the audit log takes long: it is done once in so many periods.
const PERIODS_OF_AUDIT: i64 = 24;
/// Whom the audit log names for what nobody asked for.
const ACTOR: &str = "guardbee";

/// When jobs are done, and which.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JobOptions {
    /// The length of a period.
    pub every: Duration,
    /// Runs that ended longer ago are forgotten, save for those that say where what is there came from; absent: none.
    pub keep_runs_for: Option<Duration>,
}

impl Default for JobOptions {
    fn default() -> Self {
        Self { every: Duration::from_secs(3600), keep_runs_for: None }
    }
}

#[derive(Debug, Clone, Copy)]
enum Job {
    ForgetRuns(Duration),
    SaveIndex,
    RemoveSessions,
    VerifyAudit,
}

impl Job {
    const fn name(self) -> &'static str {
        match self {
            Self::ForgetRuns(_) => "forget-runs",
            Self::SaveIndex => "save-index",
            Self::RemoveSessions => "remove-sessions",
            Self::VerifyAudit => "verify-audit",
        }
    }

    /// So many periods it takes until it is done again.
    const fn periods(self) -> i64 {
        match self {
            Self::VerifyAudit => PERIODS_OF_AUDIT,
            Self::ForgetRuns(_) | Self::SaveIndex | Self::RemoveSessions => 1,
        }
    }
}

/// Does the jobs whenever the claim is had, for as long as it is polled.
pub(crate) async fn work(service: Arc<Service>, options: JobOptions) {
    let holder = holder(&service);
    let pause = (options.every / 10).clamp(SOONEST, LATEST);
    let mut worker = Worker { service: &service, options, saved: None };
    loop {
        // Whoever starts has more urgent things to do.
        tokio::time::sleep(pause).await;
        match service.storage.claim_jobs(&holder).await {
            Ok(Some(claim)) => {
                tracing::info!("does the jobs from now on");
                service.metrics.does_jobs.set(1);
                let error = worker.hold(claim, pause).await;
                service.metrics.does_jobs.set(0);
                tracing::warn!(code = error.code(), %error, "does the jobs no more");
            }
            Ok(None) => {}
            Err(error) => tracing::debug!(code = error.code(), %error, "the jobs cannot be claimed"),
        }
    }
}

struct Worker<'s> {
    service: &'s Service,
    options: JobOptions,
    /// What the index that was saved last is made of.
    saved: Option<RunHead>,
}

impl Worker<'_> {
    /// Does what is due until the claim is lost; why it is.
    async fn hold(&mut self, mut claim: Box<dyn JobClaim + '_>, pause: Duration) -> StoreError {
        loop {
            for job in jobs(self.options) {
                if let Err(error) = self.when_due(&mut *claim, job).await {
                    return error;
                }
            }
            tokio::time::sleep(pause).await;
        }
    }

    async fn when_due(&mut self, claim: &mut (dyn JobClaim + '_), job: Job) -> Result<(), StoreError> {
        let now = self.service.now();
        let length = milliseconds(self.options.every).max(1).saturating_mul(job.periods());
        let period = now.0.div_euclid(length);
        let Some(attempt) = claim.begin(job.name(), period, now).await? else { return Ok(()) };
        let outcome = match self.done(job).await {
            Ok(says) => {
                tracing::info!(job = job.name(), period, outcome = %says, "did a job");
                JobOutcome::Done(says)
            }
            Err(error) => {
                tracing::warn!(job = job.name(), period, code = error.code(), %error, "a job failed");
                JobOutcome::Failed(format_smolstr!("{error}"))
            }
        };
        if !claim.end(&attempt, self.service.now(), &outcome).await? {
            tracing::warn!(job = job.name(), period, "somebody else has begun the same job");
        }
        Ok(())
    }

    /// Does a job; what there is to say of it.
    async fn done(&mut self, job: Job) -> Result<SmolStr, EngineError> {
        match job {
            Job::ForgetRuns(age) => forget_runs(self.service, age).await,
            Job::SaveIndex => self.save_index().await,
            Job::RemoveSessions => {
                let removed = remove_old_sessions(self.service, self.service.now()).await?;
                Ok(format_smolstr!("removed {removed} that were over"))
            }
            Job::VerifyAudit => verify_audit(self.service).await,
        }
    }

    async fn save_index(&mut self) -> Result<SmolStr, EngineError> {
        let service = self.service;
        let head = service.lineage.catch_up().await?;
        if self.saved == Some(head) {
            return Ok(SmolStr::new_static("nothing new"));
        }
        let lineage = service.lineage.clone();
        // Where it breaks off, what is saved is larger, and no less right.
        let _ = service.long_work.spawn_blocking(move || lineage.compact()).await;
        let saved = service.lineage.save().await?;
        self.saved = Some(head);
        Ok(match saved {
            IndexSaved::Saved => format_smolstr!("saved the index of {} runs", head.newest.0),
            IndexSaved::Outdated => SmolStr::new_static("a newer index is there"),
        })
    }
}

fn jobs(options: JobOptions) -> impl Iterator<Item = Job> {
    // An index that is made of what was forgotten would be made in vain.
    let forget = options.keep_runs_for.map(Job::ForgetRuns);
    forget.into_iter().chain([Job::SaveIndex, Job::RemoveSessions, Job::VerifyAudit])
}

async fn verify_audit(service: &Service) -> Result<SmolStr, EngineError> {
    let verdict = service.storage.verify_audit(None).await?;
    if let AuditVerdict::Broken { seq, why } = &verdict {
        tracing::error!(record = seq.0, why, "the audit log is not what was written");
    }
    Ok(format_smolstr!("{} records are what was written", verdict.count()?))
}

/// It is in the audit log before it is done.
async fn forget_runs(service: &Service, age: Duration) -> Result<SmolStr, EngineError> {
    let now = service.now();
    let before = Timestamp(now.0.saturating_sub(milliseconds(age)));
    service.lineage.catch_up().await?;
    if service.lineage.forgettable(before).forgotten == 0 {
        return Ok(SmolStr::new_static("nothing to forget"));
    }
    let record = AuditRecord::of_forgetting(ACTOR, now, before, service.engine.policy().version);
    service.storage.append_audit(&[record]).await?;
    let found = service.lineage.forget(before).await?;
    Ok(format_smolstr!("forgot {} runs, kept {} that are as old", found.forgotten, found.kept))
}

/// Tells servers apart, for people.
fn holder(service: &Service) -> SmolStr {
    let machine = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    format_smolstr!("{} {}, process {}", machine.trim(), service.address, std::process::id())
}

fn milliseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
