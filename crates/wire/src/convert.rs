//! From what the analysis says to what is written.

use guardbee_analysis::CatalogChange;
use guardbee_analysis::effects::{
    Access, ColumnRead, Command, DatasetKind, Destination, Effects, FunctionOrigin, FunctionUse, Influence,
    Masking, Mode, Object, Origin, Read, Source, Target, TargetColumn, Write, WriteAction,
};
use guardbee_model::Severity;

use crate::analyze::{
    Change, DatasetRead, DatasetWrite, Diagnostic, Function, InfluenceEdge, LineageColumn, LineageTarget,
    MachineCommand, ObjectName, ReadColumn, SourceColumn, SourceEdge, Statement, StatementEffects,
};
use crate::partition::Partition;
use crate::report::{Analyzed, Finding};

impl From<&Analyzed<'_>> for Statement {
    fn from(report: &Analyzed<'_>) -> Self {
        Self {
            file: report.label.to_owned(),
            line: report.place.line,
            column: report.place.column,
            start: report.base + report.span.start,
            end: report.base + report.span.end,
            effects: report.effects.as_ref().map(StatementEffects::from),
            diagnostics: report.findings.iter().map(|finding| diagnostic(finding, report.base)).collect(),
        }
    }
}

pub(crate) fn diagnostic(finding: &Finding, base: u32) -> Diagnostic {
    let diagnostic = &finding.diagnostic;
    Diagnostic {
        severity: match diagnostic.severity {
            Severity::Error => crate::analyze::Severity::Error,
            Severity::Warning => crate::analyze::Severity::Warning,
        },
        code: diagnostic.code.0.into(),
        message: diagnostic.message.clone(),
        line: finding.place.line,
        column: finding.place.column,
        start: base + diagnostic.span.start,
        end: base + diagnostic.span.end,
        hint: diagnostic.hint.clone(),
    }
}

impl From<&Effects> for StatementEffects {
    fn from(effects: &Effects) -> Self {
        Self {
            operation: effects.operation.as_str(),
            mode: match effects.mode {
                Mode::Run => "run",
                Mode::Explain => "explain",
                Mode::ExplainAuthorization => "explain_authorization",
                Mode::ExplainAnalyze => "explain_analyze",
            },
            reads: effects.reads.iter().map(DatasetRead::from).collect(),
            writes: effects.writes.iter().map(DatasetWrite::from).collect(),
            functions: effects.functions.iter().map(Function::from).collect(),
            targets: effects.targets.iter().map(LineageTarget::from).collect(),
            catalog_changes: effects.changes.iter().map(Change::from).collect(),
            commands: effects.commands.iter().map(MachineCommand::from).collect(),
        }
    }
}

impl From<&Object> for ObjectName {
    fn from(object: &Object) -> Self {
        let object_type = match object {
            Object::Server => "server",
            Object::Database(_) => "database",
            Object::Table(_) => "table",
            Object::Path(_) => "path",
            Object::Function(_) => "function",
            Object::DataConnector(_) => "data_connector",
            Object::Index { .. } => "index",
            Object::Service(_) => "service",
        };
        Self { object_type, name: object.to_string() }
    }
}

const fn dataset_kind(kind: DatasetKind) -> &'static str {
    match kind {
        DatasetKind::Table => "table",
        DatasetKind::View => "view",
        DatasetKind::MaterializedView => "materialized_view",
        DatasetKind::Other => "other",
        DatasetKind::Unknown => "unknown",
    }
}

impl From<&Read> for DatasetRead {
    fn from(read: &Read) -> Self {
        let through = match &read.access {
            Access::Direct => Vec::new(),
            Access::Through(views) => views.iter().map(ToString::to_string).collect(),
        };
        Self {
            object: ObjectName::from(&read.object),
            kind: dataset_kind(read.kind),
            direct: read.access.is_direct(),
            through,
            columns: read.columns.iter().map(ReadColumn::from).collect(),
            partitions: read.partitions.iter().map(Partition::from).collect(),
        }
    }
}

impl From<&ColumnRead> for ReadColumn {
    fn from(column: &ColumnRead) -> Self {
        Self {
            name: column.name.to_string(),
            purposes: column.purposes.iter().map(|purpose| purpose.as_str()).collect(),
            dropped: column.is_dropped(),
        }
    }
}

impl From<&Write> for DatasetWrite {
    fn from(write: &Write) -> Self {
        Self {
            object: ObjectName::from(&write.object),
            kind: dataset_kind(write.kind),
            action: action(write.action),
            partitions: write.partitions.iter().map(Partition::from).collect(),
            columns: write.columns.iter().map(ToString::to_string).collect(),
        }
    }
}

impl From<&FunctionUse> for Function {
    fn from(function: &FunctionUse) -> Self {
        let origin = match function.origin {
            FunctionOrigin::BuiltIn => "built_in",
            FunctionOrigin::User => "user",
            FunctionOrigin::Macro => "macro",
            FunctionOrigin::Unknown => "unknown",
        };
        Self { name: function.function.to_string(), origin }
    }
}

