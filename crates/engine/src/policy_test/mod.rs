//! Runs policy test files: a catalog, a policy, and what becomes of statements under them.
//!
//! Every step is a session of its own; only catalog and policy live on from step to step.

mod compare;
mod file;

use std::sync::Arc;

use guardbee_analysis::Catalog;
use guardbee_hiveql::script::Script;
use guardbee_model::{Diagnostic, DiagnosticCode, HiveVersion, Severity};
use guardbee_policy::{
    ActiveRoles, BookName, Change, GrantOption, Identity, Membership, Policy, Principal, Settings, Timestamp,
};
use smol_str::SmolStr;

use crate::engine::{Engine, EngineOptions};
use crate::groups::FixedGroups;
use crate::outcome::{Executed, Outcome, missing_text};
use crate::session::Session;

pub use file::PolicyTestFileError;

/// A test of a policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyTest {
    pub name: String,
    pub settings: Settings,
    /// Each user with their groups.
    pub users: Vec<(SmolStr, Vec<SmolStr>)>,
    /// Users who administer. The first of them makes the policy.
    pub admins: Vec<SmolStr>,
    /// DDL, run first and unchecked.
    pub catalog: String,
    /// SQL that the first administrator runs.
    pub policy: String,
    pub steps: Vec<Step>,
}

/// A statement, and what should become of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub user: SmolStr,
    /// What `SET ROLE` switches on before: a role, NONE or ALL.
    pub role: Option<String>,
    pub sql: String,
    pub expect: Outcome,
    /// The missing rights, all of them.
    pub missing: Option<Vec<String>>,
    /// The rows printed, in any order; of each the first columns.
    pub rows: Option<Vec<Vec<String>>>,
    /// The row filters that must be applied, by table.
    pub filters: Option<Vec<(String, String)>>,
    /// The masks that must be applied, by column.
    pub masks: Option<Vec<(String, String)>>,
}

/// What came of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestReport {
    /// What is wrong with catalog or policy: a test with such problems has not passed, whatever its steps say.
    pub setup: Vec<String>,
    pub steps: Vec<StepReport>,
}

impl TestReport {
    #[must_use]
    pub fn passed(&self) -> usize {
        self.steps.iter().filter(|step| step.passed()).count()
    }

    #[must_use]
    pub fn failed(&self) -> usize {
        self.steps.len() - self.passed()
    }
}

/// What came of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepReport {
    pub outcome: Outcome,
    /// Where it differs from what was expected; a step without differences has passed.
    pub differences: Vec<String>,
    /// Why the outcome is what it is.
    pub reason: String,
}

impl StepReport {
    #[must_use]
    pub fn passed(&self) -> bool {
        self.differences.is_empty()
    }
}

/// What tests start with, where it is kept elsewhere: the policy that they are about, and the warehouse.
#[derive(Debug, Clone, Default)]
pub struct Base {
    /// Its settings hold, not those of the test.
    pub policy: Option<Policy>,
    pub catalog: Catalog,
}

/// Runs a test from its start.
pub async fn run(test: &PolicyTest) -> TestReport {
    run_on(&Base::default(), test).await
}

/// Runs a test on top of what there is: its own catalog, administrators and policy are added.
pub async fn run_on(base: &Base, test: &PolicyTest) -> TestReport {
    match &base.policy {
        Some(policy) => {
            let settings = policy.settings().clone();
            run_from(base, &PolicyTest { settings, ..test.clone() }).await
        }
        None => run_from(base, test).await,
    }
}

async fn run_from(base: &Base, test: &PolicyTest) -> TestReport {
    let (engine, setup) = match set_up(base, test).await {
        Ok(started) => started,
        Err(problem) => {
            let step = |_: &Step| StepReport {
                outcome: Outcome::Error,
                differences: vec!["the test could not start".to_owned()],
                reason: problem.clone(),
            };
            let steps = test.steps.iter().map(step).collect();
            return TestReport { setup: vec![problem], steps };
        }
    };
    let mut steps = Vec::new();
    for step in &test.steps {
        steps.push(run_step(&engine, test, step).await);
    }
    TestReport { setup, steps }
}

