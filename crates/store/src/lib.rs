//! Keeps policies, version by version, in SQLite (one file) or PostgreSQL.
//!
//! The rows of a policy are temporal: each says from which version on it is there and from which on no more,
//! so one statement answers for any version, and what two versions differ in is a range of an index. Both
//! databases have the same tables and the same code above [`session`]; what differs is how to connect, to
//! lock the row that writers queue at, to hear of changes, and to read errors.
//!
//! The crate knows nothing of what a policy means: it keeps steps and gives them back.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod block;
mod checksum;
mod columns;
mod commit;
mod feed;
mod history;
mod load;
mod location;
mod postgres;
mod rows;
mod schema;
mod session;
mod sqlite;
mod statements;
mod steps;

use std::sync::Arc;

use guardbee_engine::store::{Store, StoreError};

pub use location::Location;
pub use postgres::PostgresStore;
pub use sqlite::SqliteStore;

/// Opens the store at a path, `sqlite:PATH` or `postgres://USER:PASSWORD@HOST/DATABASE`; makes it where there
/// is none. Needs a running tokio.
///
/// # Errors
/// [`StoreError`], never with the password in it.
pub async fn open(location: &str) -> Result<Arc<dyn Store>, StoreError> {
    match Location::parse(location)? {
        Location::Sqlite(path) => Ok(Arc::new(SqliteStore::open(&path).await?)),
        Location::Postgres(url) => Ok(Arc::new(PostgresStore::open(&url).await?)),
    }
}
