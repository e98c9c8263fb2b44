//! Transactions, and what starts with `SET`.

use super::{Parse, Parser};
use crate::keyword::Keyword;
use crate::token::TokenKind;
use crate::tree::{Statement, Transaction, TransactionMode};

impl<'a> Parser<'a> {
    pub(crate) fn start_transaction_statement(&mut self) -> Parse<Statement<'a>> {
        self.expect_keywords(&[Keyword::Start, Keyword::Transaction])?;
        let has_modes = self.at_keyword(Keyword::Read) || self.at_keyword(Keyword::Isolation);
        let modes = if has_modes { self.comma_list(Self::transaction_mode)? } else { &[] };
        Ok(Statement::Transaction(Transaction::Start(modes)))
    }

    fn transaction_mode(&mut self) -> Parse<TransactionMode> {
        if self.eat_keyword(Keyword::Isolation) {
            self.expect_keywords(&[Keyword::Level, Keyword::Snapshot])?;
            return Ok(TransactionMode::IsolationSnapshot);
        }
        self.expect_keyword(Keyword::Read)?;
        if self.eat_keyword(Keyword::Only) {
            return Ok(TransactionMode::ReadOnly);
        }
        if self.eat_keyword(Keyword::Write) {
            return Ok(TransactionMode::ReadWrite);
        }
        Err(self.expected_keywords(&[Keyword::Only, Keyword::Write]))
    }

    pub(crate) fn commit_statement(&mut self) -> Parse<Statement<'a>> {
        self.expect_keyword(Keyword::Commit)?;
        let work = self.eat_keyword(Keyword::Work);
        Ok(Statement::Transaction(Transaction::Commit { work }))
    }

    pub(crate) fn rollback_statement(&mut self) -> Parse<Statement<'a>> {
        self.expect_keyword(Keyword::Rollback)?;
        let work = self.eat_keyword(Keyword::Work);
        Ok(Statement::Transaction(Transaction::Rollback { work }))
    }

    /// `SET AUTOCOMMIT`, `SET ROLE`, and our own `SET TAG`. `SET key = value` is a client command.
    pub(crate) fn set_statement(&mut self) -> Parse<Statement<'a>> {
        self.expect_keyword(Keyword::Set)?;
        if self.eat_keyword(Keyword::Role) {
            return self.set_role();
        }
        if self.eat_keyword(Keyword::Autocommit) {
            return self.set_autocommit();
        }
        if self.takes_extensions() && self.eat_word(Keyword::Tag) {
            return self.set_tags();
        }
        let mut diagnostic = self.expected_keywords(&[Keyword::Role, Keyword::Autocommit]);
        if matches!(self.peek(1), TokenKind::Dot | TokenKind::Equal) {
            diagnostic.hint = Some("`SET key = value` is a command of the client, no statement".to_owned());
        }
        Err(diagnostic)
    }

    fn set_autocommit(&mut self) -> Parse<Statement<'a>> {
        let on = if self.eat_keyword(Keyword::True) {
            true
        } else if self.eat_keyword(Keyword::False) {
            false
        } else {
            return Err(self.expected_keywords(&[Keyword::True, Keyword::False]));
        };
        Ok(Statement::Transaction(Transaction::SetAutocommit(on)))
    }
}
