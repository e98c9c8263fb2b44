//! Statements that move or measure data without a query: LOAD, EXPORT, IMPORT, TRUNCATE, ANALYZE, MSCK, locks,
//! transactions, replication.

use std::sync::Arc;

use guardbee_hiveql::parser;
use guardbee_hiveql::tree::{
    Abort, Analyze, AnalyzeAction, Arena, Execute, Export, Identifier, Import, Load, Lock, Msck,
    PartitionSpecification, Prepare, QualifiedName, ReplicatedTables, Replication, ReplicationPolicy,
    ReplicationSource, StatisticsScope, Transaction, Truncate,
};
use guardbee_model::{DiagnosticCode, HiveVersion, Name, Operation, TableName};

use crate::catalog::{CatalogChange, Column, Table, TableKind};
use crate::effects::{
    ColumnRead, DatasetKind, Derivation, DerivationKind, Destination, Masking, Object, Origin,
    PartitionValues, Pinning, Purpose, Purposes, Source, Target, TargetColumn, WriteAction,
};
use crate::query;

use super::{Analyzer, NamedTable, text};
use crate::partition::{optional, partition_values};

impl Analyzer<'_, '_> {
    /// Where Hive 3 and later have to look into the files to find partitions or buckets, they load by a
    /// query over a temporary table that stands for the files.
    pub(super) fn load(&mut self, load: &Load<'_>) {
        let table = self.existing_table(&load.name);
        self.expect_rows(&table, &load.name);
        let is_by_query = self.version() >= HiveVersion::V3_1
            && table.table.is_some_and(|table| {
                (load.partition.is_none() && table.is_partitioned())
                    || (!table.bucket_columns.is_empty() && is_no_bucket(&load.path.value()))
            });
        if is_by_query {
            self.operation(Operation::Query);
            let staged = Name::fold(&format!("{}__temp_table_for_load_data__", table.name.table));
            let staged = TableName::new(table.name.database.clone(), staged);
            self.outcome.read(Object::Table(staged), DatasetKind::Table, None);
        } else {
            self.operation(Operation::Load);
        }
        self.read_path(&load.path);
        let action = if load.overwrite { WriteAction::Overwrite } else { WriteAction::Load };
        let partition = optional(load.partition.as_ref());
        self.write_table(&table, action, partition.clone());
        if let Some(known) = table.table {
            let partition = partition.unwrap_or_default();
            let destination = Destination::Table(table.name);
            self.move_columns(known, destination, action, partition, &file_origin(text(&load.path)));
        }
    }

    /// Rows go from files to a table, or the other way, with their columns as they are. The values of
    /// partitions that the statement names come from the statement.
    fn move_columns(
        &mut self,
        table: &Table,
        destination: Destination,
        action: WriteAction,
        partition: PartitionValues,
        origin: &dyn Fn(&Column) -> Origin,
    ) {
        let is_named =
            |column: &&Column| partition.iter().any(|(name, value)| *name == column.name && value.is_some());
        let columns = table.all_columns().filter(|column| !is_named(column));
        let columns = columns.map(|column| moved_column(column, origin(column))).collect();
        self.outcome.effects.targets.push(Target {
            destination,
            action,
            partition,
            columns,
            kept: Vec::new(),
            influences: Vec::new(),
        });
    }

    pub(super) fn export(&mut self, export: &Export<'_>) {
        self.operation(Operation::Export);
        let table = self.existing_table(&export.name);
        let is_metadata = export.replication.is_some_and(|replication| replication.metadata_only);
        if !is_metadata {
            self.read_table(&table, optional(export.partition.as_ref()));
        }
        self.write_path(&export.path, WriteAction::Overwrite);
        if let Some(table) = table.table {
            let destination = Destination::Directory(text(&export.path));
            let action = WriteAction::Overwrite;
            self.move_columns(table, destination, action, Vec::new(), &|column| Origin::Column {
                table: table.name.clone(),
                column: column.name.clone(),
            });
            self.change(CatalogChange::PutExport { path: text(&export.path), table: table.clone() });
        }
    }

