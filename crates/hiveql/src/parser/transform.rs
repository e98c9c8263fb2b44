//! Scripts that rows are sent through.

use super::data_type::starts_type;
use super::{Parse, Parser};
use crate::keyword::{Keyword, Place};
use crate::token::TokenKind;
use crate::tree::{
    Expression, Identifier, Parentheses, ScriptColumn, StringLiteral, Transform, TransformOutput,
    TransformSpelling,
};

impl<'a> Parser<'a> {
    /// `TRANSFORM (a, b) USING '...'`.
    pub(super) fn select_transform(&mut self) -> Parse<&'a Transform<'a>> {
        self.bump();
        let arguments = self.parenthesized_list(Self::expression_or_star)?;
        self.transform_behind(TransformSpelling::SelectTransform, arguments)
    }

    /// `MAP a, b USING '...'`, `REDUCE a, b USING '...'`.
    pub(super) fn map_or_reduce(&mut self) -> Parse<&'a Transform<'a>> {
        let spelling = match self.keyword() {
            Some(Keyword::Map) => TransformSpelling::Map,
            Some(Keyword::Reduce) => TransformSpelling::Reduce,
            _ => return Err(self.expected_keywords(&[Keyword::Select, Keyword::Map, Keyword::Reduce])),
        };
        self.bump();
        let arguments = self.comma_list(Self::expression_or_star)?;
        self.transform_behind(spelling, arguments)
    }

    /// The rest, from the format of the script's input on.
    fn transform_behind(
        &mut self,
        spelling: TransformSpelling,
        arguments: &'a [Expression<'a>],
    ) -> Parse<&'a Transform<'a>> {
        let input_format = self.row_format()?;
        let record_writer = self.class_behind(Keyword::Recordwriter)?;
        self.expect_keyword(Keyword::Using)?;
        let command = self.string("a command in quotes")?;
        let output = self.transform_output()?;
        let output_format = self.row_format()?;
        let record_reader = self.class_behind(Keyword::Recordreader)?;
        Ok(self.arena.alloc(Transform {
            spelling,
            arguments,
            input_format,
            record_writer,
            command,
            output,
            output_format,
            record_reader,
        }))
    }

    fn class_behind(&mut self, word: Keyword) -> Parse<Option<StringLiteral<'a>>> {
        if self.eat_keyword(word) { self.string("a class name in quotes").map(Some) } else { Ok(None) }
    }

    fn transform_output(&mut self) -> Parse<TransformOutput<'a>> {
        if !self.eat_keyword(Keyword::As) {
            return Ok(TransformOutput::Default);
        }
        if self.at(TokenKind::LeftParenthesis) {
            self.parenthesized(|parser| parser.output_columns(Parentheses::Present))
        } else {
            self.output_columns(Parentheses::Absent)
        }
    }

    /// `a, b` or `a INT, b STRING`: types for all columns or for none.
    fn output_columns(&mut self, parenthesized: Parentheses) -> Parse<TransformOutput<'a>> {
        let first = self.output_name()?;
        if !self.at_output_type() {
            let mut names = vec![first];
            while self.eat(TokenKind::Comma) {
                names.push(self.output_name()?);
            }
            return Ok(TransformOutput::Names { names: self.arena.list(&names), parenthesized });
        }
        let mut columns = vec![self.typed_output(first)?];
        while self.eat(TokenKind::Comma) {
            let name = self.output_name()?;
            columns.push(self.typed_output(name)?);
        }
        Ok(TransformOutput::Typed { columns: self.arena.list(&columns), parenthesized })
    }

    fn output_name(&mut self) -> Parse<Identifier<'a>> {
        self.identifier(Place::Column, "a column name")
    }

    /// The rest of a column whose name is read.
    fn typed_output(&mut self, name: Identifier<'a>) -> Parse<ScriptColumn<'a>> {
        let data_type = self.data_type()?;
        let comment =
            if self.eat_keyword(Keyword::Comment) { Some(self.string("a comment in quotes")?) } else { None };
        Ok(ScriptColumn { name, data_type, comment })
    }

    /// Does anything but the end of the column list stand here? Every word that names a type is no name of a
    /// clause, `MAP` apart.
    fn at_output_type(&mut self) -> bool {
        match self.keyword() {
            Some(Keyword::Map) => self.peek(1) == TokenKind::Less,
            Some(keyword) => starts_type(keyword),
            None => false,
        }
    }
}
