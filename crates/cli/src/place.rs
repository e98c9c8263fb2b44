//! Lines and columns of a text.

use guardbee_model::Span;

/// Where a byte stands: line and column from 1 on, the column in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub line: u32,
    pub column: u32,
}

/// Finds places that come roughly in order, without an index of all lines: going on from the last one
/// costs what lies between.
#[derive(Debug, Clone)]
pub struct Places<'t> {
    text: &'t str,
    /// A line start that is known, and its number.
    line_start: usize,
    line: u32,
}

impl<'t> Places<'t> {
    #[must_use]
    pub const fn new(text: &'t str) -> Self {
        Self { text, line_start: 0, line: 1 }
    }

    /// The place of a byte; one past the end is the end.
    pub fn of(&mut self, offset: u32) -> Place {
        let offset = (offset as usize).min(self.text.len());
        if offset < self.line_start {
            (self.line_start, self.line) = (0, 1);
        }
        let between = self.text.as_bytes().get(self.line_start..offset).unwrap_or(&[]);
        self.line += u32::try_from(memchr::memchr_iter(b'\n', between).count()).unwrap_or(u32::MAX);
        if let Some(last) = memchr::memrchr(b'\n', between) {
            self.line_start += last + 1;
        }
        let before = self.text.as_bytes().get(self.line_start..offset).unwrap_or(&[]);
        let characters = before.iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
        Place { line: self.line, column: u32::try_from(characters + 1).unwrap_or(u32::MAX) }
    }

    /// The line that a byte stands in, without its end.
    #[must_use]
    pub fn line_text(text: &'t str, offset: u32) -> &'t str {
        let offset = (offset as usize).min(text.len());
        let bytes = text.as_bytes();
        let start = memchr::memrchr(b'\n', bytes.get(..offset).unwrap_or(&[])).map_or(0, |at| at + 1);
        let end =
            memchr::memchr(b'\n', bytes.get(offset..).unwrap_or(&[])).map_or(text.len(), |at| offset + at);
        text.get(start..end).unwrap_or("").trim_end_matches('\r')
    }
}

/// How many bytes of a line lie under a span that starts in it.
#[must_use]
pub fn underlined(line: &str, column: u32, span: Span) -> usize {
    let rest = line.chars().count().saturating_sub(column as usize - 1);
    (span.len() as usize).clamp(1, rest.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_lines_and_characters() {
        let text = "ab\nä€c\r\n\nd";
        let mut places = Places::new(text);
        for (needle, line, column) in
            [("a", 1, 1), ("b", 1, 2), ("ä", 2, 1), ("c", 2, 3), ("d", 4, 1), ("ä", 2, 1)]
        {
            let offset = u32::try_from(text.find(needle).expect("the text has it")).expect("a short text");
            assert_eq!(places.of(offset), Place { line, column }, "{needle}");
        }
        assert_eq!(places.of(1000), Place { line: 4, column: 2 });
        assert_eq!(Places::line_text(text, 5), "ä€c");
    }
}
