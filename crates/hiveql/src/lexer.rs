//! Text to tokens, one at a time, exactly as the lexers of Hive 2.3 to 4.2 cut it.
//!
//! The lexer never fails and never looks back: what Hive refuses comes out as a token of its own kind
//! (`Unknown`, `Unterminated...`), with its place, and the parser says what is wrong. It knows no
//! grammar and decodes nothing; see [`literal`](crate::literal) for what a token's text means.

mod number;
pub(crate) mod scan;

use guardbee_model::{HiveVersion, Span};

use crate::keyword::Keyword;
use crate::token::{Token, TokenKind};
use scan::{BlockComment, word_end};

/// The keywords with a hyphen: what stands before it, the rest, and the keyword.
const HYPHENATED: [(&[u8], &[u8], Keyword); 3] = [
    (b"CHERRY", b"-PICK", Keyword::CherryPick),
    (b"FAST", b"-FORWARD", Keyword::FastForward),
    (b"ORPHAN", b"-FILES", Keyword::OrphanFiles),
];

/// What quotes a name: Hive's `hive.support.quoted.identifiers`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum QuotedIdentifiers {
    /// Backticks hold a regular expression over columns.
    None,
    /// Backticks quote any name.
    #[default]
    Column,
    /// Backticks and double quotes quote any name. Hive 4 knows this; for older ones it is `Column`.
    Standard,
}

/// What the same text is cut by. Two lexers with the same settings give the same tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct LexerSettings {
    pub version: HiveVersion,
    pub quoted_identifiers: QuotedIdentifiers,
}

/// A position in a text from which tokens are read. Cloning it is cheap and is how one looks ahead.
#[derive(Debug, Clone)]
pub struct Lexer<'t> {
    /// The text, or what is left of it after the hint being read is cut off.
    bytes: &'t [u8],
    text: &'t str,
    position: usize,
    settings: LexerSettings,
    in_hint: bool,
}

