//! OpenLineage job events: what a statement would read, write and derive whenever it runs.
//!
//! A script is a job without a run, so these are `JobEvent`s of the core specification 2-0-2 with the
//! facets `schema`, `columnLineage`, `sql` and `jobType`.

use std::collections::BTreeMap;

use guardbee_analysis::CatalogChange;
use guardbee_analysis::effects::{
    Destination, Effects, Influence, Masking, Object, Origin, Target, WriteAction,
};
use serde_json::{Map, Value, json};

use crate::reading::Report;
use crate::wire::openlineage::{
    Field, JOBS, Key, LONGEST_STATEMENT_BYTES, PRODUCER, SPECIFICATION, TABLES, facet, input_fields, schema,
    split_path,
};

/// One event for a statement that writes somewhere, as a JSON value; nothing for the rest.
#[must_use]
pub fn event(report: &Report<'_>, event_time: &str) -> Option<Value> {
    let effects = report.effects.as_ref()?;
    let outputs = outputs(effects);
    if outputs.is_empty() {
        return None;
    }
    let statement = report.statement();
    let mut job_facets = Map::new();
    job_facets.insert(
        "jobType".to_owned(),
        facet(
            "2-0-4/JobTypeJobFacet.json#/$defs/JobTypeJobFacet",
            &[
                ("processingType", json!("BATCH")),
                ("integration", json!("HIVE")),
                ("jobType", json!(effects.operation.as_str())),
            ],
        ),
    );
    if statement.len() <= LONGEST_STATEMENT_BYTES {
        let fields = [("query", json!(statement)), ("dialect", json!("hive"))];
        job_facets.insert("sql".to_owned(), facet("1-1-0/SQLJobFacet.json#/$defs/SQLJobFacet", &fields));
    }
    Some(json!({
        "eventTime": event_time,
        "producer": PRODUCER,
        "schemaURL": format!("{SPECIFICATION}/2-0-2/OpenLineage.json#/$defs/JobEvent"),
        "job": {
            "namespace": JOBS,
            "name": format!("{}:{}", report.label, report.place.line),
            "facets": job_facets,
        },
        "inputs": inputs(effects),
        "outputs": outputs,
    }))
}

fn inputs(effects: &Effects) -> Vec<Value> {
    let mut seen = Vec::new();
    let mut inputs = Vec::new();
    for read in effects.reads.iter().filter(|read| read.access.is_direct()) {
        let Some((namespace, name)) = dataset(&read.object) else { continue };
        if seen.contains(&(namespace.clone(), name.clone())) {
            continue;
        }
        let fields: Vec<Value> =
            read.columns.iter().map(|column| json!({ "name": column.name.as_str() })).collect();
        let mut facets = Map::new();
        if !fields.is_empty() {
            facets.insert("schema".to_owned(), schema(fields));
        }
        inputs.push(json!({ "namespace": namespace, "name": name, "facets": facets }));
        seen.push((namespace, name));
    }
    inputs
}

fn outputs(effects: &Effects) -> Vec<Value> {
    let mut outputs: BTreeMap<Key, Map<String, Value>> = BTreeMap::new();
    let renamed = renamed(effects);
    for write in &effects.writes {
        if matches!(
            write.action,
            WriteAction::CreateInside | WriteAction::AlterInside | WriteAction::Lock | WriteAction::Touch
        ) {
            continue;
        }
        let Some(key) = dataset(&write.object) else { continue };
        if renamed.as_ref().is_some_and(|(from, _)| *from == key) {
            continue;
        }
        let facets = outputs.entry(key.clone()).or_default();
        let change = match &renamed {
            Some(((namespace, name), to)) if *to == key => vec![
                ("lifecycleStateChange", json!("RENAME")),
                ("previousIdentifier", json!({ "namespace": namespace, "name": name })),
            ],
            _ => lifecycle(write.action)
                .map(|state| ("lifecycleStateChange", json!(state)))
                .into_iter()
                .collect(),
        };
        if !change.is_empty() {
            let schema =
                "1-0-1/LifecycleStateChangeDatasetFacet.json#/$defs/LifecycleStateChangeDatasetFacet";
            facets.insert("lifecycleStateChange".to_owned(), facet(schema, &change));
        }
    }
    for target in &effects.targets {
        let key = match &target.destination {
            Destination::Table(table) => (TABLES.to_owned(), table.to_string()),
            Destination::Directory(path) => split_path(path),
            Destination::Result => continue,
        };
        let facets = outputs.entry(key).or_default();
        let fields: Vec<Value> =
            target.columns.iter().map(|column| json!({ "name": column.name.as_str() })).collect();
        facets.insert("schema".to_owned(), schema(fields));
        facets.insert("columnLineage".to_owned(), column_lineage(target));
    }
    outputs
        .into_iter()
        .map(|((namespace, name), facets)| json!({ "namespace": namespace, "name": name, "facets": facets }))
        .collect()
}

