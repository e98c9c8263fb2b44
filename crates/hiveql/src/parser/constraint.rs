//! Constraints of tables and columns.

use guardbee_model::HiveVersion;

use super::data_type::starts_type;
use super::{Parse, Parser};
use crate::keyword::{Keyword, Place};
use crate::token::TokenKind;
use crate::tree::{
    ColumnConstraint, ColumnRule, ConstraintStates, Enablement, Expression, Identifier, Parenthesized,
    Reliance, TableConstraint, TableRule, Validation,
};

impl<'a> Parser<'a> {
    /// Does a constraint stand next, rather than a column?
    pub(super) fn at_table_constraint(&mut self) -> bool {
        match self.keyword() {
            Some(Keyword::Constraint | Keyword::Primary | Keyword::Foreign) => true,
            Some(Keyword::Unique) => self.version() >= HiveVersion::V3_1,
            Some(Keyword::Check) => self.at_check(),
            _ => false,
        }
    }

    /// `CHECK` is no reserved word: before a type it is the name of a column. Hive 3.1 wants no parenthesis
    /// behind it and takes types that may be names (`CHECK string`) for conditions.
    fn at_check(&mut self) -> bool {
        if self.version() == HiveVersion::V3_1 {
            let is_type = self.peek_keyword(1).is_some_and(starts_type);
            !is_type || self.peek_identifier(1, Place::Column)
        } else {
            self.version() >= HiveVersion::V4_0 && self.peek(1) == TokenKind::LeftParenthesis
        }
    }

    /// A constraint among the columns of a new table.
    pub(super) fn table_constraint_of_new_table(&mut self) -> Parse<&'a TableConstraint<'a>> {
        let name = self.optional_constraint_name()?;
        self.table_rule_with_states(name)
    }

    /// `CONSTRAINT name rule`, as `ALTER TABLE ... ADD` takes it.
    pub(super) fn named_table_constraint(&mut self) -> Parse<&'a TableConstraint<'a>> {
        self.expect_keyword(Keyword::Constraint)?;
        let name = self.constraint_name()?;
        self.table_rule_with_states(Some(name))
    }

    fn table_rule_with_states(&mut self, name: Option<Identifier<'a>>) -> Parse<&'a TableConstraint<'a>> {
        let rule = self.table_rule()?;
        let states = if self.version() < HiveVersion::V3_1 {
            self.full_constraint_states()?
        } else {
            self.constraint_states()?
        };
        Ok(self.arena.alloc(TableConstraint { name, rule, states }))
    }

