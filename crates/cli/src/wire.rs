//! What `--format json` and `jsonl` write: the documented shape of an analysis.
//!
//! The JSON schema in `docs/analyze.schema.json` is generated from these types. Names are stable; a new
//! field may come, none goes without a new `version`.

use guardbee_analysis::CatalogChange;
use guardbee_analysis::effects::{
    Access, ColumnRead, Command, DatasetKind, Destination, Effects, FunctionOrigin, FunctionUse, Influence,
    Masking, Mode, Object, Origin, PartitionValues, Read, Source, Target, TargetColumn, Write,
};
use guardbee_model::Severity;
use schemars::JsonSchema;
use serde::Serialize;

/// The version of this shape.
pub const VERSION: u32 = 1;

/// The whole of `--format json`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Document {
    pub version: u32,
    /// Every statement, in the order of files and of the text.
    pub statements: Vec<Statement>,
    pub summary: Summary,
}

/// One statement; also one line of `--format jsonl`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Statement {
    /// The file as it was named, `-` for standard input, `-e` for the command line.
    pub file: String,
    /// Where the statement starts, from 1 on; columns count characters.
    pub line: u32,
    pub column: u32,
    /// The place in the file, in bytes.
    pub start: u32,
    pub end: u32,
    /// Absent where the statement could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effects: Option<StatementEffects>,
    pub diagnostics: Vec<Finding>,
}

/// What a statement does.
#[derive(Debug, Serialize, JsonSchema)]
pub struct StatementEffects {
    /// Hive's operation type, such as `QUERY` or `CREATETABLE_AS_SELECT`.
    pub operation: &'static str,
    /// `run`, `explain`, `explain_authorization` or `explain_analyze`.
    pub mode: &'static str,
    pub reads: Vec<DatasetRead>,
    pub writes: Vec<DatasetWrite>,
    pub functions: Vec<Function>,
    pub targets: Vec<LineageTarget>,
    pub catalog_changes: Vec<Change>,
    pub commands: Vec<MachineCommand>,
}

/// Something that rights are held on.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ObjectName {
    /// `server`, `database`, `table` (also views), `path`, `function`, `data_connector`, `index` or `service`.
    #[serde(rename = "type")]
    pub object_type: &'static str,
    pub name: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct DatasetRead {
    pub object: ObjectName,
    /// `table`, `view`, `materialized_view`, `other` or `unknown` (the catalog does not have it).
    pub kind: &'static str,
    /// Does the statement name it itself, and not only through a view?
    pub direct: bool,
    /// The views passed on the way, outermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub through: Vec<String>,
    /// Empty where only the object as a whole matters.
    pub columns: Vec<ReadColumn>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub partitions: Vec<Partition>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct ReadColumn {
    pub name: String,
    /// What for: SELECT, FILTER, JOIN, GROUP_BY, SORT, WINDOW, CONDITIONAL.
    pub purposes: Vec<&'static str>,
    /// An outer query drops the column: it neither reaches nor influences the result.
    #[serde(skip_serializing_if = "is_false")]
    pub dropped: bool,
}

/// The columns of a partition; `null` where the value comes from the data.
pub type Partition = std::collections::BTreeMap<String, Option<String>>;

#[derive(Debug, Serialize, JsonSchema)]
pub struct DatasetWrite {
    pub object: ObjectName,
    pub kind: &'static str,
    /// `create`, `create_inside`, `alter`, `alter_inside`, `drop`, `insert`, `overwrite`, `update`, `delete`,
    /// `truncate`, `load`, `lock` or `touch`.
    pub action: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub partitions: Vec<Partition>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Function {
    pub name: String,
    /// `built_in`, `user`, `macro` or `unknown`.
    pub origin: &'static str,
}

/// One place that rows go to.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LineageTarget {
    /// `table`, `directory` or `result` (the client).
    #[serde(rename = "type")]
    pub target_type: &'static str,
    /// Absent for `result`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Partition::is_empty")]
    pub partition: Partition,
    pub columns: Vec<LineageColumn>,
    /// Columns that decide which rows there are; they influence every target column.
    pub influences: Vec<InfluenceEdge>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct LineageColumn {
    pub name: String,
    /// Hive's `SIMPLE`, `EXPRESSION` or `SCRIPT`.
    pub kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expression: Option<String>,
    pub sources: Vec<SourceEdge>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub influences: Vec<InfluenceEdge>,
}

/// The far end of an edge.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct SourceColumn {
    /// Where the column is one of files at a path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Absent where the text alone cannot place the column.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// Absent where the table as a whole is the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// Is it known which table the column belongs to?
    pub resolved: bool,
    /// The tables that may have an unresolved column.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<String>,
}

/// A direct edge.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SourceEdge {
    #[serde(flatten)]
    pub source: SourceColumn,
    /// `IDENTITY`, `TRANSFORMATION` or `AGGREGATION`.
    pub derivation: &'static str,
    /// Passes a function that hides the value.
    pub masking: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub through: Vec<String>,
}

/// An indirect edge.
#[derive(Debug, Serialize, JsonSchema)]
pub struct InfluenceEdge {
    #[serde(flatten)]
    pub source: SourceColumn,
    /// `FILTER`, `JOIN`, `GROUP_BY`, `SORT`, `WINDOW` or `CONDITIONAL`.
    pub purpose: &'static str,
    pub masking: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub through: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Change {
    /// `put_database`, `remove_table`, `rename_table`, `use_database` and so on.
    pub change: &'static str,
    pub name: String,
    /// The new name of `rename_table`, the value of `setting`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
}

/// What the statement asks of the machine.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MachineCommand {
    /// `add_resource`, `delete_resource`, `file_system`, `shell`, `script`, `setting`, `source`, `compile` or `other`.
    pub command: &'static str,
    pub argument: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

/// A diagnostic with its place in the file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Finding {
    /// `error` or `warning`.
    pub severity: &'static str,
    /// A stable name, such as `syntax` or `unknown-column`.
    pub code: &'static str,
    pub message: String,
    pub line: u32,
    pub column: u32,
    pub start: u32,
    pub end: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// What came of the whole run.
#[derive(Debug, Default, Clone, Copy, Serialize, JsonSchema)]
pub struct Summary {
    pub files: u64,
    pub statements: u64,
    pub errors: u64,
    pub warnings: u64,
    /// Files that could not be read at all.
    pub unreadable_files: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
const fn is_false(value: &bool) -> bool {
    !*value
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

/// A partition by column.
fn partition(values: &PartitionValues) -> Partition {
    values.iter().map(|(column, value)| (column.to_string(), value.as_deref().map(str::to_owned))).collect()
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
            partitions: read.partitions.iter().map(partition).collect(),
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
            action: write.action.as_str().replace(' ', "_"),
            partitions: write.partitions.iter().map(partition).collect(),
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
            partition: partition(&target.partition),
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

/// The word for a severity.
#[must_use]
pub const fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}
