//! What a query writes: `INSERT INTO`, `INSERT OVERWRITE`.

use super::{Parse, Parser};
use crate::keyword::Keyword;
use crate::token::TokenKind;
use crate::tree::{
    Existence, Insert, InsertDirectory, InsertMode, InsertTable, InsertTarget, Locality, TableWord,
};

impl<'a> Parser<'a> {
    /// `INSERT INTO|OVERWRITE ...`, without the query.
    pub(super) fn insert(&mut self) -> Parse<&'a Insert<'a>> {
        let start = self.start();
        self.bump();
        let (mode, target) = match self.keyword() {
            Some(Keyword::Into) => (InsertMode::Into, self.insert_into()?),
            Some(Keyword::Overwrite) => (InsertMode::Overwrite, self.insert_overwrite()?),
            _ => return Err(self.expected_keywords(&[Keyword::Into, Keyword::Overwrite])),
        };
        Ok(self.arena.alloc(Insert { mode, target, location: self.since(start) }))
    }

    /// `INTO [TABLE] t [PARTITION (...)] [(columns)]`.
    fn insert_into(&mut self) -> Parse<InsertTarget<'a>> {
        self.bump();
        let table_word =
            if self.eat_keyword(Keyword::Table) { TableWord::Present } else { TableWord::Absent };
        let name = self.table_name()?;
        let partition = self.optional_partition()?;
        let columns = if self.at_columns_of_insert() { self.column_list()? } else { &[] };
        let if_not_exists = Existence::Required;
        Ok(InsertTarget::Table(self.arena.alloc(InsertTable {
            table_word,
            name,
            partition,
            if_not_exists,
            columns,
        })))
    }

    /// A list of columns, or a query in parentheses?
    fn at_columns_of_insert(&mut self) -> bool {
        self.at(TokenKind::LeftParenthesis)
            && !matches!(
                self.parentheses().inner,
                TokenKind::Keyword(Keyword::Select | Keyword::Map | Keyword::Reduce | Keyword::Values)
            )
    }

    /// `OVERWRITE TABLE t [PARTITION (...)] [IF NOT EXISTS]`, `OVERWRITE [LOCAL] DIRECTORY '...'`.
    fn insert_overwrite(&mut self) -> Parse<InsertTarget<'a>> {
        self.bump();
        match self.keyword() {
            Some(Keyword::Table) => {
                self.bump();
                let name = self.table_name()?;
                let partition = self.optional_partition()?;
                let if_not_exists = self.if_not_exists();
                Ok(InsertTarget::Table(self.arena.alloc(InsertTable {
                    table_word: TableWord::Present,
                    name,
                    partition,
                    if_not_exists,
                    columns: &[],
                })))
            }
            Some(Keyword::Local | Keyword::Directory) => self.insert_directory(),
            _ => Err(self.expected_keywords(&[Keyword::Table, Keyword::Directory, Keyword::Local])),
        }
    }

    /// `[LOCAL] DIRECTORY '...' [ROW FORMAT ...] [STORED ...]`; Hive takes an `IF NOT EXISTS` behind it and
    /// forgets it.
    fn insert_directory(&mut self) -> Parse<InsertTarget<'a>> {
        let local = if self.eat_keyword(Keyword::Local) { Locality::Local } else { Locality::Cluster };
        self.expect_keyword(Keyword::Directory)?;
        let path = self.string("a path in quotes")?;
        let row_format = self.row_format()?;
        let storage = if self.at_keyword(Keyword::Stored) { Some(self.storage()?) } else { None };
        self.if_not_exists();
        let directory = InsertDirectory { local, path, row_format, storage };
        Ok(InsertTarget::Directory(self.arena.alloc(directory)))
    }
}
