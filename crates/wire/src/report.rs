//! One statement that was analysed or checked, with the text that it stands in and, where it was checked, the policy.

use guardbee_analysis::Effects;
use guardbee_engine::clock::{Clock, SystemClock};
use guardbee_engine::explain::{Explained, Remedy, explain, remedy};
use guardbee_engine::{Checked, Outcome, missing_text};
use guardbee_model::{Diagnostic, Span};
use guardbee_policy::{Identity, Policy};

use crate::place::{Place, Places};

/// One analysed statement with the text it came from.
#[derive(Debug)]
pub struct Analyzed<'t> {
    pub label: &'t str,
    /// The text that the statement stands in, or what is left of it.
    pub text: &'t str,
    /// Where that starts in the whole text.
    pub base: u32,
    /// Where the statement stands in `text`, from its first to its last token.
    pub span: Span,
    pub place: Place,
    /// Absent where the statement could not be read.
    pub effects: Option<Effects>,
    pub findings: Vec<Finding>,
}

impl Analyzed<'_> {
    /// The statement as it is written.
    #[must_use]
    pub fn statement(&self) -> &str {
        self.span.text(self.text)
    }
}

/// A diagnostic with its place in the text.
#[derive(Debug)]
pub struct Finding {
    pub place: Place,
    pub diagnostic: Diagnostic,
    /// The same was found before in this session: a table that is missing is missing for every statement.
    pub is_repeated: bool,
}

impl Finding {
    /// What was found in a piece of a text that starts at a place, with the places in the text.
    #[must_use]
    pub fn all(found: Vec<Diagnostic>, start: u32, places: &Places<'_>) -> Vec<Self> {
        let diagnostics: Vec<Diagnostic> = found.into_iter().map(|found| found.shifted(start)).collect();
        let found_at = places.of_all(&diagnostics);
        let findings = diagnostics.into_iter().zip(found_at);
        findings.map(|(diagnostic, place)| Self { place, diagnostic, is_repeated: false }).collect()
    }
}

/// One statement that was checked.
#[derive(Debug)]
pub struct Report<'t> {
    pub label: &'t str,
    pub text: &'t str,
    pub span: Span,
    pub place: Place,
    pub checked: Checked,
    /// As it was before the statement.
    pub policy: &'t Policy,
    pub identity: &'t Identity,
}

impl Report<'_> {
    /// What is missing, as lists of missing rights write it.
    #[must_use]
    pub fn missing(&self) -> Vec<String> {
        let settings = self.policy.settings();
        self.checked.decision.missing().map(|missing| missing_text(missing, settings)).collect()
    }

    /// What decided each right that is needed.
    #[must_use]
    pub fn reasons(&self) -> Vec<Explained> {
        let (requirements, decision) = (&self.checked.requirements, &self.checked.decision);
        explain(self.policy, self.identity, requirements, decision, SystemClock.now())
    }

    /// What would have to change; for refusals only.
    #[must_use]
    pub fn remedy(&self) -> Option<Remedy> {
        if self.checked.outcome != Outcome::Denied {
            return None;
        }
        remedy(self.policy, self.identity, &self.checked.requirements, SystemClock.now())
    }

    /// What was found in the text, with its places there.
    #[must_use]
    pub fn findings(&self, places: &Places<'_>) -> Vec<Finding> {
        Finding::all(self.checked.diagnostics.clone(), self.span.start, places)
    }
}
