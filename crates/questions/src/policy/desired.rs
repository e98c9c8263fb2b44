//! The policy as somebody wants it, stated by texts, and the way to it.

use guardbee_engine::EngineOptions;
use guardbee_engine::desired::{PolicyFile, desired_policy};
use guardbee_engine::difference::{Author, difference};
use guardbee_policy::{Change, Policy, Settings};
use guardbee_wire::policy::TextProblem;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ground::Unanswered;

/// A text of statements; all of them together are the whole policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyText {
    /// What messages call it, such as the name of its file.
    pub label: String,
    pub text: String,
}

/// The policy that the texts state. `settings` hold where they set nothing else.
///
/// # Errors
/// [`Unanswered::PolicyText`] with everything that is wrong with any of them.
pub async fn desired(
    texts: &[PolicyText],
    settings: &Settings,
    options: EngineOptions,
) -> Result<Policy, Unanswered> {
    let files: Vec<PolicyFile<'_>> =
        texts.iter().map(|text| PolicyFile { label: &text.label, text: &text.text }).collect();
    desired_policy(&files, settings, options).await.map_err(|problems| {
        let told =
            problems.iter().filter_map(|problem| Some(TextProblem::of(*files.get(problem.file)?, problem)));
        Unanswered::PolicyText(told.collect())
    })
}

/// A policy that has become what was stated, and the steps that it took.
pub struct Followed {
    pub policy: Policy,
    pub steps: Vec<Change>,
}

/// Makes a policy say what the desired one says. What both say stays as it is, with its id, maker and time.
///
/// # Errors
/// [`Unanswered::Impossible`] where the policy does not take a step.
pub fn followed(current: &Policy, desired: &Policy, author: &Author) -> Result<Followed, Unanswered> {
    let steps = difference(current, desired, author);
    let mut policy = current.clone();
    for step in &steps {
        policy.apply(step.clone()).map_err(Unanswered::Impossible)?;
    }
    Ok(Followed { policy, steps })
}
