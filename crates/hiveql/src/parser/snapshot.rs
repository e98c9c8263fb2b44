//! Tables with snapshots: branches, tags, `EXECUTE`, `CONVERT`. All of Hive 4.

use guardbee_model::HiveVersion;

use super::{Parse, Parser};
use crate::keyword::{Keyword, Place};
use crate::token::TokenKind;
use crate::tree::{
    Age, AlterTable, ExecuteOperation, Existence, Expression, Identifier, Literal, LiteralKind,
    Parenthesized, QualifiedName, ReferenceKind, ReferenceSource, SnapshotReference, SnapshotRetention,
    Statement, TableChange, TimeUnit,
};

impl<'a> Parser<'a> {
    // References as statements of their own.

    /// `CREATE [OR REPLACE] BRANCH|TAG [IF NOT EXISTS] b FROM t ...`: another way to write the change of a
    /// table. Where a tag is replaced, the table comes last.
    pub(super) fn create_reference(&mut self) -> Parse<Statement<'a>> {
        let start = self.start();
        self.requires(HiveVersion::V4_2, "`CREATE BRANCH|TAG` without `ALTER TABLE`", start)?;
        self.expect_keyword(Keyword::Create)?;
        let head = self.reference_head()?;
        let table_is_last = head.or_replace && head.kind == ReferenceKind::Tag;
        let first = if table_is_last { None } else { Some(self.table_behind_from()?) };
        let reference = self.reference_behind(head)?;
        let name = match first {
            Some(name) => name,
            None => self.table_behind_from()?,
        };
        let change = TableChange::CreateReference(self.arena.alloc(reference));
        let location = self.since(start);
        Ok(Statement::AlterTable(self.arena.alloc(AlterTable { name, partition: None, change, location })))
    }

    /// `DROP BRANCH|TAG [IF EXISTS] b FROM t`.
    pub(super) fn drop_reference(&mut self) -> Parse<Statement<'a>> {
        let start = self.start();
        self.requires(HiveVersion::V4_2, "`DROP BRANCH|TAG` without `ALTER TABLE`", start)?;
        let change = self.drop_reference_of_table()?;
        let name = self.table_behind_from()?;
        let location = self.since(start);
        Ok(Statement::AlterTable(self.arena.alloc(AlterTable { name, partition: None, change, location })))
    }

    fn table_behind_from(&mut self) -> Parse<QualifiedName<'a>> {
        self.expect_keyword(Keyword::From)?;
        self.table_name()
    }

    // References as changes of a table.

    pub(super) fn create_reference_of_table(&mut self) -> Parse<TableChange<'a>> {
        self.requires(HiveVersion::V4_0, "`ALTER TABLE ... CREATE`", self.start())?;
        self.expect_keyword(Keyword::Create)?;
        let head = self.reference_head()?;
        let reference = self.reference_behind(head)?;
        Ok(TableChange::CreateReference(self.arena.alloc(reference)))
    }

    pub(super) fn drop_reference_of_table(&mut self) -> Parse<TableChange<'a>> {
        self.expect_keyword(Keyword::Drop)?;
        let kind = self.reference_kind()?;
        let if_exists = self.if_exists();
        let name = self.reference_name()?;
        Ok(TableChange::DropReference { kind, name, if_exists })
    }

    /// `RENAME BRANCH a TO b`.
    pub(super) fn rename_reference(&mut self) -> Parse<TableChange<'a>> {
        self.requires(HiveVersion::V4_1, "`RENAME BRANCH`", self.start())?;
        self.expect_keyword(Keyword::Rename)?;
        let kind = self.reference_kind()?;
        let name = self.reference_name()?;
        self.expect_keyword(Keyword::To)?;
        Ok(TableChange::RenameReference { kind, name, to: self.reference_name()? })
    }

    /// `REPLACE BRANCH b AS OF BRANCH c|SYSTEM_VERSION n ...`, `REPLACE TAG t AS OF SYSTEM_VERSION n ...`.
    pub(super) fn replace_reference(&mut self) -> Parse<TableChange<'a>> {
        self.requires(HiveVersion::V4_1, "`REPLACE BRANCH|TAG`", self.start())?;
        self.expect_keyword(Keyword::Replace)?;
        let kind = self.reference_kind()?;
        let name = match self.kind() {
            TokenKind::Identifier | TokenKind::QuotedIdentifier => self.take_identifier(),
            _ => return Err(self.unexpected("the name of a branch or tag")),
        };
        self.expect_keywords(&[Keyword::As, Keyword::Of])?;
        let source = match self.keyword() {
            Some(Keyword::SystemVersion) => {
                self.bump();
                ReferenceSource::SystemVersion(self.number("the number of a snapshot")?)
            }
            Some(Keyword::Branch) if kind == ReferenceKind::Branch => {
                self.bump();
                ReferenceSource::Branch(self.reference_name()?)
            }
            _ => return Err(self.expected_keywords(&[Keyword::SystemVersion, Keyword::Branch])),
        };
        let head = ReferenceHead { kind, name, or_replace: false, if_not_exists: Existence::Required };
        let reference = self.lifetime_behind(head, Some(source))?;
        Ok(TableChange::ReplaceReference(self.arena.alloc(reference)))
    }

    /// `[OR REPLACE] BRANCH|TAG [IF NOT EXISTS] name`.
    fn reference_head(&mut self) -> Parse<ReferenceHead<'a>> {
        let since_4_1 = self.version() >= HiveVersion::V4_1;
        let or_replace = since_4_1 && self.eat_keywords(&[Keyword::Or, Keyword::Replace]);
        let kind = self.reference_kind()?;
        let may_exist = since_4_1 && !or_replace;
        let if_not_exists = if may_exist { self.if_not_exists() } else { Existence::Required };
        let name = self.reference_name()?;
        Ok(ReferenceHead { kind, name, or_replace, if_not_exists })
    }

    /// `[FOR ... AS OF ...] [RETAIN ...] [WITH SNAPSHOT RETENTION ...]`.
    fn reference_behind(&mut self, head: ReferenceHead<'a>) -> Parse<SnapshotReference<'a>> {
        let source = if self.eat_keyword(Keyword::For) { Some(self.reference_source()?) } else { None };
        self.lifetime_behind(head, source)
    }

    fn lifetime_behind(
        &mut self,
        head: ReferenceHead<'a>,
        source: Option<ReferenceSource<'a>>,
    ) -> Parse<SnapshotReference<'a>> {
        let retain = if self.eat_keyword(Keyword::Retain) { Some(self.age()?) } else { None };
        let may_keep = head.kind == ReferenceKind::Branch && self.at_keyword(Keyword::With);
        let retention = if may_keep { Some(self.snapshot_retention()?) } else { None };
        Ok(SnapshotReference {
            kind: head.kind,
            name: head.name,
            or_replace: head.or_replace,
            if_not_exists: head.if_not_exists,
            source,
            retain,
            retention,
        })
    }

    fn reference_kind(&mut self) -> Parse<ReferenceKind> {
        let kind = match self.keyword() {
            Some(Keyword::Branch) => ReferenceKind::Branch,
            Some(Keyword::Tag) => ReferenceKind::Tag,
            _ => return Err(self.expected_keywords(&[Keyword::Branch, Keyword::Tag])),
        };
        self.bump();
        Ok(kind)
    }

    fn reference_name(&mut self) -> Parse<Identifier<'a>> {
        self.identifier(Place::Table, "the name of a branch or tag")
    }

    /// What follows `FOR`.
    fn reference_source(&mut self) -> Parse<ReferenceSource<'a>> {
        let word = self.keyword();
        match word {
            Some(Keyword::SystemVersion | Keyword::SystemTime | Keyword::Tag) => {
                self.bump();
            }
            _ => {
                return Err(self.expected_keywords(&[
                    Keyword::SystemVersion,
                    Keyword::SystemTime,
                    Keyword::Tag,
                ]));
            }
        }
        self.expect_keywords(&[Keyword::As, Keyword::Of])?;
        match word {
            Some(Keyword::SystemVersion) => {
                self.number("the number of a snapshot").map(ReferenceSource::SystemVersion)
            }
            Some(Keyword::SystemTime) => self.string("a time in quotes").map(ReferenceSource::SystemTime),
            _ => self.reference_name().map(ReferenceSource::Tag),
        }
    }

    /// `5 DAYS`.
    fn age(&mut self) -> Parse<Age<'a>> {
        let count = self.number("a number")?;
        let unit = match self.keyword() {
            Some(Keyword::Day) => TimeUnit::Day,
            Some(Keyword::Hour) => TimeUnit::Hour,
            Some(Keyword::Minute) => TimeUnit::Minute,
            _ => return Err(self.expected_keywords(&[Keyword::Day, Keyword::Hour, Keyword::Minute])),
        };
        self.bump();
        Ok(Age { count, unit })
    }

    /// `WITH SNAPSHOT RETENTION n SNAPSHOTS [m DAYS]`.
    fn snapshot_retention(&mut self) -> Parse<SnapshotRetention<'a>> {
        self.expect_keywords(&[Keyword::With, Keyword::Snapshot, Keyword::Retention])?;
        let snapshots = self.number("a number of snapshots")?;
        self.expect_keyword(Keyword::Snapshots)?;
        let has_age = matches!(self.kind(), TokenKind::Integer | TokenKind::Decimal);
        let age = if has_age { Some(self.age()?) } else { None };
        Ok(SnapshotRetention { snapshots, age })
    }

    // Operations.

    pub(super) fn execute_operation(&mut self) -> Parse<TableChange<'a>> {
        self.requires(HiveVersion::V4_0, "`ALTER TABLE ... EXECUTE`", self.start())?;
        self.expect_keyword(Keyword::Execute)?;
        let operation = match self.keyword() {
            Some(Keyword::Rollback) => {
                self.bump();
                ExecuteOperation::Rollback(self.parenthesized(|parser| {
                    parser.string_or_number("the number of a snapshot or a time in quotes")
                })?)
            }
            Some(Keyword::ExpireSnapshots) => {
                self.bump();
                self.expire_snapshots()?
            }
            Some(Keyword::SetCurrentSnapshot) => {
                self.bump();
                ExecuteOperation::SetCurrentSnapshot(self.parenthesized(Self::expression)?)
            }
            Some(Keyword::FastForward) => {
                self.bump();
                let source = self.string("the name of a branch in quotes")?;
                let has_target = self.at(TokenKind::String);
                let target = if has_target { Some(self.string("the name of a branch")?) } else { None };
                ExecuteOperation::FastForward { source, target }
            }
            Some(Keyword::CherryPick) => {
                self.bump();
                ExecuteOperation::CherryPick(self.number("the number of a snapshot")?)
            }
            Some(Keyword::Delete) => self.delete_orphan_files()?,
            _ => {
                return Err(self.expected_keywords(&[
                    Keyword::Rollback,
                    Keyword::ExpireSnapshots,
                    Keyword::SetCurrentSnapshot,
                    Keyword::FastForward,
                    Keyword::CherryPick,
                    Keyword::Delete,
                ]));
            }
        };
        Ok(TableChange::Execute(self.arena.alloc(operation)))
    }

    /// What follows `EXPIRE_SNAPSHOTS`.
    fn expire_snapshots(&mut self) -> Parse<ExecuteOperation<'a>> {
        match self.kind() {
            TokenKind::LeftParenthesis => {
                let which = self.parenthesized(Self::time_or_expression)?;
                Ok(ExecuteOperation::ExpireSnapshots(Some(which)))
            }
            TokenKind::Keyword(Keyword::Between) => {
                self.bump();
                let from = self.time_of_snapshot()?;
                self.expect_keyword(Keyword::And)?;
                Ok(ExecuteOperation::ExpireSnapshotsBetween { from, to: self.time_of_snapshot()? })
            }
            TokenKind::Keyword(Keyword::Retain) => {
                self.expect_keywords(&[Keyword::Retain, Keyword::Last])?;
                self.number("a number of snapshots").map(ExecuteOperation::ExpireSnapshotsRetainLast)
            }
            _ => Ok(ExecuteOperation::ExpireSnapshots(None)),
        }
    }

    /// Hive 4.0 knows strings only where later versions take any expression.
    fn time_or_expression(&mut self) -> Parse<Expression<'a>> {
        if self.version() >= HiveVersion::V4_1 { self.expression() } else { self.quoted_time() }
    }

    /// `'time'`, or `(expression)` from 4.1 on.
    fn time_of_snapshot(&mut self) -> Parse<Expression<'a>> {
        if self.version() >= HiveVersion::V4_1 && self.at(TokenKind::LeftParenthesis) {
            let start = self.start();
            let inner = self.parenthesized(Self::expression)?;
            let location = self.since(start);
            let node = Parenthesized { inner, location };
            return Ok(Expression::Parenthesized(self.arena.alloc(node)));
        }
        self.quoted_time()
    }

    fn quoted_time(&mut self) -> Parse<Expression<'a>> {
        let raw = self.string("a time in quotes")?.raw;
        Ok(Expression::Literal(Literal { kind: LiteralKind::String, raw }))
    }

    /// `DELETE ORPHAN-FILES [OLDER THAN ('time')]`.
    fn delete_orphan_files(&mut self) -> Parse<ExecuteOperation<'a>> {
        self.expect_keywords(&[Keyword::Delete, Keyword::OrphanFiles])?;
        let older_than = if self.eat_keyword(Keyword::Older) {
            self.expect_keyword(Keyword::Than)?;
            Some(self.parenthesized(|parser| parser.string("a time in quotes"))?)
        } else {
            None
        };
        Ok(ExecuteOperation::DeleteOrphanFiles(older_than))
    }

    /// `CONVERT TO ICEBERG [TBLPROPERTIES (...)]`.
    pub(super) fn convert(&mut self) -> Parse<TableChange<'a>> {
        self.requires(HiveVersion::V4_0, "`CONVERT TO`", self.start())?;
        self.expect_keywords(&[Keyword::Convert, Keyword::To])?;
        let to = self.identifier(Place::Table, "a table format")?;
        Ok(TableChange::Convert { to, properties: self.optional_table_properties()? })
    }
}

/// What a branch or tag is called, and how its creation takes to one that exists.
#[derive(Clone, Copy)]
struct ReferenceHead<'a> {
    kind: ReferenceKind,
    name: Identifier<'a>,
    or_replace: bool,
    if_not_exists: Existence,
}
