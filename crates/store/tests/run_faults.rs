//! What disks and people do to a file with runs and an audit log in it: each has an error of its own, nothing that was
//! acknowledged is lost, and no wrong run or record is ever read.

mod suite;

use std::fs;
use std::path::{Path, PathBuf};

use guardbee_engine::run_store::{LetterBounds, LetterId, RunStore};
use guardbee_engine::store::{Storage, StoreError};
use guardbee_store::SqliteStore;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, Executor};
use suite::killing::WRITER;
use suite::limits::{self, SmallDisk, flips, mode, spoil_log};
use suite::run_sample::letter;
use suite::run_survey::{self, Survey};
use suite::sample::Dice;
use tempfile::TempDir;

async fn open(path: &Path) -> SqliteStore {
    SqliteStore::open(path).await.expect("a store")
}

/// What was told of last, and why there is no more.
async fn write_until_it_fails(store: &dyn Storage) -> ((u64, u64), StoreError) {
    let mut told = (0, 0);
    for _ in 0..5000 {
        if let Err(error) = run_survey::write_once(store, &mut |run, record| told = (run, record)).await {
            return (told, error);
        }
    }
    panic!("the disk was to be full by now");
}

/// A closed store with some runs, records, a letter and an index: one file.
async fn made(path: &Path) -> Survey {
    let store = open(path).await;
    for _ in 0..15 {
        run_survey::write_once(&store, &mut |_, _| ()).await.expect("kept");
    }
    run_survey::save_index(&store).await.expect("kept");
    store.bury(&[letter("hive.log:1", b"{")], LetterBounds::default()).await.expect("kept");
    let mut survey = Survey::default();
    survey.check(&store, (0, 0)).await;
    store.close().await;
    survey
}

#[tokio::test]
async fn a_full_disk_loses_nothing() {
    let Some(disk) = SmallDisk::new() else { return };
    let path = disk.0.join("policy.db");
    let ballast = disk.0.join("ballast");
    fs::write(&ballast, vec![1; 300_000]).expect("there is room for it");
    let store = open(&path).await;
    let (told, error) = write_until_it_fails(&store).await;
    assert!(matches!(error, StoreError::Full(_)), "{error:?}");
    assert!(told.0 > 10, "{told:?}");
    let mut survey = Survey::default();
    survey.check(&store, told).await;
    // There is room again: it goes on.
    fs::remove_file(ballast).expect("removed");
    run_survey::write_once(&store, &mut |_, _| ()).await.expect("there is room");
    let (told, error) = write_until_it_fails(&store).await;
    assert!(matches!(error, StoreError::Full(_)), "{error:?}");
    store.close().await;
    let again = SqliteStore::open(&path).await.expect("a full disk can be read");
    survey.check(&again, told).await;
    let saved = run_survey::save_index(&again).await;
    assert!(matches!(saved, Err(StoreError::Full(_))), "{saved:?}");
    survey.check(&again, told).await;
}

/// Writes until that fails, and prints what came of it. Not a test of its own: others run it under a limit.
#[tokio::test]
async fn record_until_it_fails() {
    let Some(path) = std::env::var_os(WRITER).map(PathBuf::from) else { return };
    match SqliteStore::open(&path).await {
        Ok(store) => {
            Survey::default().check(&store, (0, 0)).await;
            let ((run, record), error) = write_until_it_fails(&store).await;
            println!("result {run} {record} {}", error.code());
        }
        Err(error) => println!("result 0 0 {}", error.code()),
    }
}

#[tokio::test]
async fn a_limit_on_the_size_of_files_loses_nothing() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("policy.db");
    let result = limits::result_under("trap '' XFSZ; ulimit -f 1000; exec", "record_until_it_fails", &path);
    let words: Vec<&str> = result.split(' ').collect();
    let [run, record, "store-unavailable"] = words[..] else { panic!("{result}") };
    let told = (run.parse().expect("a place"), record.parse().expect("a place"));
    assert!(told.0 > 10, "{told:?}");
    let store = open(&path).await;
    Survey::default().check(&store, told).await;
    run_survey::write_once(&store, &mut |_, _| ()).await.expect("kept");
}

#[tokio::test]
async fn a_file_that_may_not_be_written_can_be_read() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("policy.db");
    let before = made(&path).await;
    mode("0444", &path);
    mode("0777", folder.path());
    let result = limits::result_under(limits::AS_NOBODY, "record_until_it_fails", &path);
    assert_eq!(result, "0 0 store-read-only", "the file is read-only");
    mode("0666", &path);
    mode("0555", folder.path());
    let result = limits::result_under(limits::AS_NOBODY, "record_until_it_fails", &path);
    assert_eq!(result, "0 0 store-read-only", "the directory is read-only");
    mode("0755", folder.path());
    Survey::default().check(&open(&path).await, (before.runs, before.records)).await;
}

