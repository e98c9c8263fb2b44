//! Saving a graph and reading it back: parts of bounded size, each with its checksum.
//!
//! A part is a head, numbers in little-endian order, and a checksum over both. The numbers are those of the flat arrays
//! themselves, so that to read is to copy. What is read is not believed: parts must be whole, of this format, in
//! order and complete, and all numbers must stay within what they count.

mod numbers;
mod sections;
mod sound;

use std::fmt;

use crate::base::Base;
use crate::graph::Graph;
use crate::text;
use crate::write::WriteAct;
use std::sync::Arc;

use sections::{Assembly, Section};

/// Says what it is, and which form of it.
const MAGIC: [u8; 4] = *b"GBLG";
const FORMAT: u32 = 1;
/// Bytes of numbers in a part, at most.
const PART: usize = 4 << 20;
/// Magic, format, section, place within the section, how many parts the section has.
const HEAD: usize = 20;
const CHECKSUM: usize = 8;

/// Why a saved graph cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadError {
    /// It was written in another form; whatever is saved can be made again from the runs.
    Format { found: u32 },
    /// Bytes are not what was written.
    Damaged,
    /// Parts are missing, doubled or out of order.
    Incomplete,
}

impl LoadError {
    /// The stable name of the kind of error.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Format { .. } => "saved-graph-format",
            Self::Damaged => "saved-graph-damaged",
            Self::Incomplete => "saved-graph-incomplete",
        }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Format { found } => {
                write!(f, "the saved graph has format {found}, this program reads format {FORMAT}")
            }
            Self::Damaged => f.write_str("the saved graph is damaged"),
            Self::Incomplete => f.write_str("the saved graph is not complete"),
        }
    }
}

impl std::error::Error for LoadError {}

impl Graph {
    /// The graph as parts of a few megabytes, made one by one as they are asked for. What is not compacted yet is
    /// compacted for it.
    pub fn to_parts(&self) -> impl Iterator<Item = Vec<u8>> + Send + use<> {
        let base = self.compacted().base;
        let rows = Arc::new(sections::Rows::of(&base));
        (0..Section::COUNT).flat_map(move |section| {
            let (base, rows) = (Arc::clone(&base), Arc::clone(&rows));
            let size = sections::numbers_of(&base, &rows, section).byte_len();
            let count = size.div_ceil(PART).max(1);
            (0..count).map(move |place| {
                let mut part = Vec::with_capacity(HEAD + PART.min(size) + CHECKSUM);
                part.extend(MAGIC);
                for number in [FORMAT, section, place as u32, count as u32] {
                    part.extend(number.to_le_bytes());
                }
                sections::numbers_of(&base, &rows, section).write(place * PART, PART, &mut part);
                let checksum = text::hash(&part);
                part.extend(checksum.to_le_bytes());
                part
            })
        })
    }

    /// Reads parts back, in the order in which they were made.
    pub fn from_parts(parts: impl IntoIterator<Item = Vec<u8>>) -> Result<Self, LoadError> {
        let mut loading = Loading::default();
        for part in parts {
            loading.take(&part)?;
        }
        loading.finish()
    }
}

/// A graph on its way back, for whoever is handed its parts one by one.
#[derive(Default)]
pub struct Loading {
    assembly: Assembly,
    /// The section and the place within it that come next.
    next: (u32, u32),
}

impl Loading {
    /// Takes the next part. After an error there is nothing to finish.
    pub fn take(&mut self, part: &[u8]) -> Result<(), LoadError> {
        let (content, checksum) = part.split_last_chunk::<CHECKSUM>().ok_or(LoadError::Damaged)?;
        let (head, numbers) = content.split_at_checked(HEAD).ok_or(LoadError::Damaged)?;
        let (magic, fields) = head.split_first_chunk::<4>().ok_or(LoadError::Damaged)?;
        let (fields, _) = fields.as_chunks::<4>();
        let &[format, section, place, count] = fields else { return Err(LoadError::Damaged) };
        let [format, section, place, count] = [format, section, place, count].map(u32::from_le_bytes);
        if *magic != MAGIC {
            return Err(LoadError::Damaged);
        }
        if format != FORMAT {
            return Err(LoadError::Format { found: format });
        }
        if text::hash(content) != u64::from_le_bytes(*checksum) {
            return Err(LoadError::Damaged);
        }
        if (section, place) != self.next || place >= count {
            return Err(LoadError::Incomplete);
        }
        self.assembly.take(section, numbers)?;
        self.next = if place + 1 == count { (section + 1, 0) } else { (section, place + 1) };
        Ok(())
    }

    pub fn finish(self) -> Result<Graph, LoadError> {
        if self.next != (Section::COUNT, 0) {
            return Err(LoadError::Incomplete);
        }
        let mut base: Base = self.assembly.finish()?;
        if !sound::is_sound(&base) {
            return Err(LoadError::Damaged);
        }
        base.unversioned_of = base.writes.by_dataset(base.datasets.len(), |act| !act.is_version());
        base.defined = base.writes.having(WriteAct::Define, base.datasets.len());
        base.located = base.writes.having(WriteAct::Locate, base.datasets.len());
        Ok(Graph { base: Arc::new(base), ..Graph::default() })
    }
}
