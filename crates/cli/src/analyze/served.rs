//! `guardbee analyze --server`: the same of statements against the catalog of a service.

use anyhow::Context as _;
use guardbee_questions::{AnalyzeRequest, AnalyzedText, Listed};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::arguments::{Analyze, Format};
use crate::client::{self, Client};
use crate::exit::Outcome;
use crate::input::{Input, Unreadable};
use crate::output::{Output, say_unreadable};
use crate::policy::source::NoPolicy;
use crate::terminal::Style;
use crate::wire;

/// An answer as it is passed on: what stands in a statement is not looked at.
#[derive(Deserialize)]
struct Answer {
    statements: Vec<Box<RawValue>>,
    summary: Counts,
}

#[derive(Deserialize)]
struct Counts {
    statements: u64,
    errors: u64,
    warnings: u64,
}

/// # Errors
/// Output that cannot be written.
pub fn run(
    arguments: &Analyze,
    (inputs, unreadable): (Vec<Input>, Vec<Unreadable>),
) -> anyhow::Result<Outcome> {
    match answered(arguments, &inputs, unreadable) {
        Ok(outcome) => Ok(outcome),
        Err(none) => none.outcome(arguments.appearance),
    }
}

fn answered(
    arguments: &Analyze,
    inputs: &[Input],
    mut unreadable: Vec<Unreadable>,
) -> Result<Outcome, NoPolicy> {
    if !matches!(arguments.format, Format::Json | Format::Jsonl) {
        let message = "a service answers with `--format json` or `--format jsonl`";
        return Err(NoPolicy::WrongUse(message.to_owned()));
    }
    client::refuse(&[("--catalog", !arguments.reading.catalog.is_empty())], "it knows its warehouse")?;
    let client = client::service(false, &arguments.service, arguments.appearance)?;
    let client = client.context("no service is named")?;
    let mut output = Output::standard();
    let is_document = arguments.format == Format::Json;
    if is_document {
        output.write(&format!("{{\"version\":{},\"statements\":[", wire::VERSION));
    }
    let mut summary = wire::Summary::default();
    let mut is_first = true;
    for input in inputs {
        let answer = match asked(&client, arguments, input) {
            Ok(answer) => answer?,
            Err(error) => {
                unreadable.push(Unreadable::new(input.label(), &error));
                continue;
            }
        };
        summary.files += 1;
        summary.statements += answer.summary.statements;
        summary.errors += answer.summary.errors;
        summary.warnings += answer.summary.warnings;
        for statement in &answer.statements {
            let line = wire::line(statement).map_err(anyhow::Error::new)?;
            match (is_document, std::mem::take(&mut is_first)) {
                (true, true) => output.write(&format!("\n{line}")),
                (true, false) => output.write(&format!(",\n{line}")),
                (false, _) => output.write(&format!("{line}\n")),
            };
        }
    }
    summary.unreadable_files = unreadable.len() as u64;
    if is_document {
        let summary = wire::line(&summary).map_err(anyhow::Error::new)?;
        output.write(&format!("\n],\"summary\":{summary}}}\n"));
    }
    output.finish()?;
    say_unreadable(Style::for_errors(arguments.appearance.color), &unreadable);
    Ok(if !unreadable.is_empty() {
        Outcome::Failure
    } else if summary.errors > 0 {
        Outcome::Findings
    } else {
        Outcome::Fine
    })
}

/// What becomes of one input, which is one session.
fn asked(client: &Client, arguments: &Analyze, input: &Input) -> std::io::Result<Result<Answer, NoPolicy>> {
    let windows = input.read()?;
    let texts = windows
        .iter()
        .map(|window| AnalyzedText { label: window.label.clone(), text: window.text.clone().into_owned() });
    let reading = &arguments.reading;
    let request = AnalyzeRequest {
        texts: texts.collect(),
        database: reading.database.clone(),
        hivevar: reading.hivevar.clone(),
        hiveconf: reading.hiveconf.clone(),
        listed: if arguments.findings { Listed::Findings } else { Listed::All },
    };
    Ok(client.post("/api/v1/analyze", &request).map_err(NoPolicy::from))
}
