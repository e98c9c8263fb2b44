//! Makes a store of a backup.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::path::Path;

use guardbee_engine::store::StoreError;
use sqlx::{Connection as _, PgConnection, SqliteConnection};

use super::part_file::PartFile;
use super::seal::{APPLICATION, Seal};
use super::shape::Shape;
use super::{BackupError, Contents, Named, Progress, Trouble, check_chain, contents, copy};
use crate::location::{Location, ServerUrl};
use crate::postgres;
use crate::postgres_alone::{self, Emptying};
use crate::schema;
use crate::session::{Failure, Session};
use crate::sqlite;
use crate::sqlite_alone::{self, Occupied};

/// What may be in the place of the store that is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Onto {
    /// Nothing, or a store that nothing was ever put in.
    Empty,
    /// Whatever is there goes.
    Anything,
}

/// Makes a store of a backup, of the schema that this version of the code writes. It is there as a whole or not at all.
///
/// # Errors
/// [`BackupError`]; what was in the place of the store is there still.
pub async fn restore(
    backup: &Path,
    location: &Location,
    onto: Onto,
    progress: &mut Progress<'_>,
) -> Result<Contents, BackupError> {
    let mut backup = Backup::open(backup).await?;
    match location {
        Location::Sqlite(path) => into_file(&mut backup, path, onto, progress).await?,
        Location::Postgres(url) => into_server(&mut backup, url, onto, progress).await?,
    }
    Ok(backup.contents())
}

/// A backup that has been looked through.
pub struct Backup {
    connection: SqliteConnection,
    seal: Seal,
    shape: Shape,
    contents: Contents,
    name: Named,
}

impl Backup {
    /// # Errors
    /// [`BackupError`] where it is none, or not what was written.
    pub async fn open(path: &Path) -> Result<Self, BackupError> {
        let file = fs::File::open(path)
            .and_then(|file| file.metadata())
            .map_err(|error| BackupError::File { what: "read", path: path.to_owned(), error })?;
        if !file.is_file() {
            return Err(BackupError::NoBackup(path.to_owned()));
        }
        let place = sqlite::Place(path.into());
        let opened = Self::read(path).await.map_err(|failure| match failure {
            Unfit::Foreign => BackupError::NoBackup(path.to_owned()),
            Unfit::Newer(found) => BackupError::Newer { found, known: schema::KNOWN },
            Unfit::Failure(failure) => match place.error(failure) {
                StoreError::Foreign(_) => BackupError::NoBackup(path.to_owned()),
                StoreError::Damaged(why) => BackupError::Damaged(why),
                other => BackupError::Store(other),
            },
        });
        let mut opened = opened?;
        // SQLite takes what is missing of the last page for zeros.
        if opened.bytes().await? != file.len() {
            return Err(BackupError::Damaged("it is not as long as it was written".into()));
        }
        opened.contents.bytes = file.len();
        Ok(opened)
    }

    pub fn contents(&mut self) -> Contents {
        self.contents.clone()
    }

    /// By its own account.
    async fn bytes(&mut self) -> Result<u64, BackupError> {
        let sql = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
        let bytes = self.connection.integer(sql).await;
        let place = |failure| BackupError::Store(self.name.error(failure));
        Ok(bytes.map_err(place)?.cast_unsigned())
    }

    async fn read(path: &Path) -> Result<Self, Unfit> {
        let mut connection = sqlite_alone::lone_file(path).await?;
        if connection.integer("PRAGMA application_id").await? != APPLICATION {
            return Err(Unfit::Foreign);
        }
        sqlite_alone::check_integrity(&mut connection).await?;
        let seal = Seal::read(&mut connection).await?;
        if seal.schema > schema::KNOWN {
            return Err(Unfit::Newer(seal.schema));
        }
        let shape = Shape::of(seal.schema).await?;
        if copy::sums(&mut connection, sqlite::DIALECT, &shape).await? != seal.tables {
            return Err(Failure::from(StoreError::Damaged(
                "its rows are not those that were written".into(),
            ))
            .into());
        }
        if seal.schema == schema::KNOWN {
            check_chain(&mut connection, sqlite::DIALECT).await?;
        }
        let contents = contents(&mut connection, &seal).await?;
        let name = Named::Sqlite(sqlite::Place(path.into()));
        Ok(Self { connection, seal, shape, contents, name })
    }

    /// Copies all that is in it, brings that up to date and looks whether it came over.
    async fn copy_to(
        &mut self,
        target: &mut copy::Target<'_>,
        progress: &mut Progress<'_>,
    ) -> Result<(), Trouble> {
        copy::copy(&mut self.connection, sqlite::DIALECT, target, &self.shape, progress).await?;
        let found = copy::sums(target.session, target.dialect, &self.shape).await.map_err(Trouble::Target)?;
        match found == self.seal.tables {
            true => Ok(()),
            false => {
                let error = StoreError::Damaged("what was restored is not what the backup holds".into());
                Err(Trouble::Target(error.into()))
            }
        }
    }
}

