//! The DDL that says what a JSON catalog says.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Column, Database, Function, Table, TableKind};

/// A name that no catalog has.
const TRIAL: &str = "guardbee_trial";

impl Database {
    pub(super) fn ddl(&self) -> String {
        let mut ddl = format!("CREATE DATABASE IF NOT EXISTS {}", name(&self.name));
        write_option(&mut ddl, "COMMENT", self.comment.as_deref());
        write_option(&mut ddl, "LOCATION", self.location.as_deref());
        write_properties(&mut ddl, "WITH DBPROPERTIES", &self.properties);
        ddl
    }
}

impl Function {
    pub(super) fn ddl(&self) -> String {
        let parts: Vec<String> = self.name.split('.').map(name).collect();
        format!("CREATE FUNCTION {} AS {}", parts.join("."), string(&self.class))
    }
}

impl Table {
    pub(super) fn table_ddl(&self, database: &str) -> String {
        let external = if matches!(self.kind, TableKind::External) { "EXTERNAL " } else { "" };
        let mut ddl = format!("CREATE {external}TABLE {}.{}", name(database), name(&self.name));
        write_columns(&mut ddl, "", &self.columns);
        write_option(&mut ddl, "COMMENT", self.comment.as_deref());
        write_columns(&mut ddl, " PARTITIONED BY", &self.partition_columns);
        write_option(&mut ddl, "LOCATION", self.location.as_deref());
        write_properties(&mut ddl, "TBLPROPERTIES", &self.properties);
        ddl
    }

    pub(super) fn view_ddl(&self, database: &str) -> String {
        let is_view = matches!(self.kind, TableKind::View);
        let kind = if is_view { "OR REPLACE VIEW" } else { "MATERIALIZED VIEW" };
        let mut ddl = format!("CREATE {kind} {}.{}", name(database), name(&self.name));
        if is_view && !self.columns.is_empty() {
            let columns: Vec<String> = self.columns.iter().map(|column| name(&column.name)).collect();
            let _ = write!(ddl, " ({})", columns.join(", "));
        }
        write_option(&mut ddl, "COMMENT", self.comment.as_deref());
        let query = self.query.as_deref().unwrap_or("SELECT 1");
        let _ = write!(ddl, " AS {}", query.trim().trim_end_matches(';'));
        ddl
    }
}

/// A table of one column, to try its type with.
pub(super) fn trial_table(column: &Column) -> Table {
    Table {
        name: TRIAL.to_owned(),
        kind: TableKind::Managed,
        columns: vec![Column {
            name: column.name.clone(),
            data_type: column.data_type.clone(),
            comment: None,
        }],
        partition_columns: Vec::new(),
        comment: None,
        location: None,
        properties: BTreeMap::new(),
        query: None,
    }
}

fn write_columns(ddl: &mut String, word: &str, columns: &[Column]) {
    if columns.is_empty() {
        return;
    }
    let _ = write!(ddl, "{word} (");
    for (index, column) in columns.iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        let _ = write!(ddl, "{comma}{} {}", name(&column.name), column.data_type);
        write_option(ddl, "COMMENT", column.comment.as_deref());
    }
    ddl.push(')');
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

/// A string of HiveQL. No `${` is left in it: a catalog holds values, not scripts.
fn string(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('\'', "\\'").replace(';', "\\u003B");
    format!("'{}'", escaped.replace("${", "\\u0024{"))
}
