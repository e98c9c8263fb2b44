//! `DESCRIBE`.

use guardbee_model::HiveVersion;

use super::{Parse, Parser};
use crate::keyword::{Keyword, Place};
use crate::token::TokenKind;
use crate::tree::{Describe, DescribedFunction, Detail, Identifier, Statement};

impl<'a> Parser<'a> {
    pub(crate) fn describe_statement(&mut self) -> Parse<Statement<'a>> {
        self.bump();
        let described = self.described()?;
        Ok(Statement::Describe(self.arena.alloc(described)))
    }

    fn described(&mut self) -> Parse<Describe<'a>> {
        match self.keyword() {
            Some(Keyword::Database) => {
                let (extended, name) = self.described_name("a database name")?;
                Ok(Describe::Database { extended, name })
            }
            Some(Keyword::Schema) if self.at_word_before_name() => {
                let (extended, name) = self.described_name("a database name")?;
                Ok(Describe::Database { extended, name })
            }
            Some(Keyword::Catalog) if self.at_word_before_name() => {
                let (extended, name) = self.described_name("a catalog name")?;
                Ok(Describe::Catalog { extended, name })
            }
            Some(Keyword::Dataconnector) if self.at_word_before_name() => {
                let (extended, name) = self.described_name("a connector name")?;
                Ok(Describe::DataConnector { extended, name })
            }
            Some(Keyword::Function) => self.described_function(),
            _ => self.described_table(),
        }
    }

    /// Does the next word say what kind of thing is named behind it? Else it is itself a name.
    fn at_word_before_name(&mut self) -> bool {
        self.peek_keyword(1) == Some(Keyword::Extended) || self.peek_identifier(1, Place::Database)
    }

    /// `word [EXTENDED] name`.
    fn described_name(&mut self, what: &str) -> Parse<(bool, Identifier<'a>)> {
        self.bump();
        let extended = self.eat_keyword(Keyword::Extended);
        Ok((extended, self.identifier(Place::Database, what)?))
    }

    fn described_function(&mut self) -> Parse<Describe<'a>> {
        self.bump();
        let extended = self.eat_keyword(Keyword::Extended);
        let start = self.start();
        if self.at_operator_or_string() {
            self.bump();
        } else {
            self.two_part_name(Place::Database, "a function name")?;
        }
        let location = self.since(start);
        let name = DescribedFunction { raw: self.text_since(start), location };
        Ok(Describe::Function { extended, name })
    }

    /// Is the next token a function that goes by an operator, by a reserved word or by a string?
    fn at_operator_or_string(&self) -> bool {
        match self.kind() {
            TokenKind::String
            | TokenKind::Equal
            | TokenKind::NullSafeEqual
            | TokenKind::NotEqual
            | TokenKind::LessOrEqual
            | TokenKind::Less
            | TokenKind::GreaterOrEqual
            | TokenKind::Greater
            | TokenKind::Slash
            | TokenKind::Plus
            | TokenKind::Minus
            | TokenKind::Star
            | TokenKind::Percent
            | TokenKind::Ampersand
            | TokenKind::Tilde
            | TokenKind::Pipe
            | TokenKind::Caret => true,
            TokenKind::Keyword(keyword) => is_function_word(keyword),
            _ => false,
        }
    }

    fn described_table(&mut self) -> Parse<Describe<'a>> {
        let detail = self.detail();
        let table = self.table_name()?;
        let partition = self.optional_partition()?;
        let path = if self.at_identifier(Place::Column) { self.name_path("a column name")? } else { &[] };
        Ok(Describe::Table { detail, table, partition, path })
    }

    /// `EXTENDED`, `FORMATTED`, `PRETTY`; the last two are names where no name follows them.
    fn detail(&mut self) -> Option<Detail> {
        let detail = match self.keyword()? {
            Keyword::Extended => Detail::Extended,
            Keyword::Formatted if self.peek_identifier(1, Place::Table) => Detail::Formatted,
            Keyword::Pretty
                if self.version() == HiveVersion::V2_3 && self.peek_identifier(1, Place::Table) =>
            {
                Detail::Pretty
            }
            _ => return None,
        };
        self.bump();
        Some(detail)
    }

    /// `name.name...`.
    pub(crate) fn name_path(&mut self, what: &str) -> Parse<&'a [Identifier<'a>]> {
        let mut names = vec![self.identifier(Place::Column, what)?];
        while self.eat(TokenKind::Dot) {
            names.push(self.identifier(Place::Column, what)?);
        }
        Ok(self.arena.list(&names))
    }
}

/// The words that no function of a user's could bear and that Hive describes all the same.
const fn is_function_word(keyword: Keyword) -> bool {
    matches!(
        keyword,
        Keyword::And
            | Keyword::Or
            | Keyword::Not
            | Keyword::Like
            | Keyword::If
            | Keyword::Case
            | Keyword::When
            | Keyword::Floor
            | Keyword::Tinyint
            | Keyword::Smallint
            | Keyword::Int
            | Keyword::Bigint
            | Keyword::Float
            | Keyword::Double
            | Keyword::Real
            | Keyword::Boolean
            | Keyword::String
            | Keyword::Binary
            | Keyword::Array
            | Keyword::Map
            | Keyword::Struct
            | Keyword::Uniontype
            | Keyword::Rlike
            | Keyword::Regexp
            | Keyword::In
            | Keyword::Between
            | Keyword::Div
    )
}
