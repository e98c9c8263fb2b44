//! Queries.

use super::{Parse, Parser};
use crate::tree::Query;

impl<'a> Parser<'a> {
    pub(crate) fn query(&mut self) -> Parse<&'a Query<'a>> {
        Err(self.unexpected("a query"))
    }

    pub(crate) fn select_statement(&mut self) -> Parse<&'a Query<'a>> {
        Err(self.unexpected("a query"))
    }

    pub(super) fn select_statement_from(&mut self, _: &'a Query<'a>, _: u32) -> Parse<&'a Query<'a>> {
        Err(self.unexpected("a query"))
    }

    pub(super) fn at_behind_query(&mut self) -> bool {
        false
    }
}
