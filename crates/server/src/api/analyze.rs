//! What statements read, write and derive, before anybody runs them.

use guardbee_questions::AnalyzeRequest;
use guardbee_wire::Document;

use super::lineage::{Asked, SEES};
use crate::endpoint::{Call, Endpoint, Reply};
use crate::problem::Problem;

pub fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::post("/api/v1/analyze", SEES, analyze)
            .says("what do statements read, write and derive?")
            .takes_long(),
    ]
}

async fn analyze(call: Call, request: AnalyzeRequest) -> Result<Reply<Document>, Problem> {
    let version = call.service.engine.hive_version();
    let asked = Asked::of(call).await?;
    Ok(Reply::of(guardbee_questions::analyze(&asked.ground(), &request, version).await?))
}
