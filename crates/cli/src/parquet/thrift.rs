//! Structures in Thrift's compact protocol, as the headers and the footer of a Parquet file are written.
//!
//! <https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md>

/// What a list is of.
#[derive(Debug, Clone, Copy)]
pub enum Element {
    Int32 = 5,
    Text = 8,
    Struct = 12,
}

const INT32: u8 = 5;
const INT64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// A structure that is being written; fields come in the order of their numbers.
pub struct Struct {
    bytes: Vec<u8>,
    last: u8,
}

impl Struct {
    pub const fn new() -> Self {
        Self { bytes: Vec::new(), last: 0 }
    }

    pub fn int32(&mut self, field: u8, value: i32) {
        self.head(field, INT32);
        number(&mut self.bytes, zigzag(value.into()));
    }

    pub fn int64(&mut self, field: u8, value: i64) {
        self.head(field, INT64);
        number(&mut self.bytes, zigzag(value));
    }

    pub fn text(&mut self, field: u8, text: &str) {
        self.head(field, BINARY);
        self.bytes.extend(self::text(text));
    }

    pub fn structure(&mut self, field: u8, inner: &[u8]) {
        self.head(field, STRUCT);
        self.bytes.extend(inner);
    }

    /// Elements as [`int32`], [`text`] or [`end`](Self::end) give them.
    pub fn list(&mut self, field: u8, element: Element, elements: Vec<Vec<u8>>) {
        self.head(field, LIST);
        match u8::try_from(elements.len()) {
            Ok(count @ 0..15) => self.bytes.push(count << 4 | element as u8),
            _ => {
                self.bytes.push(0xf0 | element as u8);
                number(&mut self.bytes, elements.len() as u64);
            }
        }
        self.bytes.extend(elements.into_iter().flatten());
    }

    pub fn end(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }

    /// How far it is from the field before, and what it is; no structure of the format has a gap of more than fifteen.
    fn head(&mut self, field: u8, kind: u8) {
        self.bytes.push((field - self.last) << 4 | kind);
        self.last = field;
    }
}

/// An element of a list of numbers.
pub fn int32(value: i32) -> Vec<u8> {
    let mut bytes = Vec::new();
    number(&mut bytes, zigzag(value.into()));
    bytes
}

/// An element of a list of texts.
pub fn text(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    number(&mut bytes, text.len() as u64);
    bytes.extend(text.as_bytes());
    bytes
}

const fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)).cast_unsigned()
}

/// Seven bits a byte, the low ones first; the high bit says that there are more.
pub fn number(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    bytes.push(value.to_le_bytes()[0]);
}
