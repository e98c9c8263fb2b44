//! Lines and columns of a text.

use guardbee_model::Diagnostic;

/// Where a byte stands: line and column from 1 on, the column in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub line: u32,
    pub column: u32,
}

/// Finds places in a text. Going on from the last one costs what lies between, so that a long text is
/// walked once; going back starts again at its start.
#[derive(Debug, Clone)]
pub struct Places<'t> {
    text: &'t str,
    /// The place of its first byte.
    start: Place,
    /// The last byte that was asked for.
    offset: usize,
    place: Place,
}

impl<'t> Places<'t> {
    /// Places in a text whose first byte stands at `start`.
    #[must_use]
    pub const fn starting_at(text: &'t str, start: Place) -> Self {
        Self { text, start, offset: 0, place: start }
    }

    /// The place of a byte; one past the end is the end.
    pub fn of(&mut self, offset: u32) -> Place {
        let offset = (offset as usize).min(self.text.len());
        if offset < self.offset {
            *self = Self::starting_at(self.text, self.start);
        }
        let between = self.text.as_bytes().get(self.offset..offset).unwrap_or(&[]);
        let line_part = match memchr::memrchr(b'\n', between) {
            Some(last) => {
                self.place.line += count(memchr::memchr_iter(b'\n', between).count());
                self.place.column = 1;
                between.get(last + 1..).unwrap_or(&[])
            }
            None => between,
        };
        self.place.column += count(line_part.iter().filter(|&&byte| byte & 0xC0 != 0x80).count());
        self.offset = offset;
        self.place
    }

    /// The places of findings, in their order, at the cost of one walk over the text between them.
    #[must_use]
    pub fn of_all(&self, findings: &[Diagnostic]) -> Vec<Place> {
        let mut walk = self.clone();
        let mut order: Vec<usize> = (0..findings.len()).collect();
        order.sort_by_key(|&index| findings.get(index).map(|finding| finding.span.start));
        let mut places = vec![self.place; findings.len()];
        for index in order {
            if let (Some(finding), Some(place)) = (findings.get(index), places.get_mut(index)) {
                *place = walk.of(finding.span.start);
            }
        }
        places
    }
}

fn count(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use guardbee_model::{DiagnosticCode, Span};

    use super::*;

    const START: Place = Place { line: 1, column: 1 };
    const TEXT: &str = "ab\nä€c\r\n\nd";

    fn offset(needle: &str) -> u32 {
        u32::try_from(TEXT.find(needle).expect("the text has it")).expect("a short text")
    }

    #[test]
    fn counts_lines_and_characters() {
        let mut places = Places::starting_at(TEXT, START);
        for (needle, line, column) in
            [("a", 1, 1), ("b", 1, 2), ("ä", 2, 1), ("c", 2, 3), ("d", 4, 1), ("ä", 2, 1), ("€", 2, 2)]
        {
            assert_eq!(places.of(offset(needle)), Place { line, column }, "{needle}");
        }
        assert_eq!(places.of(1000), Place { line: 4, column: 2 });
    }

    #[test]
    fn keeps_the_order_of_findings() {
        let findings: Vec<Diagnostic> = ["d", "a", "c"]
            .iter()
            .map(|needle| Diagnostic::error(DiagnosticCode::SYNTAX, Span::at(offset(needle)), "x"))
            .collect();
        let lines: Vec<u32> =
            Places::starting_at(TEXT, START).of_all(&findings).iter().map(|place| place.line).collect();
        assert_eq!(lines, [4, 1, 2]);
    }
}