/// Why a file is no backup that can be restored.
enum Unfit {
    Foreign,
    Newer(i64),
    Failure(Failure),
}

impl From<Failure> for Unfit {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

async fn into_file(
    backup: &mut Backup,
    path: &Path,
    onto: Onto,
    progress: &mut Progress<'_>,
) -> Result<(), BackupError> {
    let name = || format!("`{}`", path.display());
    if onto == Onto::Empty && sqlite_alone::holds_something(path).await? {
        return Err(BackupError::NotEmpty(name()));
    }
    let part = PartFile::create(path)?;
    let written = write_file(backup, part.path(), progress).await;
    written.map_err(|error| error.named(&backup.name, part.path()))?;
    // Whoever has the old file open would go on with it: nobody may, and nobody can until the new one has its name.
    let occupied = Occupied::take(path).await.map_err(|error| match error {
        StoreError::Unavailable(_) => BackupError::InUse(name()),
        other => BackupError::Store(other),
    })?;
    take_over_rights(path, part.path()).map_err(|error| BackupError::File {
        what: "replace",
        path: path.to_owned(),
        error,
    })?;
    part.keep()?;
    occupied.let_go().await;
    Ok(())
}

async fn write_file(backup: &mut Backup, part: &Path, progress: &mut Progress<'_>) -> Result<(), Trouble> {
    let mut file = sqlite_alone::new_file(part).await.map_err(Trouble::Target)?;
    schema::make_sqlite(&mut file, backup.seal.schema).await.map_err(Trouble::Target)?;
    let mut filling = file.begin().await.map_err(|error| Trouble::Target(error.into()))?;
    let mut target = copy::Target { session: &mut *filling, dialect: sqlite::DIALECT };
    backup.copy_to(&mut target, progress).await?;
    filling.commit().await.map_err(|error| Trouble::Target(error.into()))?;
    schema::make_sqlite(&mut file, schema::KNOWN).await.map_err(Trouble::Target)?;
    check_chain(&mut file, sqlite::DIALECT).await.map_err(Trouble::Target)?;
    sqlite_alone::finish_file(file).await.map_err(Trouble::Target)
}

/// The service that used the old file has to be able to use the new one.
fn take_over_rights(old: &Path, new: &Path) -> std::io::Result<()> {
    let Ok(old) = fs::metadata(old) else { return Ok(()) };
    fs::set_permissions(new, fs::Permissions::from_mode(old.mode() & 0o7777))?;
    let owner = fs::metadata(new)?;
    if (owner.uid(), owner.gid()) == (old.uid(), old.gid()) {
        return Ok(());
    }
    chown(new, Some(old.uid()), Some(old.gid()))
}

async fn into_server(
    backup: &mut Backup,
    url: &ServerUrl,
    onto: Onto,
    progress: &mut Progress<'_>,
) -> Result<(), BackupError> {
    let place = postgres::Place(url.to_string());
    let emptying = match onto {
        Onto::Empty => Emptying::WhereNothingIs,
        Onto::Anything => Emptying::Everything,
    };
    let mut connection = postgres_alone::lone_connection(url).await?;
    let begun = postgres_alone::empty(&mut connection, emptying, backup.seal.schema).await;
    let mut transaction = begun.map_err(|unfit| match unfit {
        postgres_alone::NotEmptied::InUse => BackupError::InUse(url.to_string()),
        postgres_alone::NotEmptied::HoldsSomething => BackupError::NotEmpty(url.to_string()),
        postgres_alone::NotEmptied::Failure(failure) => BackupError::Store(place.error(failure)),
    })?;
    let filled = fill(backup, &mut transaction, progress).await;
    filled.map_err(|trouble| match trouble {
        Trouble::Source(failure) => BackupError::Store(backup.name.error(failure)),
        Trouble::Target(failure) => BackupError::Store(place.error(failure)),
    })?;
    transaction.commit().await.map_err(|error| BackupError::Store(place.error(place.commit_failed(error))))
}

async fn fill(
    backup: &mut Backup,
    connection: &mut PgConnection,
    progress: &mut Progress<'_>,
) -> Result<(), Trouble> {
    let mut target = copy::Target { session: &mut *connection, dialect: postgres::DIALECT };
    backup.copy_to(&mut target, progress).await?;
    schema::make_postgres(connection, schema::KNOWN).await.map_err(Trouble::Target)?;
    check_chain(connection, postgres::DIALECT).await.map_err(Trouble::Target)
}
