//! Tokens that start with a digit: numbers, and names such as `1a`.

use super::scan::word_end;
use crate::token::TokenKind;

/// The token that starts with the digit at `start`, and where it ends.
pub(super) fn scan(bytes: &[u8], start: usize) -> (TokenKind, usize) {
    let digits = digits_end(bytes, start);
    match bytes.get(digits) {
        Some(b'.') => decimal(bytes, digits_end(bytes, digits + 1)),
        Some(b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80..) => word(bytes, start, digits),
        _ => (TokenKind::Integer, digits),
    }
}

/// Goes on after the digits on both sides of a point.
fn decimal(bytes: &[u8], end: usize) -> (TokenKind, usize) {
    if !matches!(bytes.get(end), Some(b'e' | b'E')) {
        return suffix(bytes, end);
    }
    match exponent_end(bytes, end) {
        Some(end) => suffix(bytes, end),
        None => (TokenKind::Unknown, word_end(bytes, end)),
    }
}

/// The end of the exponent whose `e` is at `start`.
fn exponent_end(bytes: &[u8], start: usize) -> Option<usize> {
    let first = match bytes.get(start + 1) {
        Some(b'+' | b'-') => start + 2,
        _ => start + 1,
    };
    let end = digits_end(bytes, first);
    (end > first).then_some(end)
}

/// What may follow a number with a point or a signed exponent: `D`, `BD`, or the next token. After a
/// `B`, Hive insists on a `D`.
fn suffix(bytes: &[u8], end: usize) -> (TokenKind, usize) {
    match (bytes.get(end), bytes.get(end + 1)) {
        (Some(b'd' | b'D'), _) => (TokenKind::DecimalSuffixed, end + 1),
        (Some(b'b' | b'B'), Some(b'd' | b'D')) => (TokenKind::DecimalSuffixed, end + 2),
        (Some(b'b' | b'B'), _) => (TokenKind::Unknown, end + 1),
        _ => (TokenKind::Decimal, end),
    }
}

/// Digits up to `digits` that go on as a word: a number only if the whole word is one.
fn word(bytes: &[u8], start: usize, digits: usize) -> (TokenKind, usize) {
    let end = word_end(bytes, digits);
    let kind = match bytes.get(digits..end).unwrap_or_default() {
        [] => TokenKind::Integer,
        [b'l' | b'L' | b's' | b'S' | b'y' | b'Y'] | [0xC5, 0xBF] => TokenKind::IntegerSuffixed,
        [b'd' | b'D'] | [b'b' | b'B', b'd' | b'D'] => TokenKind::DecimalSuffixed,
        [b'b' | b'B' | b'k' | b'K' | b'm' | b'M' | b'g' | b'G'] => TokenKind::ByteLength,
        [b'e' | b'E'] if matches!(bytes.get(end), Some(b'+' | b'-')) => return decimal(bytes, digits),
        [b'e' | b'E', exponent @ ..] => unsigned_exponent(exponent),
        [b'x' | b'X', hexadecimal @ ..] if is_hexadecimal(bytes, start, digits, hexadecimal) => {
            TokenKind::CharSetLiteral
        }
        _ => TokenKind::Identifier,
    };
    (kind, end)
}

fn unsigned_exponent(text: &[u8]) -> TokenKind {
    let digits = digits_end(text, 0);
    match text.get(digits..).unwrap_or_default() {
        _ if digits == 0 => TokenKind::Identifier,
        [] => TokenKind::Decimal,
        [b'd' | b'D'] | [b'b' | b'B', b'd' | b'D'] => TokenKind::DecimalSuffixed,
        _ => TokenKind::Identifier,
    }
}

fn is_hexadecimal(bytes: &[u8], start: usize, digits: usize, text: &[u8]) -> bool {
    bytes.get(start..digits) == Some(b"0") && !text.is_empty() && text.iter().all(u8::is_ascii_hexdigit)
}

fn digits_end(bytes: &[u8], start: usize) -> usize {
    let rest = bytes.get(start..).unwrap_or_default();
    start + rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
}