    fn optional_constraint_name(&mut self) -> Parse<Option<Identifier<'a>>> {
        if self.eat_keyword(Keyword::Constraint) { self.constraint_name().map(Some) } else { Ok(None) }
    }

    pub(super) fn constraint_name(&mut self) -> Parse<Identifier<'a>> {
        self.identifier(Place::Table, "a constraint name")
    }

    fn table_rule(&mut self) -> Parse<TableRule<'a>> {
        match self.keyword() {
            Some(Keyword::Primary) => {
                self.expect_keywords(&[Keyword::Primary, Keyword::Key])?;
                self.column_list().map(TableRule::PrimaryKey)
            }
            Some(Keyword::Foreign) => self.foreign_key(),
            Some(Keyword::Unique) => {
                self.requires(HiveVersion::V3_1, "`UNIQUE`", self.start())?;
                self.bump();
                self.column_list().map(TableRule::Unique)
            }
            Some(Keyword::Check) => {
                self.requires(HiveVersion::V3_1, "`CHECK`", self.start())?;
                self.check_condition().map(TableRule::Check)
            }
            _ => Err(self.expected_keywords(&[
                Keyword::Primary,
                Keyword::Foreign,
                Keyword::Unique,
                Keyword::Check,
            ])),
        }
    }

    fn foreign_key(&mut self) -> Parse<TableRule<'a>> {
        self.expect_keywords(&[Keyword::Foreign, Keyword::Key])?;
        let columns = self.column_list()?;
        self.expect_keyword(Keyword::References)?;
        let table = self.table_name()?;
        Ok(TableRule::ForeignKey { columns, table, references: self.column_list()? })
    }

    /// `CHECK (condition)`; Hive 3.1 takes the condition without parentheses, too. They stay in the tree.
    fn check_condition(&mut self) -> Parse<Expression<'a>> {
        self.expect_keyword(Keyword::Check)?;
        if self.version() < HiveVersion::V4_0 {
            return self.expression();
        }
        let start = self.start();
        let inner = self.parenthesized(Self::expression)?;
        let location = self.since(start);
        Ok(Expression::Parenthesized(self.arena.alloc(Parenthesized { inner, location })))
    }

    /// `[CONSTRAINT name] rule [states]` behind the type of a column.
    pub(super) fn optional_column_constraint(&mut self) -> Parse<Option<&'a ColumnConstraint<'a>>> {
        if !self.at_column_constraint() {
            return Ok(None);
        }
        self.requires(HiveVersion::V3_1, "a constraint of a column", self.start())?;
        let name = self.optional_constraint_name()?;
        let rule = self.column_rule()?;
        let states = self.constraint_states()?;
        Ok(Some(self.arena.alloc(ColumnConstraint { name, rule, states })))
    }

    fn at_column_constraint(&self) -> bool {
        matches!(
            self.keyword(),
            Some(
                Keyword::Constraint
                    | Keyword::Not
                    | Keyword::Default
                    | Keyword::Check
                    | Keyword::Primary
                    | Keyword::Unique
                    | Keyword::References
            )
        )
    }

    fn column_rule(&mut self) -> Parse<ColumnRule<'a>> {
        match self.keyword() {
            Some(Keyword::Not) => {
                self.expect_keywords(&[Keyword::Not, Keyword::Null])?;
                Ok(ColumnRule::NotNull)
            }
            Some(Keyword::Primary) => {
                self.expect_keywords(&[Keyword::Primary, Keyword::Key])?;
                Ok(ColumnRule::PrimaryKey)
            }
            Some(Keyword::Unique) => {
                self.bump();
                Ok(ColumnRule::Unique)
            }
            Some(Keyword::Default) => {
                self.bump();
                self.default_value().map(ColumnRule::Default)
            }
            Some(Keyword::Check) => self.check_condition().map(ColumnRule::Check),
            Some(Keyword::References) => {
                self.bump();
                let table = self.table_name()?;
                let column = self.parenthesized(Self::column_name)?;
                Ok(ColumnRule::References { table, column })
            }
            _ => Err(self.expected_keywords(&[
                Keyword::Not,
                Keyword::Default,
                Keyword::Check,
                Keyword::Primary,
                Keyword::Unique,
                Keyword::References,
            ])),
        }
    }

    /// A constant, a call of a function or a cast: Hive takes no other expression here.
    fn default_value(&mut self) -> Parse<Expression<'a>> {
        if !self.at_call() {
            return self.constant();
        }
        match self.keyword() {
            Some(Keyword::Cast) => self.cast(),
            Some(Keyword::Trim) if self.version() >= HiveVersion::V4_0 => self.trim_or_call(),
            Some(Keyword::All | Keyword::Floor | Keyword::Not) => {
                Err(self.unexpected("a constant or a function"))
            }
            _ => self.function_call().map(Expression::Call),
        }
    }

    fn at_call(&mut self) -> bool {
        match self.peek(1) {
            TokenKind::LeftParenthesis => true,
            TokenKind::Dot => self.peek(3) == TokenKind::LeftParenthesis,
            _ => false,
        }
    }

    /// `ENABLE|DISABLE VALIDATE|NOVALIDATE [RELY|NORELY]`: Hive 2.3 leaves nothing of it to guess.
    fn full_constraint_states(&mut self) -> Parse<ConstraintStates> {
        let states = self.constraint_states()?;
        match (states.enable, states.validate, states.rely) {
            (Some(Enablement::Enable | Enablement::Disable), Some(_), _) => Ok(states),
            (Some(Enablement::Enable | Enablement::Disable), None, None) => {
                Err(self.expected_keywords(&[Keyword::Validate, Keyword::Novalidate]))
            }
            (None, ..) => Err(Box::new(
                self.expected_keywords(&[Keyword::Enable, Keyword::Disable])
                    .with_hint("Hive 2.3 wants the states of a constraint, as in `DISABLE NOVALIDATE`"),
            )),
            _ => Err(self.needs_version("this state of a constraint", HiveVersion::V3_1, self.token().span)),
        }
    }

    /// `[ENABLE|DISABLE [VALIDATE|NOVALIDATE] [RELY|NORELY]]`, or `[NOT] ENFORCED [RELY|NORELY]`.
    fn constraint_states(&mut self) -> Parse<ConstraintStates> {
        let enable = match self.keyword() {
            Some(Keyword::Enable) => Enablement::Enable,
            Some(Keyword::Disable) => Enablement::Disable,
            Some(Keyword::Enforced) => Enablement::Enforced,
            Some(Keyword::Not) => {
                self.bump();
                if !self.at_keyword(Keyword::Enforced) {
                    return Err(self.expected_keywords(&[Keyword::Enforced]));
                }
                Enablement::NotEnforced
            }
            _ => return Ok(ConstraintStates::default()),
        };
        self.bump();
        let validate = match enable {
            Enablement::Enable | Enablement::Disable => self.optional_validation(),
            Enablement::Enforced | Enablement::NotEnforced => None,
        };
        Ok(ConstraintStates { enable: Some(enable), validate, rely: self.optional_reliance() })
    }

    fn optional_validation(&mut self) -> Option<Validation> {
        let validation = match self.keyword() {
            Some(Keyword::Validate) => Validation::Validate,
            Some(Keyword::Novalidate) => Validation::NoValidate,
            _ => return None,
        };
        self.bump();
        Some(validation)
    }

    fn optional_reliance(&mut self) -> Option<Reliance> {
        let reliance = match self.keyword() {
            Some(Keyword::Rely) => Reliance::Rely,
            Some(Keyword::Norely) => Reliance::NoRely,
            _ => return None,
        };
        self.bump();
        Some(reliance)
    }
}
