//! How rows are written as text.

use super::{Parse, Parser};
use crate::keyword::Keyword;
use crate::tree::{DelimitedFormat, RowFormatting, StringLiteral};

impl<'a> Parser<'a> {
    /// `ROW FORMAT SERDE '...'`, `ROW FORMAT DELIMITED ...`, where one of them stands.
    pub(crate) fn row_format(&mut self) -> Parse<RowFormatting<'a>> {
        if !self.eat_keyword(Keyword::Row) {
            return Ok(RowFormatting::Unspecified);
        }
        self.expect_keyword(Keyword::Format)?;
        match self.keyword() {
            Some(Keyword::Serde) => self.serde_format(),
            Some(Keyword::Delimited) => self.delimited_format(),
            _ => Err(self.expected_keywords(&[Keyword::Serde, Keyword::Delimited])),
        }
    }

    fn serde_format(&mut self) -> Parse<RowFormatting<'a>> {
        self.bump();
        let class = self.string("a class name in quotes")?;
        let properties = self.optional_serde_properties()?;
        Ok(RowFormatting::Serde { class, properties })
    }

    /// Every part may be left out, but their order is fixed.
    fn delimited_format(&mut self) -> Parse<RowFormatting<'a>> {
        self.bump();
        let fields = self.terminator(&[Keyword::Fields])?;
        let fields_escaped = if fields.is_some() && self.eat_keyword(Keyword::Escaped) {
            self.expect_keyword(Keyword::By)?;
            Some(self.string("a character in quotes")?)
        } else {
            None
        };
        let collection_items = self.terminator(&[Keyword::Collection, Keyword::Items])?;
        let map_keys = self.terminator(&[Keyword::Map, Keyword::Keys])?;
        let lines = self.terminator(&[Keyword::Lines])?;
        let null_as = self.null_text()?;
        let format = DelimitedFormat { fields, fields_escaped, collection_items, map_keys, lines, null_as };
        Ok(RowFormatting::Delimited(self.arena.alloc(format)))
    }

    /// `words TERMINATED BY '...'`, where it stands.
    fn terminator(&mut self, words: &[Keyword]) -> Parse<Option<StringLiteral<'a>>> {
        if self.peek_keyword(words.len()) != Some(Keyword::Terminated) || !self.eat_keywords(words) {
            return Ok(None);
        }
        self.expect_keywords(&[Keyword::Terminated, Keyword::By])?;
        self.string("a character in quotes").map(Some)
    }

    /// `NULL DEFINED AS '...'`, where it stands.
    fn null_text(&mut self) -> Parse<Option<StringLiteral<'a>>> {
        if !self.eat_keywords(&[Keyword::Null, Keyword::Defined]) {
            return Ok(None);
        }
        self.expect_keyword(Keyword::As)?;
        self.string("a text in quotes").map(Some)
    }
}
