//! A group mapping that lets wait keeps nobody waiting but those whose groups are asked for.

mod support;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use guardbee_engine::EngineOptions;
use guardbee_engine::accounts::{Permission, Permissions};
use guardbee_engine::groups::{CachedGroups, GroupError, GroupMapping};
use guardbee_server::Options;
use serde_json::json;
use smol_str::SmolStr;
use support::Ground;

const LETS_WAIT: Duration = Duration::from_millis(1500);

/// Lets wait for everybody, and in the end knows nothing of `nobody`.
struct Slow(Arc<AtomicUsize>);

impl GroupMapping for Slow {
    fn groups_of(&self, user: &str) -> Result<Vec<SmolStr>, GroupError> {
        self.0.fetch_add(1, Ordering::SeqCst);
        thread::sleep(LETS_WAIT);
        match user {
            "nobody" => Err(GroupError::Late { user: user.to_owned(), seconds: 1 }),
            _ => Ok(vec![SmolStr::new_static("analysts")]),
        }
    }
}

#[test]
fn who_is_waited_for_keeps_nobody_else_waiting() {
    let ground = Ground::new();
    ground.account("hive", Permissions::of(Permission::PlugIn));
    let token = ground.token("hive", Permissions::of(Permission::PlugIn), None);
    let count = Arc::new(AtomicUsize::new(0));
    let groups = Box::new(CachedGroups::new(Box::new(Slow(count.clone()))));
    let engine = EngineOptions { groups, ..EngineOptions::default() };
    let running = ground.start(Options { engine, ..Options::default() });
    let check = |user: &str, groups: Option<&str>| {
        let mut asked = json!({ "user": user, "statement": "SELECT 1" });
        if let Some(group) = groups {
            asked["groups"] = json!([group]);
        }
        running.post("/api/v1/check").bearer(&token).json(&asked).send()
    };
    thread::scope(|scope| {
        // More than there are threads that answer.
        for user in ["ana", "ana", "ana", "bob", "cleo", "dan", "nobody", "nobody"] {
            let expected = if user == "nobody" { 503 } else { 200 };
            scope.spawn(move || {
                let answer = check(user, None);
                assert_eq!(answer.status, expected, "{user}: {}", answer.text());
            });
        }
        thread::sleep(Duration::from_millis(300));
        let started = Instant::now();
        for _ in 0..20 {
            assert_eq!(check("eve", Some("analysts")).status, 200);
            assert_eq!(running.get("/health/live").send().status, 200);
        }
        let took = started.elapsed();
        assert!(took < LETS_WAIT / 2, "others waited {took:?}");
    });
    assert_eq!(count.load(Ordering::SeqCst), 5, "each user was asked for once");
    let started = Instant::now();
    assert_eq!(check("ana", None).status, 200);
    assert!(started.elapsed() < LETS_WAIT / 2, "what was asked a moment ago is known");
}
