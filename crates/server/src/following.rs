//! What goes on beside the calls: following what other servers change in the store, and noticing when it is away.
//!
//! The store tells of news; it is looked at now and then all the same, so that a notice that got lost delays and no more.

use std::sync::Arc;
use std::time::Duration;

use guardbee_engine::EngineError;
use guardbee_engine::store::StoreError;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

use crate::contact::Subject;
use crate::service::Service;

/// So often it is looked whether the store is there, though it tells of nothing new.
const GLANCE: Duration = Duration::from_millis(250);
/// After a failure it is tried again after so long.
const PAUSE: Duration = Duration::from_millis(250);
/// A store that does not answer within this is away.
const PATIENCE: Duration = Duration::from_secs(2);
/// So long an answer is waited for all the same: a policy of any size has to be read within it.
const LONGEST_LOOK: Duration = Duration::from_secs(60);

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
        match noted(&service, Subject::Policy, service.engine.catch_up()).await {
            Some(version) => glance(service.storage.wait_after(version)).await,
            None => tokio::time::sleep(PAUSE).await,
        }
    }
}

async fn accounts(service: Arc<Service>) {
    loop {
        let looked = async {
            service.accounts.refresh(&*service.storage).await?;
            Ok(service.accounts.known().changes())
        };
        match noted(&service, Subject::Accounts, looked).await {
            Some(changes) => glance(service.storage.wait_account_changes(changes)).await,
            None => tokio::time::sleep(PAUSE).await,
        }
    }
}

/// Waits for news, until it is time to look all the same.
async fn glance<T>(news: impl Future<Output = Result<T, StoreError>>) {
    if let Ok(Err(_)) = timeout(GLANCE, news).await {
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

/// What a look at the store found; none where it failed. How that went is noted, from when it takes too long on.
async fn noted<T>(
    service: &Service,
    subject: Subject,
    looking: impl Future<Output = Result<T, EngineError>>,
) -> Option<T> {
    let begun = Instant::now();
    let mut looking = std::pin::pin!(looking);
    let looked = match timeout(PATIENCE, &mut looking).await {
        Ok(looked) => looked,
        Err(_) => {
            let why = format!("no answer within {} s", PATIENCE.as_secs());
            lost(service, subject, &StoreError::Unavailable(why).into());
            let rest = timeout(LONGEST_LOOK, &mut looking).await;
            rest.unwrap_or_else(|_| Err(StoreError::Unavailable("no answer".to_owned()).into()))
        }
    };
    match looked {
        Ok(found) => {
            if service.contact.found(subject, begun) {
                tracing::info!(%subject, "the store is back");
            }
            Some(found)
        }
        Err(error) => {
            lost(service, subject, &error);
            None
        }
    }
}

fn lost(service: &Service, subject: Subject, error: &EngineError) {
    if service.contact.lost(subject) {
        tracing::warn!(%subject, code = error.code(), %error, "the store is away: decisions go on by what is known");
    }
}
