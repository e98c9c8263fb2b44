//! Records of the audit log that were written together, as the bytes of one row, and what that row says of them.
//!
//! A row is never changed. Its hash is the last record's, so that the chain goes from row to row.

use guardbee_engine::audit::{AuditFilter, AuditHash, AuditHead, AuditRecord, AuditSeq};
use guardbee_engine::store::StoreError;
use sha2::{Digest, Sha256};

use crate::audit_body::{self, Searched, kind_bit, verdict_bit};
use crate::encoding::{Decoder, Encoder};
use crate::rows::{Kind, Value};
use crate::runs::MOST_BYTES;

/// A block has so many records at most.
pub const MOST_RECORDS: usize = 4096;
/// And ends with the record that has it reach so many bytes.
const ENOUGH_BYTES: usize = 1 << 20;

/// The first byte of many records that are packed together. Of the logs that were brought along from a row a record a
/// row is one record, which starts with its own first byte.
const PACKED: u8 = 0x80;

/// What is said of some records together, to tell which cannot fit a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Summary {
    /// The places of the first and of the last.
    pub oldest: i64,
    pub newest: i64,
    /// The first and the last moment at which one was made.
    pub earliest: i64,
    pub latest: i64,
    /// A bit for each kind and verdict that there is.
    pub kinds: i64,
    pub verdicts: i64,
}

impl Summary {
    /// Of none, before the first is added.
    pub const fn from(oldest: i64) -> Self {
        Self {
            oldest,
            newest: oldest.saturating_sub(1),
            earliest: i64::MAX,
            latest: i64::MIN,
            kinds: 0,
            verdicts: 0,
        }
    }

    pub const fn count(&self) -> usize {
        self.newest.saturating_sub(self.oldest).saturating_add(1).cast_unsigned() as usize
    }

    /// Adds the next record.
    pub fn add(&mut self, Searched { at, kind, verdict }: Searched) {
        self.newest = self.newest.saturating_add(1);
        self.earliest = self.earliest.min(at);
        self.latest = self.latest.max(at);
        self.kinds |= kind;
        self.verdicts |= verdict;
    }

    /// Adds those that come behind.
    pub fn add_all(&mut self, behind: &Self) {
        self.newest = behind.newest;
        self.earliest = self.earliest.min(behind.earliest);
        self.latest = self.latest.max(behind.latest);
        self.kinds |= behind.kinds;
        self.verdicts |= behind.verdicts;
    }

    /// Can one of them fit, as far as this tells?
    pub fn may_fit(&self, filter: &AuditFilter) -> bool {
        filter.kind.is_none_or(|kind| self.kinds & kind_bit(kind) != 0)
            && filter.verdict.is_none_or(|verdict| self.verdicts & verdict_bit(verdict) != 0)
            && filter.from.is_none_or(|from| self.latest >= from.0)
            && filter.until.is_none_or(|until| self.earliest < until.0)
    }

    pub const fn values(&self) -> [Value<'static>; 6] {
        [
            Value::Integer(self.newest),
            Value::Integer(self.oldest),
            Value::Integer(self.earliest),
            Value::Integer(self.latest),
            Value::Integer(self.kinds),
            Value::Integer(self.verdicts),
        ]
    }

    pub const COLUMNS: usize = 6;

    /// Of a row that begins with it, and has so many columns of bytes behind it.
    pub const fn kinds_with(bytes: usize) -> &'static [Kind] {
        const ALL: [Kind; Summary::COLUMNS + 3] = {
            let mut all = [Kind::Bytes; Summary::COLUMNS + 3];
            let (numbers, _) = all.split_at_mut(Summary::COLUMNS);
            numbers.copy_from_slice(&[Kind::Integer; Summary::COLUMNS]);
            all
        };
        ALL.split_at(Self::COLUMNS + bytes).0
    }

    pub fn read(values: &[Value<'_>]) -> Option<Self> {
        let [
            Value::Integer(newest),
            Value::Integer(oldest),
            Value::Integer(earliest),
            Value::Integer(latest),
            Value::Integer(kinds),
            Value::Integer(verdicts),
        ] = *values
        else {
            return None;
        };
        Some(Self { oldest, newest, earliest, latest, kinds, verdicts })
    }
}

