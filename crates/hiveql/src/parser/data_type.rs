//! Data types.

use super::{Parse, Parser};
use crate::tree::DataType;

impl<'a> Parser<'a> {
    pub(crate) fn data_type(&mut self) -> Parse<DataType<'a>> {
        Err(self.unexpected("a data type"))
    }
}
