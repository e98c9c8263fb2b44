//! Our own statements: row filters, column masks and tags.

use super::{Parse, Parser};
use crate::keyword::{Keyword, Place};
use crate::token::TokenKind;
use crate::tree::{
    CreatePolicy, Existence, Identifier, PolicyChange, PolicyDefinition, PolicyKind, PolicyStatement,
    PrincipalName, SourceText, Statement, StringLiteral, TagChange, TagValue,
};

const ALLOWED_VALUES: &str = "ALLOWED_VALUES";
const DECLASSIFIER: &str = "DECLASSIFIER";

impl<'a> Parser<'a> {
    /// What follows `CREATE`, if it is a filter, mask or tag.
    pub(super) fn create_policy(&mut self) -> Parse<Option<Statement<'a>>> {
        let or_replace = self.eat_keywords(&[Keyword::Or, Keyword::Replace]);
        if let Some(kind) = self.policy_kind()? {
            let policy = self.new_policy(kind, or_replace)?;
            return Ok(Some(self.policy_statement(PolicyStatement::Create(policy))));
        }
        if or_replace || !self.eat_word(Keyword::Tag) {
            return Ok(None);
        }
        let if_not_exists = self.if_not_exists();
        let name = self.tag_name()?;
        let allowed_values = if self.eat_text(ALLOWED_VALUES) { self.tag_values()? } else { &[] };
        let has_comment = self.eat_keyword(Keyword::Comment);
        let comment = if has_comment { Some(self.string("a comment in quotes")?) } else { None };
        let statement = PolicyStatement::CreateTag { name, if_not_exists, allowed_values, comment };
        Ok(Some(self.policy_statement(statement)))
    }

    /// What follows `ALTER`, if it is a filter, mask or tag.
    pub(super) fn alter_policy(&mut self) -> Parse<Option<Statement<'a>>> {
        if let Some(kind) = self.policy_kind()? {
            let name = self.policy_name(kind)?;
            let change = self.policy_change()?;
            return Ok(Some(self.policy_statement(PolicyStatement::Alter { kind, name, change })));
        }
        if !self.eat_word(Keyword::Tag) {
            return Ok(None);
        }
        let name = self.tag_name()?;
        let change = self.tag_change()?;
        Ok(Some(self.policy_statement(PolicyStatement::AlterTag { name, change })))
    }

    /// What follows `DROP`, if it is a filter, mask or tag.
    pub(super) fn drop_policy(&mut self) -> Parse<Option<Statement<'a>>> {
        if let Some(kind) = self.policy_kind()? {
            let if_exists = self.if_exists();
            let name = self.policy_name(kind)?;
            return Ok(Some(self.policy_statement(PolicyStatement::Drop { kind, name, if_exists })));
        }
        if !self.eat_word(Keyword::Tag) {
            return Ok(None);
        }
        let if_exists = self.if_exists();
        let name = self.tag_name()?;
        Ok(Some(self.policy_statement(PolicyStatement::DropTag { name, if_exists })))
    }

    /// What follows `SET TAG`.
    pub(super) fn set_tags(&mut self) -> Parse<Statement<'a>> {
        let tags = self.comma_list(Self::tag_value)?;
        self.expect_keyword(Keyword::On)?;
        let object = self.privilege_object()?;
        Ok(self.policy_statement(PolicyStatement::SetTags { tags, object }))
    }

    /// `UNSET TAG name, ... ON object`.
    pub(crate) fn unset_statement(&mut self) -> Parse<Statement<'a>> {
        self.bump();
        self.expect_word(Keyword::Tag)?;
        let tags = self.comma_list(Self::tag_name)?;
        self.expect_keyword(Keyword::On)?;
        let object = self.privilege_object()?;
        Ok(self.policy_statement(PolicyStatement::UnsetTags { tags, object }))
    }

    fn policy_statement(&self, statement: PolicyStatement<'a>) -> Statement<'a> {
        Statement::Policy(self.arena.alloc(statement))
    }

    /// Takes `ROW FILTER` or `COLUMN MASK`, where they stand.
    fn policy_kind(&mut self) -> Parse<Option<PolicyKind>> {
        if self.eat_word(Keyword::Row) {
            self.expect_word(Keyword::Filter)?;
            return Ok(Some(PolicyKind::RowFilter));
        }
        if self.eat_word(Keyword::Column) {
            self.expect_word(Keyword::Mask)?;
            return Ok(Some(PolicyKind::ColumnMask));
        }
        Ok(None)
    }

    fn policy_name(&mut self, kind: PolicyKind) -> Parse<Identifier<'a>> {
        let what = match kind {
            PolicyKind::RowFilter => "the name of a row filter",
            PolicyKind::ColumnMask => "the name of a column mask",
        };
        self.identifier(Place::Database, what)
    }

    fn new_policy(&mut self, kind: PolicyKind, or_replace: bool) -> Parse<CreatePolicy<'a>> {
        let if_not_exists = if or_replace { Existence::Required } else { self.if_not_exists() };
        let name = self.policy_name(kind)?;
        self.expect_keyword(Keyword::On)?;
        let on = self.privilege_object()?;
        let has_column = kind == PolicyKind::ColumnMask && self.at(TokenKind::LeftParenthesis);
        let column = if has_column {
            Some(self.parenthesized(|parser| parser.identifier(Place::Column, "a column name"))?)
        } else {
            None
        };
        let definition = self.policy_definition()?;
        let principals = self.policy_principals()?;
        let except = self.except_principals()?;
        Ok(CreatePolicy { kind, or_replace, if_not_exists, name, on, column, definition, principals, except })
    }

    /// `USING (expression)`.
    fn policy_definition(&mut self) -> Parse<PolicyDefinition<'a>> {
        self.expect_keyword(Keyword::Using)?;
        self.parenthesized(|parser| {
            let start = parser.start();
            let expression = parser.expression()?;
            Ok(PolicyDefinition { expression, text: SourceText(parser.text_since(start)) })
        })
    }

    /// `TO principal, ...`; without it, everybody.
    fn policy_principals(&mut self) -> Parse<&'a [PrincipalName<'a>]> {
        if self.eat_keyword(Keyword::To) { self.principals() } else { Ok(&[]) }
    }

    fn policy_change(&mut self) -> Parse<PolicyChange<'a>> {
        if self.eat_keyword(Keyword::Rename) {
            self.expect_keyword(Keyword::To)?;
            return self.identifier(Place::Database, "a new name").map(PolicyChange::Rename);
        }
        if self.eat_keyword(Keyword::Enable) {
            return Ok(PolicyChange::Enable);
        }
        if self.eat_keyword(Keyword::Disable) {
            return Ok(PolicyChange::Disable);
        }
        let redefines = self.at_keyword(Keyword::Using);
        let definition = if redefines { Some(self.policy_definition()?) } else { None };
        let principals = self.policy_principals()?;
        let except = self.except_principals()?;
        if definition.is_none() && principals.is_empty() && except.is_empty() {
            return Err(self.expected_keywords(&[
                Keyword::Using,
                Keyword::To,
                Keyword::Except,
                Keyword::Enable,
                Keyword::Disable,
                Keyword::Rename,
            ]));
        }
        Ok(PolicyChange::Redefine { definition, principals, except })
    }

    fn tag_name(&mut self) -> Parse<Identifier<'a>> {
        self.identifier(Place::Database, "a tag name")
    }

    /// `name [= 'value']`.
    pub(super) fn tag_value(&mut self) -> Parse<TagValue<'a>> {
        let name = self.tag_name()?;
        let has_value = self.eat(TokenKind::Equal);
        let value = if has_value { Some(self.string("a tag value in quotes")?) } else { None };
        Ok(TagValue { name, value })
    }

    fn tag_values(&mut self) -> Parse<&'a [StringLiteral<'a>]> {
        self.comma_list(|parser| parser.string("a tag value in quotes"))
    }

    fn tag_change(&mut self) -> Parse<TagChange<'a>> {
        if self.eat_keyword(Keyword::Rename) {
            self.expect_keyword(Keyword::To)?;
            return self.tag_name().map(TagChange::Rename);
        }
        if self.eat_keyword(Keyword::Unset) {
            if self.eat_text(ALLOWED_VALUES) {
                return Ok(TagChange::AnyValue);
            }
            return Err(self.unexpected("`ALLOWED_VALUES`"));
        }
        if self.eat_keyword(Keyword::Add) {
            return self.new_declassifier();
        }
        if self.eat_keyword(Keyword::Drop) {
            self.expect_text(DECLASSIFIER)?;
            return self.privilege_object().map(TagChange::DropDeclassifier);
        }
        if !self.eat_keyword(Keyword::Set) {
            return Err(self.expected_keywords(&[
                Keyword::Set,
                Keyword::Unset,
                Keyword::Rename,
                Keyword::Add,
                Keyword::Drop,
            ]));
        }
        if self.eat_text(ALLOWED_VALUES) {
            return self.tag_values().map(TagChange::AllowedValues);
        }
        if self.eat_keyword(Keyword::Comment) {
            return self.string("a comment in quotes").map(TagChange::Comment);
        }
        Err(self.unexpected("`COMMENT` or `ALLOWED_VALUES`"))
    }

    /// What follows `ADD`: `DECLASSIFIER object REASON '...' REVIEW '...' [OWNER '...']`.
    fn new_declassifier(&mut self) -> Parse<TagChange<'a>> {
        self.expect_text(DECLASSIFIER)?;
        let at = self.privilege_object()?;
        self.expect_text("REASON")?;
        let reason = self.string("a reason in quotes")?;
        self.expect_text("REVIEW")?;
        let review = self.string("a day in quotes")?;
        let has_owner = self.eat_word(Keyword::Owner);
        let owner = if has_owner { Some(self.string("an owner in quotes")?) } else { None };
        Ok(TagChange::AddDeclassifier { at, reason, review, owner })
    }

    fn expect_text(&mut self, word: &str) -> Parse<()> {
        if self.eat_text(word) { Ok(()) } else { Err(self.unexpected(&format!("`{word}`"))) }
    }
}
