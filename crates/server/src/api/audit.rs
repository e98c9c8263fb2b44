//! The audit log: what was asked and decided, and whether the log is whole.

use guardbee_engine::accounts::Permission;
use guardbee_questions::{AuditQuestion, VerifyQuestion, WhoDidQuestion};
use guardbee_wire::audit::{AuditDocument, VerifyDocument, WhoDidDocument};

use super::lineage::Asked;
use crate::endpoint::{Access, Call, Endpoint, Reply};
use crate::problem::Problem;

const AUDITOR: Access = Access::Any(&[Permission::Auditor]);
/// Others see their own records, and what was done to data that they may know of.
const SEES: Access = Access::Any(&[Permission::Auditor, Permission::User]);

pub fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get("/api/v1/audit", SEES, audit)
            .says("who asked for what, and what came of it?")
            .takes_long(),
        Endpoint::get("/api/v1/audit/verify", AUDITOR, verify)
            .says("is the log as it was written?")
            .takes_long(),
        Endpoint::get("/api/v1/who-did", SEES, who_did).says("who read or wrote a dataset?").takes_long(),
    ]
}

async fn audit(call: Call, question: AuditQuestion) -> Result<Reply<AuditDocument>, Problem> {
    let asked = Asked::of(call).await?;
    Ok(Reply::of(guardbee_questions::audit(&asked.ground(), &question).await?))
}

async fn verify(call: Call, question: VerifyQuestion) -> Result<Reply<VerifyDocument>, Problem> {
    let asked = Asked::of(call).await?;
    Ok(Reply::of(guardbee_questions::verify(&asked.ground(), &question).await?))
}

async fn who_did(call: Call, question: WhoDidQuestion) -> Result<Reply<WhoDidDocument>, Problem> {
    let asked = Asked::of(call).await?;
    Ok(Reply::of(guardbee_questions::who_did(&asked.ground(), &question).await?))
}
