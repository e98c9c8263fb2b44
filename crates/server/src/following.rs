//! What goes on beside the calls: following what other servers change in the store, and noticing when it is away.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;

use crate::service::Service;

/// So often it is looked whether the store is there, and whether accounts have changed.
const GLANCE: Duration = Duration::from_millis(250);
/// After a failure it is tried again after so long.
const PAUSE: Duration = Duration::from_millis(250);
/// A store that does not answer within this is away.
const PATIENCE: Duration = Duration::from_secs(2);

/// Starts all of it; it ends when the set is dropped.
pub(crate) fn start(service: &Arc<Service>) -> JoinSet<()> {
    let mut tasks = JoinSet::new();
    tasks.spawn(policies(service.clone()));
    tasks.spawn(runs(service.clone()));
    tasks.spawn(accounts(service.clone()));
    tasks
}

async fn policies(service: Arc<Service>) {
    loop {
        if let Err(error) = service.engine.follow().await {
            tracing::warn!(code = error.code(), %error, "changes of the policy cannot be followed");
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn runs(service: Arc<Service>) {
    loop {
        if let Err(error) = service.lineage.follow().await {
            tracing::warn!(code = error.code(), %error, "new runs cannot be followed");
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn accounts(service: Arc<Service>) {
    let mut is_away = false;
    loop {
        let refreshed = tokio::time::timeout(PATIENCE, service.accounts.refresh(&*service.storage)).await;
        let refreshed = refreshed.unwrap_or_else(|_| {
            let why = format!("no answer within {} s", PATIENCE.as_secs());
            Err(guardbee_engine::store::StoreError::Unavailable(why))
        });
        service.contact.note(&refreshed);
        match (refreshed, is_away) {
            (Err(error), false) => {
                is_away = true;
                tracing::warn!(code = error.code(), %error, "the store is away: decisions go on by what is known");
            }
            (Ok(()), true) => {
                is_away = false;
                tracing::info!("the store is back");
            }
            _ => {}
        }
        tokio::time::sleep(GLANCE).await;
    }
}
