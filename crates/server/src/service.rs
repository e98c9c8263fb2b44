//! What all calls share: the engine, the graph, the store, who may call, and how much is under way.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use guardbee_engine::accounts::Permission;
use guardbee_engine::clock::{Clock as _, SystemClock};
use guardbee_engine::lineage::Lineage;
use guardbee_engine::store::Storage;
use guardbee_engine::{Engine, Session, Viewer};
use guardbee_policy::{Identity, Policy, Timestamp};
use guardbee_questions::DatasetIndex;
use smol_str::SmolStr;
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::contact::Contact;
use crate::endpoint::Work;
use crate::identity::{Accounts, Attempts, Caller, Passwords};
use crate::metrics::Metrics;
use crate::options::{Limits, TrustedProxy};
use crate::problem::Problem;
use crate::reports::Reports;
use crate::trail::Trail;

/// So many may sign in slowly at once.
const STRANGERS: usize = 256;
/// So many are asked about somebody's groups at once; each has a thread for as long as it takes.
const GROUP_QUESTIONS: usize = 64;

/// What all calls share.
pub(crate) struct Service {
    pub engine: Arc<Engine>,
    pub lineage: Arc<Lineage>,
    pub storage: Arc<dyn Storage>,
    pub accounts: Accounts,
    pub passwords: Passwords,
    pub attempts: Attempts,
    pub trail: Trail,
    pub reports: Reports,
    /// What datasets are found by.
    pub datasets: DatasetIndex,
    pub metrics: Metrics,
    pub options: ServiceOptions,
    pub contact: Contact,
    /// Where what takes long is answered, so that what is quick need not wait.
    pub long_work: tokio::runtime::Handle,
    pub places: Places,
    pub started_at: Instant,
    /// Where it listens.
    pub address: SocketAddr,
}

/// What of the options is needed for answers.
#[derive(Debug, Clone)]
pub(crate) struct ServiceOptions {
    pub limits: Limits,
    pub trusted_proxy: Option<TrustedProxy>,
    pub is_encrypted: bool,
    pub longest_without_store: Duration,
    pub write_policy: Option<fn(&Policy) -> String>,
}

/// Calls that may be under way at once.
pub(crate) struct Places {
    quick: Semaphore,
    long: Semaphore,
    /// Calls of which more has to arrive, from those who are known and from strangers.
    arriving: Semaphore,
    strangers: Semaphore,
    /// Questions about somebody's groups that are waited for.
    group_questions: Semaphore,
}

impl Service {
    pub fn now(&self) -> Timestamp {
        SystemClock.now()
    }

    /// A user, with the groups that the mapping knows.
    ///
    /// # Errors
    /// The problem of a mapping that cannot be asked.
    pub async fn identity_of(&self, user: &str) -> Result<Identity, Problem> {
        let identity = match self.engine.knows_groups_of(user) {
            true => self.engine.identity_of(user).map_err(|error| error.to_string()),
            false => self.asked_identity_of(user).await,
        };
        identity.map_err(|error| {
            let detail = format!("the groups of `{user}` cannot be told: {error}");
            Problem::busy("no-groups", detail, Duration::from_secs(5))
        })
    }

    /// The same where the mapping has to be waited for, which no thread does that answers others.
    async fn asked_identity_of(&self, user: &str) -> Result<Identity, String> {
        let (engine, name) = (self.engine.clone(), user.to_owned());
        let _place = self.places.group_questions.acquire().await.map_err(|error| error.to_string())?;
        let asked = tokio::task::spawn_blocking(move || engine.identity_of(&name));
        asked.await.map_err(|_| "the question broke off".to_owned())?.map_err(|error| error.to_string())
    }

    /// Whose eyes an answer is for: who looks after policy or tags, or reads for the audit, sees everything; others what
    /// they may know of in the warehouse.
    ///
    /// # Errors
    /// As [`identity_of`](Self::identity_of).
    pub async fn viewer(&self, caller: &Caller) -> Result<Viewer, Problem> {
        let sees_everything = [Permission::Auditor, Permission::Steward, Permission::PolicyEditor];
        match sees_everything.into_iter().any(|permission| caller.has(permission)) {
            true => Ok(Viewer::of_everything()),
            false => {
                let identity = self.identity_of(&caller.name).await?;
                Ok(Viewer::of(self.engine.policy().policy.clone(), &identity, self.now()))
            }
        }
    }

    /// A session of somebody whose groups are stated.
    pub fn session(&self, user: &str, groups: Vec<SmolStr>) -> Session {
        self.engine.session(Identity { groups, ..Identity::of_user(user) })
    }

    /// May decisions go on by what is known?
    ///
    /// # Errors
    /// The problem, where the store has been away for too long.
    pub fn admit_decisions(&self) -> Result<(), Problem> {
        match self.contact.lost_for() {
            Some(lost) if lost > self.options.longest_without_store => {
                Err(away(lost, "nothing is allowed by what was known then"))
            }
            _ => Ok(()),
        }
    }

    /// Can anything be changed?
    ///
    /// # Errors
    /// The problem, where the store is away.
    pub fn admit_changes(&self) -> Result<(), Problem> {
        match self.contact.lost_for() {
            Some(lost) => Err(away(lost, "nothing can be changed")),
            None => Ok(()),
        }
    }
}

fn away(lost: Duration, then: &str) -> Problem {
    let detail = format!("the store has been away for {} s: {then}", lost.as_secs());
    Problem::busy("store-away", detail, Duration::from_secs(1))
        .with_hint("`/health/ready` says what is wrong")
}

impl Places {
    pub fn new(limits: &Limits) -> Self {
        Self {
            quick: Semaphore::new(limits.quick_calls),
            long: Semaphore::new(limits.long_calls),
            arriving: Semaphore::new(limits.quick_calls),
            strangers: Semaphore::new(limits.quick_calls.min(STRANGERS)),
            group_questions: Semaphore::new(GROUP_QUESTIONS),
        }
    }

    /// A place for a call while it is answered.
    ///
    /// # Errors
    /// The problem of a call for which there is none.
    pub fn enter(&self, work: Work) -> Result<SemaphorePermit<'_>, Problem> {
        let places = match work {
            Work::Quick => &self.quick,
            Work::Long => &self.long,
        };
        place_in(places)
    }

    /// A place for a call while what is sent with it arrives.
    ///
    /// # Errors
    /// As [`enter`](Self::enter).
    pub fn receive(&self, is_known: bool) -> Result<SemaphorePermit<'_>, Problem> {
        place_in(if is_known { &self.arriving } else { &self.strangers })
    }
}

fn place_in(places: &Semaphore) -> Result<SemaphorePermit<'_>, Problem> {
    places.try_acquire().map_err(|_| {
        Problem::busy("too-much-to-do", "too many calls are being answered", Duration::from_secs(1))
    })
}
