//! Statements about the data of a table that are no queries: `LOAD`, `EXPORT`, `IMPORT`, `ANALYZE`,
//! `MSCK`; and `USE`.

use guardbee_model::HiveVersion;

use super::{Parse, Parser};
use crate::keyword::{Keyword, Place};
use crate::token::TokenKind;
use crate::tree::{
    Analyze, AnalyzeAction, Export, Import, ImportTarget, Load, Locality, Msck, MsckAction,
    PartitionSpecification, QualifiedName, Statement, StatisticsScope, StringLiteral,
};

impl<'a> Parser<'a> {
    pub(crate) fn use_statement(&mut self) -> Parse<Statement<'a>> {
        self.expect_keyword(Keyword::Use)?;
        self.database_name().map(Statement::Use)
    }

    /// `LOAD DATA [LOCAL] INPATH '...' [OVERWRITE] INTO TABLE t [PARTITION (...)] [INPUTFORMAT '...' SERDE '...']`.
    pub(crate) fn load_statement(&mut self) -> Parse<Statement<'a>> {
        self.expect_keywords(&[Keyword::Load, Keyword::Data])?;
        let local = if self.eat_keyword(Keyword::Local) { Locality::Local } else { Locality::Cluster };
        if !self.eat_keyword(Keyword::Inpath) {
            return Err(match local {
                Locality::Local => self.expected_keywords(&[Keyword::Inpath]),
                Locality::Cluster => self.expected_keywords(&[Keyword::Inpath, Keyword::Local]),
            });
        }
        let path = self.path()?;
        let overwrite = self.eat_keyword(Keyword::Overwrite);
        self.expect_keywords(&[Keyword::Into, Keyword::Table])?;
        let (name, partition) = self.table_or_partition()?;
        let input_format = if self.at_keyword(Keyword::Inputformat) {
            self.requires(HiveVersion::V3_1, "`INPUTFORMAT` of `LOAD`", self.start())?;
            Some(self.input_format_and_serde()?)
        } else {
            None
        };
        let load = Load { local, path, overwrite, name, partition, input_format };
        Ok(Statement::Load(self.arena.alloc(load)))
    }

    /// `INPUTFORMAT '...' SERDE '...'`.
    fn input_format_and_serde(&mut self) -> Parse<(StringLiteral<'a>, StringLiteral<'a>)> {
        self.expect_keyword(Keyword::Inputformat)?;
        let input_format = self.string("a class name in quotes")?;
        self.expect_keyword(Keyword::Serde)?;
        Ok((input_format, self.string("a class name in quotes")?))
    }

    /// `EXPORT TABLE t [PARTITION (...)] TO '...' [FOR REPLICATION ('...')]`.
    pub(crate) fn export_statement(&mut self) -> Parse<Statement<'a>> {
        self.expect_keywords(&[Keyword::Export, Keyword::Table])?;
        let (name, partition) = self.table_or_partition()?;
        self.expect_keyword(Keyword::To)?;
        let path = self.path()?;
        let replication = self.optional_replication_clause()?;
        Ok(Statement::Export(self.arena.alloc(Export { name, partition, path, replication })))
    }

    /// `IMPORT [[EXTERNAL] TABLE t [PARTITION (...)]] FROM '...' [LOCATION '...']`.
    pub(crate) fn import_statement(&mut self) -> Parse<Statement<'a>> {
        self.expect_keyword(Keyword::Import)?;
        let target = if self.at_keyword(Keyword::From) { None } else { Some(self.import_target()?) };
        self.expect_keyword(Keyword::From)?;
        let path = self.path()?;
        let target_location = self.optional_location()?;
        Ok(Statement::Import(self.arena.alloc(Import { target, path, target_location })))
    }

    fn import_target(&mut self) -> Parse<ImportTarget<'a>> {
        let external = self.eat_keyword(Keyword::External);
        if !self.eat_keyword(Keyword::Table) {
            return Err(if external {
                self.expected_keywords(&[Keyword::Table])
            } else {
                self.expected_keywords(&[Keyword::Table, Keyword::External, Keyword::From])
            });
        }
        let (name, partition) = self.table_or_partition()?;
        Ok(ImportTarget { external, name, partition })
    }

    fn path(&mut self) -> Parse<StringLiteral<'a>> {
        self.string("a path in quotes")
    }

    /// `t [PARTITION (...)]`.
    fn table_or_partition(&mut self) -> Parse<(QualifiedName<'a>, Option<PartitionSpecification<'a>>)> {
        let name = self.table_name()?;
        Ok((name, self.optional_partition()?))
    }

    /// `ANALYZE TABLE t [PARTITION (...)] COMPUTE STATISTICS ...` or `... CACHE METADATA`.
    pub(crate) fn analyze_statement(&mut self) -> Parse<Statement<'a>> {
        self.expect_keywords(&[Keyword::Analyze, Keyword::Table])?;
        let (name, partition) = self.table_or_partition()?;
        let action = match self.keyword() {
            Some(Keyword::Compute) => {
                self.expect_keywords(&[Keyword::Compute, Keyword::Statistics])?;
                AnalyzeAction::ComputeStatistics(self.statistics_scope()?)
            }
            Some(Keyword::Cache) => {
                self.expect_keywords(&[Keyword::Cache, Keyword::Metadata])?;
                AnalyzeAction::CacheMetadata
            }
            _ => return Err(self.expected_keywords(&[Keyword::Compute, Keyword::Cache])),
        };
        Ok(Statement::Analyze(self.arena.alloc(Analyze { name, partition, action })))
    }

    fn statistics_scope(&mut self) -> Parse<StatisticsScope<'a>> {
        if self.eat_keyword(Keyword::Noscan) {
            return Ok(StatisticsScope::NoScan);
        }
        if self.eat_keyword(Keyword::Partialscan) {
            return Ok(StatisticsScope::PartialScan);
        }
        if Keyword::lookup(self.text()) == Some(Keyword::Partialscan) {
            return Err(self.gone_since("`PARTIALSCAN`", HiveVersion::V2_3, self.token().span));
        }
        if !self.eat_keyword(Keyword::For) {
            return Ok(StatisticsScope::Basic);
        }
        self.expect_keyword(Keyword::Columns)?;
        let names_columns = self.at_identifier(Place::Column);
        let columns = if names_columns { self.comma_list(Self::column_name)? } else { &[] };
        Ok(StatisticsScope::Columns(columns))
    }

    /// `MSCK [REPAIR] TABLE t [ADD|DROP|SYNC PARTITIONS [(...)]]`; before 4.0 the table may be left out.
    pub(crate) fn msck_statement(&mut self) -> Parse<Statement<'a>> {
        self.expect_keyword(Keyword::Msck)?;
        let repair = self.eat_keyword(Keyword::Repair);
        let msck = if self.eat_keyword(Keyword::Table) {
            let table = Some(self.table_name()?);
            let (action, partitions) = self.msck_scope()?;
            Msck { repair, table, action, partitions }
        } else if self.version() < HiveVersion::V4_0 {
            Msck { repair, table: None, action: None, partitions: self.msck_partition_without_table()? }
        } else if repair {
            return Err(self.expected_keywords(&[Keyword::Table]));
        } else {
            return Err(self.expected_keywords(&[Keyword::Table, Keyword::Repair]));
        };
        Ok(Statement::Msck(self.arena.alloc(msck)))
    }

    /// Hive 3.1 takes a partition where it takes a table, and knows not what to do with it.
    fn msck_partition_without_table(&mut self) -> Parse<&'a [PartitionSpecification<'a>]> {
        if self.version() < HiveVersion::V3_1 {
            return Ok(&[]);
        }
        let partition = self.optional_partition()?;
        Ok(self.arena.list(partition.as_slice()))
    }

    fn msck_scope(&mut self) -> Parse<(Option<MsckAction>, &'a [PartitionSpecification<'a>])> {
        if self.version() < HiveVersion::V3_1 {
            return Ok((None, self.msck_partitions()?));
        }
        let action = match self.keyword() {
            Some(Keyword::Add) => MsckAction::Add,
            Some(Keyword::Drop) => MsckAction::Drop,
            Some(Keyword::Sync) => MsckAction::Sync,
            Some(Keyword::Partition) => {
                let span = self.token().span;
                return Err(self.gone_since("`MSCK` of a partition", HiveVersion::V2_3, span));
            }
            _ => return Ok((None, &[])),
        };
        self.bump();
        self.expect_keyword(Keyword::Partitions)?;
        let partitions = if self.at(TokenKind::LeftParenthesis) {
            self.requires(HiveVersion::V4_0, "`MSCK` with a condition", self.start())?;
            let condition = self.partition_selection()?;
            self.arena.list(&[condition])
        } else {
            &[]
        };
        Ok((Some(action), partitions))
    }

    /// `[PARTITION (...)] [, PARTITION (...)] ...`: Hive 2.3 takes the comma without a partition before it.
    fn msck_partitions(&mut self) -> Parse<&'a [PartitionSpecification<'a>]> {
        let mut partitions = Vec::from_iter(self.optional_partition()?);
        while self.eat(TokenKind::Comma) {
            self.forget_consumed();
            partitions.push(self.partition_specification()?);
        }
        Ok(self.arena.list(&partitions))
    }
}
