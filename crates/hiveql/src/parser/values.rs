//! `VALUES`: rows of expressions, as many as fit into memory.

use guardbee_model::HiveVersion;

use super::{Parse, Parser};
use crate::keyword::{Keyword, Place};
use crate::token::TokenKind;
use crate::tree::{Expression, Identifier, RowBlock, Values};

/// How many cells a block of rows holds at least, unless it is the last one.
const CELLS_IN_BLOCK: usize = 4096;

/// The block that is being filled.
#[derive(Default)]
struct OpenBlock<'a> {
    cells: Vec<Expression<'a>>,
    row_ends: Vec<u32>,
}

impl<'a> Parser<'a> {
    /// `VALUES (...), ...` where it is a query of its own.
    pub(super) fn values_of_query(&mut self) -> Parse<Values<'a>> {
        if self.version() < HiveVersion::V4_0 {
            return Err(self.needs_version("`VALUES` as a query", HiveVersion::V4_0, self.token().span));
        }
        self.values()
    }

    /// `VALUES (...), (...)`.
    pub(super) fn values(&mut self) -> Parse<Values<'a>> {
        self.expect_keyword(Keyword::Values)?;
        let mut blocks = Vec::new();
        let mut block = OpenBlock::default();
        let names = self.first_row(&mut block)?;
        while self.eat(TokenKind::Comma) {
            if block.cells.len() >= CELLS_IN_BLOCK {
                blocks.push(self.close_block(&mut block));
            }
            self.row(&mut block)?;
            self.forget_consumed();
        }
        blocks.push(self.close_block(&mut block));
        Ok(Values { blocks: self.arena.list(&blocks), names })
    }

    fn close_block(&self, block: &mut OpenBlock<'a>) -> RowBlock<'a> {
        let closed =
            RowBlock { cells: self.arena.list(&block.cells), row_ends: self.arena.list(&block.row_ends) };
        block.cells.clear();
        block.row_ends.clear();
        closed
    }

    fn row(&mut self, block: &mut OpenBlock<'a>) -> Parse<()> {
        self.expect(TokenKind::LeftParenthesis, "`(`")?;
        block.cells.push(self.expression_or_default()?);
        while self.eat(TokenKind::Comma) {
            block.cells.push(self.expression_or_default()?);
        }
        self.close_row(block)
    }

    fn close_row(&mut self, block: &mut OpenBlock<'a>) -> Parse<()> {
        self.expect(TokenKind::RightParenthesis, "`)`")?;
        block.row_ends.push(u32::try_from(block.cells.len()).unwrap_or(u32::MAX));
        Ok(())
    }

    /// The first row, whose cells may have names from Hive 4 on.
    fn first_row(&mut self, block: &mut OpenBlock<'a>) -> Parse<&'a [Option<Identifier<'a>>]> {
        self.expect(TokenKind::LeftParenthesis, "`(`")?;
        let mut names = Vec::new();
        let mut has_name = false;
        loop {
            // `DEFAULT` is an expression like any other here.
            block.cells.push(self.expression()?);
            let name = if self.version() >= HiveVersion::V4_0 { self.cell_name() } else { None };
            has_name |= name.is_some();
            names.push(name);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.close_row(block)?;
        Ok(if has_name { self.arena.list(&names) } else { &[] })
    }

    /// `AS name`, `name`; Hive also takes `AS` alone.
    fn cell_name(&mut self) -> Option<Identifier<'a>> {
        self.eat_keyword(Keyword::As);
        self.at_identifier(Place::AsAlias).then(|| self.take_identifier())
    }
}
