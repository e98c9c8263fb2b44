//! The store in one SQLite file.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use guardbee_engine::accounts::{Account, NewToken, Placing, Token, TokenId};
use guardbee_engine::audit::{AuditCursor, AuditEntry, AuditFilter, AuditHead, AuditRecord, AuditVerdict};
use guardbee_engine::jobs::{JobAttempt, JobClaim, JobOutcome, JobRun, JobStore};
use guardbee_engine::run_store::{
    Appended, BuriedLetter, DeadLetter, IndexSaved, LetterBounds, LetterId, LetterUse, Retention, RunFilter,
    RunHead, RunPlace, RunSeq, StoredRun,
};
use guardbee_engine::store::{
    At, Commit, LoadedHead, PolicyVersion, Store, StoreError, VersionChanges, VersionRecord,
};
use guardbee_lineage::{Run, RunKey};
use guardbee_model::Timestamp;
use guardbee_policy::Change;
use sqlx::pool::PoolConnection;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Sqlite, SqliteConnection, SqlitePool};
use tokio::sync::{Mutex, OwnedMutexGuard};

use crate::audit::OpenGroup;
use crate::commit::{self, Made};
use crate::database::{Database, Transaction};
use crate::feed::{Feed, Feeds, Teller};
use crate::history;
use crate::jobs;
use crate::load;
use crate::ports::ports;
use crate::schema::{self, Next};
use crate::session::{Failure, Session, is_of_another_kind};
use crate::statements::{Dialect, News, Parameters, Reading};

pub(crate) const DIALECT: Dialect =
    Dialect { reading: Reading::Blocks, prefix: "", parameters: Parameters::Plain, row_lock: "", tell: None };

/// How much of the file a connection keeps in memory, in KiB with a minus in front. Keys of runs and objects of the audit log
/// come in no order: what they are searched by should not be read anew for each.
const CACHE: &str = "-32768";
/// How long a writer waits for another process to finish.
pub(crate) const LOCK_PATIENCE: Duration = Duration::from_secs(5);
/// How often the file is looked at while it changes, and while it has not for a while.
const LOOK_OFTEN: Duration = Duration::from_millis(2);
const LOOK_SELDOM: Duration = Duration::from_millis(10);
/// How long after a change the file is looked at often.
const LIVELY: Duration = Duration::from_secs(2);
/// How long until a file that could not be looked at is tried again.
const RETRY: Duration = Duration::from_secs(1);

/// Keeps everything in one file, in WAL mode with `synchronous = FULL`: what is committed is on the disk.
pub struct SqliteStore {
    pool: SqlitePool,
    place: Place,
    feeds: Feeds,
    open_group: Arc<OpenGroup>,
    options: SqliteConnectOptions,
    writer: Writer,
}

/// The connection that writes; none before the first has, and after one that was given up. Writers of this process wait
/// for each other here, where SQLite would have them look again and again, and find in memory what the one before
/// them left there.
type Writer = Arc<Mutex<Option<SqliteConnection>>>;

