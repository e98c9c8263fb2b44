//! How fast decisions are at three sizes of a policy, and what the policy costs; with the crates `cedar-policy`
//! and `casbin` on the same policy in the same run.
//!
//! Every size runs in a process of its own, so that memory is that policy's alone. Each question is asked in
//! three rounds over all questions; its time is the shortest of the three, since on a shared machine the longer
//! ones measure the neighbours. The peers are asked the easier question: the table as a whole, without its columns.

mod casbin_peer;
mod cedar_peer;
mod instructions;
mod ours;

use std::collections::BTreeMap;
use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, fs};

use guardbee_testkit::policy_load::PolicyLoad;

const SEED: u64 = 7;
const SIZES: [usize; 3] = [1_000, 100_000, 1_000_000];
/// At more entries than this a decision of a peer takes seconds, and its policy gigabytes.
const PEERS_UP_TO: usize = 100_000;

/// Name of a figure, to value and unit.
pub type Figures = BTreeMap<String, (f64, &'static str)>;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match arguments.as_slice() {
        [what, size] if what == "instructions" => {
            return instructions::run(PolicyLoad { entries: size.parse()?, seed: SEED });
        }
        [who, size] => return measure(who, size.parse()?),
        _ => {}
    }
    let mut report = serde_json::Map::new();
    for size in SIZES {
        let ours = run("ours", size)?;
        let peers = if size <= PEERS_UP_TO {
            vec![("cedar", run("cedar", size)?), ("casbin", run("casbin", size)?)]
        } else {
            Vec::new()
        };
        for (name, value) in &ours {
            let mut figure = value.clone();
            let mut all = serde_json::Map::new();
            for (peer, figures) in &peers {
                if let Some(theirs) = figures.get(name) {
                    all.insert((*peer).to_owned(), theirs["value"].clone());
                }
            }
            let fastest = all.values().filter_map(serde_json::Value::as_f64).fold(f64::INFINITY, f64::min);
            if fastest.is_finite() {
                let ratio = fastest / figure["value"].as_f64().unwrap_or(f64::NAN);
                figure["peer"] = fastest.into();
                figure["ratio"] = ratio.into();
                figure["peers"] = all.into();
            }
            println!("policy/{size}/{name}: {figure}");
            report.insert(format!("policy/{size}/{name}"), figure);
        }
    }
    for size in SIZES {
        let Some(count) = instructions::count(size)? else {
            println!(
                "policy: instructions are not counted, valgrind is not installed (Debian: apt-get install valgrind)"
            );
            break;
        };
        println!("policy/{size}/decide/instructions: {count:.0}");
        report.insert(
            format!("policy/{size}/decide/instructions"),
            serde_json::json!({ "value": count, "unit": "instructions" }),
        );
    }
    let folder = env::var("CARGO_TARGET_DIR")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../../target").to_owned());
    fs::write(format!("{folder}/bench-policy.json"), serde_json::to_string_pretty(&report)? + "\n")?;
    Ok(())
}

/// Measures in a process of its own.
fn run(who: &str, size: usize) -> anyhow::Result<serde_json::Map<String, serde_json::Value>> {
    let output = Command::new(env::current_exe()?).args([who, &size.to_string()]).output()?;
    anyhow::ensure!(output.status.success(), "{who} {size}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(serde_json::from_slice(&output.stdout)?)
}

fn measure(who: &str, size: usize) -> anyhow::Result<()> {
    let load = PolicyLoad { entries: size, seed: SEED };
    let figures = match who {
        "ours" => ours::measure(load)?,
        "cedar" => cedar_peer::measure(load)?,
        "casbin" => casbin_peer::measure(load)?,
        _ => anyhow::bail!("who is `{who}`?"),
    };
    let json: serde_json::Map<String, serde_json::Value> = figures
        .into_iter()
        .map(|(name, (value, unit))| (name, serde_json::json!({ "value": value, "unit": unit })))
        .collect();
    println!("{}", serde_json::to_string(&json)?);
    Ok(())
}

/// The shortest of three rounds for each question, in order of length.
fn shortest_times<Q>(questions: &[Q], mut ask: impl FnMut(&Q)) -> Vec<Duration> {
    let mut shortest = vec![Duration::MAX; questions.len()];
    for _ in 0..3 {
        for (question, shortest) in questions.iter().zip(&mut shortest) {
            let started = Instant::now();
            ask(question);
            *shortest = started.elapsed().min(*shortest);
        }
    }
    shortest.sort_unstable();
    shortest
}

/// The median and the 99th percentile, in microseconds.
fn add_percentiles(figures: &mut Figures, name: &str, times: &[Duration]) {
    for (percentile, label) in [(50, "p50"), (99, "p99")] {
        let place = (times.len().saturating_sub(1)) * percentile / 100;
        if let Some(time) = times.get(place) {
            figures.insert(format!("{name}/{label}"), (time.as_secs_f64() * 1e6, "us"));
        }
    }
}

/// What the process has in memory, in bytes.
fn resident_bytes() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kibibytes = line.and_then(|line| line.trim().trim_end_matches(" kB").trim().parse::<f64>().ok());
    kibibytes.unwrap_or(f64::NAN) * 1024.0
}
