//! Replication.

use super::{Print, Printer};
use crate::tree::{
    EventRange, Property, ReplicatedTables, Replication, ReplicationPolicy, ReplicationSource,
};

impl Print for Replication<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Dump { policy, replaced, events, with } => {
                printer.worded("REPL DUMP", policy);
                printer.optional("REPLACE", replaced.as_ref());
                printer.maybe(events.as_ref());
                printer.replication_settings(with);
            }
            Self::Load { policy, source, with } => {
                printer.word("REPL LOAD");
                printer.maybe(policy.as_ref());
                source.print(printer);
                printer.replication_settings(with);
            }
            Self::Status { policy, with } => {
                printer.worded("REPL STATUS", policy);
                printer.replication_settings(with);
            }
        }
    }
}

impl Print for ReplicationPolicy<'_> {
    fn print(&self, printer: &mut Printer) {
        self.database.print(printer);
        match &self.tables {
            ReplicatedTables::All => {}
            ReplicatedTables::Table(table) => printer.dotted(table),
            ReplicatedTables::Matching { include, exclude } => {
                printer.dotted(include);
                if let Some(exclude) = exclude {
                    printer.dotted(exclude);
                }
            }
        }
    }
}

impl Print for EventRange<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("FROM");
        printer.word(self.from);
        printer.optional_text("TO", self.to);
        printer.optional_text("LIMIT", self.limit);
    }
}

impl Print for ReplicationSource<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Path(path) => printer.worded("FROM", path),
            Self::Policy { into } => printer.optional("INTO", into.as_ref()),
        }
    }
}

impl Printer {
    fn dotted(&mut self, node: &impl Print) {
        self.dot();
        node.print(self);
    }

    fn replication_settings(&mut self, settings: &[Property<'_>]) {
        if !settings.is_empty() {
            self.word("WITH");
            self.parenthesized_nodes(settings);
        }
    }
}
