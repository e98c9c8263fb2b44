//! Statements whose rules are on their way; each moves to a file of its own.

use super::{Parse, Parser};
use crate::tree::{Call, Expression, Limit, PartitionSpecification, RowFormatting, SortKey, Statement};

impl<'a> Parser<'a> {
    pub(crate) fn explain_statement(&mut self) -> Parse<Statement<'a>> {
        Err(self.unexpected("another statement"))
    }

    pub(crate) fn update_statement(&mut self) -> Parse<Statement<'a>> {
        Err(self.unexpected("another statement"))
    }

    pub(crate) fn delete_statement(&mut self) -> Parse<Statement<'a>> {
        Err(self.unexpected("another statement"))
    }

    pub(crate) fn merge_statement(&mut self) -> Parse<Statement<'a>> {
        Err(self.unexpected("another statement"))
    }

    pub(crate) fn start_transaction_statement(&mut self) -> Parse<Statement<'a>> {
        Err(self.unexpected("another statement"))
    }

    pub(crate) fn commit_statement(&mut self) -> Parse<Statement<'a>> {
        Err(self.unexpected("another statement"))
    }

    pub(crate) fn rollback_statement(&mut self) -> Parse<Statement<'a>> {
        Err(self.unexpected("another statement"))
    }

    pub(crate) fn prepare_statement(&mut self) -> Parse<Statement<'a>> {
        Err(self.unexpected("another statement"))
    }

    pub(crate) fn execute_statement(&mut self) -> Parse<Statement<'a>> {
        Err(self.unexpected("another statement"))
    }

    pub(crate) fn replication_statement(&mut self) -> Parse<Statement<'a>> {
        Err(self.unexpected("another statement"))
    }

    pub(crate) fn show_statement(&mut self) -> Parse<Statement<'a>> {
        Err(self.unexpected("another statement"))
    }

    pub(crate) fn describe_statement(&mut self) -> Parse<Statement<'a>> {
        Err(self.unexpected("another statement"))
    }

    pub(crate) fn lock_statement(&mut self) -> Parse<Statement<'a>> {
        Err(self.unexpected("another statement"))
    }

    pub(crate) fn unlock_statement(&mut self) -> Parse<Statement<'a>> {
        Err(self.unexpected("another statement"))
    }

    pub(crate) fn abort_statement(&mut self) -> Parse<Statement<'a>> {
        Err(self.unexpected("another statement"))
    }

    pub(crate) fn kill_statement(&mut self) -> Parse<Statement<'a>> {
        Err(self.unexpected("another statement"))
    }

    pub(crate) fn set_statement(&mut self) -> Parse<Statement<'a>> {
        Err(self.unexpected("another statement"))
    }

    pub(crate) fn grant_statement(&mut self) -> Parse<Statement<'a>> {
        Err(self.unexpected("another statement"))
    }

    pub(crate) fn revoke_statement(&mut self) -> Parse<Statement<'a>> {
        Err(self.unexpected("another statement"))
    }

    pub(crate) fn workload_management_statement(&mut self) -> Parse<Statement<'a>> {
        Err(self.unexpected("another statement"))
    }

    pub(crate) fn replace_statement(&mut self) -> Parse<Statement<'a>> {
        Err(self.unexpected("another statement"))
    }

    pub(crate) fn deny_statement(&mut self) -> Parse<Statement<'a>> {
        Err(self.unexpected("another statement"))
    }

    pub(crate) fn unset_statement(&mut self) -> Parse<Statement<'a>> {
        Err(self.unexpected("another statement"))
    }

    pub(crate) fn create_other(&mut self) -> Parse<Statement<'a>> {
        Err(self.unexpected("another statement"))
    }

    pub(crate) fn drop_other(&mut self) -> Parse<Statement<'a>> {
        Err(self.unexpected("another statement"))
    }

    pub(crate) fn alter_other(&mut self) -> Parse<Statement<'a>> {
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
