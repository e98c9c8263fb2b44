//! Predictions for golden records, in the format that the scorer reads.

use std::collections::BTreeSet;

use guardbee_analysis::effects::{
    DatasetKind, Destination, Influence, Object, Origin, Pinning, Purpose, Source, Target, TargetColumn,
    WriteAction,
};
use guardbee_analysis::{Analysis, Catalog, Effects, Session};
use guardbee_hiveql::parser::{Dialect, parse_statement};
use guardbee_hiveql::tree::{Arena, ExplainOption, MergeAction, MergeBranch, Statement};
use guardbee_model::{DiagnosticCode, HiveVersion, Name};
use serde::Serialize;

use crate::golden::{GoldenRecord, GoldenStatement};

/// What we say about one statement of a record.
#[derive(Debug, Clone, Serialize)]
pub struct Prediction {
    pub file: String,
    pub index: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub op: Option<&'static str>,
    pub inputs: Vec<String>,
    pub outputs: Vec<String>,
    pub columns: Vec<PredictedColumn>,
    /// Columns that filter or join.
    pub influences: Vec<String>,
    pub error: Option<String>,
}

#[derive(Debug, Clone, Serialize)]
pub struct PredictedColumn {
    pub target: String,
    pub kind: &'static str,
    pub sources: Vec<String>,
}

/// Predicts all statements of a record, in order. Those that did not run are judged too, and leave no
/// trace.
#[must_use]
pub fn predict_record(record: &GoldenRecord, catalog: Catalog, version: HiveVersion) -> Vec<Prediction> {
    let mut session = Session::new(catalog, version).with_dialect(Dialect::Hive);
    let statements = record.statements.iter().enumerate();
    statements
        .filter_map(|(index, statement)| {
            let analysis = analyze(&mut session, statement)?;
            let mut prediction = predict(record.file.clone(), index, &analysis, version);
            follow_hooks(&session, statement, &mut prediction);
            Some(prediction)
        })
        .collect()
}

/// Where Hive's hooks list something else than what the statement does.
fn follow_hooks(session: &Session, statement: &GoldenStatement, prediction: &mut Prediction) {
    let Some(sql) = statement.sql.as_deref() else { return };
    let words = || sql.split_ascii_whitespace().take(3);
    if !words().any(|word| ["merge", "rewrite"].iter().any(|known| word.eq_ignore_ascii_case(known))) {
        return;
    }
    let arena = Arena::new();
    match parse_statement(&arena, sql, session.settings().parser) {
        Ok(Statement::Explain(explain)) if explain.options.contains(&ExplainOption::Rewrite) => {
            prediction.inputs.clear();
            prediction.outputs.clear();
        }
        Ok(Statement::Explain(explain)) => list_check_table(session, explain.statement, prediction),
        Ok(statement) => list_check_table(session, &statement, prediction),
        Err(_) => {}
    }
}

/// The helper table that Hive lists as written by a MERGE that updates or deletes: it finds rows of the
/// target there that more than one row of the source matches. It is no object to us.
fn list_check_table(session: &Session, statement: &Statement<'_>, prediction: &mut Prediction) {
    let Statement::Merge(merge) = statement else { return };
    let changes_rows = |branch: &MergeBranch<'_>| !matches!(branch.action, MergeAction::Insert { .. });
    if merge.branches.iter().any(changes_rows) {
        prediction.outputs.push(format!("{}@merge_tmp_table", session.database()));
    }
}

fn analyze(session: &mut Session, statement: &GoldenStatement) -> Option<Analysis> {
    let sql = statement.sql.as_deref()?;
    if statement.rejected_by.is_some() {
        return Some(analyze_as_later(session, sql));
    }
    Some(match statement.ran() {
        true => session.analyze(sql),
        false => session.clone().analyze(sql),
    })
}

/// The statement as a later version reads it; those after it see what it did.
fn analyze_as_later(session: &mut Session, sql: &str) -> Analysis {
    let version = session.settings().parser.version;
    let mut later = session.clone().with_version(HiveVersion::V4_0);
    let analysis = later.analyze(sql);
    *session = later.with_version(version);
    analysis
}

fn predict(file: String, index: usize, analysis: &Analysis, version: HiveVersion) -> Prediction {
    let mut prediction = Prediction {
        file,
        index,
        op: None,
        inputs: Vec::new(),
        outputs: Vec::new(),
        columns: Vec::new(),
        influences: Vec::new(),
        error: refusal(analysis),
    };
    if let Some(effects) = &analysis.effects {
        prediction.op = Some(effects.operation.as_str());
        prediction.inputs = inputs(effects);
        prediction.outputs = outputs(effects);
        prediction.columns = effects.targets.iter().flat_map(|target| columns(target, version)).collect();
        prediction.influences = influences(effects);
    }
    prediction
}

