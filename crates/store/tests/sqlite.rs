//! The conformance suite against SQLite, and what only a file can suffer.

mod suite;

use std::sync::Arc;

use guardbee_engine::store::Store;
use guardbee_store::SqliteStore;
use tempfile::TempDir;

struct File(TempDir);

#[async_trait::async_trait]
impl suite::Place for File {
    async fn open(&self) -> Arc<dyn Store> {
        Arc::new(SqliteStore::open(&self.0.path().join("policy.db")).await.expect("a store"))
    }
}

async fn file() -> Option<File> {
    Some(File(TempDir::new().expect("a folder")))
}

conformance!(file);
