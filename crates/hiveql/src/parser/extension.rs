//! Words of the statements that Guardbee adds to Hive's.
//!
//! They are read in every version alike, so a word counts even where this version of Hive has no such
//! keyword.

use super::{Parse, Parser};
use crate::keyword::Keyword;
use crate::token::TokenKind;

impl Parser<'_> {
    pub(crate) fn at_word(&self, word: Keyword) -> bool {
        match self.kind() {
            TokenKind::Keyword(keyword) => keyword == word,
            TokenKind::Identifier => self.text().eq_ignore_ascii_case(word.as_str()),
            _ => false,
        }
    }

    pub(crate) fn eat_word(&mut self, word: Keyword) -> bool {
        let fits = self.at_word(word);
        if fits {
            self.bump();
        }
        fits
    }

    pub(crate) fn expect_word(&mut self, word: Keyword) -> Parse<()> {
        if self.eat_word(word) { Ok(()) } else { Err(self.expected_keywords(&[word])) }
    }

    /// Takes a word that is a keyword of no version.
    pub(crate) fn eat_text(&mut self, word: &str) -> bool {
        let fits = self.kind() == TokenKind::Identifier && self.text().eq_ignore_ascii_case(word);
        if fits {
            self.bump();
        }
        fits
    }
}
