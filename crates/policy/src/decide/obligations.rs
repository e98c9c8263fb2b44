//! Row filters and column masks for what is read.

use crate::Policy;
use crate::decision::Obligation;
use crate::requirement::Requirement;
use crate::subject::Subject;

/// What must be done to what the requirements say is read.
pub(super) fn of(_policy: &Policy, _subject: &Subject, _requirements: &[Requirement]) -> Vec<Obligation> {
    Vec::new()
}