impl SqliteStore {
    /// Opens the file, and makes it where there is none. One where nothing may be written is opened to be read, as
    /// it lies there.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn open(path: &Path) -> Result<Self, StoreError> {
        let place = Place(path.into());
        let options = SqliteConnectOptions::new()
            .filename(path)
            .busy_timeout(LOCK_PATIENCE)
            .pragma("cache_size", CACHE)
            .row_buffer_size(64)
            .disable_statement_logging();
        let writing = options
            .clone()
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            // Elsewhere than on Linux `fsync` alone does not reach the disk.
            .pragma("fullfsync", "1");
        match Self::open_with(place.clone(), writing).await {
            Err(StoreError::ReadOnly(_)) if place.can_be_read_alone()? => {
                // SQLite makes files beside one that is written to, even to read it: this says that nobody does.
                Self::open_with(place, options.read_only(true).immutable(true)).await
            }
            opened => opened,
        }
    }

    async fn open_with(place: Place, options: SqliteConnectOptions) -> Result<Self, StoreError> {
        let pool = SqlitePoolOptions::new()
            .max_connections(4)
            .acquire_timeout(2 * LOCK_PATIENCE)
            .test_before_acquire(false)
            .connect_lazy_with(options.clone());
        // Two processes that make the same file at once cannot wait for each other with SQLite's own means.
        let deadline = Instant::now() + LOCK_PATIENCE;
        loop {
            match Box::pin(prepare(&options)).await {
                Ok(()) => break,
                Err(failure) if failure.is_busy() && Instant::now() < deadline => {
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
                Err(failure) => return Err(place.cannot_open(failure)),
            }
        }
        Ok(Self {
            pool,
            place,
            feeds: Feeds::default(),
            open_group: Arc::default(),
            options,
            writer: Writer::default(),
        })
    }

    /// Closes the file; the last to close it leaves one file without companions.
    pub async fn close(self) {
        self.pool.close().await;
        if let Some(connection) = self.writer.lock().await.take() {
            // There is nothing left to write.
            let _ = connection.close().await;
        }
    }

    async fn try_load(&self, at: At, each: &mut (dyn FnMut(Change) + Send)) -> Result<LoadedHead, Failure> {
        let mut connection = self.pool.acquire().await?;
        load::load(&mut *connection, DIALECT, at, each).await
    }

    async fn try_commit(&self, commit: &Commit) -> Result<PolicyVersion, Failure> {
        let mut transaction = self.write().await?;
        let (Made::New(version) | Made::Before(version)) =
            commit::make(transaction.session(), DIALECT, commit).await?;
        transaction.commit().await?;
        self.feeds.of(News::Policy).made(version.0);
        Ok(version)
    }
}

impl SqliteStore {
    /// By a lock on a file beside: the system lets go of it when the process ends, however it does.
    async fn claim(&self, holder: &str) -> Result<Option<Box<dyn JobClaim + '_>>, StoreError> {
        let path = self.place.beside("-jobs");
        let file = File::options().create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(|error| {
            StoreError::ReadOnly(format!("`{}` cannot be made: {}", path.display(), words(&error)))
        })?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Box::new(FileClaim { _locked: file, store: self, holder: holder.to_owned() }))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(StoreError::Unavailable(format!(
                "`{}` cannot be locked: {}",
                path.display(),
                words(&error)
            ))),
        }
    }
}

/// The right to do jobs, as long as the file is open.
struct FileClaim<'s> {
    _locked: File,
    store: &'s SqliteStore,
    holder: String,
}

#[async_trait]
impl JobClaim for FileClaim<'_> {
    async fn begin(
        &mut self,
        job: &str,
        period: i64,
        at: Timestamp,
    ) -> Result<Option<JobAttempt>, StoreError> {
        let begun = async {
            let mut transaction = self.store.write().await?;
            let of = (job, period);
            let begun = jobs::begin(transaction.session(), DIALECT, &self.holder, of, at).await?;
            transaction.commit().await?;
            Ok(begun)
        };
        begun.await.map_err(|failure| self.store.place.error(failure))
    }

    async fn end(
        &mut self,
        attempt: &JobAttempt,
        at: Timestamp,
        outcome: &JobOutcome,
    ) -> Result<bool, StoreError> {
        let ended = async {
            let mut transaction = self.store.write().await?;
            let ended = jobs::end(transaction.session(), DIALECT, attempt, at, outcome).await?;
            transaction.commit().await?;
            Ok(ended)
        };
        ended.await.map_err(|failure| self.store.place.error(failure))
    }
}

#[async_trait]
impl Store for SqliteStore {
    async fn load_each(
        &self,
        at: At,
        each: &mut (dyn FnMut(Change) + Send),
    ) -> Result<LoadedHead, StoreError> {
        self.try_load(at, each).await.map_err(|failure| self.place.error(failure))
    }

    async fn commit(&self, commit: Commit) -> Result<PolicyVersion, StoreError> {
        self.try_commit(&commit).await.map_err(|failure| self.place.error(failure))
    }

