//! How many instructions a decision takes: what no neighbour on the machine can change.

use std::env;
use std::hint::black_box;
use std::process::Command;

use guardbee_bench::figures::Figures;
use guardbee_policy::{Policy, Subject, Timestamp, decide};
use guardbee_testkit::policy_load::{PolicyLoad, Question};

const QUESTIONS: usize = 20_000;
const NOW: Timestamp = Timestamp(1_800_000_000_000);

/// Instructions of a decision on average, counted by valgrind; nothing where that is not installed.
pub fn count(size: usize) -> anyhow::Result<Option<f64>> {
    let counted = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=*decide_all*"])
        .arg(env::current_exe()?)
        .args(["instructions", &size.to_string()])
        .output();
    let Ok(output) = counted else { return Ok(None) };
    let report = String::from_utf8_lossy(&output.stderr);
    anyhow::ensure!(output.status.success(), "counting instructions: {report}");
    let collected = report.lines().find_map(|line| line.split_once("Collected :"));
    let total: f64 = collected.map_or("", |(_, count)| count.trim()).parse()?;
    Ok(Some(total / QUESTIONS as f64))
}

/// What is counted: runs below valgrind, and measures nothing itself.
pub fn run(load: PolicyLoad) -> anyhow::Result<Figures> {
    let policy = Policy::from_changes(load.changes()).map_err(|error| anyhow::anyhow!("{error}"))?;
    let asked: Vec<(Subject, Question)> =
        load.questions(QUESTIONS).map(|question| (policy.subject(&question.identity), question)).collect();
    decide_all(&policy, &asked);
    Ok(Figures::new())
}

/// Known to valgrind by this name.
#[inline(never)]
fn decide_all(policy: &Policy, asked: &[(Subject, Question)]) {
    for (subject, question) in asked {
        black_box(decide(policy, subject, std::slice::from_ref(&question.requirement), NOW));
    }
}
