//! Since when what decides is no more known to be what is in the store.

use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// What is followed, and has to be current for a decision to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subject {
    Policy,
    Accounts,
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Policy => "policy",
            Self::Accounts => "accounts",
        })
    }
}

/// When each was last known to be current.
#[derive(Debug)]
pub(crate) struct Contact {
    policy: Mutex<Seen>,
    accounts: Mutex<Seen>,
}

#[derive(Debug, Clone, Copy)]
struct Seen {
    /// What was known then was what was there.
    current_at: Instant,
    is_lost: bool,
}

impl Contact {
    pub fn new() -> Self {
        let seen = Seen { current_at: Instant::now(), is_lost: false };
        Self { policy: Mutex::new(seen), accounts: Mutex::new(seen) }
    }

    /// A look that began at a moment has found what is there. Says whether it was lost before.
    pub fn found(&self, subject: Subject, current_at: Instant) -> bool {
        let mut seen = self.of(subject).lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *seen, Seen { current_at, is_lost: false }).is_lost
    }

    /// A look has found nothing. Says whether that is news.
    pub fn lost(&self, subject: Subject) -> bool {
        let mut seen = self.of(subject).lock().unwrap_or_else(PoisonError::into_inner);
        !std::mem::replace(&mut seen.is_lost, true)
    }

    /// How old what decides may be; none while the store is there.
    pub fn lost_for(&self) -> Option<Duration> {
        let of = |subject| {
            let seen = self.of(subject).lock().unwrap_or_else(PoisonError::into_inner);
            seen.is_lost.then(|| seen.current_at.elapsed())
        };
        of(Subject::Policy).max(of(Subject::Accounts))
    }

    /// The same in milliseconds.
    pub fn lost_for_ms(&self) -> Option<u64> {
        self.lost_for().map(|lost| u64::try_from(lost.as_millis()).unwrap_or(u64::MAX))
    }

    const fn of(&self, subject: Subject) -> &Mutex<Seen> {
        match subject {
            Subject::Policy => &self.policy,
            Subject::Accounts => &self.accounts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn what_is_known_is_as_old_as_the_last_look_that_found_it() {
        let contact = Contact::new();
        let begun = Instant::now();
        tokio::time::advance(SECOND).await;
        assert!(!contact.found(Subject::Policy, begun));
        assert_eq!(contact.lost_for(), None);
        tokio::time::advance(SECOND).await;
        assert!(contact.lost(Subject::Policy));
        assert!(!contact.lost(Subject::Policy));
        assert_eq!(contact.lost_for(), Some(2 * SECOND));
        // One that is there does not make up for the other.
        contact.found(Subject::Accounts, Instant::now());
        assert_eq!(contact.lost_for_ms(), Some(2000));
        assert!(contact.found(Subject::Policy, Instant::now()));
        assert_eq!(contact.lost_for(), None);
    }
}