/// The engine, and what of catalog and policy could not be made: the steps run all the same.
async fn set_up(base: &Base, test: &PolicyTest) -> Result<(Arc<Engine>, Vec<String>), String> {
    let options = EngineOptions {
        hive_version: HiveVersion::V3_1,
        other_versions: vec![HiveVersion::V2_3, HiveVersion::V4_2],
        catalog: base.catalog.clone(),
        groups: Box::new(FixedGroups::new(test.users.clone())),
        ..EngineOptions::default()
    };
    let engine = Engine::new(first_policy(base, test)?, options);
    let findings = engine.define(&test.catalog).await.map_err(|error| format!("catalog: {error}"))?;
    let is_problem = |finding: &&Diagnostic| {
        finding.severity == Severity::Error || finding.code == DiagnosticCode::UNKNOWN_TABLE
    };
    let mut problems: Vec<String> =
        findings.iter().filter(is_problem).map(|finding| format!("catalog: {}", finding.message)).collect();
    problems.extend(make_policy(&engine, test).await);
    Ok((engine, problems))
}

fn first_policy(base: &Base, test: &PolicyTest) -> Result<Policy, String> {
    let administrators = test.admins.iter().map(|admin| {
        Change::PutMembership(Membership {
            role: "admin".into(),
            member: Principal::User(admin.clone()),
            admin_option: GrantOption::With,
            grantor: None,
            created_at: Timestamp::default(),
        })
    });
    let mut policy = base.policy.clone().unwrap_or_default();
    for change in policy.settings().changes_to(&test.settings).into_iter().chain(administrators) {
        policy.apply(change).map_err(|error| error.to_string())?;
    }
    Ok(policy)
}

/// Runs the policy; the answer is what could not be made.
async fn make_policy(engine: &Arc<Engine>, test: &PolicyTest) -> Vec<String> {
    let mut problems = Vec::new();
    let Some(admin) = test.admins.first() else {
        if !test.policy.trim().is_empty() {
            problems.push("policy: nobody administers; name somebody under `admins`".to_owned());
        }
        return problems;
    };
    let mut session = session_of(engine, test, admin);
    if test.settings.rule_book == BookName::SqlStandard {
        session.switch_roles(ActiveRoles::Only(vec!["admin".into()]));
    }
    for piece in Script::new(&test.policy) {
        let executed = session.execute(piece.text).await;
        if let Some(problem) = executed.checked.problem {
            problems.push(format!("policy: {}: {problem}", piece.text.trim()));
        }
    }
    problems
}

fn session_of(engine: &Arc<Engine>, test: &PolicyTest, user: &SmolStr) -> Session {
    let groups = test.users.iter().find(|(name, _)| name == user).map(|(_, groups)| groups.clone());
    engine.session(Identity { groups: groups.unwrap_or_default(), ..Identity::of_user(user) })
}

/// `SET ROLE` for a role of any name.
fn switch(role: &str) -> String {
    let is_word = ["all", "none"].iter().any(|word| role.eq_ignore_ascii_case(word));
    if is_word { format!("SET ROLE {role}") } else { format!("SET ROLE `{}`", role.replace('`', "``")) }
}

async fn run_step(engine: &Arc<Engine>, test: &PolicyTest, step: &Step) -> StepReport {
    let mut session = session_of(engine, test, &step.user);
    if let Some(role) = &step.role {
        let switched = session.execute(&switch(role)).await;
        if !switched.checked.is_allowed() {
            return report(engine, test, step, &switched);
        }
    }
    let executed = session.execute(step.sql.trim().trim_end_matches(';')).await;
    report(engine, test, step, &executed)
}

fn report(engine: &Engine, test: &PolicyTest, step: &Step, executed: &Executed) -> StepReport {
    let checked = &executed.checked;
    let missing: Vec<String> =
        checked.decision.missing().map(|missing| missing_text(missing, &test.settings)).collect();
    let reason = match (&checked.problem, missing.as_slice()) {
        (Some(problem), _) => problem.to_string(),
        (None, []) => checked.outcome.as_str().to_owned(),
        (None, missing) => format!("missing {}", missing.join(", ")),
    };
    StepReport {
        outcome: checked.outcome,
        differences: compare::differences(step, &engine.policy().policy, executed, &missing),
        reason,
    }
}
