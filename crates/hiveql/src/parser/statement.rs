//! Which kind of statement it is.

use super::{Parse, Parser};
use crate::tree::Statement;

impl<'a> Parser<'a> {
    pub(crate) fn statement(&mut self) -> Parse<Statement<'a>> {
        Err(self.unexpected("a statement"))
    }
}
