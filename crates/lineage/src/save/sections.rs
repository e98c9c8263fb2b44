//! Which arrays a graph is saved as, and in which order.

use crate::adjacency::Adjacency;
use crate::base::{Base, BaseNodes, BaseRuns, BaseWrites};
use crate::lists::{Bits, Lists};
use crate::text::Texts;

use super::LoadError;
use super::numbers;

/// Numbers of one width.
pub(super) enum Numbers<'n> {
    Bytes(&'n [u8]),
    Shorts(&'n [u16]),
    Words(&'n [u32]),
    Longs(&'n [u64]),
    Moments(&'n [i64]),
}

impl Numbers<'_> {
    pub fn byte_len(&self) -> usize {
        match self {
            Self::Bytes(numbers) => numbers.len(),
            Self::Shorts(numbers) => numbers.len() * 2,
            Self::Words(numbers) => numbers.len() * 4,
            Self::Longs(numbers) => numbers.len() * 8,
            Self::Moments(numbers) => numbers.len() * 8,
        }
    }

    /// Writes so many bytes from a place on, as far as there are any; both fall between numbers.
    pub fn write(&self, from: usize, length: usize, part: &mut Vec<u8>) {
        fn range<T>(numbers: &[T], from: usize, length: usize) -> &[T] {
            let (start, count) = (from / size_of::<T>(), length / size_of::<T>());
            let end = numbers.len().min(start + count);
            numbers.get(start..end).unwrap_or_default()
        }
        match self {
            Self::Bytes(numbers) => part.extend_from_slice(range(numbers, from, length)),
            Self::Shorts(numbers) => {
                part.extend(range(numbers, from, length).iter().flat_map(|number| number.to_le_bytes()));
            }
            Self::Words(numbers) => {
                part.extend(range(numbers, from, length).iter().flat_map(|number| number.to_le_bytes()));
            }
            Self::Longs(numbers) => {
                part.extend(range(numbers, from, length).iter().flat_map(|number| number.to_le_bytes()));
            }
            Self::Moments(numbers) => {
                part.extend(range(numbers, from, length).iter().flat_map(|number| number.to_le_bytes()));
            }
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Width {
    Bytes,
    Shorts,
    Words,
    Longs,
    Moments,
}

pub(super) struct Section;

const TEXTS: [Width; 2] = [Width::Bytes, Width::Longs];
const LISTS: [Width; 2] = [Width::Words, Width::Words];
const ADJACENCY: [Width; 5] = [Width::Words, Width::Words, Width::Bytes, Width::Words, Width::Bytes];

/// The groups of arrays, in order: five tables of texts, runs, writes, nodes, four adjacencies, four kinds of lists, what
/// has ended, changes and timelines.
const WIDTHS: [&[Width]; 18] = [
    &TEXTS,
    &TEXTS,
    &TEXTS,
    &TEXTS,
    &TEXTS,
    &[Width::Moments, Width::Words],
    &[Width::Words, Width::Shorts, Width::Words, Width::Words, Width::Bytes],
    &[Width::Words, Width::Words, Width::Words],
    &ADJACENCY,
    &ADJACENCY,
    &ADJACENCY,
    &ADJACENCY,
    &LISTS,
    &LISTS,
    &LISTS,
    &LISTS,
    &[Width::Longs, Width::Longs],
    &[Width::Words, Width::Words],
];

impl Section {
    pub const COUNT: u32 = {
        let (mut count, mut group) = (0, WIDTHS.as_slice());
        while let [first, rest @ ..] = group {
            count += first.len() as u32;
            group = rest;
        }
        count
    };
}

/// What is not kept as numbers, as numbers.
pub(super) struct Rows {
    changes: Vec<u32>,
    timelines: Vec<u32>,
}

impl Rows {
    pub fn of(base: &Base) -> Self {
        Self {
            changes: numbers::of_changes(&base.changes),
            timelines: numbers::of_timelines(&base.timelines),
        }
    }
}

/// The numbers of a section.
pub(super) fn numbers_of<'n>(base: &'n Base, rows: &'n Rows, section: u32) -> Numbers<'n> {
    let mut place = section as usize;
    for (group, widths) in WIDTHS.iter().enumerate() {
        if place < widths.len() {
            return numbers_in(base, rows, group, place);
        }
        place -= widths.len();
    }
    Numbers::Bytes(&[])
}

fn numbers_in<'n>(base: &'n Base, rows: &'n Rows, group: usize, place: usize) -> Numbers<'n> {
    match group {
        0 => of_texts(&base.datasets, place),
        1 => of_texts(&base.columns, place),
        2 => of_texts(&base.scopes, place),
        3 => of_texts(&base.operations, place),
        4 => of_texts(&base.runs.keys, place),
        5 if place == 0 => Numbers::Moments(&base.runs.ended),
        5 => words(&base.runs.operations),
        6 => of_writes(&base.writes, place),
        7 => words(match place {
            0 => &base.nodes.firsts,
            1 => &base.nodes.datasets,
            _ => &base.nodes.columns,
        }),
        8 => of_adjacency(&base.columns_down, place),
        9 => of_adjacency(&base.columns_up, place),
        10 => of_adjacency(&base.datasets_down, place),
        11 => of_adjacency(&base.datasets_up, place),
        12 => of_lists(&base.writes_of, place),
        13 => of_lists(&base.reads_of, place),
        14 => of_lists(&base.bare_writes_of, place),
        15 => of_lists(&base.changes_of, place),
        16 => Numbers::Longs(if place == 0 { &base.ended.0 } else { &base.gone.0 }),
        _ if place == 0 => words(&rows.changes),
        _ => words(&rows.timelines),
    }
}

const fn words(numbers: &[u32]) -> Numbers<'_> {
    Numbers::Words(numbers)
}

fn of_texts(texts: &Texts, place: usize) -> Numbers<'_> {
    if place == 0 { Numbers::Bytes(texts.bytes.as_bytes()) } else { Numbers::Longs(&texts.ends) }
}

fn of_writes(writes: &BaseWrites, place: usize) -> Numbers<'_> {
    match place {
        0 => words(&writes.runs),
        1 => Numbers::Shorts(&writes.steps),
        2 => words(&writes.datasets),
        3 => words(&writes.scopes),
        _ => Numbers::Bytes(&writes.acts),
    }
}

fn of_adjacency(adjacency: &Adjacency, place: usize) -> Numbers<'_> {
    match place {
        0 => words(&adjacency.byte_starts),
        1 => words(&adjacency.edge_starts),
        2 => Numbers::Bytes(&adjacency.bytes),
        3 => words(&adjacency.writes),
        _ => Numbers::Bytes(&adjacency.marks),
    }
}

fn of_lists(lists: &Lists, place: usize) -> Numbers<'_> {
    words(if place == 0 { &lists.starts } else { &lists.items })
}

/// The arrays that were read until now.
#[derive(Default)]
pub(super) struct Assembly {
    bytes: Vec<Vec<u8>>,
    shorts: Vec<Vec<u16>>,
    words: Vec<Vec<u32>>,
    longs: Vec<Vec<u64>>,
    moments: Vec<Vec<i64>>,
    /// The section that was read last.
    section: Option<u32>,
}

impl Assembly {
    pub fn take(&mut self, section: u32, part: &[u8]) -> Result<(), LoadError> {
        let width = WIDTHS.iter().flat_map(|group| group.iter()).nth(section as usize);
        let is_new = self.section != Some(section);
        self.section = Some(section);
        match width.ok_or(LoadError::Damaged)? {
            Width::Bytes => extend(&mut self.bytes, is_new, part, |[byte]: [u8; 1]| byte),
            Width::Shorts => extend(&mut self.shorts, is_new, part, u16::from_le_bytes),
            Width::Words => extend(&mut self.words, is_new, part, u32::from_le_bytes),
            Width::Longs => extend(&mut self.longs, is_new, part, u64::from_le_bytes),
            Width::Moments => extend(&mut self.moments, is_new, part, i64::from_le_bytes),
        }
    }

    pub fn finish(self) -> Result<Base, LoadError> {
        let mut arrays = Arrays {
            bytes: self.bytes.into_iter(),
            shorts: self.shorts.into_iter(),
            words: self.words.into_iter(),
            longs: self.longs.into_iter(),
            moments: self.moments.into_iter(),
        };
        let (datasets, columns, scopes) = (arrays.texts()?, arrays.texts()?, arrays.texts()?);
        let (operations, keys) = (arrays.texts()?, arrays.texts()?);
        let runs = BaseRuns { keys, ended: arrays.moments()?, operations: arrays.words()? };
        let writes = BaseWrites {
            runs: arrays.words()?,
            steps: arrays.shorts()?,
            datasets: arrays.words()?,
            scopes: arrays.words()?,
            acts: arrays.bytes()?,
        };
        let nodes =
            BaseNodes { firsts: arrays.words()?, datasets: arrays.words()?, columns: arrays.words()? };
        let (columns_down, columns_up) = (arrays.adjacency()?, arrays.adjacency()?);
        let (datasets_down, datasets_up) = (arrays.adjacency()?, arrays.adjacency()?);
        let (writes_of, reads_of) = (arrays.lists()?, arrays.lists()?);
        let (bare_writes_of, changes_of) = (arrays.lists()?, arrays.lists()?);
        let (ended, gone) = (Bits(arrays.longs()?), Bits(arrays.longs()?));
        let changes = numbers::read_changes(&arrays.words()?).ok_or(LoadError::Damaged)?;
        let timelines =
            numbers::read_timelines(&arrays.words()?, datasets.len()).ok_or(LoadError::Damaged)?;
        Ok(Base {
            datasets,
            columns,
            scopes,
            operations,
            runs,
            writes,
            nodes,
            columns_down,
            columns_up,
            datasets_down,
            datasets_up,
            // Only sound numbers can be counted by.
            unversioned_of: Lists::default(),
            defined: Bits::default(),
            located: Bits::default(),
            writes_of,
            reads_of,
            bare_writes_of,
            changes,
            changes_of,
            timelines,
            ended,
            gone,
        })
    }
}

fn extend<T, const WIDTH: usize>(
    arrays: &mut Vec<Vec<T>>,
    is_new: bool,
    part: &[u8],
    read: impl Fn([u8; WIDTH]) -> T,
) -> Result<(), LoadError> {
    let (numbers, rest) = part.as_chunks::<WIDTH>();
    if !rest.is_empty() {
        return Err(LoadError::Damaged);
    }
    if is_new {
        arrays.push(Vec::new());
    }
    let array = arrays.last_mut().ok_or(LoadError::Damaged)?;
    array.extend(numbers.iter().map(|number| read(*number)));
    Ok(())
}

struct Arrays {
    bytes: std::vec::IntoIter<Vec<u8>>,
    shorts: std::vec::IntoIter<Vec<u16>>,
    words: std::vec::IntoIter<Vec<u32>>,
    longs: std::vec::IntoIter<Vec<u64>>,
    moments: std::vec::IntoIter<Vec<i64>>,
}

impl Arrays {
    fn bytes(&mut self) -> Result<Vec<u8>, LoadError> {
        self.bytes.next().ok_or(LoadError::Incomplete)
    }

    fn shorts(&mut self) -> Result<Vec<u16>, LoadError> {
        self.shorts.next().ok_or(LoadError::Incomplete)
    }

    fn words(&mut self) -> Result<Vec<u32>, LoadError> {
        self.words.next().ok_or(LoadError::Incomplete)
    }

    fn longs(&mut self) -> Result<Vec<u64>, LoadError> {
        self.longs.next().ok_or(LoadError::Incomplete)
    }

    fn moments(&mut self) -> Result<Vec<i64>, LoadError> {
        self.moments.next().ok_or(LoadError::Incomplete)
    }

    fn texts(&mut self) -> Result<Texts, LoadError> {
        let bytes = String::from_utf8(self.bytes()?).map_err(|_| LoadError::Damaged)?;
        Texts::of(bytes, self.longs()?).ok_or(LoadError::Damaged)
    }

    fn lists(&mut self) -> Result<Lists, LoadError> {
        Ok(Lists { starts: self.words()?, items: self.words()? })
    }

    fn adjacency(&mut self) -> Result<Adjacency, LoadError> {
        Ok(Adjacency {
            byte_starts: self.words()?,
            edge_starts: self.words()?,
            bytes: self.bytes()?,
            writes: self.words()?,
            marks: self.bytes()?,
        })
    }
}