impl<'t> Lexer<'t> {
    /// Reads `text` from its start as the default version of Hive does.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        Self::at(text, 0)
    }

    /// Reads `text` from the byte `offset` on, which must not lie inside a token, comment or hint.
    #[must_use]
    pub fn at(text: &'t str, offset: u32) -> Self {
        let position = (offset as usize).min(text.len());
        Self { bytes: text.as_bytes(), text, position, settings: LexerSettings::default(), in_hint: false }
    }

    #[must_use]
    pub fn with_settings(mut self, settings: LexerSettings) -> Self {
        self.settings = settings;
        self
    }

    #[must_use]
    pub const fn settings(&self) -> LexerSettings {
        self.settings
    }

    /// The whole text.
    #[must_use]
    pub const fn text(&self) -> &'t str {
        self.text
    }

    /// Where the next token is looked for.
    #[must_use]
    pub fn offset(&self) -> u32 {
        offset(self.position)
    }

    /// The next token; [`TokenKind::Eof`] at the end of the text, however often one asks.
    pub fn next_token(&mut self) -> Token {
        loop {
            self.skip_white_space();
            let start = self.position;
            let Some(&first) = self.bytes.get(start) else {
                return self.end_of_bytes();
            };
            let kind = match first {
                b'-' if self.peek(1) == Some(b'-') => {
                    self.position = scan::line_end(self.bytes, start);
                    continue;
                }
                b'/' if self.peek(1) == Some(b'*') => match self.block_comment() {
                    Some(kind) => kind,
                    None => continue,
                },
                _ => self.token(first),
            };
            return Token { kind, span: Span::new(offset(start), offset(self.position)) };
        }
    }

    fn skip_white_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\t' | b'\r') = self.bytes.get(self.position) {
            self.position += 1;
        }
    }

    /// Nothing is left of a hint, or of the text.
    fn end_of_bytes(&mut self) -> Token {
        let start = self.position;
        let kind = if self.in_hint {
            self.in_hint = false;
            self.bytes = self.text.as_bytes();
            self.position += 2;
            TokenKind::HintEnd
        } else {
            TokenKind::Eof
        };
        Token { kind, span: Span::new(offset(start), offset(self.position)) }
    }

    /// Skips a comment, or enters a hint. Comments nest; a hint that holds a comment is none to Hive.
    fn block_comment(&mut self) -> Option<TokenKind> {
        let Some(BlockComment { end, holds_another }) = scan::block_comment(self.bytes, self.position) else {
            return Some(self.finish_at(TokenKind::UnterminatedComment, self.bytes.len()));
        };
        if self.peek(2) != Some(b'+') || self.in_hint || holds_another {
            self.position = end;
            return None;
        }
        self.position += 3;
        self.bytes = self.bytes.get(..end - 2).unwrap_or_default();
        self.in_hint = true;
        Some(TokenKind::HintStart)
    }

    /// The token that starts with `first`, which is no white space and starts no comment.
    fn token(&mut self, first: u8) -> TokenKind {
        match first {
            b'a'..=b'z' | b'A'..=b'Z' => self.word(),
            b'0'..=b'9' => {
                let (kind, end) = number::scan(self.bytes, self.position);
                self.finish_at(kind, end)
            }
            b'\'' => self.string(),
            b'"' if self.quotes_names_in_double_quotes() => self.quoted_identifier(b'"'),
            b'"' => self.string(),
            b'`' => self.quoted_identifier(b'`'),
            b'_' => self.character_set_name(),
            b'$' => self.dollar(),
            0x80.. => self.beyond_ascii(),
            _ => self.operator(first),
        }
    }

    fn operator(&mut self, first: u8) -> TokenKind {
        let (kind, length) = match (first, self.peek(1)) {
            (b'<', Some(b'=')) if self.peek(2) == Some(b'>') => (TokenKind::NullSafeEqual, 3),
            (b'<', Some(b'=')) => (TokenKind::LessOrEqual, 2),
            (b'<', Some(b'>')) | (b'!', Some(b'=')) => (TokenKind::NotEqual, 2),
            (b'>', Some(b'=')) => (TokenKind::GreaterOrEqual, 2),
            (b'=', Some(b'=')) => (TokenKind::Equal, 2),
            (b'|', Some(b'|')) => (TokenKind::Concatenate, 2),
            (b'!', _) => (TokenKind::Keyword(Keyword::Not), 1),
            (b'=', _) => (TokenKind::Equal, 1),
            (b'<', _) => (TokenKind::Less, 1),
            (b'>', _) => (TokenKind::Greater, 1),
            (b'|', _) => (TokenKind::Pipe, 1),
            (b'.', _) => (TokenKind::Dot, 1),
            (b':', _) => (TokenKind::Colon, 1),
            (b',', _) => (TokenKind::Comma, 1),
            (b';', _) => (TokenKind::Semicolon, 1),
            (b'(', _) => (TokenKind::LeftParenthesis, 1),
            (b')', _) => (TokenKind::RightParenthesis, 1),
            (b'[', _) => (TokenKind::LeftBracket, 1),
            (b']', _) => (TokenKind::RightBracket, 1),
            (b'{', _) => (TokenKind::LeftBrace, 1),
            (b'}', _) => (TokenKind::RightBrace, 1),
            (b'/', _) => (TokenKind::Slash, 1),
            (b'+', _) => (TokenKind::Plus, 1),
            (b'-', _) => (TokenKind::Minus, 1),
            (b'*', _) => (TokenKind::Star, 1),
            (b'%', _) => (TokenKind::Percent, 1),
            (b'&', _) => (TokenKind::Ampersand, 1),
            (b'~', _) => (TokenKind::Tilde, 1),
            (b'^', _) => (TokenKind::Caret, 1),
            (b'?', _) => (TokenKind::Question, 1),
            _ => (TokenKind::Unknown, 1),
        };
        self.position += length;
        kind
    }

    /// A keyword or name that starts with a letter.
    fn word(&mut self) -> TokenKind {
        let start = self.position;
        let end = word_end(self.bytes, start);
        self.position = end;
        let word = self.bytes.get(start..end).unwrap_or_default();
        if let Some(keyword) = Keyword::lookup_bytes(self.settings.version, word) {
            return TokenKind::Keyword(keyword);
        }
        if !word.is_ascii()
            && let Some(folded) = scan::fold(word)
            && let Some(keyword) = Keyword::lookup_bytes(self.settings.version, &folded)
        {
            return TokenKind::Keyword(keyword);
        }
        if self.bytes.get(end) == Some(&b'-') && self.settings.version >= HiveVersion::V4_0 {
            return self.hyphenated(word);
        }
        TokenKind::Identifier
    }

    /// Hive 4 reads `cherry-`, `fast-` and `orphan-` as the start of a keyword and of nothing else.
    fn hyphenated(&mut self, word: &[u8]) -> TokenKind {
        let Some((keyword, tail)) = HYPHENATED
            .into_iter()
            .find_map(|(head, tail, keyword)| word.eq_ignore_ascii_case(head).then_some((keyword, tail)))
        else {
            return TokenKind::Identifier;
        };
        let end = self.position + tail.len();
        let is_whole = self.bytes.get(self.position..end).is_some_and(|text| text.eq_ignore_ascii_case(tail));
        if is_whole {
            self.finish_at(TokenKind::Keyword(keyword), end)
        } else {
            self.finish_at(TokenKind::Unknown, self.position + 1)
        }
    }

    /// String literals as far as they touch each other.
    fn string(&mut self) -> TokenKind {
        let start = self.position;
        loop {
            let Some(end) = scan::string_end(self.bytes, self.position) else {
                return self.unterminated_string(start);
            };
            self.position = end;
            match self.bytes.get(end) {
                Some(b'\'') => {}
                Some(b'"') if !self.quotes_names_in_double_quotes() => {}
                _ => return TokenKind::String,
            }
        }
    }

    /// The literals before the one that does not end are a token of their own, so that the place of
    /// the mistake can be shown.
    fn unterminated_string(&mut self, start: usize) -> TokenKind {
        if self.position > start {
            return TokenKind::String;
        }
        self.finish_at(TokenKind::UnterminatedString, self.bytes.len())
    }

    fn quoted_identifier(&mut self, quote: u8) -> TokenKind {
        if self.settings.quoted_identifiers == QuotedIdentifiers::None {
            return self.regular_expression();
        }
        let start = self.position;
        let Some(end) = scan::quoted_end(self.bytes, start, quote) else {
            return self.finish_at(TokenKind::UnterminatedQuoted, self.bytes.len());
        };
        let is_empty = end == start + 2;
        if is_empty && self.settings.version >= HiveVersion::V4_0 {
            return self.finish_at(TokenKind::Unknown, end);
        }
        self.finish_at(TokenKind::QuotedIdentifier, end)
    }

    /// Backticks that quote no name hold a regular expression in a few characters.
    fn regular_expression(&mut self) -> TokenKind {
        let start = self.position;
        match scan::regular_expression_end(self.bytes, start) {
            Some(end) => self.finish_at(TokenKind::QuotedIdentifier, end),
            None => self.finish_at(TokenKind::Unknown, start + 1),
        }
    }

    fn character_set_name(&mut self) -> TokenKind {
        let start = self.position;
        let end = scan::character_set_name_end(self.bytes, start);
        let kind = if end > start + 1 { TokenKind::CharSetName } else { TokenKind::Unknown };
        self.finish_at(kind, end)
    }

    /// A dollar sign, or one of `$KEY$`, `$VALUE$`, `$ELEM$`. Nothing else may start like those.
    fn dollar(&mut self) -> TokenKind {
        let start = self.position;
        let keyword = match self.peek(1) {
            Some(b'k' | b'K') => Keyword::KeyType,
            Some(b'v' | b'V') => Keyword::ValueType,
            Some(b'e' | b'E') => Keyword::ElemType,
            _ => return self.finish_at(TokenKind::Dollar, start + 1),
        };
        let spelling = keyword.as_str().as_bytes();
        let end = start + spelling.len();
        match self.bytes.get(start..end) {
            Some(text) if text.eq_ignore_ascii_case(spelling) => {
                self.finish_at(TokenKind::Keyword(keyword), end)
            }
            _ => self.finish_at(TokenKind::Unknown, word_end(self.bytes, start + 1)),
        }
    }

    /// The two letters whose upper case is in ASCII start a word, as in Hive; all others are no tokens.
    fn beyond_ascii(&mut self) -> TokenKind {
        let start = self.position;
        if word_end(self.bytes, start) > start {
            return self.word();
        }
        let length = self.text.get(start..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
        self.finish_at(TokenKind::Unknown, start + length)
    }

    fn quotes_names_in_double_quotes(&self) -> bool {
        self.settings.quoted_identifiers == QuotedIdentifiers::Standard
            && self.settings.version >= HiveVersion::V4_0
    }

    fn finish_at(&mut self, kind: TokenKind, end: usize) -> TokenKind {
        self.position = end;
        kind
    }

    fn peek(&self, distance: usize) -> Option<u8> {
        self.bytes.get(self.position + distance).copied()
    }
}

/// Texts over 4 GiB are refused before they get here.
fn offset(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
