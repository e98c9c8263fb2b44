//! Backslash escapes in string literals.

use std::str::EncodeUtf16;

const BACKSLASH: u16 = b'\\' as u16;
const SINGLE_QUOTE: u16 = b'\'' as u16;
const DOUBLE_QUOTE: u16 = b'"' as u16;

/// The value of the literals in `raw`, one after the other. Works on UTF-16, as Hive does: whether an
/// escape counts as one depends on how many units are left.
pub(super) fn decode(raw: &str) -> String {
    let mut value = Utf16Text::with_capacity(raw.len());
    let mut units = raw.encode_utf16();
    let mut open_quote = None;
    while let Some(unit) = units.next() {
        match open_quote {
            None => open_quote = Some(unit).filter(|unit| matches!(*unit, SINGLE_QUOTE | DOUBLE_QUOTE)),
            Some(quote) if quote == unit => open_quote = None,
            Some(_) if unit == BACKSLASH => decode_escape(&mut units, &mut value),
            Some(_) => value.push(unit),
        }
    }
    value.finish()
}

/// Reads on after a backslash.
fn decode_escape(units: &mut EncodeUtf16<'_>, value: &mut Utf16Text) {
    let mut ahead = units.clone();
    let next: [Option<u16>; 6] = std::array::from_fn(|_| ahead.next());
    let consumed = match next {
        [Some(u), Some(a), Some(b), Some(c), Some(d), Some(_)] if u == u16::from(b'u') => {
            value.push(hexadecimal([a, b, c, d]));
            5
        }
        [Some(a), Some(b), Some(c), Some(_), ..] if is_octal([a, b, c]) => {
            value.push(octal([a, b, c]));
            3
        }
        [Some(unit), Some(_), ..] => {
            decode_simple(unit, value);
            1
        }
        _ => {
            value.push(BACKSLASH);
            0
        }
    };
    for _ in 0..consumed {
        units.next();
    }
}

/// Four digits. Hive lets anything pass as a digit and takes it for -1.
fn hexadecimal(digits: [u16; 4]) -> u16 {
    digits.into_iter().fold(0_u16, |code, unit| {
        let digit = char::from_u32(u32::from(unit)).and_then(|letter| letter.to_digit(16));
        match digit.and_then(|digit| u16::try_from(digit).ok()) {
            Some(digit) => (code << 4) | digit,
            None => (code << 4).wrapping_sub(1),
        }
    })
}

fn is_octal([a, b, c]: [u16; 3]) -> bool {
    let digit = |unit: u16, last: u8| (u16::from(b'0')..=u16::from(last)).contains(&unit);
    digit(a, b'1') && digit(b, b'7') && digit(c, b'7')
}

fn octal(digits: [u16; 3]) -> u16 {
    digits.into_iter().fold(0, |code, unit| (code << 3) | (unit & 7))
}

fn decode_simple(unit: u16, value: &mut Utf16Text) {
    let meant = match u8::try_from(unit) {
        Ok(b'0') => 0,
        Ok(b'b') => 0x08,
        Ok(b'n') => b'\n',
        Ok(b'r') => b'\r',
        Ok(b't') => b'\t',
        Ok(b'Z') => 0x1A,
        Ok(wildcard @ (b'%' | b'_')) => {
            // LIKE wants to see that these are escaped.
            value.push(BACKSLASH);
            wildcard
        }
        _ => return value.push(unit),
    };
    value.push(u16::from(meant));
}

/// Text that arrives in UTF-16 units. Halves of a character that do not meet are replaced.
struct Utf16Text {
    text: String,
    high: Option<u16>,
}

impl Utf16Text {
    fn with_capacity(bytes: usize) -> Self {
        Self { text: String::with_capacity(bytes), high: None }
    }

    fn push(&mut self, unit: u16) {
        let high = self.high.take();
        match (high, unit) {
            (Some(high), 0xDC00..=0xDFFF) => self.text.extend(char::decode_utf16([high, unit]).flatten()),
            (_, 0xD800..=0xDBFF) => {
                self.replace(high);
                self.high = Some(unit);
            }
            _ => {
                self.replace(high);
                let letter = char::from_u32(u32::from(unit));
                self.text.push(letter.unwrap_or(char::REPLACEMENT_CHARACTER));
            }
        }
    }

    fn replace(&mut self, half: Option<u16>) {
        if half.is_some() {
            self.text.push(char::REPLACEMENT_CHARACTER);
        }
    }

    fn finish(mut self) -> String {
        let high = self.high.take();
        self.replace(high);
        self.text
    }
}

/// A literal in single quotes that [`decode`] gives `value` for.
pub(super) fn encode(value: &str) -> String {
    let mut literal = String::with_capacity(value.len() + 2);
    literal.push('\'');
    for letter in value.chars() {
        match letter {
            '\\' => literal.push_str("\\\\"),
            '\'' => literal.push_str("\\'"),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\t' => literal.push_str("\\t"),
            '\u{8}' => literal.push_str("\\b"),
            '\u{1A}' => literal.push_str("\\Z"),
            // Not `\0`, which digits after it would make another escape.
            '\0' => literal.push_str("\\u0000"),
            _ => literal.push(letter),
        }
    }
    literal.push('\'');
    literal
}
