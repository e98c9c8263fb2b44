//! Where the pieces of a text end, over bytes alone.

use memchr::{memchr, memchr2};

/// Whether the byte goes on with a word: a letter, a digit or `_`.
const fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The end of the word that `start` lies in; `start` itself where no word goes on there.
pub(crate) fn word_end(bytes: &[u8], start: usize) -> usize {
    let mut position = start;
    while let Some(&byte) = bytes.get(position) {
        if WORD.get(byte as usize) == Some(&true) {
            position += 1;
        } else if byte >= 0x80 && folded_letter(bytes, position).is_some() {
            position += 2;
        } else {
            break;
        }
    }
    position
}

static WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut rest: &mut [bool] = &mut table;
    let mut byte = 0;
    while let Some((first, others)) = rest.split_first_mut() {
        *first = is_word_byte(byte);
        byte = byte.wrapping_add(1);
        rest = others;
    }
    table
};

/// Hive folds to upper case before it cuts, so two letters outside ASCII count as the letter they
/// fold to: the dotless i and the long s.
fn folded_letter(bytes: &[u8], position: usize) -> Option<u8> {
    match bytes.get(position..position + 2) {
        Some([0xC4, 0xB1]) => Some(b'I'),
        Some([0xC5, 0xBF]) => Some(b'S'),
        _ => None,
    }
}

/// The word with such letters replaced, if it is short enough to be a keyword.
pub(crate) fn fold(word: &[u8]) -> Option<Vec<u8>> {
    const LONGEST_KEYWORD_IN_BYTES: usize = 2 * 20;
    if word.len() > LONGEST_KEYWORD_IN_BYTES {
        return None;
    }
    let mut folded = Vec::with_capacity(word.len());
    let mut position = 0;
    while let Some(&byte) = word.get(position) {
        match folded_letter(word, position) {
            Some(letter) => {
                folded.push(letter);
                position += 2;
            }
            None => {
                folded.push(byte);
                position += 1;
            }
        }
    }
    Some(folded)
}

/// The end of the line that `start` lies in, without its line break.
pub(crate) fn line_end(bytes: &[u8], start: usize) -> usize {
    let rest = bytes.get(start..).unwrap_or_default();
    memchr2(b'\n', b'\r', rest).map_or(bytes.len(), |length| start + length)
}

pub(crate) struct BlockComment {
    pub(crate) end: usize,
    pub(crate) holds_another: bool,
}

/// The block comment that starts at `start`, if it ends. Comments nest.
pub(crate) fn block_comment(bytes: &[u8], start: usize) -> Option<BlockComment> {
    let mut depth = 1_usize;
    let mut holds_another = false;
    let mut position = start + 2;
    loop {
        position += memchr2(b'/', b'*', bytes.get(position..)?)?;
        match bytes.get(position..position + 2)? {
            b"/*" => {
                depth += 1;
                holds_another = true;
                position += 2;
            }
            b"*/" => {
                depth -= 1;
                position += 2;
                if depth == 0 {
                    return Some(BlockComment { end: position, holds_another });
                }
            }
            _ => position += 1,
        }
    }
}

/// The end of the string literal whose opening quote is at `start`. A backslash escapes any
/// character.
pub(crate) fn string_end(bytes: &[u8], start: usize) -> Option<usize> {
    let quote = *bytes.get(start)?;
    let mut position = start + 1;
    loop {
        position += memchr2(quote, b'\\', bytes.get(position..)?)?;
        if bytes.get(position) == Some(&quote) {
            return Some(position + 1);
        }
        position += 2;
    }
}

/// The end of the quoted name whose opening quote is at `start`. A doubled quote is part of the name.
pub(crate) fn quoted_end(bytes: &[u8], start: usize, quote: u8) -> Option<usize> {
    let mut position = start + 1;
    loop {
        position += memchr(quote, bytes.get(position..)?)?;
        if bytes.get(position + 1) != Some(&quote) {
            return Some(position + 1);
        }
        position += 2;
    }
}

/// The end of the regular expression in backticks that starts at `start`, if it is one.
pub(crate) fn regular_expression_end(bytes: &[u8], start: usize) -> Option<usize> {
    let inside = bytes.get(start + 1..)?;
    let length = inside.iter().position(|&byte| !is_regular_expression_byte(byte))?;
    (length > 0 && inside.get(length) == Some(&b'`')).then_some(start + length + 2)
}

const fn is_regular_expression_byte(byte: u8) -> bool {
    is_word_byte(byte)
        || matches!(
            byte,
            b'+' | b'*'
                | b'?'
                | b'-'
                | b'.'
                | b'('
                | b')'
                | b'['
                | b']'
                | b'{'
                | b'}'
                | b'^'
                | b'|'
                | b'$'
                | b'!'
        )
}

/// The end of the character set name that starts with the `_` at `start`.
pub(crate) fn character_set_name_end(bytes: &[u8], start: usize) -> usize {
    let mut position = start + 1;
    while let Some(&byte) = bytes.get(position) {
        if is_word_byte(byte) || matches!(byte, b'-' | b'.' | b':') {
            position += 1;
        } else if folded_letter(bytes, position).is_some() {
            position += 2;
        } else {
            break;
        }
    }
    position
}
