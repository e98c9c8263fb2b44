//! Names and values in SQL.

use std::io::{self, Read};

use super::scanner::Scanner;
use super::{Cell, Flavour, LONGEST_VALUE_BYTES, Unusable};

/// Names longer than this are cut.
const LONGEST_NAME_BYTES: usize = 256;

/// How the quotes of a string are written within it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Escapes {
    /// Doubled.
    Doubled,
    /// Doubled, or behind a backslash, as MySQL reads it.
    MySqlBackslash,
    /// Doubled, or behind a backslash, as PostgreSQL reads `E'...'`.
    PostgreSqlBackslash,
}

/// Bytes that are kept up to a length.
#[derive(Default)]
pub(super) struct Kept {
    bytes: Vec<u8>,
    is_too_long: bool,
}

impl Kept {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        if self.is_too_long || self.bytes.len().saturating_add(bytes.len()) > LONGEST_VALUE_BYTES {
            self.is_too_long = true;
            self.bytes = Vec::new();
        } else {
            self.bytes.extend_from_slice(bytes);
        }
    }

    pub(super) fn cell(self) -> Cell {
        if self.is_too_long {
            return Cell::Unusable(Unusable::TooLong);
        }
        match String::from_utf8(self.bytes) {
            Ok(text) if text.contains('\0') => Cell::Unusable(Unusable::Nul),
            Ok(text) => Cell::Text(text),
            Err(_) => Cell::Unusable(Unusable::NotUtf8),
        }
    }
}

/// Why a value or name could not be read to its end.
pub(super) enum Fault {
    /// The dump ends here.
    End,
    /// Something else was due.
    Expected(&'static str),
    Input(io::Error),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Input(error)
    }
}

pub(super) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0c | 0x0b)
}

/// May the byte stand in a word: a name without quotes, a keyword, a number?
pub(super) const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80 || byte == b'$'
}

/// Reads a string whose opening quote is next.
pub(super) fn string<R: Read>(scanner: &mut Scanner<R>, escapes: Escapes) -> Result<Kept, Fault> {
    let mut kept = Kept::default();
    quoted(scanner, escapes, &mut |bytes| kept.push(bytes))?;
    Ok(kept)
}

/// Passes a string or quoted name whose opening quote is next.
pub(super) fn skip_quoted<R: Read>(scanner: &mut Scanner<R>, escapes: Escapes) -> Result<(), Fault> {
    quoted(scanner, escapes, &mut |_| {})
}

fn quoted<R: Read>(
    scanner: &mut Scanner<R>,
    escapes: Escapes,
    keep: &mut impl FnMut(&[u8]),
) -> Result<(), Fault> {
    let quote = scanner.next()?.ok_or(Fault::End)?;
    let has_backslash = escapes != Escapes::Doubled;
    loop {
        let is_special = |byte| byte == quote || (has_backslash && byte == b'\\');
        let found = scanner.pass_until(is_special, &mut *keep)?.ok_or(Fault::End)?;
        scanner.next()?;
        if found != quote {
            escape(scanner, escapes, keep)?;
        } else if scanner.peek()? == Some(quote) {
            scanner.next()?;
            keep(&[quote]);
        } else {
            return Ok(());
        }
    }
}

