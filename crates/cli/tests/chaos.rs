//! Two servers on one PostgreSQL under load, each killed and started again in turn, then the database paused and cut off:
//! whatever was acknowledged is there, and nothing is allowed that was taken away.
//!
//! `GUARDBEE_TEST_KILLS` says how often each server is killed (3).

mod support;

#[path = "../../server/tests/support/client.rs"]
#[allow(dead_code, reason = "the tests of the service use the rest")]
mod client;
#[path = "../../store/tests/suite/server.rs"]
#[allow(dead_code, reason = "the tests of stores use the rest")]
mod postgres;
#[path = "support/service.rs"]
#[allow(dead_code, reason = "each test file uses its own part")]
mod service;

use std::collections::BTreeMap;
use std::net::{SocketAddr, TcpStream};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use client::{Answer, Ask};
use serde_json::{Value, json};
use service::Service;
use support::Folder;

const OPTIONS: [&str; 4] = ["--jobs-every", "2", "--longest-without-store", "3"];
/// Longer than decisions go on without the store, and than it takes to notice that it is away.
const PAUSE: Duration = Duration::from_secs(8);
const PATIENCE: Duration = Duration::from_secs(60);
/// A call that takes longer has failed.
const LONGEST_CALL: Duration = Duration::from_secs(12);

/// The servers as those know them who call, and what was acknowledged.
struct Ground {
    addresses: [Mutex<SocketAddr>; 2],
    token: String,
    is_over: AtomicBool,
    /// Is a table granted, as far as that was acknowledged.
    tables: Mutex<BTreeMap<u64, bool>>,
    runs: Mutex<Vec<String>>,
    wrong: Mutex<Vec<String>>,
    checks: AtomicU64,
    unanswered: AtomicU64,
}

impl Ground {
    fn call(&self, place: usize, ask: impl FnOnce(SocketAddr) -> Ask) -> Option<Answer> {
        let address = *self.addresses[place].lock().expect("no panic");
        let stream = TcpStream::connect_timeout(&address, Duration::from_secs(1)).ok();
        let answer = stream.and_then(|stream| {
            stream.set_read_timeout(Some(LONGEST_CALL)).ok()?;
            ask(address).bearer(&self.token).try_send_over(stream)
        });
        if answer.is_none() {
            self.unanswered.fetch_add(1, Ordering::Relaxed);
        }
        answer
    }

    fn post(&self, place: usize, path: &str, body: &Value) -> Option<Answer> {
        self.call(place, |address| Ask::new(address, "POST", path).json(body))
    }

    fn get(&self, place: usize, path: &str) -> Option<Answer> {
        self.call(place, |address| Ask::new(address, "GET", path))
    }

    /// The version that a statement of administration made, where it is acknowledged.
    fn executed(&self, place: usize, sql: &str) -> Option<u64> {
        let answer = self.post(place, "/api/v1/execute", &json!({ "sql": sql }))?;
        let answer = (answer.status == 200).then(|| answer.json())?;
        let statement = &answer["statements"][0];
        (statement["check"]["outcome"] == "allowed").then(|| answer["policy_version"].as_u64())?
    }

