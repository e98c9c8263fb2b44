//! `GRANT`, `REVOKE` and `DENY`: the union of Hive's two modes, Sentry and AuthDev.

use guardbee_model::{Diagnostic, HiveVersion};

use super::{Parse, Parser};
use crate::keyword::{Keyword, Place};
use crate::token::TokenKind;
use crate::tree::{
    PrincipalName, Privilege, PrivilegeAction, PrivilegeKind, PrivilegeObject, PrivilegeStatement,
    QualifiedName, Statement, TableWord,
};

/// Hive's privileges.
const PRIVILEGES: &[Keyword] = &[
    Keyword::All,
    Keyword::Alter,
    Keyword::Update,
    Keyword::Create,
    Keyword::Drop,
    Keyword::Lock,
    Keyword::Select,
    Keyword::ShowDatabase,
    Keyword::Insert,
    Keyword::Delete,
];

/// Privileges that are words of no Hive grammar.
const WORDS: [(&str, PrivilegeKind); 9] = [
    ("SUPER", PrivilegeKind::Super),
    ("OWNER", PrivilegeKind::Owner),
    ("READ", PrivilegeKind::Read),
    ("WRITE", PrivilegeKind::Write),
    ("REFRESH", PrivilegeKind::Refresh),
    ("REPLADMIN", PrivilegeKind::ReplAdmin),
    ("SERVICEADMIN", PrivilegeKind::ServiceAdmin),
    ("TEMPUDFADMIN", PrivilegeKind::TempUdfAdmin),
    ("USAGE", PrivilegeKind::Usage),
];

