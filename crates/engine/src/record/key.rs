//! Keys of runs whose engine gave them none: the same statement of the same occasion has the same key, so that
//! recording it again changes nothing.

use guardbee_lineage::RunKey;
use guardbee_model::Timestamp;
use smol_str::{SmolStr, format_smolstr};

/// What the runs of one script or one line of a log have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyBase(u64);

impl KeyBase {
    /// `parts` are what tells the occasion from others: the script and its text, or the statement.
    #[must_use]
    pub fn new(time: Timestamp, user: &str, parts: &[&str]) -> Self {
        let mut hash = Fnv::new();
        hash.add(&time.0.to_le_bytes());
        for part in std::iter::once(&user).chain(parts) {
            hash.add(&(part.len() as u64).to_le_bytes());
            hash.add(part.as_bytes());
        }
        Self(hash.finish())
    }

    /// The key of one statement. Keys of one base are in the order of the statements, which is what orders runs
    /// that ended in the same millisecond.
    #[must_use]
    pub fn key(self, ordinal: u32) -> RunKey {
        RunKey(format_smolstr!("{:016x}-{ordinal:06}", self.0))
    }

    /// A name for the session that the statements ran in.
    #[must_use]
    pub fn session(self) -> SmolStr {
        format_smolstr!("{:016x}", self.0)
    }
}

/// FNV-1a with a last mixing step: the same on every machine and in every version, which the hashes of the
/// standard library do not promise.
struct Fnv(u64);

impl Fnv {
    const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    const fn finish(&self) -> u64 {
        let mut hash = self.0;
        hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        hash ^ (hash >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_the_same_for_ever_and_in_the_order_of_the_statements() {
        let base = KeyBase::new(Timestamp(1_000), "etl", &["load.sql", "SELECT 1"]);
        assert_eq!(base, KeyBase::new(Timestamp(1_000), "etl", &["load.sql", "SELECT 1"]));
        assert_ne!(base, KeyBase::new(Timestamp(1_000), "etl", &["load.sqlS", "ELECT 1"]));
        assert_ne!(base, KeyBase::new(Timestamp(1_001), "etl", &["load.sql", "SELECT 1"]));
        assert!(base.key(9) < base.key(10));
    }
}
