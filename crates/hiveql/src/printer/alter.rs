//! `ALTER` of everything but tables.

use super::{Print, Printer};
use crate::tree::{
    AlterCatalog, AlterDataConnector, AlterDatabase, AlterIndex, AlterMaterializedView, AlterScheduledQuery,
    AlterView, CatalogAlteration, DataConnectorChange, DatabaseChange, IndexChange, MaterializedViewChange,
    ScheduledQueryChange, ViewChange,
};

impl Print for AlterCatalog<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.worded("ALTER CATALOG", &self.name);
        printer.word("SET");
        match &self.change {
            CatalogAlteration::Location(location) => printer.worded("LOCATION", location),
            CatalogAlteration::Properties(properties) => printer.properties("PROPERTIES", Some(properties)),
        }
    }
}

impl Print for AlterDatabase<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.worded("ALTER DATABASE", &self.name);
        printer.word("SET");
        match &self.change {
            DatabaseChange::Properties(properties) => printer.properties("DBPROPERTIES", Some(properties)),
            DatabaseChange::Owner(owner) => printer.worded("OWNER", owner),
            DatabaseChange::Location(location) => printer.worded("LOCATION", location),
            DatabaseChange::ManagedLocation(location) => printer.worded("MANAGEDLOCATION", location),
        }
    }
}

impl Print for AlterDataConnector<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.worded("ALTER CONNECTOR", &self.name);
        printer.word("SET");
        match &self.change {
            DataConnectorChange::Properties(properties) => {
                printer.properties("DCPROPERTIES", Some(properties));
            }
            DataConnectorChange::Owner(owner) => printer.worded("OWNER", owner),
            DataConnectorChange::Url(url) => printer.worded("URL", url),
        }
    }
}

impl Print for AlterView<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.worded("ALTER VIEW", &self.name);
        match &self.change {
            ViewChange::As { query, .. } => printer.worded("AS", *query),
            ViewChange::Rename(name) => printer.worded("RENAME TO", name),
            ViewChange::SetProperties(properties) => {
                printer.properties("SET TBLPROPERTIES", Some(properties));
            }
            ViewChange::UnsetProperties { if_exists, keys } => printer.unset_properties(*if_exists, keys),
            ViewChange::AddPartitions { if_not_exists, partitions } => {
                printer.add_partitions(*if_not_exists, partitions);
            }
            ViewChange::DropPartitions { if_exists, partitions, purge, replication } => {
                printer.drop_partitions(*if_exists, partitions);
                printer.word_if(*purge, "PURGE");
                printer.maybe(replication.as_ref());
            }
        }
    }
}

impl Print for AlterMaterializedView<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.worded("ALTER MATERIALIZED VIEW", &self.name);
        printer.word(match self.change {
            MaterializedViewChange::EnableRewrite => "ENABLE REWRITE",
            MaterializedViewChange::DisableRewrite => "DISABLE REWRITE",
            MaterializedViewChange::Rebuild => "REBUILD",
        });
    }
}

impl Print for AlterIndex<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.worded("ALTER INDEX", &self.name);
        printer.worded("ON", &self.table);
        printer.maybe(self.partition.as_ref());
        match self.change {
            IndexChange::Rebuild => printer.word("REBUILD"),
            IndexChange::SetProperties(properties) => {
                printer.properties("SET IDXPROPERTIES", Some(properties));
            }
        }
    }
}

impl Print for AlterScheduledQuery<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.worded("ALTER SCHEDULED QUERY", &self.name);
        match &self.change {
            ScheduledQueryChange::Schedule(schedule) => schedule.print(printer),
            ScheduledQueryChange::ExecutedAs(user) => printer.worded("EXECUTED AS", user),
            ScheduledQueryChange::Enable => printer.word("ENABLE"),
            ScheduledQueryChange::Disable => printer.word("DISABLE"),
            ScheduledQueryChange::DefinedAs { query, .. } => printer.worded("DEFINED AS", *query),
            ScheduledQueryChange::Execute => printer.word("EXECUTE"),
        }
    }
}
