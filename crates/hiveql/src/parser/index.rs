//! Indexes, which Hive gave up after 2.3.

use guardbee_model::{HiveVersion, Span};

use super::{Parse, Parser};
use crate::keyword::{Keyword, Place};
use crate::tree::{
    AlterIndex, CreateIndex, Drop, DropObject, Identifier, IndexChange, RowFormatting, Statement,
};

impl<'a> Parser<'a> {
    pub(super) fn create_index(&mut self) -> Parse<Statement<'a>> {
        self.index_words()?;
        let name = self.index_name()?;
        self.expect_keywords(&[Keyword::On, Keyword::Table])?;
        let table = self.table_name()?;
        let columns = self.column_list()?;
        self.expect_keyword(Keyword::As)?;
        let handler = self.string("an index type in quotes")?;
        let deferred_rebuild = self.eat_keywords(&[Keyword::With, Keyword::Deferred, Keyword::Rebuild]);
        let index_properties =
            if self.eat_keyword(Keyword::Idxproperties) { Some(self.properties()?) } else { None };
        let in_table =
            if self.eat_keywords(&[Keyword::In, Keyword::Table]) { Some(self.table_name()?) } else { None };
        let row_format =
            if self.at_keyword(Keyword::Row) { self.row_format()? } else { RowFormatting::Unspecified };
        let storage = if self.at_keyword(Keyword::Stored) { Some(self.storage()?) } else { None };
        let location = self.optional_location()?;
        let table_properties = self.optional_table_properties()?;
        let comment = self.optional_comment()?;
        Ok(Statement::CreateIndex(self.arena.alloc(CreateIndex {
            name,
            table,
            columns,
            handler,
            deferred_rebuild,
            index_properties,
            in_table,
            row_format,
            storage,
            location,
            table_properties,
            comment,
        })))
    }

    /// `DROP INDEX [IF EXISTS] i ON t`.
    pub(super) fn drop_index(&mut self) -> Parse<Statement<'a>> {
        self.index_words()?;
        let if_exists = self.if_exists();
        let name = self.index_name()?;
        self.expect_keyword(Keyword::On)?;
        let table = self.table_name()?;
        let object = DropObject::Index { name, table };
        Ok(Statement::Drop(self.arena.alloc(Drop { object, if_exists })))
    }

    pub(super) fn alter_index(&mut self) -> Parse<Statement<'a>> {
        self.index_words()?;
        let name = self.index_name()?;
        self.expect_keyword(Keyword::On)?;
        let table = self.table_name()?;
        let partition = self.optional_partition()?;
        let change = match self.keyword() {
            Some(Keyword::Rebuild) => {
                self.bump();
                IndexChange::Rebuild
            }
            Some(Keyword::Set) => {
                self.expect_keywords(&[Keyword::Set, Keyword::Idxproperties])?;
                IndexChange::SetProperties(self.properties()?)
            }
            _ => return Err(self.expected_keywords(&[Keyword::Rebuild, Keyword::Set])),
        };
        Ok(Statement::AlterIndex(self.arena.alloc(AlterIndex { name, table, partition, change })))
    }

    /// The verb and `INDEX`, unless the version has no indexes any more.
    fn index_words(&mut self) -> Parse<()> {
        let verb = self.bump();
        let word = self.expect_keyword(Keyword::Index)?;
        if self.version() < HiveVersion::V3_1 {
            return Ok(());
        }
        let span = Span::new(verb.span.start, word.span.end);
        let what = format!("`{} INDEX`", verb.kind.describe());
        Err(self.gone_since(&what, HiveVersion::V2_3, span))
    }

    fn index_name(&mut self) -> Parse<Identifier<'a>> {
        self.identifier(Place::Table, "an index name")
    }
}
