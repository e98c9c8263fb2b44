//! What one of several servers does alone: each job once in a period, and by another when the one dies.

#[path = "support/service.rs"]
#[allow(dead_code, reason = "each test file uses its own part")]
mod service;
mod support;

#[path = "../../server/tests/support/client.rs"]
#[allow(dead_code, reason = "the tests of the service use the rest")]
mod client;
#[path = "../../store/tests/suite/server.rs"]
#[allow(dead_code, reason = "the tests of stores use the rest")]
mod postgres;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use client::Ask;
use serde_json::Value;
use service::Service;
use support::Folder;

/// A period of these tests, in seconds.
const PERIOD: &str = "1";
const PATIENCE: Duration = Duration::from_secs(60);
/// Another goes on within this; it looks ten times in a period.
const TAKEN_OVER: Duration = Duration::from_secs(10);

#[test]
fn jobs_are_done_once_in_a_period_and_move_when_their_server_dies() {
    let folder = Folder::new("jobs");
    let file = format!("{}/store.db", folder.path());
    moved(&folder, "sqlite", &file);
    if let Some(server) = postgres::Server::shared() {
        moved(&folder, "postgres", &server.new_database());
    }
}

fn moved(folder: &Folder, kind: &str, store: &str) {
    let options = ["--jobs-every", PERIOD, "--keep-runs-for", "1"];
    let first = Service::start(store, &options);
    let token = std::fs::read_to_string(first.token_file(folder)).expect("there is a token");
    let second = Service::start(store, &options);
    let jobs = |service: &Service| {
        let answer = Ask::new(service.address(), "GET", "/api/v1/jobs").bearer(token.trim()).send();
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()["jobs"].as_array().cloned().unwrap_or_default()
    };
    until(|| {
        done_by(&jobs(&second), first.process()).len() + done_by(&jobs(&second), second.process()).len() > 8
    });
    let (holder, other) =
        if done_by(&jobs(&second), first.process()).is_empty() { (second, first) } else { (first, second) };
    // While one lives the other does none.
    assert_eq!(done_by(&jobs(&other), other.process()), BTreeSet::new());
    let died = holder.process();
    holder.stop();
    let killed = Instant::now();
    until(|| !done_by(&jobs(&other), other.process()).is_empty());
    let taken_over = killed.elapsed();
    until(|| done_by(&jobs(&other), other.process()).len() > 8);
    let all = jobs(&other);
    let names: BTreeSet<&str> = all.iter().filter_map(|job| job["job"].as_str()).collect();
    assert_eq!(names, BTreeSet::from(["forget-runs", "remove-sessions", "save-index", "verify-audit"]));
    let again: Vec<&Value> = all.iter().filter(|job| job["attempts"] != 1).collect();
    // The one at which the server died, where it did so at one.
    assert!(again.len() <= 1 && again.iter().all(|job| job["attempts"] == 2), "{again:?}");
    let (before, after) = (done_by(&all, died), done_by(&all, other.process()));
    assert!(before.is_disjoint(&after), "{before:?} {after:?}");
    assert!(all.iter().skip(1).all(|job| job["state"] == "done"), "{all:?}");
    println!(
        "{kind}: taken over {taken_over:?} after the kill; {} and {} jobs done",
        before.len(),
        after.len()
    );
    assert!(taken_over < TAKEN_OVER, "{taken_over:?}");
}

/// Which jobs a process has done, and in which periods.
fn done_by(jobs: &[Value], process: u32) -> BTreeSet<(String, i64)> {
    let ends_so = format!("process {process}");
    jobs.iter()
        .filter(|job| job["state"] == "done")
        .filter(|job| job["holder"].as_str().is_some_and(|holder| holder.ends_with(&ends_so)))
        .map(|job| (job["job"].as_str().unwrap_or_default().to_owned(), job["period"].as_i64().unwrap_or(-1)))
        .collect()
}

fn until(mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "it does not come");
        std::thread::sleep(Duration::from_millis(50));
    }
}
