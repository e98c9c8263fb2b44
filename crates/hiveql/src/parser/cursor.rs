//! Moving over tokens: looking ahead, taking what fits, saying what was expected.

use guardbee_model::{Diagnostic, DiagnosticCode, HiveVersion, Span};

use super::{MAXIMUM_DEPTH, ParserSettings};
use crate::keyword::Keyword;
use crate::lexer::{Lexer, LexerSettings};
use crate::token::{Token, TokenKind};
use crate::tree::{Arena, Location};

/// What a rule gives back: a piece of tree, or the reason why there is none. Boxed, since a reason is
/// large and rare.
pub(crate) type Parse<T> = Result<T, Box<Diagnostic>>;

/// How many tokens are read at a time.
const BATCH: usize = 64;
/// How many tokens may lie behind the current one before [`Parser::forget_consumed`] drops them.
const KEPT_BEHIND: usize = 8192;

/// The state of reading one text.
pub(crate) struct Parser<'a> {
    pub(crate) arena: &'a Arena,
    /// The text that all spans point into.
    pub(crate) source: &'a str,
    pub(crate) settings: ParserSettings,
    lexer: Lexer<'a>,
    window: Vec<Token>,
    /// Index into `window` of the token that is looked at.
    position: usize,
    current: Token,
    /// Where the last taken token ended.
    last_end: u32,
    /// The last word that was taken for an alias because it could be one.
    last_alias: Span,
    /// Levels that are open around the current token.
    depth: u32,
    /// Levels of the highest piece of tree that was finished inside the innermost open level.
    height: u32,
    /// The parentheses that were looked into last; see [`Parser::parentheses`].
    looked_into: Option<Parentheses>,
}

/// A run of opening parentheses, and what stands behind it.
#[derive(Clone, Copy)]
pub(crate) struct Parentheses {
    first: u32,
    last: u32,
    /// The token behind the run.
    pub(crate) inner: TokenKind,
    /// The token behind that one.
    pub(crate) after_inner: TokenKind,
}

/// A place to go back to; see [`Parser::checkpoint`].
#[derive(Clone, Copy)]
pub(crate) struct Checkpoint {
    offset: u32,
    last_end: u32,
    depth: u32,
}

impl<'a> Parser<'a> {
    pub(crate) fn new(arena: &'a Arena, source: &'a str, settings: ParserSettings) -> Self {
        let lexer_settings =
            LexerSettings { version: settings.version, quoted_identifiers: settings.quoted_identifiers };
        let mut parser = Self {
            arena,
            source,
            settings,
            lexer: Lexer::new(source).with_settings(lexer_settings),
            window: Vec::with_capacity(BATCH),
            position: 0,
            current: Token { kind: TokenKind::Eof, span: Span::default() },
            last_end: 0,
            last_alias: Span::default(),
            depth: 0,
            height: 0,
            looked_into: None,
        };
        parser.load_current();
        parser
    }

    /// Reads one thing that fills the whole text, but for a `;` at its end.
    pub(crate) fn whole<T>(&mut self, rule: impl FnOnce(&mut Self) -> Parse<T>) -> Result<T, Diagnostic> {
        let read = rule(self).map_err(|diagnostic| *diagnostic)?;
        while self.takes_extensions() && self.eat(TokenKind::Semicolon) {}
        match self.current.kind {
            TokenKind::Eof => Ok(read),
            _ => Err(*super::mistake::expected_end(self)),
        }
    }

    pub(crate) const fn version(&self) -> HiveVersion {
        self.settings.version
    }

    // Looking.

    /// The kind of the next token.
    #[inline]
    pub(crate) const fn kind(&self) -> TokenKind {
        self.current.kind
    }

    /// The next token.
    #[inline]
    pub(crate) const fn token(&self) -> Token {
        self.current
    }

