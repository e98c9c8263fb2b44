//! Several servers over one store: what one changes the others answer by at once, and what they do without the store.

mod support;

#[path = "../../store/tests/suite/server.rs"]
#[allow(dead_code, reason = "the tests of stores use the rest")]
mod postgres;

use std::time::{Duration, Instant};

use guardbee_engine::accounts::{Permission, Permissions};
use guardbee_server::Options;
use serde_json::{Value, json};
use support::client::{Answer, Ask};
use support::{Ground, Running};

const CHANGES: usize = 50;
/// The bar is 100 ms, and the middle of all has to be below it. The slowest may have waited for the machine, but not for
/// the next look at a store that tells of nothing.
const BAR: Duration = Duration::from_millis(100);
const SLOWEST: Duration = Duration::from_millis(800);
/// Whatever comes at all comes within this.
const PATIENCE: Duration = Duration::from_secs(20);

/// Two servers, as two machines would run them, and who calls them.
struct Two {
    first: Running,
    second: Running,
    root: String,
    hive: String,
    eve: String,
    _grounds: [Ground; 2],
}

impl Two {
    fn at(location: &str, options: impl Fn() -> Options) -> Self {
        let grounds = [Ground::at(location), Ground::at(location)];
        let [ground, other] = &grounds;
        let all = Permission::ALL.into_iter().collect();
        ground.account("root", all);
        ground.account("hive", Permissions::of(Permission::PlugIn));
        ground.account("eve", Permissions::of(Permission::Auditor));
        ground.grant_all("root");
        let (root, hive, eve) = (
            ground.token("root", all, None),
            ground.token("hive", all, None),
            ground.token("eve", all, None),
        );
        let (first, second) = (ground.start(options()), other.start(options()));
        Self { first, second, root, hive, eve, _grounds: grounds }
    }

    /// Administers at the first server; the version that the policy is at then.
    fn execute(&self, sql: &str) -> u64 {
        let answer = self.executed(sql).send();
        assert_eq!(answer.status, 200, "{}", answer.text());
        let answer = answer.json();
        for statement in answer["statements"].as_array().expect("they are answered") {
            assert_eq!(statement["check"]["outcome"], "allowed", "{statement}");
        }
        answer["policy_version"].as_u64().expect("a version")
    }

    fn executed(&self, sql: &str) -> Ask {
        self.first.post("/api/v1/execute").bearer(&self.root).json(&json!({ "sql": sql }))
    }

    /// What the second server answers to whether a reader may read a column.
    fn checked(&self, column: &str, at_least: Option<u64>) -> Answer {
        let mut asked = json!({
            "user": "ana", "groups": ["readers"], "statement": format!("SELECT {column} FROM mart.t"),
        });
        if let Some(version) = at_least {
            asked["at_least_version"] = json!(version);
        }
        self.second.post("/api/v1/check").bearer(&self.hive).json(&asked).send()
    }

    fn may_read(&self, column: &str) -> bool {
        let answer = self.checked(column, None);
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()["outcome"] == "allowed"
    }

    fn report(&self, key: &str, statement: &str) {
        let report = json!({
            "key": key, "user": "etl", "statement": statement, "outcome": "succeeded", "ended_at": "2026-11-29T02:14:05Z",
        });
        let answer = self.first.post("/api/v1/runs").bearer(&self.hive).json(&report).send();
        assert_eq!((answer.status, answer.json()["kept"].clone()), (200, json!("run")), "{}", answer.text());
    }
}

/// How long until something is so.
fn until(mut is_so: impl FnMut() -> bool) -> Duration {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "it does not come");
        std::thread::sleep(Duration::from_millis(1));
    }
    begun.elapsed()
}

/// Prints how long things took to be seen, and holds them to the bar.
fn judged(what: &str, mut delays: Vec<Duration>) {
    delays.sort();
    let at = |share: usize| delays[(delays.len() - 1) * share / 100];
    let (middle, slowest) = (at(50), at(99));
    println!("{what}: {} times, p50 {middle:?}, p99 {slowest:?}", delays.len());
    assert!(middle < BAR && slowest < SLOWEST, "{what}: {delays:?}");
}

/// The same over each kind of store; PostgreSQL is left out where it is not installed.
fn over_each_store(test: impl Fn(&str, &str)) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    test("sqlite", &folder.path().join("guardbee.db").display().to_string());
    if let Some(server) = postgres::Server::shared() {
        test("postgres", &server.new_database());
    }
}

#[test]
fn what_one_server_changes_the_other_answers_by_at_once() {
    over_each_store(|kind, location| {
        let two = Two::at(location, Options::default);
        two.execute("CREATE ROLE readers; GRANT ROLE readers TO GROUP readers");
        let (mut policy, mut tokens) = (Vec::new(), Vec::new());
        for number in 0..CHANGES {
            let is_grant = number % 2 == 0;
            two.execute(match is_grant {
                true => "GRANT SELECT ON TABLE mart.t TO ROLE readers",
                false => "REVOKE SELECT ON TABLE mart.t FROM ROLE readers",
            });
            policy.push(until(|| two.may_read("id") == is_grant));
        }
        judged(&format!("{kind}, a change of the policy"), policy);
        let session = |secret: &str| two.second.get("/api/v1/session").bearer(secret).send().status;
        for _ in 0..CHANGES / 2 {
            let made =
                two.first.post("/api/v1/tokens").bearer(&two.root).json(&json!({"label": "short"})).send();
            let made = made.json();
            let secret = made["secret"].as_str().expect("there is one");
            tokens.push(until(|| session(secret) == 200));
            let path = format!("/api/v1/tokens/{}", made["token"]["id"]);
            assert_eq!(two.first.ask("DELETE", &path).bearer(&two.root).send().status, 204);
            tokens.push(until(|| session(secret) == 401));
        }
        judged(&format!("{kind}, a change of tokens"), tokens);
    });
}

