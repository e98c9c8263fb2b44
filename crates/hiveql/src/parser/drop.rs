//! `DROP` and `TRUNCATE`.

use guardbee_model::HiveVersion;

use super::{Parse, Parser};
use crate::keyword::{Keyword, Place};
use crate::tree::{
    Drop, DropBehavior, DropObject, Existence, ReplicationClause, Statement, TableWord, Truncate,
};

/// The words that may follow `DROP`.
pub(super) const OBJECTS: &[Keyword] = &[
    Keyword::Table,
    Keyword::View,
    Keyword::Database,
    Keyword::Schema,
    Keyword::Function,
    Keyword::Temporary,
    Keyword::Materialized,
    Keyword::Dataconnector,
    Keyword::Catalog,
    Keyword::Scheduled,
    Keyword::Branch,
    Keyword::Role,
    Keyword::Resource,
    Keyword::Trigger,
    Keyword::Pool,
];

impl<'a> Parser<'a> {
    pub(crate) fn drop_statement(&mut self) -> Parse<Statement<'a>> {
        let Some(object) = self.peek_keyword(1) else {
            return self.drop_other();
        };
        match object {
            Keyword::Table => self.drop_object(Self::dropped_table),
            Keyword::View => self.drop_object(|parser| parser.view_name().map(DropObject::View)),
            Keyword::Materialized => self.drop_materialized_view(),
            Keyword::Database | Keyword::Schema => self.drop_object(Self::dropped_database),
            Keyword::Dataconnector => {
                self.drop_object(|parser| parser.connector_name().map(DropObject::DataConnector))
            }
            Keyword::Catalog => {
                self.requires(HiveVersion::V4_1, "`DROP CATALOG`", self.start())?;
                self.drop_object(|parser| parser.catalog_name().map(DropObject::Catalog))
            }
            Keyword::Function => self.drop_function(false),
            Keyword::Temporary => match self.peek_keyword(2) {
                Some(Keyword::Macro) => self.drop_macro(),
                _ => self.drop_function(true),
            },
            Keyword::Scheduled => self.drop_scheduled_query(),
            Keyword::Index => self.drop_index(),
            Keyword::Branch => self.drop_reference(),
            Keyword::Tag if self.names_table_behind_tag() => self.drop_reference(),
            _ => self.drop_other(),
        }
    }

    /// `DROP word [IF EXISTS] ...`.
    fn drop_object(
        &mut self,
        object: impl FnOnce(&mut Self) -> Parse<DropObject<'a>>,
    ) -> Parse<Statement<'a>> {
        self.bump();
        self.bump();
        let if_exists = self.if_exists();
        self.dropped(if_exists, object)
    }

    fn dropped(
        &mut self,
        if_exists: Existence,
        object: impl FnOnce(&mut Self) -> Parse<DropObject<'a>>,
    ) -> Parse<Statement<'a>> {
        let object = object(self)?;
        Ok(Statement::Drop(self.arena.alloc(Drop { object, if_exists })))
    }

    fn dropped_table(&mut self) -> Parse<DropObject<'a>> {
        let name = self.table_name()?;
        let purge = self.eat_keyword(Keyword::Purge);
        Ok(DropObject::Table { name, purge, replication: self.optional_replication_clause()? })
    }

    fn dropped_database(&mut self) -> Parse<DropObject<'a>> {
        let name = self.database_name()?;
        Ok(DropObject::Database { name, behavior: self.optional_drop_behavior() })
    }

    fn drop_materialized_view(&mut self) -> Parse<Statement<'a>> {
        self.bump();
        self.expect_keywords(&[Keyword::Materialized, Keyword::View])?;
        let if_exists = self.if_exists();
        self.dropped(if_exists, |parser| parser.view_name().map(DropObject::MaterializedView))
    }

    fn drop_function(&mut self, temporary: bool) -> Parse<Statement<'a>> {
        self.bump();
        self.eat_keyword(Keyword::Temporary);
        if !self.eat_keyword(Keyword::Function) {
            return Err(self.expected_keywords(&[Keyword::Function, Keyword::Macro]));
        }
        let if_exists = self.if_exists();
        self.dropped(if_exists, |parser| {
            let name = parser.two_part_name(Place::Table, "a function name")?;
            Ok(DropObject::Function { temporary, name })
        })
    }

    fn drop_macro(&mut self) -> Parse<Statement<'a>> {
        self.bump();
        self.expect_keywords(&[Keyword::Temporary, Keyword::Macro])?;
        let if_exists = self.if_exists();
        self.dropped(if_exists, |parser| parser.macro_name().map(DropObject::Macro))
    }

    fn drop_scheduled_query(&mut self) -> Parse<Statement<'a>> {
        self.bump();
        self.expect_keywords(&[Keyword::Scheduled, Keyword::Query])?;
        if self.at_keywords(&[Keyword::If, Keyword::Exists]) {
            self.requires(HiveVersion::V4_2, "`IF EXISTS` of a scheduled query", self.start())?;
        }
        let if_exists = self.if_exists();
        self.dropped(if_exists, |parser| parser.scheduled_query_name().map(DropObject::ScheduledQuery))
    }

    /// `RESTRICT` or `CASCADE`, where it stands.
    pub(super) fn optional_drop_behavior(&mut self) -> Option<DropBehavior> {
        let behavior = match self.keyword() {
            Some(Keyword::Restrict) => DropBehavior::Restrict,
            Some(Keyword::Cascade) => DropBehavior::Cascade,
            _ => return None,
        };
        self.bump();
        Some(behavior)
    }

    /// `FOR [METADATA] REPLICATION ('event')`, where it stands.
    pub(super) fn optional_replication_clause(&mut self) -> Parse<Option<ReplicationClause<'a>>> {
        if !self.eat_keyword(Keyword::For) {
            return Ok(None);
        }
        let metadata_only = self.eat_keyword(Keyword::Metadata);
        self.expect_keyword(Keyword::Replication)?;
        let event = self.parenthesized(|parser| parser.string("a replication event in quotes"))?;
        Ok(Some(ReplicationClause { metadata_only, event }))
    }

    /// `TRUNCATE [TABLE] t [PARTITION (...)] [COLUMNS (a, b)] [FORCE]`.
    pub(crate) fn truncate_statement(&mut self) -> Parse<Statement<'a>> {
        self.expect_keyword(Keyword::Truncate)?;
        let since_4 = self.version() >= HiveVersion::V4_0;
        let table_word = if self.eat_keyword(Keyword::Table) {
            TableWord::Present
        } else if since_4 {
            TableWord::Absent
        } else if self.at_identifier(Place::Table) {
            let span = self.token().span;
            return Err(self.needs_version("`TRUNCATE` without `TABLE`", HiveVersion::V4_0, span));
        } else {
            return Err(self.expected_keywords(&[Keyword::Table]));
        };
        let name = self.table_name()?;
        let partition = self.optional_partition()?;
        let columns = if self.eat_keyword(Keyword::Columns) { self.column_list()? } else { &[] };
        let force = since_4 && self.eat_keyword(Keyword::Force);
        let truncate = Truncate { table_word, name, partition, columns, force };
        Ok(Statement::Truncate(self.arena.alloc(truncate)))
    }
}
