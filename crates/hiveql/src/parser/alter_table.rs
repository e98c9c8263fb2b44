//! `ALTER TABLE` and `OPTIMIZE TABLE`.

use guardbee_model::HiveVersion;

use super::{Parse, Parser};
use crate::keyword::Keyword;
use crate::token::TokenKind;
use crate::tree::{
    AlterTable, ChangeColumn, ColumnDefinition, ColumnPosition, Compact, SkewedLocation, Statement,
    StringLiteral, TableChange,
};

const CHANGE: &str = "a change, such as `ADD`, `SET` or `RENAME`";

/// The words that a change of a table may start with.
const CHANGES: &[Keyword] = &[
    Keyword::Add,
    Keyword::Set,
    Keyword::Drop,
    Keyword::Rename,
    Keyword::Change,
    Keyword::Replace,
    Keyword::Partition,
    Keyword::Unset,
    Keyword::Update,
    Keyword::Compact,
    Keyword::Concatenate,
    Keyword::Exchange,
    Keyword::Touch,
    Keyword::Archive,
    Keyword::Unarchive,
    Keyword::Clustered,
    Keyword::Skewed,
    Keyword::Not,
    Keyword::Into,
    Keyword::Execute,
    Keyword::Create,
    Keyword::Convert,
];

/// The words that a change of one partition may start with.
const PARTITION_CHANGES: &[Keyword] = &[
    Keyword::Set,
    Keyword::Rename,
    Keyword::Add,
    Keyword::Change,
    Keyword::Replace,
    Keyword::Unset,
    Keyword::Update,
    Keyword::Compact,
    Keyword::Concatenate,
    Keyword::Clustered,
    Keyword::Not,
    Keyword::Into,
];

