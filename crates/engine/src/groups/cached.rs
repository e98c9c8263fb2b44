//! Groups that were asked for a moment ago.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use smol_str::SmolStr;

use super::{GroupError, GroupMapping};

/// An answer counts for so long.
const LASTS: Duration = Duration::from_secs(30);
/// So many users are known at most.
const MOST_USERS: usize = 10_000;

/// Asks another mapping, and remembers its answers for a while, so that not each question starts a process or goes over
/// the network. Whoever is put out of a group has it for that while.
///
/// Of questions about the same user that come at once one is asked, and the others wait for its answer. An error is told
/// to those who waited for it, and remembered for nobody else.
pub struct CachedGroups {
    mapping: Box<dyn GroupMapping>,
    lasts: Duration,
    most_users: usize,
    users: Mutex<HashMap<SmolStr, Arc<Slot>>>,
}

/// The answer about one user; held while it is asked for.
#[derive(Default)]
struct Slot {
    last: Mutex<Last>,
}

/// How the last question ended.
#[derive(Default)]
enum Last {
    #[default]
    Never,
    Answered(Answer),
    Failed {
        error: GroupError,
        ended_at: Instant,
    },
}

struct Answer {
    groups: Vec<SmolStr>,
    asked_at: Instant,
}

impl CachedGroups {
    #[must_use]
    pub fn new(mapping: Box<dyn GroupMapping>) -> Self {
        Self::lasting(mapping, LASTS, MOST_USERS)
    }

    /// The same with other bounds.
    #[must_use]
    pub fn lasting(mapping: Box<dyn GroupMapping>, lasts: Duration, most_users: usize) -> Self {
        Self { mapping, lasts, most_users: most_users.max(1), users: Mutex::default() }
    }

    fn slot(&self, user: &str) -> Arc<Slot> {
        let mut users = self.users.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = users.get(user) {
            return slot.clone();
        }
        if users.len() >= self.most_users {
            users.retain(|_, slot| slot.is_fresh(self.lasts));
        }
        if users.len() >= self.most_users {
            users.clear();
        }
        users.entry(SmolStr::new(user)).or_default().clone()
    }
}

impl Slot {
    /// One that is being asked for is.
    fn is_fresh(&self, lasts: Duration) -> bool {
        let Ok(last) = self.last.try_lock() else { return true };
        last.fresh(lasts).is_some()
    }
}

impl Last {
    fn fresh(&self, lasts: Duration) -> Option<&Vec<SmolStr>> {
        match self {
            Self::Answered(answer) if answer.asked_at.elapsed() < lasts => Some(&answer.groups),
            _ => None,
        }
    }
}

impl GroupMapping for CachedGroups {
    fn groups_of(&self, user: &str) -> Result<Vec<SmolStr>, GroupError> {
        let arrived_at = Instant::now();
        let slot = self.slot(user);
        let mut last = slot.last.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Last::Failed { error, ended_at } if *ended_at >= arrived_at => return Err(error.clone()),
            last => {
                if let Some(groups) = last.fresh(self.lasts) {
                    return Ok(groups.clone());
                }
            }
        }
        // What was true before the question counts from then on.
        let asked_at = Instant::now();
        *last = Last::Never;
        match self.mapping.groups_of(user) {
            Ok(groups) => {
                *last = Last::Answered(Answer { groups: groups.clone(), asked_at });
                Ok(groups)
            }
            Err(error) => {
                *last = Last::Failed { error: error.clone(), ended_at: Instant::now() };
                Err(error)
            }
        }
    }

    fn answers_at_once(&self, user: &str) -> bool {
        let users = self.users.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(slot) = users.get(user) else { return false };
        slot.last.try_lock().is_ok_and(|last| last.fresh(self.lasts).is_some())
    }

    fn is_only_group(&self, name: &str) -> bool {
        self.mapping.is_only_group(name)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    /// Counts how often it is asked; knows nothing of `nobody`.
    #[derive(Clone, Default)]
    struct Counting(Arc<AtomicUsize>);

    impl GroupMapping for Counting {
        fn groups_of(&self, user: &str) -> Result<Vec<SmolStr>, GroupError> {
            let count = self.0.fetch_add(1, Ordering::SeqCst) + 1;
            thread::sleep(Duration::from_millis(20));
            match user {
                "nobody" => Err(GroupError::Late { user: user.to_owned(), seconds: 1 }),
                _ => Ok(vec![SmolStr::new(format!("{user}-{count}"))]),
            }
        }
    }

    fn cached(lasts: Duration, most: usize) -> (CachedGroups, Arc<AtomicUsize>) {
        let counting = Counting::default();
        let count = counting.0.clone();
        (CachedGroups::lasting(Box::new(counting), lasts, most), count)
    }

    #[test]
    fn an_answer_counts_for_a_while() {
        let (groups, count) = cached(Duration::from_millis(200), 10);
        assert_eq!(groups.groups_of("ana").unwrap(), groups.groups_of("ana").unwrap());
        assert_eq!(count.load(Ordering::SeqCst), 1);
        thread::sleep(Duration::from_millis(250));
        assert_eq!(groups.groups_of("ana").unwrap(), ["ana-2"]);
    }

    #[test]
    fn errors_are_asked_for_anew_each_time() {
        let (groups, count) = cached(Duration::from_secs(60), 10);
        assert!(groups.groups_of("nobody").is_err());
        assert!(groups.groups_of("nobody").is_err());
        assert_eq!(count.load(Ordering::SeqCst), 2);
    }

    #[test]
    fn many_who_ask_at_once_are_one_question() {
        let (groups, count) = cached(Duration::from_secs(60), 10);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| assert_eq!(groups.groups_of("ana").unwrap(), ["ana-1"]));
            }
        });
        assert_eq!(count.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn who_waits_for_an_error_is_told_it() {
        let (groups, count) = cached(Duration::from_secs(60), 10);
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| assert!(groups.groups_of("nobody").is_err()));
            }
        });
        assert_eq!(count.load(Ordering::SeqCst), 1);
        assert!(groups.groups_of("nobody").is_err());
        assert_eq!(count.load(Ordering::SeqCst), 2, "who comes later asks anew");
    }

    #[test]
    fn what_is_fresh_is_answered_at_once() {
        let (groups, _) = cached(Duration::from_millis(200), 10);
        assert!(!groups.answers_at_once("ana"));
        groups.groups_of("ana").unwrap();
        assert!(groups.answers_at_once("ana"));
        thread::sleep(Duration::from_millis(250));
        assert!(!groups.answers_at_once("ana"));
    }

    #[test]
    fn no_more_users_are_known_than_the_bound() {
        let (groups, _) = cached(Duration::from_secs(60), 3);
        for user in ["a", "b", "c", "d", "e"] {
            groups.groups_of(user).unwrap();
            assert!(groups.users.lock().unwrap().len() <= 3);
        }
    }
}
