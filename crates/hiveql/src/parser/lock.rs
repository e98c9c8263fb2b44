//! `LOCK`, `UNLOCK`, `ABORT`, `KILL QUERY`.

use guardbee_model::HiveVersion;

use super::{Parse, Parser};
use crate::keyword::Keyword;
use crate::token::TokenKind;
use crate::tree::{Abort, Identifier, Lock, LockMode, Statement};

impl<'a> Parser<'a> {
    pub(crate) fn lock_statement(&mut self) -> Parse<Statement<'a>> {
        self.expect_keyword(Keyword::Lock)?;
        let lock = if self.eat_keyword(Keyword::Table) {
            Lock::Table {
                table: self.table_name()?,
                partition: self.optional_partition()?,
                mode: self.lock_mode()?,
            }
        } else {
            Lock::Database { database: self.locked_database()?, mode: self.lock_mode()? }
        };
        Ok(Statement::Lock(self.arena.alloc(lock)))
    }

    pub(crate) fn unlock_statement(&mut self) -> Parse<Statement<'a>> {
        self.expect_keyword(Keyword::Unlock)?;
        let lock = if self.eat_keyword(Keyword::Table) {
            Lock::UnlockTable { table: self.table_name()?, partition: self.optional_partition()? }
        } else {
            Lock::UnlockDatabase(self.locked_database()?)
        };
        Ok(Statement::Lock(self.arena.alloc(lock)))
    }

    fn locked_database(&mut self) -> Parse<Identifier<'a>> {
        if !self.eat_keyword(Keyword::Database) && !self.eat_keyword(Keyword::Schema) {
            return Err(self.expected_keywords(&[Keyword::Table, Keyword::Database]));
        }
        self.locked_database_name()
    }

    /// Hive 2.3 takes no keyword as this name, reserved or not.
    pub(super) fn locked_database_name(&mut self) -> Parse<Identifier<'a>> {
        if self.version() == HiveVersion::V2_3 && self.keyword().is_some() {
            return Err(self.unexpected("a database name"));
        }
        self.database_name()
    }

    fn lock_mode(&mut self) -> Parse<LockMode> {
        if self.eat_keyword(Keyword::Shared) {
            return Ok(LockMode::Shared);
        }
        if self.eat_keyword(Keyword::Exclusive) {
            return Ok(LockMode::Exclusive);
        }
        Err(self.expected_keywords(&[Keyword::Shared, Keyword::Exclusive]))
    }

    pub(crate) fn abort_statement(&mut self) -> Parse<Statement<'a>> {
        self.expect_keyword(Keyword::Abort)?;
        let knows_compactions = self.version() >= HiveVersion::V4_0;
        let abort = if self.eat_keyword(Keyword::Transactions) {
            Abort::Transactions(self.numbers("the number of a transaction")?)
        } else if knows_compactions && self.eat_keyword(Keyword::Compactions) {
            Abort::Compactions(self.numbers("the number of a compaction")?)
        } else {
            return Err(self.expected_keywords(&[Keyword::Transactions, Keyword::Compactions]));
        };
        Ok(Statement::Abort(abort))
    }

    /// Numbers with nothing between them, one at least.
    fn numbers(&mut self, what: &str) -> Parse<&'a [&'a str]> {
        let mut numbers = vec![self.number(what)?];
        while matches!(self.kind(), TokenKind::Integer | TokenKind::Decimal) {
            numbers.push(self.number(what)?);
        }
        Ok(self.arena.list(&numbers))
    }

    pub(crate) fn kill_statement(&mut self) -> Parse<Statement<'a>> {
        self.expect_keywords(&[Keyword::Kill, Keyword::Query])?;
        let what = "the id of a query in quotes";
        let mut queries = vec![self.string(what)?];
        while self.at(TokenKind::String) {
            queries.push(self.string(what)?);
        }
        Ok(Statement::Abort(Abort::KillQuery(self.arena.list(&queries))))
    }
}
