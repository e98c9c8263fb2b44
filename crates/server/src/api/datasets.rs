//! Datasets as such: found, described, and who can do what with them.

use guardbee_questions::{AccessQuestion, DatasetsQuestion, DescribeQuestion};
use guardbee_wire::datasets::{AccessDocument, DatasetsDocument, DescribeDocument};

use super::lineage::{Asked, SEES};
use super::rights::READS_POLICY;
use crate::endpoint::{Call, Endpoint, Reply};
use crate::problem::Problem;

pub fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get("/api/v1/datasets", SEES, datasets).says("which datasets fit some words?").takes_long(),
        Endpoint::get("/api/v1/dataset", SEES, describe).says("what is known of a dataset?").takes_long(),
        Endpoint::get("/api/v1/dataset/access", READS_POLICY, access)
            .says("who can do what with a dataset?")
            .takes_long(),
    ]
}

async fn datasets(call: Call, question: DatasetsQuestion) -> Result<Reply<DatasetsDocument>, Problem> {
    let asked = Asked::of(call).await?;
    Ok(Reply::of(guardbee_questions::datasets(&asked.ground(), &question).await?))
}

async fn describe(call: Call, question: DescribeQuestion) -> Result<Reply<DescribeDocument>, Problem> {
    let asked = Asked::of(call).await?;
    Ok(Reply::of(guardbee_questions::describe(&asked.ground(), &question).await?))
}

async fn access(call: Call, question: AccessQuestion) -> Result<Reply<AccessDocument>, Problem> {
    let asked = Asked::of(call).await?;
    Ok(Reply::of(guardbee_questions::access(&asked.ground(), &question).await?))
}
