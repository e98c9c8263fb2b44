//! Parquet files, written row group by row group: what a table of records needs of the format, and no more.
//!
//! Values are plain, levels are runs, pages are packed by Snappy; each column of a row group is one page. The format is
//! described at <https://parquet.apache.org/docs/file-format/>. Knows nothing of what is in the columns.

mod column;
mod thrift;

use std::io::{self, Write};

use column::{Chunk, Page};
pub use column::{Column, Kind};
use thrift::{Element, Struct};

/// Before and behind everything else.
const MAGIC: &[u8] = b"PAR1";

const CREATED_BY: &str = concat!("guardbee ", env!("CARGO_PKG_VERSION"));

/// A node of the schema, as the format lists them: each before its children.
#[derive(Debug, Clone, Copy)]
pub enum Field {
    Leaf {
        name: &'static str,
        kind: Kind,
        repetition: Repetition,
    },
    /// A list of what the next field is.
    List {
        name: &'static str,
    },
    /// A record of the next fields.
    Group {
        name: &'static str,
        children: i32,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repetition {
    Required = 0,
    Optional = 1,
    Repeated = 2,
}

/// Writes a file. Rows are put into columns outside; a [`group`](Self::group) of them is written at once and forgotten.
pub struct Writer<W> {
    out: W,
    offset: i64,
    rows: i64,
    groups: Vec<Group>,
}

struct Group {
    chunks: Vec<Chunk>,
    rows: i64,
}

impl<W: Write> Writer<W> {
    /// # Errors
    /// What keeps it from being written, as with all of this.
    pub fn new(mut out: W) -> io::Result<Self> {
        out.write_all(MAGIC)?;
        Ok(Self { out, offset: 4, rows: 0, groups: Vec::new() })
    }

    /// Writes rows, and empties the columns for the next.
    pub fn group(&mut self, columns: &mut [Column], rows: usize) -> io::Result<()> {
        let mut chunks = Vec::with_capacity(columns.len());
        for column in columns {
            let Page { bytes, mut chunk } = column.page()?;
            chunk.offset = self.offset;
            self.out.write_all(&bytes)?;
            self.offset += length(bytes.len())?;
            chunks.push(chunk);
            column.clear();
        }
        let rows = length(rows)?;
        self.rows += rows;
        self.groups.push(Group { chunks, rows });
        Ok(())
    }

    /// Writes what tells where everything is, and hands back where it was written to.
    pub fn finish(mut self, fields: &[Field], columns: &[Column]) -> io::Result<W> {
        let footer = self.footer(fields, columns);
        self.out.write_all(&footer)?;
        let size = u32::try_from(footer.len()).map_err(|_| too_large())?;
        self.out.write_all(&size.to_le_bytes())?;
        self.out.write_all(MAGIC)?;
        Ok(self.out)
    }

    fn footer(&self, fields: &[Field], columns: &[Column]) -> Vec<u8> {
        let mut file = Struct::new();
        file.int32(1, 1);
        file.list(2, Element::Struct, schema(fields));
        file.int64(3, self.rows);
        let groups = self.groups.iter().map(|group| {
            let mut out = Struct::new();
            let chunks = group.chunks.iter().zip(columns).map(|(chunk, column)| chunk.describe(column));
            out.list(1, Element::Struct, chunks.collect());
            out.int64(2, group.chunks.iter().map(|chunk| chunk.unpacked).sum());
            out.int64(3, group.rows);
            out.end()
        });
        file.list(4, Element::Struct, groups.collect());
        file.text(6, CREATED_BY);
        file.end()
    }
}

fn length(length: usize) -> io::Result<i64> {
    i64::try_from(length).map_err(|_| too_large())
}

fn too_large() -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, "there is too much for one file")
}

/// A list is three nodes: what it is called, what repeats, and what an element is.
fn schema(fields: &[Field]) -> Vec<Vec<u8>> {
    const UTF8: i32 = 0;
    const LIST: i32 = 3;
    const TIMESTAMP_MILLIS: i32 = 9;
    let is_inner = |place: usize| matches!(fields.get(place.wrapping_sub(1)), Some(Field::List { .. }));
    let group = |name: &str, repetition: Repetition, children: i32, converted: Option<i32>| {
        let mut out = Struct::new();
        out.int32(3, repetition as i32);
        out.text(4, name);
        out.int32(5, children);
        if let Some(converted) = converted {
            out.int32(6, converted);
        }
        out.end()
    };
    let mut nodes = Vec::new();
    for (place, field) in fields.iter().enumerate() {
        match *field {
            Field::Leaf { name, kind, repetition } => {
                let mut out = Struct::new();
                out.int32(1, kind.physical());
                out.int32(3, repetition as i32);
                out.text(4, if is_inner(place) { "element" } else { name });
                match kind {
                    Kind::Text => out.int32(6, UTF8),
                    Kind::Time => out.int32(6, TIMESTAMP_MILLIS),
                    Kind::Number => {}
                }
                nodes.push(out.end());
            }
            Field::List { name } => {
                nodes.push(group(name, Repetition::Required, 1, Some(LIST)));
                nodes.push(group("list", Repetition::Repeated, 1, None));
            }
            Field::Group { name, children } => {
                nodes.push(group(
                    if is_inner(place) { "element" } else { name },
                    Repetition::Required,
                    children,
                    None,
                ));
            }
        }
    }
    nodes
}
