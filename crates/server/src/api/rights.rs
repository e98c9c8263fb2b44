//! The policy asked the other way round: who can, what can, and why.

use guardbee_engine::accounts::Permission;
use guardbee_questions::policy::{WhatCanQuestion, WhoCanQuestion, WhyQuestion};
use guardbee_wire::policy::{WhatCanDocument, WhoCanDocument, WhyDocument};
use schemars::JsonSchema;
use serde::Deserialize;
use smol_str::SmolStr;

use super::question::{ASK_FOR_OTHERS, Asked};
use crate::endpoint::{Access, Call, Endpoint, Reply};
use crate::problem::Problem;

/// Who reads all of the policy.
pub const READS_POLICY: Access =
    Access::Any(&[Permission::PolicyEditor, Permission::Steward, Permission::Auditor]);
/// And those who only ask about themselves.
const ASKS: Access = Access::Any(&[Permission::PolicyEditor, Permission::Auditor, Permission::User]);

pub fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get("/api/v1/who-can", READS_POLICY, who_can)
            .says("who has a privilege on an object?")
            .takes_long(),
        Endpoint::get("/api/v1/what-can", ASKS, what_can).says("what can somebody do?").takes_long(),
        Endpoint::get("/api/v1/why", ASKS, why)
            .says("why has somebody a privilege on an object, or has it not?")
            .takes_long(),
    ]
}

/// What can somebody do?
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WhatCan {
    /// Absent: who asks.
    user: Option<String>,
    /// Absent: those that the server's group mapping knows.
    #[serde(default)]
    groups: Vec<String>,
}

/// Why has somebody a privilege on an object, or has it not?
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Why {
    /// Absent: who asks.
    user: Option<String>,
    /// Absent: those that the server's group mapping knows.
    #[serde(default)]
    groups: Vec<String>,
    /// Such as `SELECT`, or `ALL`.
    privilege: String,
    /// As SQL names it: `hr`, `hr.emp`, `hr.emp.ssn`, `SERVER`, or an address.
    object: String,
}

async fn who_can(call: Call, question: WhoCanQuestion) -> Result<Reply<WhoCanDocument>, Problem> {
    let snapshot = call.service.engine.policy();
    let answer = guardbee_questions::policy::who_can(&snapshot.policy, &question, call.service.now())?;
    Ok(Reply::of(answer))
}

async fn what_can(call: Call, asked: WhatCan) -> Result<Reply<WhatCanDocument>, Problem> {
    let (user, groups) = identity(&call, asked.user.as_deref(), &asked.groups).await?;
    let snapshot = call.service.engine.policy();
    let question = WhatCanQuestion { user, groups };
    Ok(Reply::of(guardbee_questions::policy::what_can(&snapshot.policy, &question, call.service.now())))
}

async fn why(call: Call, asked: Why) -> Result<Reply<WhyDocument>, Problem> {
    let (user, groups) = identity(&call, asked.user.as_deref(), &asked.groups).await?;
    let snapshot = call.service.engine.policy();
    let question = WhyQuestion { user, groups, privilege: asked.privilege, object: asked.object };
    Ok(Reply::of(guardbee_questions::policy::why(&snapshot.policy, &question, call.service.now())?))
}

/// Whom a question is about.
async fn identity(
    call: &Call,
    user: Option<&str>,
    groups: &[String],
) -> Result<(String, Vec<String>), Problem> {
    let groups: Vec<SmolStr> = groups.iter().map(SmolStr::new).collect();
    let stated = Some(&*groups).filter(|groups| !groups.is_empty());
    let asked = Asked { user, groups: stated, roles: None, database: None };
    let identity = asked.identity(call, &ASK_FOR_OTHERS).await?;
    Ok((identity.user.to_string(), identity.groups.iter().map(ToString::to_string).collect()))
}
