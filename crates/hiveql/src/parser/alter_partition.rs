//! What `ALTER TABLE` and `ALTER VIEW` do with partitions.

use super::{Parse, Parser};
use crate::keyword::Keyword;
use crate::token::TokenKind;
use crate::tree::{AddedPartition, Existence, PartitionSpecification, ReplicationClause, TableChange};

/// What follows `DROP [IF EXISTS]`.
pub(super) struct DroppedPartitions<'a> {
    pub(super) if_exists: Existence,
    pub(super) partitions: &'a [PartitionSpecification<'a>],
    pub(super) purge: bool,
    pub(super) replication: Option<ReplicationClause<'a>>,
}

impl<'a> Parser<'a> {
    /// What follows `ADD`: `[IF NOT EXISTS] PARTITION (...) [LOCATION '...'] PARTITION (...) ...`.
    pub(super) fn added_partitions(&mut self) -> Parse<(Existence, &'a [AddedPartition<'a>])> {
        let if_not_exists = self.if_not_exists();
        let mut partitions = vec![self.added_partition()?];
        while self.at_keyword(Keyword::Partition) {
            self.forget_consumed();
            partitions.push(self.added_partition()?);
        }
        if self.at(TokenKind::Comma) {
            let hint = "partitions to add stand side by side, without commas";
            return Err(Box::new(self.unexpected("`PARTITION` or the end of the statement").with_hint(hint)));
        }
        Ok((if_not_exists, self.arena.list(&partitions)))
    }

    fn added_partition(&mut self) -> Parse<AddedPartition<'a>> {
        let partition = self.partition_specification()?;
        Ok(AddedPartition { partition, location: self.optional_location()? })
    }

    /// What follows `DROP`: `[IF EXISTS] PARTITION (...), PARTITION (...) [PURGE] [FOR REPLICATION (...)]`.
    pub(super) fn dropped_partitions(&mut self) -> Parse<DroppedPartitions<'a>> {
        let if_exists = self.if_exists();
        let partitions = self.comma_list(|parser| {
            parser.forget_consumed();
            parser.expect_keyword(Keyword::Partition)?;
            parser.partition_selection()
        })?;
        let purge = self.eat_keyword(Keyword::Purge);
        let replication = self.optional_replication_clause()?;
        Ok(DroppedPartitions { if_exists, partitions, purge, replication })
    }

    pub(super) fn drop_partitions(&mut self) -> Parse<TableChange<'a>> {
        self.expect_keyword(Keyword::Drop)?;
        let DroppedPartitions { if_exists, partitions, purge, replication } = self.dropped_partitions()?;
        Ok(TableChange::DropPartitions { if_exists, partitions, purge, replication })
    }

    /// `TOUCH|ARCHIVE|UNARCHIVE PARTITION (...) PARTITION (...) ...`, also without partitions.
    pub(super) fn partitions_change(&mut self, verb: Keyword) -> Parse<TableChange<'a>> {
        self.expect_keyword(verb)?;
        let mut partitions = Vec::new();
        while self.at_keyword(Keyword::Partition) {
            partitions.push(self.partition_specification()?);
        }
        let partitions = self.arena.list(&partitions);
        Ok(match verb {
            Keyword::Touch => TableChange::Touch(partitions),
            Keyword::Archive => TableChange::Archive(partitions),
            _ => TableChange::Unarchive(partitions),
        })
    }

    /// `EXCHANGE PARTITION (...) WITH TABLE t`.
    pub(super) fn exchange_partition(&mut self) -> Parse<TableChange<'a>> {
        self.expect_keyword(Keyword::Exchange)?;
        let partition = self.partition_specification()?;
        self.expect_keywords(&[Keyword::With, Keyword::Table])?;
        Ok(TableChange::ExchangePartition { partition, with: self.table_name()? })
    }
}
