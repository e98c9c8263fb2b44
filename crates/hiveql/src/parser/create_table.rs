//! `CREATE TABLE`.

use guardbee_model::HiveVersion;

use super::{Parse, Parser};
use crate::keyword::{Keyword, Place};
use crate::token::TokenKind;
use crate::tree::{CreateTable, Statement, TableClause, TableContent, TableElement, TableModifiers};

/// The order that Hive wants.
const ORDER: &str = "the clauses stand in the order COMMENT, PARTITIONED BY, CLUSTERED BY, SKEWED BY, ROW FORMAT, \
    STORED, LOCATION, TBLPROPERTIES, AS";

impl<'a> Parser<'a> {
    pub(super) fn create_table(&mut self) -> Parse<Statement<'a>> {
        let start = self.start();
        self.bump();
        let modifiers = self.table_modifiers();
        if !self.at_keyword(Keyword::Table) {
            return Err(self.expected_among("`TABLE`", &[Keyword::Table, Keyword::Transactional]));
        }
        self.bump();
        let if_not_exists = self.if_not_exists();
        let name = self.table_name()?;
        let (content, clauses) = if self.at_keyword(Keyword::Like) {
            let content = self.like()?;
            (content, self.clauses_behind_like(modifiers)?)
        } else {
            let content = TableContent::Columns(self.table_elements()?);
            (content, self.table_clauses()?)
        };
        self.check_no_late_clause(ORDER)?;
        let location = self.since(start);
        let create = CreateTable { modifiers, if_not_exists, name, content, clauses, location };
        Ok(Statement::CreateTable(self.arena.alloc(create)))
    }

    /// `[TEMPORARY] [TRANSACTIONAL] [EXTERNAL]`, or `MANAGED` alone.
    fn table_modifiers(&mut self) -> TableModifiers {
        if self.eat_keyword(Keyword::Managed) {
            return TableModifiers { managed: true, ..TableModifiers::default() };
        }
        TableModifiers {
            temporary: self.eat_keyword(Keyword::Temporary),
            transactional: self.eat_keyword(Keyword::Transactional),
            external: self.eat_keyword(Keyword::External),
            managed: false,
        }
    }

    /// `LIKE t` or `LIKE FILE format 'path'`.
    fn like(&mut self) -> Parse<TableContent<'a>> {
        self.bump();
        let names_file = self.version() >= HiveVersion::V4_0 && self.at_keyword(Keyword::File);
        if !names_file {
            return Ok(TableContent::Like(self.table_name()?));
        }
        if !self.peek_identifier(1, Place::Table) {
            return self.table_called_file();
        }
        self.bump();
        let format = self.identifier(Place::Table, "a file format")?;
        let path = self.string("the path of a file in quotes")?;
        Ok(TableContent::LikeFile { format, path })
    }

    /// `LIKE FILE` with nothing behind that could be a format: a table of that name, which Hive 4 takes
    /// without a database only.
    fn table_called_file(&mut self) -> Parse<TableContent<'a>> {
        let name = self.take_identifier();
        if self.at(TokenKind::Dot) {
            return Err(self.unexpected("a file format"));
        }
        Ok(TableContent::Like(crate::tree::QualifiedName { database: None, name, meta: None }))
    }

    /// `(column or constraint, ...)`, where it stands.
    fn table_elements(&mut self) -> Parse<&'a [TableElement<'a>]> {
        if self.at(TokenKind::LeftParenthesis) {
            self.parenthesized_list(Self::table_element)
        } else {
            Ok(&[])
        }
    }

    fn table_element(&mut self) -> Parse<TableElement<'a>> {
        self.forget_consumed();
        if self.at_table_constraint() {
            self.table_constraint_of_new_table().map(TableElement::Constraint)
        } else {
            self.column_with_constraint().map(TableElement::Column)
        }
    }

    fn table_clauses(&mut self) -> Parse<&'a [TableClause<'a>]> {
        let mut clauses = Vec::new();
        if self.at_keyword(Keyword::Comment) {
            clauses.push(TableClause::Comment(self.comment_clause()?));
        }
        if self.at_keyword(Keyword::Partitioned) {
            clauses.push(self.partitioned_by()?);
        }
        if self.at_keyword(Keyword::Clustered) {
            clauses.push(TableClause::ClusteredBy(self.buckets()?));
        }
        if self.at_keyword(Keyword::Write) {
            clauses.push(TableClause::WriteOrderedBy(self.write_order()?));
        }
        if self.at_keyword(Keyword::Skewed) {
            clauses.push(TableClause::Skewed(self.skewed_by()?));
        }
        self.storage_clauses(&mut clauses)?;
        if self.eat_keyword(Keyword::As) {
            let (query, query_text) = self.select_with_text()?;
            clauses.push(TableClause::As { query, query_text });
        }
        Ok(self.arena.list(&clauses))
    }

    fn clauses_behind_like(&mut self, modifiers: TableModifiers) -> Parse<&'a [TableClause<'a>]> {
        let mut clauses = Vec::new();
        if self.at_keyword(Keyword::Partitioned) && !modifiers.managed {
            self.requires(HiveVersion::V4_0, "`PARTITIONED BY` behind `LIKE`", self.start())?;
            clauses.push(self.partitioned_by()?);
        }
        self.storage_clauses(&mut clauses)?;
        Ok(self.arena.list(&clauses))
    }

    /// `[ROW FORMAT ...] [STORED ...] [LOCATION ...] [TBLPROPERTIES ...]`.
    fn storage_clauses(&mut self, clauses: &mut Vec<TableClause<'a>>) -> Parse<()> {
        if self.at_keyword(Keyword::Row) {
            clauses.push(TableClause::RowFormat(self.row_format()?));
        }
        if self.at_keyword(Keyword::Stored) {
            clauses.push(TableClause::Stored(self.storage()?));
        }
        if self.eat_keyword(Keyword::Location) {
            clauses.push(TableClause::Location(self.location()?));
        }
        if self.eat_keyword(Keyword::Tblproperties) {
            clauses.push(TableClause::Properties(self.table_properties()?));
        }
        Ok(())
    }

    /// Fails with the right order where a clause stands that came too late.
    pub(super) fn check_no_late_clause(&self, order: &str) -> Parse<()> {
        if self.at_table_clause() {
            Err(Box::new(self.unexpected("the end of the statement").with_hint(order)))
        } else {
            Ok(())
        }
    }

    /// Does a clause stand next that came too late?
    pub(super) fn at_table_clause(&self) -> bool {
        matches!(
            self.keyword(),
            Some(
                Keyword::Comment
                    | Keyword::Partitioned
                    | Keyword::Clustered
                    | Keyword::Skewed
                    | Keyword::Row
                    | Keyword::Stored
                    | Keyword::Location
                    | Keyword::Tblproperties
                    | Keyword::As
            )
        )
    }
}
