//! What is acknowledged survives: a process that commits in a loop is killed at random moments, again and again,
//! and so is the server. Afterwards every version that it told of is there and whole.
//!
//! `GUARDBEE_TEST_KILLS` says how often (20).

mod suite;

use guardbee_engine::store::{At, StoreError};
use suite::killing::{WRITER, integrity, kills, run_and_kill};
use suite::sample::Dice;
use suite::server::Server;
use suite::survey::{Survey, commit};

/// Commits for ever, and prints each version that the store has answered. Not a test of its own: it is what the
/// tests kill.
#[tokio::test]
async fn write_until_killed() {
    let Ok(location) = std::env::var(WRITER) else { return };
    let store = guardbee_store::open(&location).await.expect("a store");
    let mut version = store.load(At::Latest).await.expect("a policy").version.0;
    loop {
        version += 1;
        match store.commit(commit(version)).await {
            Ok(made) => println!("acknowledged {}", made.0),
            // The server was killed: so is this process, soon.
            Err(StoreError::Unavailable(_) | StoreError::Unknown(_)) => version -= 1,
            Err(error) => panic!("{error}"),
        }
    }
}

/// The newest version that a writer told of before it was killed.
async fn newest_of_killed(location: &str, dice: &mut Dice, before_kill: impl FnOnce()) -> u64 {
    let told = run_and_kill("write_until_killed", location, dice, before_kill).await;
    told.map_or(0, |version| version.parse().expect("a version"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_keeps_what_it_acknowledged() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let path = folder.path().join("policy.db");
    let location = path.to_str().expect("text");
    let mut dice = Dice::new(20);
    let mut survey = Survey::new();
    for _ in 0..kills() {
        let acknowledged = newest_of_killed(location, &mut dice, || ()).await;
        let store = guardbee_store::open(location).await.expect("it opens after a kill");
        survey.check(&*store, acknowledged).await;
        survey.check_log(&*store).await;
        assert_eq!(integrity(&path).await, "ok");
    }
    assert!(survey.version > kills() as u64, "the writer came to nothing");
    println!("sqlite: {} kills, {} versions, all of them there", kills(), survey.version);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_keeps_what_it_acknowledged() {
    let Some(server) = Server::shared() else { return };
    let location = server.new_database();
    let mut dice = Dice::new(21);
    let mut survey = Survey::new();
    for round in 0..kills() {
        // Every fifth time the server goes first, as in a power cut.
        let is_server = round % 5 == 4;
        let before_kill = || {
            if is_server {
                server.stop_at_once();
            }
        };
        let acknowledged = newest_of_killed(&location, &mut dice, before_kill).await;
        if is_server {
            server.start();
        }
        let store = guardbee_store::open(&location).await.expect("it opens after a kill");
        survey.check(&*store, acknowledged).await;
        survey.check_log(&*store).await;
    }
    assert!(survey.version > kills() as u64, "the writer came to nothing");
    println!("postgres: {} kills, {} versions, all of them there", kills(), survey.version);
}
