//! The `guardbee` command: wires files, terminal and libraries together. No rule of HiveQL, policy or
//! lineage lives here.

mod analyze;
mod arguments;
mod backup;
mod catalog_file;
mod catalogs;
mod check;
mod client;
mod deep;
mod exit;
mod input;
mod lineage;
mod manual;
mod output;
mod parquet;
mod policy;
mod progress;
mod reading;
mod recorded;
mod render;
mod run;
mod schema;
mod serve;
mod terminal;
mod trace;
mod whole_file;
mod window;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use arguments::{Arguments, Command};
use exit::Outcome;
pub(crate) use guardbee_wire as wire;
pub(crate) use guardbee_wire::{clock, place};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let is_wrong_use = error.use_stderr();
            let _ = error.print();
            return if is_wrong_use { Outcome::WrongUse } else { Outcome::Fine }.into();
        }
    };
    match run(&arguments.command) {
        Ok(outcome) => outcome.into(),
        Err(error) => {
            say_failure(&error);
            Outcome::Failure.into()
        }
    }
}

fn run(command: &Command) -> anyhow::Result<Outcome> {
    match command {
        Command::Analyze(arguments) => analyze::run(arguments),
        Command::Trace(arguments) if arguments.paths.is_empty() => recorded::trace(arguments),
        Command::Trace(arguments) => trace::run(arguments),
        Command::Check(arguments) => check::run(arguments),
        Command::Policy(command) => policy::run(command),
        Command::WhoCan(arguments) => policy::questions::who_can(arguments),
        Command::WhatCan(arguments) => policy::questions::what_can(arguments),
        Command::Why(arguments) => policy::questions::why(arguments),
        Command::Record(arguments) => recorded::record(arguments),
        Command::Import(command) => recorded::import(command),
        Command::Impact(arguments) => recorded::impact(arguments),
        Command::Path(arguments) => recorded::path(arguments),
        Command::History(arguments) => recorded::history(arguments),
        Command::Runs(arguments) => recorded::runs(arguments),
        Command::Search(arguments) => recorded::search(arguments),
        Command::Describe(arguments) => recorded::describe(arguments),
        Command::Forget(arguments) => recorded::forget(arguments),
        Command::Audit(arguments) => recorded::audit(arguments),
        Command::WhoDid(arguments) => recorded::who_did(arguments),
        Command::WhoCould(arguments) => recorded::who_could(arguments),
        Command::Tags(arguments) => recorded::tags(arguments),
        Command::Leaks(arguments) => recorded::leaks(arguments),
        Command::Serve(arguments) => serve::run(arguments),
        Command::Backup(arguments) => backup::run(arguments),
        Command::Login(arguments) => client::login(arguments),
        Command::Logout(arguments) => client::logout(arguments),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Arguments::command(), "guardbee", &mut script);
            output::print(&String::from_utf8_lossy(&script)).map(|()| Outcome::Fine)
        }
        Command::Man { directory } => manual::run(directory.as_deref()).map(|()| Outcome::Fine),
        Command::Schema { output } => output::print(&schema::text(*output)?).map(|()| Outcome::Fine),
    }
}

/// The error with its causes. A cause that starts with a new line is shown as it is, such as a finding in a
/// text.
fn say_failure(error: &anyhow::Error) {
    let in_words = |cause: &(dyn std::error::Error + 'static)| match cause.downcast_ref::<std::io::Error>() {
        Some(cause) if cause.raw_os_error().is_some() => input::reason(cause),
        _ => cause.to_string(),
    };
    let text = error.chain().map(in_words).collect::<Vec<_>>().join(": ").replace(": \n", "\n");
    for (index, line) in text.lines().enumerate() {
        output::say(&format!("{}{}", if index == 0 { "error: " } else { "" }, terminal::printable(line)));
    }
}
