//! Copies of a whole store in one file, made while others write, and stores made of them.
//!
//! A backup is a database of SQLite with the tables of one schema, whatever kind of store it was made of, so that it
//! can be restored into either. It holds what one moment saw. How many rows each table has and what they sum up to is
//! sealed in it, and compared wherever it is read. A file that is written gets its name when it is whole and on the disk.
//!
//! The module knows tables and columns as the migrations make them, and nothing of what is in them.

mod copy;
mod part_file;
mod restore;
mod seal;
mod shape;

use std::io;
use std::path::{Path, PathBuf};

use guardbee_engine::audit::AuditHead;
use guardbee_engine::store::StoreError;
use guardbee_model::Timestamp;
use sqlx::Connection as _;

use crate::audit;
use crate::audit_chain;
use crate::location::Location;
use crate::postgres;
use crate::postgres_alone;
use crate::schema;
use crate::session::{Failure, Session};
use crate::sqlite;
use crate::sqlite_alone;
use crate::statements::Dialect;

use part_file::PartFile;
use seal::Seal;
use shape::Shape;

pub use restore::{Onto, restore};
pub(crate) use seal::APPLICATION;

/// Told of how many rows have been copied since it was told last.
pub type Progress<'p> = dyn FnMut(u64) + Send + 'p;

/// What a backup holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contents {
    pub made_at: Timestamp,
    pub schema: i64,
    pub policy_version: u64,
    pub runs: u64,
    pub audit: AuditHead,
    pub rows: u64,
    pub bytes: u64,
}

/// Why there is no backup, or no store made of one. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("there is no store `{0}`")]
    NoStore(PathBuf),
    #[error("`{0}` is there already: a backup never takes the place of another file")]
    Exists(PathBuf),
    #[error("cannot {what} `{path}`")]
    File {
        what: &'static str,
        path: PathBuf,
        #[source]
        error: io::Error,
    },
    #[error("`{0}` is no backup of guardbee")]
    NoBackup(PathBuf),
    #[error("the backup is damaged: {0}")]
    Damaged(String),
    #[error("the backup has schema {found}, this version of guardbee knows up to {known}")]
    Newer { found: i64, known: i64 },
    #[error("{0} holds something already")]
    NotEmpty(String),
    #[error("{0} is in use")]
    InUse(String),
}

impl BackupError {
    /// Stable, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Store(error) => error.code(),
            Self::NoStore(_) => "store-location",
            Self::Exists(_) => "backup-exists",
            Self::File { .. } => "backup-file",
            Self::NoBackup(_) => "backup-foreign",
            Self::Damaged(_) => "backup-damaged",
            Self::Newer { .. } => "backup-newer-schema",
            Self::NotEmpty(_) => "store-not-empty",
            Self::InUse(_) => "store-in-use",
        }
    }
}

/// Makes a backup of a store as it is at this moment, of whatever schema that is known. Others may write meanwhile.
///
/// # Errors
/// [`BackupError`]; there is no file then.
pub async fn back_up(
    location: &Location,
    out: &Path,
    made_at: Timestamp,
    progress: &mut Progress<'_>,
) -> Result<Contents, BackupError> {
    if out.try_exists().unwrap_or(true) {
        return Err(BackupError::Exists(out.to_owned()));
    }
    let mut source = Source::open(location).await?;
    let part = PartFile::create(out)?;
    let written = write(&mut source, &part, made_at, progress).await;
    let mut contents = written.map_err(|error| error.named(&source.name, part.path()))?;
    part.keep()?;
    contents.bytes = std::fs::metadata(out).map_or(0, |file| file.len());
    Ok(contents)
}

/// Looks through a backup: is it what was written, and does its audit log hang together?
///
/// # Errors
/// [`BackupError`] with what is wrong.
pub async fn verify(backup: &Path) -> Result<Contents, BackupError> {
    let mut file = restore::Backup::open(backup).await?;
    Ok(file.contents())
}

