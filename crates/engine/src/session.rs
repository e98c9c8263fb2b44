//! One user's session: who they are, which roles are switched on, the current database and the settings.

use std::sync::Arc;

use guardbee_analysis::Session as AnalysisSession;
use guardbee_analysis::effects::Mode;
use guardbee_model::Name;
use guardbee_policy::{ActiveRoles, Identity, Resource};
use smol_str::SmolStr;

use crate::administration;
use crate::engine::{Engine, EngineError, PolicySnapshot};
use crate::judge::{Judged, Wish, judge};
use crate::outcome::{Answer, Checked, Executed, Outcome, Problem};
use crate::privilege_objects::PrivilegeObjects;
use crate::sight::Sight;
use crate::store::StoreError;

/// How often a change is planned anew because somebody else was faster.
const PLANNING_ATTEMPTS: u32 = 16;

/// Is what a statement writes still to come, so that tags have to go before it, or recorded by now?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arrival {
    Expected,
    Recorded,
}

/// A session. Dropping it ends it.
#[derive(Clone)]
pub struct Session {
    engine: Arc<Engine>,
    identity: Identity,
    state: AnalysisSession,
    name: SmolStr,
}

impl Session {
    pub(crate) fn new(engine: Arc<Engine>, identity: Identity) -> Self {
        let state = AnalysisSession::new((*engine.catalog()).clone(), engine.hive_version);
        let name = engine.new_session_name();
        Self { engine, identity, state, name }
    }

    /// Tells its temporary tables from those of other sessions.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The policy that decides about its next statement.
    #[must_use]
    pub fn policy(&self) -> Arc<PolicySnapshot> {
        self.engine.policy()
    }

    /// Who it is, with the roles that are switched on.
    #[must_use]
    pub const fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The session in the hands of somebody else, as where HiveServer2 runs statements for a proxy user: the
    /// database, settings and temporary tables stay, the roles are theirs.
    #[must_use]
    pub fn passed_to(self, identity: Identity) -> Self {
        Self { identity, ..self }
    }

    /// Switches roles on, as `SET ROLE` does for a user who holds them.
    pub fn switch_roles(&mut self, roles: ActiveRoles) {
        self.identity.roles = roles;
    }

    /// Makes a database the current one, whether or not it is there.
    pub fn use_database(&mut self, database: Name) {
        self.state.use_database(database);
    }

    /// What the session has set: current database, variables, temporary tables.
    #[must_use]
    pub const fn state(&self) -> &AnalysisSession {
        &self.state
    }

    /// The session as it is at this moment, with what the engine has as its catalog; what is run later does not change
    /// it.
    #[must_use]
    pub fn snapshot(&self) -> Self {
        let mut snapshot = self.clone();
        snapshot.state.replace_catalog((*self.engine.catalog()).clone());
        snapshot
    }

    /// The same over what the engine has as its catalog at this moment.
    pub(crate) fn state_over_catalog(&self) -> AnalysisSession {
        let mut state = self.state.clone();
        state.replace_catalog((*self.engine.catalog()).clone());
        state
    }

    /// Puts what a session has set in the place of what this one has, such as variables and a database to start
    /// with. What the engine knows as its catalog stays.
    pub fn start_from(&mut self, state: AnalysisSession) {
        self.state = state;
    }

    /// May its user know that there is such a thing? Whoever holds any right there, around it or inside it may.
    #[must_use]
    pub fn sees(&self, resource: &Resource) -> bool {
        let snapshot = self.policy();
        let subject = snapshot.policy.subject(&self.identity);
        let now = self.engine.clock.now();
        Sight { policy: &snapshot.policy, subject: &subject, now }.sees(resource)
    }

    /// May it run the statement? Nothing changes, but that the tags of what it reads count for what it writes
    /// from now on, where tags go with data.
    #[must_use]
    pub fn check(&self, statement: &str) -> Checked {
        self.engine.end_pending();
        let checked = judge(&self.engine, &self.identity, &self.state, statement, Wish::Check).checked;
        self.engine.note_allowed(self, statement, &checked);
        checked
    }