    async fn history(
        &self,
        before: Option<PolicyVersion>,
        limit: u32,
    ) -> Result<Vec<VersionRecord>, StoreError> {
        let read = async {
            let mut connection = self.pool.acquire().await?;
            history::history(&mut *connection, DIALECT, before, limit).await
        };
        read.await.map_err(|failure| self.place.error(failure))
    }

    async fn changes_after(
        &self,
        after: PolicyVersion,
        limit: u32,
    ) -> Result<Vec<VersionChanges>, StoreError> {
        let read = async {
            let mut connection = self.pool.acquire().await?;
            history::changes_after(&mut *connection, DIALECT, after, limit).await
        };
        read.await.map_err(|failure| self.place.error(failure))
    }

    async fn wait_after(&self, after: PolicyVersion) -> Result<PolicyVersion, StoreError> {
        self.wait_for(News::Policy, after.0).await.map(PolicyVersion)
    }
}

ports!(SqliteStore);

#[async_trait]
impl Database for SqliteStore {
    fn dialect(&self) -> Dialect {
        DIALECT
    }

    async fn read(&self) -> Result<Box<dyn Transaction>, Failure> {
        let connection = self.pool.acquire().await?;
        let mut reading = ReadTransaction { connection, has_ended: false };
        sqlx::query("BEGIN").execute(&mut *reading.connection).await?;
        Ok(Box::new(reading))
    }

    async fn write(&self) -> Result<Box<dyn Transaction>, Failure> {
        let mut turn = self.writer.clone().lock_owned().await;
        let mut connection = match turn.take() {
            Some(connection) => connection,
            None => self.options.connect().await?,
        };
        sqlx::query("BEGIN IMMEDIATE").execute(&mut connection).await?;
        Ok(Box::new(WriteTransaction { connection, turn, place: self.place.clone() }))
    }

    fn error(&self, failure: Failure) -> StoreError {
        self.place.error(failure)
    }

    fn open_group(&self) -> &OpenGroup {
        &self.open_group
    }

    fn feed(&self, news: News) -> &Feed {
        self.feeds.of(news)
    }

    async fn wait_for(&self, news: News, after: u64) -> Result<u64, StoreError> {
        let (pool, place) = (self.pool.clone(), self.place.clone());
        let number = DIALECT.number_of(news);
        self.feed(news).wait_after(after, |teller| look(pool, place, teller, number)).await
    }
}

struct ReadTransaction {
    connection: PoolConnection<Sqlite>,
    has_ended: bool,
}

#[async_trait]
impl Transaction for ReadTransaction {
    fn session(&mut self) -> &mut dyn Session {
        &mut *self.connection
    }

    async fn commit(mut self: Box<Self>) -> Result<(), Failure> {
        sqlx::query("COMMIT").execute(&mut *self.connection).await?;
        self.has_ended = true;
        Ok(())
    }
}

/// A connection that is closed has no transaction for certain.
impl Drop for ReadTransaction {
    fn drop(&mut self) {
        if !self.has_ended {
            self.connection.close_on_drop();
        }
    }
}

/// Where it is given up, the connection is closed: SQLite may have ended the transaction by itself or not.
struct WriteTransaction {
    connection: SqliteConnection,
    turn: OwnedMutexGuard<Option<SqliteConnection>>,
    place: Place,
}

#[async_trait]
impl Transaction for WriteTransaction {
    fn session(&mut self) -> &mut dyn Session {
        &mut self.connection
    }

    async fn commit(self: Box<Self>) -> Result<(), Failure> {
        let Self { mut connection, mut turn, place } = *self;
        let committed = sqlx::query("COMMIT").execute(&mut connection).await;
        committed.map_err(|error| place.commit_failed(error))?;
        *turn = Some(connection);
        Ok(())
    }
}

