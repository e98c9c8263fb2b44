//! Rows from OpenLineage's Hive integration: what is listed has to be there, more may be.

use std::collections::{BTreeMap, BTreeSet};

use guardbee_analysis::effects::{Destination, Influence, Masking, Object, Target};
use guardbee_analysis::{CatalogChange, Effects, Session};
use guardbee_hiveql::parser::Dialect;
use guardbee_model::{HiveVersion, Name};
use serde::Deserialize;

use super::flow::origin;
use super::{Outcome, analyze_all, catalog_of, failed};

#[derive(Debug, Clone, Deserialize)]
pub(super) struct OpenLineageCase {
    pub(super) id: String,
    sql: String,
    operation: String,
    current_database: String,
    inputs: Vec<Dataset>,
    outputs: Vec<Dataset>,
    columns: Vec<Edge>,
    dataset_level: Vec<Edge>,
    schema: BTreeMap<String, Vec<(String, String)>>,
}

#[derive(Debug, Clone, Deserialize)]
struct Dataset {
    name: String,
}

/// Source, target, `DIRECT` or `INDIRECT`, kind, masking.
type Edge = (String, String, String, String, bool);

impl OpenLineageCase {
    pub(super) fn run(&self) -> Outcome {
        let mut session = self.session();
        let analyses = match analyze_all(&mut session, &self.sql) {
            Ok(analyses) => analyses,
            Err(refused) => return refused,
        };
        let Some(effects) = analyses.last().and_then(|analysis| analysis.effects.as_ref()) else {
            return failed("effects", self.operation.clone(), "nothing".to_owned());
        };
        if effects.operation.as_str() != self.operation {
            return failed("operation", self.operation.clone(), effects.operation.to_string());
        }
        let missing = self
            .missing("inputs", names(&self.inputs), &datasets(effects.reads.iter().map(|read| &read.object)))
            .or_else(|| {
                let written = datasets(effects.writes.iter().map(|write| &write.object));
                self.missing("outputs", names(&self.outputs), &written)
            })
            .or_else(|| {
                self.missing("columns", self.columns.iter().cloned().collect(), &column_edges(effects))
            })
            .or_else(|| self.missing("dataset level", self.dataset_influences(), &dataset_edges(effects)));
        missing.unwrap_or(Outcome::Passed)
    }

    /// Hive also filters the keys of inner joins, for those that are not null; that is part of joining.
    fn dataset_influences(&self) -> BTreeSet<Edge> {
        let joins = |edge: &Edge| {
            let (source, target, directness, _, is_masked) = edge.clone();
            self.dataset_level.contains(&(source, target, directness, "JOIN".to_owned(), is_masked))
        };
        self.dataset_level.iter().filter(|edge| edge.3 != "FILTER" || !joins(edge)).cloned().collect()
    }

    /// The schema holds both sides; what the statement makes itself is left out.
    fn session(&self) -> Session {
        let made = self.operation.starts_with("CREATE");
        let is_made = |table: &str| made && self.outputs.iter().any(|output| output.name == table);
        let tables = self.schema.iter().filter(|(table, _)| !is_made(table));
        let catalog = catalog_of(tables.map(|(table, columns)| {
            let columns = columns.iter().map(|(name, data_type)| (name.as_str(), data_type.as_str()));
            (table.as_str(), columns.collect())
        }));
        let mut session = Session::new(catalog, HiveVersion::V4_0).with_dialect(Dialect::Hive);
        session.apply(&CatalogChange::UseDatabase(Name::fold(&self.current_database)));
        session
    }

    fn missing<T: Ord + std::fmt::Debug>(
        &self,
        what: &str,
        expected: BTreeSet<T>,
        got: &BTreeSet<T>,
    ) -> Option<Outcome> {
        let missing: Vec<&T> = expected.difference(got).collect();
        (!missing.is_empty()).then(|| failed(what, format!("{missing:?}"), format!("{got:?}")))
    }
}

fn names(datasets: &[Dataset]) -> BTreeSet<String> {
    datasets.iter().map(|dataset| dataset.name.clone()).collect()
}

fn datasets<'o>(objects: impl Iterator<Item = &'o Object>) -> BTreeSet<String> {
    objects.map(ToString::to_string).collect()
}

fn target_name(target: &Target) -> String {
    match &target.destination {
        Destination::Table(table) => table.to_string(),
        Destination::Directory(path) => path.to_string(),
        Destination::Result => "result".to_owned(),
    }
}

fn column_edges(effects: &Effects) -> BTreeSet<Edge> {
    let mut edges = BTreeSet::new();
    for target in &effects.targets {
        for column in &target.columns {
            let name = format!("{}.{}", target_name(target), column.name);
            edges.extend(column.sources.iter().map(|source| {
                let kind = source.derivation.as_str().to_owned();
                let is_masked = source.masking == Masking::Masked;
                (origin(&source.origin), name.clone(), "DIRECT".to_owned(), kind, is_masked)
            }));
            edges.extend(column.influences.iter().map(|influence| indirect(influence, &name)));
        }
    }
    edges
}

fn dataset_edges(effects: &Effects) -> BTreeSet<Edge> {
    let of_target = |target: &Target| {
        let name = target_name(target);
        target.influences.iter().map(|influence| indirect(influence, &name)).collect::<Vec<_>>()
    };
    effects.targets.iter().flat_map(of_target).collect()
}

fn indirect(influence: &Influence, target: &str) -> Edge {
    let kind = influence.purpose.as_str().to_owned();
    let is_masked = influence.masking == Masking::Masked;
    (origin(&influence.origin), target.to_owned(), "INDIRECT".to_owned(), kind, is_masked)
}
