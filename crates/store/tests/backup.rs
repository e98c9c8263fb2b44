//! A backup holds what one moment saw, whoever writes meanwhile; what is restored from it is the store that was there. What
//! was killed, cut or changed by hand is never taken for a whole one.

mod suite;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use guardbee_engine::audit::AuditVerdict;
use guardbee_engine::run_store::RunSeq;
use guardbee_engine::store::{At, Storage, StoreError};
use guardbee_model::Timestamp;
use guardbee_store::Location;
use guardbee_store::backup::{BackupError, Contents, Onto, back_up, restore, verify};
use suite::killing::{WRITER, kills, run_and_kill};
use suite::run_sample::{copy, letter, record};
use suite::sample::Dice;
use suite::server::Server;
use suite::survey::{Survey, commit};
use tempfile::TempDir;

const NOW: Timestamp = Timestamp(1_800_000_000_000);

fn location(text: &str) -> Location {
    Location::parse(text).expect("a location")
}

async fn open(location: &str) -> Arc<dyn Storage> {
    guardbee_store::open(location).await.expect("a store")
}

async fn made(store: &str, out: &Path) -> Result<Contents, BackupError> {
    back_up(&location(store), out, NOW, &mut |_| ()).await
}

async fn restored(backup: &Path, store: &str, onto: Onto) -> Result<Contents, BackupError> {
    restore(backup, &location(store), onto, &mut |_| ()).await
}

/// Versions, runs, an index, letters and records; so that no table but those of accounts is empty.
async fn fill(store: &dyn Storage, versions: u64) {
    let mut dice = Dice::new(7);
    for version in 1..=versions {
        store.commit(commit(version)).await.expect("made");
    }
    for number in 0..5 {
        store.append_runs(&[copy(&format!("run {number}"), 2, 3)]).await.expect("kept");
        store.append_audit(&[record(&mut dice), record(&mut dice)]).await.expect("kept");
    }
    let head = store.run_head().await.expect("a head");
    store.save_index(head, &mut vec![vec![1; 3 << 20], vec![2]].into_iter()).await.expect("saved");
    let bounds = guardbee_engine::run_store::LetterBounds::default();
    store.bury(&[letter("somewhere", b"\0what is no run")], bounds).await.expect("kept");
}

/// All that can be seen of a store.
async fn seen(store: &dyn Storage) -> String {
    let policy = store.load(At::Latest).await.expect("a policy");
    let history = store.history(None, u32::MAX).await.expect("versions");
    let runs = store.load_runs(RunSeq(0), u32::MAX).await.expect("runs");
    let letters =
        store.dead_letters(guardbee_engine::run_store::LetterId(0), u32::MAX).await.expect("letters");
    let accounts = store.accounts().await.expect("accounts");
    let log = store.verify_audit(None).await.expect("a log");
    assert!(matches!(log, AuditVerdict::Verified { .. }), "{log:?}");
    format!("{policy:?} {history:?} {runs:?} {letters:?} {accounts:?} {log:?}")
}

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(TempDir::new().expect("a folder"))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.file(name).to_str().expect("text").to_owned()
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.0.path())
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name().into_string().expect("text"))
            .collect();
        names.sort();
        names
    }
}

/// From each kind of store into each: what is there afterwards is what was there.
async fn all_of_it_comes_over(from: &str, into: &str, folder: &Folder) {
    let before = open(from).await;
    fill(&*before, 12).await;
    let backup = folder.file("one.backup");
    let contents = made(from, &backup).await.expect("a backup");
    assert_eq!(contents.policy_version, 12);
    assert_eq!(contents.runs, 5);
    assert_eq!(contents.audit.seq.0, 22);
    assert_eq!(fs::metadata(&backup).expect("a file").permissions().mode() & 0o777, 0o600);
    assert_eq!(verify(&backup).await.expect("whole"), contents);
    assert_eq!(restored(&backup, into, Onto::Empty).await.expect("a store"), contents);
    let after = open(into).await;
    assert_eq!(seen(&*after).await, seen(&*before).await);
    // It goes on as the old one would have.
    after.commit(commit(13)).await.expect("made");
    Survey::new().check(&*after, 13).await;
    let second = restored(&backup, into, Onto::Empty).await;
    assert!(matches!(second, Err(BackupError::NotEmpty(_))), "{second:?}");
    assert_eq!(after.load(At::Latest).await.expect("a policy").version.0, 13);
}

