//! What disks and people do to a file: it is full, read-only, torn, damaged, locked, foreign, newer. Each has an
//! error of its own, nothing that was acknowledged is lost, and no wrong policy is ever read.

mod suite;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use guardbee_engine::store::{At, PolicyVersion, Store, StoreError};
use guardbee_store::SqliteStore;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, Executor, SqliteConnection};
use suite::killing::WRITER;
use suite::limits::{self, SmallDisk, flips, mode, spoil_log};
use suite::model::Model;
use suite::sample::Dice;
use suite::survey::{Survey, commit, steps};
use tempfile::TempDir;

fn folder() -> TempDir {
    TempDir::new().expect("a folder")
}

async fn open(path: &Path) -> SqliteStore {
    SqliteStore::open(path).await.expect("a store")
}

async fn raw(path: &Path) -> SqliteConnection {
    SqliteConnectOptions::new().filename(path).create_if_missing(true).connect().await.expect("a database")
}

/// A closed store with some versions: one file.
async fn made(path: &Path, versions: u64) {
    let store = open(path).await;
    for version in 1..=versions {
        store.commit(commit(version)).await.expect("made");
    }
    store.close().await;
    let log = path.with_extension("db-wal").try_exists();
    assert!(matches!(log, Ok(false)), "closing leaves one file");
}

/// Commits from `next` on until that fails: the last version that was acknowledged, and why the next was not.
async fn commit_until_it_fails(store: &dyn Store, mut next: u64) -> (u64, StoreError) {
    loop {
        match store.commit(commit(next)).await {
            Ok(_) => next += 1,
            Err(error) => return (next - 1, error),
        }
        assert!(next < 5000, "the disk was to be full by now");
    }
}

async fn code_of_opening(path: &Path) -> &'static str {
    SqliteStore::open(path).await.err().map_or("opened", |error| error.code())
}

#[tokio::test]
async fn a_full_disk_loses_nothing() {
    let Some(disk) = SmallDisk::new() else { return };
    let path = disk.0.join("policy.db");
    let ballast = disk.0.join("ballast");
    fs::write(&ballast, vec![1; 300_000]).expect("there is room for it");
    let store = open(&path).await;
    let (acknowledged, error) = commit_until_it_fails(&store, 1).await;
    assert!(matches!(error, StoreError::Full(_)), "{error:?}");
    assert!(acknowledged > 2, "{acknowledged} versions");
    let mut survey = Survey::new();
    survey.check(&store, acknowledged).await;
    // There is room again: it goes on.
    fs::remove_file(ballast).expect("removed");
    assert_eq!(store.commit(commit(survey.version + 1)).await, Ok(PolicyVersion(survey.version + 1)));
    let acknowledged = survey.version + 1;
    survey.check(&store, acknowledged).await;
    let (acknowledged, error) = commit_until_it_fails(&store, survey.version + 1).await;
    assert!(matches!(error, StoreError::Full(_)), "{error:?}");
    store.close().await;
    let again = SqliteStore::open(&path).await.expect("a full disk can be read");
    survey.check(&again, acknowledged).await;
}

#[tokio::test]
async fn a_store_on_a_read_only_disk_can_be_read_and_says_that_it_cannot_be_written() {
    let Some(disk) = SmallDisk::new() else { return };
    let path = disk.0.join("policy.db");
    made(&path, 3).await;
    disk.make_read_only();
    let store = open(&path).await;
    Survey::new().check(&store, 3).await;
    let refused = store.commit(commit(4)).await;
    assert!(matches!(refused, Err(StoreError::ReadOnly(_))), "{refused:?}");
    assert_eq!(code_of_opening(&disk.0.join("new.db")).await, "store-read-only");
}

/// Commits until that fails, and prints what came of it. Not a test of its own: others run it under a limit.
#[tokio::test]
async fn write_until_it_fails() {
    let Some(path) = std::env::var_os(WRITER).map(PathBuf::from) else { return };
    match SqliteStore::open(&path).await {
        Ok(store) => {
            let next = store.load(At::Latest).await.expect("a policy").version.0 + 1;
            let (acknowledged, error) = commit_until_it_fails(&store, next).await;
            println!("result {acknowledged} {}", error.code());
        }
        Err(error) => println!("result 0 {}", error.code()),
    }
}

/// The last version that a process that commits under a shell line told of, and the code of the error.
fn write_under(line: &str, path: &Path) -> (u64, String) {
    let result = limits::result_under(line, "write_until_it_fails", path);
    let (version, code) = result.split_once(' ').expect("two words");
    (version.parse().expect("a version"), code.to_owned())
}

#[tokio::test]
async fn a_limit_on_the_size_of_files_loses_nothing() {
    let folder = folder();
    let path = folder.path().join("policy.db");
    let (acknowledged, code) = write_under("trap '' XFSZ; ulimit -f 1000; exec", &path);
    assert_eq!(code, "store-unavailable");
    assert!(acknowledged > 2);
    let store = open(&path).await;
    let mut survey = Survey::new();
    survey.check(&store, acknowledged).await;
    assert_eq!(store.commit(commit(survey.version + 1)).await, Ok(PolicyVersion(survey.version + 1)));
}

