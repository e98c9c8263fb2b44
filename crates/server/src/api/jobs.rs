//! What is done now and then, and how it went.

use guardbee_engine::accounts::Permission;
use guardbee_engine::jobs::{JobOutcome, JobRun};
use guardbee_lineage::utc;
use guardbee_wire::service::jobs::{JobLine, JobState, JobsAnswer};

use crate::endpoint::{Access, Call, Endpoint, Reply};
use crate::openapi::NoQuestion;
use crate::problem::Problem;

const AUDITOR: Access = Access::Any(&[Permission::Auditor]);
/// Of each job.
const SHOWN: u32 = 20;

pub fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get("/api/v1/jobs", AUDITOR, jobs)
            .says("what one of the servers does now and then, and how it went last")
            .takes_long(),
    ]
}

async fn jobs(call: Call, _: NoQuestion) -> Result<Reply<JobsAnswer>, Problem> {
    let jobs = call.service.storage.jobs(SHOWN).await?;
    Ok(Reply::of(JobsAnswer { jobs: jobs.iter().map(line).collect() }))
}

fn line(run: &JobRun) -> JobLine {
    let (ended_at, state, says) = match &run.ended {
        None => (None, JobState::Begun, None),
        Some((at, JobOutcome::Done(says))) => (Some(at), JobState::Done, Some(says)),
        Some((at, JobOutcome::Failed(says))) => (Some(at), JobState::Failed, Some(says)),
    };
    JobLine {
        job: run.job.to_string(),
        period: run.period,
        attempts: run.attempts,
        holder: run.holder.to_string(),
        begun_at: utc::text(run.begun_at),
        ended_at: ended_at.map(|at| utc::text(*at)),
        state,
        says: says.map(ToString::to_string),
    }
}
