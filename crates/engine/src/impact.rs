//! What a change of policy would have meant for statements that were run before it: each is decided by both
//! policies, and those that are decided otherwise are kept, alike ones together.
//!
//! Memory is bounded whatever the length of the log: past a number of different cases they are only counted.

use std::collections::HashMap;
use std::sync::Arc;

use guardbee_model::Name;
use guardbee_policy::decision::Obligation;
use guardbee_policy::{Identity, Policy};
use smol_str::SmolStr;

use crate::engine::{Engine, EngineOptions};
use crate::outcome::{Checked, Outcome, missing_text};

/// How many different cases are kept.
const MOST_CASES: usize = 10_000;

/// A statement that somebody ran.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PastStatement {
    pub user: SmolStr,
    pub groups: Vec<SmolStr>,
    /// The session's database at that time; `default` where it is not known.
    pub database: Option<SmolStr>,
    pub sql: String,
}

/// How two policies decide about a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Shift {
    NowRefused,
    NowAllowed,
    /// It may run as before, but with other row filters or column masks.
    SeenOtherwise,
}

/// Statements that are decided otherwise in the same way.
#[derive(Debug, Clone)]
pub struct Case {
    pub shift: Shift,
    pub statement: PastStatement,
    /// What is missing by the new policy, or was by the old one.
    pub missing: Vec<String>,
    /// The filters and masks by the old policy and by the new one, where they differ.
    pub obligations: Option<(Vec<Obligation>, Vec<Obligation>)>,
    /// How often it was run.
    pub count: u64,
    /// When it was first and last run, as the log writes it.
    pub first: Option<SmolStr>,
    pub last: Option<SmolStr>,
}

/// What came of all statements so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Totals {
    pub statements: u64,
    pub now_refused: u64,
    pub now_allowed: u64,
    pub seen_otherwise: u64,
    /// Statements that neither policy can judge, such as those that cannot be read.
    pub unjudged: u64,
    /// Statements decided otherwise of which no case was kept.
    pub not_kept: u64,
}

/// Decides past statements by two policies.
pub struct Impact {
    before: Arc<Engine>,
    after: Arc<Engine>,
    cases: HashMap<PastStatement, Case>,
    totals: Totals,
}

impl Impact {
    /// `options` are those of either policy's engine.
    #[must_use]
    pub fn new(before: Policy, after: Policy, options: impl Fn() -> EngineOptions) -> Self {
        Self {
            before: Engine::new(before, options()),
            after: Engine::new(after, options()),
            cases: HashMap::new(),
            totals: Totals::default(),
        }
    }

    /// Takes a statement that was run at a time.
    pub fn take(&mut self, statement: PastStatement, time: Option<SmolStr>) -> Option<Shift> {
        self.totals.statements += 1;
        if let Some(case) = self.cases.get_mut(&statement) {
            case.count += 1;
            case.last = time.or(case.last.take());
            let shift = case.shift;
            self.count(shift);
            return Some(shift);
        }
        let before = check(&self.before, &statement);
        let after = check(&self.after, &statement);
        self.totals.unjudged +=
            u64::from(before.outcome == Outcome::Error && after.outcome == Outcome::Error);
        let shift = shift(&before, &after)?;
        self.count(shift);
        if self.cases.len() < MOST_CASES {
            let case = self.case(shift, &statement, before, after, time);
            self.cases.insert(statement, case);
        } else {
            self.totals.not_kept += 1;
        }
        Some(shift)
    }

    /// The cases that were kept: what is refused now first, the most frequent first.
    #[must_use]
    pub fn cases(&self) -> Vec<&Case> {
        let mut cases: Vec<&Case> = self.cases.values().collect();
        cases.sort_by(|one, other| {
            let key = |case: &Case| (case.shift, std::cmp::Reverse(case.count));
            key(one).cmp(&key(other)).then_with(|| {
                let words = |case: &Case| (case.statement.user.clone(), case.statement.sql.clone());
                words(one).cmp(&words(other))
            })
        });
        cases
    }

    #[must_use]
    pub const fn totals(&self) -> Totals {
        self.totals
    }

    const fn count(&mut self, shift: Shift) {
        match shift {
            Shift::NowRefused => self.totals.now_refused += 1,
            Shift::NowAllowed => self.totals.now_allowed += 1,
            Shift::SeenOtherwise => self.totals.seen_otherwise += 1,
        }
    }