/// Reads what follows a backslash.
fn escape<R: Read>(
    scanner: &mut Scanner<R>,
    escapes: Escapes,
    keep: &mut impl FnMut(&[u8]),
) -> Result<(), Fault> {
    let byte = scanner.next()?.ok_or(Fault::End)?;
    match (byte, escapes) {
        (b'n', _) => keep(b"\n"),
        (b't', _) => keep(b"\t"),
        (b'r', _) => keep(b"\r"),
        (b'b', _) => keep(b"\x08"),
        (b'0', Escapes::MySqlBackslash) => keep(b"\0"),
        (b'Z', Escapes::MySqlBackslash) => keep(b"\x1a"),
        // MySQL keeps the backslash of these two: they matter to LIKE only.
        (b'%' | b'_', Escapes::MySqlBackslash) => keep(&[b'\\', byte]),
        (b'f', Escapes::PostgreSqlBackslash) => keep(b"\x0c"),
        (b'0'..=b'7', Escapes::PostgreSqlBackslash) => keep(&[number(scanner, byte, 8, 2)?]),
        (b'x', Escapes::PostgreSqlBackslash) => {
            let first = scanner.next()?.ok_or(Fault::End)?;
            keep(&[number(scanner, first, 16, 1)?]);
        }
        (b'u' | b'U', Escapes::PostgreSqlBackslash) => {
            let digits = if byte == b'u' { 4 } else { 8 };
            let mut code = 0_u32;
            for _ in 0..digits {
                let digit = scanner.next()?.ok_or(Fault::End)?;
                let digit = char::from(digit).to_digit(16).ok_or(Fault::Expected("a hexadecimal digit"))?;
                code = code << 4 | digit;
            }
            let character = char::from_u32(code).ok_or(Fault::Expected("a character"))?;
            keep(character.encode_utf8(&mut [0; 4]).as_bytes());
        }
        _ => keep(&[byte]),
    }
    Ok(())
}

/// A byte by its number in a base: the first digit was read, up to `more` follow.
pub(super) fn number<R: Read>(
    scanner: &mut Scanner<R>,
    first: u8,
    base: u32,
    more: u32,
) -> Result<u8, Fault> {
    let digit = |byte: u8| char::from(byte).to_digit(base);
    let mut value = digit(first).ok_or(Fault::Expected("a digit"))?;
    for _ in 0..more {
        let Some(next) = scanner.peek()?.and_then(digit) else { break };
        scanner.next()?;
        value = value * base + next;
    }
    // PostgreSQL drops what is too much, too.
    Ok(u8::try_from(value & 0xff).unwrap_or_default())
}

/// Reads a word; empty where none is next.
pub(super) fn word<R: Read>(scanner: &mut Scanner<R>) -> io::Result<String> {
    let mut bytes = Vec::new();
    scanner.pass_until(
        |byte| !is_word(byte),
        |passed| {
            let room = LONGEST_NAME_BYTES.saturating_sub(bytes.len());
            bytes.extend(passed.iter().take(room));
        },
    )?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Reads one name, quoted or not.
pub(super) fn name<R: Read>(scanner: &mut Scanner<R>) -> Result<String, Fault> {
    match scanner.peek()?.ok_or(Fault::End)? {
        b'"' | b'`' => {
            let kept = string(scanner, Escapes::Doubled)?;
            let mut bytes = kept.bytes;
            bytes.truncate(LONGEST_NAME_BYTES);
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        }
        byte if is_word(byte) => Ok(word(scanner)?),
        _ => Err(Fault::Expected("a name")),
    }
}

/// Reads a value up to the `,` or `)` behind it.
pub(super) fn value<R: Read>(
    scanner: &mut Scanner<R>,
    flavour: Flavour,
    plain: Escapes,
) -> Result<Cell, Fault> {
    let cell = match scanner.peek()?.ok_or(Fault::End)? {
        b'\'' => string(scanner, plain)?.cell(),
        b'"' if flavour == Flavour::MySql => string(scanner, plain)?.cell(),
        b'+' | b'-' | b'.' => number_text(scanner)?,
        byte if is_word(byte) => {
            let word = word(scanner)?;
            word_value(scanner, &word, plain)?
        }
        b',' | b')' => return Err(Fault::Expected("a value")),
        _ => Cell::Unusable(Unusable::Expression),
    };
    let rest = rest_of_value(scanner, plain)?;
    Ok(if rest == Rest::Nothing { cell } else { Cell::Unusable(Unusable::Expression) })
}

fn number_text<R: Read>(scanner: &mut Scanner<R>) -> Result<Cell, Fault> {
    let mut kept = Kept::default();
    let is_number = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    scanner.pass_until(|byte| !is_number(byte), |passed| kept.push(passed))?;
    Ok(kept.cell())
}

/// A value that begins with a word: a constant of that name, a number, or a string with a prefix.
fn word_value<R: Read>(scanner: &mut Scanner<R>, word: &str, plain: Escapes) -> Result<Cell, Fault> {
    let is = |known: &str| word.eq_ignore_ascii_case(known);
    if is("null") {
        return Ok(Cell::Null);
    }
    if is("true") || is("false") {
        return Ok(Cell::Text(word.to_ascii_lowercase()));
    }
    if let Some(digits) = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
        return Ok(from_hexadecimal(digits.as_bytes()));
    }
    if word.starts_with(|first: char| first.is_ascii_digit()) {
        let Cell::Text(rest) = number_text(scanner)? else { return Ok(Cell::Unusable(Unusable::Expression)) };
        return Ok(Cell::Text(format!("{word}{rest}")));
    }
    // `_binary '...'`, `_utf8mb4 '...'`: MySQL's strings with their character set.
    if word.starts_with('_') {
        scanner.skip_until(|byte| !is_blank(byte))?;
    }
    if scanner.peek()? != Some(b'\'') {
        return Ok(Cell::Unusable(Unusable::Expression));
    }
    if is("x") {
        let digits = string(scanner, Escapes::Doubled)?;
        return Ok(if digits.is_too_long {
            Cell::Unusable(Unusable::TooLong)
        } else {
            from_hexadecimal(&digits.bytes)
        });
    }
    if is("e") {
        return Ok(string(scanner, Escapes::PostgreSqlBackslash)?.cell());
    }
    let text = string(scanner, plain)?;
    let is_plain = is("n") || word.starts_with('_') || is("b");
    Ok(if is_plain { text.cell() } else { Cell::Unusable(Unusable::Expression) })
}

