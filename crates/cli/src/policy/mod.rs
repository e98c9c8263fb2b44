//! `guardbee policy`: policies as code.

mod junit;
pub mod source;
mod test;

use crate::arguments::Policy;
use crate::exit::Outcome;

/// Runs the command.
///
/// # Errors
/// What kept it from being done.
pub fn run(command: &Policy) -> anyhow::Result<Outcome> {
    match command {
        Policy::Test(arguments) => test::run(arguments),
    }
}