    /// Without a table's name, the one that the exported files tell is taken.
    pub(super) fn import(&mut self, import: &Import<'_>) {
        self.operation(Operation::Import);
        self.read_path(&import.path);
        let exported = self.context.catalog.exported(&import.path.value());
        let name = match (&import.target, exported) {
            (Some(target), _) => self.context.table_name(&target.name),
            (None, Some(exported)) => {
                TableName::new(self.context.database.clone(), exported.name.table.clone())
            }
            (None, None) => {
                let database = self.context.database.clone();
                self.write_database(&database, WriteAction::CreateInside);
                return;
            }
        };
        let table = self.table_named(name);
        let partition = import.target.as_ref().and_then(|target| optional(target.partition.as_ref()));
        if let Some(columns) = exported.or(table.table) {
            let destination = Destination::Table(table.name.clone());
            let partition = partition.clone().unwrap_or_default();
            let action = WriteAction::Insert;
            self.move_columns(columns, destination, action, partition, &file_origin(text(&import.path)));
        }
        if table.table.is_some() {
            self.write_table(&table, WriteAction::Insert, partition);
            return;
        }
        self.write_database(&table.name.database, WriteAction::CreateInside);
        self.outcome.write(table.object(), DatasetKind::Table, WriteAction::Create, partition);
        if let Some(exported) = exported {
            let is_external = import.target.is_some_and(|target| target.external);
            let kind = if is_external { TableKind::External } else { exported.kind.clone() };
            self.change(CatalogChange::PutTable(Arc::new(Table {
                name: table.name,
                kind,
                location: import.target_location.as_ref().map(text),
                ..Table::clone(exported)
            })));
        }
    }

    pub(super) fn truncate(&mut self, truncate: &Truncate<'_>) {
        self.operation(Operation::TruncateTable);
        let table = self.existing_table(&truncate.name);
        self.expect_rows(&table, &truncate.name);
        self.write_table(&table, WriteAction::Truncate, optional(truncate.partition.as_ref()));
    }

    pub(super) fn analyze(&mut self, analyze: &Analyze<'_>) {
        let table = self.existing_table(&analyze.name);
        self.expect_rows(&table, &analyze.name);
        let partition = optional(analyze.partition.as_ref());
        self.read_table(&table, partition.clone());
        match analyze.action {
            AnalyzeAction::CacheMetadata => self.operation(Operation::CacheMetadata),
            AnalyzeAction::ComputeStatistics(StatisticsScope::Columns(columns)) => {
                self.column_statistics(&table, columns.iter().map(|column| column.name()).collect());
                if self.version() >= HiveVersion::V3_1 {
                    self.operation(Operation::AnalyzeTable);
                    self.write_table(&table, WriteAction::Touch, partition);
                } else {
                    self.operation(Operation::Query);
                }
            }
            AnalyzeAction::ComputeStatistics(_) => {
                self.operation(Operation::Query);
                self.write_table(&table, WriteAction::Touch, partition);
            }
        }
    }

    fn column_statistics(&mut self, table: &NamedTable<'_>, named: Vec<Name>) {
        let columns = match (named.is_empty(), table.table) {
            (true, Some(table)) => table.columns.iter().map(|column| column.name.clone()).collect(),
            _ => named,
        };
        if let Some(read) = self.outcome.effects.reads.last_mut() {
            let purposes = Purposes::of(Purpose::Select);
            read.columns = columns.into_iter().map(|name| ColumnRead { name, purposes }).collect();
        }
    }

    pub(super) fn msck(&mut self, msck: &Msck<'_>) {
        self.operation(Operation::Msck);
        let Some(name) = &msck.table else { return };
        let table = self.existing_table(name);
        if msck.partitions.is_empty() {
            self.write_table(&table, WriteAction::Alter, None);
        }
        for partition in msck.partitions {
            self.write_table(&table, WriteAction::Alter, Some(partition_values(partition)));
        }
    }

