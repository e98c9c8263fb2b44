//! What tables, views and indexes say of themselves: partitions, buckets, files, properties.

use guardbee_model::{Diagnostic, DiagnosticCode, HiveVersion};

use super::{Parse, Parser};
use crate::keyword::{Keyword, Place};
use crate::token::TokenKind;
use crate::tree::{
    Buckets, ColumnDefinition, FileFormat, Identifier, Literal, LiteralKind, PartitionColumns,
    PartitionTransform, Property, Query, QueryBody, SkewedBy, SkewedValue, SortColumn, SourceText, Storage,
    StorageHandler, StringLiteral, TableClause, WriteKeys, WriteOrder,
};

impl<'a> Parser<'a> {
    // Columns.

    /// `name`.
    pub(super) fn column_name(&mut self) -> Parse<Identifier<'a>> {
        self.identifier(Place::Column, "a column name")
    }

    /// `name type [COMMENT '...']`.
    pub(super) fn column(&mut self) -> Parse<ColumnDefinition<'a>> {
        let is_checked = self.version() < HiveVersion::V4_2;
        let name = if is_checked { self.new_column_name()? } else { self.column_name()? };
        let data_type = self.data_type()?;
        let comment = self.optional_comment()?;
        Ok(ColumnDefinition { name, data_type, constraint: None, comment })
    }

    /// `name type [constraint] [COMMENT '...']`.
    pub(super) fn column_with_constraint(&mut self) -> Parse<ColumnDefinition<'a>> {
        let name = self.new_column_name()?;
        let data_type = self.data_type()?;
        let constraint = self.optional_column_constraint()?;
        let comment = self.optional_comment()?;
        Ok(ColumnDefinition { name, data_type, constraint, comment })
    }

    /// The name of a column that is to be. Hive keeps `.` and `:` out of it, since it would read as a path.
    fn new_column_name(&mut self) -> Parse<Identifier<'a>> {
        let name = self.column_name()?;
        if !name.raw.contains(['.', ':']) {
            return Ok(name);
        }
        let message = format!("the column name {} holds `.` or `:`", name.raw);
        Err(Box::new(
            Diagnostic::error(DiagnosticCode::SYNTAX, name.span(), message)
                .with_hint("Hive takes neither of them in the names of new columns"),
        ))
    }

    // Small clauses.

    /// `COMMENT '...'`.
    pub(super) fn comment_clause(&mut self) -> Parse<StringLiteral<'a>> {
        self.expect_keyword(Keyword::Comment)?;
        self.string("a comment in quotes")
    }

    pub(super) fn optional_comment(&mut self) -> Parse<Option<StringLiteral<'a>>> {
        if self.at_keyword(Keyword::Comment) { self.comment_clause().map(Some) } else { Ok(None) }
    }

    /// What follows `LOCATION`.
    pub(super) fn location(&mut self) -> Parse<StringLiteral<'a>> {
        self.string("a location in quotes")
    }

    /// `LOCATION '...'`, where it stands.
    pub(super) fn optional_location(&mut self) -> Parse<Option<StringLiteral<'a>>> {
        if self.eat_keyword(Keyword::Location) { self.location().map(Some) } else { Ok(None) }
    }

    /// `('key'='value', ...)` or `('key', ...)`: Hive takes either wherever a table's properties stand.
    pub(super) fn table_properties(&mut self) -> Parse<&'a [Property<'a>]> {
        match (self.peek(1), self.peek(2)) {
            (TokenKind::String, TokenKind::Comma | TokenKind::RightParenthesis) => self.property_keys(),
            _ => self.properties(),
        }
    }

    /// `TBLPROPERTIES (...)`, where it stands.
    pub(super) fn optional_table_properties(&mut self) -> Parse<Option<&'a [Property<'a>]>> {
        if self.eat_keyword(Keyword::Tblproperties) { self.table_properties().map(Some) } else { Ok(None) }
    }

    /// `WITH SERDEPROPERTIES (...)`, where it stands.
    pub(super) fn optional_serde_properties(&mut self) -> Parse<Option<&'a [Property<'a>]>> {
        if self.eat_keywords(&[Keyword::With, Keyword::Serdeproperties]) {
            self.table_properties().map(Some)
        } else {
            Ok(None)
        }
    }

    /// A query that selects, with its text; Hive takes no `INSERT` and no `FROM` first where a table or view
    /// is made of it.
    pub(super) fn select_with_text(&mut self) -> Parse<(&'a Query<'a>, SourceText<'a>)> {
        let start = self.start();
        let query = self.query()?;
        let misplaced = match query.body {
            QueryBody::Plain(plain) => plain.insert.map(|insert| (insert.location, "`INSERT`")),
            QueryBody::FromFirst(_) => Some((query.location, "a query that starts with `FROM`")),
        };
        if let Some((location, what)) = misplaced {
            let message = format!("{what} cannot stand here");
            return Err(Box::new(
                Diagnostic::error(DiagnosticCode::SYNTAX, location.span(), message)
                    .with_hint("write it as `SELECT ... FROM ...`"),
            ));
        }
        Ok((query, SourceText(self.text_since(start))))
    }

    // Partitions.

    /// `PARTITIONED BY (...)` or `PARTITIONED BY SPEC (...)`.
    pub(super) fn partitioned_by(&mut self) -> Parse<TableClause<'a>> {
        self.expect_keywords(&[Keyword::Partitioned, Keyword::By])?;
        if self.eat_keyword(Keyword::Spec) {
            return self.partition_transforms().map(TableClause::PartitionedBySpec);
        }
        let named = matches!(self.peek(2), TokenKind::Comma | TokenKind::RightParenthesis);
        let columns = if named {
            self.requires(HiveVersion::V4_0, "`PARTITIONED BY` without types", self.start())?;
            PartitionColumns::Named(self.column_list()?)
        } else {
            PartitionColumns::Typed(self.parenthesized_list(Self::column_with_constraint)?)
        };
        Ok(TableClause::PartitionedBy(columns))
    }

    /// `(a, year(b), bucket(4, c))`.
    pub(super) fn partition_transforms(&mut self) -> Parse<&'a [PartitionTransform<'a>]> {
        self.parenthesized_list(Self::partition_transform)
    }

    fn partition_transform(&mut self) -> Parse<PartitionTransform<'a>> {
        self.transform_of(Self::new_column_name)
    }

    /// `a`, `year(a)`, `bucket(4, a)`, where `column` reads the name of a column.
    pub(super) fn transform_of(
        &mut self,
        column: impl FnOnce(&mut Self) -> Parse<Identifier<'a>>,
    ) -> Parse<PartitionTransform<'a>> {
        let is_call = self.peek(1) == TokenKind::LeftParenthesis;
        let takes_number = match self.keyword() {
            Some(Keyword::Year | Keyword::Month | Keyword::Day | Keyword::Hour) if is_call => false,
            Some(Keyword::Truncate | Keyword::Bucket) if is_call => true,
            _ => return column(self).map(PartitionTransform::Column),
        };
        let name = self.take_identifier();
        self.parenthesized(|parser| {
            let argument = if takes_number { Some(parser.transform_number()?) } else { None };
            Ok(PartitionTransform::Function { name, argument, column: column(parser)? })
        })
    }

    /// The number and the comma of `bucket(4, a)`.
    fn transform_number(&mut self) -> Parse<Literal<'a>> {
        let is_integer = self.at(TokenKind::Integer);
        let kind = if is_integer { LiteralKind::Integer } else { LiteralKind::Number };
        let raw = self.number("a number")?;
        self.expect(TokenKind::Comma, "`,`")?;
        Ok(Literal { kind, raw })
    }

    // Buckets, orders, skew.

    /// `CLUSTERED BY (a) [SORTED BY (b DESC)] INTO 4 BUCKETS`.
    pub(super) fn buckets(&mut self) -> Parse<Buckets<'a>> {
        self.expect_keywords(&[Keyword::Clustered, Keyword::By])?;
        let columns = self.column_list()?;
        let sorted_by = if self.eat_keyword(Keyword::Sorted) {
            self.expect_keyword(Keyword::By)?;
            self.parenthesized_list(Self::sort_column)?
        } else {
            &[]
        };
        Ok(Buckets { columns, sorted_by, count: self.bucket_count()? })
    }

    /// `INTO 4 BUCKETS`.
    pub(super) fn bucket_count(&mut self) -> Parse<&'a str> {
        self.expect_keyword(Keyword::Into)?;
        let count = self.number("a number of buckets")?;
        self.expect_keyword(Keyword::Buckets)?;
        Ok(count)
    }

    fn sort_column(&mut self) -> Parse<SortColumn<'a>> {
        let name = self.column_name()?;
        let (direction, nulls) = self.sort_order()?;
        Ok(SortColumn { name, direction, nulls })
    }

    /// `WRITE LOCALLY ORDERED BY a, b`; from 4.2 on also without `LOCALLY`, and with `ZORDER(a, b)`.
    pub(super) fn write_order(&mut self) -> Parse<WriteOrder<'a>> {
        self.requires(HiveVersion::V4_1, "`WRITE ORDERED BY`", self.start())?;
        self.bump();
        let locally = self.eat_keyword(Keyword::Locally);
        if !locally && self.version() < HiveVersion::V4_2 {
            let span = self.token().span;
            return Err(self.needs_version("`WRITE` without `LOCALLY`", HiveVersion::V4_2, span));
        }
        self.expect_keywords(&[Keyword::Ordered, Keyword::By])?;
        let keys = if self.at_keyword(Keyword::Zorder) && self.peek(1) == TokenKind::LeftParenthesis {
            self.bump();
            WriteKeys::Zorder(self.column_list()?)
        } else {
            WriteKeys::Columns(self.comma_list(Self::sort_column)?)
        };
        Ok(WriteOrder { locally, keys })
    }

    /// `SKEWED BY (a, b) ON ((1, 2), (3, 4)) [STORED AS DIRECTORIES]`.
    pub(super) fn skewed_by(&mut self) -> Parse<SkewedBy<'a>> {
        self.expect_keywords(&[Keyword::Skewed, Keyword::By])?;
        let columns = self.column_list()?;
        self.expect_keyword(Keyword::On)?;
        let values = self.parenthesized(|parser| {
            if parser.at(TokenKind::LeftParenthesis) {
                parser.comma_list(Self::skewed_row)
            } else {
                parser.comma_list(|parser| parser.constant().map(SkewedValue::Constant))
            }
        })?;
        let stored_as_directories = self.eat_keywords(&[Keyword::Stored, Keyword::As, Keyword::Directories]);
        Ok(SkewedBy { columns, values, stored_as_directories })
    }

    /// `(1, 2)`.
    fn skewed_row(&mut self) -> Parse<SkewedValue<'a>> {
        self.parenthesized_list(Self::constant).map(SkewedValue::Row)
    }

    /// `1` or `(1, 2)`.
    pub(super) fn skewed_value(&mut self) -> Parse<SkewedValue<'a>> {
        if self.at(TokenKind::LeftParenthesis) {
            self.skewed_row()
        } else {
            self.constant().map(SkewedValue::Constant)
        }
    }

    // Files.

    /// `STORED AS ...` or `STORED BY ...`.
    pub(super) fn storage(&mut self) -> Parse<Storage<'a>> {
        self.expect_keyword(Keyword::Stored)?;
        match self.keyword() {
            Some(Keyword::As) => {
                self.bump();
                self.file_format().map(Storage::As)
            }
            Some(Keyword::By) => {
                self.bump();
                self.stored_by()
            }
            _ => Err(self.expected_keywords(&[Keyword::As, Keyword::By])),
        }
    }

    /// What follows `STORED AS`.
    pub(super) fn file_format(&mut self) -> Parse<FileFormat<'a>> {
        if self.at_keyword(Keyword::Inputformat) {
            let (input, output) = self.input_and_output_format()?;
            let drivers = self.optional_drivers()?;
            return Ok(FileFormat::Classes { input, output, serde: None, drivers });
        }
        self.identifier(Place::Table, "a file format").map(FileFormat::Named)
    }

    /// What follows `SET FILEFORMAT`: here `INPUTFORMAT` may be a format of that name, and the classes come
    /// with their SerDe.
    pub(super) fn new_file_format(&mut self) -> Parse<FileFormat<'a>> {
        if self.at_keyword(Keyword::Inputformat) && self.peek(1) == TokenKind::String {
            let (input, output) = self.input_and_output_format()?;
            self.expect_keyword(Keyword::Serde)?;
            let serde = Some(self.string("a class name in quotes")?);
            let drivers = self.optional_drivers()?;
            return Ok(FileFormat::Classes { input, output, serde, drivers });
        }
        self.identifier(Place::Table, "a file format").map(FileFormat::Named)
    }

    fn input_and_output_format(&mut self) -> Parse<(StringLiteral<'a>, StringLiteral<'a>)> {
        self.expect_keyword(Keyword::Inputformat)?;
        let input = self.string("a class name in quotes")?;
        self.expect_keyword(Keyword::Outputformat)?;
        Ok((input, self.string("a class name in quotes")?))
    }

    fn optional_drivers(&mut self) -> Parse<Option<(StringLiteral<'a>, StringLiteral<'a>)>> {
        if !self.eat_keyword(Keyword::Inputdriver) {
            return Ok(None);
        }
        let input = self.string("a class name in quotes")?;
        self.expect_keyword(Keyword::Outputdriver)?;
        Ok(Some((input, self.string("a class name in quotes")?)))
    }

    fn stored_by(&mut self) -> Parse<Storage<'a>> {
        let handler = if self.at(TokenKind::String) {
            StorageHandler::Class(self.string("a class name in quotes")?)
        } else {
            self.requires(HiveVersion::V4_0, "`STORED BY` with a name", self.start())?;
            StorageHandler::Named(self.identifier(Place::Table, "a storage handler")?)
        };
        let properties = self.optional_serde_properties()?;
        let stored_as = if self.at_keyword(Keyword::Stored) {
            self.requires(HiveVersion::V4_0, "`STORED AS` behind `STORED BY`", self.start())?;
            self.expect_keywords(&[Keyword::Stored, Keyword::As])?;
            Some(self.identifier(Place::Table, "a file format")?)
        } else {
            None
        };
        Ok(Storage::By { handler, properties, stored_as })
    }
}