impl From<&Target> for LineageTarget {
    fn from(target: &Target) -> Self {
        let (target_type, name) = match &target.destination {
            Destination::Table(name) => ("table", Some(name.to_string())),
            Destination::Directory(path) => ("directory", Some(path.to_string())),
            Destination::Result => ("result", None),
        };
        Self {
            target_type,
            name,
            action: action(target.action),
            partition: Partition::from(&target.partition),
            columns: target.columns.iter().map(LineageColumn::from).collect(),
            influences: target.influences.iter().map(InfluenceEdge::from).collect(),
        }
    }
}

impl From<&TargetColumn> for LineageColumn {
    fn from(column: &TargetColumn) -> Self {
        Self {
            name: column.name.to_string(),
            kind: column.kind.as_str(),
            expression: column.expression.as_deref().map(str::to_owned),
            sources: column.sources.iter().map(SourceEdge::from).collect(),
            influences: column.influences.iter().map(InfluenceEdge::from).collect(),
        }
    }
}

impl From<&Origin> for SourceColumn {
    fn from(origin: &Origin) -> Self {
        match origin {
            Origin::Column { table, column } => Self {
                table: Some(table.to_string()),
                column: Some(column.to_string()),
                resolved: true,
                ..Self::default()
            },
            Origin::FileColumn { path, column } => Self {
                path: Some(path.to_string()),
                column: Some(column.to_string()),
                resolved: true,
                ..Self::default()
            },
            Origin::WholeTable(table) => {
                Self { table: Some(table.to_string()), resolved: true, ..Self::default() }
            }
            Origin::Unresolved { column, candidates } => Self {
                column: Some(column.to_string()),
                candidates: candidates.iter().map(ToString::to_string).collect(),
                ..Self::default()
            },
        }
    }
}

impl From<&Source> for SourceEdge {
    fn from(source: &Source) -> Self {
        Self {
            source: SourceColumn::from(&source.origin),
            derivation: source.derivation.as_str(),
            masking: source.masking == Masking::Masked,
            through: source.through.iter().map(ToString::to_string).collect(),
        }
    }
}

impl From<&Influence> for InfluenceEdge {
    fn from(influence: &Influence) -> Self {
        Self {
            source: SourceColumn::from(&influence.origin),
            purpose: influence.purpose.as_str(),
            masking: influence.masking == Masking::Masked,
            through: influence.through.iter().map(ToString::to_string).collect(),
        }
    }
}

impl From<&CatalogChange> for Change {
    fn from(change: &CatalogChange) -> Self {
        let plain = |change, name: String| Self { change, name, to: None };
        match change {
            CatalogChange::PutDatabase(database) => plain("put_database", database.name.to_string()),
            CatalogChange::RemoveDatabase(name) => plain("remove_database", name.to_string()),
            CatalogChange::PutTable(table) => plain("put_table", table.name.to_string()),
            CatalogChange::RemoveTable(name) => plain("remove_table", name.to_string()),
            CatalogChange::RenameTable { from, to } => {
                Self { change: "rename_table", name: from.to_string(), to: Some(to.to_string()) }
            }
            CatalogChange::PutFunction(function) => plain("put_function", function.name.to_string()),
            CatalogChange::RemoveFunction(name) => plain("remove_function", name.to_string()),
            CatalogChange::PutExport { path, .. } => plain("put_export", path.to_string()),
            CatalogChange::PutMacro(definition) => plain("put_macro", definition.name.to_string()),
            CatalogChange::RemoveMacro(name) => plain("remove_macro", name.to_string()),
            CatalogChange::UseDatabase(name) => plain("use_database", name.to_string()),
            CatalogChange::Prepare { name, .. } => plain("prepare", name.to_string()),
            CatalogChange::Setting { key, value } => {
                Self { change: "setting", name: key.to_string(), to: value.as_deref().map(str::to_owned) }
            }
            CatalogChange::ResetSettings => plain("reset_settings", String::new()),
        }
    }
}

impl From<&Command> for MachineCommand {
    fn from(command: &Command) -> Self {
        let plain = |command, argument: &str| Self { command, argument: argument.to_owned(), value: None };
        match command {
            Command::AddResource(path) => plain("add_resource", path),
            Command::DeleteResource(path) => plain("delete_resource", path),
            Command::FileSystem(arguments) => plain("file_system", arguments),
            Command::Shell(line) => plain("shell", line),
            Command::Script(line) => plain("script", line),
            Command::Setting { key, value } => {
                Self { command: "setting", argument: key.to_string(), value: Some(value.to_string()) }
            }
            Command::Source(file) => plain("source", file),
            Command::Compile => plain("compile", ""),
            Command::Other(word) => plain("other", word),
        }
    }
}

fn action(action: WriteAction) -> String {
    action.as_str().replace(' ', "_")
}
