//! `CREATE DATABASE`, `CREATE REMOTE DATABASE`, `CREATE CONNECTOR`, `CREATE CATALOG`.

use guardbee_model::HiveVersion;

use super::{Parse, Parser};
use crate::keyword::{Keyword, Place};
use crate::tree::{CreateCatalog, CreateDataConnector, CreateDatabase, Identifier, Property, Statement};

impl<'a> Parser<'a> {
    /// `CREATE DATABASE d [COMMENT ...] [LOCATION ...] [MANAGEDLOCATION ...] [WITH DBPROPERTIES (...)]`.
    pub(super) fn create_database(&mut self) -> Parse<Statement<'a>> {
        self.bump();
        self.bump();
        let if_not_exists = self.if_not_exists();
        let name = self.database_name()?;
        let comment = self.optional_comment()?;
        let location = self.optional_location()?;
        let managed_location =
            if self.eat_keyword(Keyword::Managedlocation) { Some(self.location()?) } else { None };
        let properties = self.optional_properties_of(Keyword::Dbproperties)?;
        self.check_no_late_clause(
            "the clauses stand in the order COMMENT, LOCATION, MANAGEDLOCATION, WITH DBPROPERTIES",
        )?;
        Ok(Statement::CreateDatabase(self.arena.alloc(CreateDatabase {
            name,
            if_not_exists,
            connector: None,
            comment,
            location,
            managed_location,
            properties,
        })))
    }

    /// `CREATE REMOTE DATABASE d [COMMENT ...] USING connector [WITH DBPROPERTIES (...)]`.
    pub(super) fn create_remote_database(&mut self) -> Parse<Statement<'a>> {
        self.bump();
        self.bump();
        self.database_word()?;
        let if_not_exists = self.if_not_exists();
        let name = self.database_name()?;
        let comment = self.optional_comment()?;
        self.expect_keyword(Keyword::Using)?;
        let connector = Some(self.connector_name()?);
        let properties = self.optional_properties_of(Keyword::Dbproperties)?;
        Ok(Statement::CreateDatabase(self.arena.alloc(CreateDatabase {
            name,
            if_not_exists,
            connector,
            comment,
            location: None,
            managed_location: None,
            properties,
        })))
    }

    pub(super) fn create_data_connector(&mut self) -> Parse<Statement<'a>> {
        self.bump();
        self.bump();
        let if_not_exists = self.if_not_exists();
        let name = self.connector_name()?;
        self.expect_keyword(Keyword::Type)?;
        let connector_type = self.string("a connector type in quotes")?;
        self.expect_keyword(Keyword::Url)?;
        let url = self.string("a URL in quotes")?;
        let comment = self.optional_comment()?;
        let properties = self.optional_properties_of(Keyword::Dcproperties)?;
        Ok(Statement::CreateDataConnector(self.arena.alloc(CreateDataConnector {
            name,
            if_not_exists,
            connector_type,
            url,
            comment,
            properties,
        })))
    }

    pub(super) fn create_catalog(&mut self) -> Parse<Statement<'a>> {
        self.requires(HiveVersion::V4_1, "`CREATE CATALOG`", self.start())?;
        self.bump();
        self.bump();
        let if_not_exists = self.if_not_exists();
        let name = self.catalog_name()?;
        self.expect_keyword(Keyword::Location)?;
        let location = self.location()?;
        let comment = self.optional_comment()?;
        let has_properties = self.eat_keyword(Keyword::Properties);
        let properties = if has_properties { Some(self.properties()?) } else { None };
        let create = CreateCatalog { name, if_not_exists, location, comment, properties };
        Ok(Statement::CreateCatalog(self.arena.alloc(create)))
    }

    /// `DATABASE` or `SCHEMA`.
    pub(super) fn database_word(&mut self) -> Parse<()> {
        if self.eat_keyword(Keyword::Database) || self.eat_keyword(Keyword::Schema) {
            Ok(())
        } else {
            Err(self.expected_keywords(&[Keyword::Database, Keyword::Schema]))
        }
    }

    pub(super) fn connector_name(&mut self) -> Parse<Identifier<'a>> {
        self.identifier(Place::Database, "a connector name")
    }

    pub(super) fn catalog_name(&mut self) -> Parse<Identifier<'a>> {
        self.identifier(Place::Database, "a catalog name")
    }

    /// `WITH DBPROPERTIES (...)` or `WITH DCPROPERTIES (...)`, where it stands.
    fn optional_properties_of(&mut self, word: Keyword) -> Parse<Option<&'a [Property<'a>]>> {
        if !self.eat_keyword(Keyword::With) {
            return Ok(None);
        }
        self.expect_keyword(word)?;
        self.properties().map(Some)
    }
}
