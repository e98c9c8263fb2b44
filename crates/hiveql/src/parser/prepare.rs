//! Prepared statements.

use super::{Parse, Parser};
use crate::keyword::{Keyword, Place};
use crate::tree::{Execute, Prepare, SourceText, Statement};

impl<'a> Parser<'a> {
    pub(crate) fn prepare_statement(&mut self) -> Parse<Statement<'a>> {
        self.expect_keyword(Keyword::Prepare)?;
        let name = self.identifier(Place::Database, "the name of the prepared statement")?;
        self.expect_keyword(Keyword::From)?;
        let start = self.start();
        let query = self.query()?;
        let query_text = SourceText(self.text_since(start));
        Ok(Statement::Prepare(self.arena.alloc(Prepare { name, query, query_text })))
    }

    pub(crate) fn execute_statement(&mut self) -> Parse<Statement<'a>> {
        self.expect_keyword(Keyword::Execute)?;
        let name = self.identifier(Place::Database, "the name of a prepared statement")?;
        self.expect_keyword(Keyword::Using)?;
        let arguments = self.comma_list(Self::constant)?;
        Ok(Statement::Execute(self.arena.alloc(Execute { name, arguments })))
    }
}
