//! `SHOW`.

use guardbee_model::{Diagnostic, HiveVersion};

use super::{Parse, Parser};
use crate::keyword::{Keyword, Place};
use crate::token::TokenKind;
use crate::tree::{
    CompactionFilter, GrantFilter, Identifier, Pattern, PatternText, PrivilegeObject, QualifiedName, Show,
    ShowCompactions, ShowPartitions, ShowScope, Statement, TableFilter,
};

/// What may follow `SHOW`, to name when something else does.
const SHOWN: &[Keyword] = &[
    Keyword::Databases,
    Keyword::Tables,
    Keyword::Views,
    Keyword::Materialized,
    Keyword::Columns,
    Keyword::Functions,
    Keyword::Partitions,
    Keyword::Create,
    Keyword::Tblproperties,
    Keyword::Locks,
    Keyword::Compactions,
    Keyword::Transactions,
    Keyword::Conf,
    Keyword::Roles,
    Keyword::Grant,
    Keyword::Catalogs,
    Keyword::Dataconnectors,
    Keyword::Resource,
    Keyword::Current,
    Keyword::Role,
    Keyword::Principals,
    Keyword::Table,
    Keyword::Sorted,
    Keyword::Extended,
];

impl<'a> Parser<'a> {
    pub(crate) fn show_statement(&mut self) -> Parse<Statement<'a>> {
        self.expect_keyword(Keyword::Show)?;
        let show = self.show()?;
        Ok(Statement::Show(self.arena.alloc(show)))
    }

    fn show(&mut self) -> Parse<Show<'a>> {
        let Some(keyword) = self.keyword() else { return self.show_other() };
        match keyword {
            Keyword::Catalogs => {
                self.bump();
                Ok(Show::Catalogs { pattern: self.like_pattern()? })
            }
            Keyword::Databases | Keyword::Schemas => {
                self.bump();
                Ok(Show::Databases { pattern: self.like_pattern()? })
            }
            Keyword::Extended => {
                self.requires(HiveVersion::V4_0, "`SHOW EXTENDED TABLES`", self.start())?;
                self.bump();
                self.show_tables(true)
            }
            Keyword::Tables => self.show_tables(false),
            Keyword::Views => {
                self.bump();
                Ok(Show::Views { database: self.optional_database()?, pattern: self.optional_pattern()? })
            }
            Keyword::Materialized => self.show_materialized_views(),
            Keyword::Columns | Keyword::Sorted => self.show_columns(),
            Keyword::Functions => self.show_functions(),
            Keyword::Partitions => self.show_partitions(),
            Keyword::Create => self.show_create(),
            Keyword::Table => self.show_table_status(),
            Keyword::Tblproperties => self.show_table_properties(),
            Keyword::Locks => self.show_locks(),
            Keyword::Compactions => self.show_compactions(),
            Keyword::Transactions => {
                self.bump();
                Ok(Show::Transactions)
            }
            Keyword::Conf => {
                self.bump();
                Ok(Show::Conf(self.string("the name of a setting in quotes")?))
            }
            Keyword::Index | Keyword::Indexes | Keyword::Formatted => self.show_indexes(),
            Keyword::Resource => self.show_resource_plans(),
            Keyword::Dataconnectors => {
                self.bump();
                Ok(Show::DataConnectors)
            }
            Keyword::Roles => {
                self.bump();
                Ok(Show::Roles)
            }
            Keyword::Current => {
                self.bump();
                self.expect_keyword(Keyword::Roles)?;
                Ok(Show::CurrentRoles)
            }
            Keyword::Role => {
                self.bump();
                self.expect_keyword(Keyword::Grant)?;
                Ok(Show::RoleGrant(self.principal()?))
            }
            Keyword::Principals => {
                self.bump();
                Ok(Show::Principals(self.identifier(Place::Role, "a role name")?))
            }
            Keyword::Grant => self.show_grant(),
            _ => self.show_other(),
        }
    }

    /// What no grammar of Hive's knows.
    fn show_other(&mut self) -> Parse<Show<'a>> {
        if !self.takes_extensions() {
            return Err(self.nothing_to_show());
        }
        if self.eat_text("PROCESSLIST") {
            return Ok(Show::ProcessList);
        }
        if self.eat_word(Keyword::Tags) {
            let object = if self.eat_keyword(Keyword::On) { Some(self.privilege_object()?) } else { None };
            return Ok(Show::Tags(object));
        }
        if self.eat_word(Keyword::Row) {
            self.expect_word(Keyword::Filters)?;
            return Ok(Show::RowFilters(self.on_table()?));
        }
        if self.eat_word(Keyword::Column) {
            self.expect_word(Keyword::Masks)?;
            return Ok(Show::ColumnMasks(self.on_table()?));
        }
        Err(self.nothing_to_show())
    }

    #[cold]
    fn nothing_to_show(&self) -> Box<Diagnostic> {
        self.expected_among("a thing to show such as `TABLES`", SHOWN)
    }

    fn on_table(&mut self) -> Parse<Option<QualifiedName<'a>>> {
        if self.eat_keyword(Keyword::On) { self.table_name().map(Some) } else { Ok(None) }
    }

    fn show_tables(&mut self, extended: bool) -> Parse<Show<'a>> {
        self.expect_keyword(Keyword::Tables)?;
        let database = self.optional_database()?;
        let filters = self.at_keyword(Keyword::Where) && self.version() >= HiveVersion::V4_0;
        let filter = if filters {
            Some(self.table_type()?)
        } else {
            self.optional_pattern()?.map(TableFilter::Pattern)
        };
        Ok(Show::Tables { extended, database, filter })
    }

    /// `WHERE key = 'value'`.
    fn table_type(&mut self) -> Parse<TableFilter<'a>> {
        self.bump();
        let key = self.identifier(Place::Column, "a name")?;
        self.expect(TokenKind::Equal, "`=`")?;
        let value = self.string("a table type in quotes")?;
        Ok(TableFilter::Where { key, value })
    }

    fn show_materialized_views(&mut self) -> Parse<Show<'a>> {
        self.requires(HiveVersion::V3_1, "`SHOW MATERIALIZED VIEWS`", self.start())?;
        self.bump();
        self.expect_keyword(Keyword::Views)?;
        Ok(Show::MaterializedViews { database: self.optional_database()?, pattern: self.optional_pattern()? })
    }

    fn show_columns(&mut self) -> Parse<Show<'a>> {
        let sorted = self.version() >= HiveVersion::V4_0 && self.eat_keyword(Keyword::Sorted);
        self.expect_keyword(Keyword::Columns)?;
        self.expect_from()?;
        let table = self.table_name()?;
        let database = self.optional_database()?;
        let pattern = if self.version() >= HiveVersion::V3_1 { self.optional_pattern()? } else { None };
        Ok(Show::Columns { sorted, table, database, pattern })
    }

    fn show_functions(&mut self) -> Parse<Show<'a>> {
        self.bump();
        let like = self.eat_keyword(Keyword::Like);
        let takes_bare = self.version() < HiveVersion::V4_0 && self.at_pattern();
        if !like && !takes_bare {
            return Ok(Show::Functions { pattern: None });
        }
        let text = if self.at(TokenKind::String) {
            PatternText::String(self.string("a pattern")?)
        } else {
            PatternText::Name(self.two_part_name(Place::Database, "a function name or a pattern in quotes")?)
        };
        Ok(Show::Functions { pattern: Some(Pattern { like, text }) })
    }

    fn show_partitions(&mut self) -> Parse<Show<'a>> {
        self.bump();
        let table = self.table_name()?;
        let partition = self.optional_partition()?;
        let mut shown = ShowPartitions { table, partition, filter: None, order_by: &[], limit: None };
        if self.version() >= HiveVersion::V4_0 {
            shown.filter = self.optional_where()?;
            shown.order_by = self.optional_order_by()?;
            shown.limit = self.optional_limit()?;
        }
        Ok(Show::Partitions(self.arena.alloc(shown)))
    }

    fn show_create(&mut self) -> Parse<Show<'a>> {
        self.bump();
        match self.keyword() {
            Some(Keyword::Database | Keyword::Schema) => {
                self.bump();
                Ok(Show::CreateDatabase(self.database_name()?))
            }
            Some(Keyword::Table) => {
                self.bump();
                Ok(Show::CreateTable(self.table_name()?))
            }
            _ => Err(self.expected_keywords(&[Keyword::Table, Keyword::Database])),
        }
    }

    fn show_table_status(&mut self) -> Parse<Show<'a>> {
        self.expect_keywords(&[Keyword::Table, Keyword::Extended])?;
        let database = self.optional_database()?;
        self.expect_keyword(Keyword::Like)?;
        let table = self.pattern_text()?;
        Ok(Show::TableStatus { database, table, partition: self.optional_partition()? })
    }

    fn show_table_properties(&mut self) -> Parse<Show<'a>> {
        self.bump();
        let table = self.table_name()?;
        let key = if self.at(TokenKind::LeftParenthesis) {
            Some(self.parenthesized(|parser| parser.string("a property name in quotes"))?)
        } else {
            None
        };
        Ok(Show::TableProperties { table, key })
    }

    fn show_locks(&mut self) -> Parse<Show<'a>> {
        self.bump();
        let scope = self.show_scope()?;
        Ok(Show::Locks { scope, extended: self.eat_keyword(Keyword::Extended) })
    }

    fn show_compactions(&mut self) -> Parse<Show<'a>> {
        self.bump();
        let shown = if self.version() < HiveVersion::V4_0 {
            ShowCompactions::Filtered(CompactionFilter::ALL)
        } else if self.at_compaction_id() {
            self.bump();
            self.expect(TokenKind::Equal, "`=`")?;
            ShowCompactions::ById(self.number("the number of a compaction")?)
        } else {
            ShowCompactions::Filtered(self.compaction_filter()?)
        };
        Ok(Show::Compactions(self.arena.alloc(shown)))
    }

    /// `COMPACTIONID` is a name from Hive 4.1 on unless `=` follows it.
    fn at_compaction_id(&mut self) -> bool {
        self.at_keyword(Keyword::CompactId)
            && (self.peek(1) == TokenKind::Equal || !self.at_identifier(Place::Table))
    }

    fn compaction_filter(&mut self) -> Parse<CompactionFilter<'a>> {
        let is_filter = self.at_compaction_filter(0);
        let scope = if is_filter { ShowScope::All } else { self.show_scope()? };
        Ok(CompactionFilter {
            scope,
            pool: self.word_and_string(Keyword::Pool)?,
            kind: self.word_and_string(Keyword::Type)?,
            status: self.word_and_string(Keyword::Status)?,
            order_by: self.optional_order_by()?,
            limit: self.optional_limit()?,
        })
    }

    /// Does a filter start there, such as `POOL 'p'`? Without a string the word is a name.
    fn at_compaction_filter(&mut self, ahead: usize) -> bool {
        match self.peek_keyword(ahead) {
            Some(Keyword::Pool | Keyword::Type | Keyword::Status) => {
                self.peek(ahead + 1) == TokenKind::String
            }
            Some(Keyword::Limit) => matches!(self.peek(ahead + 1), TokenKind::Integer | TokenKind::Decimal),
            _ => false,
        }
    }

    fn word_and_string(&mut self, word: Keyword) -> Parse<Option<crate::tree::StringLiteral<'a>>> {
        if self.at_keyword(word) && self.peek(1) == TokenKind::String {
            self.bump();
            return self.string("a string").map(Some);
        }
        Ok(None)
    }

    /// `DATABASE d`, `t [column.path] [PARTITION (...)]`, or nothing.
    fn show_scope(&mut self) -> Parse<ShowScope<'a>> {
        let names_database = match self.keyword() {
            Some(Keyword::Database) => true,
            Some(Keyword::Schema) if self.version() == HiveVersion::V2_3 => {
                matches!(self.peek(1), TokenKind::Identifier | TokenKind::QuotedIdentifier)
            }
            Some(Keyword::Schema) => self.peek_identifier(1, Place::Database),
            _ => false,
        };
        if names_database {
            self.bump();
            return Ok(ShowScope::Database(self.locked_database_name()?));
        }
        if !self.at_identifier(Place::Table) {
            return Ok(ShowScope::All);
        }
        let table = self.two_part_name(Place::Database, "a table name")?;
        let path = if self.at_identifier(Place::Column) && !self.at_compaction_filter(0) {
            self.name_path("a column name")?
        } else {
            &[]
        };
        Ok(ShowScope::Table { table, path, partition: self.optional_partition()? })
    }

    fn show_indexes(&mut self) -> Parse<Show<'a>> {
        if self.version() > HiveVersion::V2_3 {
            return Err(self.gone_since("`SHOW INDEXES`", HiveVersion::V2_3, self.token().span));
        }
        let formatted = self.eat_keyword(Keyword::Formatted);
        if !self.eat_keyword(Keyword::Index) {
            self.expect_keyword(Keyword::Indexes)?;
        }
        self.expect_keyword(Keyword::On)?;
        let table = self.pattern_text()?;
        Ok(Show::Indexes { formatted, table, database: self.optional_database()? })
    }

    fn show_resource_plans(&mut self) -> Parse<Show<'a>> {
        self.bump();
        match self.keyword() {
            Some(Keyword::Plans) => {
                self.bump();
                Ok(Show::ResourcePlans)
            }
            Some(Keyword::Plan) => {
                self.bump();
                Ok(Show::ResourcePlan(self.identifier(Place::Database, "a resource plan name")?))
            }
            _ => Err(self.expected_keywords(&[Keyword::Plan, Keyword::Plans])),
        }
    }

    fn show_grant(&mut self) -> Parse<Show<'a>> {
        self.bump();
        let at_principal = match self.keyword() {
            Some(Keyword::User | Keyword::Group | Keyword::Role) => true,
            _ => self.takes_extensions() && (self.at_identifier(Place::User) || self.at(TokenKind::String)),
        };
        let principal = if at_principal { Some(self.principal()?) } else { None };
        let object = if self.eat_keyword(Keyword::On) { Some(self.grant_filter()?) } else { None };
        Ok(Show::Grant { principal, object })
    }

    fn grant_filter(&mut self) -> Parse<GrantFilter<'a>> {
        let is_all = self.at_keyword(Keyword::All) && self.peek_keyword(1) != Some(Keyword::Tables);
        if is_all {
            self.bump();
            return Ok(GrantFilter::All);
        }
        let mut object = self.privilege_object()?;
        let mut columns: &[Identifier<'a>] = &[];
        if let PrivilegeObject::Table { partition, .. } = &mut object {
            let takes_columns = partition.is_none() && self.at(TokenKind::LeftParenthesis);
            if takes_columns {
                columns = self.column_list()?;
                *partition = self.optional_partition()?;
            }
        }
        Ok(GrantFilter::Object { object, columns })
    }

    /// `[FROM|IN database]`.
    fn optional_database(&mut self) -> Parse<Option<Identifier<'a>>> {
        if self.eat_keyword(Keyword::From) || self.eat_keyword(Keyword::In) {
            return self.database_name().map(Some);
        }
        Ok(None)
    }

    fn expect_from(&mut self) -> Parse<()> {
        if self.eat_keyword(Keyword::From) || self.eat_keyword(Keyword::In) {
            return Ok(());
        }
        Err(self.expected_keywords(&[Keyword::From, Keyword::In]))
    }

    /// `[LIKE pattern]`.
    fn like_pattern(&mut self) -> Parse<Option<PatternText<'a>>> {
        if self.eat_keyword(Keyword::Like) { self.pattern_text().map(Some) } else { Ok(None) }
    }

    /// `[[LIKE] pattern]`.
    fn optional_pattern(&mut self) -> Parse<Option<Pattern<'a>>> {
        let like = self.eat_keyword(Keyword::Like);
        if !like && !self.at_pattern() {
            return Ok(None);
        }
        Ok(Some(Pattern { like, text: self.pattern_text()? }))
    }

    fn at_pattern(&self) -> bool {
        self.at(TokenKind::String) || self.at_identifier(Place::Table)
    }

    fn pattern_text(&mut self) -> Parse<PatternText<'a>> {
        if self.at(TokenKind::String) {
            return self.string("a pattern").map(PatternText::String);
        }
        let name = self.identifier(Place::Table, "a name or a pattern in quotes")?;
        Ok(PatternText::Name(QualifiedName { database: None, name, meta: None }))
    }
}
