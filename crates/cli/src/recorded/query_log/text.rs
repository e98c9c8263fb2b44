//! Bytes as they come, as text and lines of bounded length. What is no UTF-8 becomes U+FFFD, as Hive reads it.

use std::io::{self, BufRead};

use memchr::memchr;

use super::LONGEST_BYTES;

/// A line without its line break.
pub enum Line {
    Whole(String),
    /// The start of a line that is too long.
    Cut(String),
}

/// The next line, and how many bytes it took.
///
/// # Errors
/// What the system says.
pub fn next_line(source: &mut dyn BufRead) -> io::Result<Option<(Line, u64)>> {
    let mut bytes = Vec::new();
    let (mut taken, mut is_cut) = (0, false);
    loop {
        let found = source.fill_buf()?;
        if found.is_empty() {
            break;
        }
        let end = memchr(b'\n', found);
        let part = found.get(..end.unwrap_or(found.len())).unwrap_or_default();
        let room = LONGEST_BYTES - bytes.len();
        is_cut |= part.len() > room;
        bytes.extend_from_slice(part.get(..room).unwrap_or(part));
        let consumed = end.map_or(found.len(), |end| end + 1);
        source.consume(consumed);
        taken += consumed as u64;
        if end.is_some() {
            break;
        }
    }
    if taken == 0 {
        return Ok(None);
    }
    if bytes.last() == Some(&b'\r') && !is_cut {
        bytes.pop();
    }
    let text = crate::window::decoded(bytes);
    Ok(Some((if is_cut { Line::Cut(text) } else { Line::Whole(text) }, taken)))
}

/// Decodes bytes that come in parts.
#[derive(Debug, Default)]
pub struct Decoder {
    /// The start of a character whose rest is still to come.
    begun: Vec<u8>,
}

impl Decoder {
    pub fn add(&mut self, bytes: &[u8], text: &mut String) {
        let joined;
        let mut rest = if self.begun.is_empty() {
            bytes
        } else {
            joined = [self.begun.as_slice(), bytes].concat();
            self.begun.clear();
            &joined
        };
        loop {
            let error = match std::str::from_utf8(rest) {
                Ok(valid) => {
                    text.push_str(valid);
                    return;
                }
                Err(error) => error,
            };
            let (valid, behind) = rest.split_at(error.valid_up_to());
            text.push_str(std::str::from_utf8(valid).unwrap_or_default());
            let Some(length) = error.error_len() else {
                self.begun.extend_from_slice(behind);
                return;
            };
            text.push(char::REPLACEMENT_CHARACTER);
            rest = behind.get(length..).unwrap_or_default();
        }
    }

    /// Nothing comes any more.
    pub fn end(&mut self, text: &mut String) {
        if !self.begun.is_empty() {
            self.begun.clear();
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_decode_as_the_whole() {
        let bytes = b"a\xc3\xa4\xff\xe2\x82\xac\xe2\x82x\xf0\x9f\x90\x9d\xf0\x9f";
        for size in 1..bytes.len() {
            let (mut decoder, mut text) = (Decoder::default(), String::new());
            bytes.chunks(size).for_each(|part| decoder.add(part, &mut text));
            decoder.end(&mut text);
            assert_eq!(text, String::from_utf8_lossy(bytes), "by {size}");
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_cut_and_the_next_one_is_whole() {
        let mut source = vec![b'x'; LONGEST_BYTES + 7];
        source.extend_from_slice(b"\r\nnext\r\n");
        let mut source = source.as_slice();
        let Ok(Some((Line::Cut(cut), taken))) = next_line(&mut source) else { panic!("it is too long") };
        assert_eq!((cut.len(), taken), (LONGEST_BYTES, LONGEST_BYTES as u64 + 9));
        let Ok(Some((Line::Whole(line), _))) = next_line(&mut source) else { panic!("it is whole") };
        assert_eq!(line, "next");
        assert!(matches!(next_line(&mut source), Ok(None)));
    }
}
