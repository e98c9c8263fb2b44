//! `guardbee policy test`: tests of a policy that its users write.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context as _;
use guardbee_engine::policy_test::{self, Base, PolicyTest, Step, StepReport, TestReport};
use guardbee_policy::Settings;

use crate::arguments;
use crate::deep;
use crate::exit::Outcome;
use crate::input::{self, Unreadable};
use crate::output::{Output, say_unreadable};
use crate::terminal::{Paint, Style, printable};

use super::junit::{self, Case, Suite};
use super::source::{self, NoPolicy, Warehouse};

/// Runs the command.
///
/// # Errors
/// Output or a report that cannot be written. A test that cannot be read is told and does not stop the others.
pub fn run(arguments: &arguments::PolicyTest) -> anyhow::Result<Outcome> {
    deep::run(|| run_all(arguments))
}

async fn run_all(arguments: &arguments::PolicyTest) -> anyhow::Result<Outcome> {
    let style = Style::for_output(arguments.appearance.color);
    let (paths, mut unreadable) = collect(&arguments.paths);
    let base = match base(arguments).await {
        Ok(base) => base,
        Err(none) => return none.outcome(arguments.appearance),
    };
    let mut output = Output::standard();
    let mut suites = Vec::new();
    let mut broken = false;
    for path in paths {
        let label = path.display().to_string();
        let test = match read(&path) {
            Ok(test) => test,
            Err(reason) => {
                unreadable.push(Unreadable { label, reason });
                continue;
            }
        };
        let started = Instant::now();
        let report = policy_test::run_on(&base, &test).await;
        broken |= !report.setup.is_empty();
        let page = page(style, &label, &test, &report, arguments.verbose);
        suites.push(suite(label, &test, &report, started));
        if !output.write(&page) && arguments.junit.is_none() {
            break;
        }
    }
    let cases = suites.iter().flat_map(|suite| &suite.cases);
    let (failed, passed): (Vec<&Case>, Vec<&Case>) = cases.partition(|case| case.failure.is_some());
    let outcome = match (unreadable.is_empty(), failed.is_empty() && !broken) {
        (false, _) => Outcome::Failure,
        (true, false) => Outcome::Findings,
        (true, true) => Outcome::Fine,
    };
    let total = format!("{} passed, {} failed", passed.len(), failed.len());
    let paint = if outcome == Outcome::Fine { Paint::Good } else { Paint::Bad };
    output.write(&format!("{}\n", style.paint(paint, &total)));
    output.finish()?;
    if let Some(path) = &arguments.junit {
        fs::write(path, junit::report(&suites))
            .with_context(|| format!("cannot write `{}`", path.display()))?;
    }
    say_unreadable(Style::for_errors(arguments.appearance.color), &unreadable);
    Ok(outcome)
}

/// The policy and the warehouse that the tests are about, where they are kept in files of their own.
async fn base(arguments: &arguments::PolicyTest) -> Result<Base, NoPolicy> {
    let warehouse = Warehouse::of(&arguments.known)?;
    let policy = match arguments.policy.as_slice() {
        [] => None,
        paths => {
            let settings = Settings::default();
            Some(source::from_files(paths, &settings, &warehouse, arguments.appearance).await?)
        }
    };
    Ok(Base { policy, catalog: warehouse.catalog })
}

fn read(path: &Path) -> Result<PolicyTest, String> {
    let bytes = fs::read(path).map_err(|error| crate::input::reason(&error))?;
    let text = input::strict_text(bytes)?;
    let test = PolicyTest::parse(&text).map_err(|error| error.to_string())?;
    // A test that tests nothing must not pass.
    if test.steps.is_empty() { Err("there is no step in it".to_owned()) } else { Ok(test) }
}

/// The files that the paths stand for; a folder gives its tests in the order of their names.
fn collect(paths: &[PathBuf]) -> (Vec<PathBuf>, Vec<Unreadable>) {
    let (mut files, mut unreadable) = (Vec::new(), Vec::new());
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let before = files.len();
        if let Err(error) = collect_folder(path, &mut files) {
            unreadable.push(Unreadable::new(path.display().to_string(), &error));
        } else if files.len() == before {
            let reason = "there is no .yaml or .yml file in it".to_owned();
            unreadable.push(Unreadable { label: path.display().to_string(), reason });
        }
    }
    (files, unreadable)
}

fn collect_folder(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let is_test = path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml");
        // A link to a folder is not followed: it may lead back up.
        if entry.file_type()?.is_dir() {
            collect_folder(&path, files)?;
        } else if is_test {
            files.push(path);
        }
    }
    Ok(())
}

/// What a person sees of one file: the steps that differ, with the reason.
fn page(style: Style, label: &str, test: &PolicyTest, report: &TestReport, verbose: bool) -> String {
    let mut out = String::new();
    let failed = report.failed();
    let verdict = if failed == 0 && report.setup.is_empty() {
        style.paint(Paint::Good, "passed")
    } else {
        style.paint(Paint::Bad, "failed")
    };
    let name = if test.name.is_empty() { String::new() } else { format!("  {}", printable(&test.name)) };
    out.push_str(&format!("{}  {verdict}{name}\n", style.paint(Paint::Heading, &printable(label))));
    for problem in &report.setup {
        out.push_str(&format!("  {}\n", style.paint(Paint::Bad, &printable(problem))));
    }
    for (number, (step, came)) in test.steps.iter().zip(&report.steps).enumerate() {
        if !came.passed() || verbose {
            out.push_str(&step_lines(style, number + 1, step, came));
        }
    }
    out
}

fn step_lines(style: Style, number: usize, step: &Step, came: &StepReport) -> String {
    let sign =
        if came.passed() { style.paint(Paint::Good, "ok    ") } else { style.paint(Paint::Bad, "differs") };
    let mut out = format!("  {number:>3} {sign} {}\n", printable(&title(step)));
    for difference in &came.differences {
        out.push_str(&format!("      {}\n", printable(difference)));
    }
    if !came.passed() && !came.reason.is_empty() {
        out.push_str(&format!(
            "      {}\n",
            style.paint(Paint::Dim, &format!("because: {}", printable(&came.reason)))
        ));
    }
    out
}

/// `ana as reader: SELECT ...`, on one line.
fn title(step: &Step) -> String {
    let sql = step.sql.split_whitespace().collect::<Vec<_>>().join(" ");
    match &step.role {
        Some(role) => format!("{} as {role}: {sql}", step.user),
        None => format!("{}: {sql}", step.user),
    }
}

fn suite(label: String, test: &PolicyTest, report: &TestReport, started: Instant) -> Suite {
    let case = |(number, (step, came)): (usize, (&Step, &StepReport))| Case {
        name: format!("{} {}", number + 1, title(step)),
        failure: (!came.passed())
            .then(|| format!("{}\nbecause: {}", came.differences.join("\n"), came.reason)),
    };
    let mut cases: Vec<Case> = test.steps.iter().zip(&report.steps).enumerate().map(case).collect();
    if !report.setup.is_empty() && cases.is_empty() {
        cases.push(Case { name: "set-up".to_owned(), failure: Some(report.setup.join("\n")) });
    }
    Suite {
        name: if test.name.is_empty() { label.clone() } else { test.name.clone() },
        file: label,
        time: started.elapsed(),
        cases,
    }
}