fn from_hexadecimal(digits: &[u8]) -> Cell {
    let mut kept = Kept::default();
    let digit = |byte: u8| char::from(byte).to_digit(16);
    for pair in digits.chunks(2) {
        let [high, low] = *pair else { return Cell::Unusable(Unusable::Expression) };
        match (digit(high), digit(low)) {
            (Some(high), Some(low)) => kept.push(&[u8::try_from(high << 4 | low).unwrap_or_default()]),
            _ => return Cell::Unusable(Unusable::Expression),
        }
    }
    kept.cell()
}

/// What stands between a value and the `,` or `)` behind it.
#[derive(PartialEq, Eq)]
enum Rest {
    /// Nothing that changes it: blanks, or a cast `::type`.
    Nothing,
    Something,
}

fn rest_of_value<R: Read>(scanner: &mut Scanner<R>, plain: Escapes) -> Result<Rest, Fault> {
    let is_first_blank = scanner.skip_until(|byte| !is_blank(byte))?;
    if matches!(is_first_blank, Some(b',' | b')')) {
        return Ok(Rest::Nothing);
    }
    let rest = if scanner.starts_with(b"::")? { Rest::Nothing } else { Rest::Something };
    let mut depth = 0_u64;
    loop {
        let is_special = |byte| matches!(byte, b',' | b'(' | b')' | b'[' | b']' | b'\'' | b'"' | b'`' | b';');
        match scanner.skip_until(is_special)?.ok_or(Fault::End)? {
            b',' | b')' if depth == 0 => return Ok(rest),
            // No value has one: it is the end of a statement that lacks its bracket.
            b';' => return Err(Fault::Expected("`,` or `)`")),
            b'\'' | b'"' | b'`' => skip_quoted(scanner, plain)?,
            byte => {
                depth = match byte {
                    b'(' | b'[' => depth.saturating_add(1),
                    b')' | b']' => depth.saturating_sub(1),
                    _ => depth,
                };
                scanner.next()?;
            }
        }
    }
}
