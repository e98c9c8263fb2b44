//! Sums that tell whether rows are what was written. SQLite finds torn pages by their shape only: a flipped
//! bit in a row would change who may do what, and a lost row could be a denial.

use crate::rows::{Table, Value};

/// Of a row. The sum of these over the rows of a version is the version's.
pub fn of_row(table: Table, values: &[Value<'_>]) -> i64 {
    of(table as u64, values)
}

/// Of the record of a version.
pub fn of_record(values: &[Value<'_>]) -> i64 {
    of(u64::MAX, values)
}

/// Of a run, and of what else is kept beside the policy.
pub fn of_kept(kept: Kept, values: &[Value<'_>]) -> i64 {
    of(u64::MAX - kept as u64, values)
}

/// Of a row of any table, as a backup has it.
pub fn of_copied(table: &str, values: &[Value<'_>]) -> i64 {
    of(of_name(table).cast_unsigned(), values)
}

/// What is kept beside the policy. The numbers never change; 5 was that of a table that is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Kept {
    Run = 1,
    Index = 2,
    IndexChunk = 3,
    Letter = 4,
    Account = 6,
    Token = 7,
}

/// By which a name is searched, whatever its length.
pub fn of_name(name: &str) -> i64 {
    of(0x006e_616d_6500, &[Value::Text(name)])
}

fn of(subject: u64, values: &[Value<'_>]) -> i64 {
    let mut sum = Sum(0x243f_6a88_85a3_08d3);
    sum.word(subject);
    for value in values {
        sum.value(*value);
    }
    sum.finish()
}

/// Takes eight bytes at a time. Every step can be undone, so that two rows that differ in one word never have the
/// same sum.
struct Sum(u64);

impl Sum {
    const fn word(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(29) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn value(&mut self, value: Value<'_>) {
        match value {
            Value::Null(_) => self.word(0),
            Value::Integer(number) => {
                self.word(1);
                self.word(number.cast_unsigned());
            }
            Value::Text(text) => {
                // No shorter text with the same bytes has this length.
                self.word(2 + text.len() as u64);
                self.bytes(text.as_bytes());
            }
            Value::Bytes(bytes) => {
                // Nor has any text.
                self.word(u64::MAX - bytes.len() as u64);
                self.bytes(bytes);
            }
        }
    }

    fn bytes(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|bytes| self.word(u64::from_le_bytes(*bytes)));
        self.word(rest.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)));
    }

    /// Adding sums up must not cancel out what rows differ in: one more round mixes all bits.
    const fn finish(self) -> i64 {
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (bits ^ (bits >> 31)).cast_signed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::Kind;

    #[test]
    fn rows_that_differ_anywhere_have_other_sums() {
        let rows: [&[Value<'_>]; 7] = [
            &[Value::Text("ab"), Value::Bytes(b"")],
            &[Value::Text("ab"), Value::Text("c")],
            &[Value::Text("a"), Value::Text("bc")],
            &[Value::Text("ab"), Value::Null(Kind::Text)],
            &[Value::Text("ab"), Value::Integer(0)],
            &[Value::Text("ab"), Value::Text("")],
            &[Value::Text("ab")],
        ];
        let mut sums: Vec<i64> = rows.iter().map(|row| of_row(Table::Roles, row)).collect();
        sums.push(of_row(Table::Tags, rows[0]));
        sums.sort_unstable();
        sums.dedup();
        assert_eq!(sums.len(), rows.len() + 1);
    }

    /// Stores are written with these sums: another one would make every store there is look damaged.
    #[test]
    fn the_sum_never_changes() {
        let row = [Value::Text("reader"), Value::Null(Kind::Text), Value::Integer(1_700_000_000_000)];
        assert_eq!(of_row(Table::Roles, &row), PINNED);
    }

    const PINNED: i64 = -4990639515809701958;

    #[test]
    fn nor_do_those_of_runs_and_names() {
        let row = [Value::Integer(1), Value::Bytes(b"0123456789")];
        assert_eq!(of_kept(Kept::Run, &row), PINNED_RUN);
        assert_eq!(of_name("sales.orders"), PINNED_NAME);
    }

    const PINNED_RUN: i64 = 5572326073867988120;
    const PINNED_NAME: i64 = -5042659668970728849;
}
