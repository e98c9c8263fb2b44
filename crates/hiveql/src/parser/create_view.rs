//! `CREATE VIEW`, `CREATE MATERIALIZED VIEW`.

use guardbee_model::HiveVersion;

use super::{Parse, Parser};
use crate::keyword::{Keyword, Place};
use crate::token::TokenKind;
use crate::tree::{
    ColumnLabel, CreateMaterializedView, CreateView, Enablement, Identifier, MaterializedViewClause,
    QualifiedName, Statement, ViewPartitioning,
};

impl<'a> Parser<'a> {
    pub(super) fn create_view(&mut self) -> Parse<Statement<'a>> {
        self.bump();
        let or_replace = self.eat_keywords(&[Keyword::Or, Keyword::Replace]);
        self.expect_keyword(Keyword::View)?;
        let if_not_exists = self.if_not_exists();
        let name = self.table_name()?;
        let columns = if self.at(TokenKind::LeftParenthesis) {
            self.parenthesized_list(Self::column_label)?
        } else {
            &[]
        };
        let comment = self.optional_comment()?;
        let partitioned_on = self.optional_view_partitioning()?;
        let properties = self.optional_table_properties()?;
        self.as_of_view("the clauses stand in the order COMMENT, PARTITIONED ON, TBLPROPERTIES, AS")?;
        let (query, query_text) = self.select_with_text()?;
        Ok(Statement::CreateView(self.arena.alloc(CreateView {
            or_replace,
            if_not_exists,
            name,
            columns,
            comment,
            partitioned_on,
            properties,
            query,
            query_text,
        })))
    }

    pub(super) fn create_materialized_view(&mut self) -> Parse<Statement<'a>> {
        self.bump();
        self.expect_keywords(&[Keyword::Materialized, Keyword::View])?;
        let if_not_exists = self.if_not_exists();
        let name = self.table_name()?;
        let rewrite = self.optional_rewrite()?;
        let clauses = self.materialized_view_clauses()?;
        self.as_of_view(
            "the clauses stand in the order COMMENT, PARTITIONED ON, CLUSTERED ON, ROW FORMAT, STORED, LOCATION, \
             TBLPROPERTIES, AS",
        )?;
        let (query, query_text) = self.select_with_text()?;
        Ok(Statement::CreateMaterializedView(self.arena.alloc(CreateMaterializedView {
            if_not_exists,
            name,
            rewrite,
            clauses,
            query,
            query_text,
        })))
    }

    /// Takes `AS`; where another clause stands instead, it came too late.
    fn as_of_view(&mut self, order: &str) -> Parse<()> {
        if self.eat_keyword(Keyword::As) {
            return Ok(());
        }
        let diagnostic = self.expected_keywords(&[Keyword::As]);
        Err(if diagnostic.hint.is_none() && self.at_table_clause() {
            Box::new(diagnostic.with_hint(order))
        } else {
            diagnostic
        })
    }

    /// The name of a view where Hive takes two parts at most.
    pub(super) fn view_name(&mut self) -> Parse<QualifiedName<'a>> {
        self.two_part_name(Place::Table, "a view name")
    }

    fn column_label(&mut self) -> Parse<ColumnLabel<'a>> {
        let name = self.column_name()?;
        Ok(ColumnLabel { name, comment: self.optional_comment()? })
    }

    /// Only the word that is not the version's default may stand here.
    fn optional_rewrite(&mut self) -> Parse<Option<Enablement>> {
        let (word, enablement) = if self.version() < HiveVersion::V3_1 {
            (Keyword::Enable, Enablement::Enable)
        } else {
            (Keyword::Disable, Enablement::Disable)
        };
        if !self.eat_keyword(word) {
            return Ok(None);
        }
        self.expect_keyword(Keyword::Rewrite)?;
        Ok(Some(enablement))
    }

    /// `PARTITIONED ON (a, b)` or `PARTITIONED ON SPEC (year(a))`, where it stands.
    fn optional_view_partitioning(&mut self) -> Parse<Option<ViewPartitioning<'a>>> {
        if !self.eat_keyword(Keyword::Partitioned) {
            return Ok(None);
        }
        self.expect_keyword(Keyword::On)?;
        if self.eat_keyword(Keyword::Spec) {
            return self.partition_transforms().map(ViewPartitioning::Spec).map(Some);
        }
        self.column_list().map(ViewPartitioning::Columns).map(Some)
    }

    fn materialized_view_clauses(&mut self) -> Parse<&'a [MaterializedViewClause<'a>]> {
        let mut clauses = Vec::new();
        if let Some(comment) = self.optional_comment()? {
            clauses.push(MaterializedViewClause::Comment(comment));
        }
        if self.version() >= HiveVersion::V4_0 {
            self.organization_clauses(&mut clauses)?;
        }
        if self.at_keyword(Keyword::Row) {
            clauses.push(MaterializedViewClause::RowFormat(self.row_format()?));
        }
        if self.at_keyword(Keyword::Stored) {
            clauses.push(MaterializedViewClause::Stored(self.storage()?));
        }
        if let Some(location) = self.optional_location()? {
            clauses.push(MaterializedViewClause::Location(location));
        }
        if let Some(properties) = self.optional_table_properties()? {
            clauses.push(MaterializedViewClause::Properties(properties));
        }
        Ok(self.arena.list(&clauses))
    }

    /// `[PARTITIONED ON ...] [CLUSTERED ON (...) | DISTRIBUTED ON (...) SORTED ON (...)]`.
    fn organization_clauses(&mut self, clauses: &mut Vec<MaterializedViewClause<'a>>) -> Parse<()> {
        if let Some(partitioning) = self.optional_view_partitioning()? {
            clauses.push(MaterializedViewClause::PartitionedOn(partitioning));
        }
        if self.at_keyword(Keyword::Clustered) {
            clauses.push(MaterializedViewClause::ClusteredOn(self.columns_on(Keyword::Clustered)?));
        } else if self.at_keyword(Keyword::Distributed) {
            let columns = self.columns_on(Keyword::Distributed)?;
            let sorted_on = self.columns_on(Keyword::Sorted)?;
            clauses.push(MaterializedViewClause::DistributedOn { columns, sorted_on });
        }
        Ok(())
    }

    /// `word ON (a, b)`.
    fn columns_on(&mut self, word: Keyword) -> Parse<&'a [Identifier<'a>]> {
        self.expect_keywords(&[word, Keyword::On])?;
        self.column_list()
    }
}
