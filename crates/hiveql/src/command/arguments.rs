//! The words after a command.

use crate::blank::is_space;

/// What stands after a command, and its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arguments<'t> {
    text: &'t str,
    dashes: Dashes,
}

/// What two dashes mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dashes {
    /// The start of an option, such as `--keyName`.
    Option,
    /// A comment up to the end of the line.
    Comment,
}

impl<'t> Arguments<'t> {
    pub(super) const fn new(text: &'t str) -> Self {
        Self { text, dashes: Dashes::Option }
    }

    pub(super) const fn with_comments(text: &'t str) -> Self {
        Self { text, dashes: Dashes::Comment }
    }

    /// All of it, as it is written.
    #[must_use]
    pub const fn as_str(self) -> &'t str {
        self.text
    }

    /// The words between the spaces.
    pub fn words(self) -> impl Iterator<Item = &'t str> {
        let mut rest = self.text;
        std::iter::from_fn(move || {
            loop {
                rest = rest.trim_start_matches(is_space);
                let (word, after) = split_word(rest);
                if word.is_empty() {
                    return None;
                }
                if self.dashes == Dashes::Option || !word.starts_with("--") {
                    rest = after;
                    return Some(word);
                }
                let line_end = memchr::memchr2(b'\n', b'\r', rest.as_bytes())?;
                rest = rest.get(line_end..)?;
            }
        })
    }

    /// The words, where single or double quotes hold one together. The quotes are not part of it.
    pub fn quoted_words(self) -> impl Iterator<Item = &'t str> {
        let mut rest = self.text;
        std::iter::from_fn(move || {
            rest = rest.trim_start_matches(is_space);
            let quote = rest.chars().next().filter(|first| matches!(first, '\'' | '"'));
            let (word, after) = match quote {
                Some(quote) => rest.get(1..)?.split_once(quote).unwrap_or((rest, "")),
                None => split_word(rest),
            };
            rest = after;
            (quote.is_some() || !word.is_empty()).then_some(word)
        })
    }
}

/// The first word, and what follows it without the space between.
pub(super) fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_start_matches(is_space);
    let end = text.find(is_space).unwrap_or(text.len());
    let (word, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    (word, rest.trim_start_matches(is_space))
}