/// Makes the tables, and sees to it that they are of a schema that we know.
async fn prepare(options: &SqliteConnectOptions) -> Result<(), Failure> {
    let mut connection = options.connect().await?;
    // In one transaction, or another process could make the tables between two looks.
    let mut look = connection.begin().await?;
    let next = found(&mut look).await?;
    look.commit().await?;
    if let Next::Migrate = next {
        let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
        if let Next::Migrate = found(&mut transaction).await? {
            schema::sqlite().run_direct(None, &mut *transaction, false).await.map_err(schema::failure)?;
        }
        transaction.commit().await?;
    }
    connection.close().await?;
    Ok(())
}

async fn found(connection: &mut SqliteConnection) -> Result<Next, Failure> {
    let application: i64 = sqlx::query_scalar("PRAGMA application_id").fetch_one(&mut *connection).await?;
    if application == schema::SQLITE_APPLICATION {
        check_tables(connection).await?;
        let sql = format!("SELECT coalesce(max(version), 0) FROM {}", schema::SQLITE_MIGRATIONS);
        let version: i64 = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(connection).await?;
        return Ok(schema::next(version)?);
    }
    let tables: i64 = sqlx::query_scalar("SELECT count(*) FROM sqlite_master").fetch_one(connection).await?;
    if application == crate::backup::APPLICATION {
        let message = "the file is a backup; `guardbee backup restore` makes a store of it";
        return Err(StoreError::Foreign(message.into()).into());
    }
    if application != 0 || tables != 0 {
        return Err(StoreError::Foreign("the file is the database of another program".into()).into());
    }
    Ok(Next::Migrate)
}

/// Are the texts that say what the tables are text? The driver takes it for granted, and a worker of its own ends
/// where they are not.
pub(crate) async fn check_tables(connection: &mut SqliteConnection) -> Result<(), Failure> {
    let sql = "SELECT CAST(sql AS BLOB) FROM sqlite_master WHERE sql IS NOT NULL";
    let texts: Vec<Vec<u8>> = sqlx::query_scalar(sql).fetch_all(connection).await?;
    match texts.iter().all(|text| std::str::from_utf8(text).is_ok()) {
        true => Ok(()),
        false => Err(StoreError::Damaged("what its tables are is not text".into()).into()),
    }
}

/// Looks at a number again and again: SQLite has no way to be told. One look costs some ten microseconds.
async fn look(pool: SqlitePool, place: Place, teller: Teller, sql: String) {
    let mut newest = 0;
    let mut changed = Instant::now();
    loop {
        teller.somebody_waits().await;
        let found = async { pool.acquire().await?.integer(&sql).await };
        match found.await {
            Ok(found) => {
                if found != newest {
                    (newest, changed) = (found, Instant::now());
                }
                teller.newest(newest.cast_unsigned());
                let pause = if changed.elapsed() < LIVELY { LOOK_OFTEN } else { LOOK_SELDOM };
                tokio::time::sleep(pause).await;
            }
            Err(failure) => {
                teller.failure(place.error(failure));
                tokio::time::sleep(RETRY).await;
            }
        }
    }
}

/// A system's error without its number.
fn words(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}

/// The file, to name it in messages.
#[derive(Clone)]
pub(crate) struct Place(pub Box<Path>);

/// <https://www.sqlite.org/rescode.html>
pub(crate) mod code {
    pub const STATEMENT: i64 = 1;
    pub const PERMISSION: i64 = 3;
    pub const BUSY: i64 = 5;
    pub const LOCKED: i64 = 6;
    pub const READ_ONLY: i64 = 8;
    pub const INPUT_OUTPUT: i64 = 10;
    pub const CORRUPT: i64 = 11;
    pub const FULL: i64 = 13;
    pub const CANNOT_OPEN: i64 = 14;
    pub const NOT_A_DATABASE: i64 = 26;

    pub const SYNC_FAILED: i64 = INPUT_OUTPUT | 4 << 8;
    pub const DIRECTORY_SYNC_FAILED: i64 = INPUT_OUTPUT | 5 << 8;
}

/// SQLite's extended code of an error.
pub(crate) fn code_of(error: &sqlx::Error) -> Option<i64> {
    error.as_database_error()?.code()?.parse().ok()
}

