//! `DROP` and `TRUNCATE`.

use super::{Print, Printer};
use crate::tree::{Drop, DropBehavior, DropObject, ReplicationClause, TableWord, Truncate};

impl Print for Drop<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("DROP");
        printer.word(object_words(&self.object));
        printer.if_exists(self.if_exists);
        self.object.print(printer);
    }
}

const fn object_words(object: &DropObject<'_>) -> &'static str {
    match object {
        DropObject::Catalog(_) => "CATALOG",
        DropObject::Database { .. } => "DATABASE",
        DropObject::DataConnector(_) => "CONNECTOR",
        DropObject::Table { .. } => "TABLE",
        DropObject::View(_) => "VIEW",
        DropObject::MaterializedView(_) => "MATERIALIZED VIEW",
        DropObject::Function { temporary: true, .. } => "TEMPORARY FUNCTION",
        DropObject::Function { temporary: false, .. } => "FUNCTION",
        DropObject::Macro(_) => "TEMPORARY MACRO",
        DropObject::Index { .. } => "INDEX",
        DropObject::ScheduledQuery(_) => "SCHEDULED QUERY",
    }
}

impl Print for DropObject<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Catalog(name)
            | Self::DataConnector(name)
            | Self::Macro(name)
            | Self::ScheduledQuery(name) => {
                name.print(printer);
            }
            Self::View(name) | Self::MaterializedView(name) | Self::Function { name, .. } => {
                name.print(printer);
            }
            Self::Database { name, behavior } => {
                name.print(printer);
                printer.maybe(behavior.as_ref());
            }
            Self::Table { name, purge, replication } => {
                name.print(printer);
                printer.word_if(*purge, "PURGE");
                printer.maybe(replication.as_ref());
            }
            Self::Index { name, table } => {
                name.print(printer);
                printer.worded("ON", table);
            }
        }
    }
}

impl Print for DropBehavior {
    fn print(&self, printer: &mut Printer) {
        printer.word(match self {
            Self::Restrict => "RESTRICT",
            Self::Cascade => "CASCADE",
        });
    }
}

impl Print for ReplicationClause<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("FOR");
        printer.word_if(self.metadata_only, "METADATA");
        printer.word("REPLICATION");
        printer.parenthesized(&self.event);
    }
}

impl Print for Truncate<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("TRUNCATE");
        printer.word_if(self.table_word == TableWord::Present, "TABLE");
        self.name.print(printer);
        printer.maybe(self.partition.as_ref());
        if !self.columns.is_empty() {
            printer.columns("COLUMNS", self.columns);
        }
        printer.word_if(self.force, "FORCE");
    }
}
