//! Records of the audit log on their way to the store: many with one transaction, in the order in which they came.
//!
//! What waits has a bound. Where it is reached, or the store has been away for too long, what would have to be recorded is
//! not done: nothing is allowed that leaves no trace.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use guardbee_engine::audit::AuditRecord;
use guardbee_engine::store::Storage;
use tokio::sync::{Notify, mpsc, oneshot};

use crate::problem::Problem;

/// So many share a transaction.
const TOGETHER: usize = 4096;
/// After the first so long is waited for others, unless somebody waits for it to be durable: pages of the store are
/// written once for all of them. To write many at once keeps decisions from the processor for longer than to write few
/// often.
const LINGER: Duration = Duration::from_millis(4);
/// So long is waited for room.
const LONGEST_WAIT: Duration = Duration::from_secs(2);
/// After a failure the store is tried again after so long, and then ever later.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// The way of records into the log.
#[derive(Debug)]
pub(crate) struct Trail {
    sender: mpsc::Sender<Waiting>,
    /// Told when somebody waits for a record to be durable.
    hurry: Arc<Notify>,
    written: Arc<AtomicU64>,
}

struct Waiting {
    records: Vec<AuditRecord>,
    /// Told once they are durable.
    kept: Option<oneshot::Sender<()>>,
}

impl Trail {
    /// The way, and the work of writing what comes along it, which ends when the way is dropped and all is written.
    pub fn new(storage: Arc<dyn Storage>, waiting: usize) -> (Self, impl Future<Output = ()> + Send) {
        let (sender, receiver) = mpsc::channel(waiting.max(1));
        let (hurry, written) = (Arc::new(Notify::new()), Arc::new(AtomicU64::new(0)));
        let trail = Self { sender, hurry: hurry.clone(), written: written.clone() };
        (trail, write(storage, receiver, hurry, written))
    }

    /// Has a record kept soon after. Waits for room, for a while.
    ///
    /// # Errors
    /// The problem of a record for which there is none: what it is about must not happen.
    pub async fn note(&self, record: AuditRecord) -> Result<(), Problem> {
        let waiting = Waiting { records: vec![record], kept: None };
        match self.sender.try_send(waiting) {
            Ok(()) => Ok(()),
            Err(mpsc::error::TrySendError::Full(waiting) | mpsc::error::TrySendError::Closed(waiting)) => {
                self.send(waiting).await
            }
        }
    }

    /// The same for many.
    ///
    /// # Errors
    /// As [`note`](Self::note).
    pub async fn note_all(&self, records: Vec<AuditRecord>) -> Result<(), Problem> {
        self.send(Waiting { records, kept: None }).await
    }

    /// Has a record kept, and returns once it is durable.
    ///
    /// # Errors
    /// As [`note`](Self::note).
    pub async fn keep(&self, record: AuditRecord) -> Result<(), Problem> {
        let (kept, is_kept) = oneshot::channel();
        self.send(Waiting { records: vec![record], kept: Some(kept) }).await?;
        self.hurry.notify_one();
        match tokio::time::timeout(LONGEST_WAIT, is_kept).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(no_room()),
        }
    }

    /// Records that are durable, since the start.
    pub fn written(&self) -> u64 {
        self.written.load(Ordering::Relaxed)
    }

    /// Batches that wait.
    pub fn waiting(&self) -> usize {
        self.sender.max_capacity() - self.sender.capacity()
    }

    async fn send(&self, waiting: Waiting) -> Result<(), Problem> {
        match tokio::time::timeout(LONGEST_WAIT, self.sender.send(waiting)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(no_room()),
        }
    }
}

fn no_room() -> Problem {
    Problem::busy(
        "audit-log-away",
        "the audit log cannot be written, and nothing is done that it would not have",
        Duration::from_secs(1),
    )
    .with_hint("`/health/ready` says what is wrong with the store")
}

async fn write(
    storage: Arc<dyn Storage>,
    mut receiver: mpsc::Receiver<Waiting>,
    hurry: Arc<Notify>,
    written: Arc<AtomicU64>,
) {
    let mut waiting = Vec::new();
    while receiver.recv_many(&mut waiting, TOGETHER).await > 0 {
        if waiting.len() < TOGETHER && waiting.iter().all(|one| one.kept.is_none()) {
            let _ = tokio::time::timeout(LINGER, hurry.notified()).await;
            while waiting.len() < TOGETHER
                && let Ok(one) = receiver.try_recv()
            {
                waiting.push(one);
            }
        }
        let mut records = Vec::new();
        let mut kept = Vec::new();
        for one in waiting.drain(..) {
            records.extend(one.records);
            kept.extend(one.kept);
        }
        append(&*storage, &records).await;
        written.fetch_add(records.len() as u64, Ordering::Relaxed);
        for kept in kept {
            // Whoever asked may have gone.
            let _ = kept.send(());
        }
    }
}

/// Tries until it is done: what was taken is never let go.
async fn append(storage: &dyn Storage, records: &[AuditRecord]) {
    let mut pause = FIRST_PAUSE;
    while let Err(error) = storage.append_audit(records).await {
        tracing::warn!(code = error.code(), %error, waiting = records.len(), "the audit log cannot be written");
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}
