//! `SHOW` and `DESCRIBE`.

use guardbee_hiveql::tree::{Describe, Identifier, PatternText, QualifiedName, Show, ShowScope};
use guardbee_model::{Operation, TableName};

use crate::effects::Object;

use super::Analyzer;

impl Analyzer<'_, '_> {
    pub(super) fn show(&mut self, show: &Show<'_>) {
        self.operation(operation(show));
        match show {
            Show::Tables { database, .. } => {
                let name = match database {
                    Some(database) => self.existing_database(*database),
                    None => self.context.database.clone(),
                };
                self.read_database(&name);
            }
            Show::Views { database: Some(database), .. }
            | Show::MaterializedViews { database: Some(database), .. } => {
                self.existing_database(*database);
            }
            Show::Columns { table, database, .. } => self.show_columns(table, *database),
            Show::Partitions(partitions) => self.read_existing(&partitions.table),
            Show::CreateTable(table) => self.read_existing(table),
            Show::CreateDatabase(database) => {
                let name = self.existing_database(*database);
                self.read_database(&name);
            }
            Show::Indexes { table: PatternText::Name(table), database: Some(database), .. } => {
                self.known_table(TableName::new(database.name(), table.name.name()), table.span());
            }
            Show::TableProperties { table, .. } | Show::Indexes { table: PatternText::Name(table), .. } => {
                self.existing_table(table);
            }
            Show::Locks { scope: ShowScope::Database(database), .. } => {
                self.existing_database(*database);
            }
            _ => {}
        }
    }

    /// `SHOW COLUMNS FROM t IN d` names the database behind the table.
    fn show_columns(&mut self, table: &QualifiedName<'_>, database: Option<Identifier<'_>>) {
        match database {
            Some(database) => {
                let name = TableName::new(database.name(), table.name.name());
                let table = self.known_table(name, table.span());
                self.read_table(&table, None);
            }
            None => self.read_existing(table),
        }
    }

    fn read_existing(&mut self, name: &QualifiedName<'_>) {
        let table = self.existing_table(name);
        self.read_table(&table, None);
    }

    pub(super) fn describe(&mut self, describe: &Describe<'_>) {
        match describe {
            Describe::Table { table, partition, .. } => {
                self.operation(Operation::DescribeTable);
                let table = self.existing_table(table);
                self.read_table(&table, crate::partition::optional(partition.as_ref()));
            }
            Describe::Database { name, .. } => {
                self.operation(Operation::DescribeDatabase);
                let name = self.existing_database(*name);
                self.read_database(&name);
            }
            Describe::DataConnector { name, .. } => {
                self.operation(Operation::DescribeDataConnector);
                self.read_object(Object::DataConnector(name.name()));
            }
            Describe::Function { .. } => self.operation(Operation::DescribeFunction),
            Describe::Catalog { .. } => self.operation(Operation::DescribeCatalog),
        }
    }
}

const fn operation(show: &Show<'_>) -> Operation {
    match show {
        Show::Catalogs { .. } => Operation::ShowCatalogs,
        Show::Databases { .. } => Operation::ShowDatabases,
        Show::DataConnectors => Operation::ShowDataConnectors,
        Show::Tables { .. } => Operation::ShowTables,
        Show::Views { .. } => Operation::ShowViews,
        Show::MaterializedViews { .. } => Operation::ShowMaterializedViews,
        Show::Columns { .. } => Operation::ShowColumns,
        Show::Functions { .. } => Operation::ShowFunctions,
        Show::Partitions(_) => Operation::ShowPartitions,
        Show::CreateTable(_) => Operation::ShowCreateTable,
        Show::CreateDatabase(_) => Operation::ShowCreateDatabase,
        Show::TableStatus { .. } => Operation::ShowTableStatus,
        Show::TableProperties { .. } => Operation::ShowTableProperties,
        Show::Locks { .. } => Operation::ShowLocks,
        Show::Transactions => Operation::ShowTransactions,
        Show::Compactions(_) => Operation::ShowCompactions,
        Show::Conf(_) => Operation::ShowConf,
        Show::Indexes { .. } => Operation::ShowIndexes,
        Show::ResourcePlans | Show::ResourcePlan(_) => Operation::ShowResourcePlan,
        Show::Roles | Show::CurrentRoles => Operation::ShowRoles,
        Show::RoleGrant(_) => Operation::ShowRoleGrant,
        Show::Principals(_) => Operation::ShowRolePrincipals,
        Show::Grant { .. } => Operation::ShowGrant,
        Show::ProcessList => Operation::ShowProcessList,
        Show::Tags(_) | Show::RowFilters(_) | Show::ColumnMasks(_) => Operation::DataPolicy,
    }
}