#[tokio::test]
async fn a_file_that_may_not_be_written_can_be_read() {
    let folder = folder();
    let path = folder.path().join("policy.db");
    made(&path, 3).await;
    mode("0444", &path);
    mode("0777", folder.path());
    let read_only = (3, "store-read-only".to_owned());
    assert_eq!(write_under(limits::AS_NOBODY, &path), read_only, "the file is read-only");
    mode("0666", &path);
    mode("0555", folder.path());
    assert_eq!(write_under(limits::AS_NOBODY, &path), read_only, "the directory is read-only");
    mode("0755", folder.path());
    Survey::new().check(&open(&path).await, 3).await;
}

#[tokio::test]
async fn a_place_where_there_can_be_no_store_is_named() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    assert_eq!(code_of_opening(&path("missing/policy.db")).await, "store-location");
    assert_eq!(code_of_opening(folder.path()).await, "store-location");
    fs::write(path("text"), "GRANT SELECT ON TABLE t TO ROLE r;\n".repeat(100)).expect("written");
    assert_eq!(code_of_opening(&path("text")).await, "store-foreign");
    assert_eq!(code_of_opening(&path("text/policy.db")).await, "store-location");
    raw(&path("other.db")).await.execute("CREATE TABLE songs (title TEXT)").await.expect("made");
    assert_eq!(code_of_opening(&path("other.db")).await, "store-foreign");
    let tables: i64 = sqlx::query_scalar("SELECT count(*) FROM sqlite_master")
        .fetch_one(&mut raw(&path("other.db")).await)
        .await
        .expect("readable");
    assert_eq!(tables, 1, "nothing is added to another program's database");
}

#[tokio::test]
async fn a_newer_schema_is_refused() {
    let folder = folder();
    let path = folder.path().join("policy.db");
    made(&path, 1).await;
    raw(&path)
        .await
        .execute(
            "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
             VALUES (99, 'from the future', 1, x'00', 0)",
        )
        .await
        .expect("written");
    let error = SqliteStore::open(&path).await.err();
    assert!(matches!(error, Some(StoreError::NewerSchema { found: 99, .. })), "{error:?}");
}

#[tokio::test]
async fn a_locked_file_is_waited_for_but_not_for_ever() {
    let folder = folder();
    let path = folder.path().join("policy.db");
    made(&path, 1).await;
    let store = open(&path).await;
    let mut other = raw(&path).await;
    other.execute("BEGIN IMMEDIATE").await.expect("locked");
    let answer = store.commit(commit(2)).await;
    assert!(matches!(&answer, Err(StoreError::Unavailable(why)) if why.contains("locked")), "{answer:?}");
    Survey::new().check(&store, 1).await;
    let (answer, ()) = tokio::join!(store.commit(commit(2)), async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        other.execute("COMMIT").await.expect("released");
    });
    assert_eq!(answer, Ok(PolicyVersion(2)));
    other.close().await.expect("closed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_may_make_the_same_store() {
    let folder = folder();
    for round in 0..5 {
        let path = folder.path().join(format!("policy-{round}.db"));
        let opening: Vec<_> = (0..8)
            .map(|_| {
                let path = path.clone();
                tokio::spawn(async move { SqliteStore::open(&path).await.map(|_| ()) })
            })
            .collect();
        for opened in opening {
            assert_eq!(opened.await.expect("no panic"), Ok(()));
        }
    }
}

/// The policies of all versions up to one, from what was committed.
fn models(versions: u64) -> Vec<Model> {
    let mut models = vec![Model::default()];
    for version in 1..=versions {
        let mut next = models.last().cloned().unwrap_or_default();
        steps(version).into_iter().for_each(|change| next.apply(change));
        models.push(next);
    }
    models
}

