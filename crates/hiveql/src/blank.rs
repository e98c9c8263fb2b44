//! What counts as space around statements and commands.

use crate::lexer::scan::{block_comment, line_end};

/// Java's idea of space, by which Hive cuts commands into words.
pub(crate) const fn is_space(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\n' | '\u{B}' | '\u{C}' | '\r')
}

/// The first place from `start` on that is neither space nor in a comment. A block comment that does
/// not end is not skipped, nor is a hint.
pub(crate) fn skip_blank(bytes: &[u8], start: usize) -> usize {
    let mut position = start;
    loop {
        position = skip_space_and_line_comments(bytes, position);
        match bytes.get(position..).unwrap_or_default() {
            [b'/', b'*', b'+', ..] => return position,
            [b'/', b'*', ..] => match block_comment(bytes, position) {
                Some(comment) => position = comment.end,
                None => return position,
            },
            _ => return position,
        }
    }
}

/// As [`skip_blank`], but block comments are not skipped. Looks only at what it skips.
pub(crate) fn skip_space_and_line_comments(bytes: &[u8], start: usize) -> usize {
    let mut position = start;
    loop {
        match bytes.get(position..).unwrap_or_default() {
            [b' ' | b'\t' | b'\n' | 0xB | 0xC | b'\r', ..] => position += 1,
            [b'-', b'-', ..] => position = line_end(bytes, position),
            _ => return position,
        }
    }
}
