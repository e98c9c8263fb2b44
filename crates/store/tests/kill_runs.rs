//! What is acknowledged survives, of runs and of the audit log as of policies: a process that records in a loop is killed
//! at random moments, again and again, and so is the server. Afterwards every run that it told of is there, no batch is
//! half there, the chain of the log is whole, and the index is one that was saved.
//!
//! `GUARDBEE_TEST_KILLS` says how often (20).

mod suite;

use std::io::Write as _;

use guardbee_engine::store::StoreError;
use suite::killing::{WRITER, integrity, kills, run_and_kill};
use suite::run_survey::{self, Survey};
use suite::sample::Dice;
use suite::server::Server;

/// Records for ever, and prints what the store has answered. Not a test of its own: it is what the tests kill.
#[tokio::test]
async fn record_until_killed() {
    let Ok(location) = std::env::var(WRITER) else { return };
    let store = guardbee_store::open(&location).await.expect("a store");
    loop {
        let mut output = std::io::stdout();
        let told = |run: u64, record: u64| {
            writeln!(output, "acknowledged {run} {record}").expect("somebody listens");
        };
        match run_survey::write(&*store, told).await {
            // The server was killed: so is this process, soon.
            StoreError::Unavailable(_) | StoreError::Unknown(_) => {}
            error => panic!("{error}"),
        }
    }
}

/// The newest run and record that a writer told of before it was killed.
async fn newest_of_killed(location: &str, dice: &mut Dice, before_kill: impl FnOnce()) -> (u64, u64) {
    let told = run_and_kill("record_until_killed", location, dice, before_kill).await;
    let Some(told) = told else { return (0, 0) };
    let (run, record) = told.split_once(' ').expect("two numbers");
    (run.parse().expect("a place"), record.parse().expect("a place"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_keeps_what_it_acknowledged() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let path = folder.path().join("policy.db");
    let location = path.to_str().expect("text");
    let mut dice = Dice::new(40);
    let mut survey = Survey::default();
    for _ in 0..kills() {
        let told = newest_of_killed(location, &mut dice, || ()).await;
        let store = guardbee_store::open(location).await.expect("it opens after a kill");
        survey.check(&*store, told).await;
        assert_eq!(integrity(&path).await, "ok");
    }
    sum_up("sqlite", survey);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_keeps_what_it_acknowledged() {
    let Some(server) = Server::shared() else { return };
    let location = server.new_database();
    let mut dice = Dice::new(41);
    let mut survey = Survey::default();
    for round in 0..kills() {
        // Every fifth time the server goes first, as in a power cut.
        let is_server = round % 5 == 4;
        let before_kill = || {
            if is_server {
                server.stop_at_once();
            }
        };
        let told = newest_of_killed(&location, &mut dice, before_kill).await;
        if is_server {
            server.start();
        }
        let store = guardbee_store::open(&location).await.expect("it opens after a kill");
        survey.check(&*store, told).await;
    }
    sum_up("postgres", survey);
}

fn sum_up(store: &str, survey: Survey) {
    let Survey { runs, records, indexes } = survey;
    assert!(runs.min(records) > kills() as u64, "the writer came to nothing: {survey:?}");
    println!(
        "{store}: {} kills, {runs} runs and {records} records, all of them there; index of {indexes}",
        kills()
    );
}