    /// Hive hands a locked database to its hooks, and a locked table not; both are written here.
    pub(super) fn lock(&mut self, lock: &Lock<'_>) {
        match *lock {
            Lock::Table { table, partition, .. } => {
                self.operation(Operation::LockTable);
                self.locked_table(&table, partition.as_ref());
            }
            Lock::UnlockTable { table, partition } => {
                self.operation(Operation::UnlockTable);
                self.locked_table(&table, partition.as_ref());
            }
            Lock::Database { database, .. } => {
                self.operation(Operation::LockDatabase);
                self.locked_database(database);
            }
            Lock::UnlockDatabase(database) => {
                self.operation(Operation::UnlockDatabase);
                self.locked_database(database);
            }
        }
    }

    fn locked_table(&mut self, name: &QualifiedName<'_>, partition: Option<&PartitionSpecification<'_>>) {
        let table = self.existing_table(name);
        self.write_table(&table, WriteAction::Lock, optional(partition));
    }

    fn locked_database(&mut self, database: Identifier<'_>) {
        let name = self.existing_database(database);
        self.read_database(&name);
        self.write_database(&name, WriteAction::Lock);
    }

    pub(super) fn transaction(&mut self, transaction: &Transaction<'_>) {
        self.operation(match transaction {
            Transaction::Start(_) => Operation::StartTransaction,
            Transaction::Commit { .. } => Operation::Commit,
            Transaction::Rollback { .. } => Operation::Rollback,
            Transaction::SetAutocommit(_) => Operation::SetAutocommit,
        });
    }

    pub(super) fn abort(&mut self, abort: &Abort<'_>) {
        self.operation(match abort {
            Abort::Transactions(_) => Operation::AbortTransactions,
            Abort::Compactions(_) => Operation::AbortCompactions,
            Abort::KillQuery(_) => Operation::KillQuery,
        });
    }

    /// Hive names the preparation of a query a query.
    pub(super) fn prepare(&mut self, prepare: &Prepare<'_>) {
        query::analyze_query(
            self.context,
            prepare.query,
            self.source,
            &Destination::Result,
            &[],
            &mut self.outcome,
        );
        self.operation(Operation::Query);
        self.change(CatalogChange::Prepare {
            name: prepare.name.name(),
            text: Arc::from(&*prepare.query_text),
            database: self.context.database.clone(),
        });
    }

    /// What the prepared query does.
    pub(super) fn execute(&mut self, execute: &Execute<'_>) {
        let name = execute.name.name();
        let context = self.context;
        match context.session.prepared(&name) {
            Some(prepared) => {
                let known = self.outcome.diagnostics.len();
                let arena = Arena::new();
                if let Ok(query) = parser::parse_query(&arena, &prepared.text, context.settings.parser) {
                    query::analyze_query(
                        context.in_database(&prepared.database),
                        query,
                        &prepared.text,
                        &Destination::Result,
                        &[],
                        &mut self.outcome,
                    );
                }
                // The text that they were found in is not the one that is read here.
                for found in self.outcome.diagnostics.iter_mut().skip(known) {
                    found.span = execute.name.span();
                }
            }
            None => self.outcome.error(
                DiagnosticCode::UNKNOWN_STATEMENT,
                execute.name.span(),
                format!("no statement `{name}` was prepared"),
            ),
        }
        self.operation(Operation::ExecuteQuery);
    }