/// What a file turned out to hold after something was done to it.
#[derive(Debug, PartialEq)]
enum Found {
    /// The policy of a version, exactly.
    Version(usize),
    /// No policy, but an error.
    Error(&'static str),
    /// The newest policy, but something older cannot be read.
    DamagedPast,
}

/// Reads the policy in every way there is. A policy that never was fails the test.
async fn read(path: &Path, models: &[Model]) -> Found {
    let store = match SqliteStore::open(path).await {
        Ok(store) => store,
        Err(error) => return Found::Error(error.code()),
    };
    let found = match store.load(At::Latest).await {
        Ok(loaded) => {
            let version = usize::try_from(loaded.version.0).expect("small");
            let model = models.get(version).expect("a version that was made");
            assert!(&Model::of(loaded.changes) == model, "version {version} is read, but wrong");
            Found::Version(version)
        }
        Err(error) => Found::Error(error.code()),
    };
    let mut past_is_whole = true;
    for at in [1, models.len() / 2, models.len() - 2] {
        match store.load(At::Version(PolicyVersion(at as u64))).await {
            Ok(loaded) => {
                assert!(Model::of(loaded.changes) == models[at], "version {at} is read, but wrong");
            }
            Err(StoreError::UnknownVersion(_)) => {}
            Err(_) => past_is_whole = false,
        }
    }
    match store.changes_after(PolicyVersion(0), 1000).await {
        Ok(versions) => {
            let mut model = Model::default();
            for version in versions {
                version.changes.into_iter().for_each(|change| model.apply(change));
                let number = usize::try_from(version.record.version.0).expect("small");
                assert!(model == models[number], "the steps to version {number} are read, but wrong");
            }
        }
        Err(_) => past_is_whole = false,
    }
    store.close().await;
    match found {
        Found::Version(_) if !past_is_whole => Found::DamagedPast,
        found => found,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flipped_bit_never_gives_a_wrong_policy() {
    const VERSIONS: u64 = 12;
    let folder = folder();
    let path = folder.path().join("policy.db");
    made(&path, VERSIONS).await;
    let models = models(VERSIONS);
    let whole = fs::read(&path).expect("readable");
    let mut dice = Dice::new(30);
    let mut noticed = 0;
    for round in 0..flips() {
        let mut bytes = whole.clone();
        // Where a file begins is where most can go wrong.
        let reach = if round % 4 == 0 { 4096 } else { bytes.len() as u64 };
        let mut place = usize::try_from(dice.below(reach)).expect("small");
        // Much of a small file is empty: most hit something.
        while round % 3 > 0 && bytes[place] == 0 {
            place = usize::try_from(dice.below(reach)).expect("small");
        }
        bytes[place] ^= 1 << dice.below(8);
        let damaged = folder.path().join("damaged.db");
        fs::write(&damaged, bytes).expect("written");
        let reading = tokio::time::timeout(Duration::from_secs(60), read(&damaged, &models));
        match reading.await.unwrap_or_else(|_| panic!("byte {place}: reading does not end")) {
            Found::Version(version) => assert_eq!(version as u64, VERSIONS, "byte {place}: an older policy"),
            Found::Error("store-unknown" | "opened") => panic!("byte {place}: no clear error"),
            Found::Error(_) | Found::DamagedPast => noticed += 1,
        }
        for companion in ["damaged.db-wal", "damaged.db-shm", "damaged.db"] {
            let _ = fs::remove_file(folder.path().join(companion));
        }
    }
    assert!(noticed > flips() / 10, "{noticed} of {} flips were noticed", flips());
}

/// Drivers take the texts that say what the tables are for text.
#[tokio::test]
async fn a_flipped_bit_in_what_the_tables_are_is_an_error() {
    let folder = folder();
    let path = folder.path().join("policy.db");
    made(&path, 1).await;
    let mut bytes = fs::read(&path).expect("readable");
    let types: Vec<usize> =
        (0..bytes.len()).filter(|place| bytes[*place..].starts_with(b"INTEGER")).collect();
    types.into_iter().for_each(|place| bytes[place] ^= 0x80);
    fs::write(&path, bytes).expect("written");
    assert_eq!(code_of_opening(&path).await, "store-damaged");
}

/// The file and its log as a crash leaves them, and then the log torn or with a flipped bit: what is read is a
/// policy that was, never a mixture.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_torn_log_gives_a_policy_that_was() {
    const VERSIONS: u64 = 12;
    let folder = folder();
    let path = folder.path().join("policy.db");
    let store = open(&path).await;
    for version in 1..=VERSIONS {
        store.commit(commit(version)).await.expect("made");
    }
    let models = models(VERSIONS);
    let file = fs::read(&path).expect("readable");
    let log = fs::read(path.with_extension("db-wal")).expect("the log is there while the store is open");
    let mut dice = Dice::new(31);
    let mut older = 0;
    for round in 0..flips() {
        let torn = folder.path().join("torn.db");
        fs::write(&torn, &file).expect("written");
        spoil_log(&mut dice, round, &log, &folder.path().join("torn.db-wal"));
        match read(&torn, &models).await {
            Found::Version(version) if (version as u64) < VERSIONS => older += 1,
            Found::Version(_) | Found::Error(_) | Found::DamagedPast => {}
        }
        for companion in ["torn.db-wal", "torn.db-shm", "torn.db"] {
            let _ = fs::remove_file(folder.path().join(companion));
        }
    }
    assert!(older > flips() / 4, "{older} of {} logs ended early", flips());
    // The log as it is holds everything.
    fs::write(folder.path().join("torn.db"), &file).expect("written");
    fs::write(folder.path().join("torn.db-wal"), &log).expect("written");
    assert_eq!(read(&folder.path().join("torn.db"), &models).await, Found::Version(12));
    drop(store);
}
