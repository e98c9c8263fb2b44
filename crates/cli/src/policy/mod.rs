//! `guardbee policy`: policies as code. And the questions that a policy answers the other way round.

pub mod comparison;
mod exchange;
mod junit;
pub mod past;
pub mod plan;
pub mod questions;
mod remote;
mod show;
pub mod source;
mod test;

use crate::arguments::Policy;
use crate::deep;
use crate::exit::Outcome;

/// Runs the command.
///
/// # Errors
/// What kept it from being done.
pub fn run(command: &Policy) -> anyhow::Result<Outcome> {
    match command {
        Policy::Test(arguments) => test::run(arguments),
        Policy::Show(arguments) => deep::run(|| show::show(arguments)),
        Policy::Diff(arguments) => deep::run(|| show::diff(arguments)),
        Policy::Plan(arguments) => deep::run(|| plan::plan(arguments)),
        Policy::Apply(arguments) => deep::run(|| plan::apply(arguments)),
        Policy::History(arguments) => deep::run(|| show::history(arguments)),
        Policy::Restore(arguments) => deep::run(|| plan::restore(arguments)),
        Policy::Import(arguments) => deep::run(|| exchange::import(arguments)),
        Policy::Export(arguments) => deep::run(|| exchange::export(arguments)),
    }
}
