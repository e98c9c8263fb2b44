//! A script in pieces: statements and client commands, cut at semicolons.
//!
//! Cuts as Hive's command line and beeline do, with two differences for the better: comments never
//! hide or break anything, and a quote that is never closed costs its own statement only. Works on the
//! text as it is written; variables are replaced piece by piece afterwards, as in Hive.

use guardbee_model::Span;
use memchr::memchr;

use crate::blank::{is_space, skip_blank, skip_space_and_line_comments};
use crate::command::{ClientCommand, CommandWord, compiled_code_end, is_beeline_command};
use crate::lexer::scan::{block_comment, line_end, quoted_end, string_end};

/// How many unclosed quotes are looked for in all of the rest of the text. After those, a quote is a
/// character like any other, so that a hostile text is still read in linear time.
const UNCLOSED_LIMIT: u32 = 16;

/// Reads the pieces of a text one after the other. Holds nothing but its position.
#[derive(Debug, Clone)]
pub struct Script<'t> {
    text: &'t str,
    position: usize,
    unclosed_left: u32,
}

/// One statement or command of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece<'t> {
    /// The piece without its semicolon, and without space and comments before it.
    pub text: &'t str,
    /// Where the piece stands in the script.
    pub span: Span,
    pub kind: PieceKind<'t>,
}

/// Who runs a piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PieceKind<'t> {
    /// The compiler.
    Statement,
    /// The client or the session.
    Command(ClientCommand<'t>),
}

