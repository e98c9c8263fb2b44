//! `--catalog FILE`: what exists before the first statement, as DDL or as JSON.
//!
//! A JSON catalog is turned into the DDL that says the same, so that names and types are read by one piece
//! of code only.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Deserialize;

/// The JSON form. Names are folded to lower case as Hive does.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Catalog {
    #[serde(default)]
    pub databases: Vec<Database>,
    #[serde(default)]
    pub functions: Vec<Function>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Database {
    pub name: String,
    pub comment: Option<String>,
    pub location: Option<String>,
    #[serde(default)]
    pub properties: BTreeMap<String, String>,
    #[serde(default)]
    pub tables: Vec<Table>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Table {
    pub name: String,
    #[serde(default)]
    pub kind: TableKind,
    #[serde(default)]
    pub columns: Vec<Column>,
    #[serde(default)]
    pub partition_columns: Vec<Column>,
    pub comment: Option<String>,
    pub location: Option<String>,
    #[serde(default)]
    pub properties: BTreeMap<String, String>,
    /// The query of a view.
    pub query: Option<String>,
}

#[derive(Debug, Default, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TableKind {
    #[default]
    Managed,
    External,
    View,
    MaterializedView,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Column {
    pub name: String,
    /// A Hive type, such as `array<struct<a:int>>`.
    #[serde(rename = "type")]
    pub data_type: String,
    pub comment: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Function {
    /// `database.function`.
    pub name: String,
    pub class: String,
}

/// The DDL that a catalog file stands for.
///
/// # Errors
/// What keeps a file that looks like JSON from being a catalog.
pub fn ddl(text: &str) -> Result<String, serde_json::Error> {
    if !text.trim_start_matches('\u{feff}').trim_start().starts_with('{') {
        return Ok(text.to_owned());
    }
    let catalog: Catalog = serde_json::from_str(text.trim_start_matches('\u{feff}'))?;
    Ok(catalog.to_ddl())
}

impl Catalog {
    fn to_ddl(&self) -> String {
        let mut ddl = String::new();
        for database in &self.databases {
            database.write_ddl(&mut ddl);
        }
        for function in &self.functions {
            let name: Vec<String> = function.name.split('.').map(name).collect();
            let _ = writeln!(ddl, "CREATE FUNCTION {} AS {};", name.join("."), string(&function.class));
        }
        ddl
    }
}

impl Database {
    /// Views come last: they may be made of any table.
    fn write_ddl(&self, ddl: &mut String) {
        let _ = write!(ddl, "CREATE DATABASE IF NOT EXISTS {}", name(&self.name));
        write_option(ddl, "COMMENT", self.comment.as_deref());
        write_option(ddl, "LOCATION", self.location.as_deref());
        write_properties(ddl, "WITH DBPROPERTIES", &self.properties);
        let _ = writeln!(ddl, ";\nUSE {};", name(&self.name));
        let is_view = |table: &&Table| matches!(table.kind, TableKind::View | TableKind::MaterializedView);
        for table in self.tables.iter().filter(|table| !is_view(table)) {
            table.write_ddl(ddl);
        }
        for view in self.tables.iter().filter(is_view) {
            view.write_view_ddl(ddl);
        }
    }
}

impl Table {
    fn write_ddl(&self, ddl: &mut String) {
        let external = if matches!(self.kind, TableKind::External) { "EXTERNAL " } else { "" };
        let _ = write!(ddl, "CREATE {external}TABLE {} (", name(&self.name));
        write_columns(ddl, &self.columns);
        ddl.push(')');
        write_option(ddl, "COMMENT", self.comment.as_deref());
        if !self.partition_columns.is_empty() {
            ddl.push_str(" PARTITIONED BY (");
            write_columns(ddl, &self.partition_columns);
            ddl.push(')');
        }
        write_option(ddl, "LOCATION", self.location.as_deref());
        write_properties(ddl, "TBLPROPERTIES", &self.properties);
        ddl.push_str(";\n");
    }

    fn write_view_ddl(&self, ddl: &mut String) {
        let kind = if matches!(self.kind, TableKind::View) { "VIEW" } else { "MATERIALIZED VIEW" };
        let _ = write!(ddl, "CREATE {kind} {}", name(&self.name));
        if matches!(self.kind, TableKind::View) && !self.columns.is_empty() {
            let columns: Vec<String> = self.columns.iter().map(|column| name(&column.name)).collect();
            let _ = write!(ddl, " ({})", columns.join(", "));
        }
        write_option(ddl, "COMMENT", self.comment.as_deref());
        let query = self.query.as_deref().unwrap_or("SELECT 1");
        let _ = writeln!(ddl, " AS {};", query.trim().trim_end_matches(';'));
    }
}

fn write_columns(ddl: &mut String, columns: &[Column]) {
    for (index, column) in columns.iter().enumerate() {
        let _ =
            write!(ddl, "{}{} {}", if index == 0 { "" } else { ", " }, name(&column.name), column.data_type);
        write_option(ddl, "COMMENT", column.comment.as_deref());
    }
}

fn write_option(ddl: &mut String, word: &str, value: Option<&str>) {
    if let Some(value) = value {
        let _ = write!(ddl, " {word} {}", string(value));
    }
}

fn write_properties(ddl: &mut String, word: &str, properties: &BTreeMap<String, String>) {
    if !properties.is_empty() {
        let pairs: Vec<String> =
            properties.iter().map(|(key, value)| format!("{}={}", string(key), string(value))).collect();
        let _ = write!(ddl, " {word} ({})", pairs.join(", "));
    }
}

fn name(text: &str) -> String {
    format!("`{}`", text.replace('`', "``"))
}

fn string(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'").replace(';', "\\u003B"))
}