/// A row of the log.
pub struct Block {
    pub summary: Summary,
    pub body: Vec<u8>,
    /// Of the last record.
    pub hash: AuditHash,
    /// What the records are searched by, some of them several times.
    pub keys: Vec<i64>,
}

/// Links records to the end of a log, and packs them into as many rows as they need.
///
/// # Errors
/// Of a record that has too many bytes.
pub fn blocks(mut head: AuditHead, records: &[AuditRecord]) -> Result<Vec<Block>, StoreError> {
    let mut blocks = Vec::new();
    let mut records = records.iter().peekable();
    let (mut packed, mut encoder) = (Encoder::new(&[]), Encoder::new(&[]));
    while records.peek().is_some() {
        let mut summary = Summary::from(head.seq.0.saturating_add(1).cast_signed());
        let mut keys = Vec::new();
        packed.clear();
        while summary.count() < MOST_RECORDS
            && packed.as_bytes().len() < ENOUGH_BYTES
            && let Some(record) = records.next()
        {
            encoder.clear();
            audit_body::write(record, &mut encoder);
            let body = encoder.as_bytes();
            if body.len() > MOST_BYTES {
                let message = format!("a record of the audit log has more than {} MiB", MOST_BYTES >> 20);
                return Err(StoreError::Unstorable(message));
            }
            summary.add(Searched::of(record));
            audit_body::keys(record, &mut keys);
            head = AuditHead {
                seq: AuditSeq(summary.newest.cast_unsigned()),
                hash: hash(head.hash, summary.newest, body),
            };
            packed.bytes(body);
        }
        blocks.push(Block { summary, body: pack(packed.as_bytes()), hash: head.hash, keys });
    }
    Ok(blocks)
}

/// Links a record to the one before.
pub fn hash(before: AuditHash, seq: i64, body: &[u8]) -> AuditHash {
    let mut digest = Sha256::new();
    digest.update(before.0);
    digest.update(seq.to_le_bytes());
    digest.update(body);
    AuditHash(digest.finalize().into())
}

fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = Encoder::new(&[]);
    encoder.byte(PACKED);
    encoder.count(bytes.len());
    encoder.raw(&lz4_flex::block::compress(bytes));
    encoder.finish()
}

/// A row of the log as it is read.
pub struct BlockRow<'r> {
    pub summary: Summary,
    hash: &'r [u8],
    body: &'r [u8],
}

impl<'r> BlockRow<'r> {
    /// `None`: that is no row of the log.
    pub fn read(values: &[Value<'r>]) -> Option<Self> {
        let (summary, rest) = values.split_at_checked(Summary::COLUMNS)?;
        let [Value::Bytes(hash), Value::Bytes(body)] = *rest else { return None };
        Some(Self { summary: Summary::read(summary)?, hash, body })
    }

    /// `None`: its body is no body of a row.
    pub fn bodies(&self) -> Option<Bodies<'r>> {
        Bodies::unpack(self.body)
    }

    /// Hands over the place, bytes and hash of each record, which gives what is said of it. `before` is the hash of the
    /// record before the first; gives that of the last. `None`: it is not what was written.
    pub fn follow(
        &self,
        before: AuditHash,
        mut each: impl FnMut(i64, &[u8], AuditHash) -> Option<Searched>,
    ) -> Option<AuditHash> {
        let mut found = Summary::from(self.summary.oldest);
        let mut last = before;
        for body in self.bodies()?.each() {
            let (body, seq) = (body?, found.newest.saturating_add(1));
            last = hash(last, seq, body);
            found.add(each(seq, body, last)?);
        }
        (found == self.summary && last.0.as_slice() == self.hash).then_some(last)
    }
}

