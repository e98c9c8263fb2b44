//! Lineage cases from other tools' tests and from probes, one JSON object a line. The formats are
//! described in `corpus/cases.md`, which is kept beside the corpus.

mod flow;
mod open_lineage;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result};
use guardbee_analysis::{Analysis, Catalog, Session};
use guardbee_hiveql::parser::Dialect;
use guardbee_hiveql::script::Script;
use guardbee_model::HiveVersion;
use serde::Deserialize;

use crate::golden::read_lines;
use flow::Flow;

/// One row of a file of cases.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Case {
    OpenLineage(Box<open_lineage::OpenLineageCase>),
    Lineage(Box<LineageCase>),
}

/// A row of `sqllineage-*` or `hive-probes-*`.
#[derive(Debug, Clone, Deserialize)]
struct LineageCase {
    id: String,
    sql: String,
    asserted: Asserted,
    #[serde(default)]
    sources: Option<Vec<String>>,
    #[serde(default)]
    targets: Option<Vec<String>>,
    /// Pairs of names, or for each result column its sources.
    #[serde(default)]
    columns: Option<Vec<Option<Vec<String>>>>,
    #[serde(default)]
    schema: Option<BTreeMap<String, Vec<String>>>,
    #[serde(default)]
    types: BTreeMap<String, String>,
    #[serde(default)]
    accepts: BTreeMap<String, bool>,
    #[serde(default = "yes")]
    hive23_parses: bool,
    #[serde(default)]
    policy_choice: Option<bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Asserted {
    Table,
    Column,
    ColumnDirectByPosition,
}

const fn yes() -> bool {
    true
}

/// What came of one case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseResult {
    pub id: String,
    pub outcome: Outcome,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Passed,
    /// Not counted: Hive does not accept the statement, or either answer can be defended.
    Skipped,
    Failed {
        what: String,
        expected: String,
        got: String,
    },
}

/// Runs the cases of a file.
///
/// # Errors
/// The file cannot be read, or a line is no case.
pub fn run_cases(path: &Path) -> Result<Vec<CaseResult>> {
    let mut results = Vec::new();
    for (index, line) in read_lines(path)?.enumerate() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let case: Case = serde_json::from_str(&line)
            .with_context(|| format!("line {} of `{}` is no case", index + 1, path.display()))?;
        results.push(match case {
            Case::OpenLineage(case) => CaseResult { outcome: case.run(), id: case.id },
            Case::Lineage(case) => CaseResult { outcome: case.run(), id: case.id },
        });
    }
    Ok(results)
}

impl LineageCase {
    fn run(&self) -> Outcome {
        let is_counted = self.accepts.get("hive23").copied().unwrap_or(self.hive23_parses)
            && self.policy_choice != Some(true);
        if !is_counted {
            return Outcome::Skipped;
        }
        let catalog = match &self.schema {
            Some(schema) => catalog_of(schema.iter().map(|(table, columns)| {
                let columns = columns
                    .iter()
                    .map(|column| (column.as_str(), self.types.get(column).map_or("string", String::as_str)));
                (table.as_str(), columns.collect())
            })),
            None => Catalog::new(),
        };
        let mut session = Session::new(catalog, HiveVersion::V2_3).with_dialect(Dialect::Hive);
        let analyses = match analyze_all(&mut session, &self.sql) {
            Ok(analyses) => analyses,
            Err(refused) => return refused,
        };
        if self.asserted == Asserted::ColumnDirectByPosition {
            return self.compare_positions(&analyses);
        }
        let flow = Flow::of(&analyses);
        let tables = self.compare_tables(&flow);
        match (self.asserted, tables) {
            (Asserted::Column, None) => self.compare_columns(&flow).unwrap_or(Outcome::Passed),
            (_, tables) => tables.unwrap_or(Outcome::Passed),
        }
    }

    fn compare_tables(&self, flow: &Flow) -> Option<Outcome> {
        let sources = compare("sources", self.sources.as_deref(), &flow.sources());
        sources.or_else(|| compare("targets", self.targets.as_deref(), &flow.targets()))
    }

    /// An unnamed result column goes by its text in these rows, and by Hive's `_c0` in ours.
    fn compare_columns(&self, flow: &Flow) -> Option<Outcome> {
        let expected = self.columns.as_ref()?;
        let tables: BTreeSet<String> =
            self.sources.iter().chain(&self.targets).flatten().map(|name| canonical_table(name)).collect();
        let expected: BTreeSet<(String, String)> = expected
            .iter()
            .flatten()
            .filter_map(|pair| Some((canonical(pair.first()?, &tables), canonical(pair.get(1)?, &tables))))
            .collect();
        let got = flow.column_edges();
        if expected == got {
            return None;
        }
        Some(failed("columns", pairs(&expected), pairs(&got)))
    }

