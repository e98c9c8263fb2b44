//! `CREATE FUNCTION`, `CREATE TEMPORARY MACRO`, `RELOAD FUNCTIONS`.

use guardbee_model::HiveVersion;

use super::{Parse, Parser};
use crate::keyword::{Keyword, Place};
use crate::token::TokenKind;
use crate::tree::{
    CreateFunction, CreateMacro, FunctionResource, Identifier, ResourceKind, SourceText, Statement,
};

impl<'a> Parser<'a> {
    pub(super) fn create_function(&mut self) -> Parse<Statement<'a>> {
        self.bump();
        let temporary = self.eat_keyword(Keyword::Temporary);
        self.expect_keyword(Keyword::Function)?;
        let name = self.two_part_name(Place::Table, "a function name")?;
        self.expect_keyword(Keyword::As)?;
        let class = self.string("a class name in quotes")?;
        let resources =
            if self.eat_keyword(Keyword::Using) { self.comma_list(Self::function_resource)? } else { &[] };
        let create = CreateFunction { temporary, name, class, resources };
        Ok(Statement::CreateFunction(self.arena.alloc(create)))
    }

    fn function_resource(&mut self) -> Parse<FunctionResource<'a>> {
        let kind = match self.keyword() {
            Some(Keyword::Jar) => ResourceKind::Jar,
            Some(Keyword::File) => ResourceKind::File,
            Some(Keyword::Archive) => ResourceKind::Archive,
            _ => return Err(self.expected_keywords(&[Keyword::Jar, Keyword::File, Keyword::Archive])),
        };
        self.bump();
        Ok(FunctionResource { kind, uri: self.string("the place of a resource in quotes")? })
    }

    pub(super) fn create_macro(&mut self) -> Parse<Statement<'a>> {
        self.bump();
        self.expect_keywords(&[Keyword::Temporary, Keyword::Macro])?;
        let name = self.macro_name()?;
        let parameters = self.parenthesized(|parser| {
            if parser.at(TokenKind::RightParenthesis) { Ok(&[][..]) } else { parser.comma_list(Self::column) }
        })?;
        let start = self.start();
        let body = self.expression()?;
        let body_text = SourceText(self.text_since(start));
        let create = CreateMacro { name, parameters, body, body_text };
        Ok(Statement::CreateMacro(self.arena.alloc(create)))
    }

    /// No keyword may name a macro, not even one that may name all else.
    pub(super) fn macro_name(&mut self) -> Parse<Identifier<'a>> {
        match self.kind() {
            TokenKind::Identifier | TokenKind::QuotedIdentifier => Ok(self.take_identifier()),
            _ => Err(self.unexpected("a macro name")),
        }
    }

    pub(crate) fn reload_statement(&mut self) -> Parse<Statement<'a>> {
        self.expect_keyword(Keyword::Reload)?;
        let takes_plural = self.version() >= HiveVersion::V4_0;
        match self.keyword() {
            Some(Keyword::Function) => {}
            Some(Keyword::Functions) if takes_plural => {}
            _ if takes_plural => {
                return Err(self.expected_keywords(&[Keyword::Functions, Keyword::Function]));
            }
            _ => return Err(self.expected_keywords(&[Keyword::Function])),
        }
        self.bump();
        Ok(Statement::ReloadFunctions)
    }
}
