//! Roles: making, switching and granting them; and what else `CREATE`, `ALTER` and `DROP` administer.

use super::{Parse, Parser, alter, create, drop};
use crate::keyword::{Keyword, Place};
use crate::tree::{Existence, Identifier, RoleChoice, RoleGrant, RoleStatement, Statement};

impl<'a> Parser<'a> {
    /// `CREATE` of everything that is no dataset.
    pub(crate) fn create_other(&mut self) -> Parse<Statement<'a>> {
        self.expect_keyword(Keyword::Create)?;
        if self.eat_keyword(Keyword::Role) {
            let if_not_exists = self.role_existence(Self::if_not_exists);
            let name = self.role_name()?;
            return Ok(Statement::Role(RoleStatement::Create { name, if_not_exists }));
        }
        if let Some(statement) = self.create_workload_part()? {
            return Ok(statement);
        }
        if self.takes_extensions()
            && let Some(statement) = self.create_policy()?
        {
            return Ok(statement);
        }
        Err(self.expected_among("a kind of object, such as `TABLE` or `VIEW`", create::OBJECTS))
    }

    /// `DROP` of everything that is no dataset.
    pub(crate) fn drop_other(&mut self) -> Parse<Statement<'a>> {
        self.expect_keyword(Keyword::Drop)?;
        if self.eat_keyword(Keyword::Role) {
            let if_exists = self.role_existence(Self::if_exists);
            let name = self.role_name()?;
            return Ok(Statement::Role(RoleStatement::Drop { name, if_exists }));
        }
        if let Some(statement) = self.drop_workload_part()? {
            return Ok(statement);
        }
        if self.takes_extensions()
            && let Some(statement) = self.drop_policy()?
        {
            return Ok(statement);
        }
        Err(self.expected_among("a kind of object, such as `TABLE` or `VIEW`", drop::OBJECTS))
    }

    /// `ALTER` of everything that is no dataset.
    pub(crate) fn alter_other(&mut self) -> Parse<Statement<'a>> {
        self.expect_keyword(Keyword::Alter)?;
        if let Some(statement) = self.alter_workload_part()? {
            return Ok(statement);
        }
        if self.takes_extensions()
            && let Some(statement) = self.alter_policy()?
        {
            return Ok(statement);
        }
        Err(self.expected_among("a kind of object, such as `TABLE` or `VIEW`", alter::OBJECTS))
    }

    /// What follows `SET ROLE`.
    pub(crate) fn set_role(&mut self) -> Parse<Statement<'a>> {
        let choice = if self.eat_keyword(Keyword::All) {
            RoleChoice::All
        } else if self.eat_keyword(Keyword::None) {
            RoleChoice::None
        } else {
            RoleChoice::Role(self.role_name()?)
        };
        Ok(Statement::Role(RoleStatement::Set(choice)))
    }

    /// What follows `GRANT`, of roles: `[ROLE] r, ... TO principal, ... [WITH ADMIN OPTION]`.
    pub(super) fn granted_roles(&mut self) -> Parse<Statement<'a>> {
        let (role_word, roles) = self.roles()?;
        self.expect_keyword(Keyword::To)?;
        let principals = self.principals()?;
        let admin_option = self.admin_option_behind()?;
        let grant = RoleGrant { role_word, roles, principals, admin_option };
        Ok(Statement::Role(RoleStatement::Grant(self.arena.alloc(grant))))
    }

    /// What follows `REVOKE`, of roles: `[ADMIN OPTION FOR] [ROLE] r, ... FROM principal, ...`.
    pub(super) fn revoked_roles(&mut self) -> Parse<Statement<'a>> {
        let admin_option = self.eat_keywords(&[Keyword::Admin, Keyword::Option, Keyword::For])
            || (self.takes_extensions()
                && self.eat_keywords(&[Keyword::Grant, Keyword::Option, Keyword::For]));
        let (role_word, roles) = self.roles()?;
        self.expect_keyword(Keyword::From)?;
        let principals = self.principals()?;
        let grant = RoleGrant { role_word, roles, principals, admin_option };
        Ok(Statement::Role(RoleStatement::Revoke(self.arena.alloc(grant))))
    }

    /// `[ROLE] r, ...`; a role may itself be called `role`.
    fn roles(&mut self) -> Parse<(bool, &'a [Identifier<'a>])> {
        let role_word = self.at_keyword(Keyword::Role) && self.peek_identifier(1, Place::Role);
        if role_word {
            self.bump();
        }
        Ok((role_word, self.comma_list(Self::role_name)?))
    }

    /// `WITH ADMIN OPTION`; we take `WITH GRANT OPTION`, too.
    fn admin_option_behind(&mut self) -> Parse<bool> {
        if !self.eat_keyword(Keyword::With) {
            return Ok(false);
        }
        if self.takes_extensions() && self.eat_keywords(&[Keyword::Grant, Keyword::Option]) {
            return Ok(true);
        }
        self.expect_keywords(&[Keyword::Admin, Keyword::Option])?;
        Ok(true)
    }

    pub(super) fn role_name(&mut self) -> Parse<Identifier<'a>> {
        self.identifier(Place::Role, "a role name")
    }

    /// Roles know no `IF [NOT] EXISTS` in Hive.
    fn role_existence(&mut self, rule: impl FnOnce(&mut Self) -> Existence) -> Existence {
        if self.takes_extensions() { rule(self) } else { Existence::Required }
    }
}