    fn compare_positions(&self, analyses: &[Analysis]) -> Outcome {
        let Some(expected) = &self.columns else { return Outcome::Passed };
        let targets = analyses.iter().filter_map(|analysis| analysis.effects.as_ref());
        let Some(target) = targets.flat_map(|effects| &effects.targets).last() else {
            return failed("columns", format!("{expected:?}"), "no result".to_owned());
        };
        let got: Vec<BTreeSet<String>> = target.columns.iter().map(flow::direct_columns).collect();
        let agrees = expected.len() == got.len()
            && expected.iter().zip(&got).all(|(expected, got)| {
                expected.as_ref().is_none_or(|columns| {
                    columns.iter().map(|column| column.to_lowercase()).collect::<BTreeSet<_>>() == *got
                })
            });
        match agrees {
            true => Outcome::Passed,
            false => failed("columns", format!("{expected:?}"), format!("{got:?}")),
        }
    }
}

/// All statements of a text, or why one of them cannot be read. Names that a row's schema lacks are no
/// reason: the rows are from tools that do not look.
fn analyze_all(session: &mut Session, sql: &str) -> Result<Vec<Analysis>, Outcome> {
    let mut analyses = Vec::new();
    for piece in Script::new(sql) {
        let analysis = session.analyze(piece.text);
        if analysis.effects.is_none() {
            let messages: Vec<&str> =
                analysis.diagnostics.iter().map(|found| found.message.as_str()).collect();
            return Err(failed("acceptance", "accepted".to_owned(), messages.join("; ")));
        }
        analyses.push(analysis);
    }
    Ok(analyses)
}

fn compare(what: &str, expected: Option<&[String]>, got: &BTreeSet<String>) -> Option<Outcome> {
    let expected: BTreeSet<String> = expected?.iter().map(|name| canonical_table(name)).collect();
    (expected != *got).then(|| failed(what, format!("{expected:?}"), format!("{got:?}")))
}

fn failed(what: &str, expected: String, got: String) -> Outcome {
    Outcome::Failed { what: what.to_owned(), expected, got }
}

fn pairs(edges: &BTreeSet<(String, String)>) -> String {
    edges.iter().map(|(from, to)| format!("{from} -> {to}")).collect::<Vec<_>>().join(", ")
}

/// A table's name with its database; paths stay as they are.
fn canonical_table(name: &str) -> String {
    if name.contains('/') {
        return name.to_owned();
    }
    let name = name.to_lowercase();
    if name.contains('.') { name } else { format!("default.{name}") }
}

/// A column's name with its table and database, where the text begins with one of the tables.
fn canonical(name: &str, tables: &BTreeSet<String>) -> String {
    let name = name.to_lowercase();
    let full = |candidate: &str| {
        tables
            .iter()
            .filter_map(|table| {
                let column = candidate.strip_prefix(table.as_str())?.strip_prefix('.')?;
                Some(format!("{table}.{}", spaced(column)))
            })
            .next_back()
    };
    full(&name).or_else(|| full(&format!("default.{name}"))).unwrap_or(name)
}

/// A text with one blank for every run of blanks.
fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A catalog of tables with the names and types of their columns. A path is where a table of such
/// columns was exported to.
fn catalog_of<'s>(tables: impl Iterator<Item = (&'s str, Vec<(&'s str, &'s str)>)>) -> Catalog {
    let mut session = Session::new(Catalog::new(), HiveVersion::default());
    for (name, columns) in tables {
        let columns: Vec<String> =
            columns.iter().map(|(name, data_type)| format!("`{name}` {data_type}")).collect();
        let columns = columns.join(", ");
        let (database, table) = match name.contains('/') {
            true => ("default".to_owned(), "exported".to_owned()),
            false => match name.split_once('.') {
                Some((database, table)) => (database.to_owned(), table.to_owned()),
                None => ("default".to_owned(), name.to_owned()),
            },
        };
        session.analyze(&format!("CREATE DATABASE IF NOT EXISTS `{database}`"));
        session.analyze(&format!("CREATE TABLE `{database}`.`{table}` ({columns})"));
        if name.contains('/') {
            session.analyze(&format!("EXPORT TABLE `{database}`.`{table}` TO '{name}'"));
            session.analyze(&format!("DROP TABLE `{database}`.`{table}`"));
        }
    }
    session.catalog().clone()
}
