//! One connection to a database, as the rest of the crate sees it: statements with values in, rows out.

use async_trait::async_trait;
use futures_util::TryStreamExt;
use guardbee_engine::store::StoreError;
use sqlx::{AssertSqlSafe, PgConnection, Row, SqliteConnection};

use crate::rows::{Kind, Value};

/// What a row is handed to; an error of its ends the reading.
pub type EachRow<'e> = dyn for<'v> FnMut(&[Value<'v>]) -> Result<(), StoreError> + Send + 'e;

/// Why a statement failed: the database said so, or who was handed its rows.
pub enum Failure {
    Database(sqlx::Error),
    Store(StoreError),
}

impl From<sqlx::Error> for Failure {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// Is a value there of another kind than its column? What a driver says of that is for those who made it.
pub fn is_of_another_kind(error: &sqlx::Error) -> bool {
    matches!(error, sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_))
}

/// A value that outlives its row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OwnedValue {
    Null(Kind),
    Integer(i64),
    Text(String),
    Bytes(Vec<u8>),
}

pub type OwnedRow = Vec<OwnedValue>;

/// The values of a row, to be handed to a statement.
pub fn values_of(row: &[OwnedValue]) -> impl Iterator<Item = Value<'_>> {
    row.iter().map(|value| match value {
        OwnedValue::Null(kind) => Value::Null(*kind),
        OwnedValue::Integer(number) => Value::Integer(*number),
        OwnedValue::Text(text) => Value::Text(text),
        OwnedValue::Bytes(bytes) => Value::Bytes(bytes),
    })
}

/// Takes rows, many at a time, and has to be waited for meanwhile.
#[async_trait]
pub trait Taker: Send {
    /// Whether it goes on taking.
    async fn take(&mut self, rows: &[OwnedRow]) -> bool;
}

/// So much is handed to a [`Taker`] at a time: rows, or bytes of them.
const ROWS_AT_ONCE: usize = 1000;
const BYTES_AT_ONCE: usize = 4 << 20;

/// The widest row that is ever read.
pub const MOST_COLUMNS: usize = 24;

#[async_trait]
pub trait Session: Send {
    /// Runs a statement that gives no rows.
    async fn execute(&mut self, sql: &str, values: &[Value<'_>]) -> Result<(), Failure>;

    /// Runs a statement and hands its rows over one by one, without holding them.
    async fn rows(
        &mut self,
        sql: &str,
        values: &[Value<'_>],
        kinds: &[Kind],
        each: &mut EachRow<'_>,
    ) -> Result<(), Failure>;

    /// Runs a statement and hands its rows over, many at a time.
    async fn hand_over(&mut self, sql: &str, kinds: &[Kind], taker: &mut dyn Taker) -> Result<(), Failure>;

    /// The number that a statement without parameters gives.
    async fn integer(&mut self, sql: &str) -> Result<i64, Failure> {
        let mut found = None;
        self.rows(sql, &[], &[Kind::Integer], &mut |row| {
            if let [Value::Integer(number)] = *row {
                found = Some(number);
            }
            Ok(())
        })
        .await?;
        found.ok_or_else(|| StoreError::Damaged("the row that says where it stands is missing".into()).into())
    }
}

macro_rules! bound {
    ($sql:expr, $values:expr) => {
        $values.iter().fold(sqlx::query(AssertSqlSafe($sql)), |query, value| match *value {
            Value::Null(Kind::Integer) => query.bind(None::<i64>),
            Value::Null(Kind::Text) => query.bind(None::<&str>),
            Value::Null(Kind::Bytes) => query.bind(None::<&[u8]>),
            Value::Integer(number) => query.bind(number),
            Value::Text(text) => query.bind(text),
            Value::Bytes(bytes) => query.bind(bytes),
        })
    };
}

macro_rules! session {
    ($connection:ty) => {
        #[async_trait]
        impl Session for $connection {
            async fn execute(&mut self, sql: &str, values: &[Value<'_>]) -> Result<(), Failure> {
                let query = bound!(sql, values);
                query.execute(&mut *self).await?;
                Ok(())
            }

            async fn rows(
                &mut self,
                sql: &str,
                values: &[Value<'_>],
                kinds: &[Kind],
                each: &mut EachRow<'_>,
            ) -> Result<(), Failure> {
                let query = bound!(sql, values);
                let mut rows = query.fetch(&mut *self);
                while let Some(row) = rows.try_next().await? {
                    let mut cells = [Value::Null(Kind::Integer); MOST_COLUMNS];
                    for (place, (cell, kind)) in cells.iter_mut().zip(kinds).enumerate() {
                        *cell = match kind {
                            Kind::Integer => row.try_get::<Option<i64>, _>(place)?.map(Value::Integer),
                            Kind::Text => row.try_get::<Option<&str>, _>(place)?.map(Value::Text),
                            Kind::Bytes => row.try_get::<Option<&[u8]>, _>(place)?.map(Value::Bytes),
                        }
                        .unwrap_or(Value::Null(*kind));
                    }
                    each(cells.get(..kinds.len()).unwrap_or_default())?;
                }
                Ok(())
            }

            async fn hand_over(
                &mut self,
                sql: &str,
                kinds: &[Kind],
                taker: &mut dyn Taker,
            ) -> Result<(), Failure> {
                let mut rows = sqlx::query(AssertSqlSafe(sql)).fetch(&mut *self);
                let (mut taken, mut bytes) = (Vec::new(), 0);
                while let Some(row) = rows.try_next().await? {
                    let mut cells = Vec::with_capacity(kinds.len());
                    for (place, kind) in kinds.iter().enumerate() {
                        let value = match kind {
                            Kind::Integer => row.try_get::<Option<i64>, _>(place)?.map(OwnedValue::Integer),
                            Kind::Text => row.try_get::<Option<String>, _>(place)?.map(OwnedValue::Text),
                            Kind::Bytes => row.try_get::<Option<Vec<u8>>, _>(place)?.map(OwnedValue::Bytes),
                        };
                        bytes += match &value {
                            Some(OwnedValue::Text(text)) => text.len(),
                            Some(OwnedValue::Bytes(bytes)) => bytes.len(),
                            _ => 8,
                        };
                        cells.push(value.unwrap_or(OwnedValue::Null(*kind)));
                    }
                    taken.push(cells);
                    if taken.len() >= ROWS_AT_ONCE || bytes >= BYTES_AT_ONCE {
                        if !taker.take(&taken).await {
                            return Ok(());
                        }
                        (taken, bytes) = (Vec::new(), 0);
                    }
                }
                taker.take(&taken).await;
                Ok(())
            }
        }
    };
}

session!(SqliteConnection);
session!(PgConnection);
