//! The engine over a store: versions, conflicts, failures, and other engines on the same store.

mod support;

use std::sync::Arc;
use std::time::Duration;

use guardbee_engine::store::{Store, StoreError, new_commit_key};
use guardbee_engine::{Engine, EngineOptions, Outcome, Session};
use guardbee_policy::{Change, Identity};
use support::{MemoryStore, store_with_root};

async fn engine(store: &Arc<MemoryStore>) -> Arc<Engine> {
    let store: Arc<dyn Store> = store.clone();
    Engine::open(store, EngineOptions::default()).await.expect("a policy that can be loaded")
}

fn root(engine: &Arc<Engine>) -> Session {
    engine.session(Identity::of_user("root"))
}

async fn run(session: &mut Session, statement: &str) -> (Outcome, Option<&'static str>) {
    let executed = session.execute(statement).await;
    (executed.checked.outcome, executed.checked.problem.map(|problem| problem.code))
}

const FINE: (Outcome, Option<&str>) = (Outcome::Allowed, None);

#[tokio::test(flavor = "current_thread")]
async fn a_change_is_a_version_with_its_author_and_reason() {
    let store = store_with_root().await;
    let engine = engine(&store).await;
    assert_eq!(run(&mut root(&engine), "CREATE ROLE r").await, FINE);
    assert_eq!(run(&mut root(&engine), "SHOW ROLES").await, FINE);
    let history = store.history(None, 10).await.unwrap();
    assert_eq!(history.len(), 2);
    assert_eq!((history[0].author.as_str(), &*history[0].reason), ("root", "CREATE ROLE r"));
    assert_eq!(engine.policy().version.0, 2);
}

#[tokio::test(flavor = "current_thread")]
async fn a_change_that_still_makes_sense_is_made_though_another_was_faster() {
    let store = store_with_root().await;
    let (one, other) = (engine(&store).await, engine(&store).await);
    assert_eq!(run(&mut root(&one), "CREATE ROLE r").await, FINE);
    assert_eq!(run(&mut root(&other), "CREATE ROLE s").await, FINE);
    assert!(other.policy().policy.role("r").is_some() && other.policy().policy.role("s").is_some());
    assert_eq!(store.version(), 3);
}

#[tokio::test(flavor = "current_thread")]
async fn of_two_who_make_the_same_role_one_is_told() {
    let store = store_with_root().await;
    let (one, other) = (engine(&store).await, engine(&store).await);
    assert_eq!(run(&mut root(&one), "CREATE ROLE r").await, FINE);
    assert_eq!(run(&mut root(&other), "CREATE ROLE r").await, (Outcome::Error, Some("role-exists")));
    assert_eq!(run(&mut root(&one), "DROP ROLE r").await, FINE);
    let granted = run(&mut root(&other), "GRANT ROLE r TO USER ana").await;
    assert_eq!(granted, (Outcome::Error, Some("unknown-role")));
}

#[tokio::test(flavor = "current_thread")]
async fn many_at_once_lose_nothing() {
    let store = store_with_root().await;
    let mut engines = Vec::new();
    for _ in 0..8 {
        engines.push(engine(&store).await);
    }
    let tasks: Vec<_> = engines
        .iter()
        .enumerate()
        .map(|(number, engine)| {
            let mut session = root(engine);
            async move {
                for role in 0..20 {
                    let made = run(&mut session, &format!("CREATE ROLE r_{number}_{role}")).await;
                    assert_eq!(made, FINE);
                    tokio::task::yield_now().await;
                }
            }
        })
        .collect();
    let local = tokio::task::LocalSet::new();
    let handles: Vec<_> = tasks.into_iter().map(|task| local.spawn_local(task)).collect();
    local.await;
    for handle in handles {
        handle.await.expect("no panic");
    }
    let last = engine(&store).await;
    assert_eq!(last.policy().policy.roles().count(), 2 + 8 * 20);
}

#[tokio::test(flavor = "current_thread")]
async fn a_commit_of_which_nobody_knows_is_made_once() {
    let store = store_with_root().await;
    let engine = engine(&store).await;
    store.fail(StoreError::Unknown("the connection broke".into()));
    assert_eq!(run(&mut root(&engine), "CREATE ROLE r").await, FINE);
    assert_eq!(store.version(), 2);
    assert!(engine.policy().policy.role("r").is_some());
}

