//! Names, strings, properties and principals: the small things that all statements are made of.

use guardbee_model::HiveVersion;

use super::{Parse, Parser};
use crate::keyword::{Keyword, Place};
use crate::token::TokenKind;
use crate::tree::{
    Existence, Identifier, Literal, LiteralKind, Location, PrincipalKind, PrincipalName, Property,
    QualifiedName, StringLiteral,
};

impl<'a> Parser<'a> {
    /// May the next token be a name in this place?
    pub(crate) fn at_identifier(&self, place: Place) -> bool {
        match self.kind() {
            TokenKind::Identifier | TokenKind::QuotedIdentifier => true,
            TokenKind::Keyword(keyword) => keyword.may_name(self.version(), place),
            _ => false,
        }
    }

    /// May the token `ahead` places on be a name in this place?
    pub(crate) fn peek_identifier(&mut self, ahead: usize, place: Place) -> bool {
        match self.peek(ahead) {
            TokenKind::Identifier | TokenKind::QuotedIdentifier => true,
            TokenKind::Keyword(keyword) => keyword.may_name(self.version(), place),
            _ => false,
        }
    }

    /// Takes a name; `what` says which, as in "a table name".
    pub(crate) fn identifier(&mut self, place: Place, what: &str) -> Parse<Identifier<'a>> {
        if self.at_identifier(place) { Ok(self.take_identifier()) } else { Err(self.unexpected(what)) }
    }

    /// Takes the next token as a name, whatever it is.
    pub(crate) fn take_identifier(&mut self) -> Identifier<'a> {
        let raw = self.text();
        let token = self.bump();
        Identifier { raw, location: Location(token.span) }
    }

    /// `[db.]name`, with a third part where the version knows metadata tables.
    pub(crate) fn table_name(&mut self) -> Parse<QualifiedName<'a>> {
        self.qualified_name(Place::QualifiedTable, "a table name")
    }

    pub(crate) fn qualified_name(&mut self, place: Place, what: &str) -> Parse<QualifiedName<'a>> {
        let first = self.identifier(place, what)?;
        if !self.at(TokenKind::Dot) {
            return Ok(QualifiedName { database: None, name: first, meta: None });
        }
        self.bump();
        let second = self.identifier(place, what)?;
        let takes_meta = self.version() >= HiveVersion::V4_0 && self.at(TokenKind::Dot);
        let meta = if takes_meta {
            self.bump();
            Some(self.identifier(place, what)?)
        } else {
            None
        };
        Ok(QualifiedName { database: Some(first), name: second, meta })
    }

    /// `[db.]name`, never with a third part.
    pub(crate) fn two_part_name(&mut self, place: Place, what: &str) -> Parse<QualifiedName<'a>> {
        let first = self.identifier(place, what)?;
        if !self.eat(TokenKind::Dot) {
            return Ok(QualifiedName { database: None, name: first, meta: None });
        }
        let name = self.identifier(place, what)?;
        Ok(QualifiedName { database: Some(first), name, meta: None })
    }

    pub(crate) fn database_name(&mut self) -> Parse<Identifier<'a>> {
        self.identifier(Place::Database, "a database name")
    }

    /// One string literal; strings side by side make one.
    pub(crate) fn string(&mut self, what: &str) -> Parse<StringLiteral<'a>> {
        let token = self.expect(TokenKind::String, what)?;
        Ok(StringLiteral { raw: token.span.text(self.source), location: Location(token.span) })
    }

    /// A string or a number without a sign.
    pub(crate) fn string_or_number(&mut self, what: &str) -> Parse<Literal<'a>> {
        let kind = match self.kind() {
            TokenKind::String => LiteralKind::String,
            TokenKind::Integer => LiteralKind::Integer,
            TokenKind::Decimal => LiteralKind::Number,
            _ => return Err(self.unexpected(what)),
        };
        Ok(Literal { kind, raw: self.bump().span.text(self.source) })
    }

    /// `('key'='value', ...)`.
    pub(crate) fn properties(&mut self) -> Parse<&'a [Property<'a>]> {
        self.parenthesized_list(|parser| {
            let key = parser.string("a property name in quotes")?;
            parser.expect(TokenKind::Equal, "`=`")?;
            let value = Some(parser.string("a property value in quotes")?);
            Ok(Property { key, value })
        })
    }

    /// `('key', ...)`, as `UNSET` takes them.
    pub(crate) fn property_keys(&mut self) -> Parse<&'a [Property<'a>]> {
        self.parenthesized_list(|parser| {
            Ok(Property { key: parser.string("a property name in quotes")?, value: None })
        })
    }

    /// `IF NOT EXISTS`, where it stands.
    pub(crate) fn if_not_exists(&mut self) -> Existence {
        if self.eat_keywords(&[Keyword::If, Keyword::Not, Keyword::Exists]) {
            Existence::Tolerated
        } else {
            Existence::Required
        }
    }

    /// `IF EXISTS`, where it stands.
    pub(crate) fn if_exists(&mut self) -> Existence {
        if self.eat_keywords(&[Keyword::If, Keyword::Exists]) {
            Existence::Tolerated
        } else {
            Existence::Required
        }
    }

    /// `USER u`, `GROUP g`, `ROLE r`. Beside Hive, names may stand in quotes and the kind may be missing.
    pub(crate) fn principal(&mut self) -> Parse<PrincipalName<'a>> {
        let kind = match self.keyword() {
            Some(Keyword::User) => Some(PrincipalKind::User),
            Some(Keyword::Group) => Some(PrincipalKind::Group),
            Some(Keyword::Role) if self.peek_principal(1) => Some(PrincipalKind::Role),
            _ if self.takes_extensions() => None,
            _ => return Err(self.expected_keywords(&[Keyword::User, Keyword::Group, Keyword::Role])),
        };
        if kind.is_some() {
            self.bump();
        }
        let name = if self.takes_extensions() && self.at(TokenKind::String) {
            self.take_identifier()
        } else {
            self.identifier(Place::User, "a principal name")?
        };
        Ok(PrincipalName { kind, name })
    }

    fn peek_principal(&mut self, ahead: usize) -> bool {
        self.peek_identifier(ahead, Place::User)
            || (self.takes_extensions() && self.peek(ahead) == TokenKind::String)
    }
}