#[tokio::test]
async fn a_file_comes_over_to_a_file() {
    let folder = Folder::new();
    all_of_it_comes_over(&folder.text("a.db"), &folder.text("b.db"), &folder).await;
    assert!(folder.names().iter().all(|name| !name.ends_with(".part")), "{:?}", folder.names());
}

#[tokio::test]
async fn a_server_comes_over_to_a_file_and_back() {
    let Some(server) = Server::shared() else { return };
    let folder = Folder::new();
    all_of_it_comes_over(&server.new_database(), &folder.text("b.db"), &folder).await;
    let folder = Folder::new();
    all_of_it_comes_over(&folder.text("a.db"), &server.new_database(), &folder).await;
}

/// Versions, runs and records of one moment, though all of them come while it is made.
async fn one_moment_is_seen(store: &str) {
    let writer = open(store).await;
    fill(&*writer, 10).await;
    let writing = tokio::spawn(async move {
        let mut dice = Dice::new(8);
        for version in 11.. {
            writer.commit(commit(version)).await.expect("made");
            writer.append_audit(&[record(&mut dice)]).await.expect("kept");
            writer.append_runs(&[copy(&format!("later {version}"), 1, 1)]).await.expect("kept");
        }
    });
    let folder = Folder::new();
    let mut version = 10;
    for number in 0..5 {
        let backup = folder.file(&format!("{number}.backup"));
        let contents = made(store, &backup).await.expect("a backup");
        assert!(contents.policy_version >= version, "{} came after {version}", contents.policy_version);
        version = contents.policy_version;
        let copied = folder.text(&format!("{number}.db"));
        restored(&backup, &copied, Onto::Empty).await.expect("a store");
        let copied = open(&copied).await;
        let mut survey = Survey::new();
        survey.check(&*copied, version).await;
        seen(&*copied).await;
        assert_eq!(survey.version, version);
        // Of each version its record is there, and of each round at most the last steps are not.
        let rounds = version - 10;
        assert!((20 - 1..=20).contains(&(contents.audit.seq.0 - 2 * rounds)), "{contents:?}");
        assert!((5 - 1..=5).contains(&(contents.runs - rounds)), "{contents:?}");
    }
    assert!(version > 11, "nobody wrote meanwhile");
    writing.abort();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_moment_is_seen_of_a_file() {
    let folder = Folder::new();
    one_moment_is_seen(&folder.text("store.db")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_moment_is_seen_of_a_server() {
    let Some(server) = Server::shared() else { return };
    one_moment_is_seen(&server.new_database()).await;
}

/// A flipped bit is refused, or was in nothing that counts: then all comes over.
#[tokio::test]
async fn what_was_changed_by_hand_is_noticed() {
    let folder = Folder::new();
    let store = open(&folder.text("a.db")).await;
    for version in 1..=3 {
        store.commit(commit(version)).await.expect("made");
    }
    let before = seen(&*store).await;
    let backup = folder.file("one.backup");
    made(&folder.text("a.db"), &backup).await.expect("a backup");
    let whole = fs::read(&backup).expect("readable");
    let damaged = folder.file("damaged.backup");
    let (mut refused, mut whole_still) = (0, 0);
    let mut dice = Dice::new(9);
    for number in 0..150 {
        let mut bytes = whole.clone();
        let length = bytes.len() as u64;
        // Half of them where there is something for certain.
        let place = loop {
            let place = usize::try_from(dice.below(length)).expect("small");
            if number % 2 == 0 || bytes[place] != 0 {
                break place;
            }
        };
        bytes[place] ^= 1 << dice.below(8);
        fs::write(&damaged, &bytes).expect("writable");
        let into = folder.text(&format!("{number}.db"));
        match restored(&damaged, &into, Onto::Empty).await {
            Err(BackupError::Damaged(_) | BackupError::NoBackup(_) | BackupError::Newer { .. }) => {
                refused += 1;
                assert!(!Path::new(&into).try_exists().expect("known"), "half a store is left");
            }
            Err(other) => panic!("byte {place}: {other:?}"),
            Ok(_) => {
                whole_still += 1;
                assert_eq!(seen(&*open(&into).await).await, before, "byte {place} went unnoticed");
            }
        }
    }
    println!("{refused} refused, {whole_still} in nothing that counts");
    assert!(refused > 30, "{refused} refused");
    for length in [0, 10, 4096, whole.len() / 2, whole.len() - 1] {
        fs::write(&damaged, &whole[..length]).expect("writable");
        let error = verify(&damaged).await.expect_err("a part is no backup");
        assert!(matches!(error, BackupError::Damaged(_) | BackupError::NoBackup(_)), "{length}: {error:?}");
    }
}

#[tokio::test]
async fn a_row_that_was_changed_with_sql_is_noticed() {
    let folder = Folder::new();
    fill(&*open(&folder.text("a.db")).await, 3).await;
    for sql in [
        "UPDATE entries SET principal = 'role public'",
        "DELETE FROM audit_blocks WHERE newest = 1",
        "DELETE FROM backup_tables WHERE name = 'audit_blocks'",
        "UPDATE backup SET schema = 1",
        "DELETE FROM backup",
        "DROP TABLE owners",
    ] {
        let backup = folder.file("one.backup");
        let _ = fs::remove_file(&backup);
        made(&folder.text("a.db"), &backup).await.expect("a backup");
        change(&backup, sql).await;
        let error = verify(&backup).await.expect_err("it was changed");
        assert!(matches!(error, BackupError::Damaged(_)), "{sql}: {error:?}");
    }
}

async fn change(file: &Path, sql: &str) {
    use sqlx::ConnectOptions as _;
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(file);
    let mut connection = options.connect().await.expect("a database");
    sqlx::query(sqlx::AssertSqlSafe(sql.to_owned())).execute(&mut connection).await.expect("done");
    sqlx::Connection::close(connection).await.expect("closed");
}

/// The log of a store that was tampered with makes no backup: who makes one every night hears of it.
#[tokio::test]
async fn a_store_whose_log_is_broken_makes_no_backup() {
    let folder = Folder::new();
    fill(&*open(&folder.text("a.db")).await, 3).await;
    change(&folder.file("a.db"), "UPDATE audit_blocks SET latest = latest + 1 WHERE newest = 2").await;
    let error = made(&folder.text("a.db"), &folder.file("one.backup")).await.expect_err("it is broken");
    let BackupError::Store(StoreError::Damaged(why)) = error else { panic!("{error:?}") };
    assert!(why.starts_with("record 2 of the audit log"), "{why}");
    assert!(!folder.names().iter().any(|name| name.contains("backup")), "{:?}", folder.names());
}

#[tokio::test]
async fn what_cannot_be_done_changes_nothing() {
    let folder = Folder::new();
    let store = folder.text("a.db");
    let other = folder.text("b.db");
    fill(&*open(&store).await, 3).await;
    let backup = folder.file("one.backup");
    made(&store, &backup).await.expect("a backup");

    let again = made(&store, &backup).await;
    assert!(matches!(again, Err(BackupError::Exists(_))), "{again:?}");
    let of_none = made(&folder.text("none.db"), &folder.file("none.backup")).await;
    assert!(matches!(of_none, Err(BackupError::NoStore(_))), "{of_none:?}");
    let nowhere = made(&store, &folder.file("none/one.backup")).await;
    assert!(matches!(nowhere, Err(BackupError::File { .. })), "{nowhere:?}");
    let of_store = restored(Path::new(&store), &other, Onto::Empty).await;
    assert!(matches!(of_store, Err(BackupError::NoBackup(_))), "{of_store:?}");
    let as_store = guardbee_store::open(backup.to_str().expect("text")).await.err();
    assert!(matches!(as_store, Some(StoreError::Foreign(_))), "{as_store:?}");
    fs::write(folder.file("text.db"), "not a database, but somebody's text").expect("writable");
    let onto_text = restored(&backup, &folder.text("text.db"), Onto::Anything).await;
    assert!(matches!(onto_text, Err(BackupError::Store(StoreError::Foreign(_)))), "{onto_text:?}");
    let text = fs::read_to_string(folder.file("text.db")).expect("readable");
    assert_eq!(text, "not a database, but somebody's text");
    assert_eq!(folder.names(), ["a.db", "one.backup", "text.db"]);
}

/// Who has the old store open would go on with what has no name any more.
#[tokio::test]
async fn a_store_is_replaced_when_nobody_uses_it() {
    let folder = Folder::new();
    let (store, other) = (folder.text("a.db"), folder.text("b.db"));
    fill(&*open(&store).await, 3).await;
    let backup = folder.file("one.backup");
    made(&store, &backup).await.expect("a backup");
    let user = open(&other).await;
    user.commit(commit(1)).await.expect("made");
    let refused = restored(&backup, &other, Onto::Anything).await;
    assert!(matches!(refused, Err(BackupError::InUse(_))), "{refused:?}");
    assert_eq!(user.load(At::Latest).await.expect("a policy").version.0, 1);
    drop(user);
    fs::set_permissions(&other, fs::Permissions::from_mode(0o640)).expect("allowed");
    let mut tries = 0;
    while let Err(error) = restored(&backup, &other, Onto::Anything).await {
        // Connections that were let go are closed by threads of their own.
        assert!(matches!(error, BackupError::InUse(_)) && tries < 20, "{error:?}");
        tries += 1;
    }
    assert_eq!(seen(&*open(&other).await).await, seen(&*open(&store).await).await);
    assert_eq!(fs::metadata(&other).expect("a file").permissions().mode() & 0o777, 0o640);
}

#[tokio::test]
async fn a_server_is_replaced_when_nobody_uses_it() {
    let Some(server) = Server::shared() else { return };
    let folder = Folder::new();
    fill(&*open(&folder.text("a.db")).await, 3).await;
    let backup = folder.file("one.backup");
    made(&folder.text("a.db"), &backup).await.expect("a backup");
    let database = server.new_database();
    let Location::Postgres(url) = location(&database) else { panic!("a server") };
    let user = guardbee_store::PostgresStore::open(&url).await.expect("a store");
    guardbee_engine::store::Store::commit(&user, commit(1)).await.expect("made");
    let refused = restored(&backup, &database, Onto::Anything).await;
    assert!(matches!(refused, Err(BackupError::InUse(_))), "{refused:?}");
    user.close().await;
    let mut tries = 0;
    while let Err(error) = restored(&backup, &database, Onto::Anything).await {
        assert!(matches!(error, BackupError::InUse(_)) && tries < 20, "{error:?}");
        tries += 1;
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!(seen(&*open(&database).await).await, seen(&*open(&folder.text("a.db")).await).await);
}

#[tokio::test]
async fn a_newer_schema_is_refused() {
    let folder = Folder::new();
    fill(&*open(&folder.text("a.db")).await, 3).await;
    let newer = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
                 VALUES (99, 'from the future', true, x'', 0)";
    change(&folder.file("a.db"), newer).await;
    let refused = made(&folder.text("a.db"), &folder.file("one.backup")).await;
    assert!(
        matches!(refused, Err(BackupError::Store(StoreError::NewerSchema { found: 99, .. }))),
        "{refused:?}"
    );
}

/// Makes backups and restores them for ever, into the folder beside the store. Not a test of its own: it is what the test
/// below kills.
#[tokio::test]
async fn back_up_until_killed() {
    let Ok(store) = std::env::var(WRITER) else { return };
    let folder = Path::new(&store).parent().expect("a folder");
    let started = fs::read_dir(folder).expect("a folder").count();
    for number in 0.. {
        let backup = folder.join(format!("{started}-{number}.backup"));
        made(&store, &backup).await.expect("a backup");
        println!("acknowledged {}", backup.display());
        let copied = folder.join(format!("{started}-{number}.copy.db"));
        restored(&backup, copied.to_str().expect("text"), Onto::Empty).await.expect("a store");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_killed_half_way_is_not_taken_for_whole() {
    let folder = Folder::new();
    let store = folder.text("store.db");
    fill(&*open(&store).await, 20).await;
    let mut dice = Dice::new(11);
    let (mut backups, mut stores, mut parts) = (0, 0, 0);
    for _ in 0..kills() {
        let told = run_and_kill("back_up_until_killed", &store, &mut dice, || ()).await;
        assert!(told.is_none_or(|told| Path::new(&told).try_exists().expect("known")));
        for name in folder.names() {
            let path = folder.file(&name);
            if name.ends_with(".part") {
                parts += 1;
                fs::remove_file(path).expect("removable");
            } else if name.ends_with(".backup") {
                verify(&path).await.unwrap_or_else(|error| panic!("{name}: {error}"));
                backups += 1;
                fs::remove_file(path).expect("removable");
            } else if name.ends_with(".copy.db") {
                Survey::new().check(&*open(&folder.text(&name)).await, 20).await;
                stores += 1;
                fs::remove_file(path).expect("removable");
            }
        }
    }
    println!("{} kills: {backups} backups and {stores} stores, all whole; {parts} parts", kills());
    assert!(backups > 0 && stores > 0 && parts > 0, "{backups} backups, {stores} stores, {parts} parts");
}