    /// The keyword that stands next, reserved or not. Words that the version does not know are none.
    #[inline]
    pub(crate) const fn keyword(&self) -> Option<Keyword> {
        match self.current.kind {
            TokenKind::Keyword(keyword) => Some(keyword),
            _ => None,
        }
    }

    #[inline]
    pub(crate) fn at(&self, kind: TokenKind) -> bool {
        self.current.kind == kind
    }

    #[inline]
    pub(crate) fn at_keyword(&self, keyword: Keyword) -> bool {
        self.current.kind == TokenKind::Keyword(keyword)
    }

    /// The kind of the token `ahead` places behind the next one: `peek(0)` is [`Self::kind`].
    pub(crate) fn peek(&mut self, ahead: usize) -> TokenKind {
        let index = self.position + ahead;
        while self.window.len() <= index {
            if self.window.last().is_some_and(|token| token.kind == TokenKind::Eof) {
                return TokenKind::Eof;
            }
            self.read_batch();
        }
        self.window.get(index).map_or(TokenKind::Eof, |token| token.kind)
    }

    pub(crate) fn peek_keyword(&mut self, ahead: usize) -> Option<Keyword> {
        match self.peek(ahead) {
            TokenKind::Keyword(keyword) => Some(keyword),
            _ => None,
        }
    }

    /// Do these keywords stand next, in this order?
    pub(crate) fn at_keywords(&mut self, keywords: &[Keyword]) -> bool {
        keywords.iter().enumerate().all(|(ahead, &keyword)| self.peek(ahead) == TokenKind::Keyword(keyword))
    }

    /// Looks into the parentheses that open here, past all that open directly behind them, as far as
    /// anything may nest. Looking again from inside the same run costs nothing.
    pub(crate) fn parentheses(&mut self) -> Parentheses {
        let start = self.start();
        if let Some(known) = self.looked_into.filter(|run| run.first <= start && start <= run.last) {
            return known;
        }
        let mut length = 0;
        while length <= MAXIMUM_DEPTH as usize && self.peek(length) == TokenKind::LeftParenthesis {
            length += 1;
        }
        let last = self.window.get(self.position + length.saturating_sub(1)).map_or(start, |t| t.span.start);
        let run =
            Parentheses { first: start, last, inner: self.peek(length), after_inner: self.peek(length + 1) };
        self.looked_into = Some(run);
        run
    }

