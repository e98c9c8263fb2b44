//! `ALTER` of everything but tables.

use super::{Print, Printer};
use crate::tree::{
    AlterCatalog, AlterDataConnector, AlterDatabase, AlterIndex, AlterMaterializedView, AlterScheduledQuery,
    AlterView, CatalogAlteration, DataConnectorChange, DatabaseChange, IndexChange, MaterializedViewChange,
    ScheduledQueryChange, ViewChange,
};

impl Print for AlterCatalog<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.optional("ALTER CATALOG", Some(&self.name));
        printer.word("SET");
        match &self.change {
            CatalogAlteration::Location(location) => printer.worded("LOCATION", location),
            CatalogAlteration::Properties(properties) => printer.properties("PROPERTIES", Some(properties)),
        }
    }
}

impl Print for AlterDatabase<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.optional("ALTER DATABASE", Some(&self.name));
        printer.word("SET");
        match &self.change {
            DatabaseChange::Properties(properties) => printer.properties("DBPROPERTIES", Some(properties)),
            DatabaseChange::Owner(owner) => printer.optional("OWNER", Some(owner)),
            DatabaseChange::Location(location) => printer.optional("LOCATION", Some(location)),
            DatabaseChange::ManagedLocation(location) => printer.optional("MANAGEDLOCATION", Some(location)),
        }
    }
}

impl Print for AlterDataConnector<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.optional("ALTER CONNECTOR", Some(&self.name));
        printer.word("SET");
        match &self.change {
            DataConnectorChange::Properties(properties) => {
                printer.properties("DCPROPERTIES", Some(properties));
            }
            DataConnectorChange::Owner(owner) => printer.optional("OWNER", Some(owner)),
            DataConnectorChange::Url(url) => printer.optional("URL", Some(url)),
        }
    }
}

impl Print for AlterView<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.optional("ALTER VIEW", Some(&self.name));
        match &self.change {
            ViewChange::As { query, .. } => printer.optional("AS", Some(*query)),
            ViewChange::Rename(name) => printer.optional("RENAME TO", Some(name)),
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
        printer.optional("ALTER MATERIALIZED VIEW", Some(&self.name));
        printer.word(match self.change {
            MaterializedViewChange::EnableRewrite => "ENABLE REWRITE",
            MaterializedViewChange::DisableRewrite => "DISABLE REWRITE",
            MaterializedViewChange::Rebuild => "REBUILD",
        });
    }
}

impl Print for AlterIndex<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.optional("ALTER INDEX", Some(&self.name));
        printer.optional("ON", Some(&self.table));
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
        printer.optional("ALTER SCHEDULED QUERY", Some(&self.name));
        match &self.change {
            ScheduledQueryChange::Schedule(schedule) => schedule.print(printer),
            ScheduledQueryChange::ExecutedAs(user) => printer.optional("EXECUTED AS", Some(user)),
            ScheduledQueryChange::Enable => printer.word("ENABLE"),
            ScheduledQueryChange::Disable => printer.word("DISABLE"),
            ScheduledQueryChange::DefinedAs { query, .. } => printer.optional("DEFINED AS", Some(*query)),
            ScheduledQueryChange::Execute => printer.word("EXECUTE"),
        }
    }
}
