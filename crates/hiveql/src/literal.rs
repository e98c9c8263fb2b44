//! What the text of a literal or quoted name means, and how to write a value as one.
//!
//! Knows Hive's escapes to the letter, odd ones included, and nothing of where a literal may stand.

mod character_set;
mod escape;

use std::borrow::Cow;

use memchr::{memchr, memchr2};

pub use character_set::decode_character_set_literal;

/// The value of a string literal, or of several that touch or follow each other (`'a' "b"`), with its
/// quotes. Text outside of quotes is ignored.
///
/// Hive counts in UTF-16, so an escape can make half a character (`'\ud83d'`). Two halves that meet
/// make a whole; a lone one comes out as U+FFFD.
#[must_use]
pub fn unescape_string(raw: &str) -> Cow<'_, str> {
    match plain_content(raw) {
        Some(content) => Cow::Borrowed(content),
        None => Cow::Owned(escape::decode(raw)),
    }
}

/// The name that an identifier token stands for: backticks or double quotes are taken off and doubled
/// ones inside halved. The case is left as it is.
#[must_use]
pub fn unquote_name(raw: &str) -> Cow<'_, str> {
    let Some(quote @ ('`' | '"')) = raw.chars().next() else {
        return Cow::Borrowed(raw);
    };
    let inside = raw.get(1..).unwrap_or_default();
    let inside = inside.strip_suffix(quote).unwrap_or(inside);
    if !inside.contains(quote) {
        return Cow::Borrowed(inside);
    }
    let [doubled, single] = if quote == '`' { ["``", "`"] } else { ["\"\"", "\""] };
    Cow::Owned(inside.replace(doubled, single))
}

/// A string literal whose value is `value`.
#[must_use]
pub fn quote_string(value: &str) -> String {
    escape::encode(value)
}

/// A name in backticks, in whatever characters it is.
#[must_use]
pub fn quote_name(name: &str) -> String {
    if memchr(b'`', name.as_bytes()).is_none() {
        return format!("`{name}`");
    }
    format!("`{}`", name.replace('`', "``"))
}

/// What stands between the quotes, if `raw` is one literal without escapes.
fn plain_content(raw: &str) -> Option<&str> {
    let quote = *raw.as_bytes().first().filter(|first| matches!(first, b'\'' | b'"'))?;
    let inside = raw.get(1..)?;
    let end = memchr2(quote, b'\\', inside.as_bytes())?;
    (end + 1 == inside.len() && inside.ends_with(char::from(quote))).then(|| inside.get(..end))?
}

#[cfg(test)]
mod tests;
