//! Tells those who wait that something is newer: the policy, the runs, or who may call.
//!
//! A background task looks for it, as long as somebody waits; what this process commits itself is told at
//! once. How the task looks is the business of each database.

use std::sync::{Arc, Mutex, PoisonError};

use guardbee_engine::store::StoreError;
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;

use crate::statements::News;

/// What the task saw last.
#[derive(Default)]
struct Seen {
    newest: u64,
    /// Why it could not look; gone when it can again.
    failure: Option<StoreError>,
}

/// The end that the task holds.
#[derive(Clone)]
pub struct Teller {
    seen: watch::Sender<Seen>,
    wanted: Arc<Notify>,
}

impl Teller {
    pub fn newest(&self, newest: u64) {
        self.seen.send_if_modified(|seen| {
            let is_news = newest > seen.newest;
            seen.newest = seen.newest.max(newest);
            seen.failure = None;
            is_news
        });
    }

    /// Those who wait now are told; the task goes on trying.
    pub fn failure(&self, failure: StoreError) {
        self.seen.send_modify(|seen| seen.failure = Some(failure));
    }

    /// Returns at once while somebody waits, else when somebody does.
    pub async fn somebody_waits(&self) {
        while self.seen.receiver_count() == 0 {
            self.wanted.notified().await;
        }
    }
}

/// The end that the store holds. The task ends with it.
pub struct Feed {
    teller: Teller,
    task: Mutex<Option<JoinHandle<()>>>,
}

/// A feed for each sort of news.
#[derive(Default)]
pub struct Feeds {
    policy: Feed,
    runs: Feed,
    accounts: Feed,
}

impl Feeds {
    pub const fn of(&self, news: News) -> &Feed {
        match news {
            News::Policy => &self.policy,
            News::Runs => &self.runs,
            News::Accounts => &self.accounts,
        }
    }
}

impl Default for Feed {
    fn default() -> Self {
        let teller = Teller { seen: watch::Sender::new(Seen::default()), wanted: Arc::default() };
        Self { teller, task: Mutex::new(None) }
    }
}

impl Feed {
    /// This process made it.
    pub fn made(&self, newest: u64) {
        self.teller.newest(newest);
    }

    /// Waits for what is newer than `after`; `look` starts the task where none runs.
    pub async fn wait_after<Look>(
        &self,
        after: u64,
        look: impl FnOnce(Teller) -> Look,
    ) -> Result<u64, StoreError>
    where
        Look: Future<Output = ()> + Send + 'static,
    {
        let mut seen = self.teller.seen.subscribe();
        self.start(look);
        self.teller.wanted.notify_one();
        loop {
            let newest = seen.borrow_and_update().newest;
            if newest > after {
                return Ok(newest);
            }
            if seen.changed().await.is_err() {
                return Err(StoreError::Unavailable("it is being closed".into()));
            }
            if let Some(failure) = seen.borrow().failure.clone() {
                return Err(failure);
            }
        }
    }

    fn start<Look>(&self, look: impl FnOnce(Teller) -> Look)
    where
        Look: Future<Output = ()> + Send + 'static,
    {
        let mut task = self.task.lock().unwrap_or_else(PoisonError::into_inner);
        if task.as_ref().is_none_or(JoinHandle::is_finished) {
            *task = Some(tokio::spawn(look(self.teller.clone())));
        }
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        let task = self.task.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(task) = task {
            task.abort();
        }
    }
}