impl Failure {
    pub(crate) fn is_busy(&self) -> bool {
        match self {
            Self::Database(error) => {
                code_of(error).is_some_and(|code| matches!(code & 0xff, code::BUSY | code::LOCKED))
            }
            Self::Store(_) => false,
        }
    }
}

impl Place {
    /// The file beside it whose name ends so. Links to the file lead to the same one.
    fn beside(&self, suffix: &str) -> PathBuf {
        let path = self.0.canonicalize().unwrap_or_else(|_| self.0.to_path_buf());
        let mut name = path.into_os_string();
        name.push(suffix);
        name.into()
    }

    /// Is the file there, and all that it holds in it?
    ///
    /// # Errors
    /// Where a part of it is in another file, which only who may write there can put in.
    pub(crate) fn can_be_read_alone(&self) -> Result<bool, StoreError> {
        let log = format!("{}-wal", self.0.display());
        if std::fs::metadata(&log).is_ok_and(|log| log.len() > 0) {
            let path = self.0.display();
            return Err(StoreError::ReadOnly(format!(
                "the newest of `{path}` is in `{log}`, and only who may write there can read it"
            )));
        }
        Ok(self.0.is_file())
    }

    pub(crate) fn error(&self, failure: Failure) -> StoreError {
        let error = match failure {
            Failure::Store(error) => return error,
            Failure::Database(error) => error,
        };
        let path = self.0.display();
        if is_of_another_kind(&error) {
            return StoreError::Damaged(format!("a value in the tables of `{path}` is not what was written"));
        }
        let Some(code) = code_of(&error) else {
            return StoreError::Unavailable(format!("`{path}`: {error}"));
        };
        match code & 0xff {
            code::BUSY | code::LOCKED => {
                StoreError::Unavailable(format!("another process has `{path}` locked"))
            }
            code::READ_ONLY | code::PERMISSION => {
                StoreError::ReadOnly(format!("`{path}` or its directory is read-only"))
            }
            code::FULL => StoreError::Full(format!("no space is left for `{path}`")),
            code::STATEMENT => {
                StoreError::Damaged(format!("the tables of `{path}` are not as they were made ({error})"))
            }
            code::CORRUPT => {
                StoreError::Damaged(format!("`{path}` has been changed by something else than SQLite"))
            }
            code::NOT_A_DATABASE => StoreError::Foreign(format!("`{path}` is not a database of SQLite")),
            code::CANNOT_OPEN => StoreError::Unavailable(format!("`{path}` cannot be opened")),
            code::INPUT_OUTPUT => {
                StoreError::Unavailable(format!("the disk failed to read or write `{path}` ({error})"))
            }
            _ => StoreError::Unavailable(format!("`{path}`: {error}")),
        }
    }

    /// When the disk fails to confirm, the change may or may not be on it.
    fn commit_failed(&self, error: sqlx::Error) -> Failure {
        match code_of(&error) {
            Some(code::SYNC_FAILED | code::DIRECTORY_SYNC_FAILED) => {
                let message = format!("the disk did not confirm that `{}` is written", self.0.display());
                StoreError::Unknown(message).into()
            }
            _ => error.into(),
        }
    }

    /// SQLite says no more than that it cannot open the file.
    pub(crate) fn cannot_open(&self, failure: Failure) -> StoreError {
        let cannot = match &failure {
            Failure::Database(error) => code_of(error).is_some_and(|code| code & 0xff == code::CANNOT_OPEN),
            Failure::Store(_) => false,
        };
        if !cannot {
            return self.error(failure);
        }
        let path = self.0.display();
        let folder =
            self.0.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if self.0.is_dir() {
            return StoreError::Location(format!("`{path}` is a directory"));
        }
        match std::fs::metadata(folder) {
            Ok(folder) if !folder.is_dir() => {
                StoreError::Location(format!("what `{path}` would be in is not a directory"))
            }
            Ok(_) => {
                StoreError::ReadOnly(format!("no file can be made beside `{path}`, or it may not be read"))
            }
            Err(error) => {
                StoreError::Location(format!("the directory of `{path}` cannot be used: {}", words(&error)))
            }
        }
    }
}
