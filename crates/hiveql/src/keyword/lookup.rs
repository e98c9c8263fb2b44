//! The hash table from words to keywords. It is built at compile time; a look-up allocates nothing
//! and mostly touches one slot.

use guardbee_model::HiveVersion;

use super::Keyword;
use super::words::{ALL, COUNT, SPELLINGS};

/// Second spellings and the version they came with. Hive makes the same token of both.
const SECOND_SPELLINGS: [Slot; 12] = [
    Slot { spelling: "DAYS", keyword: Keyword::Day, since: HiveVersion::V2_3 },
    Slot { spelling: "DEC", keyword: Keyword::Decimal, since: HiveVersion::V3_1 },
    Slot { spelling: "DISABLED", keyword: Keyword::Disable, since: HiveVersion::V4_0 },
    Slot { spelling: "ENABLED", keyword: Keyword::Enable, since: HiveVersion::V4_0 },
    Slot { spelling: "HOURS", keyword: Keyword::Hour, since: HiveVersion::V2_3 },
    Slot { spelling: "INTEGER", keyword: Keyword::Int, since: HiveVersion::V2_3 },
    Slot { spelling: "MINUTES", keyword: Keyword::Minute, since: HiveVersion::V2_3 },
    Slot { spelling: "MONTHS", keyword: Keyword::Month, since: HiveVersion::V2_3 },
    Slot { spelling: "NUMERIC", keyword: Keyword::Decimal, since: HiveVersion::V3_1 },
    Slot { spelling: "SECONDS", keyword: Keyword::Second, since: HiveVersion::V2_3 },
    Slot { spelling: "WEEKS", keyword: Keyword::Week, since: HiveVersion::V2_3 },
    Slot { spelling: "YEARS", keyword: Keyword::Year, since: HiveVersion::V2_3 },
];

/// Five slots for each word, so that nearly every word that is no keyword hits an empty slot.
const SLOT_BITS: u32 = 11;
const SLOTS: usize = 1 << SLOT_BITS;

/// The length of `SET_CURRENT_SNAPSHOT`.
const LONGEST: usize = 20;

/// A spelling, the keyword it stands for, and the first version in which it does so.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    spelling: &'static str,
    pub(super) keyword: Keyword,
    pub(super) since: HiveVersion,
}

static TABLE: [Option<Slot>; SLOTS] = build_table();

pub(super) fn find(word: &[u8]) -> Option<Slot> {
    let mut position = slot_of(word)?;
    loop {
        let slot = TABLE.get(position).copied().flatten()?;
        if slot.spelling.as_bytes().eq_ignore_ascii_case(word) {
            return Some(slot);
        }
        position = (position + 1) % SLOTS;
    }
}

/// Where the search for `word` starts: the same for upper and lower case. Words shorter or longer
/// than any keyword have no slot.
const fn slot_of(word: &[u8]) -> Option<usize> {
    /// Clears the bit in which upper and lower case differ.
    const CASE: u64 = 0xDFDF_DFDF_DFDF_DFDF;
    if word.len() > LONGEST {
        return None;
    }
    let sample = match (word, word.first_chunk::<4>(), word.last_chunk::<4>()) {
        (_, Some([a, b, c, d]), Some([w, x, y, z])) => [*a, *b, *c, *d, *w, *x, *y, *z],
        ([a, b, c], ..) => [*a, *b, *c, 0, 0, 0, 0, 0],
        ([a, b], ..) => [*a, *b, 0, 0, 0, 0, 0, 0],
        _ => return None,
    };
    let sample = (u64::from_le_bytes(sample) & CASE).wrapping_add(word.len() as u64);
    Some((sample.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - SLOT_BITS)) as usize)
}

#[expect(clippy::indexing_slicing, reason = "runs at compile time, where a wrong index is a compile error")]
const fn build_table() -> [Option<Slot>; SLOTS] {
    let mut table = [None; SLOTS];
    let mut index = 0;
    while index < COUNT {
        let (spelling, keyword) = (SPELLINGS[index], ALL[index]);
        insert(&mut table, Slot { spelling, keyword, since: HiveVersion::V2_3 });
        index += 1;
    }
    index = 0;
    while index < SECOND_SPELLINGS.len() {
        insert(&mut table, SECOND_SPELLINGS[index]);
        index += 1;
    }
    table
}

#[expect(clippy::indexing_slicing, reason = "runs at compile time, where a wrong index is a compile error")]
#[expect(clippy::panic, reason = "runs at compile time: a word that does not fit is a compile error")]
const fn insert(table: &mut [Option<Slot>; SLOTS], slot: Slot) {
    let Some(mut position) = slot_of(slot.spelling.as_bytes()) else {
        panic!("a keyword is shorter or longer than the look-up allows");
    };
    while table[position].is_some() {
        position = (position + 1) % SLOTS;
    }
    table[position] = Some(slot);
}
