//! Files of SQLite outside a store: one that is read as it is, one that is written from nothing, and one that
//! nobody may open until another has taken its place.

use std::fs;
use std::path::Path;
use std::time::Duration;

use guardbee_engine::store::StoreError;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, SqliteConnection};

use crate::backup::APPLICATION as BACKUP;
use crate::schema;
use crate::session::{Failure, Session as _};
use crate::sqlite::{LOCK_PATIENCE, Place, check_tables, code, code_of};

/// So long is waited for others to let a file go that is to be replaced.
const LET_GO_PATIENCE: Duration = Duration::from_secs(1);

/// A store, whatever its schema, as it is at this moment, in a transaction that writes nothing; and its schema.
pub async fn read_as_is(path: &Path) -> Result<(SqliteConnection, i64), StoreError> {
    let place = Place(path.into());
    let options = options(path).busy_timeout(LOCK_PATIENCE);
    let begun = match begin(&options).await.map_err(|failure| place.cannot_open(failure)) {
        Err(StoreError::ReadOnly(_)) if place.can_be_read_alone()? => {
            begin(&options.read_only(true).immutable(true))
                .await
                .map_err(|failure| place.cannot_open(failure))
        }
        begun => begun,
    };
    let (mut connection, application) = begun?;
    let read = async {
        check_tables(&mut connection).await?;
        let sql = format!("SELECT coalesce(max(version), 0) FROM {}", schema::SQLITE_MIGRATIONS);
        connection.integer(&sql).await
    };
    admit(path, application)?;
    let found = read.await.map_err(|failure| place.error(failure))?;
    schema::next(found)?;
    Ok((connection, found))
}

/// Is a store what belongs to an application?
fn admit(path: &Path, application: i64) -> Result<(), StoreError> {
    let path = path.display();
    match application {
        schema::SQLITE_APPLICATION => Ok(()),
        BACKUP => Err(StoreError::Foreign(format!(
            "`{path}` is a backup; `guardbee backup restore` makes a store of it"
        ))),
        _ => Err(StoreError::Foreign(format!("`{path}` is the database of another program"))),
    }
}

/// Begins to read, and gives the application that the file belongs to.
async fn begin(options: &SqliteConnectOptions) -> Result<(SqliteConnection, i64), Failure> {
    let mut connection = options.connect().await?;
    sqlx::query("BEGIN").execute(&mut connection).await?;
    // The first reading settles which moment is seen.
    connection.integer("SELECT count(*) FROM sqlite_master").await?;
    let application = connection.integer("PRAGMA application_id").await?;
    Ok((connection, application))
}

/// An empty file, to be filled by this connection alone. What is in it counts when it has been
/// [finished](finish_file).
pub async fn new_file(path: &Path) -> Result<SqliteConnection, Failure> {
    let options = options(path)
        .journal_mode(SqliteJournalMode::Off)
        .synchronous(SqliteSynchronous::Off)
        .pragma("cache_size", "-65536");
    Ok(options.connect().await?)
}

/// Has all of it written to the file; not yet to the disk.
pub async fn finish_file(connection: SqliteConnection) -> Result<(), Failure> {
    Ok(connection.close().await?)
}

/// A file that nobody writes, and that is not changed by reading it.
pub async fn lone_file(path: &Path) -> Result<SqliteConnection, Failure> {
    Ok(options(path).read_only(true).immutable(true).connect().await?)
}

/// # Errors
/// [`StoreError::Damaged`] where pages, rows and indexes do not fit together.
pub async fn check_integrity(connection: &mut SqliteConnection) -> Result<(), Failure> {
    check_tables(connection).await?;
    let found: Vec<String> =
        sqlx::query_scalar("PRAGMA integrity_check(1)").fetch_all(&mut *connection).await?;
    match found.first().map(String::as_str) {
        Some("ok") => Ok(()),
        Some(fault) => Err(StoreError::Damaged(fault.to_owned()).into()),
        None => Err(StoreError::Damaged("it cannot be checked".into()).into()),
    }
}

/// Is there a store at the path that something was ever put in?
///
/// # Errors
/// [`StoreError`] where what is there is no store, or cannot be read.
pub async fn holds_something(path: &Path) -> Result<bool, StoreError> {
    if is_nothing(path) {
        return Ok(false);
    }
    let (mut connection, schema) = read_as_is(path).await?;
    let found = connection.integer(&schema::something_in("", schema)).await;
    Ok(found.map_err(|failure| Place(path.into()).error(failure))? > 0)
}

/// No file, or one without a byte.
fn is_nothing(path: &Path) -> bool {
    fs::metadata(path).map_or(true, |file| file.len() == 0)
}

/// A store that nobody else has open, nor can open.
pub struct Occupied(Option<SqliteConnection>);

impl Occupied {
    /// # Errors
    /// [`StoreError::Unavailable`] where somebody has it open.
    pub async fn take(path: &Path) -> Result<Self, StoreError> {
        if is_nothing(path) {
            return Ok(Self(None));
        }
        match Self::try_take(path).await {
            Ok(connection) => Ok(Self(Some(connection))),
            // What is damaged is not in use: a server does not start with it. What its log holds must not be taken for
            // a part of the file that takes its place.
            Err(Failure::Database(error))
                if code_of(&error).is_some_and(|found| found & 0xff == code::CORRUPT) =>
            {
                for companion in ["-wal", "-shm"] {
                    let mut name = path.as_os_str().to_owned();
                    name.push(companion);
                    // Most often there is none.
                    let _ = fs::remove_file(name);
                }
                Ok(Self(None))
            }
            Err(failure) => Err(Place(path.into()).cannot_open(failure)),
        }
    }

    async fn try_take(path: &Path) -> Result<SqliteConnection, Failure> {
        let mut connection = options(path).busy_timeout(LET_GO_PATIENCE).connect().await?;
        admit(path, connection.integer("PRAGMA application_id").await?)?;
        // This writes its log into the file and removes it, which only the last who has it open can.
        for sql in ["PRAGMA locking_mode = EXCLUSIVE", "PRAGMA journal_mode = DELETE", "BEGIN EXCLUSIVE"] {
            sqlx::query(AssertSqlSafe(sql)).execute(&mut connection).await?;
        }
        Ok(connection)
    }

    /// Lets the old file go, after another has taken its name.
    pub async fn let_go(self) {
        if let Some(connection) = self.0 {
            // The file has no name any more.
            let _ = connection.close().await;
        }
    }
}

fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new().filename(path).row_buffer_size(64).disable_statement_logging()
}
