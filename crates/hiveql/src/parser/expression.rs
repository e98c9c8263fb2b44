//! Expressions.

use super::{Parse, Parser};
use crate::tree::Expression;

impl<'a> Parser<'a> {
    pub(crate) fn expression(&mut self) -> Parse<Expression<'a>> {
        Err(self.unexpected("an expression"))
    }
}