/// A table that gets another name: from which, to which.
fn renamed(effects: &Effects) -> Option<(Key, Key)> {
    effects.changes.iter().find_map(|change| match change {
        CatalogChange::RenameTable { from, to } => {
            Some(((TABLES.to_owned(), from.to_string()), (TABLES.to_owned(), to.to_string())))
        }
        _ => None,
    })
}

fn column_lineage(target: &Target) -> Value {
    let mut fields = Map::new();
    for column in &target.columns {
        let mut inputs: BTreeMap<Field, Vec<Value>> = BTreeMap::new();
        for source in &column.sources {
            let Some(key) = field(&source.origin) else { continue };
            inputs.entry(key).or_default().push(json!({
                "type": "DIRECT",
                "subtype": source.derivation.as_str(),
                "description": column.expression.as_deref().unwrap_or(""),
                "masking": source.masking == Masking::Masked,
            }));
        }
        for influence in &column.influences {
            let Some(key) = field(&influence.origin) else { continue };
            inputs.entry(key).or_default().push(indirect(influence));
        }
        fields.insert(column.name.to_string(), json!({ "inputFields": input_fields(inputs) }));
    }
    let mut whole: BTreeMap<Field, Vec<Value>> = BTreeMap::new();
    for influence in &target.influences {
        let Some(key) = field(&influence.origin) else { continue };
        whole.entry(key).or_default().push(indirect(influence));
    }
    facet(
        "1-2-0/ColumnLineageDatasetFacet.json#/$defs/ColumnLineageDatasetFacet",
        &[("fields", Value::Object(fields)), ("dataset", Value::Array(input_fields(whole)))],
    )
}

fn indirect(influence: &Influence) -> Value {
    json!({
        "type": "INDIRECT",
        "subtype": influence.purpose.as_str(),
        "description": "",
        "masking": influence.masking == Masking::Masked,
    })
}

/// Dataset and column; an unresolved column has no dataset to name and is left out.
fn field(origin: &Origin) -> Option<Field> {
    match origin {
        Origin::Column { table, column } => Some((TABLES.to_owned(), table.to_string(), column.to_string())),
        Origin::FileColumn { path, column } => {
            let (namespace, name) = split_path(path);
            Some((namespace, name, column.to_string()))
        }
        Origin::WholeTable(_) | Origin::Unresolved { .. } => None,
    }
}

fn dataset(object: &Object) -> Option<Key> {
    match object {
        Object::Table(table) => Some((TABLES.to_owned(), table.to_string())),
        Object::Path(path) => Some(split_path(path)),
        _ => None,
    }
}

const fn lifecycle(action: WriteAction) -> Option<&'static str> {
    match action {
        WriteAction::Create => Some("CREATE"),
        WriteAction::Alter => Some("ALTER"),
        WriteAction::Drop => Some("DROP"),
        WriteAction::Overwrite => Some("OVERWRITE"),
        WriteAction::Truncate => Some("TRUNCATE"),
        _ => None,
    }
}
