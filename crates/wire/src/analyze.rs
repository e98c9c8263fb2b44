//! What `guardbee analyze` writes: the documented shape of an analysis.

use std::borrow::Cow;

use guardbee_model::Operation;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::is_false;
use crate::partition::Partition;

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
    pub diagnostics: Vec<Diagnostic>,
}

/// What a statement does.
#[derive(Debug, Serialize, JsonSchema)]
pub struct StatementEffects {
    /// Hive's operation type, such as `QUERY` or `CREATETABLE_AS_SELECT`.
    #[schemars(extend("enum" = operations()))]
    pub operation: &'static str,
    /// `run`, `explain`, `explain_authorization` or `explain_analyze`.
    #[schemars(extend("enum" = ["run", "explain", "explain_authorization", "explain_analyze"]))]
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
    /// `server`, `database`, `table` (also views), `path`, `function`, `data_connector`, `index` or
    /// `service`.
    #[serde(rename = "type")]
    #[schemars(extend(
        "enum" = [
            "server", "database", "table", "path", "function", "data_connector", "index", "service",
        ]
    ))]
    pub object_type: &'static str,
    pub name: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct DatasetRead {
    pub object: ObjectName,
    /// `table`, `view`, `materialized_view`, `other` or `unknown` (the catalog does not have it).
    #[schemars(extend("enum" = ["table", "view", "materialized_view", "other", "unknown"]))]
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

#[derive(Debug, Serialize, JsonSchema)]
pub struct DatasetWrite {
    pub object: ObjectName,
    #[schemars(extend("enum" = ["table", "view", "materialized_view", "other", "unknown"]))]
    pub kind: &'static str,
    /// `create`, `create_inside`, `alter`, `alter_inside`, `drop`, `insert`, `overwrite`, `update`, `delete`,
    /// `truncate`, `load`, `lock` or `touch`.
    #[schemars(extend(
        "enum" = [
            "create", "create_inside", "alter", "alter_inside", "drop", "insert", "overwrite", "update",
            "delete", "truncate", "load", "lock", "touch",
        ]
    ))]
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
    #[schemars(extend("enum" = ["built_in", "user", "macro", "unknown"]))]
    pub origin: &'static str,
}

/// One place that rows go to.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LineageTarget {
    /// `table`, `directory` or `result` (the client).
    #[serde(rename = "type")]
    #[schemars(extend("enum" = ["table", "directory", "result"]))]
    pub target_type: &'static str,
    /// Absent for `result`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What is done with the rows there: an action as in `writes`; `create` for `result`, too.
    pub action: String,
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
    #[schemars(extend("enum" = ["SIMPLE", "EXPRESSION", "SCRIPT"]))]
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
    #[schemars(extend("enum" = ["IDENTITY", "TRANSFORMATION", "AGGREGATION"]))]
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
    #[schemars(extend("enum" = ["FILTER", "JOIN", "GROUP_BY", "SORT", "WINDOW", "CONDITIONAL"]))]
    pub purpose: &'static str,
    pub masking: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub through: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Change {
    /// `put_database`, `remove_table`, `rename_table`, `use_database` and so on.
    #[schemars(extend(
        "enum" = [
            "put_database", "remove_database", "put_table", "remove_table", "rename_table", "put_function",
            "remove_function", "put_export", "put_macro", "remove_macro", "use_database", "prepare",
            "setting", "reset_settings",
        ]
    ))]
    pub change: &'static str,
    pub name: String,
    /// The new name of `rename_table`, the value of `setting`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
}

/// What the statement asks of the machine.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MachineCommand {
    /// `add_resource`, `delete_resource`, `file_system`, `shell`, `script`, `setting`, `source`, `compile`
    /// or `other`.
    #[schemars(extend(
        "enum" = [
            "add_resource", "delete_resource", "file_system", "shell", "script", "setting", "source",
            "compile", "other",
        ]
    ))]
    pub command: &'static str,
    pub argument: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

/// A diagnostic with its place in the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Diagnostic {
    /// `error` or `warning`.
    pub severity: Severity,
    /// A stable name, such as `syntax` or `unknown-column`.
    pub code: Cow<'static, str>,
    pub message: String,
    pub line: u32,
    pub column: u32,
    pub start: u32,
    pub end: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Severity {
    Error,
    Warning,
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

/// The operations that there are, for the schema.
fn operations() -> Vec<&'static str> {
    Operation::ALL.iter().map(|operation| operation.as_str()).collect()
}
