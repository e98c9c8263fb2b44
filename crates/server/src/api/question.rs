//! Whom a question about somebody is about, and who may ask for others.

use std::time::Duration;

use guardbee_engine::Session;
use guardbee_engine::accounts::Permission;
use guardbee_engine::store::PolicyVersion;
use guardbee_model::Name;
use guardbee_policy::{ActiveRoles, Identity};
use smol_str::SmolStr;

use crate::endpoint::Call;
use crate::problem::Problem;

/// Who may ask what somebody else may do.
pub const ASK_FOR_OTHERS: [Permission; 3] =
    [Permission::PlugIn, Permission::PolicyEditor, Permission::Auditor];
/// So long is waited for a version of the policy.
const LONGEST_WAIT: Duration = Duration::from_secs(5);
const GLANCE: Duration = Duration::from_millis(5);

/// Somebody, as a question states them.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    pub user: Option<&'a str>,
    pub groups: Option<&'a [SmolStr]>,
    pub roles: Option<&'a [SmolStr]>,
    pub database: Option<&'a str>,
}

impl Asked<'_> {
    /// Is it the same somebody?
    pub fn is_about(self, other: Asked<'_>) -> bool {
        (self.user, self.groups, self.roles) == (other.user, other.groups, other.roles)
    }

    /// Their session. For others, and with groups that only are stated, asks who may.
    ///
    /// # Errors
    /// As [`identity`](Self::identity).
    pub async fn session(self, call: &Call, may: &[Permission]) -> Result<Session, Problem> {
        let mut session = call.service.engine.session(self.identity(call, may).await?);
        if let Some(database) = self.database {
            session.use_database(Name::fold(database));
        }
        Ok(session)
    }

    /// Who they are. For others, and with groups that only are stated, asks who may.
    ///
    /// # Errors
    /// The problem of one who asks for others and may not, and of groups that cannot be told.
    pub async fn identity(self, call: &Call, may: &[Permission]) -> Result<Identity, Problem> {
        let is_self = self.user.is_none_or(|user| user == call.caller.name) && self.groups.is_none();
        if !is_self && !may.iter().any(|permission| call.caller.has(*permission)) {
            return Err(Problem::not_permitted("only one's own rights can be asked for")
                .with_hint("leave out `user` and `groups`"));
        }
        let user = self.user.unwrap_or(&call.caller.name);
        let mut identity = match self.groups {
            Some(groups) => Identity { groups: groups.to_vec(), ..Identity::of_user(user) },
            None => call.service.identity_of(user).await?,
        };
        match self.roles {
            None => {}
            Some([]) => identity.roles = ActiveRoles::None,
            Some(roles) => {
                identity.roles = ActiveRoles::Only(roles.iter().map(|role| Name::fold(role)).collect());
            }
        }
        Ok(identity)
    }
}

/// Waits until the policy is at a version.
///
/// # Errors
/// The problem, where that takes too long.
pub async fn wait_for(call: &Call, version: Option<u64>) -> Result<(), Problem> {
    let Some(version) = version.map(PolicyVersion) else { return Ok(()) };
    let engine = &call.service.engine;
    if engine.policy().version >= version {
        return Ok(());
    }
    let waited = tokio::time::timeout(LONGEST_WAIT, async {
        // The store may know it already, though nobody has told.
        let _ = engine.catch_up().await;
        while engine.policy().version < version {
            tokio::time::sleep(GLANCE).await;
        }
    });
    waited.await.map_err(|_| {
        let detail = format!("the policy is at version {}, not at {}", engine.policy().version.0, version.0);
        Problem::busy("version-not-reached", detail, Duration::from_secs(1))
    })
}
