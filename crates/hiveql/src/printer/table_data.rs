//! `LOAD`, `EXPORT`, `IMPORT`, `ANALYZE`, `MSCK`.

use super::{Print, Printer};
use crate::tree::{
    Analyze, AnalyzeAction, Export, Import, ImportTarget, Load, Locality, Msck, MsckAction, StatisticsScope,
};

impl Print for Load<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("LOAD DATA");
        printer.word_if(self.local == Locality::Local, "LOCAL");
        printer.worded("INPATH", &self.path);
        printer.word_if(self.overwrite, "OVERWRITE");
        printer.worded("INTO TABLE", &self.name);
        printer.maybe(self.partition.as_ref());
        if let Some((input_format, serde)) = &self.input_format {
            printer.worded("INPUTFORMAT", input_format);
            printer.worded("SERDE", serde);
        }
    }
}

impl Print for Export<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.worded("EXPORT TABLE", &self.name);
        printer.maybe(self.partition.as_ref());
        printer.worded("TO", &self.path);
        printer.maybe(self.replication.as_ref());
    }
}

impl Print for Import<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("IMPORT");
        printer.maybe(self.target.as_ref());
        printer.worded("FROM", &self.path);
        printer.optional("LOCATION", self.target_location.as_ref());
    }
}

impl Print for ImportTarget<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word_if(self.external, "EXTERNAL");
        printer.worded("TABLE", &self.name);
        printer.maybe(self.partition.as_ref());
    }
}

impl Print for Analyze<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.worded("ANALYZE TABLE", &self.name);
        printer.maybe(self.partition.as_ref());
        match &self.action {
            AnalyzeAction::CacheMetadata => printer.word("CACHE METADATA"),
            AnalyzeAction::ComputeStatistics(scope) => {
                printer.word("COMPUTE STATISTICS");
                scope.print(printer);
            }
        }
    }
}

impl Print for StatisticsScope<'_> {
    fn print(&self, printer: &mut Printer) {
        match self {
            Self::Basic => {}
            Self::NoScan => printer.word("NOSCAN"),
            Self::PartialScan => printer.word("PARTIALSCAN"),
            Self::Columns(columns) => {
                printer.word("FOR COLUMNS");
                printer.nodes(columns);
            }
        }
    }
}

impl Print for Msck<'_> {
    fn print(&self, printer: &mut Printer) {
        printer.word("MSCK");
        printer.word_if(self.repair, "REPAIR");
        printer.optional("TABLE", self.table.as_ref());
        match self.action {
            None => printer.nodes(self.partitions),
            Some(action) => {
                action.print(printer);
                for condition in self.partitions {
                    condition.print_selection(printer);
                }
            }
        }
    }
}

impl Print for MsckAction {
    fn print(&self, printer: &mut Printer) {
        printer.word(match self {
            Self::Add => "ADD PARTITIONS",
            Self::Drop => "DROP PARTITIONS",
            Self::Sync => "SYNC PARTITIONS",
        });
    }
}