/// What a file turned out to hold: up to which run and record, or the code of an error.
async fn read(path: &Path) -> Result<(u64, u64), &'static str> {
    let store = SqliteStore::open(path).await.map_err(|error| error.code())?;
    let mut survey = Survey::default();
    let read = survey.read(&store).await;
    let letters = store.dead_letters(LetterId(0), 10).await;
    store.close().await;
    read.map_err(|error| error.code())?;
    if let Some(found) = letters.map_err(|error| error.code())?.pop() {
        assert_eq!(found.letter, letter("hive.log:1", b"{"));
    }
    Ok((survey.runs, survey.records))
}

fn remove(folder: &Path, name: &str) {
    for companion in ["-wal", "-shm", ""] {
        let _ = fs::remove_file(folder.join(format!("{name}{companion}")));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flipped_bit_never_gives_a_wrong_run() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("policy.db");
    let before = made(&path).await;
    let whole = fs::read(&path).expect("readable");
    let mut dice = Dice::new(50);
    let mut noticed = 0;
    for round in 0..flips() {
        let mut bytes = whole.clone();
        // Where a file begins is where most can go wrong.
        let reach = if round % 8 == 0 { 4096 } else { bytes.len() as u64 };
        let place = usize::try_from(dice.below(reach)).expect("small");
        bytes[place] ^= 1 << dice.below(8);
        fs::write(folder.path().join("damaged.db"), bytes).expect("written");
        match read(&folder.path().join("damaged.db")).await {
            Ok(found) => assert_eq!(found, (before.runs, before.records), "byte {place}: something is lost"),
            Err(_) => noticed += 1,
        }
        remove(folder.path(), "damaged.db");
    }
    assert!(noticed > flips() / 10, "{noticed} of {} flips were noticed", flips());
}

/// SQLite keeps any kind of value in any column; what its driver says of that is not for people.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_value_of_another_kind_is_damage() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("policy.db");
    made(&path).await;
    let whole = fs::read(&path).expect("readable");
    for change in [
        "UPDATE runs SET ended_at = 'x'",
        "UPDATE runs SET operation = x'ff'",
        "UPDATE audit_blocks SET verdicts = 'x'",
        "UPDATE audit_blocks SET earliest = 'x'",
        "UPDATE dead_letters SET received_at = 'x'",
    ] {
        let damaged = folder.path().join("damaged.db");
        fs::write(&damaged, &whole).expect("written");
        let mut raw = SqliteConnectOptions::new().filename(&damaged).connect().await.expect("a database");
        raw.execute(change).await.expect("changed");
        raw.close().await.expect("closed");
        let store = SqliteStore::open(&damaged).await.expect("a store");
        let read = Survey::default().read(&store).await;
        let letters = store.dead_letters(LetterId(0), 10).await;
        let failed = read.err().or(letters.err()).unwrap_or_else(|| panic!("{change}: not noticed"));
        assert_eq!(failed.code(), "store-damaged", "{change}: {failed}");
        assert!(!failed.to_string().contains("Rust"), "{change}: {failed}");
        store.close().await;
        remove(folder.path(), "damaged.db");
    }
}

/// The file and its log as a crash leaves them, and then the log torn or with a flipped bit: what is read is what was
/// there after some batch.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_torn_log_gives_whole_batches() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("policy.db");
    let store = open(&path).await;
    for _ in 0..15 {
        run_survey::write_once(&store, &mut |_, _| ()).await.expect("kept");
    }
    let mut survey = Survey::default();
    survey.check(&store, (0, 0)).await;
    let file = fs::read(&path).expect("readable");
    let log = fs::read(path.with_extension("db-wal")).expect("the log is there while the store is open");
    let mut dice = Dice::new(51);
    let mut older = 0;
    for round in 0..flips() {
        let torn = folder.path().join("torn.db");
        fs::write(&torn, &file).expect("written");
        spoil_log(&mut dice, round, &log, &folder.path().join("torn.db-wal"));
        older += u64::from(read(&torn).await.is_ok_and(|found| found < (survey.runs, survey.records)));
        remove(folder.path(), "torn.db");
    }
    assert!(older > flips() / 4, "{older} of {} logs ended early", flips());
    drop(store);
}