    /// What is answered to whether a reader may read a table; nothing where there is no decision.
    fn outcome(&self, place: usize, table: u64, at_least: Option<u64>) -> Option<bool> {
        let mut asked = json!({ "user": "ana", "groups": ["readers"], "statement": format!("SELECT id FROM mart.t{table}") });
        if let Some(version) = at_least {
            asked["at_least_version"] = json!(version);
        }
        let answer = self.post(place, "/api/v1/check", &asked)?;
        self.checks.fetch_add(1, Ordering::Relaxed);
        let outcome =
            (answer.status == 200).then(|| answer.json()["outcome"].as_str().map(str::to_owned))??;
        Some(outcome == "allowed")
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// Grants and takes away, here and there, and asks the other server each time.
    fn change(&self, of: u64, others: u64) {
        let mut number = of;
        while !self.is_over() {
            let here = usize::from((number / others).is_multiple_of(2));
            let there = 1 - here;
            for is_grant in [true, false] {
                let (word, way) = if is_grant { ("GRANT", "TO") } else { ("REVOKE", "FROM") };
                let sql = format!("{word} SELECT ON TABLE mart.t{number} {way} ROLE readers");
                let Some(version) = self.executed(here, &sql) else {
                    // Nobody knows whether it was made.
                    self.tables.lock().expect("no panic").remove(&number);
                    break;
                };
                self.tables.lock().expect("no panic").insert(number, is_grant);
                let outcome = self.outcome(there, number, Some(version));
                if outcome.is_some_and(|allowed| allowed != is_grant) {
                    self.wrong.lock().expect("no panic").push(format!("{sql}: {outcome:?} at {version}"));
                }
                // Some stay granted.
                if number.is_multiple_of(3) {
                    break;
                }
            }
            number += others;
        }
    }

    fn report(&self) {
        let mut number = 0_usize;
        while !self.is_over() {
            let key = format!("run-{number}");
            let report = json!({
                "key": key, "user": "etl", "outcome": "succeeded", "ended_at": "2026-11-29T02:14:05Z",
                "statement": format!("INSERT INTO mart.x{} SELECT id FROM raw.y", number % 10),
            });
            let answer = self.post(number % 2, "/api/v1/runs", &report);
            if answer.is_some_and(|answer| answer.status == 200 && answer.json()["kept"] == "run") {
                self.runs.lock().expect("no panic").push(key);
            }
            number += 1;
        }
    }

    /// Nobody ever grants that.
    fn ask(&self) {
        let mut place = 0;
        while !self.is_over() {
            if self.outcome(place, 0, None) == Some(true) {
                self.wrong.lock().expect("no panic").push("what nobody granted is allowed".to_owned());
            }
            place = 1 - place;
        }
    }
}

#[test]
fn nothing_acknowledged_is_lost_and_nothing_wrong_is_allowed() {
    let Some((database, _watcher)) = postgres::Server::own() else { return };
    let folder = Folder::new("chaos");
    let store = database.new_database();
    let first = Service::start(&store, &OPTIONS);
    let token = std::fs::read_to_string(first.token_file(&folder)).expect("there is a token");
    let second = Service::start(&store, &OPTIONS);
    let ground = Ground {
        addresses: [Mutex::new(first.address()), Mutex::new(second.address())],
        token: token.trim().to_owned(),
        is_over: AtomicBool::new(false),
        tables: Mutex::default(),
        runs: Mutex::default(),
        wrong: Mutex::default(),
        checks: AtomicU64::new(0),
        unanswered: AtomicU64::new(0),
    };
    for sql in ["CREATE ROLE readers", "GRANT ROLE readers TO GROUP readers"] {
        ground.executed(0, sql).expect("it is done");
    }
    let mut services = [Some(first), Some(second)];
    let kills = std::env::var("GUARDBEE_TEST_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(3);
    std::thread::scope(|scope| {
        let _over = Over(&ground.is_over);
        scope.spawn(|| ground.change(1, 2));
        scope.spawn(|| ground.change(2, 2));
        scope.spawn(|| ground.report());
        scope.spawn(|| ground.ask());
        for round in 0..2 * kills {
            let place = round % 2;
            std::thread::sleep(Duration::from_millis(300 + (round as u64 * 137) % 500));
            services[place].take().expect("it runs").stop();
            let again = Service::start(&store, &OPTIONS);
            *ground.addresses[place].lock().expect("no panic") = again.address();
            services[place] = Some(again);
        }
        database.signal("STOP");
        std::thread::sleep(PAUSE);
        for place in [0, 1] {
            // Of the store nothing has been heard for longer than it may be.
            let outcome = ground.outcome(place, 3, None);
            assert_ne!(outcome, Some(true), "decisions go on without the store");
        }
        database.signal("CONT");
        back(&ground);
        database.stop_at_once();
        std::thread::sleep(Duration::from_secs(1));
        database.start();
        back(&ground);
    });
    judged(&ground, kills);
}

/// Ends the load however the test ends.
struct Over<'g>(&'g AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn back(ground: &Ground) {
    let begun = Instant::now();
    for place in [0, 1] {
        let is_back = || {
            let health = ground.get(place, "/health/ready");
            health.is_some_and(|health| health.status == 200 && health.json()["store_away_ms"].is_null())
        };
        while !is_back() {
            assert!(begun.elapsed() < PATIENCE, "a server does not find the store again");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
    println!("both servers go on {:?} after the store is back", begun.elapsed());
}

fn judged(ground: &Ground, kills: usize) {
    let wrong = ground.wrong.lock().expect("no panic");
    assert!(wrong.is_empty(), "{wrong:?}");
    let tables = ground.tables.lock().expect("no panic");
    let newest = ground.get(0, "/health/ready").expect("it answers").json()["policy_version"].as_u64();
    for place in [0, 1] {
        for (table, is_granted) in &*tables {
            assert_eq!(ground.outcome(place, *table, newest), Some(*is_granted), "mart.t{table} at {place}");
        }
    }
    let runs = ground.runs.lock().expect("no panic");
    for key in &*runs {
        let found = ground.get(1, &format!("/api/v1/runs/{key}")).expect("it answers");
        assert_eq!(found.status, 200, "{key}: {}", found.text());
    }
    let verified = ground.get(0, "/api/v1/audit/verify").expect("it answers");
    assert!(verified.status == 200 && verified.json()["whole"] == true, "{}", verified.text());
    let jobs = ground.get(0, "/api/v1/jobs").expect("it answers").json();
    let jobs = jobs["jobs"].as_array().cloned().unwrap_or_default();
    let done = jobs.iter().filter(|job| job["state"] == "done").count();
    let again = jobs.iter().filter(|job| job["attempts"] != 1).count();
    assert!(done > 0 && jobs.len() - done <= 4, "{jobs:?}");
    assert!(tables.len() > kills && runs.len() > kills, "the load came to nothing");
    println!(
        "{kills} kills of each server, a pause and a cut of the database: {} tables and {} runs acknowledged, all of them there; \
         {} decisions, none wrong; {} calls without an answer; the last {} jobs once each, {again} of them begun again after a kill",
        tables.len(),
        runs.len(),
        ground.checks.load(Ordering::Relaxed),
        ground.unanswered.load(Ordering::Relaxed),
        jobs.len(),
    );
}
