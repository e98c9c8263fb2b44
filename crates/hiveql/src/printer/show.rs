//! `SHOW`.

use super::{Print, Printer};
use crate::tree::{
    CompactionFilter, GrantFilter, Identifier, Pattern, PatternText, PrivilegeObject, QualifiedName, Show,
    ShowCompactions, ShowPartitions, ShowScope, TableFilter,
};

impl Print for Show<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("SHOW");
        match self {
            Self::Catalogs { pattern } => printer.listed("CATALOGS", pattern.as_ref()),
            Self::Databases { pattern } => printer.listed("DATABASES", pattern.as_ref()),
            Self::DataConnectors => printer.word("CONNECTORS"),
            Self::Tables { extended, database, filter } => {
                printer.word_if(*extended, "EXTENDED");
                printer.word("TABLES");
                printer.in_database(database.as_ref());
                printer.maybe(filter.as_ref());
            }
            Self::Views { database, pattern } => {
                printer.word("VIEWS");
                printer.in_database(database.as_ref());
                printer.maybe(pattern.as_ref());
            }
            Self::MaterializedViews { database, pattern } => {
                printer.word("MATERIALIZED VIEWS");
                printer.in_database(database.as_ref());
                printer.maybe(pattern.as_ref());
            }
            Self::Columns { sorted, table, database, pattern } => {
                printer.word_if(*sorted, "SORTED");
                printer.word("COLUMNS FROM");
                table.print(printer);
                printer.in_database(database.as_ref());
                printer.maybe(pattern.as_ref());
            }
            Self::Functions { pattern } => {
                printer.word("FUNCTIONS");
                printer.maybe(pattern.as_ref());
            }
            Self::Partitions(partitions) => partitions.print(printer),
            Self::CreateTable(table) => printer.worded("CREATE TABLE", table),
            Self::CreateDatabase(database) => printer.worded("CREATE DATABASE", database),
            Self::TableStatus { database, table, partition } => {
                printer.word("TABLE EXTENDED");
                printer.in_database(database.as_ref());
                printer.worded("LIKE", table);
                printer.maybe(partition.as_ref());
            }
            Self::TableProperties { table, key } => {
                printer.worded("TBLPROPERTIES", table);
                if let Some(key) = key {
                    printer.parenthesized_nodes(std::slice::from_ref(key));
                }
            }
            Self::Locks { scope, extended } => {
                printer.worded("LOCKS", scope);
                printer.word_if(*extended, "EXTENDED");
            }
            Self::Transactions => printer.word("TRANSACTIONS"),
            Self::Compactions(compactions) => printer.worded("COMPACTIONS", *compactions),
            Self::Conf(key) => printer.worded("CONF", key),
            Self::Indexes { formatted, table, database } => {
                printer.word_if(*formatted, "FORMATTED");
                printer.worded("INDEXES ON", table);
                printer.in_database(database.as_ref());
            }
            Self::ResourcePlans => printer.word("RESOURCE PLANS"),
            Self::ResourcePlan(plan) => printer.worded("RESOURCE PLAN", plan),
            Self::Roles => printer.word("ROLES"),
            Self::CurrentRoles => printer.word("CURRENT ROLES"),
            Self::RoleGrant(principal) => printer.worded("ROLE GRANT", principal),
            Self::Principals(role) => printer.worded("PRINCIPALS", role),
            Self::Grant { principal, object } => {
                printer.word("GRANT");
                printer.maybe(principal.as_ref());
                printer.optional("ON", object.as_ref());
            }
            Self::ProcessList => printer.word("PROCESSLIST"),
            Self::Tags(object) => {
                printer.word("TAGS");
                printer.optional("ON", object.as_ref());
            }
            Self::RowFilters(table) => printer.on_table("ROW FILTERS", table.as_ref()),
            Self::ColumnMasks(table) => printer.on_table("COLUMN MASKS", table.as_ref()),
        }
    }
}

impl Print for ShowPartitions<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.worded("PARTITIONS", &self.table);
        printer.maybe(self.partition.as_ref());
        printer.optional("WHERE", self.filter.as_ref());
        printer.order_by(self.order_by);
        printer.maybe(self.limit.as_ref());
    }
}

impl Print for ShowScope<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::All => {}
            Self::Database(database) => printer.worded("DATABASE", database),
            Self::Table { table, path, partition } => {
                table.print(printer);
                printer.path(path);
                printer.maybe(partition.as_ref());
            }
        }
    }
}

impl Print for ShowCompactions<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::ById(id) => {
                printer.word("COMPACTIONID =");
                printer.word(id);
            }
            Self::Filtered(filter) => filter.print(printer),
        }
    }
}

impl Print for CompactionFilter<'_> {
    fn print(&self, printer: &mut Printer) {
        self.scope.print(printer);
        printer.optional("POOL", self.pool.as_ref());
        printer.optional("TYPE", self.kind.as_ref());
        printer.optional("STATUS", self.status.as_ref());
        printer.order_by(self.order_by);
        printer.maybe(self.limit.as_ref());
    }
}

impl Print for GrantFilter<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::All => printer.word("ALL"),
            Self::Object { object, columns: [] } => object.print(printer),
            Self::Object { object, columns } => {
                // The columns stand before the partition.
                let (whole, partition) = match *object {
                    PrivilegeObject::Table { table_word, name, partition } => {
                        (PrivilegeObject::Table { table_word, name, partition: None }, partition)
                    }
                    other => (other, None),
                };
                whole.print(printer);
                printer.parenthesized_nodes(columns);
                printer.maybe(partition.as_ref());
            }
        }
    }
}

impl Print for Pattern<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word_if(self.like, "LIKE");
        self.text.print(printer);
    }
}

impl Print for PatternText<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::String(text) => text.print(printer),
            Self::Name(name) => name.print(printer),
        }
    }
}

impl Print for TableFilter<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Pattern(pattern) => pattern.print(printer),
            Self::Where { key, value } => {
                printer.worded("WHERE", key);
                printer.worded("=", value);
            }
        }
    }
}

impl Printer {
    fn listed(&mut self, word: &str, pattern: Option<&PatternText<'_>>) {
        self.word(word);
        self.optional("LIKE", pattern);
    }

    fn in_database(&mut self, database: Option<&Identifier<'_>>) {
        self.optional("IN", database);
    }

    fn on_table(&mut self, word: &str, table: Option<&QualifiedName<'_>>) {
        self.word(word);
        self.optional("ON", table);
    }
}