    /// Hive 2.3 ran these under the names of other operations.
    pub(super) fn replication(&mut self, replication: &Replication<'_>) {
        let is_old = self.version() < HiveVersion::V3_1;
        match replication {
            Replication::Dump { policy, .. } => {
                self.operation(if is_old { Operation::Export } else { Operation::ReplicationDump });
                match (is_old, policy.tables) {
                    (true, ReplicatedTables::All) => {
                        let database = self.existing_database(policy.database);
                        self.read_tables_of(&database);
                    }
                    _ => self.read_replicated(policy),
                }
            }
            Replication::Load { policy, source, .. } => {
                self.operation(if is_old { Operation::Import } else { Operation::ReplicationLoad });
                let target = match source {
                    ReplicationSource::Path(path) => {
                        self.read_path(path);
                        policy.map(|policy| policy.database)
                    }
                    ReplicationSource::Policy { into } => *into,
                };
                if let Some(database) = target {
                    self.write_database(&database.name(), WriteAction::CreateInside);
                }
            }
            Replication::Status { policy, .. } => {
                self.operation(if is_old {
                    Operation::ShowTableProperties
                } else {
                    Operation::ReplicationStatus
                });
                self.read_replicated(policy);
            }
        }
    }

    fn read_replicated(&mut self, policy: &ReplicationPolicy<'_>) {
        let database = self.existing_database(policy.database);
        match policy.tables {
            ReplicatedTables::Table(table) => {
                let table = self.table_named(TableName::new(database, table.name()));
                self.read_table(&table, None);
            }
            ReplicatedTables::All | ReplicatedTables::Matching { .. } => self.read_database(&database),
        }
    }

    fn read_tables_of(&mut self, database: &Name) {
        let catalog = self.context.catalog;
        let mut names: Vec<TableName> = catalog.tables(database).map(|table| table.name.clone()).collect();
        names.sort_unstable();
        for name in names {
            let table = self.table_named(name);
            self.outcome.read_new(table.object(), table.kind, None);
        }
    }

    /// A view has no rows of its own that could be loaded, measured or removed.
    fn expect_rows(&mut self, table: &NamedTable<'_>, name: &QualifiedName<'_>) {
        if table.kind == DatasetKind::View {
            self.outcome.error(
                DiagnosticCode::SEMANTIC,
                name.span(),
                format!("`{}` is a view and keeps no rows", table.name),
            );
        }
    }

    /// Writes a materialized view anew: reads what its query reads.
    pub(super) fn rebuild(&mut self, table: &Arc<Table>) {
        self.stored_query(table, &Destination::Table(table.name.clone()));
    }

    /// Adds what a view's text reads, as if it stood in the statement itself.
    pub(super) fn stored_query(&mut self, table: &Arc<Table>, destination: &Destination) -> Vec<Column> {
        let (TableKind::View(definition) | TableKind::MaterializedView(definition)) = &table.kind else {
            return Vec::new();
        };
        let arena = Arena::new();
        match parser::parse_query(&arena, &definition.text, self.context.settings.parser) {
            Ok(query) => query::analyze_query(
                self.context.in_database(&definition.database),
                query,
                &definition.text,
                destination,
                &[],
                &mut self.outcome,
            ),
            Err(_) => Vec::new(),
        }
    }
}

/// Is it one file, and not named as Hive names buckets (`000001_0`)? What lies in a directory is not known.
fn is_no_bucket(path: &str) -> bool {
    let Some(file) = path.rsplit('/').next() else { return false };
    let is_bucket = file.split_once('_').is_some_and(|(number, rest)| {
        is_number(number) && is_number(rest.split('.').next().unwrap_or_default())
    });
    file.contains('.') && !is_bucket
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The column of the same name in the files at a path.
fn file_origin(path: Arc<str>) -> impl Fn(&Column) -> Origin {
    move |column| Origin::FileColumn { path: path.clone(), column: column.name.clone() }
}

fn moved_column(column: &Column, origin: Origin) -> TargetColumn {
    let source = Source {
        origin,
        derivation: Derivation::Identity,
        masking: Masking::Plain,
        pinning: Pinning::Free,
        through: Arc::default(),
    };
    TargetColumn {
        name: column.name.clone(),
        query_name: None,
        kind: DerivationKind::Simple,
        expression: None,
        sources: vec![source],
        influences: Vec::new(),
    }
}
