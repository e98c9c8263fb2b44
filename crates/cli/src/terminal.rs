//! What the terminal can do: colours and width; and what may be shown on it.

use std::env;
use std::io::{self, IsTerminal};

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::arguments::ColorChoice;

/// Width where the output goes to no terminal.
const DEFAULT_WIDTH: usize = 100;
const NARROWEST: usize = 40;

/// How text for people is written.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    pub width: usize,
    is_colored: bool,
}

/// What a piece of text means; never said by colour alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paint {
    Heading,
    Good,
    Bad,
    Warning,
    Name,
    Dim,
}

impl Style {
    /// For standard output.
    #[must_use]
    pub fn for_output(choice: ColorChoice) -> Self {
        Self { width: width(), is_colored: wants_color(choice, io::stdout().is_terminal()) }
    }

    /// For standard error.
    #[must_use]
    pub fn for_errors(choice: ColorChoice) -> Self {
        Self { width: width(), is_colored: wants_color(choice, io::stderr().is_terminal()) }
    }

    /// Text without colours, as wide as asked for.
    #[must_use]
    pub const fn plain(width: usize) -> Self {
        Self { width, is_colored: false }
    }

    /// The text in the colour of its meaning.
    #[must_use]
    pub fn paint(self, paint: Paint, text: &str) -> String {
        if !self.is_colored || text.is_empty() {
            return text.to_owned();
        }
        let code = match paint {
            Paint::Heading => "1",
            Paint::Good => "32",
            Paint::Bad => "1;31",
            Paint::Warning => "33",
            Paint::Name => "36",
            Paint::Dim => "2",
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}

/// Text from a file, fit for a terminal: one line, and nothing that could move the cursor or turn the
/// direction of writing.
#[must_use]
pub fn printable(text: &str) -> String {
    text.chars().map(visible).collect()
}

/// A character that would move the cursor is shown as one that does not.
#[must_use]
pub const fn visible(character: char) -> char {
    match character {
        '\t' | '\n' | '\r' => ' ',
        '\0'..='\x1f'
        | '\x7f'..='\u{9f}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{feff}' => '\u{fffd}',
        _ => character,
    }
}

/// Columns of the terminal that text takes; the codes of colours take none.
#[must_use]
pub fn shown_width(text: &str) -> usize {
    if !text.contains('\x1b') {
        return text.width();
    }
    let mut is_code = false;
    let mut width = 0;
    for character in text.chars() {
        match character {
            '\x1b' => is_code = true,
            'm' if is_code => is_code = false,
            _ if is_code => {}
            _ => width += character.width().unwrap_or(0),
        }
    }
    width
}

/// The text followed by as many blanks as fill the width.
#[must_use]
pub fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(shown_width(text))))
}

/// The text, cut with `…` where it is wider.
#[must_use]
pub fn shortened(text: &str, width: usize) -> String {
    if text.len() <= width || shown_width(text) <= width {
        return text.to_owned();
    }
    let mut taken = 0;
    let mut out = String::new();
    for character in text.chars() {
        taken += character.width().unwrap_or(0);
        if taken + 1 > width {
            break;
        }
        out.push(character);
    }
    out.push('…');
    out
}

/// Lines no wider than `width` where words allow it, broken at blanks. Blanks inside a line stay as
/// they are.
#[must_use]
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    hanging(text, width, 0)
}

/// As [`wrapped`], with all lines but the first further in.
#[must_use]
pub fn hanging(text: &str, width: usize, indent: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    let mut line_width = 0;
    for word in text.split_inclusive(' ') {
        let word_width = shown_width(word.trim_end_matches(' '));
        let start = if lines.is_empty() { 0 } else { indent };
        if line_width > start && line_width + word_width > width {
            lines.push(line.trim_end().to_owned());
            line = " ".repeat(indent);
            line_width = indent;
            if word == " " {
                continue;
            }
        }
        line.push_str(word);
        line_width += word_width + usize::from(word.ends_with(' '));
    }
    if !line.trim_end().is_empty() || lines.is_empty() {
        lines.push(line.trim_end().to_owned());
    }
    lines
}

fn wants_color(choice: ColorChoice, is_terminal: bool) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            let is_refused = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            let is_dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
            is_terminal && !is_refused && !is_dumb
        }
    }
}

fn width() -> usize {
    let asked = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let measured = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    asked.or_else(measured).unwrap_or(DEFAULT_WIDTH).max(NARROWEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_nothing_that_moves_the_cursor() {
        assert_eq!(printable("a\x1b[31m\tb\u{9b}\u{202e}\nc"), "a\u{fffd}[31m b\u{fffd}\u{fffd} c");
    }

    #[test]
    fn breaks_at_blanks_and_keeps_long_words() {
        assert_eq!(wrapped("aa bb  cc", 5), ["aa bb", "cc"]);
        assert_eq!(wrapped("aaaaaaaa b", 4), ["aaaaaaaa", "b"]);
        assert_eq!(wrapped("", 4), [""]);
        assert_eq!(hanging("aa bb cc", 5, 2), ["aa bb", "  cc"]);
    }

    #[test]
    fn measures_what_is_seen() {
        assert_eq!(shown_width("\x1b[36mab\x1b[0m"), 2);
        assert_eq!(shown_width("数据"), 4);
        assert_eq!(shortened("数据仓库", 5), "数据…");
        assert_eq!(padded("ab", 4), "ab  ");
    }
}
