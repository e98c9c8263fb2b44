//! Reports of statements that ended.

use axum::body::Body;
use bytes::Bytes;
use futures_util::StreamExt as _;
use guardbee_engine::accounts::Permission;
use guardbee_wire::service::runs::{RunAnswer, RunBatch, RunBatchAnswer, RunLine, RunReport};

use super::check::told;
use crate::endpoint::{Access, Call, Endpoint, Reply};
use crate::lines::Lines;
use crate::problem::Problem;
use crate::reports::take;

/// Whoever says what others have run is believed.
const REPORTS: Access = Access::Any(&[Permission::PlugIn]);
/// Of a batch.
const MOST_RUNS: usize = 1000;

pub fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::post("/api/v1/runs", REPORTS, report).says("report a statement that ended"),
        Endpoint::post("/api/v1/runs/batch", REPORTS, batch)
            .says("report statements that ended, in their order")
            .takes_long(),
        Endpoint::stream::<RunReport, RunLine, _>("/api/v1/runs/stream", REPORTS, stream)
            .says("the same for as many statements as there are, a line each"),
    ]
}

async fn report(call: Call, report: RunReport) -> Result<Reply<RunAnswer>, Problem> {
    Ok(Reply::of(take(&call, report).await?))
}

async fn batch(call: Call, batch: RunBatch) -> Result<Reply<RunBatchAnswer>, Problem> {
    if batch.runs.len() > MOST_RUNS {
        let detail = format!("a batch has {MOST_RUNS} reports at most");
        return Err(Problem::senseless("too-many", detail).with_hint("send them as a stream of lines"));
    }
    let mut answers = Vec::with_capacity(batch.runs.len());
    for report in batch.runs {
        answers.push(match take(&call, report).await {
            Ok(answer) => RunLine::Answer(answer),
            // Sent again as a whole, those before are answered as they were.
            Err(problem) if problem.status.is_server_error() => return Err(problem),
            Err(problem) => RunLine::Problem { problem: told(problem) },
        });
    }
    Ok(Reply::of(RunBatchAnswer { answers }))
}

async fn stream(call: Call, body: Body) -> Result<Body, Problem> {
    crate::stated::admit_lines(&call.headers)?;
    let lines = Lines::of(body, call.service.options.limits);
    let answers = lines.map(move |line| (call.clone(), line)).then(|(call, line)| async move {
        let answer = match line {
            Ok(line) => of_line(&call, &line).await,
            Err(problem) => Err(problem),
        };
        let answer = match answer {
            Ok(answer) => RunLine::Answer(answer),
            Err(problem) => RunLine::Problem { problem: told(problem) },
        };
        let mut text = serde_json::to_vec(&answer).unwrap_or_default();
        text.push(b'\n');
        Ok::<_, std::convert::Infallible>(Bytes::from(text))
    });
    Ok(Body::from_stream(answers))
}

async fn of_line(call: &Call, line: &[u8]) -> Result<RunAnswer, Problem> {
    let report: RunReport = serde_json::from_slice(line).map_err(|error| crate::stated::of_json(&error))?;
    take(call, report).await
}