    fn case(
        &self,
        shift: Shift,
        statement: &PastStatement,
        before: Checked,
        after: Checked,
        time: Option<SmolStr>,
    ) -> Case {
        let (refused, engine) = match shift {
            Shift::NowAllowed => (&before, &self.before),
            Shift::NowRefused | Shift::SeenOtherwise => (&after, &self.after),
        };
        let settings = engine.policy().policy.settings().clone();
        let missing = refused.decision.missing().map(|missing| missing_text(missing, &settings)).collect();
        let differ = shift == Shift::SeenOtherwise;
        Case {
            shift,
            statement: statement.clone(),
            missing,
            obligations: differ.then_some((before.decision.obligations, after.decision.obligations)),
            count: 1,
            first: time.clone(),
            last: time,
        }
    }
}

fn check(engine: &Arc<Engine>, statement: &PastStatement) -> Checked {
    let identity = Identity { groups: statement.groups.clone(), ..Identity::of_user(&statement.user) };
    let mut session = engine.session(identity);
    if let Some(database) = &statement.database {
        let mut state = session.state().clone();
        state.use_database(Name::fold(database));
        session.start_from(state);
    }
    session.check(statement.sql.trim().trim_end_matches(';'))
}

fn shift(before: &Checked, after: &Checked) -> Option<Shift> {
    match (before.is_allowed(), after.is_allowed()) {
        (true, false) => Some(Shift::NowRefused),
        (false, true) => Some(Shift::NowAllowed),
        (true, true) if before.decision.obligations != after.decision.obligations => {
            Some(Shift::SeenOtherwise)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use guardbee_policy::Settings;

    use super::*;
    use crate::desired::{PolicyFile, desired_policy};
    use crate::engine::Completeness;

    fn options() -> EngineOptions {
        EngineOptions { completeness: Completeness::Partial, ..EngineOptions::default() }
    }

    async fn policy(text: &str) -> Policy {
        let files = [PolicyFile { label: "policy.sql", text }];
        desired_policy(&files, &Settings::default(), options()).await.unwrap()
    }

    fn past(user: &str, sql: &str) -> PastStatement {
        PastStatement {
            user: user.into(),
            groups: vec!["analysts".into()],
            database: Some("HR".into()),
            sql: sql.into(),
        }
    }

    #[tokio::test(flavor = "current_thread")]
    async fn statements_are_decided_by_both_policies() {
        let before = policy("GRANT SELECT ON TABLE hr.emp TO USER ana;").await;
        let after = policy(
            "GRANT SELECT ON TABLE hr.emp TO GROUP analysts; DENY SELECT ON TABLE hr.emp TO USER ana;
             GRANT SELECT ON TABLE hr.pay TO USER ana;",
        )
        .await;
        let mut impact = Impact::new(before, after, options);
        let mut take = |user: &str, sql: &str| impact.take(past(user, sql), Some("t".into()));
        assert_eq!(take("ana", "SELECT name FROM emp;"), Some(Shift::NowRefused));
        assert_eq!(take("ana", "SELECT name FROM emp;"), Some(Shift::NowRefused));
        assert_eq!(take("bob", "SELECT name FROM emp"), Some(Shift::NowAllowed));
        assert_eq!(take("bob", "SELECT name FROM pay"), None);
        assert_eq!(take("bob", "SELEC"), None);
        let totals = impact.totals();
        assert_eq!(
            (totals.statements, totals.now_refused, totals.now_allowed, totals.unjudged),
            (5, 2, 1, 1)
        );
        let cases = impact.cases();
        assert_eq!((cases[0].shift, cases[0].count), (Shift::NowRefused, 2));
        assert_eq!(cases[0].missing, ["SELECT on hr.emp.name"]);
        assert_eq!(cases.len(), 2);
    }

    #[tokio::test(flavor = "current_thread")]
    async fn other_masks_are_told() {
        let before = policy("GRANT SELECT ON TABLE hr.emp TO USER ana;").await;
        let after = policy(
            "GRANT SELECT ON TABLE hr.emp TO USER ana;
             CREATE COLUMN MASK hide ON TABLE hr.emp (ssn) USING (mask(ssn));",
        )
        .await;
        let mut impact = Impact::new(before, after, options);
        assert_eq!(impact.take(past("ana", "SELECT ssn FROM emp"), None), Some(Shift::SeenOtherwise));
        assert_eq!(impact.take(past("ana", "SELECT name FROM emp"), None), None);
        let (before, after) = impact.cases()[0].obligations.clone().unwrap();
        assert_eq!((before.len(), after.len()), (0, 1));
    }
}