impl<'a> Parser<'a> {
    pub(crate) fn grant_statement(&mut self) -> Parse<Statement<'a>> {
        self.expect_keyword(Keyword::Grant)?;
        if self.at_keyword(Keyword::Role) {
            return self.granted_roles();
        }
        self.privileges_or_roles(Self::granted_privileges, Self::granted_roles)
    }

    pub(crate) fn revoke_statement(&mut self) -> Parse<Statement<'a>> {
        self.expect_keyword(Keyword::Revoke)?;
        if self.at_keyword(Keyword::Role) {
            return self.revoked_roles();
        }
        if self.takes_extensions() && self.at_denial() {
            self.bump();
            return self.denied_privileges(PrivilegeAction::RevokeDeny);
        }
        self.privileges_or_roles(Self::revoked_privileges, Self::revoked_roles)
    }

    /// `DENY privileges ON object TO|FROM principals`.
    pub(crate) fn deny_statement(&mut self) -> Parse<Statement<'a>> {
        self.bump();
        self.denied_privileges(PrivilegeAction::Deny)
    }

    /// A word may be a privilege or the name of a role; Hive tries privileges first.
    fn privileges_or_roles(
        &mut self,
        privileges: impl FnOnce(&mut Self) -> Parse<Statement<'a>>,
        roles: impl FnOnce(&mut Self) -> Parse<Statement<'a>>,
    ) -> Parse<Statement<'a>> {
        let start = self.checkpoint();
        let as_privileges = match privileges(self) {
            Ok(statement) => return Ok(statement),
            Err(diagnostic) => diagnostic,
        };
        self.rewind(start);
        roles(self).map_err(|as_roles| {
            // Only privileges have an object.
            let has_object = self.at_keyword(Keyword::On);
            if has_object { as_privileges } else { further(as_privileges, as_roles) }
        })
    }

    fn granted_privileges(&mut self) -> Parse<Statement<'a>> {
        let privileges = self.comma_list(Self::privilege)?;
        let object = self.on_object(privileges)?;
        self.expect_keyword(Keyword::To)?;
        let principals = self.principals()?;
        let except = self.except_principals()?;
        let grant_option = self.grant_option_behind(object.is_some())?;
        let action = PrivilegeAction::Grant;
        let statement = PrivilegeStatement { action, privileges, object, principals, except, grant_option };
        Ok(Statement::Privilege(self.arena.alloc(statement)))
    }

    /// `WITH GRANT OPTION`; AuthDev calls it `WITH ADMIN OPTION`.
    fn grant_option_behind(&mut self, has_object: bool) -> Parse<bool> {
        if !self.eat_keyword(Keyword::With) {
            return Ok(false);
        }
        let is_admin = self.takes_extensions() && has_object && self.eat_keyword(Keyword::Admin);
        if !is_admin {
            self.expect_keyword(Keyword::Grant)?;
        }
        self.expect_keyword(Keyword::Option)?;
        Ok(true)
    }

    fn revoked_privileges(&mut self) -> Parse<Statement<'a>> {
        let grant_option = self.eat_keywords(&[Keyword::Grant, Keyword::Option, Keyword::For]);
        let privileges = self.comma_list(Self::privilege)?;
        let object = self.on_object(privileges)?;
        self.expect_keyword(Keyword::From)?;
        let principals = self.principals()?;
        let except = self.except_principals()?;
        let action = PrivilegeAction::Revoke;
        let statement = PrivilegeStatement { action, privileges, object, principals, except, grant_option };
        Ok(Statement::Privilege(self.arena.alloc(statement)))
    }

    /// Is it `REVOKE DENY ...`, and not a role called `deny`?
    fn at_denial(&mut self) -> bool {
        self.at_keyword(Keyword::Deny)
            && !matches!(self.peek(1), TokenKind::Keyword(Keyword::From) | TokenKind::Comma)
    }

    fn denied_privileges(&mut self, action: PrivilegeAction) -> Parse<Statement<'a>> {
        let privileges = self.comma_list(Self::privilege)?;
        let object = self.on_object(privileges)?;
        let has_link = self.eat_keyword(Keyword::From)
            || (action == PrivilegeAction::Deny && self.eat_keyword(Keyword::To));
        if !has_link {
            return Err(match action {
                PrivilegeAction::Deny => self.expected_keywords(&[Keyword::To, Keyword::From]),
                _ => self.expected_keywords(&[Keyword::From]),
            });
        }
        let principals = self.principals()?;
        let except = self.except_principals()?;
        let grant_option = false;
        let statement = PrivilegeStatement { action, privileges, object, principals, except, grant_option };
        Ok(Statement::Privilege(self.arena.alloc(statement)))
    }

    // Privileges.

    /// `SELECT`, `SELECT (a, b)`.
    fn privilege(&mut self) -> Parse<Privilege<'a>> {
        let kind = match self.hive_privilege() {
            Some(kind) => {
                self.bump();
                kind
            }
            None if self.takes_extensions() => self.foreign_privilege()?,
            None => return Err(self.no_privilege()),
        };
        let kind = if self.takes_extensions() { self.longer_privilege(kind) } else { kind };
        let has_columns = self.at(TokenKind::LeftParenthesis);
        let columns = if has_columns { self.column_list()? } else { &[] };
        Ok(Privilege { kind, columns })
    }

    /// The privilege that the next word is to Hive's parser.
    fn hive_privilege(&self) -> Option<PrivilegeKind> {
        Some(match self.keyword()? {
            Keyword::All => PrivilegeKind::All,
            Keyword::Alter => PrivilegeKind::Alter,
            Keyword::Update => PrivilegeKind::Update,
            Keyword::Create => PrivilegeKind::Create,
            Keyword::Drop => PrivilegeKind::Drop,
            Keyword::Index if self.version() == HiveVersion::V2_3 => PrivilegeKind::Index,
            Keyword::Lock => PrivilegeKind::Lock,
            Keyword::Select => PrivilegeKind::Select,
            Keyword::ShowDatabase => PrivilegeKind::ShowDatabase,
            Keyword::Insert => PrivilegeKind::Insert,
            Keyword::Delete => PrivilegeKind::Delete,
            _ => return None,
        })
    }

    /// A privilege of Sentry, AuthDev or Ranger. It has to be followed by its object, or it could be a role.
    fn foreign_privilege(&mut self) -> Parse<PrivilegeKind> {
        if self.eat_word(Keyword::Index) {
            return Ok(PrivilegeKind::Index);
        }
        if self.at_keyword(Keyword::Show) {
            self.bump();
            if self.eat_keyword(Keyword::View) {
                return Ok(PrivilegeKind::ShowView);
            }
            self.expect_keyword(Keyword::Databases)?;
            return Ok(PrivilegeKind::ShowDatabase);
        }
        if self.eat_keywords(&[Keyword::Grant, Keyword::Option]) {
            return Ok(PrivilegeKind::GrantOption);
        }
        let word = self.text();
        let found = WORDS.iter().find(|(name, _)| name.eq_ignore_ascii_case(word));
        match (self.kind(), found) {
            (TokenKind::Identifier | TokenKind::Keyword(_), Some(&(_, kind))) => {
                self.bump();
                Ok(kind)
            }
            _ => Err(self.no_privilege()),
        }
    }

    #[cold]
    fn no_privilege(&self) -> Box<Diagnostic> {
        self.expected_among("a privilege", PRIVILEGES)
    }

    /// `ALL PRIVILEGES`, `CREATE VIEW`, `LOCK TABLES`.
    fn longer_privilege(&mut self, kind: PrivilegeKind) -> PrivilegeKind {
        match kind {
            PrivilegeKind::All if self.eat_text("PRIVILEGES") => PrivilegeKind::All,
            PrivilegeKind::Create if self.eat_keyword(Keyword::View) => PrivilegeKind::CreateView,
            PrivilegeKind::Lock if self.eat_keyword(Keyword::Tables) => PrivilegeKind::Lock,
            _ => kind,
        }
    }

    // Objects.

    /// `ON object`. Where it is missing, only what Hive calls a privilege is one, and all else a role.
    fn on_object(&mut self, privileges: &[Privilege<'a>]) -> Parse<Option<PrivilegeObject<'a>>> {
        if self.eat_keyword(Keyword::On) {
            return self.privilege_object().map(Some);
        }
        let is_global = privileges.iter().all(|privilege| self.may_be_global(privilege.kind));
        if is_global { Ok(None) } else { Err(self.expected_keywords(&[Keyword::On])) }
    }

    fn may_be_global(&self, kind: PrivilegeKind) -> bool {
        match kind {
            PrivilegeKind::All
            | PrivilegeKind::Alter
            | PrivilegeKind::Update
            | PrivilegeKind::Create
            | PrivilegeKind::Drop
            | PrivilegeKind::Lock
            | PrivilegeKind::Select
            | PrivilegeKind::ShowDatabase
            | PrivilegeKind::Insert
            | PrivilegeKind::Delete
            | PrivilegeKind::CreateView
            | PrivilegeKind::ShowView
            | PrivilegeKind::GrantOption => true,
            PrivilegeKind::Index => self.version() == HiveVersion::V2_3,
            _ => false,
        }
    }

    /// What a privilege is granted on, without the word `ON`.
    pub(crate) fn privilege_object(&mut self) -> Parse<PrivilegeObject<'a>> {
        match self.keyword() {
            Some(Keyword::Database) => {
                self.bump();
                return self.database_name().map(PrivilegeObject::Database);
            }
            Some(Keyword::Schema) if self.peek_identifier(1, Place::Database) => {
                self.bump();
                return self.database_name().map(PrivilegeObject::Database);
            }
            Some(Keyword::Uri) if self.peek(1) == TokenKind::String => {
                self.bump();
                return self.string("a path in quotes").map(PrivilegeObject::Uri);
            }
            Some(Keyword::Server) if self.peek_identifier(1, Place::Database) => {
                self.bump();
                return self.identifier(Place::Database, "a server name").map(PrivilegeObject::Server);
            }
            _ => {}
        }
        if self.takes_extensions()
            && let Some(object) = self.foreign_object()?
        {
            return Ok(object);
        }
        let has_word = self.eat_keyword(Keyword::Table);
        if self.takes_extensions()
            && let Some(object) = self.starred_object()
        {
            return Ok(object);
        }
        let table_word = if has_word { TableWord::Present } else { TableWord::Absent };
        let name = self.table_name()?;
        Ok(PrivilegeObject::Table { table_word, name, partition: self.optional_partition()? })
    }

    /// Objects that start with a word that Hive does not know here. The words are names where no name
    /// follows them.
    fn foreign_object(&mut self) -> Parse<Option<PrivilegeObject<'a>>> {
        if self.eat_keywords(&[Keyword::All, Keyword::Tables, Keyword::In]) {
            if !self.eat_keyword(Keyword::Schema) {
                self.eat_keyword(Keyword::Database);
            }
            return self.database_name().map(|name| Some(PrivilegeObject::AllTablesIn(name)));
        }
        if self.at_keyword(Keyword::Function) {
            self.bump();
            let name = self.two_part_name(Place::Database, "a function name")?;
            return Ok(Some(PrivilegeObject::Function(name)));
        }
        if !self.peek_identifier(1, Place::Table) {
            return Ok(None);
        }
        if self.eat_word(Keyword::View) {
            return self.table_name().map(|name| Some(PrivilegeObject::View(name)));
        }
        if self.eat_word(Keyword::Dataconnector) {
            let name = self.identifier(Place::Database, "a connector name")?;
            return Ok(Some(PrivilegeObject::DataConnector(name)));
        }
        if self.eat_word(Keyword::Tag) {
            let tag = self.tag_value()?;
            return Ok(Some(PrivilegeObject::Tag { name: tag.name, value: tag.value }));
        }
        if self.eat_word(Keyword::Column) {
            return self.column_object().map(Some);
        }
        Ok(None)
    }

    /// What follows `COLUMN`: `[db.]t.c`.
    fn column_object(&mut self) -> Parse<PrivilegeObject<'a>> {
        let first = self.identifier(Place::Table, "a table name")?;
        self.expect(TokenKind::Dot, "`.`")?;
        let second = self.identifier(Place::Column, "a column name")?;
        if !self.eat(TokenKind::Dot) {
            let table = QualifiedName { database: None, name: first, meta: None };
            return Ok(PrivilegeObject::Column { table, column: second });
        }
        let column = self.identifier(Place::Column, "a column name")?;
        let table = QualifiedName { database: Some(first), name: second, meta: None };
        Ok(PrivilegeObject::Column { table, column })
    }

    /// `*`, `*.*`, `db.*`.
    fn starred_object(&mut self) -> Option<PrivilegeObject<'a>> {
        if self.eat(TokenKind::Star) {
            if self.at(TokenKind::Dot) && self.peek(1) == TokenKind::Star {
                self.bump();
                self.bump();
                return Some(PrivilegeObject::Everything);
            }
            return Some(PrivilegeObject::AllInCurrentDatabase);
        }
        let has_star = self.at_identifier(Place::Database)
            && self.peek(1) == TokenKind::Dot
            && self.peek(2) == TokenKind::Star;
        if !has_star {
            return None;
        }
        let database = self.take_identifier();
        self.bump();
        self.bump();
        Some(PrivilegeObject::AllInDatabase(database))
    }

    // Principals.

    /// `principal, ...`; AuthDev leaves their kinds out.
    pub(crate) fn principals(&mut self) -> Parse<&'a [PrincipalName<'a>]> {
        self.comma_list(Self::principal)
    }

    /// `EXCEPT principal, ...`, our own.
    pub(super) fn except_principals(&mut self) -> Parse<&'a [PrincipalName<'a>]> {
        if self.takes_extensions() && self.eat_word(Keyword::Except) { self.principals() } else { Ok(&[]) }
    }
}

/// The mistake that lies further on is the one the writer made.
fn further(one: Box<Diagnostic>, other: Box<Diagnostic>) -> Box<Diagnostic> {
    if one.span.start >= other.span.start { one } else { other }
}