/// The bytes of the records of a row.
pub enum Bodies<'b> {
    One(&'b [u8]),
    Many(Vec<u8>),
}

impl<'b> Bodies<'b> {
    /// `None`: that is no body of a row.
    fn unpack(body: &'b [u8]) -> Option<Self> {
        let mut decoder = Decoder::new(body, &[]);
        if decoder.byte()? != PACKED {
            return (body.len() <= MOST_BYTES).then_some(Self::One(body));
        }
        let size = usize::try_from(decoder.number()?).ok()?;
        // Of a record of the largest size, its length, and what was there before.
        if size > MOST_BYTES + ENOUGH_BYTES + 16 {
            return None;
        }
        let bytes = lz4_flex::block::decompress(decoder.rest(), size).ok()?;
        (bytes.len() == size).then_some(Self::Many(bytes))
    }

    /// Those of each record, in their order. `None`: there is something else among them.
    pub fn each(&self) -> impl Iterator<Item = Option<&[u8]>> {
        let (one, many) = match self {
            Self::One(body) => (Some(*body), &[][..]),
            Self::Many(bytes) => (None, bytes.as_slice()),
        };
        let mut decoder = Decoder::new(many, &[]);
        one.map(Some).into_iter().chain(std::iter::from_fn(move || {
            if decoder.end().is_some() {
                return None;
            }
            let body = decoder.bytes();
            if body.is_none() {
                decoder = Decoder::new(&[], &[]);
            }
            Some(body)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_sample;
    use crate::sample::{Dice, spoil};

    /// Every log there is was linked like this.
    #[test]
    fn the_hash_never_changes() {
        let first = hash(AuditHash::default(), 1, b"record");
        assert_eq!(first.to_string(), PINNED);
        assert_ne!(hash(AuditHash::default(), 2, b"record"), first);
        assert_ne!(hash(first, 1, b"record"), first);
    }

    const PINNED: &str = "766ec0a8b81786ab61e838d3080575338cb7ed88dbd3c1545b04c01dc5ae7eae";

    fn unpacked(body: &[u8]) -> Option<Vec<AuditRecord>> {
        Bodies::unpack(body)?.each().map(|body| audit_body::read(body?)).collect()
    }

    #[test]
    fn records_come_back_from_their_blocks() {
        let mut dice = Dice::new(11);
        let records: Vec<AuditRecord> = (0..10_000).map(|_| run_sample::record(&mut dice)).collect();
        let blocks = blocks(AuditHead::default(), &records).expect("blocks");
        assert_eq!(blocks.iter().map(|block| block.summary.count()).collect::<Vec<_>>(), [4096, 4096, 1808]);
        let found: Vec<AuditRecord> =
            blocks.iter().flat_map(|block| unpacked(&block.body).expect("records")).collect();
        assert_eq!(found, records);
    }

    #[test]
    fn large_records_share_their_block_with_few() {
        let mut dice = Dice::new(12);
        let mut record = run_sample::record(&mut dice);
        record.statement = "x".repeat(300 << 10).into();
        let blocks = blocks(AuditHead::default(), &vec![record; 10]).expect("blocks");
        assert_eq!(blocks.iter().map(|block| block.summary.count()).collect::<Vec<_>>(), [4, 4, 2]);
    }

    #[test]
    fn bytes_may_be_anything() {
        let mut dice = Dice::new(13);
        let records: Vec<AuditRecord> = (0..30).map(|_| run_sample::record(&mut dice)).collect();
        let block = &blocks(AuditHead::default(), &records).expect("blocks")[0];
        let mut nothing = 0;
        for _ in 0..5_000 {
            let mut body = block.body.clone();
            spoil(&mut dice, &mut body);
            nothing += u32::from(unpacked(&body).is_none());
        }
        assert!(nothing > 2_000, "{nothing} of them were no records");
        assert!(Bodies::unpack(&[PACKED, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f, 0]).is_none());
    }
}
