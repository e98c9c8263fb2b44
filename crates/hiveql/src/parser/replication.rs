//! `REPL DUMP`, `REPL LOAD`, `REPL STATUS`.

use guardbee_model::HiveVersion;

use super::{Parse, Parser};
use crate::keyword::{Keyword, Place};
use crate::token::TokenKind;
use crate::tree::{
    EventRange, Property, ReplicatedTables, Replication, ReplicationPolicy, ReplicationSource, Statement,
};

impl<'a> Parser<'a> {
    pub(crate) fn replication_statement(&mut self) -> Parse<Statement<'a>> {
        self.expect_keyword(Keyword::Repl)?;
        let replication = match self.keyword() {
            Some(Keyword::Dump) => self.replication_dump()?,
            Some(Keyword::Load) => self.replication_load()?,
            Some(Keyword::Status) => self.replication_status()?,
            _ => return Err(self.expected_keywords(&[Keyword::Dump, Keyword::Load, Keyword::Status])),
        };
        Ok(Statement::Replication(self.arena.alloc(replication)))
    }

    fn replication_dump(&mut self) -> Parse<Replication<'a>> {
        self.bump();
        let policy = self.replication_policy()?;
        let (replaced, events) = if self.version() >= HiveVersion::V4_0 {
            let replaces = self.eat_keyword(Keyword::Replace);
            (if replaces { Some(self.replication_policy()?) } else { None }, None)
        } else {
            (None, self.event_range()?)
        };
        Ok(Replication::Dump { policy, replaced, events, with: self.replication_settings()? })
    }

    /// Replication up to Hive 3.1 reads a path; later ones find it in the settings.
    fn replication_load(&mut self) -> Parse<Replication<'a>> {
        self.bump();
        if self.version() >= HiveVersion::V4_0 {
            let policy = Some(self.replication_policy()?);
            let into = if self.eat_keyword(Keyword::Into) { Some(self.database_name()?) } else { None };
            let source = ReplicationSource::Policy { into };
            return Ok(Replication::Load { policy, source, with: self.replication_settings()? });
        }
        let policy = if self.at_keyword(Keyword::From) { None } else { Some(self.replication_policy()?) };
        self.expect_keyword(Keyword::From)?;
        let source = ReplicationSource::Path(self.string("a path in quotes")?);
        Ok(Replication::Load { policy, source, with: self.replication_settings()? })
    }

    fn replication_status(&mut self) -> Parse<Replication<'a>> {
        self.bump();
        let policy = if self.version() >= HiveVersion::V4_0 {
            ReplicationPolicy { database: self.database_name()?, tables: ReplicatedTables::All }
        } else {
            self.replication_policy()?
        };
        Ok(Replication::Status { policy, with: self.replication_settings()? })
    }

    fn replication_policy(&mut self) -> Parse<ReplicationPolicy<'a>> {
        let database = self.database_name()?;
        if !self.eat(TokenKind::Dot) {
            return Ok(ReplicationPolicy { database, tables: ReplicatedTables::All });
        }
        if self.version() < HiveVersion::V4_0 {
            let table = self.identifier(Place::Table, "a table name")?;
            return Ok(ReplicationPolicy { database, tables: ReplicatedTables::Table(table) });
        }
        let include = self.string("a pattern of table names in quotes")?;
        let excludes = self.eat(TokenKind::Dot);
        let exclude = if excludes { Some(self.string("a pattern of table names in quotes")?) } else { None };
        Ok(ReplicationPolicy { database, tables: ReplicatedTables::Matching { include, exclude } })
    }

    /// `FROM event [TO event] [LIMIT n]`.
    fn event_range(&mut self) -> Parse<Option<EventRange<'a>>> {
        if !self.eat_keyword(Keyword::From) {
            return Ok(None);
        }
        let from = self.number("the number of an event")?;
        let to =
            if self.eat_keyword(Keyword::To) { Some(self.number("the number of an event")?) } else { None };
        let limit = if self.eat_keyword(Keyword::Limit) { Some(self.number("a number")?) } else { None };
        Ok(Some(EventRange { from, to, limit }))
    }

    /// `WITH ('key'='value', ...)`, which Hive 2.3 does not know.
    fn replication_settings(&mut self) -> Parse<&'a [Property<'a>]> {
        if self.version() >= HiveVersion::V3_1 && self.eat_keyword(Keyword::With) {
            return self.properties();
        }
        Ok(&[])
    }
}
