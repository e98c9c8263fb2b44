//! The conformance suite against a real PostgreSQL server, and what only a server can do to a store.

mod suite;

use std::sync::Arc;

use guardbee_engine::store::{Store, StoreError};

use suite::server::{PASSWORD, Server};

struct Database(String);

#[async_trait::async_trait]
impl suite::Place for Database {
    async fn open(&self) -> Arc<dyn Store> {
        guardbee_store::open(&self.0).await.expect("a store")
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
    let no_port = refusal("postgres://ana:geheim@localhost:port/policy").await;
    assert!(matches!(no_port, StoreError::Location(_)), "{no_port:?}");
}
