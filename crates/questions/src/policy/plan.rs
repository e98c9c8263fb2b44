//! What would change if the policy became what texts state?

use guardbee_engine::difference::{Author, locks_administrators_out};
use guardbee_engine::store::PolicyVersion;
use guardbee_engine::{EngineOptions, PolicySnapshot};
use guardbee_policy::{Policy, Settings, Timestamp};
use guardbee_wire::policy::{Differences, PastDocument, PlanDocument};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use super::desired::{PolicyText, desired, followed};
use super::past::{Past, PastLine};
use crate::ground::Unanswered;

/// What would change if the policy became what these texts state?
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanQuestion {
    /// Together they are the whole policy.
    pub files: Vec<PolicyText>,
    /// Statements that were run: which of them would be decided otherwise?
    #[serde(default)]
    pub past: Vec<PastLine>,
}

/// The statements that would come and go, whom that touches, and what it would have meant for past statements.
/// `options` are those of an engine that judges texts and past statements.
///
/// # Errors
/// [`Unanswered::PolicyText`] where the texts state no policy, [`Unanswered::Impossible`] where the policy cannot become
/// what they state.
pub async fn plan(
    current: &PolicySnapshot,
    question: &PlanQuestion,
    options: impl Fn() -> EngineOptions,
    now: Timestamp,
) -> Result<PlanDocument, Unanswered> {
    let desired = desired(&question.files, &Settings::default(), options()).await?;
    let plan = Plan::of(&current.policy, current.version, &desired, now)?;
    let past = (!question.past.is_empty()).then(|| {
        let mut past = plan.past(options);
        question.past.iter().cloned().for_each(|line| past.take(line));
        past.document()
    });
    Ok(plan.document(past))
}

/// A policy, and what it would become.
pub struct Plan<'p> {
    current: &'p Policy,
    version: PolicyVersion,
    next: Policy,
}

impl<'p> Plan<'p> {
    /// # Errors
    /// [`Unanswered::Impossible`] where the current policy cannot become what the desired one says.
    pub fn of(
        current: &'p Policy,
        version: PolicyVersion,
        desired: &Policy,
        now: Timestamp,
    ) -> Result<Self, Unanswered> {
        let nobody = Author { user: SmolStr::default(), now };
        Ok(Self { current, version, next: followed(current, desired, &nobody)?.policy })
    }

    /// Ready to take statements that were run.
    #[must_use]
    pub fn past(&self, options: impl Fn() -> EngineOptions) -> Past {
        Past::new(self.current.clone(), self.next.clone(), options)
    }

    #[must_use]
    pub fn document(&self, past: Option<PastDocument>) -> PlanDocument {
        PlanDocument::of(
            self.version,
            Differences::of(self.current, &self.next),
            locks_administrators_out(self.current, &self.next),
            past,
        )
    }
}
