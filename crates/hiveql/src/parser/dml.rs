//! `UPDATE`, `DELETE` and `MERGE`.

use guardbee_model::HiveVersion;

use super::{Parse, Parser};
use crate::keyword::{Keyword, Place};
use crate::token::TokenKind;
use crate::tree::{
    Assignment, Delete, Expression, Merge, MergeAction, MergeBranch, Statement, TableAlias, Update,
};

impl<'a> Parser<'a> {
    /// `UPDATE t SET a = 1, ... [WHERE ...]`.
    pub(crate) fn update_statement(&mut self) -> Parse<Statement<'a>> {
        let start = self.start();
        self.bump();
        let name = self.table_name()?;
        let assignments = self.assignments()?;
        let filter = self.optional_where()?;
        let location = self.since(start);
        Ok(Statement::Update(self.arena.alloc(Update { name, assignments, filter, location })))
    }

    /// `DELETE FROM t [WHERE ...]`.
    pub(crate) fn delete_statement(&mut self) -> Parse<Statement<'a>> {
        let start = self.start();
        self.bump();
        self.expect_keyword(Keyword::From)?;
        let name = self.table_name()?;
        let filter = self.optional_where()?;
        Ok(Statement::Delete(self.arena.alloc(Delete { name, filter, location: self.since(start) })))
    }

    /// `MERGE INTO t USING source ON condition WHEN ...`.
    pub(crate) fn merge_statement(&mut self) -> Parse<Statement<'a>> {
        let start = self.start();
        self.bump();
        let hint = self.hint_of_merge()?;
        self.expect_keyword(Keyword::Into)?;
        let target = self.table_name()?;
        let target_alias = self.table_alias()?;
        self.expect_keyword(Keyword::Using)?;
        let source = self.join_operand()?;
        self.expect_keyword(Keyword::On)?;
        let condition = self.expression()?;
        let branches = self.merge_branches()?;
        let location = self.since(start);
        let merge = Merge { hint, target, target_alias, source, condition, branches, location };
        Ok(Statement::Merge(self.arena.alloc(merge)))
    }

    fn hint_of_merge(&mut self) -> Parse<Option<&'a str>> {
        if self.at(TokenKind::HintStart) && self.version() < HiveVersion::V4_0 {
            return Err(self.needs_version("a hint behind `MERGE`", HiveVersion::V4_0, self.token().span));
        }
        self.optional_hint()
    }

    /// `SET a = 1, b = 2`. Hive 4 also takes nothing where an assignment belongs.
    fn assignments(&mut self) -> Parse<&'a [Assignment<'a>]> {
        self.expect_keyword(Keyword::Set)?;
        let may_be_empty = self.version() >= HiveVersion::V4_0;
        let mut assignments = Vec::new();
        loop {
            if self.at_identifier(Place::SetColumn) || !may_be_empty {
                assignments.push(self.assignment()?);
            }
            if !self.eat(TokenKind::Comma) {
                return Ok(self.arena.list(&assignments));
            }
        }
    }

    fn assignment(&mut self) -> Parse<Assignment<'a>> {
        let column = self.identifier(Place::SetColumn, "a column name")?;
        self.expect(TokenKind::Equal, "`=`")?;
        let value = if self.at_default() { self.take_default() } else { self.sum()? };
        Ok(Assignment { column, value })
    }

    // Branches of MERGE.

    /// Any number of `WHEN MATCHED`, then at most one `WHEN NOT MATCHED`, but one of them in all.
    fn merge_branches(&mut self) -> Parse<&'a [MergeBranch<'a>]> {
        let mut branches = vec![self.merge_branch()?];
        while self.at_keyword(Keyword::When) && !ends_with_insert(&branches) {
            branches.push(self.merge_branch()?);
        }
        Ok(self.arena.list(&branches))
    }

    fn merge_branch(&mut self) -> Parse<MergeBranch<'a>> {
        self.expect_keyword(Keyword::When)?;
        let is_insert = self.eat_keyword(Keyword::Not);
        self.expect_keyword(Keyword::Matched)?;
        let condition = if self.eat_keyword(Keyword::And) { Some(self.expression()?) } else { None };
        self.expect_keyword(Keyword::Then)?;
        let action = if is_insert { self.merge_insert()? } else { self.merge_change()? };
        Ok(MergeBranch { condition, action })
    }

    fn merge_change(&mut self) -> Parse<MergeAction<'a>> {
        match self.keyword() {
            Some(Keyword::Update) => {
                self.bump();
                self.assignments().map(MergeAction::Update)
            }
            Some(Keyword::Delete) => {
                self.bump();
                Ok(MergeAction::Delete)
            }
            _ => Err(self.expected_keywords(&[Keyword::Update, Keyword::Delete])),
        }
    }

    /// `INSERT [(columns)] VALUES (...)`.
    fn merge_insert(&mut self) -> Parse<MergeAction<'a>> {
        self.expect_keyword(Keyword::Insert)?;
        let columns = if self.at(TokenKind::LeftParenthesis) { self.merge_columns()? } else { &[] };
        self.expect_keyword(Keyword::Values)?;
        let values: &'a [Expression<'a>] = self.parenthesized(Self::expressions_or_defaults)?;
        Ok(MergeAction::Insert { columns, values })
    }

    fn merge_columns(&mut self) -> Parse<&'a [crate::tree::Identifier<'a>]> {
        if self.version() < HiveVersion::V4_0 {
            let what = "a list of columns in `MERGE`";
            return Err(self.needs_version(what, HiveVersion::V4_0, self.token().span));
        }
        self.column_list()
    }

    /// `[AS] name`, where one stands.
    pub(super) fn table_alias(&mut self) -> Parse<Option<TableAlias<'a>>> {
        use crate::tree::AliasSpelling;
        if self.eat_keyword(Keyword::As) {
            let name = self.identifier(Place::TableAsAlias, "an alias")?;
            return Ok(Some(TableAlias { spelling: AliasSpelling::As, name }));
        }
        let name = self.bare_alias(Place::TableAlias);
        Ok(name.map(|name| TableAlias { spelling: AliasSpelling::Bare, name }))
    }
}

fn ends_with_insert(branches: &[MergeBranch<'_>]) -> bool {
    matches!(branches.last(), Some(MergeBranch { action: MergeAction::Insert { .. }, .. }))
}
