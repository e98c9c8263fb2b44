//! Queries.

use super::{Parse, Parser};
use crate::tree::Query;

impl<'a> Parser<'a> {
    pub(crate) fn query(&mut self) -> Parse<&'a Query<'a>> {
        Err(self.unexpected("a query"))
    }
}
