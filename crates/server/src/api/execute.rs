//! Running statements of administration: `GRANT`, `CREATE ROLE`, `SHOW GRANT` and their kin.

use guardbee_engine::accounts::Permission;
use guardbee_engine::{Outcome, Session};
use guardbee_hiveql::script::Script;
use guardbee_policy::ActiveRoles;
use guardbee_wire::service::check::{Basis, CheckAnswer, Detail};
use guardbee_wire::service::execute::{ExecuteAnswer, ExecuteRequest, ExecutedStatement};

use super::question::Asked;
use crate::endpoint::{Access, Call, Endpoint, Reply};
use crate::problem::Problem;

/// Rights to administer are SQL's own: whoever is a user may try. For others only plug-ins do.
const WHO: Access =
    Access::Any(&[Permission::User, Permission::PlugIn, Permission::PolicyEditor, Permission::Steward]);
const FOR_OTHERS: [Permission; 1] = [Permission::PlugIn];

pub fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::post("/api/v1/execute", WHO, execute)
            .changes()
            .says("run statements of administration")
            .takes_long(),
    ]
}

async fn execute(call: Call, asked: ExecuteRequest) -> Result<Reply<ExecuteAnswer>, Problem> {
    call.service.admit_decisions()?;
    let who = Asked {
        user: asked.user.as_deref(),
        groups: asked.groups.as_deref(),
        roles: asked.roles.as_deref(),
        database: asked.database.as_deref(),
    };
    let mut session = who.session(&call, &FOR_OTHERS).await?;
    let mut statements = Vec::new();
    for piece in Script::new(&asked.sql) {
        let detail = if asked.explain { Detail::Reasons } else { Detail::Outcome };
        let (statement, outcome) = one(&call, &mut session, piece.text.trim(), detail).await?;
        statements.push(statement);
        if outcome != Outcome::Allowed {
            break;
        }
    }
    if statements.is_empty() {
        return Err(Problem::senseless("nothing-asked", "there is no statement"));
    }
    let roles = match &session.identity().roles {
        ActiveRoles::All => None,
        ActiveRoles::None => Some(Vec::new()),
        ActiveRoles::Only(roles) => Some(roles.iter().map(ToString::to_string).collect()),
    };
    let policy_version = call.service.engine.policy().version.0;
    Ok(Reply::of(ExecuteAnswer { statements, policy_version, roles }))
}

async fn one(
    call: &Call,
    session: &mut Session,
    sql: &str,
    detail: Detail,
) -> Result<(ExecutedStatement, Outcome), Problem> {
    let (policy, identity) = (session.policy(), session.identity().clone());
    let before = session.snapshot();
    let executed = session.execute(sql).await;
    let now = call.service.now();
    if executed.version.is_none() {
        // A change is in the log with what it changed.
        let mut record = before.audit_of(sql, &executed.checked, now);
        record.client = call.client();
        call.service.trail.note(record).await?;
    }
    let operation = executed.checked.effects.as_ref().map(|effects| effects.operation.as_str());
    let basis = Basis {
        policy: &policy.policy,
        version: policy.version,
        identity: &identity,
        now,
        stale_for_ms: 0,
        detail,
    };
    let check = CheckAnswer::of(&executed.checked, operation, basis);
    Ok((ExecutedStatement::of(sql, &executed, check), executed.checked.outcome))
}
