//! The conformance suite against a real PostgreSQL server, and what only a server can do to a store.

mod suite;

use std::sync::Arc;
use std::time::{Duration, Instant};

use guardbee_engine::store::{At, PolicyVersion, Storage, Store, StoreError};
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, PgConnection};

use suite::server::{PASSWORD, Server};

struct Database(String);

#[async_trait::async_trait]
impl suite::Place for Database {
    async fn open(&self) -> Arc<dyn Storage> {
        guardbee_store::open(&self.0).await.expect("a store")
    }

    async fn execute(&self, sql: &str) {
        let query = sqlx::query(AssertSqlSafe(sql.to_owned()));
        query.execute(&mut self.raw().await).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
    }

    fn bytes(&self, hexadecimal: &str) -> String {
        format!("'\\x{hexadecimal}'::bytea")
    }

    async fn count(&self, table: &str) -> i64 {
        let query = sqlx::query_scalar(AssertSqlSafe(format!("SELECT count(*) FROM {table}")));
        query.fetch_one(&mut self.raw().await).await.expect("readable")
    }
}

impl Database {
    async fn raw(&self) -> PgConnection {
        let options: PgConnectOptions = self.0.parse().expect("an address");
        options.options([("search_path", "guardbee")]).connect().await.expect("a server")
    }
}

async fn database() -> Option<Database> {
    Server::shared().map(|server| Database(server.new_database()))
}

conformance!(database);

async fn refusal(location: &str) -> StoreError {
    let error = guardbee_store::open(location).await.err().expect("this cannot be opened");
    assert!(!error.to_string().contains(PASSWORD) && !error.to_string().contains("heim"), "{error}");
    error
}

#[tokio::test]
async fn each_way_not_to_get_in_has_its_own_error() {
    let Some(server) = Server::shared() else { return };
    let url = server.url("postgres");
    let wrong = refusal(&url.replace("heim", "wrong")).await;
    assert!(matches!(wrong, StoreError::Refused(_)), "{wrong:?}");
    let missing = refusal(&server.url("missing")).await;
    assert!(matches!(missing, StoreError::Location(_)), "{missing:?}");
    let no_server = refusal(&url.replace(&server.port().to_string(), "1")).await;
    assert!(matches!(no_server, StoreError::Unavailable(_)), "{no_server:?}");
    let database = server.new_database();
    server.sql("postgres", "CREATE ROLE guest LOGIN PASSWORD 'ge:heim'");
    let guest = refusal(&database.replace("//guardbee:", "//guest:")).await;
    assert!(matches!(guest, StoreError::Refused(_)), "{guest:?}");
    let no_port = refusal("postgres://ana:geheim@localhost:port/policy").await;
    assert!(matches!(no_port, StoreError::Location(_)), "{no_port:?}");
}

#[tokio::test]
async fn a_newer_schema_is_refused() {
    let Some(server) = Server::shared() else { return };
    let url = server.new_database();
    guardbee_store::open(&url).await.expect("a store");
    let name = url.rsplit('/').next().expect("a name");
    server.sql(
        name,
        "INSERT INTO guardbee._sqlx_migrations (version, description, success, checksum, execution_time) \
         VALUES (99, 'from the future', true, '', 0)",
    );
    assert_eq!(refusal(&url).await, StoreError::NewerSchema { found: 99, known: 6 });
}

#[tokio::test]
async fn a_row_that_was_changed_by_hand_is_noticed() {
    let Some(server) = Server::shared() else { return };
    let url = server.new_database();
    let store = guardbee_store::open(&url).await.expect("a store");
    store.commit(suite::survey::commit(1)).await.expect("made");
    store.commit(suite::survey::commit(2)).await.expect("made");
    server.sql(
        url.rsplit('/').next().expect("a name"),
        "UPDATE guardbee.entries SET principal = 'role public'",
    );
    let found = store.load(At::Latest).await.map(|loaded| loaded.version);
    assert!(matches!(found, Err(StoreError::Damaged(_))), "{found:?}");
    let steps = store.changes_after(PolicyVersion(0), 10).await.map(|versions| versions.len());
    assert!(matches!(steps, Err(StoreError::Damaged(_))), "{steps:?}");
}

/// Who waits is told that the server is away, and sees the next change when it is back.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn following_goes_on_when_the_server_is_back() {
    let Some((server, _watcher)) = Server::own() else { return };
    let url = server.new_database();
    let (writer, reader) = (
        guardbee_store::open(&url).await.expect("a store"),
        guardbee_store::open(&url).await.expect("a store"),
    );
    writer.commit(suite::survey::commit(1)).await.expect("made");
    assert_eq!(reader.wait_after(PolicyVersion(0)).await, Ok(PolicyVersion(1)));
    let waiting = tokio::spawn({
        let reader = reader.clone();
        async move { reader.wait_after(PolicyVersion(1)).await }
    });
    tokio::time::sleep(Duration::from_millis(100)).await;
    server.stop_at_once();
    let told = waiting.await.expect("no panic");
    assert!(matches!(told, Err(StoreError::Unavailable(_))), "{told:?}");
    let refused = writer.commit(suite::survey::commit(2)).await;
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
    server.start();
    let (seen, made) = tokio::join!(until_seen(&*reader), writer.commit(suite::survey::commit(2)));
    assert_eq!((seen, made), (PolicyVersion(2), Ok(PolicyVersion(2))));
}

async fn until_seen(reader: &dyn Store) -> PolicyVersion {
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        match reader.wait_after(PolicyVersion(1)).await {
            Ok(version) => return version,
            Err(StoreError::Unavailable(_)) if Instant::now() < deadline => {}
            Err(error) => panic!("{error}"),
        }
    }
}
