//! `--catalog FILE`: what exists before the first statement, as DDL or as JSON.
//!
//! A JSON catalog is turned into the DDL that says the same, so that names and types are read by one piece
//! of code only.

mod ddl;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context as _;
use guardbee_analysis::{Analysis, Catalog, Session};
use guardbee_model::{DiagnosticCode, Name, Severity, plain_words};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::arguments::Reading;
use crate::input;
use crate::reading::{self, Reader};
use crate::render::finding;
use crate::terminal::Style;
use crate::window::Window;

/// How often views are made again because one is made of another.
const MOST_ROUNDS: usize = 16;
const WIDTH: usize = 100;

/// The catalog with what a file says.
///
/// # Errors
/// What keeps the file from being read or from being a catalog, with its place.
pub fn read(catalog: Catalog, path: &Path, reading: &Reading) -> anyhow::Result<Catalog> {
    let label = path.display().to_string();
    let window = Window::of_file(path)
        .map_err(|error| anyhow::anyhow!("cannot read the catalog `{label}`: {}", input::reason(&error)))?;
    let body = window.text.trim_start_matches('\u{feff}').trim_start();
    let read = if body.starts_with(['{', '[']) {
        let offset = window.text.len() - body.len();
        read_json(catalog, &window.text, offset, &label, reading)
    } else {
        read_ddl(catalog, window, reading)
    };
    read.with_context(|| format!("`{label}` is no catalog"))
}

fn read_ddl(catalog: Catalog, window: Window<'_>, reading: &Reading) -> anyhow::Result<Catalog> {
    let mut reader = Reader::new(reading::session(catalog, reading), std::collections::HashSet::new());
    let mut mistake = None;
    reader.read(window, |report, _| {
        let error = report.findings.iter().find(|found| found.diagnostic.severity == Severity::Error);
        mistake = error.map(|found| {
            let mut out = String::new();
            finding::write(&mut out, Style::plain(WIDTH), report.label, report.text, found);
            out
        });
        mistake.is_none()
    })?;
    match mistake {
        Some(mistake) => Err(anyhow::anyhow!("\n{}", mistake.trim_end())),
        None => Ok(reader.into_catalog()),
    }
}

fn read_json(
    catalog: Catalog,
    text: &str,
    offset: usize,
    label: &str,
    reading: &Reading,
) -> anyhow::Result<Catalog> {
    let body = text.get(offset..).unwrap_or_default();
    let lines_before = text.get(..offset).unwrap_or_default().matches('\n').count();
    let file: File = serde_json::from_str(body).map_err(|error| {
        let message = if error.is_eof() {
            "the file ends before its JSON does".to_owned()
        } else {
            let message = error.to_string();
            plain_words(message.split(" at line ").next().unwrap_or(&message))
        };
        let (line, column) = (error.line() + lines_before, error.column().max(1));
        anyhow::anyhow!("\n{label}:{line}:{column}  error  {message}")
    })?;
    let mut session = reading::session(catalog, reading);
    file.apply(&mut session).with_context(|| format!("\n{label}"))?;
    Ok(session.catalog().clone())
}

/// The JSON form. Names are folded to lower case as Hive does.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct File {
    #[serde(default)]
    pub databases: Vec<Database>,
    #[serde(default)]
    pub functions: Vec<Function>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
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
#[serde(deny_unknown_fields, expecting = "an object")]
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
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Column {
    pub name: String,
    /// A Hive type, such as `array<struct<a:int>>`.
    #[serde(rename = "type")]
    pub data_type: String,
    pub comment: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object")]
pub struct Function {
    /// `database.function`.
    pub name: String,
    pub class: String,
}

impl File {
    /// Makes everything in a session. Views come last: they may be made of any table, and of one another.
    fn apply(&self, session: &mut Session) -> anyhow::Result<()> {
        for database in &self.databases {
            run(session, &database.ddl()).with_context(|| format!("database `{}`", database.name))?;
        }
        for function in &self.functions {
            run(session, &function.ddl()).with_context(|| format!("function `{}`", function.name))?;
        }
        let tables = || {
            self.databases
                .iter()
                .flat_map(|database| database.tables.iter().map(move |table| (database, table)))
        };
        for (database, table) in tables().filter(|(_, table)| !table.is_view()) {
            table
                .make(session, &database.name)
                .with_context(|| format!("table `{}.{}`", database.name, table.name))?;
        }
        let mut waiting: Vec<_> = tables().filter(|(_, table)| table.is_view()).collect();
        for _ in 0..MOST_ROUNDS {
            let mut again = Vec::new();
            for &(database, view) in &waiting {
                session.use_database(Name::fold(&database.name));
                let made = run(session, &view.view_ddl(&database.name))
                    .with_context(|| format!("view `{}.{}`", database.name, view.name))?;
                if made.diagnostics.iter().any(|found| found.code == DiagnosticCode::UNKNOWN_TABLE) {
                    again.push((database, view));
                }
            }
            if again.is_empty() || again.len() == waiting.len() {
                break;
            }
            waiting = again;
        }
        Ok(())
    }
}

impl Table {
    const fn is_view(&self) -> bool {
        matches!(self.kind, TableKind::View | TableKind::MaterializedView)
    }

    /// Makes the table, and sees to it that it has the columns that were meant: a type is part of the DDL.
    fn make(&self, session: &mut Session, database: &str) -> anyhow::Result<()> {
        let made = run(session, &self.table_ddl(database));
        let columns = || self.columns.iter().chain(&self.partition_columns);
        let has_all = session
            .catalog()
            .table(&database.to_lowercase(), &self.name.to_lowercase())
            .is_some_and(|table| table.all_columns().count() == columns().count());
        if made.is_ok() && has_all {
            return Ok(());
        }
        for column in columns() {
            column.check(session).with_context(|| format!("column `{}`", column.name))?;
        }
        made.map(drop)
    }
}

impl Column {
    fn check(&self, session: &Session) -> anyhow::Result<()> {
        let mut trial = session.clone();
        let table = ddl::trial_table(self);
        run(&mut trial, &table.table_ddl("default"))?;
        let count =
            trial.catalog().table("default", &table.name).map_or(0, |table| table.all_columns().count());
        anyhow::ensure!(count == 1, "expected one type, found `{}`", self.data_type);
        Ok(())
    }
}

fn run(session: &mut Session, ddl: &str) -> anyhow::Result<Analysis> {
    let analysis = session.analyze(ddl);
    match analysis.error() {
        Some(error) => Err(anyhow::anyhow!("{}", error.message)),
        None => Ok(analysis),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_object_is_said_to_be_none() {
        for text in [
            r#"{"databases": [7]}"#,
            r#"{"databases": [{"name": "d", "tables": [7]}]}"#,
            r#"{"functions": [7]}"#,
        ] {
            let error = serde_json::from_str::<File>(text).expect_err(text).to_string();
            assert!(error.starts_with("invalid type: integer `7`, expected an object"), "{error}");
        }
    }
}
