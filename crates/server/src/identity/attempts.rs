//! How often somebody was wrong about a password: after some times they have to wait, each time twice as long.

use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// So many mistakes are free.
const FREE: u32 = 5;
const FIRST_WAIT: Duration = Duration::from_secs(1);
const LONGEST_WAIT: Duration = Duration::from_secs(900);
/// Forgotten after so long without another mistake.
const REMEMBERED: Duration = Duration::from_secs(3600);
/// So many names and addresses are remembered; where there are more, those that were wrong last are.
const MOST: usize = 20_000;

/// So many failures are put on record in a row; then one in so long.
const MOST_RECORDS: u32 = 60;
const RECORD_EVERY: Duration = Duration::from_secs(10);

/// Mistakes, by the name of an account and by the address that they came from.
#[derive(Debug, Default)]
pub struct Attempts {
    mistakes: Mutex<FxHashMap<Who, Mistakes>>,
    on_record: Mutex<OnRecord>,
}

/// How many failures may go on record: whoever tries passwords must not be able to fill the audit log.
#[derive(Debug, Default)]
struct OnRecord {
    /// Records made that are not made up for by time yet.
    used: u32,
    since: Option<Instant>,
    left_out: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Who {
    Account(SmolStr),
    Address(Option<IpAddr>),
}

#[derive(Debug, Clone, Copy)]
struct Mistakes {
    count: u32,
    last: Instant,
}

impl Mistakes {
    fn until(self) -> Option<Instant> {
        let doublings = self.count.checked_sub(FREE)?;
        let wait = FIRST_WAIT.saturating_mul(1_u32.checked_shl(doublings.min(20)).unwrap_or(u32::MAX));
        Some(self.last + wait.min(LONGEST_WAIT))
    }
}

impl Attempts {
    /// How long somebody has to wait before the next attempt; none where not at all.
    #[must_use]
    pub fn wait(&self, account: &str, address: Option<IpAddr>, now: Instant) -> Option<Duration> {
        let mistakes = self.mistakes.lock().unwrap_or_else(PoisonError::into_inner);
        let who = [Who::Account(SmolStr::new(account)), Who::Address(address)];
        let known = who.iter().filter_map(|who| mistakes.get(who)).filter_map(|found| found.until());
        known.max().map(|until| until.saturating_duration_since(now)).filter(|wait| !wait.is_zero())
    }

    /// An attempt is being made: it counts as a mistake until it was none, so that many at once are not free.
    pub fn begin(&self, account: &str, address: Option<IpAddr>, now: Instant) {
        let mut mistakes = self.mistakes.lock().unwrap_or_else(PoisonError::into_inner);
        if mistakes.len() >= MOST {
            forget(&mut mistakes, now);
        }
        for who in [Who::Account(SmolStr::new(account)), Who::Address(address)] {
            let found = mistakes.entry(who).or_insert(Mistakes { count: 0, last: now });
            if now.saturating_duration_since(found.last) >= REMEMBERED {
                found.count = 0;
            }
            *found = Mistakes { count: found.count.saturating_add(1), last: now };
        }
    }

    /// Is a failure to go on record? With how many before it did not.
    pub fn on_record(&self, now: Instant) -> Option<u64> {
        let mut record = self.on_record.lock().unwrap_or_else(PoisonError::into_inner);
        let since = *record.since.get_or_insert(now);
        let passed = now.saturating_duration_since(since).as_secs() / RECORD_EVERY.as_secs();
        if passed > 0 {
            record.used = record.used.saturating_sub(u32::try_from(passed).unwrap_or(u32::MAX));
            record.since = Some(now);
        }
        if record.used >= MOST_RECORDS {
            record.left_out += 1;
            return None;
        }
        record.used += 1;
        Some(std::mem::take(&mut record.left_out))
    }

    /// The password was right.
    pub fn succeed(&self, account: &str, address: Option<IpAddr>) {
        let mut mistakes = self.mistakes.lock().unwrap_or_else(PoisonError::into_inner);
        mistakes.remove(&Who::Account(SmolStr::new(account)));
        mistakes.remove(&Who::Address(address));
    }
}

/// Lets the older half go. To be forgotten so, somebody has to have thousands of passwords looked at, two at a time.
fn forget(mistakes: &mut FxHashMap<Who, Mistakes>, now: Instant) {
    let mut times: Vec<Instant> = mistakes.values().map(|found| found.last).collect();
    let middle = times.len() / 2;
    let (_, middle, _) = times.select_nth_unstable(middle);
    let middle = *middle;
    mistakes.retain(|_, found| found.last > middle && now.saturating_duration_since(found.last) < REMEMBERED);
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADDRESS: Option<IpAddr> = Some(IpAddr::V4(std::net::Ipv4Addr::LOCALHOST));

    #[test]
    fn mistakes_make_wait_ever_longer_and_success_ends_it() {
        let (attempts, now) = (Attempts::default(), Instant::now());
        for _ in 0..4 {
            attempts.begin("ann", ADDRESS, now);
        }
        assert_eq!(attempts.wait("ann", ADDRESS, now), None);
        attempts.begin("ann", ADDRESS, now);
        assert_eq!(attempts.wait("ann", ADDRESS, now), Some(FIRST_WAIT));
        attempts.begin("ann", ADDRESS, now);
        assert_eq!(attempts.wait("ann", ADDRESS, now), Some(FIRST_WAIT * 2));
        assert_eq!(attempts.wait("ann", ADDRESS, now + FIRST_WAIT * 2), None);
        for _ in 0..100 {
            attempts.begin("ann", ADDRESS, now);
        }
        assert_eq!(attempts.wait("ann", ADDRESS, now), Some(LONGEST_WAIT));
        attempts.succeed("ann", ADDRESS);
        assert_eq!(attempts.wait("ann", ADDRESS, now), None);
    }

    #[test]
    fn an_address_that_tries_many_names_waits_too_and_others_do_not() {
        let (attempts, now) = (Attempts::default(), Instant::now());
        for name in ["a", "b", "c", "d", "e"] {
            attempts.begin(name, ADDRESS, now);
        }
        assert_eq!(attempts.wait("f", ADDRESS, now), Some(FIRST_WAIT));
        assert_eq!(attempts.wait("f", None, now), None);
    }

    #[test]
    fn an_attacker_cannot_fill_the_audit_log() {
        let (attempts, now) = (Attempts::default(), Instant::now());
        let day = (0..86_400_u64).filter_map(|second| attempts.on_record(now + Duration::from_secs(second)));
        let left_out: Vec<u64> = day.collect();
        assert!(left_out.len() < 9_000, "{}", left_out.len());
        // None is left out without being counted, save the last few.
        let counted = left_out.len() as u64 + left_out.iter().sum::<u64>();
        assert!(counted > 86_400 - 20, "{counted}");
    }

    #[test]
    fn what_is_remembered_has_a_bound() {
        let (attempts, now) = (Attempts::default(), Instant::now());
        for name in 0..MOST * 2 {
            let address = IpAddr::from(u128::try_from(name).unwrap().to_be_bytes());
            attempts.begin(&name.to_string(), Some(address), now + Duration::from_millis(name as u64));
        }
        assert!(attempts.mistakes.lock().unwrap().len() <= MOST + 1);
        // Others sign in all the same.
        assert_eq!(attempts.wait("another", ADDRESS, now), None);
    }
}
