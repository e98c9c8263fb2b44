//! Reports of statements that ended, and the runs that are recorded of them.

use guardbee_engine::accounts::Permission;
use guardbee_questions::{RunQuestion, RunsQuestion};
use guardbee_wire::runs::{RunDocument, RunsDocument};
use guardbee_wire::service::runs::{RunAnswer, RunBatch, RunBatchAnswer, RunLine, RunReport};

use super::lineage::{Asked, SEES};
use crate::endpoint::{Access, Call, Endpoint, Reply};
use crate::lines::in_batch;
use crate::problem::Problem;
use crate::reports::take;

/// Whoever says what others have run is believed.
const REPORTS: Access = Access::Any(&[Permission::PlugIn]);
/// Of a batch.
const MOST_RUNS: usize = 1000;

pub fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get("/api/v1/runs", SEES, list).says("which runs are recorded?").takes_long(),
        Endpoint::get("/api/v1/runs/{key}", SEES, show).says("what did a run do?").takes_long(),
        Endpoint::post("/api/v1/runs", REPORTS, report).changes().says("report a statement that ended"),
        Endpoint::post("/api/v1/runs/batch", REPORTS, batch)
            .changes()
            .says("report statements that ended, in their order")
            .takes_long(),
        Endpoint::stream::<RunReport, _, RunLine, _>("/api/v1/runs/stream", REPORTS, one)
            .changes()
            .says("the same for as many statements as there are, a line each"),
    ]
}

async fn list(call: Call, question: RunsQuestion) -> Result<Reply<RunsDocument>, Problem> {
    let asked = Asked::of(call).await?;
    Ok(Reply::of(guardbee_questions::runs(&asked.ground(), &question).await?))
}

async fn show(call: Call, question: RunQuestion) -> Result<Reply<RunDocument>, Problem> {
    let asked = Asked::of(call).await?;
    Ok(Reply::of(guardbee_questions::run(&asked.ground(), &question).await?))
}

async fn report(call: Call, report: RunReport) -> Result<Reply<RunAnswer>, Problem> {
    one(call, report).await.map(Reply::of)
}

async fn one(call: Call, report: RunReport) -> Result<RunAnswer, Problem> {
    take(&call, report).await
}

async fn batch(call: Call, batch: RunBatch) -> Result<Reply<RunBatchAnswer>, Problem> {
    if batch.runs.len() > MOST_RUNS {
        let detail = format!("a batch has {MOST_RUNS} reports at most");
        return Err(Problem::senseless("too-many", detail).with_hint("send them as a stream of lines"));
    }
    let mut answers = Vec::with_capacity(batch.runs.len());
    for report in batch.runs {
        // Sent again as a whole, those before a failure are answered as they were.
        answers.push(in_batch(take(&call, report).await)?);
    }
    Ok(Reply::of(RunBatchAnswer { answers }))
}
