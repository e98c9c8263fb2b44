//! Runs on their way into the store: those that come at the same time share a transaction, and no more wait than
//! there is room for.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use guardbee_lineage::Run;
use tokio::sync::{Mutex as Turn, Semaphore, oneshot};

use crate::engine::EngineError;
use crate::run_store::Appended;
use crate::store::StoreError;

use super::Lineage;

/// How much may wait, and how much goes into one transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IntakeBounds {
    pub waiting: usize,
    pub together: usize,
}

impl Default for IntakeBounds {
    fn default() -> Self {
        Self { waiting: 8192, together: 1024 }
    }
}

/// Who waits to be written. The first one to get the turn writes for all who wait with it.
pub(super) struct Intake {
    room: Semaphore,
    waiting: Mutex<VecDeque<Waiting>>,
    turn: Turn<()>,
    together: usize,
}

struct Waiting {
    run: Run,
    answer: oneshot::Sender<Result<Appended, EngineError>>,
}

impl Intake {
    pub fn new(bounds: IntakeBounds) -> Self {
        Self {
            room: Semaphore::new(bounds.waiting.clamp(1, Semaphore::MAX_PERMITS)),
            waiting: Mutex::default(),
            turn: Turn::new(()),
            together: bounds.together.max(1),
        }
    }

    pub async fn ingest(&self, lineage: &Arc<Lineage>, run: Run) -> Result<Appended, EngineError> {
        let Ok(_room) = self.room.acquire().await else { return Err(unknown()) };
        let (answer, mut answered) = oneshot::channel();
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).push_back(Waiting { run, answer });
        loop {
            let _turn = self.turn.lock().await;
            match answered.try_recv() {
                Ok(answer) => return answer,
                // Whoever wrote for this one went away while it was on its way.
                Err(oneshot::error::TryRecvError::Closed) => return Err(unknown()),
                Err(oneshot::error::TryRecvError::Empty) => self.write_next(lineage).await,
            }
        }
    }

    async fn write_next(&self, lineage: &Arc<Lineage>) {
        let batch: Vec<Waiting> = {
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            let count = waiting.len().min(self.together);
            waiting.drain(..count).collect()
        };
        let (runs, answers): (Vec<Run>, Vec<_>) =
            batch.into_iter().map(|waiting| (waiting.run, waiting.answer)).unzip();
        match lineage.record(&runs).await {
            Ok(appended) => {
                for (answer, appended) in answers.into_iter().zip(appended) {
                    // Who does not wait any more need not know.
                    let _ = answer.send(Ok(appended));
                }
            }
            Err(error) => {
                for answer in answers {
                    let _ = answer.send(Err(error.clone()));
                }
            }
        }
    }
}

fn unknown() -> EngineError {
    EngineError::Store(StoreError::Unknown("the writer went away".to_owned()))
}