    /// What the next token says.
    pub(crate) fn text(&self) -> &'a str {
        self.current.span.text(self.source)
    }

    /// Where the next token starts.
    #[inline]
    pub(crate) const fn start(&self) -> u32 {
        self.current.span.start
    }

    /// Has nothing been taken yet?
    pub(crate) const fn is_at_start(&self) -> bool {
        self.last_end == 0
    }

    /// From `start` to the end of what was taken last.
    #[inline]
    pub(crate) fn since(&self, start: u32) -> Location {
        Location(Span::new(start, self.last_end.max(start)))
    }

    /// The text from `start` to the end of what was taken last.
    pub(crate) fn text_since(&self, start: u32) -> &'a str {
        self.since(start).0.text(self.source)
    }

    // Taking.

    /// Takes the next token, whatever it is.
    #[inline]
    pub(crate) fn bump(&mut self) -> Token {
        let taken = self.current;
        if taken.kind != TokenKind::Eof {
            self.last_end = taken.span.end;
            self.position += 1;
            self.load_current();
        }
        taken
    }

    /// Takes the next token if it is of this kind.
    #[inline]
    pub(crate) fn eat(&mut self, kind: TokenKind) -> bool {
        let fits = self.current.kind == kind;
        if fits {
            self.bump();
        }
        fits
    }

    #[inline]
    pub(crate) fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        self.eat(TokenKind::Keyword(keyword))
    }

    /// Takes all of these keywords if they stand next in this order, else none.
    pub(crate) fn eat_keywords(&mut self, keywords: &[Keyword]) -> bool {
        let fits = self.at_keywords(keywords);
        if fits {
            for _ in keywords {
                self.bump();
            }
        }
        fits
    }

    /// Takes a token of this kind or fails, naming `what` was expected.
    pub(crate) fn expect(&mut self, kind: TokenKind, what: &str) -> Parse<Token> {
        if self.at(kind) { Ok(self.bump()) } else { Err(self.unexpected(what)) }
    }

    pub(crate) fn expect_keyword(&mut self, keyword: Keyword) -> Parse<Token> {
        if self.at_keyword(keyword) { Ok(self.bump()) } else { Err(self.expected_keywords(&[keyword])) }
    }

    pub(crate) fn expect_keywords(&mut self, keywords: &[Keyword]) -> Parse<()> {
        keywords.iter().try_for_each(|&keyword| self.expect_keyword(keyword).map(drop))
    }

    // Repeating and nesting.

    /// Reads `item, item, ...`, one at least.
    pub(crate) fn comma_list<T: Copy>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Parse<T>,
    ) -> Parse<&'a [T]> {
        let first = item(self)?;
        if self.at(TokenKind::Comma) { self.more_of_list(first, item) } else { Ok(self.arena.list(&[first])) }
    }

    /// The rest of a list, in a frame of its own: most lists that nest have one item.
    fn more_of_list<T: Copy>(
        &mut self,
        first: T,
        mut item: impl FnMut(&mut Self) -> Parse<T>,
    ) -> Parse<&'a [T]> {
        let mut items = vec![first];
        while self.eat(TokenKind::Comma) {
            items.push(item(self)?);
        }
        Ok(self.arena.list(&items))
    }

    /// Reads `( inner )`.
    pub(crate) fn parenthesized<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        self.expect(TokenKind::LeftParenthesis, "`(`")?;
        let read = inner(self)?;
        self.expect(TokenKind::RightParenthesis, "`)`")?;
        Ok(read)
    }

    /// Reads `(item, item, ...)`, one item at least.
    pub(crate) fn parenthesized_list<T: Copy>(
        &mut self,
        item: impl FnMut(&mut Self) -> Parse<T>,
    ) -> Parse<&'a [T]> {
        self.parenthesized(|parser| parser.comma_list(item))
    }

    /// Reads something one level deeper, unless that is too deep. Every rule that can come back to
    /// itself goes through here.
    pub(crate) fn nested<T>(&mut self, rule: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        self.nested_by(1, rule)
    }

    /// As [`Self::nested`], for a rule that takes as much stack as so many plain ones.
    pub(crate) fn nested_by<T>(&mut self, levels: u32, rule: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth + levels > MAXIMUM_DEPTH {
            return Err(self.too_deep());
        }
        self.depth += levels;
        let beside = std::mem::take(&mut self.height);
        let read = rule(self);
        self.depth -= levels;
        self.height = beside.max(self.height + levels);
        read
    }

    /// Counts a node that is put around what was just read, as in `a[0][0][0]`: such a tree grows in
    /// depth, although reading it does not.
    pub(crate) fn grow(&mut self) -> Parse<()> {
        self.height += 1;
        if self.depth + self.height > MAXIMUM_DEPTH { Err(self.too_deep()) } else { Ok(()) }
    }

    /// Remembers that the word just taken is an alias by its place only: it may be a misspelt keyword.
    pub(crate) fn note_alias(&mut self, alias: Span) {
        self.last_alias = alias;
    }

    /// The alias in front of the next token, if it was taken as [`Self::note_alias`] says.
    pub(crate) fn alias_before(&self) -> Option<&'a str> {
        let is_last = self.last_alias.end == self.last_end && !self.last_alias.is_empty();
        is_last.then(|| self.last_alias.text(self.source))
    }

    /// The kind of the token behind the next one, if that was read already.
    pub(crate) fn known_next(&self) -> Option<TokenKind> {
        self.window.get(self.position + 1).map(|token| token.kind)
    }

    // Going back.

    /// Remembers this place, for the few rules that cannot tell by looking ahead.
    pub(crate) const fn checkpoint(&self) -> Checkpoint {
        Checkpoint { offset: self.current.span.start, last_end: self.last_end, depth: self.depth }
    }

    /// Goes back to a place. What was read since is read again.
    pub(crate) fn rewind(&mut self, checkpoint: Checkpoint) {
        self.last_end = checkpoint.last_end;
        self.depth = checkpoint.depth;
        let found = self.window.iter().rposition(|token| token.span.start == checkpoint.offset);
        if let Some(index) = found {
            self.position = index;
        } else {
            self.lexer = Lexer::at(self.source, checkpoint.offset).with_settings(self.lexer.settings());
            self.window.clear();
            self.position = 0;
        }
        self.load_current();
    }

    /// Drops tokens that lie far behind. Called between the rows and elements of long lists.
    pub(crate) fn forget_consumed(&mut self) {
        if self.position > KEPT_BEHIND {
            self.window.drain(..self.position);
            self.position = 0;
        }
    }

    // Saying what is wrong.

    #[cold]
    fn too_deep(&self) -> Box<Diagnostic> {
        Box::new(
            Diagnostic::error(
                DiagnosticCode::LIMIT,
                self.current.span,
                format!("the statement nests deeper than {MAXIMUM_DEPTH} levels"),
            )
            .with_hint("split it with a view, a common table expression or a temporary table"),
        )
    }

    /// The next token does not fit; `what` would.
    #[cold]
    pub(crate) fn unexpected(&self, what: &str) -> Box<Diagnostic> {
        super::mistake::unexpected(self, what)
    }

    /// The next token does not fit; one of these keywords would.
    #[cold]
    pub(crate) fn expected_keywords(&self, keywords: &[Keyword]) -> Box<Diagnostic> {
        super::mistake::expected_keywords(self, keywords)
    }

    /// The next token does not fit; one of these keywords would, which `what` sums up.
    #[cold]
    pub(crate) fn expected_among(&self, what: &str, keywords: &[Keyword]) -> Box<Diagnostic> {
        super::mistake::expected_among(self, what, keywords)
    }

    /// The statement belongs to Hive `last` and before.
    #[cold]
    pub(crate) fn gone_since(&self, what: &str, last: HiveVersion, span: Span) -> Box<Diagnostic> {
        super::mistake::gone_since(self, what, last, span)
    }

    /// Fails where the version does not know what starts at `start` yet.
    pub(crate) fn requires(&self, since: HiveVersion, what: &str, start: u32) -> Parse<()> {
        if self.version() >= since {
            return Ok(());
        }
        let end = self.current.span.end.max(start);
        Err(self.needs_version(what, since, Span::new(start, end)))
    }

    /// The statement belongs to Hive `since` and later.
    #[cold]
    pub(crate) fn needs_version(&self, what: &str, since: HiveVersion, span: Span) -> Box<Diagnostic> {
        super::mistake::needs_version(self, what, since, span)
    }

    #[inline]
    fn load_current(&mut self) {
        if self.position >= self.window.len() {
            self.read_batch();
        }
        self.current = match self.window.get(self.position).or(self.window.last()) {
            Some(&token) => token,
            None => Token { kind: TokenKind::Eof, span: Span::at(self.last_end) },
        };
    }

    /// The lexer's next token; a word that only other versions know is a name like any other.
    #[inline]
    fn next_token(&mut self) -> Token {
        let mut token = self.lexer.next_token();
        if let TokenKind::Keyword(keyword) = token.kind
            && !self.settings.knows(keyword)
        {
            token.kind = TokenKind::Identifier;
        }
        token
    }

    fn read_batch(&mut self) {
        for _ in 0..BATCH {
            let token = self.next_token();
            self.window.push(token);
            if token.kind == TokenKind::Eof {
                break;
            }
        }
    }
}
