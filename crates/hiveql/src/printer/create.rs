//! `CREATE` of everything but tables.

use super::expression::interval_unit;
use super::{Print, Printer};
use crate::tree::{
    CreateCatalog, CreateDataConnector, CreateDatabase, CreateFunction, CreateIndex, CreateMacro,
    CreateMaterializedView, CreateScheduledQuery, CreateView, Enablement, FunctionResource,
    MaterializedViewClause, ResourceKind, Schedule, ScheduleOffset, ViewPartitioning,
};

impl Print for CreateCatalog<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("CREATE CATALOG");
        printer.if_not_exists(self.if_not_exists);
        self.name.print(printer);
        printer.worded("LOCATION", &self.location);
        printer.optional("COMMENT", self.comment.as_ref());
        printer.properties("PROPERTIES", self.properties);
    }
}

impl Print for CreateDatabase<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("CREATE");
        printer.word_if(self.connector.is_some(), "REMOTE");
        printer.word("DATABASE");
        printer.if_not_exists(self.if_not_exists);
        self.name.print(printer);
        printer.optional("COMMENT", self.comment.as_ref());
        printer.optional("LOCATION", self.location.as_ref());
        printer.optional("MANAGEDLOCATION", self.managed_location.as_ref());
        printer.optional("USING", self.connector.as_ref());
        printer.properties("WITH DBPROPERTIES", self.properties);
    }
}

impl Print for CreateDataConnector<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("CREATE CONNECTOR");
        printer.if_not_exists(self.if_not_exists);
        self.name.print(printer);
        printer.worded("TYPE", &self.connector_type);
        printer.worded("URL", &self.url);
        printer.optional("COMMENT", self.comment.as_ref());
        printer.properties("WITH DCPROPERTIES", self.properties);
    }
}

impl Print for CreateView<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("CREATE");
        printer.word_if(self.or_replace, "OR REPLACE");
        printer.word("VIEW");
        printer.if_not_exists(self.if_not_exists);
        self.name.print(printer);
        if !self.columns.is_empty() {
            printer.parenthesized_nodes(self.columns);
        }
        printer.optional("COMMENT", self.comment.as_ref());
        printer.maybe(self.partitioned_on.as_ref());
        printer.properties("TBLPROPERTIES", self.properties);
        printer.worded("AS", self.query);
    }
}

impl Print for ViewPartitioning<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Columns(columns) => printer.columns("PARTITIONED ON", columns),
            Self::Spec(transforms) => {
                printer.word("PARTITIONED ON SPEC");
                printer.parenthesized_nodes(transforms);
            }
        }
    }
}

impl Print for CreateMaterializedView<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("CREATE MATERIALIZED VIEW");
        printer.if_not_exists(self.if_not_exists);
        self.name.print(printer);
        if let Some(rewrite) = self.rewrite {
            rewrite.print(printer);
            printer.word("REWRITE");
        }
        for clause in self.clauses {
            clause.print(printer);
        }
        printer.worded("AS", self.query);
    }
}

impl Print for Enablement {
    fn print(&self, printer: &mut Printer) {
        printer.word(match self {
            Self::Enable => "ENABLE",
            Self::Disable => "DISABLE",
            Self::Enforced => "ENFORCED",
            Self::NotEnforced => "NOT ENFORCED",
        });
    }
}

impl Print for MaterializedViewClause<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Comment(comment) => printer.worded("COMMENT", comment),
            Self::PartitionedOn(partitioning) => partitioning.print(printer),
            Self::ClusteredOn(columns) => printer.columns("CLUSTERED ON", columns),
            Self::DistributedOn { columns, sorted_on } => {
                printer.columns("DISTRIBUTED ON", columns);
                printer.columns("SORTED ON", sorted_on);
            }
            Self::RowFormat(format) => format.print(printer),
            Self::Stored(storage) => storage.print(printer),
            Self::Location(location) => printer.worded("LOCATION", location),
            Self::Properties(properties) => printer.properties("TBLPROPERTIES", Some(properties)),
        }
    }
}

impl Print for CreateScheduledQuery<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("CREATE SCHEDULED QUERY");
        self.name.print(printer);
        self.schedule.print(printer);
        printer.optional("EXECUTED AS", self.executed_as.as_ref());
        printer.maybe(self.enabled.as_ref());
        printer.worded("DEFINED AS", self.query);
    }
}

impl Print for Schedule<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Cron(cron) => printer.worded("CRON", cron),
            Self::Every { count, unit, offset } => {
                printer.word("EVERY");
                if let Some(count) = count {
                    printer.word(count);
                }
                printer.word(interval_unit(*unit));
                printer.maybe(offset.as_ref());
            }
        }
    }
}

impl Print for ScheduleOffset<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::At(time) => printer.worded("AT", time),
            Self::OffsetBy(time) => printer.worded("OFFSET BY", time),
        }
    }
}

impl Print for CreateMacro<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("CREATE TEMPORARY MACRO");
        self.name.print(printer);
        printer.parenthesized_nodes(self.parameters);
        self.body.print(printer);
    }
}

impl Print for CreateFunction<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("CREATE");
        printer.word_if(self.temporary, "TEMPORARY");
        printer.word("FUNCTION");
        self.name.print(printer);
        printer.worded("AS", &self.class);
        if !self.resources.is_empty() {
            printer.word("USING");
            printer.nodes(self.resources);
        }
    }
}

impl Print for FunctionResource<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word(match self.kind {
            ResourceKind::Jar => "JAR",
            ResourceKind::File => "FILE",
            ResourceKind::Archive => "ARCHIVE",
        });
        self.uri.print(printer);
    }
}

impl Print for CreateIndex<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("CREATE INDEX");
        self.name.print(printer);
        printer.worded("ON TABLE", &self.table);
        printer.parenthesized_nodes(self.columns);
        printer.worded("AS", &self.handler);
        printer.word_if(self.deferred_rebuild, "WITH DEFERRED REBUILD");
        printer.properties("IDXPROPERTIES", self.index_properties);
        printer.optional("IN TABLE", self.in_table.as_ref());
        self.row_format.print(printer);
        printer.maybe(self.storage.as_ref());
        printer.optional("LOCATION", self.location.as_ref());
        printer.properties("TBLPROPERTIES", self.table_properties);
        printer.optional("COMMENT", self.comment.as_ref());
    }
}
