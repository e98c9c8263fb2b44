//! What is acknowledged survives: a process that commits in a loop is killed at random moments, again and again,
//! and so is the server. Afterwards every version that it told of is there and whole.
//!
//! `GUARDBEE_TEST_KILLS` says how often (20).

mod suite;

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use guardbee_engine::store::{At, StoreError};
use sqlx::{ConnectOptions, sqlite::SqliteConnectOptions};
use suite::sample::Dice;
use suite::server::Server;
use suite::survey::{Survey, commit};

/// Where the process that is to be killed finds its store. Set: this program is that process.
const WRITER: &str = "GUARDBEE_TEST_WRITER";

fn kills() -> usize {
    std::env::var("GUARDBEE_TEST_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(20)
}

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

fn start_writer(location: &str) -> Child {
    Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "write_until_killed", "--nocapture", "--test-threads=1"])
        .env(WRITER, location)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("this program")
}

/// Lets a writer run for a while, and kills it (SIGKILL). The newest version that it told of.
async fn run_and_kill(location: &str, dice: &mut Dice, before_kill: impl FnOnce()) -> u64 {
    let mut writer = start_writer(location);
    let output = BufReader::new(writer.stdout.take().expect("its output"));
    let (first, told_of_first) = tokio::sync::oneshot::channel();
    let reading = tokio::task::spawn_blocking(move || {
        let mut first = Some(first);
        let mut newest = 0;
        for line in output.lines().map_while(Result::ok) {
            let version = line.strip_prefix("acknowledged ").and_then(|version| version.parse().ok());
            newest = version.unwrap_or(newest);
            if let Some(first) = first.take_if(|_| newest > 0) {
                let _ = first.send(());
            }
        }
        newest
    });
    // Every fourth is killed while it starts, the others while they commit.
    if dice.below(4) > 0 {
        let _ = tokio::time::timeout(Duration::from_secs(20), told_of_first).await;
    }
    tokio::time::sleep(Duration::from_micros(dice.below(100_000))).await;
    before_kill();
    writer.kill().expect("it runs");
    writer.wait().expect("it has ended");
    reading.await.expect("no panic")
}

async fn integrity(path: &std::path::Path) -> String {
    let mut connection =
        SqliteConnectOptions::new().filename(path).connect().await.expect("the file can be opened");
    sqlx::query_scalar("PRAGMA integrity_check").fetch_one(&mut connection).await.expect("an answer")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_keeps_what_it_acknowledged() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let path = folder.path().join("policy.db");
    let location = path.to_str().expect("text");
    let mut dice = Dice::new(20);
    let mut survey = Survey::new();
    for _ in 0..kills() {
        let acknowledged = run_and_kill(location, &mut dice, || ()).await;
        let store = guardbee_store::open(location).await.expect("it opens after a kill");
        survey.check(&*store, acknowledged).await;
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
        let acknowledged = run_and_kill(&location, &mut dice, before_kill).await;
        if is_server {
            server.start();
        }
        let store = guardbee_store::open(&location).await.expect("it opens after a kill");
        survey.check(&*store, acknowledged).await;
    }
    assert!(survey.version > kills() as u64, "the writer came to nothing");
    println!("postgres: {} kills, {} versions, all of them there", kills(), survey.version);
}
