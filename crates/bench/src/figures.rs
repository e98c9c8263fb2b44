//! Figures that are measured in a process for each size and each peer, so that memory is that one's alone.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs};

use cpu_time::ProcessTime;
use serde_json::{Map, Value, json};

/// Name of a figure, to value and unit.
pub type Figures = BTreeMap<String, (f64, &'static str)>;

/// What is measured, and against whom.
#[derive(Debug)]
pub struct Comparison {
    /// What all figures begin with, and the file that they go into.
    pub name: &'static str,
    pub sizes: Vec<usize>,
    pub peers: &'static [&'static str],
    /// No peer is measured at more than this.
    pub peers_up_to: usize,
}

impl Comparison {
    /// Measures one where the arguments name it, else all, each in a process of its own.
    ///
    /// # Errors
    /// What keeps a measurement from ending or its results from being written.
    pub fn run(&self, measure: impl Fn(&str, usize) -> anyhow::Result<Figures>) -> anyhow::Result<()> {
        let arguments: Vec<String> = env::args().skip(1).filter(|argument| argument != "--bench").collect();
        if let [who, size] = arguments.as_slice() {
            println!("{}", serde_json::to_string(&as_json(measure(who, size.parse()?)?))?);
            return Ok(());
        }
        let mut report = Map::new();
        for size in &self.sizes {
            for (name, figure) in self.compared(*size)? {
                println!("{}/{size}/{name}: {figure}", self.name);
                report.insert(format!("{}/{size}/{name}", self.name), figure);
            }
        }
        let folder = env::var("CARGO_TARGET_DIR")
            .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../../target").to_owned());
        let file = format!("{folder}/bench-{}.json", self.name);
        fs::write(file, serde_json::to_string_pretty(&report)? + "\n")?;
        Ok(())
    }

    /// Our figures at a size; beside those that peers have, too, the best of theirs.
    fn compared(&self, size: usize) -> anyhow::Result<Map<String, Value>> {
        let mut ours = run("ours", size)?;
        let mut peers = Vec::new();
        for peer in self.peers.iter().filter(|_| size <= self.peers_up_to) {
            peers.push((*peer, run(peer, size)?));
        }
        for (name, figure) in &mut ours {
            let theirs: Map<String, Value> = peers
                .iter()
                .filter_map(|(peer, figures)| Some(((*peer).to_owned(), figures.get(name)?["value"].clone())))
                .collect();
            let values = theirs.values().filter_map(Value::as_f64);
            let more_is_better = figure["unit"].as_str().is_some_and(|unit| unit.ends_with("/s"));
            let best = if more_is_better { values.reduce(f64::max) } else { values.reduce(f64::min) };
            let Some(best) = best else { continue };
            let value = figure["value"].as_f64().unwrap_or(f64::NAN);
            figure["peer"] = best.into();
            figure["ratio"] = if more_is_better { value / best } else { best / value }.into();
            figure["peers"] = theirs.into();
        }
        Ok(ours)
    }
}

fn as_json(figures: Figures) -> Map<String, Value> {
    let figure = |(name, (value, unit))| (name, json!({ "value": value, "unit": unit }));
    figures.into_iter().map(figure).collect()
}

/// Measures in a process of its own.
fn run(who: &str, size: usize) -> anyhow::Result<Map<String, Value>> {
    let mut command = Command::new(env::current_exe()?);
    // What goes wrong, or is left out, is for whoever looks on.
    let output = command.args([who, &size.to_string()]).stderr(Stdio::inherit()).output()?;
    anyhow::ensure!(output.status.success(), "{who} at {size} failed");
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// The shortest of three rounds for each question, in order of length: on a shared machine the longer ones measure
/// the neighbours.
pub fn shortest_times<Q>(questions: &[Q], mut ask: impl FnMut(&Q)) -> Vec<Duration> {
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

/// The same by the processor time of the process, which neighbours disturb less: for what takes milliseconds and
/// waits for nothing.
pub fn shortest_processor_times<Q>(questions: &[Q], mut ask: impl FnMut(&Q)) -> Vec<Duration> {
    let mut shortest = vec![Duration::MAX; questions.len()];
    for _ in 0..3 {
        for (question, shortest) in questions.iter().zip(&mut shortest) {
            *shortest = processor_time(|| ask(question)).min(*shortest);
        }
    }
    shortest.sort_unstable();
    shortest
}

/// What the process takes of the processor to do something.
pub fn processor_time(work: impl FnOnce()) -> Duration {
    let started = ProcessTime::now();
    work();
    started.elapsed()
}

/// The median and the 99th percentile, in microseconds.
pub fn add_percentiles(figures: &mut Figures, name: &str, times: &[Duration]) {
    for (percentile, label) in [(50, "p50"), (99, "p99")] {
        let place = (times.len().saturating_sub(1)) * percentile / 100;
        if let Some(time) = times.get(place) {
            figures.insert(format!("{name}/{label}"), (time.as_secs_f64() * 1e6, "us"));
        }
    }
}

/// What the process has in memory, in bytes.
#[must_use]
pub fn resident_bytes() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kibibytes = line.and_then(|line| line.trim().trim_end_matches(" kB").trim().parse::<f64>().ok());
    kibibytes.unwrap_or(f64::NAN) * 1024.0
}
