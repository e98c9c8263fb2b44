//! Keeps policies, version by version, runs and the audit log in SQLite (one file) or PostgreSQL.
//!
//! The rows of a policy are temporal: each says from which version on it is there and from which on no more,
//! so one statement answers for any version, and what two versions differ in is a range of an index. Both
//! databases have the same tables and the same code above [`session`]; what differs is how to connect, to
//! lock the row that writers queue at, to hear of changes, and to read errors.
//!
//! Runs and audit records are rows that are never changed: a place in their order, what they are searched by, and all
//! of it as bytes. Each row has a checksum; the audit log is a chain of hashes.
//!
//! The crate knows nothing of what a policy or a run means: it keeps steps and facts and gives them back.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod account_statements;
mod accounts;
mod audit;
mod audit_block;
mod audit_body;
mod audit_chain;
mod audit_group;
mod audit_read;
mod audit_statements;
pub mod backup;
mod batches;
mod block;
mod checksum;
mod columns;
mod commit;
mod database;
mod encoding;
mod feed;
mod history;
mod jobs;
mod letters;
mod load;
mod location;
mod ports;
mod postgres;
mod postgres_alone;
mod rows;
mod run_body;
mod run_index;
mod run_statements;
mod runs;
mod schema;
mod session;
mod sqlite;
mod sqlite_alone;
mod statements;
mod steps;

#[cfg(test)]
#[path = "../tests/suite/run_sample.rs"]
#[allow(dead_code, reason = "the tests of stores use the rest")]
mod run_sample;
#[cfg(test)]
#[path = "../tests/suite/sample.rs"]
#[allow(dead_code, reason = "the tests of stores use the rest")]
mod sample;

use std::sync::Arc;

use guardbee_engine::store::{Storage, StoreError};

pub use location::Location;
pub use postgres::PostgresStore;
pub use sqlite::SqliteStore;

/// Opens the store at a path, `sqlite:PATH` or `postgres://USER:PASSWORD@HOST/DATABASE`; makes it where there
/// is none. Needs a running tokio.
///
/// # Errors
/// [`StoreError`], never with the password in it.
pub async fn open(location: &str) -> Result<Arc<dyn Storage>, StoreError> {
    match Location::parse(location)? {
        Location::Sqlite(path) => Ok(Arc::new(SqliteStore::open(&path).await?)),
        Location::Postgres(url) => Ok(Arc::new(PostgresStore::open(&url).await?)),
    }
}