#[test]
fn a_run_that_one_server_records_the_other_traces_and_its_tags_follow() {
    over_each_store(|kind, location| {
        let two = Two::at(location, Options::default);
        two.execute(
            "CREATE ROLE readers; GRANT ROLE readers TO GROUP readers; GRANT SELECT ON DATABASE mart TO ROLE readers; \
             CREATE TAG pii; SET TAG pii ON COLUMN raw.people.ssn; DENY SELECT ON TAG pii TO ROLE readers",
        );
        assert!(!until(|| two.may_read("c0")).is_zero());
        let (mut traces, mut tags) = (Vec::new(), Vec::new());
        for number in 0..CHANGES / 5 {
            let column = format!("c{number}");
            two.report(
                &format!("run {number}"),
                &format!("CREATE TABLE mart.t{number} AS SELECT ssn AS {column} FROM raw.people"),
            );
            let target = format!("/api/v1/trace?dataset=mart.t{number}.{column}");
            let trace = || two.second.get(&target).bearer(&two.eve).send().text();
            traces.push(until(|| trace().contains("raw.people")));
            let table = format!("SELECT {column} FROM mart.t{number}");
            let asked = json!({ "user": "ana", "groups": ["readers"], "statement": table });
            let check = || two.second.post("/api/v1/check").bearer(&two.hive).json(&asked).send().json();
            tags.push(until(|| check()["outcome"] == "denied"));
        }
        judged(&format!("{kind}, a run"), traces);
        judged(&format!("{kind}, its tags"), tags);
    });
}

#[test]
fn who_waits_for_a_version_is_answered_by_it_and_by_none_before_it() {
    over_each_store(|_, location| {
        let two = Two::at(location, Options::default);
        two.execute("CREATE ROLE readers; GRANT ROLE readers TO GROUP readers");
        let mut version = 0;
        for number in 0..CHANGES {
            let is_grant = number % 2 == 0;
            version = two.execute(match is_grant {
                true => "GRANT SELECT ON TABLE mart.t TO ROLE readers",
                false => "REVOKE SELECT ON TABLE mart.t FROM ROLE readers",
            });
            let answer = two.checked("id", Some(version));
            assert_eq!(answer.status, 200, "{}", answer.text());
            let expected = if is_grant { "allowed" } else { "denied" };
            let answer = answer.json();
            assert_eq!((&answer["outcome"], &answer["policy_version"]), (&json!(expected), &json!(version)));
        }
        let begun = Instant::now();
        let never = two.checked("id", Some(version + 1));
        assert_eq!((never.status, never.code().as_str()), (503, "version-not-reached"), "{}", never.text());
        assert!(never.header("Retry-After").is_some() && begun.elapsed() < Duration::from_secs(8));
    });
}

/// Its own server, which is stopped as a power cut would.
#[test]
fn without_the_store_decisions_go_on_for_a_while_and_changes_are_refused_at_once() {
    let Some((server, _watcher)) = postgres::Server::own() else { return };
    let bound = Duration::from_secs(4);
    let options = || Options { longest_without_store: bound, ..Options::default() };
    let two = Two::at(&server.new_database(), options);
    let version = two.execute(
        "CREATE ROLE readers; GRANT ROLE readers TO GROUP readers; GRANT SELECT ON TABLE mart.t TO ROLE readers",
    );
    assert_eq!(two.checked("id", Some(version)).json()["outcome"], "allowed");
    server.stop_at_once();
    let stopped = Instant::now();
    let stale = |answer: &Answer| answer.json()["stale_for_ms"].as_u64().unwrap_or_default();
    until(|| stale(&two.checked("id", None)) > 0);
    let answer = two.checked("id", None);
    assert_eq!(answer.json()["outcome"], "allowed", "{}", answer.text());
    let health = two.second.get("/health/ready").send();
    assert!(health.status == 200 && !health.json()["reasons"][0].is_null(), "{}", health.text());
    until(|| two.first.get("/health/ready").send().json()["store_away_ms"] != Value::Null);
    let begun = Instant::now();
    let refused = two.executed("GRANT SELECT ON TABLE mart.u TO ROLE readers").send();
    assert_eq!((refused.status, refused.code().as_str()), (503, "store-away"), "{}", refused.text());
    assert!(refused.header("Retry-After").is_some() && begun.elapsed() < Duration::from_secs(1));
    // As long as it may, and not longer.
    until(|| two.checked("id", None).status == 503);
    let denied_after = stopped.elapsed();
    assert!(denied_after < bound + Duration::from_secs(2), "{denied_after:?}");
    println!("without the store: denied after {denied_after:?}, the bound is {bound:?}");
    assert_eq!(two.checked("id", None).code(), "store-away");
    assert_eq!(two.second.get("/health/ready").send().status, 503);
    server.start();
    let started = Instant::now();
    until(|| two.checked("id", None).status == 200 && two.executed("SHOW ROLES").send().status == 200);
    println!("back {:?} after the store", started.elapsed());
    let version = two.execute("REVOKE SELECT ON TABLE mart.t FROM ROLE readers");
    let answer = two.checked("id", Some(version)).json();
    assert_eq!((&answer["outcome"], &answer["stale_for_ms"]), (&json!("denied"), &Value::Null));
}