impl<'a> Parser<'a> {
    pub(super) fn alter_table(&mut self) -> Parse<Statement<'a>> {
        let start = self.start();
        self.bump();
        self.bump();
        let name = self.table_name()?;
        let is_partition =
            self.at_keyword(Keyword::Partition) && self.peek_keyword(1) != Some(Keyword::Column);
        let (partition, change) = if is_partition {
            (Some(self.partition_specification()?), self.partition_change(PARTITION_CHANGES)?)
        } else {
            (None, self.table_change()?)
        };
        let location = self.since(start);
        Ok(Statement::AlterTable(self.arena.alloc(AlterTable { name, partition, change, location })))
    }

    /// `OPTIMIZE TABLE t REWRITE DATA [POOL 'p'] [WHERE ...] [ORDER BY ...]`.
    pub(crate) fn optimize_statement(&mut self) -> Parse<Statement<'a>> {
        let start = self.start();
        self.expect_keywords(&[Keyword::Optimize, Keyword::Table])?;
        let name = self.table_name()?;
        self.expect_keywords(&[Keyword::Rewrite, Keyword::Data])?;
        let takes_more = self.version() >= HiveVersion::V4_1;
        let compact = Compact {
            kind: None,
            buckets: None,
            and_wait: false,
            pool: if takes_more { self.optional_pool()? } else { None },
            overwrite_properties: None,
            filter: if takes_more { self.optional_where()? } else { None },
            order_by: if takes_more { self.optional_order_by()? } else { &[] },
        };
        let change = TableChange::RewriteData(self.arena.alloc(compact));
        let location = self.since(start);
        Ok(Statement::AlterTable(self.arena.alloc(AlterTable { name, partition: None, change, location })))
    }

    /// A change that a table takes and a partition does not, or one that both take.
    fn table_change(&mut self) -> Parse<TableChange<'a>> {
        let Some(verb) = self.keyword() else {
            return Err(self.expected_among(CHANGE, CHANGES));
        };
        match (verb, self.peek_keyword(1)) {
            (Keyword::Rename, Some(Keyword::To)) if self.peek_keyword(2) != Some(Keyword::Partition) => {
                self.expect_keywords(&[Keyword::Rename, Keyword::To])?;
                self.table_name().map(TableChange::Rename)
            }
            (Keyword::Rename, Some(Keyword::Branch)) => self.rename_reference(),
            (Keyword::Add, Some(Keyword::Constraint)) => {
                self.bump();
                self.named_table_constraint().map(TableChange::AddConstraint)
            }
            (Keyword::Add, Some(Keyword::If | Keyword::Partition)) => {
                self.bump();
                let (if_not_exists, partitions) = self.added_partitions()?;
                Ok(TableChange::AddPartitions { if_not_exists, partitions })
            }
            (Keyword::Drop, Some(Keyword::Constraint)) => {
                self.expect_keywords(&[Keyword::Drop, Keyword::Constraint])?;
                self.constraint_name().map(TableChange::DropConstraint)
            }
            (Keyword::Drop, Some(Keyword::If | Keyword::Partition)) => self.drop_partitions(),
            (Keyword::Drop, Some(Keyword::Branch | Keyword::Tag)) => self.drop_reference_of_table(),
            (Keyword::Replace, Some(Keyword::Branch | Keyword::Tag)) => self.replace_reference(),
            (Keyword::Create, _) => self.create_reference_of_table(),
            (Keyword::Touch | Keyword::Archive | Keyword::Unarchive, _) => self.partitions_change(verb),
            (Keyword::Exchange, _) => self.exchange_partition(),
            (Keyword::Partition, Some(Keyword::Column)) => {
                self.expect_keywords(&[Keyword::Partition, Keyword::Column])?;
                self.parenthesized(Self::column).map(TableChange::PartitionColumnType)
            }
            (Keyword::Set, Some(Keyword::Tblproperties)) => {
                self.expect_keywords(&[Keyword::Set, Keyword::Tblproperties])?;
                self.table_properties().map(TableChange::SetProperties)
            }
            (Keyword::Set, Some(Keyword::Owner)) => {
                self.requires(HiveVersion::V3_1, "`SET OWNER` of a table", self.start())?;
                self.expect_keywords(&[Keyword::Set, Keyword::Owner])?;
                self.owner().map(TableChange::SetOwner)
            }
            (Keyword::Set, Some(Keyword::Partition)) => {
                self.requires(HiveVersion::V4_0, "`SET PARTITION SPEC`", self.start())?;
                self.expect_keywords(&[Keyword::Set, Keyword::Partition, Keyword::Spec])?;
                self.partition_transforms().map(TableChange::SetPartitionSpec)
            }
            (Keyword::Unset, Some(Keyword::Tblproperties)) => {
                self.expect_keywords(&[Keyword::Unset, Keyword::Tblproperties])?;
                let if_exists = self.if_exists();
                Ok(TableChange::UnsetProperties { if_exists, keys: self.table_properties()? })
            }
            (Keyword::Skewed, _) => self.skewed_by().map(TableChange::Skewed),
            (Keyword::Not, Some(Keyword::Skewed)) => {
                self.expect_keywords(&[Keyword::Not, Keyword::Skewed])?;
                Ok(TableChange::NotSkewed)
            }
            (Keyword::Not, Some(Keyword::Stored)) => {
                self.expect_keywords(&[Keyword::Not, Keyword::Stored, Keyword::As, Keyword::Directories])?;
                Ok(TableChange::NotStoredAsDirectories)
            }
            (Keyword::Execute, _) => self.execute_operation(),
            (Keyword::Convert, _) => self.convert(),
            _ => self.partition_change(CHANGES),
        }
    }

    /// A change that tables and partitions take.
    fn partition_change(&mut self, changes: &[Keyword]) -> Parse<TableChange<'a>> {
        match self.keyword() {
            Some(Keyword::Set) => self.set_change(),
            Some(Keyword::Unset) => {
                self.requires(HiveVersion::V4_0, "`UNSET SERDEPROPERTIES`", self.start())?;
                self.expect_keywords(&[Keyword::Unset, Keyword::Serdeproperties])?;
                self.table_properties().map(TableChange::UnsetSerdeProperties)
            }
            Some(Keyword::Rename) => {
                self.expect_keywords(&[Keyword::Rename, Keyword::To])?;
                self.partition_specification().map(TableChange::RenamePartition)
            }
            Some(Keyword::Add) => {
                let columns = self.columns_behind(Keyword::Add)?;
                Ok(TableChange::AddColumns { columns, behavior: self.optional_drop_behavior() })
            }
            Some(Keyword::Replace) => {
                let columns = self.columns_behind(Keyword::Replace)?;
                Ok(TableChange::ReplaceColumns { columns, behavior: self.optional_drop_behavior() })
            }
            Some(Keyword::Drop) => self.drop_column(),
            Some(Keyword::Change) => self.change_column(),
            Some(Keyword::Update) => self.update_change(),
            Some(Keyword::Clustered) => self.buckets().map(TableChange::ClusteredBy),
            Some(Keyword::Not) => self.not_change(),
            Some(Keyword::Into) => self.bucket_count().map(TableChange::IntoBuckets),
            Some(Keyword::Concatenate) => {
                self.bump();
                Ok(TableChange::Concatenate)
            }
            Some(Keyword::Compact) => self.compact(),
            _ => Err(self.expected_among(CHANGE, changes)),
        }
    }

    fn set_change(&mut self) -> Parse<TableChange<'a>> {
        self.expect_keyword(Keyword::Set)?;
        match self.keyword() {
            Some(Keyword::Fileformat) => {
                self.bump();
                self.new_file_format().map(TableChange::SetFileFormat)
            }
            Some(Keyword::Location) => {
                self.bump();
                self.location().map(TableChange::SetLocation)
            }
            Some(Keyword::Serde) => {
                self.bump();
                let class = self.string("a class name in quotes")?;
                Ok(TableChange::SetSerde { class, properties: self.optional_serde_properties()? })
            }
            Some(Keyword::Serdeproperties) => {
                self.bump();
                self.table_properties().map(TableChange::SetSerdeProperties)
            }
            Some(Keyword::Skewed) => {
                self.expect_keywords(&[Keyword::Skewed, Keyword::Location])?;
                self.parenthesized_list(Self::skewed_location).map(TableChange::SetSkewedLocation)
            }
            _ => Err(self.expected_keywords(&[
                Keyword::Tblproperties,
                Keyword::Location,
                Keyword::Fileformat,
                Keyword::Serde,
                Keyword::Serdeproperties,
                Keyword::Skewed,
                Keyword::Owner,
            ])),
        }
    }

    /// `1='path'` or `(1, 2)='path'`.
    fn skewed_location(&mut self) -> Parse<SkewedLocation<'a>> {
        let key = self.skewed_value()?;
        self.expect(TokenKind::Equal, "`=`")?;
        Ok(SkewedLocation { key, path: self.location()? })
    }

    fn not_change(&mut self) -> Parse<TableChange<'a>> {
        self.expect_keyword(Keyword::Not)?;
        let change = match self.keyword() {
            Some(Keyword::Clustered) => TableChange::NotClustered,
            Some(Keyword::Sorted) => TableChange::NotSorted,
            _ => {
                return Err(self.expected_keywords(&[Keyword::Clustered, Keyword::Sorted, Keyword::Skewed]));
            }
        };
        self.bump();
        Ok(change)
    }

    // Columns.

    /// `ADD|REPLACE COLUMNS (a INT, ...)`.
    fn columns_behind(&mut self, verb: Keyword) -> Parse<&'a [ColumnDefinition<'a>]> {
        self.expect_keyword(verb)?;
        if !self.eat_keyword(Keyword::Columns) {
            return Err(self.expected_keywords(&[Keyword::Columns, Keyword::Partition, Keyword::Constraint]));
        }
        self.parenthesized_list(Self::column)
    }

    fn drop_column(&mut self) -> Parse<TableChange<'a>> {
        self.expect_keyword(Keyword::Drop)?;
        if !self.at_keyword(Keyword::Column) {
            return Err(self.expected_keywords(&[Keyword::Partition, Keyword::Constraint, Keyword::Column]));
        }
        self.requires(HiveVersion::V4_1, "`DROP COLUMN`", self.start())?;
        self.bump();
        let if_exists = self.if_exists();
        let name = self.column_name()?;
        Ok(TableChange::DropColumn { name, if_exists, behavior: self.optional_drop_behavior() })
    }

    /// `CHANGE [COLUMN] old new type [constraint] [COMMENT '...'] [FIRST|AFTER a] [RESTRICT|CASCADE]`.
    fn change_column(&mut self) -> Parse<TableChange<'a>> {
        self.expect_keyword(Keyword::Change)?;
        let column_word = self.eat_keyword(Keyword::Column);
        let old_name = self.column_name()?;
        let new_name = self.column_name()?;
        let data_type = self.data_type()?;
        let constraint = self.optional_column_constraint()?;
        let comment = self.optional_comment()?;
        let position = self.optional_column_position()?;
        let behavior = self.optional_drop_behavior();
        Ok(TableChange::ChangeColumn(self.arena.alloc(ChangeColumn {
            column_word,
            old_name,
            new_name,
            data_type,
            constraint,
            comment,
            position,
            behavior,
        })))
    }

    fn optional_column_position(&mut self) -> Parse<Option<ColumnPosition<'a>>> {
        if self.eat_keyword(Keyword::First) {
            return Ok(Some(ColumnPosition::First));
        }
        if self.eat_keyword(Keyword::After) {
            return self.column_name().map(ColumnPosition::After).map(Some);
        }
        Ok(None)
    }

    /// `UPDATE COLUMNS`, `UPDATE STATISTICS SET (...)`, `UPDATE STATISTICS FOR [COLUMN] c SET (...)`.
    fn update_change(&mut self) -> Parse<TableChange<'a>> {
        self.expect_keyword(Keyword::Update)?;
        if self.at_keyword(Keyword::Columns) {
            self.requires(HiveVersion::V3_1, "`UPDATE COLUMNS`", self.start())?;
            self.bump();
            return Ok(TableChange::UpdateColumns(self.optional_drop_behavior()));
        }
        if !self.eat_keyword(Keyword::Statistics) {
            return Err(self.expected_keywords(&[Keyword::Columns, Keyword::Statistics]));
        }
        if self.eat_keyword(Keyword::Set) {
            return self.table_properties().map(TableChange::UpdateStatistics);
        }
        if !self.eat_keyword(Keyword::For) {
            return Err(self.expected_keywords(&[Keyword::Set, Keyword::For]));
        }
        self.eat_keyword(Keyword::Column);
        let column = self.column_name()?;
        self.expect_keyword(Keyword::Set)?;
        let properties = self.table_properties()?;
        Ok(TableChange::UpdateColumnStatistics { column, properties, comment: self.optional_comment()? })
    }

    // Compaction.

    fn compact(&mut self) -> Parse<TableChange<'a>> {
        self.expect_keyword(Keyword::Compact)?;
        let kind = Some(self.string("a kind of compaction in quotes")?);
        let since_4 = self.version() >= HiveVersion::V4_0;
        let buckets =
            if since_4 && self.eat_keyword(Keyword::Clustered) { Some(self.bucket_count()?) } else { None };
        let and_wait = self.eat_keyword(Keyword::And);
        if and_wait {
            self.expect_keyword(Keyword::Wait)?;
        }
        let pool = if since_4 { self.optional_pool()? } else { None };
        let overwrite_properties = if self.eat_keyword(Keyword::With) {
            self.expect_keywords(&[Keyword::Overwrite, Keyword::Tblproperties])?;
            Some(self.table_properties()?)
        } else {
            None
        };
        let takes_filter = self.version() >= HiveVersion::V4_1;
        let filter = if takes_filter { self.optional_where()? } else { None };
        let order_by = if since_4 { self.optional_order_by()? } else { &[] };
        let compact = Compact { kind, buckets, and_wait, pool, overwrite_properties, filter, order_by };
        Ok(TableChange::Compact(self.arena.alloc(compact)))
    }

    fn optional_pool(&mut self) -> Parse<Option<StringLiteral<'a>>> {
        if self.eat_keyword(Keyword::Pool) {
            self.string("the name of a pool in quotes").map(Some)
        } else {
            Ok(None)
        }
    }
}
