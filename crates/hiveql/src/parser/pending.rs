//! Statements whose rules are on their way; each moves to a file of its own.

use super::{Parse, Parser};
use crate::token::TokenKind;
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

    /// A literal that stands for a value: of a partition, of a skewed column, of a prepared statement.
    pub(crate) fn constant(&mut self) -> Parse<Expression<'a>> {
        Err(self.unexpected("a constant"))
    }

    /// `PARTITION (a = 1, b)`, where it stands.
    pub(crate) fn optional_partition(&mut self) -> Parse<Option<PartitionSpecification<'a>>> {
        Ok(None)
    }

    /// `WHERE condition`, where it stands.
    pub(crate) fn optional_where(&mut self) -> Parse<Option<Expression<'a>>> {
        Ok(None)
    }

    /// `ORDER BY key, ...`, where it stands.
    pub(crate) fn optional_order_by(&mut self) -> Parse<&'a [SortKey<'a>]> {
        Ok(&[])
    }

    /// `LIMIT n`, where it stands.
    pub(crate) fn optional_limit(&mut self) -> Parse<Option<Limit<'a>>> {
        Ok(None)
    }

    pub(crate) fn number(&mut self, what: &str) -> Parse<&'a str> {
        match self.kind() {
            TokenKind::Integer | TokenKind::Decimal => Ok(self.bump().span.text(self.source)),
            _ => Err(self.unexpected(what)),
        }
    }

    pub(crate) fn partition_specification(&mut self) -> Parse<PartitionSpecification<'a>> {
        Err(self.unexpected("another statement"))
    }

    pub(crate) fn partition_selection(&mut self) -> Parse<PartitionSpecification<'a>> {
        Err(self.unexpected("another statement"))
    }

    pub(crate) fn row_format(&mut self) -> Parse<RowFormatting<'a>> {
        Err(self.unexpected("another statement"))
    }

    pub(crate) fn function_call(&mut self) -> Parse<&'a Call<'a>> {
        Err(self.unexpected("a function"))
    }

    pub(crate) fn cast(&mut self) -> Parse<Expression<'a>> {
        Err(self.unexpected("a cast"))
    }
}
