//! Exit codes, the same for every command.

use std::process::ExitCode;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Yes, or fine.
    Fine,
    /// No, or findings.
    Findings,
    /// The command line makes no sense.
    WrongUse,
    /// Something could not be done.
    Failure,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        Self::from(match outcome {
            Outcome::Fine => 0,
            Outcome::Findings => 1,
            Outcome::WrongUse => 2,
            Outcome::Failure => 3,
        })
    }
}