#[tokio::test(flavor = "current_thread")]
async fn what_the_store_refuses_changes_nothing() {
    let store = store_with_root().await;
    let engine = engine(&store).await;
    store.fail(StoreError::Full("no space left".into()));
    assert_eq!(run(&mut root(&engine), "CREATE ROLE r").await, (Outcome::Error, Some("store-full")));
    assert!(engine.policy().policy.role("r").is_none());

    assert!(engine.define("CREATE DATABASE db; CREATE TABLE db.t (i INT)").await.unwrap().is_empty());
    assert_eq!(run(&mut root(&engine), "GRANT ALL ON *.* TO USER root").await, FINE);
    assert_eq!(run(&mut root(&engine), "GRANT SELECT ON TABLE db.t TO USER ana").await, FINE);
    store.fail(StoreError::ReadOnly("the disk is read-only".into()));
    assert_eq!(run(&mut root(&engine), "DROP TABLE db.t").await, (Outcome::Error, Some("store-read-only")));
    assert!(engine.catalog().table("db", "t").is_some());
    assert_eq!(run(&mut root(&engine), "DROP TABLE db.t").await, FINE);
    assert!(engine.catalog().table("db", "t").is_none());
}

#[tokio::test(flavor = "current_thread")]
async fn another_engine_sees_a_change_at_once() {
    let store = store_with_root().await;
    let (one, other) = (engine(&store).await, engine(&store).await);
    let local = tokio::task::LocalSet::new();
    let follower = other.clone();
    let seen = local.run_until(async move {
        let following = tokio::task::spawn_local(async move { follower.follow().await });
        assert_eq!(run(&mut root(&one), "CREATE ROLE r").await, FINE);
        for _ in 0..1000 {
            if other.policy().policy.role("r").is_some() {
                following.abort();
                return true;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        false
    });
    assert!(seen.await);
}

#[tokio::test(flavor = "current_thread")]
async fn the_number_of_an_entry_is_never_used_again() {
    let store = store_with_root().await;
    let first = engine(&store).await;
    assert_eq!(run(&mut root(&first), "GRANT ALL ON *.* TO USER ana").await, FINE);
    let used = first.policy().policy.next_entry_id();
    assert_eq!(run(&mut root(&first), "REVOKE ALL ON *.* FROM USER ana").await, FINE);
    let second = engine(&store).await;
    assert_eq!(second.policy().policy.next_entry_id(), used);
}

#[tokio::test(flavor = "current_thread")]
async fn the_engine_takes_steps_of_its_own_making_only_on_the_latest_version() {
    let store = store_with_root().await;
    let engine = engine(&store).await;
    let base = engine.policy().version;
    let step = |key: &str, value: &str| vec![Change::PutSetting { key: key.into(), value: value.into() }];
    assert!(engine.commit(base, "root", Arc::from("one"), step("strict", "true")).await.is_ok());
    let late = engine.commit(base, "root", Arc::from("two"), step("strict", "false")).await.unwrap_err();
    assert_eq!(late.code(), "store-conflict");
    assert!(engine.policy().policy.settings().strict.is_on());
}

#[tokio::test(flavor = "current_thread")]
async fn a_store_that_was_put_back_is_loaded_anew() {
    let store = store_with_root().await;
    let one = engine(&store).await;
    assert_eq!(run(&mut root(&one), "CREATE ROLE r").await, FINE);
    assert_eq!(run(&mut root(&one), "CREATE ROLE s").await, FINE);
    store.put_back(2);
    assert_eq!(run(&mut root(&one), "CREATE ROLE t").await, FINE);
    let policy = &one.policy().policy;
    assert!(policy.role("r").is_some() && policy.role("s").is_none() && policy.role("t").is_some());
    assert_eq!(store.version(), 3);
}

#[test]
fn commits_of_any_process_have_keys_of_their_own() {
    let keys: std::collections::HashSet<_> = (0..1000).map(|_| new_commit_key()).collect();
    assert_eq!(keys.len(), 1000);
}