    /// The same for a statement of which the objects are known that it touches: those decide, as they do where only
    /// [they are known](crate::asker::Asker). What its text tells beside counts too: tags come with data column by column,
    /// and what data policies hide stays hidden.
    #[must_use]
    pub fn check_objects(&self, objects: &PrivilegeObjects, statement: &str) -> Checked {
        self.engine.end_pending();
        let mut checked = self.engine.asker(self.identity.clone()).judge(objects);
        if !checked.is_allowed() {
            return checked;
        }
        let read = judge(&self.engine, &self.identity, &self.state, statement, Wish::Check).checked;
        let is_protected = read.outcome == Outcome::Denied
            && read.problem.as_ref().is_some_and(|problem| problem.code != "not-allowed");
        match (read.outcome, is_protected) {
            (Outcome::Allowed, _) => self.engine.note_allowed(self, statement, &read),
            (_, true) => {
                checked.outcome = read.outcome;
                checked.problem = read.problem;
            }
            // Its text says less than its objects.
            (_, false) => self.engine.note_objects(&self.identity, objects),
        }
        checked
    }

    /// Checks the statement and carries out what is the engine's to carry out; see [`Engine::execute`].
    pub async fn execute(&mut self, statement: &str) -> Executed {
        self.carry_out_as(statement, Wish::Execute, Arrival::Expected).await
    }

    /// Carries out what somebody else has allowed: as [`execute`](Self::execute), but nobody is asked whether
    /// the user may.
    pub async fn carry_out(&mut self, statement: &str) -> Executed {
        self.carry_out_as(statement, Wish::CarryOut, Arrival::Expected).await
    }

    /// What a statement did that somebody else has allowed and run. Nothing changes; [`follow`](Self::follow) does that.
    #[must_use]
    pub fn reported(&self, statement: &str) -> Checked {
        judge(&self.engine, &self.identity, &self.state, statement, Wish::CarryOut).checked
    }

    /// Takes in what a statement did whose run is recorded: catalog and session follow, and the policy where what it is
    /// about came, went or moved. Administration is not taken on trust: nothing follows from it, and that is told by none.
    pub async fn follow(&mut self, statement: &str, reported: &Checked) -> Option<Executed> {
        if reported.effects.as_ref().is_some_and(|effects| administration::administers(effects.operation)) {
            return None;
        }
        Some(self.carry_out_as(statement, Wish::CarryOut, Arrival::Recorded).await)
    }

    async fn carry_out_as(&mut self, statement: &str, wish: Wish, arrival: Arrival) -> Executed {
        let mut attempts = 1;
        self.engine.end_pending();
        loop {
            let judged = judge(&self.engine, &self.identity, &self.state, statement, wish);
            if judged.checked.outcome != Outcome::Allowed || is_only_explained(&judged.checked) {
                return Executed { answer: judged.answer, checked: judged.checked, version: None };
            }
            if arrival == Arrival::Expected {
                self.engine.note_allowed(self, statement, &judged.checked);
            }
            let changes = judged.changes.clone();
            if changes.is_empty() {
                return self.carried_out(judged, None);
            }
            let audit = self.audit_of(statement, &judged.checked, self.engine.clock.now());
            let audit = audit.with_changes(&self.policy().policy, &changes);
            let reason = Arc::from(statement.trim());
            match self.engine.commit_audited(judged.base, reason, changes, audit).await {
                Ok(version) => return self.carried_out(judged, Some(version)),
                Err(EngineError::Store(StoreError::Conflict { .. })) if attempts < PLANNING_ATTEMPTS => {
                    attempts += 1;
                    if let Err(error) = self.engine.catch_up().await {
                        return failed(judged.checked, &error);
                    }
                }
                Err(error) => return failed(judged.checked, &error),
            }
        }
    }

    /// What is not the policy's changes as well, now that the policy has.
    fn carried_out(&mut self, judged: Judged, version: Option<crate::store::PolicyVersion>) -> Executed {
        self.engine.change_catalog(&judged.catalog_changes);
        self.state = judged.after;
        if let Some(roles) = judged.roles {
            self.identity.roles = roles;
        }
        Executed { checked: judged.checked, answer: judged.answer, version }
    }
}

fn is_only_explained(checked: &Checked) -> bool {
    checked
        .effects
        .as_ref()
        .is_some_and(|effects| matches!(effects.mode, Mode::Explain | Mode::ExplainAuthorization))
}

fn failed(mut checked: Checked, error: &EngineError) -> Executed {
    checked.outcome = Outcome::Error;
    checked.problem = Some(Problem::new(error.code(), error.to_string()));
    Executed { checked, answer: Answer::default(), version: None }
}
