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
        }
    };
}

session!(SqliteConnection);
session!(PgConnection);
