//! The port to those outside who have a say in decisions.
//!
//! Whoever fails, or does not answer in time, refuses: under every way of counting votes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use guardbee_model::{Name, Operation};
use guardbee_policy::requirement::Requirement;
use guardbee_policy::{
    Decision, DecisionManager, ExternalAnswer, Identity, Outcome, Policy, Provider, Subject, Timestamp, Vote,
    decide, decide_by_vote,
};

/// How many questions a provider may have open at once. One that hangs gets no more.
const OPEN_LIMIT: usize = 64;

/// Somebody outside who votes on what a statement needs.
pub trait ExternalProvider: Send + Sync {
    /// The name that the decision manager knows it by.
    fn name(&self) -> Name;

    /// One vote for each of the requirements, in their order, and why.
    ///
    /// # Errors
    /// Why there is no vote. That refuses.
    fn vote(&self, question: &Question) -> Result<Votes, String>;
}

/// What a provider is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    pub identity: Identity,
    pub operation: Operation,
    pub requirements: Vec<Requirement>,
}

/// What a provider answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Votes {
    pub votes: Vec<Vote>,
    pub reason: Arc<str>,
}

/// Who decides: the policy alone, or others with it.
pub struct Deciders {
    manager: DecisionManager,
    external: Vec<Arc<Asked>>,
    time_limit: Duration,
}

struct Asked {
    provider: Box<dyn ExternalProvider>,
    open: AtomicUsize,
}

impl Default for Deciders {
    fn default() -> Self {
        Self::new(DecisionManager::default(), Vec::new())
    }
}

impl Deciders {
    /// The manager names the external providers that have a say; one that is not given refuses.
    #[must_use]
    pub fn new(manager: DecisionManager, external: Vec<Box<dyn ExternalProvider>>) -> Self {
        let external = external
            .into_iter()
            .map(|provider| Arc::new(Asked { provider, open: AtomicUsize::new(0) }))
            .collect();
        Self { manager, external, time_limit: Duration::from_secs(1) }
    }

    /// How long the external providers may take, all together.
    #[must_use]
    pub const fn with_time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = limit;
        self
    }

    pub(crate) fn decide(
        &self,
        policy: &Policy,
        subject: &Subject,
        question: impl FnOnce() -> Question,
        requirements: &[Requirement],
        now: Timestamp,
    ) -> Decision {
        if self.manager == DecisionManager::default() {
            return decide(policy, subject, requirements, now);
        }
        let answers = if self.asks_outside() { self.ask(&Arc::new(question())) } else { Vec::new() };
        decide_by_vote(policy, subject, requirements, now, &self.manager, &answers).decision
    }

    fn asks_outside(&self) -> bool {
        self.manager.providers.iter().any(|provider| matches!(provider, Provider::External(_)))
    }

    /// Asks all at once.
    fn ask(&self, question: &Arc<Question>) -> Vec<ExternalAnswer> {
        let deadline = Instant::now() + self.time_limit;
        let asked: Vec<_> = self.external.iter().map(|asked| (asked, asked.ask(question))).collect();
        asked
            .into_iter()
            .map(|(asked, answer)| {
                let outcome = match answer {
                    None => Outcome::Late,
                    Some(answer) => {
                        match answer.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                            Ok(Ok(votes)) => Outcome::Voted { votes: votes.votes, reason: votes.reason },
                            Ok(Err(reason)) => Outcome::Failed(Arc::from(reason)),
                            Err(RecvTimeoutError::Timeout) => Outcome::Late,
                            Err(RecvTimeoutError::Disconnected) => Outcome::Failed(Arc::from("it broke off")),
                        }
                    }
                };
                ExternalAnswer { provider: asked.provider.name(), outcome }
            })
            .collect()
    }
}

impl Asked {
    /// Asks in the background; nothing where it has too many questions open already.
    fn ask(
        self: &Arc<Self>,
        question: &Arc<Question>,
    ) -> Option<std::sync::mpsc::Receiver<Result<Votes, String>>> {
        if self.open.fetch_add(1, Ordering::AcqRel) >= OPEN_LIMIT {
            self.open.fetch_sub(1, Ordering::AcqRel);
            return None;
        }
        let (sender, receiver) = sync_channel(1);
        let (asked, question) = (Arc::clone(self), Arc::clone(question));
        thread::spawn(move || {
            let _open = Open(&asked.open);
            // Nobody listens any more where it came too late.
            let _ = sender.send(asked.provider.vote(&question));
        });
        Some(receiver)
    }
}

/// Counts a question as open until it is answered, even where the provider panics.
struct Open<'a>(&'a AtomicUsize);

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}
