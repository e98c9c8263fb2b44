//! Some thousand records of the audit log together, and what tells whether any of them can be about a name.
//!
//! A group is kept once its records are: an index of each record by its names would cost more than the log itself, for
//! every row of it goes somewhere else. What no group covers yet is looked through, as is a gap that somebody left.

use crate::audit_block::Summary;
use crate::rows::{Kind, Value};

/// A group ends with the block that has it reach so many records.
pub const ENOUGH_RECORDS: usize = 4096;

/// Of a name that is not there one question in some three thousand looks through a group in vain.
const BITS_A_KEY: usize = 16;
const PROBES: u64 = 8;

/// What the names of a group's records leave behind: whichever they are, none of them is missed. Bits of a Bloom filter
/// (Bloom 1970) with two hashes (Kirsch and Mitzenmacher 2006).
pub struct Names(Vec<u8>);

impl Names {
    /// Of keys in any order, some of them several times.
    pub fn of(mut keys: Vec<i64>) -> Self {
        keys.sort_unstable();
        keys.dedup();
        let mut bytes = vec![0_u8; (keys.len() * BITS_A_KEY).div_ceil(8)];
        for key in keys {
            for bit in bits(key, bytes.len()) {
                if let Some(byte) = bytes.get_mut(bit / 8) {
                    *byte |= 1 << (bit % 8);
                }
            }
        }
        Self(bytes)
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Can a key be among those that left these bytes?
pub fn may_hold(names: &[u8], key: i64) -> bool {
    !names.is_empty()
        && bits(key, names.len()).all(|bit| names.get(bit / 8).is_some_and(|byte| byte & 1 << (bit % 8) != 0))
}

/// The places of a key among the bits of so many bytes.
fn bits(key: i64, bytes: usize) -> impl Iterator<Item = usize> {
    let key = key.cast_unsigned();
    let count = (bytes as u64).saturating_mul(8).max(1);
    let (first, step) = (key, key.rotate_left(32) | 1);
    (0..PROBES).map(move |probe| {
        let place = first.wrapping_add(step.wrapping_mul(probe)) % count;
        usize::try_from(place).unwrap_or_default()
    })
}

/// A group to which blocks are added.
pub struct Open {
    summary: Summary,
    keys: Vec<i64>,
}

/// A group as its row has it.
pub struct Group {
    pub summary: Summary,
    pub names: Names,
}

impl Open {
    /// One that starts with the record at a place.
    pub const fn from(oldest: i64) -> Self {
        Self { summary: Summary::from(oldest), keys: Vec::new() }
    }

    /// Adds the next block; the group, where it is whole with it.
    pub fn add(&mut self, block: &Summary, keys: &[i64]) -> Option<Group> {
        self.summary.add_all(block);
        self.keys.extend_from_slice(keys);
        if self.summary.count() < ENOUGH_RECORDS {
            return None;
        }
        let next = Self::from(self.summary.newest.saturating_add(1));
        let whole = std::mem::replace(self, next);
        Some(Group { summary: whole.summary, names: Names::of(whole.keys) })
    }
}

impl Group {
    pub const KINDS: &'static [Kind] = Summary::kinds_with(1);

    pub fn values(&self) -> [Value<'_>; 7] {
        let [newest, oldest, earliest, latest, kinds, verdicts] = self.summary.values();
        [newest, oldest, earliest, latest, kinds, verdicts, Value::Bytes(self.names.as_bytes())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checksum;

    fn keys(range: std::ops::Range<u32>) -> Vec<i64> {
        range.map(|number| checksum::of_name(&format!("db.table_{number}"))).collect()
    }

    #[test]
    fn no_name_is_missed_and_few_are_taken_for_others() {
        for count in [1, 7, 100, 4000] {
            let names = Names::of(keys(0..count));
            assert!(keys(0..count).into_iter().all(|key| may_hold(names.as_bytes(), key)));
            let others = keys(10_000_000..10_030_000);
            let taken = others.into_iter().filter(|key| may_hold(names.as_bytes(), *key)).count();
            assert!(taken < 60 || count < 100, "{taken} of 30000 among {count}");
        }
        assert!(!may_hold(Names::of(Vec::new()).as_bytes(), 1));
    }

    /// Groups that are kept were made like this.
    #[test]
    fn the_bits_never_change() {
        let names = Names::of(keys(0..3));
        let bits: Vec<String> = names.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(bits.concat(), PINNED);
    }

    const PINNED: &str = "71ae95621cc3";
}
