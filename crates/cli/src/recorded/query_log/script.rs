//! The statements of a script that may be larger than memory: no more of it is held than the statement that is read
//! and what comes with it.

use std::io::{self, BufRead};

use guardbee_hiveql::script::Script;

use super::text::Decoder;
use super::{BadPiece, LONGEST_BYTES, LoggedStatement, Piece, too_long};

/// How much is read at once, unless a statement is longer.
const PART_BYTES: usize = 1 << 20;

/// Reads a script part by part. A quote that is not closed within the longest statement is taken for one that is never
/// closed.
pub struct ScriptReader {
    state: Script<'static>,
    decoder: Decoder,
    /// What is read, and up to where it is done with.
    text: String,
    done: usize,
    line: u64,
    is_at_end: bool,
    /// What goes by before the next statement.
    skip: Skip,
    longest: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Skip {
    Nothing,
    /// The rest of a comment.
    Line,
    /// The rest of a statement that is too long, up to the next semicolon that ends a line, as after a quote that is
    /// never closed.
    Statement,
}

impl Default for ScriptReader {
    fn default() -> Self {
        Self::within(LONGEST_BYTES)
    }
}

impl ScriptReader {
    fn within(longest: usize) -> Self {
        Self {
            state: Script::new(""),
            decoder: Decoder::default(),
            text: String::new(),
            done: 0,
            line: 1,
            is_at_end: false,
            skip: Skip::Nothing,
            longest,
        }
    }

    /// The next statement, adding to `taken` the bytes that were read for it.
    ///
    /// # Errors
    /// What the system says.
    pub fn next(&mut self, source: &mut dyn BufRead, taken: &mut u64) -> io::Result<Option<Piece>> {
        loop {
            self.skip();
            let rest = self.text.get(self.done..).unwrap_or_default();
            let is_full = rest.len() >= self.longest;
            let mut reader = self.state.before(rest);
            let piece = match self.skip {
                Skip::Nothing if self.is_at_end || is_full => reader.next(),
                Skip::Nothing => reader.next_settled(),
                Skip::Line | Skip::Statement => None,
            };
            let end = reader.position();
            match piece {
                Some(piece) => {
                    let start = piece.span.start as usize;
                    // Whether a semicolon at the end of what is read ends a line is not known either.
                    let behind = rest.get(end..).unwrap_or_default().trim_matches([' ', '\t', ';']);
                    let is_cut = is_full && !self.is_at_end && behind.is_empty();
                    if is_cut && start > 0 {
                        // It may end soon: what is long stands before it.
                        self.advance(start);
                        continue;
                    }
                    let text = piece.text.trim().to_owned();
                    self.state = reader.before("");
                    return Ok(Some(self.found(start, end, text, is_cut)));
                }
                None if self.is_at_end => return Ok(None),
                None if is_full && self.skip == Skip::Nothing => self.pass_blank(),
                None => self.read(source, taken)?,
            }
        }
    }

    fn found(&mut self, start: usize, end: usize, text: String, is_cut: bool) -> Piece {
        self.advance(start);
        let line = self.line;
        self.advance(end - start);
        if is_cut {
            self.skip = Skip::Statement;
            return Piece::Bad(BadPiece { line, reason: too_long("statement"), payload: text.into_bytes() });
        }
        Piece::Statement(LoggedStatement { line, text, ..LoggedStatement::default() })
    }

    /// All that is read is space and comments, the last of which may go on.
    fn pass_blank(&mut self) {
        let rest = self.text.get(self.done..).unwrap_or_default();
        let last_line = rest.rsplit(['\n', '\r']).next().unwrap_or_default();
        let is_comment = last_line.contains("--") || last_line.contains('#');
        self.skip = if is_comment { Skip::Line } else { Skip::Nothing };
        self.advance(rest.len());
    }

    /// Goes past what is to be skipped, as far as it is read.
    fn skip(&mut self) {
        let rest = self.text.get(self.done..).unwrap_or_default();
        let end = match self.skip {
            Skip::Nothing => return,
            Skip::Line => rest.find(['\n', '\r']),
            Skip::Statement => rest.match_indices(';').map(|(at, _)| at + 1).find(|end| {
                let behind = rest.get(*end..).unwrap_or_default().trim_start_matches([' ', '\t']);
                behind.starts_with(['\n', '\r']) || (behind.is_empty() && self.is_at_end)
            }),
        };
        if end.is_some() {
            self.skip = Skip::Nothing;
        }
        // A semicolon at the end of what is read may turn out to end a line.
        let open = rest.len() - rest.trim_end_matches([' ', '\t', ';']).len();
        self.advance(end.unwrap_or_else(|| rest.len() - open.min(self.longest / 2)));
    }

    fn advance(&mut self, bytes: usize) {
        let end = (self.done + bytes).min(self.text.len());
        let between = self.text.get(self.done..end).unwrap_or_default();
        self.line += memchr::memchr_iter(b'\n', between.as_bytes()).count() as u64;
        self.done = end;
    }

    /// Reads on: at least as much as is there, so that a long statement is not looked at too often.
    fn read(&mut self, source: &mut dyn BufRead, taken: &mut u64) -> io::Result<()> {
        self.text.drain(..self.done);
        self.done = 0;
        let wanted = PART_BYTES.max(self.text.len()).min(self.longest);
        let mut count = 0;
        while count < wanted && !self.is_at_end {
            let found = source.fill_buf()?;
            let part = found.get(..wanted - count).unwrap_or(found);
            self.is_at_end = part.is_empty();
            self.decoder.add(part, &mut self.text);
            let length = part.len();
            source.consume(length);
            count += length;
        }
        if self.is_at_end {
            self.decoder.end(&mut self.text);
        }
        *taken += count as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, longest: usize) -> Vec<(u64, Result<String, String>)> {
        let mut reader = ScriptReader::within(longest);
        let mut source = text.as_bytes();
        let mut found = Vec::new();
        while let Some(piece) = reader.next(&mut source, &mut 0).expect("it is in memory") {
            found.push(match piece {
                Piece::Statement(statement) => (statement.line, Ok(statement.text)),
                Piece::Bad(bad) => (bad.line, Err(bad.reason)),
            });
        }
        found
    }

    #[test]
    fn scripts_know_their_lines() {
        let found = read("select 1;\n\nselect\n2;\nselect 3", 1 << 20);
        let texts: Vec<(u64, &str)> =
            found.iter().map(|(line, text)| (*line, text.as_deref().unwrap_or("bad"))).collect();
        assert_eq!(texts, [(1, "select 1"), (3, "select\n2"), (5, "select 3")]);
    }

    #[test]
    fn a_statement_that_is_too_long_goes_by_as_a_whole() {
        let script = format!("select 1;\nselect '{}';\n drop table t;\nselect 2;", "x;y ".repeat(500));
        let found = read(&script, 100);
        let lines: Vec<(u64, bool)> = found.iter().map(|(line, text)| (*line, text.is_ok())).collect();
        assert_eq!(lines, [(1, true), (2, false), (3, true), (4, true)], "{found:?}");
    }

    #[test]
    fn blanks_without_end_are_no_statement() {
        let script = format!("{}\n-- {}\n;select 1;{}", " ".repeat(500), "a; ".repeat(500), "\n".repeat(500));
        let found = read(&script, 100);
        assert!(found.iter().any(|(_, text)| text.as_deref() == Ok("select 1")), "{found:?}");
    }
}
