//! Literals with a character set: `_utf8 0x41`.

/// The value of the hexadecimal literal `raw` (`0x41`) in the character set `name` (`_utf8`).
///
/// `None` for a character set that is not known here and for an odd number of digits, which Hive
/// refuses, too.
#[must_use]
pub fn decode_character_set_literal(name: &str, raw: &str) -> Option<String> {
    let bytes = bytes(raw)?;
    match name.to_ascii_lowercase().strip_prefix('_')? {
        "utf8" | "utf-8" => Some(String::from_utf8_lossy(&bytes).into_owned()),
        "ascii" | "us-ascii" => Some(bytes.into_iter().map(ascii).collect()),
        "latin1" | "iso-8859-1" | "iso8859-1" | "iso8859_1" => {
            Some(bytes.into_iter().map(char::from).collect())
        }
        "utf16" | "utf-16" => Some(utf_16(&bytes)),
        "utf-16be" => Some(utf_16_with(&bytes, u16::from_be_bytes)),
        "utf-16le" => Some(utf_16_with(&bytes, u16::from_le_bytes)),
        _ => None,
    }
}

fn bytes(raw: &str) -> Option<Vec<u8>> {
    let digits = raw.strip_prefix("0x").or_else(|| raw.strip_prefix("0X"))?;
    let (pairs, []) = digits.as_bytes().as_chunks::<2>() else {
        return None;
    };
    pairs.iter().map(|[high, low]| Some((digit(*high)? << 4) | digit(*low)?)).collect()
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

fn ascii(byte: u8) -> char {
    if byte.is_ascii() { char::from(byte) } else { char::REPLACEMENT_CHARACTER }
}

/// Big endian unless a byte order mark says otherwise.
fn utf_16(bytes: &[u8]) -> String {
    match bytes {
        [0xFF, 0xFE, rest @ ..] => utf_16_with(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => utf_16_with(rest, u16::from_be_bytes),
        _ => utf_16_with(bytes, u16::from_be_bytes),
    }
}

fn utf_16_with(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let decoded = char::decode_utf16(pairs.iter().map(|pair| unit(*pair)));
    let mut text: String = decoded.map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    if !rest.is_empty() {
        text.push(char::REPLACEMENT_CHARACTER);
    }
    text
}