/// Why the statement is refused. The catalog of a golden record is complete, so that what it does not
/// have is not there.
fn refusal(analysis: &Analysis) -> Option<String> {
    let missing = [DiagnosticCode::UNKNOWN_TABLE, DiagnosticCode::UNKNOWN_COLUMN];
    let reason = analysis
        .error()
        .or_else(|| analysis.diagnostics.iter().find(|diagnostic| missing.contains(&diagnostic.code)));
    match reason {
        Some(diagnostic) => Some(diagnostic.message.clone()),
        None if analysis.effects.is_none() => Some("the statement cannot be read".to_owned()),
        None => None,
    }
}

/// Inputs as Hive's hooks print them.
#[must_use]
pub fn inputs(effects: &Effects) -> Vec<String> {
    let entities: BTreeSet<String> = effects.reads.iter().filter_map(|read| entity(&read.object)).collect();
    entities.into_iter().collect()
}

/// Outputs as Hive's hooks print them: without the table of a `LOCK TABLE`.
#[must_use]
pub fn outputs(effects: &Effects) -> Vec<String> {
    let entities: BTreeSet<String> = effects
        .writes
        .iter()
        .filter(|write| write.action != WriteAction::Lock || write.kind == DatasetKind::Other)
        .filter_map(|write| entity(&write.object))
        .collect();
    entities.into_iter().collect()
}

fn entity(object: &Object) -> Option<String> {
    match object {
        Object::Table(name) => Some(format!("{}@{}", name.database, name.table)),
        Object::Database(name) => Some(format!("database:{name}")),
        _ => None,
    }
}

/// Column lineage as Hive's hooks print it. Before 4.0 there is none of what UPDATE sets, and the columns
/// of a new view go by two names: the view's in what is printed after the statement ran, the query's in
/// what the compiler says.
fn columns(target: &Target, version: HiveVersion) -> Vec<PredictedColumn> {
    let is_old = version < HiveVersion::V4_0;
    let Destination::Table(table) = &target.destination else { return Vec::new() };
    if is_old && target.action == WriteAction::Update {
        return Vec::new();
    }
    let is_taken = |name: &Name| target.columns.iter().any(|column| column.name == *name);
    let mut columns = Vec::with_capacity(target.columns.len());
    for column in target.columns.iter().chain(&target.kept) {
        let other = column.query_name.as_ref().filter(|name| is_old && !is_taken(name));
        for name in std::iter::once(&column.name).chain(other) {
            columns.push(PredictedColumn {
                target: format!("{table}.{name}"),
                kind: column.kind.as_str(),
                sources: sources(column),
            });
        }
    }
    columns
}

/// To Hive a source is all that the value of a column is computed from: conditions and the keys of windows
/// count, too. A column that has one value only does not: Hive puts that value in its place.
fn sources(column: &TargetColumn) -> Vec<String> {
    let chooses =
        |influence: &&Influence| matches!(influence.purpose, Purpose::Conditional | Purpose::Window);
    let varies = |source: &&Source| source.pinning == Pinning::Free;
    let direct = column.sources.iter().filter(varies).map(|source| &source.origin);
    let indirect = column.influences.iter().filter(chooses).map(|influence| &influence.origin);
    let sources: BTreeSet<String> = direct.chain(indirect).map(origin).collect();
    sources.into_iter().collect()
}

fn origin(origin: &Origin) -> String {
    match origin {
        Origin::Column { table, column } => format!("{table}.{column}"),
        Origin::WholeTable(table) => format!("{table}.*"),
        Origin::FileColumn { path, column } => format!("{path}.{column}"),
        Origin::Unresolved { column, candidates } => match candidates.first() {
            Some(table) => format!("{table}.{column}"),
            None => column.to_string(),
        },
    }
}

fn influences(effects: &Effects) -> Vec<String> {
    let decides = |influence: &&Influence| matches!(influence.purpose, Purpose::Filter | Purpose::Join);
    let of_rows = effects.targets.iter().flat_map(|target| &target.influences);
    let of_columns = effects.targets.iter().flat_map(|target| &target.columns);
    let columns: BTreeSet<String> = of_rows
        .chain(of_columns.flat_map(|column| &column.influences))
        .filter(decides)
        .map(|influence| origin(&influence.origin))
        .collect();
    columns.into_iter().collect()
}
