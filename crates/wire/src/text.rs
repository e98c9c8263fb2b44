//! JSON as text that is safe on a terminal: strings come from files, and a terminal takes some characters
//! that JSON leaves alone as commands.

use std::fmt::Write as _;

use serde::Serialize;

/// A value on one line.
///
/// # Errors
/// Never in practice: our values are plain data.
pub fn line(value: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_string(value).map(escaped)
}

/// A value over several lines, for people.
///
/// # Errors
/// As for [`line`].
pub fn pretty(value: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_string_pretty(value).map(escaped)
}

/// Such characters stand in strings only, so they may be escaped in the finished text.
fn escaped(json: String) -> String {
    let is_plain = !json.bytes().any(|byte| byte == 0x7f || byte == 0xc2 || byte == 0xe2);
    if is_plain || !json.chars().any(is_command) {
        return json;
    }
    let mut out = String::with_capacity(json.len() + 16);
    for character in json.chars() {
        if is_command(character) {
            let _ = write!(out, "\\u{:04x}", u32::from(character));
        } else {
            out.push(character);
        }
    }
    out
}

const fn is_command(character: char) -> bool {
    matches!(
        character,
        '\x7f'..='\u{9f}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_what_a_terminal_would_obey() {
        let text = "a\u{9b}31m\u{202e}é\x1b";
        let json = line(&text).expect("a string is plain data");
        assert_eq!(json, r#""a\u009b31m\u202eé\u001b""#);
        let back: String = serde_json::from_str(&json).expect("it is JSON");
        assert_eq!(back, text);
    }
}
