//! A server outside a store: one connection that reads what is there as it is, and one that empties it.

use guardbee_engine::store::StoreError;
use sqlx::{ConnectOptions as _, Connection as _, PgConnection, PgTransaction};
use tokio::time::timeout;

use crate::location::ServerUrl;
use crate::postgres::{APPLICATION, CONNECT_PATIENCE, Place, options, settle};
use crate::schema;
use crate::session::{Failure, Session as _};

/// A connection of its own.
pub async fn lone_connection(url: &ServerUrl) -> Result<PgConnection, StoreError> {
    let place = Place(url.to_string());
    let options = options(url)?;
    let connected = timeout(CONNECT_PATIENCE, options.connect()).await;
    let connected = connected.unwrap_or(Err(sqlx::Error::PoolTimedOut));
    connected.map_err(|error| place.error(error.into()))
}

/// A store, whatever its schema, as it is at this moment, in a transaction that writes nothing; and its schema.
pub async fn read_as_is(url: &ServerUrl) -> Result<(PgConnection, i64), StoreError> {
    let place = Place(url.to_string());
    let mut connection = lone_connection(url).await?;
    let read = async {
        sqlx::query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").execute(&mut connection).await?;
        match what_is_there(&mut connection).await? {
            There::Store(found) => Ok(found),
            There::Nothing | There::Foreign => Err(StoreError::Location(format!("{url} holds none")).into()),
        }
    };
    let found = read.await.map_err(|failure| place.error(failure))?;
    schema::next(found)?;
    Ok((connection, found))
}

/// What may be emptied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Emptying {
    WhereNothingIs,
    Everything,
}

/// Why a server was left as it is.
pub enum NotEmptied {
    InUse,
    HoldsSomething,
    Failure(Failure),
}

impl<F: Into<Failure>> From<F> for NotEmptied {
    fn from(failure: F) -> Self {
        Self::Failure(failure.into())
    }
}

/// Empties a server and makes the tables of a schema, in a transaction that is to be filled and committed.
pub async fn empty(
    connection: &mut PgConnection,
    emptying: Emptying,
    schema: i64,
) -> Result<PgTransaction<'_>, NotEmptied> {
    let mut transaction = connection.begin().await?;
    settle(&mut transaction).await?;
    match what_is_there(&mut transaction).await? {
        There::Nothing => {}
        There::Foreign => {
            let why = "its schema `guardbee` belongs to another program".to_owned();
            return Err(Failure::from(StoreError::Foreign(why)).into());
        }
        There::Store(found) => {
            if emptying == Emptying::WhereNothingIs
                && transaction.integer(&schema::something_in("guardbee.", found)).await? > 0
            {
                return Err(NotEmptied::HoldsSomething);
            }
            if others(&mut transaction).await? > 0 {
                return Err(NotEmptied::InUse);
            }
            sqlx::query("DROP SCHEMA guardbee CASCADE").execute(&mut *transaction).await?;
        }
    }
    schema::make_postgres(&mut transaction, schema).await?;
    Ok(transaction)
}

enum There {
    Nothing,
    Foreign,
    Store(i64),
}

async fn what_is_there(connection: &mut PgConnection) -> Result<There, Failure> {
    let sql = "SELECT (to_regclass('guardbee._sqlx_migrations') IS NOT NULL)::int::bigint";
    if connection.integer(sql).await? > 0 {
        let sql = "SELECT coalesce(max(version), 0) FROM guardbee._sqlx_migrations";
        return Ok(There::Store(connection.integer(sql).await?));
    }
    let sql = "SELECT count(*) FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace \
               WHERE nspname = 'guardbee'";
    Ok(if connection.integer(sql).await? > 0 { There::Foreign } else { There::Nothing })
}

/// How many other connections of ours the database has.
async fn others(connection: &mut PgConnection) -> Result<i64, Failure> {
    let sql = format!(
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = '{APPLICATION}' \
         AND datname = current_database() AND pid <> pg_backend_pid()"
    );
    connection.integer(&sql).await
}