async fn write(
    source: &mut Source,
    part: &PartFile,
    made_at: Timestamp,
    progress: &mut Progress<'_>,
) -> Result<Contents, Trouble> {
    let shape = Shape::of(source.schema).await.map_err(Trouble::Target)?;
    let mut target = sqlite_alone::new_file(part.path()).await.map_err(Trouble::Target)?;
    schema::make_sqlite(&mut target, source.schema).await.map_err(Trouble::Target)?;
    let mut filling = target.begin().await.map_err(|error| Trouble::Target(error.into()))?;
    let mut to = copy::Target { session: &mut *filling, dialect: sqlite::DIALECT };
    let sums = copy::copy(&mut *source.session, source.dialect, &mut to, &shape, progress).await?;
    filling.commit().await.map_err(|error| Trouble::Target(error.into()))?;
    if source.schema == schema::KNOWN {
        check_chain(&mut target, sqlite::DIALECT).await.map_err(Trouble::Target)?;
    }
    let found = copy::sums(&mut target, sqlite::DIALECT, &shape).await.map_err(Trouble::Target)?;
    if found != sums {
        return Err(Trouble::Target(
            StoreError::Damaged("what was written cannot be read again as it was".into()).into(),
        ));
    }
    let seal = Seal { made_at, schema: source.schema, tables: sums };
    seal.write(&mut target).await.map_err(Trouble::Target)?;
    let contents = contents(&mut target, &seal).await.map_err(Trouble::Target)?;
    sqlite_alone::finish_file(target).await.map_err(Trouble::Target)?;
    Ok(contents)
}

/// What a file with the tables of a store and a seal holds.
async fn contents(session: &mut dyn Session, seal: &Seal) -> Result<Contents, Failure> {
    let policy_version = session.integer("SELECT version FROM state").await?.cast_unsigned();
    let runs = match seal.schema {
        ..=1 => 0,
        _ => session.integer("SELECT newest FROM run_state").await?.cast_unsigned(),
    };
    let audit = match seal.schema {
        ..=1 => AuditHead::default(),
        _ => audit::read_head(session, "SELECT newest, hash FROM audit_head").await?,
    };
    let rows = seal.tables.iter().map(|table| table.rows).sum();
    Ok(Contents { made_at: seal.made_at, schema: seal.schema, policy_version, runs, audit, rows, bytes: 0 })
}

/// # Errors
/// [`StoreError::Damaged`] where the audit log is not what was written.
async fn check_chain(session: &mut dyn Session, dialect: Dialect) -> Result<(), Failure> {
    audit_chain::verify_in(session, dialect, None).await?.count()?;
    Ok(())
}

/// What is copied from, as one moment saw it.
struct Source {
    session: Box<dyn Session>,
    dialect: Dialect,
    schema: i64,
    name: Named,
}

/// Names the place in what went wrong.
#[derive(Clone)]
enum Named {
    Sqlite(sqlite::Place),
    Postgres(postgres::Place),
}

impl Named {
    fn error(&self, failure: Failure) -> StoreError {
        match self {
            Self::Sqlite(place) => place.error(failure),
            Self::Postgres(place) => place.error(failure),
        }
    }
}

impl Source {
    async fn open(location: &Location) -> Result<Self, BackupError> {
        Ok(match location {
            Location::Sqlite(path) => {
                if path.try_exists().is_ok_and(|exists| !exists) {
                    return Err(BackupError::NoStore(path.clone()));
                }
                let (connection, schema) = sqlite_alone::read_as_is(path).await?;
                let name = Named::Sqlite(sqlite::Place(path.as_path().into()));
                Self { session: Box::new(connection), dialect: sqlite::DIALECT, schema, name }
            }
            Location::Postgres(url) => {
                let (connection, schema) = postgres_alone::read_as_is(url).await?;
                let name = Named::Postgres(postgres::Place(url.to_string()));
                Self { session: Box::new(connection), dialect: postgres::DIALECT, schema, name }
            }
        })
    }
}

/// On which side of a copy something went wrong.
enum Trouble {
    Source(Failure),
    Target(Failure),
}

impl Trouble {
    fn named(self, source: &Named, target: &Path) -> BackupError {
        BackupError::Store(match self {
            Self::Source(failure) => source.error(failure),
            Self::Target(failure) => sqlite::Place(target.into()).error(failure),
        })
    }
}
