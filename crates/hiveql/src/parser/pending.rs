//! Statements whose rules are on their way; each moves to a file of its own.

use super::{Parse, Parser};
use crate::tree::{Expression, Limit, Statement};

impl<'a> Parser<'a> {
    pub(crate) fn update_statement(&mut self) -> Parse<Statement<'a>> {
        Err(self.unexpected("another statement"))
    }

    pub(crate) fn delete_statement(&mut self) -> Parse<Statement<'a>> {
        Err(self.unexpected("another statement"))
    }

    pub(crate) fn merge_statement(&mut self) -> Parse<Statement<'a>> {
        Err(self.unexpected("another statement"))
    }

    /// `WHERE condition`, where it stands.
    pub(crate) fn optional_where(&mut self) -> Parse<Option<Expression<'a>>> {
        Ok(None)
    }

    /// `LIMIT n`, where it stands.
    pub(crate) fn optional_limit(&mut self) -> Parse<Option<Limit<'a>>> {
        Ok(None)
    }
}
