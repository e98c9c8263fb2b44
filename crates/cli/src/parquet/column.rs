//! The values of a column on their way into a page.

use std::io;

use super::thrift::{Element, Struct, int32, number, text};

/// What the values of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Number,
    /// Milliseconds since 1970.
    Time,
    Text,
}

impl Kind {
    /// The format's number of how a value lies in the file.
    pub const fn physical(self) -> i32 {
        match self {
            Self::Number | Self::Time => 2,
            Self::Text => 6,
        }
    }
}

const PLAIN: i32 = 0;
const RUNS: i32 = 3;
const SNAPPY: i32 = 1;

/// A column of a row group. Where something may be absent or repeat, each value comes with how much of its path is
/// there, and at which list it goes on.
pub struct Column {
    /// Its name, and those of what it lies in.
    path: &'static [&'static str],
    kind: Kind,
    values: Vec<u8>,
    /// How much of the path is there, where that may differ.
    definition: Option<Levels>,
    /// Which list goes on, where there is one.
    repetition: Option<Levels>,
    count: usize,
}

/// Small numbers as runs of the same one.
#[derive(Default)]
struct Levels {
    bytes: Vec<u8>,
    level: u8,
    length: u64,
}

impl Levels {
    fn push(&mut self, level: u8) {
        if level != self.level {
            self.close();
            self.level = level;
        }
        self.length += 1;
    }

    fn close(&mut self) {
        if self.length > 0 {
            number(&mut self.bytes, self.length << 1);
            self.bytes.push(self.level);
            self.length = 0;
        }
    }
}

/// A page with its header, and what is to be told of it.
pub struct Page {
    pub bytes: Vec<u8>,
    pub chunk: Chunk,
}

pub struct Chunk {
    pub offset: i64,
    pub count: i64,
    pub packed: i64,
    pub unpacked: i64,
}

impl Column {
    /// One value a row.
    pub const fn required(path: &'static [&'static str], kind: Kind) -> Self {
        Self { path, kind, values: Vec::new(), definition: None, repetition: None, count: 0 }
    }

    /// One value a row, or none.
    pub fn optional(path: &'static [&'static str], kind: Kind) -> Self {
        Self { definition: Some(Levels::default()), ..Self::required(path, kind) }
    }

    /// A value in a list, or in a list of lists.
    pub fn repeated(path: &'static [&'static str], kind: Kind) -> Self {
        Self { repetition: Some(Levels::default()), ..Self::optional(path, kind) }
    }

    pub fn number(&mut self, value: i64) {
        self.values.extend(value.to_le_bytes());
        self.count += 1;
    }

    /// Texts of four gigabytes do not come this far.
    pub fn text(&mut self, value: &str) {
        let size = u32::try_from(value.len()).unwrap_or_default();
        let value = value.get(..size as usize).unwrap_or_default();
        self.values.extend(size.to_le_bytes());
        self.values.extend(value.as_bytes());
        self.count += 1;
    }

    /// That the next value is there, or with less than all that there is of its path: that it is not.
    pub fn levels(&mut self, definition: u8, repetition: u8) {
        if let Some(levels) = &mut self.definition {
            levels.push(definition);
        }
        if let Some(levels) = &mut self.repetition {
            levels.push(repetition);
        }
    }

    /// A place without a value.
    pub fn nothing(&mut self, definition: u8, repetition: u8) {
        self.levels(definition, repetition);
        self.count += 1;
    }

    /// How many bytes it holds.
    pub fn size(&self) -> usize {
        self.values.len()
    }

    pub fn clear(&mut self) {
        self.values.clear();
        self.count = 0;
        for levels in [&mut self.definition, &mut self.repetition].into_iter().flatten() {
            *levels = Levels::default();
        }
    }

    /// Levels come before the values, each kind behind its size.
    pub fn page(&mut self) -> io::Result<Page> {
        let size_of = |size: usize| i32::try_from(size).map_err(|_| super::too_large());
        let mut body = Vec::with_capacity(self.values.len());
        for levels in [&mut self.repetition, &mut self.definition].into_iter().flatten() {
            levels.close();
            body.extend(size_of(levels.bytes.len())?.to_le_bytes());
            body.extend(&levels.bytes);
        }
        body.extend(&self.values);
        let packed = snap::raw::Encoder::new().compress_vec(&body).map_err(io::Error::other)?;
        let mut page = Struct::new();
        page.int32(1, size_of(self.count)?);
        page.int32(2, PLAIN);
        page.int32(3, RUNS);
        page.int32(4, RUNS);
        let mut head = Struct::new();
        head.int32(1, 0);
        head.int32(2, size_of(body.len())?);
        head.int32(3, size_of(packed.len())?);
        head.structure(5, &page.end());
        let mut bytes = head.end();
        let unpacked = super::length(bytes.len() + body.len())?;
        bytes.extend(packed);
        let (count, packed) = (super::length(self.count)?, super::length(bytes.len())?);
        Ok(Page { bytes, chunk: Chunk { offset: 0, count, packed, unpacked } })
    }
}

impl Chunk {
    pub fn describe(&self, column: &Column) -> Vec<u8> {
        let mut data = Struct::new();
        data.int32(1, column.kind.physical());
        data.list(2, Element::Int32, [PLAIN, RUNS].map(int32).to_vec());
        data.list(3, Element::Text, column.path.iter().map(|name| text(name)).collect());
        data.int32(4, SNAPPY);
        data.int64(5, self.count);
        data.int64(6, self.unpacked);
        data.int64(7, self.packed);
        data.int64(9, self.offset);
        let mut chunk = Struct::new();
        chunk.int64(2, self.offset);
        chunk.structure(3, &data.end());
        chunk.end()
    }
}