impl<'t> Script<'t> {
    /// Starts at the start of the text. A byte order mark is skipped.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        let position = if text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
        Self { text, position, unclosed_left: UNCLOSED_LIMIT }
    }

    /// The next piece, where it stays the same whatever follows the text. Otherwise nothing, and the reader stays where
    /// it is: more of the text is wanted, or else this is all of it and [`next`](Iterator::next) reads on.
    pub fn next_settled(&mut self) -> Option<Piece<'t>> {
        let before = self.clone();
        let settled = self.next().filter(|piece| self.is_settled(&before, piece));
        if settled.is_none() {
            *self = before;
        }
        settled
    }

    /// The same reader before a text that starts where it stands, and goes on further.
    #[must_use]
    pub const fn before<'r>(&self, text: &'r str) -> Script<'r> {
        Script { text, position: 0, unclosed_left: self.unclosed_left }
    }

    /// Where the reader stands in its text.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.position
    }

    /// Did the piece end before the text did, and was nothing looked for in vain until its end?
    fn is_settled(&self, before: &Self, piece: &Piece<'_>) -> bool {
        let bytes = self.text.as_bytes();
        let start = piece.span.start as usize;
        let ends_with_line =
            self.text.get(start..).and_then(CommandWord::detect) == Some(CommandWord::Exclamation);
        let end = if ends_with_line { line_end(bytes, start) } else { self.position };
        end < bytes.len() && self.unclosed_left == before.unclosed_left
    }

    /// Skips what stands between pieces: space, comments, semicolons, and lines that start with `#`,
    /// which are comments to beeline.
    fn skip_to_piece(&mut self) {
        let bytes = self.text.as_bytes();
        loop {
            self.position = if self.unclosed_left == 0 {
                skip_space_and_line_comments(bytes, self.position)
            } else {
                skip_blank(bytes, self.position)
            };
            match bytes.get(self.position) {
                Some(b';') => self.position += 1,
                Some(b'#') => self.position = line_end(bytes, self.position),
                _ => return,
            }
        }
    }

    /// Where the piece ends that starts here: at its semicolon, or at the end of its line or the text.
    fn piece_end(&mut self) -> usize {
        let rest = self.text.get(self.position..).unwrap_or_default();
        match CommandWord::detect(rest) {
            None => self.end(Comments::Skipped),
            Some(CommandWord::Exclamation) => self.line_command_end(rest),
            Some(CommandWord::Compile) => self.compile_end(),
            Some(_) => self.end(Comments::Kept),
        }
    }

    /// The next semicolon outside of quotes. A backslash before it takes its meaning away.
    fn end(&mut self, comments: Comments) -> usize {
        let bytes = self.text.as_bytes();
        let mut position = self.position;
        while let Some(&byte) = bytes.get(position) {
            let closed = match byte {
                b';' => return position,
                b'\\' => Some(position + 2),
                b'\'' | b'"' => self.closed(position, || string_end(bytes, position)),
                b'`' => self.closed(position, || quoted_end(bytes, position, b'`')),
                b'-' if comments == Comments::Skipped && bytes.get(position + 1) == Some(&b'-') => {
                    Some(line_end(bytes, position))
                }
                b'/' if comments == Comments::Skipped && bytes.get(position + 1) == Some(&b'*') => {
                    self.closed(position, || block_comment(bytes, position).map(|comment| comment.end))
                }
                _ => Some(position + 1),
            };
            match closed {
                Some(end) => position = end,
                None => return self.recovery_point(position),
            }
        }
        bytes.len()
    }

    /// The end of the code, then the semicolon.
    fn compile_end(&mut self) -> usize {
        let bytes = self.text.as_bytes();
        let code_start = memchr(b'`', bytes.get(self.position..).unwrap_or_default());
        let code_end = code_start.and_then(|start| compiled_code_end(bytes, self.position + start + 1));
        match code_end {
            Some(end) => {
                let after = bytes.get(end..).unwrap_or_default();
                memchr(b';', after).map_or(bytes.len(), |length| end + length)
            }
            None => self.end(Comments::Kept),
        }
    }

    /// Commands with a `!` end with their line. Those of beeline take the whole of it, since the
    /// address of a server has semicolons in it.
    fn line_command_end(&self, rest: &str) -> usize {
        let end = line_end(self.text.as_bytes(), self.position);
        let line = rest.get(1..end - self.position).unwrap_or_default();
        let name = line
            .trim_start_matches(is_space)
            .split(|letter| is_space(letter) || letter == ';')
            .next()
            .unwrap_or_default();
        if is_beeline_command(name) {
            return self.position
                + 1
                + line.trim_end_matches(|letter| is_space(letter) || letter == ';').len();
        }
        let text = self.text.get(..end).unwrap_or_default();
        Self { text, position: self.position, unclosed_left: 1 }.end(Comments::Kept)
    }

    /// The end of something quoted at `start`, if it has one or that is not looked for any more.
    fn closed(&self, start: usize, end: impl FnOnce() -> Option<usize>) -> Option<usize> {
        if self.unclosed_left == 0 { Some(start + 1) } else { end() }
    }

    /// Where to go on after a quote at `start` that is never closed: at the next semicolon that ends a
    /// line.
    fn recovery_point(&mut self, start: usize) -> usize {
        self.unclosed_left = self.unclosed_left.saturating_sub(1);
        let bytes = self.text.as_bytes();
        let mut position = start;
        while let Some(length) = memchr(b';', bytes.get(position..).unwrap_or_default()) {
            let semicolon = position + length;
            let after = bytes.get(semicolon + 1..).unwrap_or_default();
            let next = after.iter().find(|byte| !matches!(byte, b' ' | b'\t'));
            if matches!(next, None | Some(b'\n' | b'\r')) {
                return semicolon;
            }
            position = semicolon + 1;
        }
        bytes.len()
    }
}

/// What two dashes and `/*` are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comments {
    /// Comments, and a semicolon in them ends nothing.
    Skipped,
    /// Text, such as the options of a command.
    Kept,
}

impl<'t> Iterator for Script<'t> {
    type Item = Piece<'t>;

    fn next(&mut self) -> Option<Piece<'t>> {
        self.skip_to_piece();
        let start = self.position;
        if start >= self.text.len() {
            return None;
        }
        let end = self.piece_end().clamp(start, self.text.len());
        self.position = end;
        let text = self.text.get(start..end)?.trim_end_matches(is_space);
        let kind = ClientCommand::parse(text).map_or(PieceKind::Statement, PieceKind::Command);
        Some(Piece { text, span: Span::new(offset(start), offset(start + text.len())), kind })
    }
}

/// Texts over 4 GiB are refused before they get here.
fn offset(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
