//! The conformance suite against SQLite, and what only a file can suffer.

mod suite;

use std::path::PathBuf;
use std::sync::Arc;

use guardbee_engine::store::Storage;
use guardbee_store::SqliteStore;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, SqliteConnection};
use tempfile::TempDir;

struct File(TempDir);

#[async_trait::async_trait]
impl suite::Place for File {
    async fn open(&self) -> Arc<dyn Storage> {
        Arc::new(SqliteStore::open(&self.path()).await.expect("a store"))
    }

    async fn execute(&self, sql: &str) {
        let query = sqlx::query(AssertSqlSafe(sql.to_owned()));
        query.execute(&mut self.raw().await).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
    }

    fn bytes(&self, hexadecimal: &str) -> String {
        format!("x'{hexadecimal}'")
    }

    async fn count(&self, table: &str) -> i64 {
        let query = sqlx::query_scalar(AssertSqlSafe(format!("SELECT count(*) FROM {table}")));
        query.fetch_one(&mut self.raw().await).await.expect("readable")
    }
}

impl File {
    fn path(&self) -> PathBuf {
        self.0.path().join("policy.db")
    }

    async fn raw(&self) -> SqliteConnection {
        SqliteConnectOptions::new().filename(self.path()).connect().await.expect("a database")
    }
}

async fn file() -> Option<File> {
    Some(File(TempDir::new().expect("a folder")))
}

conformance!(file);

/// Who records a statement asks for all that made a table: among a million runs that must not mean looking at each.
#[tokio::test]
async fn runs_that_are_no_queries_are_found_by_an_index() {
    let file = file().await.expect("a place");
    suite::Place::open(&file).await;
    let plan = "EXPLAIN QUERY PLAN SELECT seq FROM runs WHERE body IS NOT NULL AND (ended_at, seq) < (9, 9) \
                AND operation = 'CREATETABLE' AND operation <> 'QUERY' ORDER BY ended_at DESC, seq DESC LIMIT 9";
    let rows = sqlx::query(plan).fetch_all(&mut file.raw().await).await.expect("a plan");
    let steps: Vec<String> = rows.iter().map(|row| sqlx::Row::get::<String, _>(row, 3)).collect();
    assert_eq!(steps.len(), 1, "{steps:?}");
    assert!(steps[0].contains("USING INDEX runs_operation (operation=? AND ended_at<?)"), "{steps:?}");
}
